"""The rehearsal: both seats side by side on a sample, the machine in the one that the visitor does not take."""

from typing import Literal

import numpy as np
import streamlit as st

from pages.parts.bring.framing import number_typed
from pages.parts.controls.live_sliders import Slider, read_controls
from pages.parts.frame.address import choose
from pages.parts.frame.depth import simple
from pages.parts.show.desk import Desk
from pages.parts.show.sheet import plain
from pages.parts.show.show import Place, heading, note, show
from pages.parts.show.templates import render
from pages.parts.system import usual
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Brief
from pages.parts.workbench.faults import faults_said
from pages.parts.workbench.holder.table import SAMPLES, of_sample
from pages.parts.workbench.holder.terms import SLIDERS
from pages.parts.workbench.rehearsal import words
from pages.parts.workbench.rehearsal.game import Game
from pages.parts.workbench.rehearsal.pictures import COLUMNS, MAP, RESULT, found, noisy_map
from pages.parts.workbench.seats import PAGE, mine
from privbo_core.data import sample

KEY = "rehearsal"
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
        take_away(About(f"{PAGE}: rehearsal", sample(name).title))
        kind: Literal["secondary", "primary"] = "secondary" if game else "primary"
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
        Place(RESULT, titled=False).draw(found(game))
    left, right = st.columns([1.25, 1], gap="medium")
    with left:
        heading("Who chooses: you" if game.by_hand else "Who chooses: the machine")
        _show_map(game)
    with right:
        heading("Who holds the data: the machine" if game.by_hand else "Who holds the data: you")
        if not game.by_hand and not game.over:
            _answer(game)
        if game.done:
            show(words.records_seen(game))
            show(words.holder_table(game))


def _show_map(game: Game) -> None:
    """Show the noisy map; where the visitor chooses, one can point at it."""
    choosing = game.by_hand and not game.over
    chosen: int | None = st.session_state.get(_CHOSEN) if choosing else None
    pending = [chosen] if chosen else [game.asked] if not game.by_hand and not game.over else []

    def picked(x: float, y: float) -> None:
        st.session_state[_CHOSEN] = game.nearest(np.array([x, y]), COLUMNS)

    Place(MAP, picked=picked if choosing else None).draw(
        noisy_map(game, game.mine if game.by_hand else game.theirs, pending)
    )
    if choosing:
        _choose(game, chosen)


def _choose(game: Game, chosen: int | None) -> None:
    """Show the button that tests the row pointed at, and the way to name a place without pointing."""
    test = chosen and st.button(
        f"Test row {chosen}", type="primary", icon=":material/science:", key=f"test-{game.done}"
    )
    if chosen and test:
        with faults_said():
            game.choose(chosen)
            st.session_state.pop(_CHOSEN, None)
            st.rerun()
    with st.expander("Without pointing"), st.form(f"place-{game.done}", border=False):
        typed = [
            place.text_input(f"{column.name} of about", key=mine(f"place/{game.done}/{column.name}"), max_chars=30)
            for place, column in zip(st.columns(2), game.package.frame.columns, strict=False)
        ]
        if st.form_submit_button("Choose the nearest row"):
            with faults_said():
                about = [number_typed("the place", text) for text in typed]
                st.session_state[_CHOSEN] = game.nearest(np.array(about), COLUMNS)
                st.rerun()


def _answer(game: Game) -> None:
    """Let the visitor find the record and answer."""
    row = game.asked
    found, told = game.curator.find(row), game.held.told
    seen = ", ".join(f"{name} {found.cells[name]:,.4g}" for name in game.held.frame.names)
    note(f"They ask for row {row}. Your ledger says: {told.one} {found.record + 1:,}, {seen}.")
    with st.container(horizontal=True):
        if st.button("Answer", type="primary", icon=":material/send:", key=f"rehearse-answer-{game.done}"):
            game.answer()
            st.rerun()
        if st.button("Answer the rest", key=f"rehearse-rest-{game.done}"):
            while not game.over:
                game.answer()
            st.rerun()
