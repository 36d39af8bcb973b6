"""Scenes: views that somebody keeps, with a note and what they showed; and the list of a session's.

All text is plain. It may have come from anybody, so whoever shows it writes it as text.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import streamlit as st

from pages.parts.shell import address
from pages.parts.shell.session import OWN, at_stake
from pages.parts.views import views
from pages.parts.views.picture import LIGHT
from pages.parts.views.text import as_plain, unmarked
from pages.parts.views.views import Card, Figure, Record, Table

MOST = {"scenes": 60, "settings": 60, "shots": 12, "rows": 40}
LONGEST = {"name": 40, "slot": 80, "stamp": 100, "title": 300, "setting": 400, "text": 1000, "note": 2000}
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


def clean(value: object, longest: int) -> str:
    """Return what somebody sent as text: nothing that could be a mark or a control character, and not too long."""
    return _UNSEEN.sub("", unmarked(value))[:longest].strip() if isinstance(value, str) else ""


SAID = ("Strength", "Level")  # The rows of a guarantee that are told wherever a figure goes.


def snapshot(shown: Record, now: datetime, *, complete: bool) -> Snapshot | None:
    """Return what a run has put on the screen, in the colours of paper; None if it has drawn no figure yet."""
    shots = tuple(_shot(figure) for figure in list(shown.figures.values())[: MOST["shots"]])
    if not shots:
        return None
    brief = shown.brief
    promises = brief.promise if brief and brief.promise else [_promise(card) for card in shown.cards]
    facts = [(fact.about, f"{fact.text}. {fact.remark}") for fact in brief.facts] if brief else []
    drawn = next((shot.slot for shot in shots if shot.picture), shots[0].slot)
    main = next((slot for slot, figure in shown.figures.items() if figure.main), drawn)
    if brief:  # a Simple page answers its question, and shows one picture
        main = shots[0].slot
        shots = (replace(shots[0], title=clean(as_plain(brief.answer), LONGEST["title"])), *shots[1:])
    return Snapshot(
        shots,
        tuple(_plain(line) for line in promises),
        tuple((_plain(about), _plain(text)) for about, text in facts),
        _plain(shown.data),
        f"{now:%d %B %Y}",
        main,
        complete,
    )


def _shot(figure: Figure) -> Shot:
    finding, picture = figure.finding, figure.picture
    return Shot(
        clean(figure.slot, 80),
        clean(as_plain(finding.title), LONGEST["title"]),
        finding.audience,
        _plain(finding.note),
        _plain(finding.stamp),
        _plain(figure.alt),
        picture.as_json(LIGHT) if picture else "",
        int(picture.layout["height"]) if picture else 300,
        _rows(figure.table) if figure.table else (),
    )


def _rows(table: Table) -> tuple[tuple[str, ...], ...]:
    rows = [
        tuple(_plain(cell.text) for cell in row.cells for _ in range(cell.wide)) for row in (*table.head, *table.body)
    ]
    wide = max((len(row) for row in rows), default=0)
    return tuple(row + ("",) * (wide - len(row)) for row in rows[: MOST["rows"]])


def _promise(card: Card) -> str:
    said = [text if name == "Level" else f"{name}: {text}" for name, text in card.rows if name in SAID]
    return ". ".join(part.strip(". ") for part in (card.heading, card.text, *said) if part) + "."


def _plain(text: str) -> str:
    return clean(as_plain(text), LONGEST["text"])


KEY, ANSWERED, NOW, SHOWING = (f"scenes/{name}" for name in ("all", "answered", "now", "showing"))
OWN_SHOTS, OWN_SECRETS = f"{OWN}scenes/shots", f"{OWN}scenes/secrets"
BROUGHT = f"{OWN}table"


@at_stake
def _pictures() -> str:
    return "the scenes that you kept of it" if st.session_state.get(OWN_SHOTS) else ""


def scenes() -> list[Scene]:
    """Return the scenes, each with what was drawn of it if that is still known."""
    kept: list[Scene] = st.session_state.get(KEY, [])
    own: dict[str, Snapshot] = st.session_state.get(OWN_SHOTS, {})
    return [replace(scene, snapshot=own.get(scene.id)) if scene.own else scene for scene in kept]


def scene(which: str) -> Scene | None:
    return next((each for each in scenes() if each.id == which), None)


def put(wanted: Sequence[Scene]) -> None:
    """Make these the session's scenes. What was drawn of somebody's own data goes under its own name."""
    own = {each.id: each.snapshot for each in wanted if each.own and each.snapshot}
    st.session_state[KEY] = [replace(each, snapshot=None) if each.own else each for each in wanted[: MOST["scenes"]]]
    if own or OWN_SHOTS in st.session_state:
        st.session_state[OWN_SHOTS] = own


def keep() -> None:
    """Keep the view that is on the screen as a scene, after all others."""
    seen = views.last()
    own = seen.own or (not seen.data and BROUGHT in st.session_state)
    taken = snapshot(seen, datetime.now().astimezone(), complete=False)
    settings = {name: value for name, value in st.query_params.to_dict().items() if name not in NOT_SETTINGS}
    new = Scene(secrets.token_hex(4), address.page(), settings, own=own, snapshot=taken)
    if len(kept := scenes()) < MOST["scenes"]:
        if own:
            st.session_state.setdefault(OWN_SECRETS, {})[new.id] = dict(seen.secrets)
        put([*kept, new])
        st.session_state[NOW] = new.id


def look_again() -> None:
    """After a page has drawn all of it: take its picture, if it is a scene that has none of the finished page yet."""
    found = scene(st.session_state.get(NOW, ""))
    if not found or (found.snapshot and found.snapshot.complete):
        return
    # The address has the settings of the scene still; it may have more by now.
    if found.page == address.page() and found.settings.items() <= st.query_params.to_dict().items():
        taken = snapshot(views.last(), datetime.now().astimezone(), complete=True)
        put([replace(each, snapshot=taken) if each.id == found.id else each for each in scenes()])


def act(said: object) -> str:
    """Do what the list says that somebody did there; return the scene to go to, if that was asked for."""
    answered, go = int(st.session_state.get(ANSWERED, 0)), ""
    acts = said.get("acts") if isinstance(said, Mapping) else None
    for each in acts if isinstance(acts, list) else ():
        number = each.get("number") if isinstance(each, Mapping) else None
        if isinstance(number, int) and answered < number < 2**53:
            answered = number
            go = _do(each) or go
    st.session_state[ANSWERED] = answered
    return go


def _do(said: Mapping[str, object]) -> str:
    kept = scenes()
    place = next((place for place, each in enumerate(kept) if each.id == said.get("id")), None)
    if place is None:
        return ""
    each = kept[place]
    match said.get("kind"):
        case "move":
            to = said.get("to")
            if isinstance(to, int) and not isinstance(to, bool):
                kept.insert(min(max(to, 0), len(kept) - 1), kept.pop(place))
        case "title":
            title = clean(said.get("text"), LONGEST["title"])
            kept[place] = replace(each, title="" if title == replace(each, title="").heading() else title)
        case "note":
            kept[place] = replace(each, note=clean(said.get("text"), LONGEST["note"]))
        case "slot":
            kept[place] = replace(each, slot=clean(said.get("text"), 80))
        case "remove":
            kept.pop(place)
        case "go":
            return each.id
    put(kept)
    return ""
