"""The decision page as a value: for whoever holds the data, and for everybody else without anything computed from them."""

from dataclasses import dataclass, field

from pages.parts.decision import words
from pages.parts.decision.matter import Matter
from pages.parts.values.views import Audience
from privbo_core.decision import Decision, Recommendation, Weighing

COLUMNS = ("column", "range", "change to hide", "known from")
FEW = 6
"""Columns whose reasons stand on the page in full."""
MOST = 12
"""Columns that stand on the page; the order has all."""
SHORTENED = 90


@dataclass(frozen=True)
class Signature:
    """What is typed at the bottom: who, in which role, when, notes, and whether it is signed."""

    people: tuple[tuple[str, str], ...] = ()
    day: str = ""
    notes: str = ""
    subject: str = ""
    digest: str = ""
    state: str = "Draft, not signed"


@dataclass(frozen=True)
class Sheet:
    """The page from top to bottom, in text. ``costs``: the head and the rows of the table of candidates; the row decided."""

    audience: Audience
    mark: str
    subject: str
    protected: str
    frame: tuple[tuple[str, ...], ...]
    frame_note: str
    condition: str
    head: tuple[str, ...]
    costs: tuple[tuple[str, ...], ...]
    chosen: int | None
    notes: tuple[str, ...]
    verdict: str
    reasons: tuple[str, ...]
    decided: str
    not_protected: tuple[str, ...]
    signature: Signature = field(default_factory=Signature)
    title: str = words.TITLE
    columns: tuple[str, ...] = COLUMNS


@dataclass(frozen=True)
class Drawn:
    """What goes into a page of the holder: the searches so far, what they recommend, and which ε is decided."""

    weighing: Weighing
    found: Recommendation | None
    proposed: bool
    epsilon: float | None


def inside(matter: Matter, drawn: Drawn, signature: Signature) -> Sheet:
    """Return the holder's page: with what was simulated on the data."""
    weighing = drawn.weighing
    rows = []
    for epsilon in matter.candidates:
        found = matter.strength(epsilon, for_all=False)
        cells = words.cost_cells(matter, weighing.of(epsilon))
        rows.append((f"{epsilon:g}", words.strength_text(found), words.right(found), words.sure(found), *cells))
    head = (
        "ε", "protection", "attacker right", "sure at worst", f"worse by, {words.unit(matter)}", "best found",
        f"more {matter.told.tests}",
    )  # fmt: skip
    chosen = matter.candidates.index(drawn.epsilon) if drawn.epsilon in matter.candidates else None
    return Sheet(
        "inside",
        words.INSIDE if matter.own else words.INSIDE_SAMPLE,
        signature.subject or matter.problem.title,
        words.protected(matter),
        *_frame(matter),
        words.condition(matter, drawn.epsilon, for_all=False),
        head,
        tuple(rows),
        chosen,
        (words.costs_note(matter, weighing), words.meanings(matter)),
        words.verdict(matter, weighing, drawn.found),
        words.reasons(matter, weighing, drawn.found, proposed=drawn.proposed),
        words.decided(None, drawn.epsilon, matter),
        words.not_protected(matter),
        signature,
    )


def for_all(matter: Matter, decision: Decision, signature: Signature) -> Sheet:
    """Return the page for everybody: frame, ε, what it means, what is not protected, who decided. Nothing of the data."""
    found = matter.strength(decision.epsilon, for_all=True)
    row = (f"{decision.epsilon:g}", words.strength_text(found), words.right(found), words.sure(found))
    held = "" if matter.frame.public else " If the condition above holds:"
    return Sheet(
        "share",
        words.FOR_ALL,
        decision.subject,
        words.protected(matter),
        *_frame(matter),
        words.condition(matter, decision.epsilon, for_all=True),
        ("ε", "protection", "attacker right", "sure at worst"),
        (row,),
        None,
        (f"{held} {words.meaning(matter, found)}".strip(),),
        "",
        (),
        words.decided(decision, None, matter),
        words.not_protected(matter),
        signature,
    )


def _frame(matter: Matter) -> tuple[tuple[tuple[str, ...], ...], str]:
    """Return the frame's rows, and what is left out of them so that the page stays one page."""
    columns = matter.frame.columns
    rows = [words.frame_row(column) for column in columns[:MOST]]
    if len(columns) > FEW:
        rows = [(*row[:-1], _short(row[-1])) for row in rows]
    more = len(columns) - len(rows)
    left_out = f"{more} more column{'s' if more > 1 else ''}: in the order." if more > 0 else ""
    return tuple(rows), left_out


def _short(text: str) -> str:
    return text if len(text) <= SHORTENED else f"{text[: SHORTENED - 1].rstrip()}…"
