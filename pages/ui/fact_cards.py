"""Cards of a decision: the strength of the protection, the protected difference, and the cost."""

from dataclasses import dataclass

from pages.ui.cards import badge, status_kind
from pages.ui.text import to_html
from privbo_core.privacy import Guarantee, Status

WORD_COUNTS = ("no", "one", "two", "three", "four", "five", "six")
LEVELS = 5


@dataclass(frozen=True)
class Fact:
    """A card: its name, a value, and a sentence.

    ``level`` draws so many of five dots behind the value, and ``guesses`` colours so many of 100 dots below it.
    """

    name: str
    value: str
    text: str
    level: int | None = None
    guesses: int | None = None
    old: bool = False


def fact_card(fact: Fact) -> str:
    """Return a card."""
    dim = " pb-old" if fact.old else ""
    level = guesses = ""
    if fact.level is not None:
        level = f'<span class="pb-dots" aria-hidden="true">{_dots(fact.level, LEVELS)}</span>'
    if fact.guesses is not None:
        guesses = f'<div class="pb-guesses" aria-hidden="true">{_dots(fact.guesses, 100)}</div>'
    return (
        f'<section class="pb-fact"><div class="pb-name">{to_html(fact.name)}</div>'
        f'<div class="pb-strong{dim}">{to_html(fact.value)}{level}</div>{guesses}'
        f'<p class="pb-note{dim}">{to_html(fact.text)}</p></section>'
    )


def _dots(filled: int, total: int) -> str:
    return "<i></i>" * filled + '<i class="pb-empty"></i>' * (total - filled)


def assumptions_card(guarantee: Guarantee, link: str = "", note: str = "") -> str:
    """Return the badge of a guarantee, with a ``note``, and its assumptions on request.

    ``link`` is HTML that the kit has made.
    """
    kind = status_kind(guarantee)
    number = len(guarantee.conditions)
    word = WORD_COUNTS[number] if number < len(WORD_COUNTS) else str(number)
    if guarantee.status is Status.PROVED:
        text = f"if {word} assumption{' holds' if number == 1 else 's hold'}."
    else:
        unmet = [str(place) for place, each in enumerate(guarantee.conditions, 1) if each.unmet]
        text = f"Number {' and '.join(unmet)} of {word}."
    text = f"{text} {note}".strip()
    items = "".join(f"<li>{to_html(each.in_full)}</li>" for each in guarantee.conditions)
    tone = " pb-is-caution" if guarantee.status is Status.UNMET else ""
    return (
        f'<section class="pb-fact pb-proof{tone}"><div>{badge(kind)} {to_html(text)}</div>'
        f"<details><summary>See them</summary><ol>{items}</ol>{link}</details></section>"
    )
