"""Headlines, tiles, titles and guarantees as HTML, each shown in a place that is changed without a gap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.numbers import in_100
from pages.ui.text import to_html, to_plain, verbatim
from privbo_core.privacy import Guarantee, Status, Strength, least_error, strength

Kind = Literal[
    "refuted", "proven", "caution", "claimed", "holder", "covered", "simulated", "agrees", "nearly", "differs", "open"
]
BADGES: dict[Kind, str] = {
    "refuted": "Refuted",
    "proven": "Proven",
    "caution": "Assumption not met",
    "claimed": "Claimed by the paper",
    "holder": "data holder only",
    "covered": "covered by the guarantee",
    "simulated": "simulated",
    "agrees": "Reproduces",
    "nearly": "Nearly",
    "differs": "Does not reproduce",
    "open": "Inconclusive",
}
"""The badges that say who may see a number, how far a guarantee can be relied on, and whether a number reproduces."""


class Place:
    """Room for one piece of HTML, which may be changed several times in a run.

    `st.empty` would take away what an earlier run has put there at once, and everything below would jump.
    """

    def __init__(self, key: str | None = None) -> None:
        self._container: DeltaGenerator = st.container(gap=None, key=key)
        self._shown: DeltaGenerator | None = None

    def html(self, body: str) -> None:
        """Replace the present HTML."""
        if self._shown is None:
            self._shown = self._container.html(body)
        else:
            self._shown.html(body)


def badge(kind: Kind, text: str = "") -> str:
    """Return a badge."""
    return f'<span class="pb-badge pb-{kind}">{to_html(text or BADGES[kind])}</span>'


def headline(title: str, lead: str, kind: Kind | None = None, words: str = "", *, old: bool = False) -> str:
    """Return the finding of a page and the sentences below it, which begin with a badge.

    ``words`` replace the badge's own. ``old`` dims what belongs to an earlier setting.
    """
    mark = f"{badge(kind, words)} " if kind else ""
    dim = " pb-old" if old else ""
    return f'<h1 class="pb-headline{dim}">{to_html(title)}</h1><p class="pb-lead{dim}">{mark}{to_html(lead)}</p>'


def display(title: str, lead: str) -> str:
    """Return the title of the app's first page, and the sentences below it."""
    return f'<h1 class="pb-display">{to_html(title)}</h1><p class="pb-lead">{to_html(lead)}</p>'


def story(system: str, heading: str, text: str) -> str:
    """Return a story: the system that it is about, its heading, and who is protected from whom."""
    return (
        f'<p class="pb-eyebrow">{to_html(system)}</p><h2 class="pb-title">{to_html(heading)}</h2>'
        f'<p class="pb-text">{to_html(text)}</p>'
    )


@dataclass(frozen=True)
class Tile:
    """A number with its name above and a remark below. ``kind`` is a badge behind the remark."""

    name: str
    value: str
    remark: str = ""
    kind: Kind | None = None
    old: bool = False


def tiles(shown: Sequence[Tile]) -> str:
    """Return tiles side by side."""
    return f'<div class="pb-tiles">{"".join(map(_tile, shown))}</div>'


def facts(*shown: Tile) -> str:
    """Return numbers side by side without frames. A value that begins with a word is smaller, to fit into one line."""
    return f'<div class="pb-facts">{"".join(map(_fact, shown))}</div>'


def _fact(tile: Tile) -> str:
    words = " pb-words" if tile.value[:1].isalpha() else ""
    dim = " pb-old" if tile.old else ""
    return (
        f'<div><div class="pb-value{words}{dim}">{to_html(tile.value)}</div>'
        f'<div class="pb-remark{dim}">{to_html(tile.remark)}</div></div>'
    )


def _tile(tile: Tile) -> str:
    mark = f" {badge(tile.kind)}" if tile.kind else ""
    dim = " pb-old" if tile.old else ""
    return (
        f'<div class="pb-tile"><div class="pb-name">{to_html(tile.name)}</div>'
        f'<div class="pb-value{dim}">{to_html(tile.value)}</div>'
        f'<div class="pb-remark">{to_html(tile.remark)}{mark}</div></div>'
    )


def title(text: str, note: str = "", kind: Kind | None = None, *, old: bool = False) -> str:
    """Return the title of a figure, which states the finding, and a note below it."""
    mark = f" {badge(kind)}" if kind else ""
    dim = " pb-old" if old else ""
    return f'<h3 class="pb-title{dim}">{to_html(text)}{mark}</h3><p class="pb-note">{to_html(note)}</p>'


KINDS: dict[Status, Kind] = {
    Status.PROVED: "proven",
    Status.UNMET: "caution",
    Status.CLAIMED: "claimed",
    Status.REFUTED: "refuted",
}


def status_kind(guarantee: Guarantee) -> Kind:
    """Return the kind of a guarantee's badge."""
    return KINDS[guarantee.status]


def note(text: str) -> None:
    """Show a remark in small letters."""
    st.html(remark(text))


def remark(text: str) -> str:
    """Return a remark in small letters."""
    return f'<p class="pb-note pb-foot">{to_html(text)}</p>'


def progress(done: int, total: int, text: str) -> str:
    """Return how much of something is finished, as a bar and in words."""
    return (
        f'<div class="pb-progress"><progress value="{done}" max="{total}" aria-label="Progress"></progress>'
        f"<span>{to_html(text)}</span></div>"
    )


def status_badge(guarantee: Guarantee) -> str:
    """Return the badge of a guarantee."""
    return badge(status_kind(guarantee), status_words(guarantee))


def status_words(guarantee: Guarantee) -> str:
    """Return the words of a guarantee's badge. A proof names how many assumptions it rests on."""
    count = len(guarantee.conditions)
    numbers = "(1)" if count == 1 else f"(1)–({count})"
    if guarantee.status is Status.PROVED and count:
        return f"Proven under assumption{'s' if count > 1 else ''} {numbers}"
    if guarantee.status is Status.UNMET:
        unmet = [f"({number})" for number, each in enumerate(guarantee.conditions, 1) if each.unmet]
        return f"Assumption {' and '.join(unmet) or '(1)'} not met"
    return BADGES[status_kind(guarantee)]


def privacy_words(guarantee: Guarantee) -> str:
    """Return the words of a badge beside a finding on something else, which say that it is about privacy."""
    if guarantee.status is Status.REFUTED:
        return "Privacy claim refuted"
    words = status_words(guarantee)
    return f"Privacy: {words[0].lower()}{words[1:]}"


def guarantee_card(guarantee: Guarantee, sentence: str, level: str, link: str = "") -> str:
    """Return the card of a guarantee: its badge, a sentence, the level in numbers, and its assumptions on request.

    ``link`` is HTML that the kit has made, such as the way to the attack.
    """
    tone = "pb-is-refuted" if guarantee.status is Status.REFUTED else ""
    tone = "pb-is-caution" if guarantee.status is Status.UNMET else tone
    conditions = "".join(f"<li>{to_html(verbatim(text))}</li>" for text in guarantee.in_full)
    claim = guarantee.status in (Status.REFUTED, Status.CLAIMED)
    rows = (
        ("Claims to protect" if claim else "Protects", guarantee.protects),
        ("From", guarantee.against),
        ("Unit of privacy", guarantee.neighbours),
        ("Source of the claim" if claim else "Source", guarantee.source),
    )
    terms = "".join(f"<dt>{to_html(name)}</dt><dd>{to_html(verbatim(text))}</dd>" for name, text in rows if text)
    scope = "".join(f"<li>{to_html(verbatim(text))}</li>" for text in guarantee.assumptions)
    rest = f"<dl>{terms}</dl>"
    rest += f"<h4>Assumptions</h4><ol>{conditions}</ol>" if conditions else ""
    rest += f"<h4>Scope</h4><ul>{scope}</ul>" if scope else ""
    numbers = f'<p class="pb-note">{to_html(level)}</p>' if level else ""
    return (
        f'<section class="pb-guarantee {tone}">{status_badge(guarantee)}<p>{to_html(sentence)} {link}</p>{numbers}'
        f"<details><summary>The whole guarantee</summary>{rest}</details></section>"
    )


def level_sentence(guarantee: Guarantee, delta_text: str) -> str:
    """Return (ε, δ), μ and the attack accuracy in words.

    Nothing follows from a claim that is refuted. A guarantee with an unmet assumption gets no word for its strength.
    """
    if guarantee.status is Status.REFUTED:
        return ""
    mu = f", or μ = {guarantee.mu:.3g} in Gaussian differential privacy" if guarantee.mu is not None else ""
    epsilon = guarantee.epsilon
    shown = f"{epsilon:,.0f}" if 1000 <= epsilon < math.inf else f"{epsilon:.3g}"
    numbers = f"ε = {shown} and δ = {delta_text}{mu}."
    if guarantee.status is Status.UNMET:
        return numbers
    found = strength(guarantee)
    attacker = "If the claim holds, the" if guarantee.status is Status.CLAIMED else "The"
    limited = " So large a δ allows no stronger word." if found.limited_by_delta else ""
    return (
        f"{numbers} {attacker} best attacker is right {in_100(found.accuracy)} times in 100, and guessing gets 50. "
        f"That is {protection(found)}.{limited}{beside_the_pair(guarantee)}"
    )


def beside_the_pair(guarantee: Guarantee) -> str:
    """Return a sentence on what ε and δ alone would allow, if the exact privacy loss allows less."""
    alone = in_100(accuracy_of_the_pair(guarantee))
    if guarantee.curve is None or alone == in_100(guarantee.attack_accuracy):
        return ""
    return f" This number follows from the exact distribution of the privacy loss. ε and δ alone would allow {alone}."


def accuracy_of_the_pair(guarantee: Guarantee) -> float:
    """Return how often an attacker can be right if nothing but ε and δ is known of a mechanism, from 0.5 to 1."""
    if not (guarantee.epsilon < math.inf and guarantee.delta < 1.0):
        return 1.0
    return 1.0 - least_error(0.5, guarantee.epsilon, guarantee.delta)


def protection(found: Strength) -> str:
    """Return the strength of a protection in words, such as "strong protection" or "no protection"."""
    return f"{'no' if found.level == 0 else found.word} protection"


@dataclass(frozen=True)
class Cell:
    """A cell of a table that is a badge, a heading over all columns, or both."""

    text: str
    kind: Kind | None = None
    wide: bool = False


def table(head: Sequence[str], rows: Sequence[Sequence[str | Cell]]) -> None:
    """Show a table of texts and badges."""
    st.html(table_html(head, rows))


def table_html(head: Sequence[str], rows: Sequence[Sequence[str | Cell]]) -> str:
    """Return a table of texts and badges. A row with a wide cell has no other cell."""
    top = "".join(f"<th>{to_html(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(_cell(cell, len(head)) for cell in row)}</tr>" for row in rows)
    return f'<table class="pb-table"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _cell(cell: str | Cell, columns: int) -> str:
    if isinstance(cell, str):
        return f"<td>{to_html(cell)}</td>"
    body = badge(cell.kind, cell.text) if cell.kind else to_html(cell.text)
    return f'<th colspan="{columns}">{body}</th>' if cell.wide else f"<td>{body}</td>"


def bullets(sentences: Sequence[str]) -> None:
    """Show sentences as a list."""
    st.html(f'<ul class="pb-list">{"".join(f"<li>{to_html(sentence)}</li>" for sentence in sentences)}</ul>')


def grouped_table(groups: Sequence[tuple[str, int]], head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of numbers whose columns are in named groups, each with so many columns.

    It belongs in a `Place`, where it can be changed without a gap.
    """
    top = "".join(f'<th colspan="{wide}" scope="colgroup">{to_html(name)}</th>' for name, wide in groups)
    names = "".join(f'<th scope="col">{to_html(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{to_html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<table class="pb-table pb-grouped"><thead><tr>{top}</tr><tr>{names}</tr></thead><tbody>{body}</tbody></table>'
    )


def axis_name(name: str, unit: str) -> str:
    """Return the title of an axis. A name from a visitor's table can hold no markup."""
    return to_html(verbatim(f"{name} ({unit})" if unit else name))


def link(label: str, address: str) -> str:
    """Return a link to another page of the app, which is opened in the same session."""
    return f'<a class="pb-link" href="{address}" target="_self">{to_html(label)}</a>'


def plain(text: str) -> str:
    """Return a text for the name of a widget."""
    return to_plain(text)
