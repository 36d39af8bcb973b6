"""The page of a decision as a value: for whoever holds the data, or for everybody, with nothing computed from them."""

import math
from dataclasses import dataclass

from pages.parts.views.views import Audience

ON_A_SHEET, LINE, REASON, HEADINGS, INK = 54, 118, 52, 19, 3.1
"""So many lines fit on a sheet of A4 at the usual size; letters in a line of text and of a reason.

Lines of headings, and of the room in which one person signs.
"""


@dataclass(frozen=True)
class Signature:
    people: tuple[tuple[str, str], ...] = ()
    day: str = ""
    notes: str = ""
    subject: str = ""
    digest: str = ""
    state: str = "Draft, not signed"


@dataclass(frozen=True)
class Sheet:
    """The page from top to bottom, in text.

    ``condition``: how far the promise holds, if what, and that nobody checked it; then at length.
    ``costs``: the head and the rows of the table of candidates; the row decided.
    """

    audience: Audience
    mark: str
    subject: str
    protected: str
    frame: tuple[tuple[str, ...], ...]
    condition: tuple[str, ...]
    head: tuple[str, ...]
    costs: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    decided: str
    not_protected: tuple[str, ...]
    signature: Signature
    title: str
    columns: tuple[str, ...]
    frame_note: str = ""
    chosen: int | None = None
    verdict: str = ""
    reasons: tuple[str, ...] = ()
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
            " ".join(self.condition),
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
