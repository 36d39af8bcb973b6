"""The same card for every guarantee."""

import math

from pages.parts.values.numbers import scientific
from pages.parts.values.text import struck, toned
from pages.parts.values.views import Card
from privbo_core.privacy import Guarantee, Status, worst_case_belief


def guarantee_card(
    guarantee: Guarantee,
    secret: str = "that a record is the real one",
    conditions: str = "Leaves out",
    given: str = "",
) -> Card:
    """Return a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …"). ``conditions``: what to call the assumptions. ``given`` says in
    a few words what a proof takes for granted. A refuted guarantee is crossed out and says where to see that; put the
    link to the Audit page below it.
    """
    if math.isinf(guarantee.epsilon):
        text = f"With these settings nothing is promised about {guarantee.protects}."
        return Card(None, "No guarantee: ε = ∞", (), text)
    belief = worst_case_belief(0.5, guarantee.epsilon)
    allowed = f"at most {100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"
    promise = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}."
    someone = f"omeone who was 50 % sure {secret}"
    aside = " (up to δ)" if guarantee.delta else ""
    if guarantee.status is Status.REFUTED:
        level = (
            f"{struck(promise)} If it held, s{someone} could become {allowed} sure. It does not hold: "
            "they can become certain."
        )
    elif guarantee.status is Status.CLAIMED:
        level = f"{promise} If it holds, s{someone} can become {allowed} sure{aside}."
    else:
        level = f"{promise} S{someone} can become {allowed} sure{aside}."
    status = {
        Status.REFUTED: toned("refuted", "✗ refuted: see Audit"),
        Status.CLAIMED: guarantee.status.value,
        Status.PROVED: guarantee.status.value + (f", {given}" if given else ""),
    }[guarantee.status]
    rows = (
        ("Protects", guarantee.protects),
        ("Against", guarantee.against),
        ("Neighbours", guarantee.neighbours),
        ("Level", level),
        (conditions, " ".join(_sentence(assumption) for assumption in guarantee.assumptions)),
        ("Source", guarantee.source),
    )
    return Card(guarantee.status, f"Guarantee: {status}", rows)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
