"""The same card for every guarantee."""

from html import escape

from pages.parts.look import scientific
from privbo_core.privacy import Guarantee, Status, worst_case_belief


def guarantee_card(guarantee: Guarantee, given: str = "") -> str:
    """Return the HTML of a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``given`` says in a few words what a proof takes for granted. A refuted guarantee is crossed out and says where to
    see that; put the link to the Audit page below it.
    """
    belief = worst_case_belief(0.5, guarantee.epsilon)
    at_most = f"{100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"
    promise = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}."
    if guarantee.status is Status.REFUTED:
        level = (
            f'<s class="pb-refuted">{promise}</s> If it held, someone who was 50 % sure that a record is the real one would become at '
            f"most {at_most} sure. It does not hold: they can become certain."
        )
    else:
        condition = "If it holds, someone" if guarantee.status is Status.CLAIMED else "Someone"
        level = f"{promise} {condition} who was 50 % sure that a record is the real one becomes at most {at_most} sure (up to δ)."
    status = {
        Status.REFUTED: '<span class="pb-refuted">✗ refuted: see Audit</span>',
        Status.CLAIMED: guarantee.status.value,
        Status.PROVED: guarantee.status.value + (f", {escape(given)}" if given else ""),
    }[guarantee.status]
    rows = {
        "Protects": escape(guarantee.protects),
        "Against": escape(guarantee.against),
        "Neighbours": escape(guarantee.neighbours),
        "Level": level,
        "Leaves out": " ".join(escape(assumption) for assumption in guarantee.assumptions),
    }
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return (
        f'<div class="pb-card pb-is-{guarantee.status.name.lower()}"><h3>Guarantee: {status}</h3>'
        f"<dl>{items}<dt>Source</dt><dd>{escape(guarantee.source)}</dd></dl></div>"
    )
