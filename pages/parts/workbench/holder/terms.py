"""What the holder sets before the first release: ε, δ, how many tests are planned, and how outcomes are answered."""

from dataclasses import replace

import streamlit as st

from pages.parts.bring.framing import numbers_typed
from pages.parts.controls.live_sliders import Slider
from pages.parts.frame.address import choose
from pages.parts.show.sheet import START
from pages.parts.show.show import note
from pages.parts.system import usual
from pages.parts.values.text import unmarked
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import mine
from privbo_core.data.columns import decimal_mark
from privbo_core.outsourced.parties.terms import Private

KEY = "workbench"
SLIDERS = [
    Slider("epsilon", "ε", *usual.EPSILONS, START, "more private", "more useful",
           "How much the release may tell about one record.", step=0.01, log=True, present=True),
    Slider("delta", "δ", 1e-12, 0.1, usual.DELTA, "more private", "more useful",
           "The probability with which the promise may fail altogether. Should be well below 1/n.", step=0.01, log=True),
    Slider("T", "tests planned", 10, 200, usual.STEPS, "fewer", "more",
           "For the simulated searches alone: as many outcomes as you mean to answer.", whole=True),
]  # fmt: skip
EXACT, PRIVATE, LAPLACE = "exact", "private", "laplace"
KINDS = {EXACT: "exact", PRIVATE: "private", LAPLACE: "private, without δ"}
PARTS = {
    "low": ("from", "The least value that an outcome can have. What is below counts as this."),
    "high": ("to", "The greatest value that an outcome can have. What is above counts as this."),
    "hide": ("hide ±", "So much of an outcome stays hidden; the noise is made for it."),
    "epsilon": ("ε of an answer", "How much one answer may tell about that record’s outcome."),
}  # fmt: skip
WIDE = "A range wider than what is hidden costs nothing: noise follows the smaller. Beyond an end, outcomes cannot be told apart."


def pick_terms(held: Held, delta: float) -> Private | None:
    """Ask how outcomes will be answered: None for exactly. Raises DataError for terms that cannot be."""
    kind = choose(st.segmented_control, "Answers", list(KINDS), key="answers", required=True, persist_state="session",
                  format_func=KINDS.__getitem__,
                  help="Exact answers tell the whole outcome. Private ones are clipped to a range and carry noise: Gaussian, or "
                  "without δ Laplace noise, which is less at the same ε and tells its attacker more.")  # fmt: skip
    if kind == EXACT:
        return None
    proposed = held.told.answers
    texts = {}
    for place, (part, (label, meaning)), before in zip(
        (*st.columns(2), *st.columns(2)), PARTS.items(), proposed, strict=True
    ):
        texts[part] = place.text_input(label, before, key=mine(f"{held.identity}/{part}"), help=meaning, max_chars=30,
                                       persist_state="session")  # fmt: skip
    note(WIDE)
    known_from = st.text_input("range known from", key=mine(f"{held.identity}/known_from"), max_chars=300, persist_state="session",
                               help="From where range and hidden change were known before anyone looked at the outcomes: "
                               "what the instrument can measure, a scale’s ends. Empty: the promise is conditional.")  # fmt: skip
    asked = {part: (f"“{PARTS[part][0]}” of private answers", text) for part, text in texts.items()}
    usually = Private(
        **numbers_typed(asked, decimal_mark(held.table)),
        delta=delta,
        known_from=unmarked(known_from.strip()),
        noise="gaussian",
    )
    if kind == PRIVATE:
        return usually
    private = replace(usually, delta=0.0, noise="laplace")
    note(less_noise(usually, private, held.outcome.unit))
    return private


def less_noise(usually: Private, private: Private, unit: str) -> str:
    """Return what Laplace noise changes, at the same ε: how much noise, and what the best attacker can do."""
    unit = f" {unit}" if unit else ""
    return (
        f"Noise of ± {private.sigma:.3g}{unit} instead of ± {usually.sigma:.3g}{unit} at this ε. It is less noise, not more protection: the best "
        f"attacker is right {100 * private.mechanism.guessed:.0f} times in 100 instead of {100 * usually.mechanism.guessed:.0f}."
    )
