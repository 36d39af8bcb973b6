"""An order that was signed, on its way to the workbench in this session; and how its outcomes will be answered.

Gone with all that it holds of its visitor's.
"""

from collections.abc import Container, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.shell.address import choose
from pages.parts.shell.session import OWN, at_stake
from pages.parts.table.framing import numbers_typed
from pages.parts.views.content import Sample
from pages.parts.views.drawing import note
from pages.parts.views.text import epsilon_text, unmarked
from privbo_core.decision import Decision
from privbo_core.errors import DataError
from privbo_core.outsourced.answers import Private

EXACT, PRIVATE, LAPLACE = "exact", "private", "laplace"
KINDS = {EXACT: "exact", PRIVATE: "private", LAPLACE: "private, without δ"}
PARTS = {
    "low": ("from", "The least value that an outcome can have. What is below counts as this."),
    "high": ("to", "The greatest value that an outcome can have. What is above counts as this."),
    "hide": ("hide ±", "So much of an outcome stays hidden; the noise is made for it."),
    "epsilon": ("ε of an answer", "How much one answer may tell about that record’s outcome."),
}
WIDE = (
    "A range wider than what is hidden costs nothing: noise follows the smaller. Beyond an end, outcomes cannot be "
    "told apart."
)
_ORDER, _WAITS = f"{OWN}order", f"{OWN}order waits"


def hand_over(decision: Decision) -> None:
    st.session_state[_ORDER] = decision
    st.session_state[_WAITS] = True


def order() -> Decision | None:
    kept: Decision | None = st.session_state.get(_ORDER)
    return kept


def waits() -> bool:
    """Return whether it has not been taken yet: its settings are not those of the workbench."""
    return bool(st.session_state.get(_WAITS, False))


def tests_agreed() -> int | None:
    """Return how many tests the order in use is for, with the random ones at the start."""
    now = order()
    return None if now is None or waits() else now.first + now.tests


def taken() -> None:
    st.session_state[_WAITS] = False


def made_of_others(names: Sequence[str], columns: Container[str], numbers: Container[str]) -> list[str]:
    """Return those of an order's columns that Data made of a file's: of a number, a date or a category."""
    sources = {name: name.removeprefix("log10 ").partition(" = ")[0] for name in names}
    return [name for name in names if name not in numbers and sources[name] in columns]


def not_released(
    made: Sequence[str], then: str = "On Data, choose other inputs, or leave the logarithm out; then sign."
) -> str:
    shown = " and ".join(map(repr, made[:3])) + (f" and {len(made) - 3} more" if len(made) > 3 else "")
    return (
        f"The Workbench releases numbers as they stand in the file; those of {shown} are made here: of a date or of "
        f"words, or as a logarithm. {then}"
    )


def drop() -> None:
    st.session_state.pop(_ORDER, None)
    st.session_state.pop(_WAITS, None)


class NothingTypedError(DataError):
    """Private answers whose range is still to be typed: nothing is wrong yet."""


def pick_answers(identity: str, told: Sample, unit: str, delta: float, mark: str) -> Private | None:
    """None for exactly; raises DataError for terms that cannot be. What is typed on one page stands on the other."""
    kind = choose(
        st.segmented_control,
        "Answers",
        KINDS,
        key="answers",
        required=True,
        persist_state="session",
        help="Exact answers tell the whole outcome. Private ones are clipped to a range and carry noise: Gaussian, or "
        "without δ Laplace noise, which is less at the same ε and tells its attacker more.",
    )
    if kind == EXACT:
        return None
    texts, columns = {}, (*st.columns(2), *st.columns(2))
    for place, (part, (label, meaning)), before in zip(columns, PARTS.items(), told.answers, strict=True):
        key = _term(identity, part)
        st.session_state.setdefault(key, before)
        texts[part] = place.text_input(label, key=key, help=meaning, max_chars=30, persist_state="session")
    note(WIDE)
    known_from = st.text_input(
        "range known from",
        key=_term(identity, "known_from"),
        max_chars=300,
        persist_state="session",
        help="From where range and hidden change were known before anyone looked at the outcomes: "
        "what the instrument can measure, a scale’s ends. Empty: the promise is conditional.",
    )
    if not any(texts[part].strip() for part in ("low", "high", "hide")):
        raise NothingTypedError("Say from where to where private answers go, and what change they hide.")
    asked = {part: (f"“{PARTS[part][0]}” of private answers", text) for part, text in texts.items()}
    said = unmarked(known_from.strip())
    usually = Private(**numbers_typed(asked, mark), delta=delta, known_from=said, noise="gaussian")
    if kind == PRIVATE:
        return usually
    private = replace(usually, delta=0.0, noise="laplace")
    note(less_noise(usually, private, unit))
    return private


def answered_how(private: Private | None, name: str) -> str:
    if private is None:
        return f"Whoever asks for a row learns its {name} in full."
    return (
        f"Answers are private: {name} is moved into {private.low:,.10g} to {private.high:,.10g}, and noise hides ± "
        f"{private.hide:,.10g} (ε = {epsilon_text(private.epsilon)}). Each record is answered once; asked again, the "
        "answer is repeated."
    )


def answer_as(identity: str, private: Private | None, mark: str) -> None:
    st.session_state["answers"] = EXACT if private is None else LAPLACE if private.noise == "laplace" else PRIVATE
    if private is not None:
        for part in PARTS:
            text = repr(float(getattr(private, part))).removesuffix(".0").replace(".", mark)
            st.session_state[_term(identity, part)] = text
        st.session_state[_term(identity, "known_from")] = private.known_from


def _term(identity: str, part: str) -> str:
    return f"{OWN}answers/{identity}/{part}"


def less_noise(usually: Private, private: Private, unit: str) -> str:
    unit = f" {unit}" if unit else ""
    noise = f"Noise of ± {private.sigma:.3g}{unit} instead of ± {usually.sigma:.3g}{unit} at this ε."
    times = f"{100 * private.mechanism.guessed:.0f} times in 100 instead of {100 * usually.mechanism.guessed:.0f}"
    return f"{noise} It is less noise, not more protection: the best attacker is right {times}."


@at_stake
def _in_use() -> str:
    return "the order in use" if order() else ""
