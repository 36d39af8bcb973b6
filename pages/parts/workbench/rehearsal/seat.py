"""The rehearsal: both seats side by side on a sample, the machine in the one that the visitor does not take."""

import numpy as np
import streamlit as st

from pages.parts.controls.live_sliders import Slider, read_controls
from pages.parts.frame.address import choose
from pages.parts.frame.depth import simple
from pages.parts.show.desk import Desk
from pages.parts.show.sheet import plain
from pages.parts.show.show import Place, heading, note, show
from pages.parts.show.templates import render
from pages.parts.system import usual
from pages.parts.values.views import Brief, Figure, Finding
from pages.parts.workbench.faults import faults_said
from pages.parts.workbench.holder.table import SAMPLES, of_sample
from pages.parts.workbench.holder.terms import SLIDERS
from pages.parts.workbench.modeler.map import Map, map_of
from pages.parts.workbench.rehearsal import words
from pages.parts.workbench.rehearsal.game import Game
from pages.parts.workbench.seats import mine
from privbo_core.data import sample

KEY, SLOT = "rehearsal", "rehearsal-map"
SEATS = {"choose": "choose by hand", "answer": "answer"}
PANEL = [
    SLIDERS[0],
    Slider("tests", "tests", 5, 40, 15, "fewer", "more", "As many for you as for the machine.", whole=True),
]
_GAME, _CHOSEN = mine("game"), mine("game chosen")


def show_rehearsal() -> None:
    """Draw both seats."""
    desk = Desk(words.QUESTION)
    game: Game | None = st.session_state.get(_GAME)
    panel = [plain(slider) for slider in PANEL] if simple() else PANEL
    controls = read_controls(KEY, panel)
    with desk.left:
        name = choose(st.selectbox, "Table", SAMPLES, key="data", persist_state="session",
                      format_func=lambda name: sample(name).title)  # fmt: skip
        seat = choose(st.segmented_control, "You", list(SEATS), key="rehearse", required=True, format_func=SEATS.__getitem__)  # fmt: skip
    desk.hold(KEY, panel, controls)
    with desk.at_once():
        room = st.container()
    with desk.below_panel:
        kind = "secondary" if game else "primary"
        if st.button("Start anew" if game else "Start", type=kind, icon=":material/play_arrow:", key="rehearse-start"):
            held = of_sample(name)
            game = Game.begin(held, controls["epsilon"], usual.DELTA, controls.whole("tests"), by_hand=seat == "choose")
            st.session_state[_GAME] = game
            st.session_state.pop(_CHOSEN, None)
            st.rerun()
    with room:
        if game is None:
            _say(words.before(seat == "choose"))
        else:
            _show(game)


def _say(sentence: str) -> None:
    st.html(render("brief.html", brief=Brief(sentence, ())))


def _show(game: Game) -> None:
    """Show how the game stands, the modeler's seat on the left and the holder's on the right."""
    _say(words.standing(game))
    if game.over:
        figure = words.found(game)
        Place(words.RESULT).draw(figure)
    left, right = st.columns([1.25, 1], gap="medium")
    with left:
        heading("Who chooses: you" if game.by_hand else "Who chooses: the machine")
        _show_map(game)
        if game.by_hand and not game.over:
            _choose(game)
    with right:
        heading("Who holds the data: the machine" if game.by_hand else "Who holds the data: you")
        if not game.by_hand and not game.over:
            _answer(game)
        _show_records(game)


def _show_map(game: Game) -> None:
    package = game.package
    drawn = map_of(package.values, package.frame.names, [c.unit for c in package.frame.columns], (0, 1))
    tests = game.mine if game.by_hand else game.theirs
    chosen = st.session_state.get(_CHOSEN) if game.by_hand else None
    pending = [chosen] if chosen else [] if game.by_hand or game.over else [game.asked]
    picture = words.noisy_map(game, drawn, tests, pending)
    title = "Point at the map, then test" if game.by_hand and not game.over else f"{package.rows:,} rows with noise on them"
    finding = Finding(title, "simulation", "Numbers: tested, in their order. Star: the next.")
    alt = f"The noisy rows by {drawn.axes[0]} and {drawn.axes[1]}; tested rows numbered."

    def picked(x: float, y: float) -> None:
        if game.by_hand and not game.over:
            st.session_state[_CHOSEN] = game.nearest(np.array([x, y]), (0, 1))

    Place(SLOT, picked=picked).draw(Figure(SLOT, finding, picture, alt))
