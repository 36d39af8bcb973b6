"""What is asked for a decision: candidates, limit, least protection, which ε, who decides."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import streamlit as st

from pages.parts.shell import address
from pages.parts.shell.depth import simple
from pages.parts.shell.session import OWN
from pages.parts.table.framing import ask_sure, number_typed
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import chosen
from pages.parts.views.text import as_markdown, unmarked
from privbo_core.data import Problem, frame_from
from privbo_core.decision import EPSILONS, LEAST, Decision, Person, Resolution, read_candidates
from privbo_core.decision.order import LONGEST
from privbo_core.errors import DataError
from privbo_core.privacy import Strength
from privbo_core.privacy.guarantee import WORDS

Signed = Decision | Resolution
"""What is signed: an order where somebody else's program carries it out, else a decision as such."""
Rests = tuple[str, str]
"""The limit and the least protection that a recommendation rests on, as they stand in their fields."""
RECOMMENDED = "recommended"
_SUBJECT, _PEOPLE, _DAY, _NOTES = (f"{OWN}decision/{part}" for part in ("subject", "people", "day", "notes"))
_UNIT = chosen("decision/unit")
_CANDIDATES, _SEEN, _READ = "candidates", "candidates/visit", "candidates/read"
SHOWN, _TURN = f"{OWN}decision/shown", f"{OWN}decision/turn"
PICKED = "decide_about", "data", "task", "agents", "decide_published", "decide_way", "decide_whose"
"""The widgets by which somebody picks what is decided about."""
LONGEST_LIST = 80
LOWEST = 2
"""The lowest level of protection that can be asked for: weak. What hardly protects anyone is never recommended."""


@dataclass(frozen=True)
class Who:
    """``accepted``: a frame that was read off; ``unsure``: what is still to be said."""

    people: tuple[Person, ...]
    day: str
    subject: str
    notes: str
    accepted: bool
    unsure: str = ""


@dataclass(frozen=True)
class Limit:
    """What it may cost at most, None where nobody said; ``public``: by costs that everybody may know."""

    value: float | None = None
    public: bool = False


def ask_candidates(low: float, high: float) -> tuple[float, ...]:
    """Where what is typed cannot be read, they stay as they were, and so does what was decided between them."""
    state = st.session_state
    if state.get(_SEEN) != address.visit():
        state[_SEEN] = address.visit()
        if _CANDIDATES in st.query_params:
            state[_CANDIDATES] = unmarked(st.query_params[_CANDIDATES])[:LONGEST_LIST]
        elif address.bare():
            state[_CANDIDATES] = _listed(EPSILONS)
    if not simple():
        st.text_input(
            "Candidates of ε",
            _listed(EPSILONS) if _CANDIDATES not in state else None,
            key=_CANDIDATES,
            max_chars=LONGEST_LIST,
            persist_state="session",
            help=f"Between {low:g} and {high:g}: 0.5, 1, 2 or 0,5; 1; 2.",
        )
    text = state.get(_CANDIDATES, _listed(EPSILONS))
    try:
        found = read_candidates(text, low, high)
    except DataError as fault:
        before = tuple(each for each in state.get(_READ, EPSILONS) if low <= each <= high) or EPSILONS
        st.error(as_markdown(f"{fault} Until then they are {_listed(before)}."), icon=":material/error:")
        return before
    state[_READ] = found
    if found != EPSILONS:
        st.query_params[_CANDIDATES] = _listed(found)
    elif _CANDIDATES in st.query_params:
        del st.query_params[_CANDIDATES]
    return found


def ask_unit(problem: Problem) -> str:
    if not asks_unit(problem):
        return ""
    label = f"Unit of {as_markdown(problem.output.removeprefix('log '))}"
    return _clean(st.text_input(label, key=_UNIT, max_chars=30, persist_state="session"))


def asks_unit(problem: Problem) -> bool:
    return problem.identity is None and not (problem.preparation and problem.preparation.output_unit)


def turn() -> tuple[int, bool]:
    """Return 0 or 1, in turns: another one whenever the page is about something else than what stands there; if so."""
    state = st.session_state
    anew = state.get(SHOWN, about()) != about()
    state[_TURN] = (state.get(_TURN, 0) + anew) % 2
    return state[_TURN], anew


def about() -> tuple[str, ...]:
    state, mine = st.session_state, own_table()
    columns = sorted(str(key) for key in state if str(key).startswith(chosen("federated")))
    return (mine.name, mine.identity, *(str(state.get(key)) for key in (*PICKED, *columns)))


def limit_key(subject: str) -> str:
    """Return where the limit that somebody types stands: nothing of it goes into the address."""
    return f"{OWN}chosen/decision/limit/{subject}"


def ask_limit(subject: str, unit: str, mark: str) -> Limit:
    """Return the limit; with ``mark`` behind it, it is one of costs that everybody may know."""
    unit = f"the unit {unit}" if unit.startswith("of ") else unit
    beside = f" With “{mark}” behind it, by what everybody may know instead." if mark else ""
    said = st.text_input(
        f"It may cost at most, in {as_markdown(unit)}",
        key=limit_key(subject),
        max_chars=30,
        persist_state="session",
        placeholder="a default, in the picture",
        help="By so much may what comes out be worse than without privacy, on average, by the costs on these data."
        f"{beside} Empty: only what everybody may know recommends. Dragging its line in the picture, or pointing at a "
        "height, sets it, too.",
    ).strip()
    if not said:
        return Limit()
    public = bool(mark) and said.endswith(mark)
    try:
        value = number_typed("The limit", said.removesuffix(mark) if public else said, own_table().decimal)
        if not 0 < value < 1e100:
            raise DataError(f"The limit is {value:g}; it must be a number above 0.")
    except DataError as fault:
        st.error(as_markdown(f"{fault} Until then only what everybody may know recommends."), icon=":material/error:")
        return Limit()
    return Limit(value, public)


def rests_on(subject: str) -> Rests:
    return st.session_state.get(limit_key(subject), "").strip(), st.session_state.get("protects", "")


def set_line(
    subject: str,
    candidates: Sequence[float],
    protects: Callable[[float], Strength],
    x: float,
    height: float,
    mark: str = "",
) -> None:
    """Take a height as the limit, an ε as what protects just enough, as the picture's line at it says.

    ``mark``: what says that the picture's costs are such as everybody may know.
    Left of all candidates it is the strongest protection there is; right of them, what the last one protects.
    """
    if height > 0:
        st.session_state[limit_key(subject)] = f"{height:.2g} {mark}".strip()
    if math.isfinite(x):
        level = protects(min(x, candidates[-1])).level if x >= candidates[0] else len(WORDS) - 1
        st.session_state["protects"] = WORDS[max(level, LOWEST)]


def ask(subject: str, unit: str, candidates: Sequence[float], mark: str) -> tuple[Limit, int, str]:
    columns = st.columns(3)
    with columns[0]:
        limit = ask_limit(subject, unit, mark)
    word = address.choose(
        columns[1].selectbox,
        "It must protect at least",
        WORDS[LOWEST:],
        key="protects",
        default=WORDS[LEAST],
        persist_state="session",
        format_func=str.capitalize,
        help="An ε that protects less is not recommended, however little it costs. Moderate: the best attacker is "
        "right at most 75 times in 100, where a coin is right 50 times; and who was 50 % sure becomes at most 90 % "
        "sure.",
    )
    decided = address.choose(
        columns[2].selectbox,
        "Decide for",
        [RECOMMENDED, *(f"{epsilon:g}" for epsilon in candidates)],
        key="decided",
        persist_state="session",
        format_func=lambda each: "ε as recommended" if each == RECOMMENDED else f"ε = {each}",
    )
    return limit, WORDS.index(word), decided


def ask_who(system: str, confirm: Callable[[], tuple[bool, str]]) -> Who:
    """Each ``system`` is decided about by people of its own."""
    lines = st.text_area(
        "Who decides: name, role",
        key=f"{_PEOPLE}/{system}",
        max_chars=600,
        height=80,
        placeholder="A. Example, head of the ward\nB. Example, data protection officer",
        help="One person a line, six at most.",
        persist_state="session",
    )
    kept: dict[str, Any] = {"persist_state": "session"}
    with st.expander("Title, day, notes"):
        most = LONGEST["subject"], LONGEST["notes"]
        subject = st.text_input("The data, in words for others", key=f"{_SUBJECT}/{system}", max_chars=most[0], **kept)
        said = "Year, month, day, as in 2026-03-31."
        day = st.text_input("On", date.today().isoformat(), key=f"{_DAY}/{system}", max_chars=10, help=said, **kept)
        label = "Notes, for everybody who gets the page"
        notes = st.text_area(label, key=f"{_NOTES}/{system}", max_chars=most[1], height=80, **kept)
    with st.container():  # so that what comes below stays in its place
        accepted, unsure = confirm()
    try:
        people = _people(lines)
    except DataError as fault:
        st.error(as_markdown(str(fault)), icon=":material/error:")
        people = ()
    return Who(people, _clean(day), _clean(subject), _clean(notes), accepted, unsure)


def ask_accepted(problem: Problem, unsaid: str, *, known: bool) -> tuple[bool, str]:
    """Return whether the promise is accepted as it is, and what is still unsure or ``unsaid``.

    ``known``: frame and range of answers are said to have been. A sample's frame was checked by us.
    """
    read = frame_from(problem.original, problem.names, problem.units)
    unsure = ask_sure(problem.frame, read) if problem.identity is None else ""
    accepted = not known and st.checkbox(
        "Accept that the promise is conditional",
        key=f"{OWN}chosen/decision/accepted",
        persist_state="session",
        help="Frame, or range of answers, may have been read off the data: ε holds only if it could have been known "
        "without looking.",
    )
    return bool(accepted), unsaid or unsure


def anything_typed() -> bool:
    state = st.session_state  # which also lists, at first, what a widget had that is no longer drawn: not to be read
    return any(state.get(key) for key in state if str(key).startswith((_SUBJECT, _PEOPLE, _NOTES)))


def as_typed(drawn: Signed, system: str, *, unit_asked: bool) -> Signed:
    """Return it with the texts that stand in their fields by now. Raises DataError for texts that cannot be signed."""
    day, subject, notes = (_clean(st.session_state.get(f"{key}/{system}", "")) for key in (_DAY, _SUBJECT, _NOTES))
    people = _people(st.session_state.get(f"{_PEOPLE}/{system}", ""))
    if isinstance(drawn, Resolution):
        return replace(drawn, people=people, day=day, subject=subject, notes=notes)
    outcome = replace(drawn.outcome, unit=_clean(st.session_state.get(_UNIT, ""))) if unit_asked else drawn.outcome
    return replace(drawn, outcome=outcome, people=people, day=day, subject=subject, notes=notes)


def _people(lines: str) -> tuple[Person, ...]:
    split = (line.partition(",") for line in map(str.strip, lines.splitlines()) if line)
    return tuple(Person(_clean(name), _clean(role)) for name, _, role in split)


def _listed(epsilons: Sequence[float]) -> str:
    return ", ".join(f"{epsilon:g}" for epsilon in epsilons)


def _clean(text: str) -> str:
    return unmarked(text.strip())
