"""A scene: a view that somebody keeps to come back to, with a note, and what it showed when it was kept.

All text is plain. It may have come from anybody, so whoever shows it writes it as text.
"""

import re
from dataclasses import dataclass, field, replace

from pages.parts.values.text import unmarked

MOST_SCENES, MOST_SETTINGS, MOST_SHOTS, MOST_ROWS = 60, 60, 12, 40
LONGEST_TITLE, LONGEST_NOTE, LONGEST_SETTING, LONGEST_TEXT = 300, 2000, 400, 1000
NOT_SETTINGS = ("scenes", "present", "embed", "embed_options")
"""What an address may hold that is no setting of its page."""
_UNSEEN = re.compile(
    r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


@dataclass(frozen=True)
class Shot:
    """A figure as it was: its slot, its finding, and what is drawn, as Plotly reads it; or the rows of a table."""

    slot: str
    title: str
    audience: str
    note: str = ""
    stamp: str = ""
    alt: str = ""
    picture: str = ""
    height: int = 300
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """What a page showed: figures, what is promised line by line, facts to take away, the data's title, when.

    ``slot``: of the main figure. ``complete``: the page had finished.
    """

    shots: tuple[Shot, ...]
    promises: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    data: str = ""
    when: str = ""
    slot: str = ""
    complete: bool = False

    def shot(self, slot: str) -> Shot | None:
        """Return the figure in a slot; otherwise the main one, otherwise the first, if there is any."""
        known = {shot.slot: shot for shot in self.shots}
        return known.get(slot) or known.get(self.slot) or next(iter(self.shots), None)


@dataclass(frozen=True)
class Scene:
    """A page as its address names it, its settings, the title and the note, and which figure it is about.

    ``own``: it is of somebody's own data, which no address holds. ``title`` is empty where it is the figure's own.
    """

    id: str
    page: str
    settings: dict[str, str] = field(default_factory=dict)
    title: str = ""
    note: str = ""
    slot: str = ""
    own: bool = False
    snapshot: Snapshot | None = None

    def heading(self) -> str:
        """Return the title that was given, otherwise what the figure says."""
        shot = self.snapshot.shot(self.slot) if self.snapshot else None
        return self.title or (shot.title if shot else "")

    def figure(self) -> str:
        """Return the slot of the figure that the scene is about; empty if that is not known yet."""
        return self.slot or (self.snapshot.slot if self.snapshot else "")

    def bare(self) -> "Scene":
        """Return the scene without what was on the screen; of one's own data, without a word of it."""
        return replace(self, snapshot=None)


def clean(value: object, longest: int) -> str:
    """Return what somebody sent as text: nothing that could be a mark or a control character, and not too long."""
    return _UNSEEN.sub("", unmarked(value))[:longest].strip() if isinstance(value, str) else ""


def settings_of(asked: dict[str, str]) -> dict[str, str]:
    """Return the settings in an address."""
    return {name: value for name, value in asked.items() if name not in NOT_SETTINGS}
