"""The same card for every guarantee."""

import math

from pages.parts.values.numbers import epsilon_text, scientific
from pages.parts.values.text import struck, toned
from pages.parts.values.views import Card
from privbo_core.privacy import Guarantee, Status, worst_case_belief

HEADINGS = {
    Status.REFUTED: toned("refuted", "✗ refuted: see Audit"),
    Status.CLAIMED: Status.CLAIMED.value,
    Status.CONDITIONAL: "conditional, for something was read off the data",
    Status.PROVED: Status.PROVED.value,
}
"""How the heading says how far a guarantee can be relied on."""
OF_DATA = ("Neighbours", "As it is", "Condition")
"""The rows that may tell something of the data."""


def guarantee_card(
    guarantee: Guarantee,
    secret: str = "that a record is the real one",
    conditions: str = "Leaves out",
    becomes: float | None = None,
) -> Card:
    """Return a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …"). ``conditions``: what to call the assumptions. ``becomes``: what
    the ε of a conditional guarantee can be in truth, where that is known. A refuted guarantee is crossed out and says
    where to see that; put the link to the Audit page below it.
    """
    if math.isinf(guarantee.epsilon):
        text = f"With these settings nothing is promised about {guarantee.protects}."
        return Card(None, "No guarantee: ε = ∞", (), text)
    condition, others = "", list(guarantee.assumptions)
    if guarantee.status is Status.CONDITIONAL:
        condition = others.pop(0)
    truly = f"ε can become {epsilon_text(becomes)} or more, and they {_allowed(becomes)} sure." if becomes else ""
    rows = (
        ("Protects", guarantee.protects),
        ("Against", guarantee.against),
        ("Neighbours", guarantee.neighbours),
        ("Level", _level(guarantee, secret)),
        ("As it is", truly),
        ("Condition", condition),
        (conditions, " ".join(map(_sentence, others))),
        ("Source", guarantee.source),
    )
    said = tuple(row for row in rows if row[1])
    return Card(guarantee.status, f"Guarantee: {HEADINGS[guarantee.status]}", said, of_data=OF_DATA)


def _level(guarantee: Guarantee, secret: str) -> str:
    """Return (ε, δ) and how far a belief can move, as surely as that is known."""
    allowed = _allowed(guarantee.epsilon)
    promise = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}."
    someone = f"omeone who was 50 % sure {secret}"
    aside = " (up to δ)" if guarantee.delta else ""
    match guarantee.status:
        case Status.REFUTED:
            return (
                f"{struck(promise)} If it held, s{someone} could become {allowed} sure. It does not hold: "
                "they can become certain."
            )
        case Status.CONDITIONAL:
            return (
                f"{promise} If what was read off the data were public, s{someone} could become {allowed} sure{aside}."
            )
        case Status.CLAIMED:
            return f"{promise} If it holds, s{someone} can become {allowed} sure{aside}."
        case Status.PROVED:
            return f"{promise} S{someone} can become {allowed} sure{aside}."


def _allowed(epsilon: float) -> str:
    belief = worst_case_belief(0.5, epsilon)
    return f"at most {100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
