"""The decision page as a value.

For whoever holds the data, and for everybody else without anything computed from them.
"""

import math
from dataclasses import dataclass, field

from pages.parts.decision import words
from pages.parts.decision.question import Matter
from pages.parts.views.views import Audience
from privbo_core.decision import LEAST, Decision, Recommendation, Weighing
from privbo_core.diagnostics import Worth

COLUMNS = ("column", "range", "change to hide", "known from")
MEANS = ("ε", "protection", "attacker right", "sure at most")
FEW = 6
"""Columns whose reasons stand on the page in full."""
MOST = 12
"""Columns that stand on the page; the order has all."""
SHORTENED = 90
ON_A_SHEET, LINE, REASON, HEADINGS, INK = 54, 118, 52, 19, 3.1
"""So many lines fit on a sheet of A4 at the usual size; letters in a line of text and of a reason.

Lines of headings, and of the room in which one person signs.
"""


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
    """The page from top to bottom, in text.

    ``costs``: the head and the rows of the table of candidates; the row decided.
    """

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
    warning: str = ""

    @property
    def smaller(self) -> float:
        """By how much letters are smaller in print than usual, 1 for not at all, so that all stands on one sheet of A4.

        Smaller letters make lines lower, and fewer: by the square. The room to sign gets lower alone.
        """
        lines, room = self._lines, INK * len(self.signature.people) if self.signature.digest else 0.0
        return min(1.0, (math.sqrt(room**2 + 4 * lines * ON_A_SHEET) - room) / (2 * lines))

    @property
    def _lines(self) -> float:
        """About how many lines there are at the usual size, without the room to sign."""
        texts = (
            self.warning,
            self.protected,
            self.frame_note,
            self.condition,
            *self.notes,
            self.verdict,
            " ".join(self.reasons),
            self.decided,
            *self.not_protected,
        )
        prose = sum(math.ceil(len(text) / LINE) for text in texts)
        reasons = sum(max(1, math.ceil(len(row[-1]) / REASON)) for row in self.frame)
        signed = sum(math.ceil(len(text) / LINE) for text in self.signature.notes.split("\n"))
        count = len(self.signature.people)
        people = 1 if self.signature.digest else 3 * math.ceil((count + 1) / 3)
        return HEADINGS + prose + reasons + len(self.costs) + signed + people


@dataclass(frozen=True)
class Drawn:
    """What goes into a page of the holder: the searches so far, what they recommend, and which ε is decided.

    ``worth``: whether the table can carry an answer, None as long as that is not known. ``proposed``: nobody set the
    limit. ``least``: the level of protection that is asked for. ``public`` and ``by_frame``: the same searches and
    recommendation in tables made up in the frame alone; ``looked``: ε is not the one that these recommend, so it was
    chosen after looking.
    """

    weighing: Weighing
    worth: Worth | None
    found: Recommendation | None
    proposed: bool
    epsilon: float | None
    least: int = LEAST
    public: Weighing | None = None
    by_frame: Recommendation | None = None
    looked: bool = True

    @property
    def recommended(self) -> float | None:
        """The ε that is recommended from the frame alone, None if none is."""
        return self.by_frame.chosen.epsilon if self.by_frame and self.by_frame.chosen else None


def inside(matter: Matter, drawn: Drawn, signature: Signature) -> Sheet:
    """Return the holder's page: with what was simulated on the data."""
    weighing, worth = drawn.weighing, drawn.worth
    lost = worth is None or worth.something_to_lose  # else there is no cost to be stated
    most = drawn.found.limit if drawn.found else None
    rows = []
    for epsilon in matter.candidates:
        found = matter.protects(epsilon)
        cells = words.cost_cells(weighing.of(epsilon), most) if lost else ()
        rows.append((f"{epsilon:g}", words.strength_text(found), words.right(found), words.sure(found), *cells))
    costs = (f"worse by, {words.unit(matter)}", "best found", f"more {matter.told.tests}") if lost else ()
    chosen = matter.candidates.index(drawn.epsilon) if drawn.epsilon in matter.candidates else None
    return Sheet(
        "inside",
        words.INSIDE if matter.own else words.INSIDE_SAMPLE,
        signature.subject or matter.problem.title,
        words.protected(matter),
        *_frame(matter),
        words.condition(matter, drawn.epsilon, for_all=False, looked=drawn.epsilon is not None and drawn.looked),
        (*MEANS, *costs),
        tuple(rows),
        chosen,
        (*((words.costs_note(matter, weighing),) if lost else ()), *words.meanings(matter, drawn.epsilon)),
        words.verdict(matter, drawn.public, drawn.by_frame, worth),
        (
            *words.on_the_data(matter, weighing, drawn.found, worth),
            *words.reasons(matter, drawn.found, worth, proposed=drawn.proposed, least=drawn.least),
        ),
        words.decided(None, drawn.epsilon, matter, recommended=drawn.recommended),
        words.not_protected(matter, drawn.epsilon, looked=drawn.looked),
        signature,
        warning=words.carries(worth),
    )


def for_all(matter: Matter, decision: Decision, signature: Signature) -> Sheet:
    """Return the page for everybody: frame, ε, what it means, what is not protected, who decided.

    Nothing of the data.
    """
    looked = decision.epsilon_from == "data"
    found = matter.strength(decision.epsilon, for_all=True)
    held = "" if matter.frame.public and not looked else ", if the condition holds"
    row = (f"{decision.epsilon:g}", f"{words.strength_text(found)}{held}", words.right(found), words.sure(found))
    return Sheet(
        "share",
        words.for_everybody(matter, looked=looked),
        decision.subject,
        words.protected(matter),
        *_frame(matter),
        words.condition(matter, decision.epsilon, for_all=True, looked=looked),
        MEANS,
        (row,),
        None,
        (words.meaning(found, decision.delta, conditional=bool(held)),),
        "",
        (),
        words.decided(decision, None, matter),
        words.not_protected(matter, decision.epsilon, looked=looked),
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
