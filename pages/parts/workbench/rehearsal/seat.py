"""The rehearsal: both seats side by side on a sample, the machine in the one that the visitor does not take."""

import numpy as np
import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk, plain
from pages.parts.live.sliders import Slider, read_controls
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.table.framing import numbers_typed
from pages.parts.views.drawing import Place, note, show
from pages.parts.views.templates import render
from pages.parts.views.views import Brief
from pages.parts.workbench.holder.releasing import SLIDERS
from pages.parts.workbench.holder.table import SAMPLES, of_sample
from pages.parts.workbench.rehearsal import game as game_room
from pages.parts.workbench.rehearsal.game import COLUMNS, MAP, RACE, Game, Rules, noisy_map, race
from pages.parts.workbench.seats import PAGE, faults_said, mine
from privbo_core.data import sample

KEY = "rehearsal"
SEATS = {"choose": "choose by hand", "answer": "answer"}
PANEL = [SLIDERS[0], Slider.of("workbench.tests", 5, 40, 15, whole=True)]
_GAME, _CHOSEN, _ENDED = mine("game"), mine("game chosen"), mine("games ended")


def show_rehearsal() -> None:
    desk = Desk("Can you beat the machine?")
    panel = [plain(slider) for slider in PANEL] if simple() else PANEL
    controls = read_controls(KEY, panel)
    with desk.left:
        titles = {name: sample(name).title for name in SAMPLES}
        name = choose(st.selectbox, "Table", titles, key="data", persist_state="session")
        seat = choose(st.segmented_control, "You", SEATS, key="rehearse", required=True)
    desk.hold(KEY, panel, controls)
    rules = Rules(name, controls["epsilon"], controls.whole("tests"), seat == "choose")
    with desk.at_once():
        room = st.container()
    with desk.below_panel:
        take_away(About(f"{PAGE}: rehearsal", sample(name).title))
        anew = st.button("Start anew", icon=":material/replay:", key="rehearse-start")
    game: Game | None = st.session_state.get(_GAME)
    untouched = game is None or not game.done
    if anew or game is None or (untouched and game.rules != rules and not controls.dragging):
        game = st.session_state[_GAME] = Game.begin(of_sample(name), rules)
        st.session_state.pop(_CHOSEN, None)
    with desk.below_panel:
        if game.rules != rules and not controls.dragging:
            note("Start anew to play with what is set here.")
    with room:
        _show(game)


def _show(game: Game) -> None:
    st.html(render("brief.html", brief=Brief(game_room.standing(game), ())))
    if not game.done:
        note(game_room.HOW[game.by_hand])
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        _show_map(game)
    with right:
        if not game.by_hand and not game.over:
            _answer(game)
        Place(RACE).draw(race(game))
        if game.by_hand and any(ended := _ended()):
            won, lost, drawn = ended
            draws = f", {drawn} drawn" if drawn else ""
            note(f"Games so far: you {won}, {game_room.MACHINE} {lost}{draws}.")
    if game.done:
        many = game.held.sample.many
        known = f"Only the holder sees the {many} behind the rows" if game.by_hand else f"The {many} you answered for"
        with st.expander(known):
            show(game_room.holder_table(game))


def _show_map(game: Game) -> None:
    choosing = game.by_hand and not game.over
    chosen: int | None = st.session_state.get(_CHOSEN) if choosing else None
    pending = [chosen] if chosen else [game.suggested] if not game.by_hand and not game.over else []

    def picked(x: float, y: float) -> None:
        st.session_state[_CHOSEN] = game.nearest(np.array([x, y]), COLUMNS)

    Place(MAP, picked=picked if choosing else None).draw(noisy_map(game, pending))
    if choosing:
        _choose(game, chosen)


def _ended() -> list[int]:
    """Return how many games this visitor has won, lost and drawn."""
    found: list[int] = st.session_state.setdefault(_ENDED, [0, 0, 0])
    return found


def _choose(game: Game, chosen: int | None) -> None:
    icon, key = ":material/science:", f"test-{game.done}"
    if chosen and st.button(f"Test row {chosen}", type="primary", icon=icon, key=key):
        with faults_said():
            game.choose(chosen)
            if game.over:
                _ended()[(0, 2, 1)[1 - game.lead]] += 1
            st.session_state.pop(_CHOSEN, None)
            st.rerun()
    with st.expander("Without pointing"), st.form(f"place-{game.done}", border=False):
        typed = {}
        for place, name in zip(st.columns(2), game.package.frame.names, strict=False):
            key = mine(f"place/{game.done}/{name}")
            typed[name] = name, place.text_input(f"{name} of about", key=key, max_chars=30)
        if st.form_submit_button("Choose the nearest row"):
            with faults_said():
                about = numbers_typed(typed)
                st.session_state[_CHOSEN] = game.nearest(np.array(list(about.values())), COLUMNS)
                st.rerun()


def _answer(game: Game) -> None:
    row = game.suggested
    found, told = game.curator.find(row), game.held.sample
    cells = game.held.table.iloc[found.record]
    seen = ", ".join(f"{name} {cells[name]:,.4g}" for name in game.held.frame.names)
    note(f"They ask for row {row}. Your ledger says: {told.one} {found.record + 1:,}, {seen}.")
    with st.container(horizontal=True):
        if st.button("Answer", type="primary", icon=":material/send:", key=f"rehearse-answer-{game.done}"):
            game.answer()
            st.rerun()
        if st.button("Answer the rest", key=f"rehearse-rest-{game.done}"):
            while not game.over:
                game.answer()
            st.rerun()
