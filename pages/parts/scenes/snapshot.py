"""What is on the screen now, as a snapshot that slides can be made of later."""

from datetime import datetime

from pages.parts.frame.record import Record
from pages.parts.scenes.scene import LONGEST_TEXT, LONGEST_TITLE, MOST_ROWS, MOST_SHOTS, Shot, Snapshot, clean
from pages.parts.values.palette import LIGHT
from pages.parts.values.text import as_plain
from pages.parts.values.views import Card, Figure, Table

MAIN = ("regret", "federated-regret", "tradeoff", "setting", "compared")
"""The figures that a page is about, where that is not the first picture on it."""
SAID = ("Strength", "Level")
"""The rows of a guarantee that are told wherever a figure goes."""


def snapshot(record: Record, now: datetime, *, complete: bool) -> Snapshot | None:
    """Return what a run has put on the screen, in the colours of paper; None if it has drawn no figure yet."""
    shots = tuple(_shot(figure) for figure in list(record.figures.values())[:MOST_SHOTS])
    if not shots:
        return None
    brief = record.brief
    promises = brief.promise if brief and brief.promise else [_promise(card) for card in record.cards]
    facts = [(fact.about, f"{fact.text}. {fact.remark}") for fact in brief.facts] if brief else []
    drawn = next((shot.slot for shot in shots if shot.picture), shots[0].slot)
    main = next((slot for slot in MAIN if slot in record.figures), drawn)
    if brief:  # a Simple page answers its question, and shows one picture
        main = shots[0].slot
        shots = (_titled(shots[0], brief.answer), *shots[1:])
    return Snapshot(
        shots,
        tuple(_plain(line) for line in promises),
        tuple((_plain(about), _plain(text)) for about, text in facts),
        _plain(record.data),
        f"{now:%d %B %Y}",
        main,
        complete,
    )


def _shot(figure: Figure) -> Shot:
    finding, picture = figure.finding, figure.picture
    return Shot(
        clean(figure.slot, 80),
        clean(as_plain(finding.title), LONGEST_TITLE),
        finding.audience,
        _plain(finding.note),
        _plain(finding.stamp),
        _plain(figure.alt),
        picture.as_json(LIGHT) if picture else "",
        int(picture.layout["height"]) if picture else 300,
        _rows(figure.table) if figure.table else (),
    )


def _titled(shot: Shot, answer: str) -> Shot:
    return Shot(**{**vars(shot), "title": clean(as_plain(answer), LONGEST_TITLE)})


def _rows(table: Table) -> tuple[tuple[str, ...], ...]:
    rows = [
        tuple(_plain(cell.text) for cell in row.cells for _ in range(cell.wide)) for row in (*table.head, *table.body)
    ]
    wide = max((len(row) for row in rows), default=0)
    return tuple(row + ("",) * (wide - len(row)) for row in rows[:MOST_ROWS])


def _promise(card: Card) -> str:
    said = [text if name == "Level" else f"{name}: {text}" for name, text in card.rows if name in SAID]
    return ". ".join(part.strip(". ") for part in (card.heading, card.text, *said) if part) + "."


def _plain(text: str) -> str:
    return clean(as_plain(text), LONGEST_TEXT)
