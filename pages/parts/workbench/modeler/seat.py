"""The seat of who chooses what to test: a search, the noisy map, the next question, what came out."""

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk
from pages.parts.outsourced.maps import Cells, Queried, map_picture
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.shell.session import at_stake, own_file, read_once
from pages.parts.table.framing import number_typed
from pages.parts.views.card import HOLDER, guarantee_card
from pages.parts.views.drawing import Place, download, heading, note, show
from pages.parts.views.picture import NON_PRIVATE, PAPER, TEXT, Picture
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown, unmarked
from pages.parts.views.views import Brief, Figure, current
from pages.parts.workbench import seats
from pages.parts.workbench.modeler import words
from pages.parts.workbench.seats import faults_said, forget_fault, keep_fault, mine, offer_seat, say_kept, show_steps
from privbo_core.data import FrameColumn
from privbo_core.errors import Array, DataError
from privbo_core.files import holds
from privbo_core.outsourced.parties.exchange import read_answers, write_questions
from privbo_core.outsourced.parties.modeler import Modeler

_SEARCH, _READ, _WAITING = (mine(f"search{part}") for part in ("", " read", " waiting"))
_PLACE = "search"
LONGEST_NAME = 60
MOST_MB = 200  # MB of a file: a release of a million rows.
FEW, MOST_LEARNED, MOST_WORK = 60, 25_000_000, 1e10
"""So many outcomes can always be learned from. Of more: rows times outcomes, 8 bytes of memory each; and rows times
outcomes squared, which take time."""


@dataclass
class Search:
    """A modeler with the release and all that it was told. ``times`` counts what has changed, so that forms are new."""

    modeler: Modeler
    name: str
    times: int = 0
    _file: bytes = b""

    def changed(self) -> None:
        self.times += 1
        self._file = b""

    @property
    def file(self) -> bytes:
        self._file = self._file or self.modeler.to_bytes()
        return self._file


def open_search() -> Search | None:
    state = st.session_state
    label, said = "The ZIP you were sent, or a search you saved", "It stays in this session’s memory"
    look = {"help": f"{said}: not written to disk, not shared.", "on_change": forget_fault}
    file = own_file(label, ["zip"], "search file", max_upload_size=MOST_MB, **look)
    name = unmarked(file.name[:LONGEST_NAME]) if file is not None else ""
    found, fault = read_once(file, _READ, lambda file: Search(opened(file.getvalue()), name))
    if found or fault:
        state.pop(_WAITING, None)
    if found:
        state[_WAITING if _begun(now()) else _SEARCH] = found
    if fault:
        keep_fault(_PLACE, f"{name}: {fault}")
    say_kept(_PLACE)
    if _WAITING in state:
        st.warning("Another search is open here. Download it first if you want to keep it.")
        label = f"Open {as_markdown(state[_WAITING].name)} in its place"
        st.button(label, on_click=_open, icon=":material/swap_horiz:")
    return now()


def opened(content: bytes) -> Modeler:
    """Return the modeler of a release, or of a search that was saved. Raises DataError for any other file."""
    return not_too_long(Modeler.load(content) if holds(content, "search.json") else Modeler.open(content))


def not_too_long(modeler: Modeler, more: int = 0) -> Modeler:
    """Raises DataError if it cannot be learned from on a page, after so many ``more`` outcomes."""
    rows, told = modeler.package.rows, len(modeler.outcomes) + len(modeler.pending) + more
    if told > FEW and (told * rows > MOST_LEARNED or told**2 * rows > MOST_WORK):
        raise DataError(
            f"{told:,} outcomes and open questions among {rows:,} rows are too many for a page that others use too. "
            "The same search goes on in a terminal: python -m privbo_core.workbench."
        )
    return modeler


def now() -> Search | None:
    search: Search | None = st.session_state.get(_SEARCH)
    return search


@at_stake
def _searched() -> str:
    waiting: Search | None = st.session_state.get(_WAITING)
    return "the search that you began" if _begun(now()) or _begun(waiting) else ""


def _open() -> None:
    forget_fault()
    st.session_state[_SEARCH] = st.session_state.pop(_WAITING)


def _begun(search: Search | None) -> bool:
    return search is not None and bool(search.modeler.outcomes or search.modeler.pending)


COLOURED = {"expected": "expected outcome", "uncertain": "uncertainty"}
MOST_DRAWN = 2000  # Dots that are drawn.


def dots(picture: Picture, x: Array, y: Array) -> None:
    drawn = np.random.default_rng(0).permutation(len(x))[:MOST_DRAWN]
    picture.marks(x[drawn], y[drawn], "rows", color=NON_PRIVATE.faded(0.25), size=5)


def stars(picture: Picture, x: Array, y: Array, name: str) -> None:
    if len(x):
        picture.marks(x, y, name, name, symbol="star", size=18, color=PAPER, line={"color": TEXT, "width": 2})


def axis(column: FrameColumn) -> str:
    return f"{column.name} ({column.unit})" if column.unit else column.name


MOST_ROWS = 20
HOW = "Several at once are chosen to differ: each is reckoned as if those before it had been told already."


def show_asking(search: Search) -> None:
    heading("Ask")
    modeler = search.modeler
    stop = modeler.advice.enough
    if stop and not simple():
        st.success(as_markdown(f"You may stop. {modeler.advice.sentence}"), icon=":material/flag:")
    elif modeler.outcomes and not simple():
        note(modeler.advice.sentence)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input(
            "Rows at once", 1, MOST_ROWS, 1, key=mine("ask count"), help=HOW, width=130, persist_state="session"
        )
        label = "Ask for more" if modeler.pending else "Ask"
        kind: Literal["secondary", "primary"] = "secondary" if modeler.pending or stop else "primary"
        icon, key = ":material/help:", f"ask-{search.times}"
        if st.button(label, type=kind, icon=icon, on_click=forget_fault, key=key):
            with faults_said():
                modeler.ask(int(count))
                search.changed()
                st.rerun()
    if not modeler.pending:
        return
    asked = [modeler.suggestion(row) for row in modeler.pending]
    if len({each.why for each in asked}) == 1 and not modeler.outcomes:  # nothing is known that tells them apart
        note(f"Row{'s' if len(asked) > 1 else ''} {', '.join(str(each.row) for each in asked)}. {asked[0].why}")
    else:
        show(words.suggestions(asked, modeler.package, plain=simple()))
    if len(modeler.pending) > 1 and modeler.outcomes and not simple():
        note(HOW)
    data, look = write_questions(modeler.pending, modeler.package.name), {"type": "primary", "key": "get-questions"}
    download("Download the questions, to be sent", data, "questions.csv", "download", **look)


TYPED = 8  # Open questions whose answers are typed on the page; for more there is a file.
TELLING = "telling"  # Where it is said what of a file could not be told.
MANY, HIGH = 8, 320  # So many tests are shown at once; more scroll in so many pixels.


def show_telling(search: Search) -> None:
    heading("Tell")
    modeler, times = search.modeler, search.times
    with st.form(f"tell-{times}", border=False):
        outcome, rows = as_markdown(str(modeler.package.outcome)), modeler.pending[:TYPED]
        labels, offer = {row: f"{outcome} of row {row}" for row in rows}, "The file of answers you were sent"
        typed, file = seats.ask_outcomes("told", times, labels, len(modeler.pending), offer, 2 if len(rows) > 1 else 1)
        if st.form_submit_button("Tell the model", type="primary", icon=":material/check:", on_click=forget_fault):
            with faults_said():
                in_file = read_answers(file.getvalue(), modeler.package.name) if file is not None else {}
                missing = "Nothing came out yet; type an outcome, or bring a file of answers."
                _tell(search, seats.outcomes_of(typed, in_file, missing))
    if modeler.pending:
        with st.expander("A row that cannot be tested"):
            row = st.selectbox("Row", modeler.pending, key=mine(f"skipped/{times}"))
            _mend(search, "Skip it", "block", "skip", lambda: modeler.skip(row))


def show_told(search: Search) -> None:
    modeler = search.modeler
    if not modeler.outcomes:
        return
    with st.container(height=HIGH if len(modeler.outcomes) > MANY else "content", border=False):
        show(words.told_table(modeler))
    with st.expander("Correct an entry, or take it back"):
        row = st.selectbox("Row", list(modeler.outcomes), key=mine(f"mended/{search.times}"))
        what = f"the outcome of row {row}"
        text = st.text_input("What came out in truth", key=mine(f"mend/{search.times}"), max_chars=40)
        with st.container(horizontal=True):
            _mend(search, "Correct it", "edit", "correct", lambda: modeler.correct(row, number_typed(what, text)))
            _mend(search, "Take it back", "undo", "untell", lambda: modeler.untell(row))


def _mend(search: Search, label: str, icon: str, key: str, mend: Callable[[], object]) -> None:
    """Show a button that mends something of the search."""
    if st.button(label, icon=f":material/{icon}:", on_click=forget_fault, key=f"{key}-{search.times}"):
        with faults_said():
            mend()
            search.changed()
            st.rerun()


def _tell(search: Search, outcomes: Mapping[int, float]) -> None:
    not_too_long(search.modeler, len(set(outcomes).difference(search.modeler.outcomes, search.modeler.pending)))
    faults, done = [], 0
    for row, outcome in outcomes.items():
        if search.modeler.outcomes.get(row) == outcome:  # a file of answers holds the earlier ones too
            continue
        try:
            search.modeler.tell(row, outcome)
            done += 1
        except DataError as fault:
            faults.append(str(fault))
    said = " ".join(faults[:3])
    if not done:
        raise DataError(said or "All of that was told already.")
    search.changed()
    if said:
        keep_fault(TELLING, said)
    st.rerun()


SLOT = "noisy-map"


def show_modeler() -> None:
    desk = Desk(words.QUESTION)
    with desk.left:
        search = open_search()
    if search is None:
        with desk.first:
            show_steps(words.STEPS, 0)
            empty = Brief("Open the ZIP that the data holder sent you.", (), (), "share")
            st.html(render("brief.html", brief=empty))
            note(words.NEEDED)
            note("Nobody sent you one?")
            with st.container(horizontal=True):
                offer_seat("rehearsal", "Take the rehearsal", ":material/sports_esports:")
                offer_seat("holder", "Release a sample yourself", ":material/outbox:")
        return
    modeler, package = search.modeler, search.modeler.package
    with desk.left:
        name = "-".join(re.findall(r"\w+", search.name.removesuffix(".zip").lower())) or "search"
        file = f"{name.removesuffix('-search')}-search.zip"
        download("Download the search, to be kept", search.file, file, "save", key="get-search", help=words.STATE)
        note(words.STATE)
        take_away(About(seats.PAGE, f"{package.outcome.name}: a release of {package.rows:,} rows", own=True))
    with desk.first:
        show_steps(words.STEPS, 2 if modeler.pending else 1)
        if simple():
            shown = words.brief(modeler)
            current().brief = shown
            st.html(render("brief.html", brief=shown))
            st.html(render("facts.html", brief=shown))
        else:
            show(words.tiles(modeler))
        say_kept(TELLING)
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            _show_map(search)
            show_told(search)
        with right:
            show_asking(search)
            if modeler.pending:
                show_telling(search)
            if not simple() and modeler.outcomes:
                heading("Learned from what was told")
                show(words.learned_table(modeler))
    with desk.right, st.expander("What the release promises those who are in it") if simple() else nullcontext():
        show(guarantee_card(package.guarantee, conditions="Rests on", line=package.line, word=HOLDER))


def _show_map(search: Search) -> None:
    modeler, package = search.modeler, search.modeler.package
    place, noisy, frame = Place(SLOT), package.values, package.frame
    shown, columns = "expected", [0, min(1, frame.d - 1)]
    if not simple():
        look: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
        shown = choose(st.segmented_control, "The map shows", COLOURED, key="workbench_map", **look)
        if frame.d > 2:
            for at, (column, name) in enumerate(zip(st.columns(2), ("across", "up"), strict=True)):
                named = column.selectbox(name, frame.names, at, key=mine(name), persist_state="session")
                columns[at] = frame.names.index(named) if named in frame.names else at  # it may be of another release
    found = modeler.map()
    values, meaning = (found.mean, package.outcome.name) if shown == "expected" else (found.deviation, "s.d.")
    right, high = axis(frame.columns[columns[0]]), axis(frame.columns[columns[1]]) if frame.d > 1 else ""
    x, y = noisy[:, columns[0]], noisy[:, columns[1]] if frame.d > 1 else np.zeros(len(noisy))
    if np.isfinite(values).all():
        cells, asked = Cells(np.column_stack([x, y])), Queried([row - 1 for row in modeler.outcomes], None, 0)
        picture = map_picture(cells, cells.reduce(values), asked, meaning, (right, high))
    else:  # nothing is known yet
        picture = Picture(height=400)
        dots(picture, x, y)
        picture.axis("xaxis", right)
        picture.axis("yaxis", high)
    open_ones = np.array(modeler.pending, dtype=int) - 1  # rows count from 1
    stars(picture, x[open_ones], y[open_ones], "asked")
    by = f"The noisy rows by {right} and {high}, coloured by {COLOURED[shown]}"
    alt = f"{by}; tested rows numbered, rows asked for starred."
    place.draw(Figure(SLOT, words.titled(modeler), picture, alt))
