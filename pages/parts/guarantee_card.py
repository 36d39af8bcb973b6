"""The same card for every guarantee."""

import math
from html import escape

from pages.parts.look import scientific
from privbo_core.privacy import Guarantee, worst_case_belief


def guarantee_card(
    guarantee: Guarantee, secret: str = "that a record is the real one", conditions: str = "Leaves out"
) -> str:
    """Return the HTML of a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …"). ``conditions``: what to call the assumptions.
    """
    if math.isinf(guarantee.epsilon):
        return (
            '<div class="pb-card"><h3>No guarantee: ε = ∞</h3>With these settings nothing is promised about '
            f"{escape(guarantee.protects)}.</div>"
        )
    belief = worst_case_belief(0.5, guarantee.epsilon)
    becomes = f"becomes at most {100 * belief:.1f} %" if belief < 0.999 else "may become more than 99.9 %"
    rows = {
        "Protects": escape(guarantee.protects),
        "Against": escape(guarantee.against),
        "Neighbours": escape(guarantee.neighbours),
        "Level": f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}. If it holds, someone who was 50 % sure "
        f"{escape(secret)} {becomes} sure (up to δ).",
        conditions: " ".join(_sentence(escape(assumption)) for assumption in guarantee.assumptions),
    }
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return (
        f'<div class="pb-card"><h3>Guarantee: {guarantee.status.value}</h3>'
        f"<dl>{items}<dt>Source</dt><dd>{escape(guarantee.source)}</dd></dl></div>"
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
