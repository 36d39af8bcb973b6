"""The same card for every guarantee."""

import math
from html import escape

from pages.parts.look import scientific
from privbo_core.privacy import Guarantee, worst_case_belief


def guarantee_card(guarantee: Guarantee, secret: str = "that a record is the real one") -> str:
    """Return the HTML of a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …").
    """
    if math.isinf(guarantee.epsilon):
        return (
            '<div class="pb-card"><h3>No guarantee: ε = ∞</h3>With these settings nothing is promised about '
            f"{escape(guarantee.protects)}.</div>"
        )
    belief = worst_case_belief(0.5, guarantee.epsilon)
    at_most = f"{100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"
    rows = {
        "Protects": escape(guarantee.protects),
        "Against": escape(guarantee.against),
        "Neighbours": escape(guarantee.neighbours),
        "Level": f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}. If it holds, someone who was 50 % sure "
        f"{escape(secret)} becomes at most {at_most} sure (up to δ).",
        "Leaves out": " ".join(escape(assumption) for assumption in guarantee.assumptions),
    }
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return (
        f'<div class="pb-card"><h3>Guarantee: {guarantee.status.value}</h3>'
        f"<dl>{items}<dt>Source</dt><dd>{escape(guarantee.source)}</dd></dl></div>"
    )
