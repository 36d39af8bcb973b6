"""The same card for every guarantee."""

import math
from html import escape

from pages.parts.frame.record import keep_card
from pages.parts.show.look import scientific
from privbo_core.privacy import Guarantee, Status, worst_case_belief


def guarantee_card(
    guarantee: Guarantee,
    secret: str = "that a record is the real one",
    conditions: str = "Leaves out",
    given: str = "",
) -> str:
    """Return the HTML of a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …"). ``conditions``: what to call the assumptions. ``given`` says in
    a few words what a proof takes for granted. A refuted guarantee is crossed out and says where to see that; put the
    link to the Audit page below it.
    """
    html = _card(guarantee, secret, conditions, given)
    keep_card(html)
    return html


def _card(guarantee: Guarantee, secret: str, conditions: str, given: str) -> str:
    if math.isinf(guarantee.epsilon):
        return (
            '<div class="pb-card"><h3>No guarantee: ε = ∞</h3>With these settings nothing is promised about '
            f"{escape(guarantee.protects)}.</div>"
        )
    belief = worst_case_belief(0.5, guarantee.epsilon)
    allowed = f"at most {100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"
    promise = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}."
    someone = f"omeone who was 50 % sure {escape(secret)}"
    aside = " (up to δ)" if guarantee.delta else ""
    if guarantee.status is Status.REFUTED:
        level = (
            f'<s class="pb-refuted">{promise}</s> If it held, s{someone} could become {allowed} sure. It does not hold: '
            "they can become certain."
        )
    elif guarantee.status is Status.CLAIMED:
        level = f"{promise} If it holds, s{someone} can become {allowed} sure{aside}."
    else:
        level = f"{promise} S{someone} can become {allowed} sure{aside}."
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
        conditions: " ".join(_sentence(escape(assumption)) for assumption in guarantee.assumptions),
    }
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return (
        f'<div class="pb-card pb-is-{guarantee.status.name.lower()}"><h3>Guarantee: {status}</h3>'
        f"<dl>{items}<dt>Source</dt><dd>{escape(guarantee.source)}</dd></dl></div>"
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
