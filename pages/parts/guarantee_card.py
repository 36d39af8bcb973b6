"""The same card for every guarantee."""

from html import escape

from pages.parts.look import scientific
from privbo_core.privacy import Guarantee, worst_case_belief


def guarantee_card(guarantee: Guarantee) -> str:
    """Return the HTML of a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case."""
    belief = worst_case_belief(0.5, guarantee.epsilon)
    outcome = f"becomes at most {100 * belief:.1f} % sure" if belief < 0.999 else "may become more than 99.9 % sure"
    rows = {
        "Protects": escape(guarantee.protects),
        "Against": escape(guarantee.against),
        "Neighbours": escape(guarantee.neighbours),
        "Level": f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}. If it holds, someone who was 50 % sure that a "
        f"record is the real one {outcome} (up to δ).",
        "Leaves out": " ".join(escape(assumption) for assumption in guarantee.assumptions),
    }
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return (
        f'<div class="pb-card"><h3>Guarantee: {guarantee.status.value}</h3>'
        f"<dl>{items}<dt>Source</dt><dd>{escape(guarantee.source)}</dd></dl></div>"
    )
