"""“Our favourite”: what desk, phones and projector show."""

import math
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st

from pages.parts.classroom.games import favourite_words as words
from pages.parts.classroom.games.game import HEIGHT, Game, above, act, projected
from pages.parts.classroom.phone import Screen
from pages.parts.federated.setup import NOTHING_PROMISED
from pages.parts.live.work import later
from pages.parts.views.content import prose
from pages.parts.views.picture import NOISY, PAPER, REFUTED, TEXT, Picture
from pages.parts.views.text import epsilon_text, strong
from pages.parts.views.views import Audience, Figure, Finding, Tile, View
from privbo_core.classroom import News, Room
from privbo_core.classroom.crowd import (
    CODES,
    HUE,
    HUES,
    LIGHTNESS,
    LIGHTNESSES,
    OWN,
    ROUNDS,
    Ledger,
    most_right,
    planned,
    points,
    spent,
)
from privbo_core.classroom.games.favourite import Course, Favourite, Phase, Question, Seen
from privbo_core.errors import Array
from privbo_core.privacy import release

SIZES = (20, 30, 60, 200)
SIZE, USUAL_SIZE = "favourite/size", 30
NOISES = {"weak": 1.0, "strong": 2.0}
"""Noise multipliers, by the word on the desk. Whether there is noise at all is for the vote, or the button."""
NOISE, USUAL_NOISE = "favourite/noise", "strong"
LEDGERS: WeakKeyDictionary[Room, Ledger] = WeakKeyDictionary()
"""What has been broadcast in each room, also by an experiment that was begun anew. It goes with the room."""


def start() -> Favourite:
    """Return a new experiment; what takes a second to count is counted beside it."""
    later().ask("favourite", partial(count, ()))
    return Favourite()


def count(uses: tuple[float, ...]) -> bool:
    """Count what another run would cost after these broadcasts, so that it is known when it begins."""
    release.noisy([0.0], 1.0, 1.0)  # the first release imports its library
    for z in NOISES.values():
        most_right(planned(z))
        most_right(planned(z, uses))
        spent(planned(z, uses), USUAL_SIZE)
    return True


def desk(room: Room, favourite: Favourite) -> None:
    ledger = LEDGERS.setdefault(room, favourite.ledger)
    if not favourite.ledger.uses:  # an experiment that is begun anew goes on with the room's account
        favourite.ledger = ledger
    seen = favourite.seen()
    if seen.phase in (Phase.OWN, Phase.ROUNDS):
        act(room, "Go on", Favourite.go_on, "skip_next", key="go")
        return
    uses = tuple(favourite.ledger.uses)
    if uses:
        later().ask(("favourite", uses), partial(count, uses))
    _settings()
    if seen.phase is Phase.VOTE:
        act(room, "Begin as voted", partial(_begin, noise=None), "play_arrow", key="begin")
        return
    # First the other way than the last.
    for place, noise in enumerate((False, True) if seen.course is not None and seen.course.z else (True, False)):
        label = "Again, with noise" if noise else "Again, without noise"
        act(room, label, partial(_begin, noise=noise), "replay", key=f"again/{noise}", main=not place)
    act(room, "Vote again", Favourite.vote_again, "how_to_vote", key="vote", main=False)


def _settings() -> None:
    if st.session_state.get(SIZE) not in SIZES:
        st.session_state[SIZE] = USUAL_SIZE
    if st.session_state.get(NOISE) not in NOISES:
        st.session_state[NOISE] = USUAL_NOISE
    size = st.segmented_control("Class filled up to", SIZES, key=SIZE)

    def named(word: str) -> str:
        loss = spent(planned(NOISES[word]), size or USUAL_SIZE)[-1]
        return f"{word} · ε = {epsilon_text(loss)}"

    st.segmented_control("If with noise", list(NOISES), key=NOISE, format_func=named)


def _begin(favourite: Favourite, noise: bool | None) -> News:
    size, word = st.session_state.get(SIZE), st.session_state.get(NOISE)
    z = NOISES[word if word in NOISES else USUAL_NOISE]
    return favourite.begin(size if size in SIZES else USUAL_SIZE, z, noise)


def screen(favourite: Favourite, pupil: int) -> Screen:
    asked = favourite.question(pupil)
    match asked.kind:
        case "vote":
            options = [
                {"value": "noise", "text": "With noise", "note": words.WITH_NOTE},
                {"value": "bare", "text": "Without noise", "note": words.WITHOUT_NOTE},
            ]
            title, text = "Shall the server add noise?", prose("class", "shall there be noise")
            return Screen(asked.key, "choose", title, text, {"options": options}, asked.answer)
        case "rate":
            return _rate(asked)
        case "wait":
            so_far = f"Round {asked.number} of {ROUNDS}." if asked.number else words.UNTIL
            return Screen(asked.key, "tell", "Thank you. Waiting for the others.", so_far)
        case "end" if asked.sure is not None:
            data = {"big": words.how_sure(asked.sure.sure), "lines": words.end_lines(asked.sure)}
            return Screen(asked.key, "tell", "Were you in it?", words.END_TEXT, data)
        case "over":
            return Screen(asked.key, "tell", words.OVER, words.OVER_TEXT)
        case _:
            return Screen(asked.key, "tell", words.LATE, words.LATE_TEXT)


def _rate(asked: Question) -> Screen:
    assert asked.row is not None
    own = asked.key.startswith("own/")
    title = f"{asked.number} of {OWN}: do you like it?" if own else f"Round {asked.number} of {ROUNDS}: and this one?"
    data = {"colour": CODES[asked.row], "scale": list(words.SCALE)}
    return Screen(asked.key, "rate", title, "Nobody in the room sees what you tap." if own else words.ROUND_TEXT, data)


SMALLEST, LARGEST = 0.22, 0.94
"""How large a colour is drawn that is certainly not the favourite, of the largest, and that one of its place."""
RING = 22  # Pixels across the colour that the class is told, as large as it is believed or not.
BLUR = 0.1  # Over what distance of the grid belief is spread where it is drawn.
_near = np.exp(-0.5 * ((points()[:, None] - points()[None]) ** 2).sum(axis=2) / BLUR**2)


def show(favourite: Favourite) -> View:
    seen = favourite.seen()
    bare = seen.course is not None and seen.course.z == 0 and seen.course.done and seen.phase is not Phase.VOTE
    pair = words.both_ways(seen) if seen.phase is Phase.END else None
    stamp = NOTHING_PROMISED if bare and not pair else ""
    finding = Finding(words.title(seen), audience(seen), words.note(seen), stamp)
    return View(tiles(seen), (Figure("favourite", finding, picture(seen), words.alt(seen)),))


def audience(seen: Seen) -> Audience:
    """Return who may see the picture: what is broadcast is released; before that nothing of anybody is in it."""
    course = seen.course
    if seen.phase in (Phase.VOTE, Phase.OWN) or course is None:
        return "known"
    if course.z == 0 or (seen.phase is Phase.END and words.both_ways(seen)):
        return "refuted"
    return "share"


def picture(seen: Seen) -> Picture:
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return votes(seen)
    pair = words.both_ways(seen) if seen.phase is Phase.END else None
    drawn = Picture(height=HEIGHT, margin={"l": 44, "r": 16, "t": 72 if pair else 20, "b": 48})
    if pair is None:
        grid(drawn, course, "", (0.0, 1.0))
        return projected(drawn)
    ways = ("without noise", REFUTED, "", (0.0, 0.485)), ("with noise", NOISY, "2", (0.515, 1.0))
    for one, (head, colour, axis, place) in zip(pair, ways, strict=True):
        grid(drawn, one, axis, place)
        most = words.at_most(one.right)
        said = f"by this run, guesses are right in at most {most}" if one.z else "nothing is promised"
        text = f"{strong(f'{head}: {words.colour_name(one.named[-1])}')}\n{said}"
        above(drawn, sum(place) / 2, text, colour, xanchor="center")
    return projected(drawn)


def grid(drawn: Picture, course: Course, axis: str, place: tuple[float, float]) -> None:
    """Draw all colours, the likelier the favourite the larger, and what the class was told round by round."""
    bare = {"showgrid": False, "showticklabels": False}
    across = {"range": [-0.8, HUES - 0.2], **bare, "domain": list(place), "anchor": f"y{axis}"}
    up = {"range": [-0.9, LIGHTNESSES - 0.1], **bare, "anchor": f"x{axis}"}
    drawn.axis(f"xaxis{axis}", "colour, around the circle", **across)
    drawn.axis(f"yaxis{axis}", "" if axis else "dark → light", **up)
    on = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    side = LARGEST * sizes(course.belief)
    paint = {"color": list(CODES), "line": {"width": 0}}
    drawn.add("bar", x=HUE, y=side, base=LIGHTNESS - side / 2, width=side, marker=paint, hoverinfo="skip", **on)
    if not course.named:
        return
    x, y = trail(course.named)
    for colour, width in ((PAPER, 7.0), (TEXT, 3.0)):
        drawn.line(x, y, colour, width=width, hoverinfo="skip", **on)
    last = course.named[-1]
    # A disc in the colour itself, in a light ring in a dark one: it stands out from any colour, in either theme.
    at = {"x": [HUE[last]], "y": [LIGHTNESS[last]], "mode": "markers", "name": "favourite", **on}
    for fill, wider in ((TEXT, 18), (PAPER, 10), (CODES[last], 2)):
        disc = {"symbol": "circle", "size": RING + wider, "color": fill, "line": {"width": 0}}
        drawn.add("scatter", **at, hoverinfo="skip", cliponaxis=False, marker=disc)


def sizes(belief: Array | None) -> Array:
    """Return how large each colour is drawn, at most 1: its area grows with the belief around it."""
    if belief is None:
        return np.ones(len(CODES))
    around = _near @ belief
    return np.asarray(SMALLEST + (1.0 - SMALLEST) * np.sqrt(around / around.max()))


def trail(named: tuple[int, ...]) -> tuple[list[float | None], list[float | None]]:
    """Return a line through these colours, the shorter way around the circle: over one edge and in at the other."""
    x, y = list[float | None](), list[float | None]()
    for before, row in zip((named[0], *named), named, strict=False):
        across = float(HUE[row] - HUE[before])
        if abs(across) > HUES // 2:
            around = math.copysign(HUES, across)
            x += [float(HUE[row]) - around, None, float(HUE[before]) + around]
            y += [float(LIGHTNESS[row]), None, float(LIGHTNESS[before])]
        x.append(float(HUE[row]))
        y.append(float(LIGHTNESS[row]))
    return x, y


def votes(seen: Seen) -> Picture:
    drawn = Picture(height=HEIGHT, margin={"l": 190, "r": 60, "t": 16, "b": 60})
    most = max(seen.noise, seen.bare, seen.awaited, 1)
    drawn.axis("xaxis", "votes", range=[0, 1.05 * most], dtick=max(1, -(-most // 6)))
    drawn.axis("yaxis", range=[-0.6, 1.6], tickvals=[1, 0], ticktext=["with noise", "without noise"], showgrid=False)
    for place, (count, colour) in enumerate(((seen.bare, REFUTED), (seen.noise, NOISY))):
        drawn.line([0, count], [place, place], colour, width=90, hoverinfo="skip")
        drawn.label(count, place, str(count), TEXT, xshift=10)
    return projected(drawn)


def tiles(seen: Seen) -> tuple[Tile, ...]:
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return (Tile("Phones", f"{seen.people}", "votes are open: everybody sees how many", "known"),)
    late = f"; {seen.late} more of you in the next run" if seen.late else ""
    many = "1 simulated pupil" if course.crowd == 1 else f"{course.crowd} simulated pupils"
    crowd = f"of them {course.people} of you, and {many}" if course.crowd else "all of them of you"
    found = [Tile("The class", f"{course.agents}", crowd + late, "known")]
    if seen.phase in (Phase.OWN, Phase.ROUNDS):
        found.append(Tile("Answers", f"{seen.answered} of {seen.awaited}", words.patience(seen), "known"))
    sent: Audience = "refuted" if course.z == 0 else "share"
    if seen.phase is Phase.END:
        said = "cases: it is this colour, or one beside it"
        found.append(Tile("Near the favourite", words.near(course), said, sent))
    value, remark = words.loss(course)
    stamp = NOTHING_PROMISED if value == "∞" else ""
    found.append(Tile("Privacy loss ε", value, remark, "refuted" if stamp else sent, stamp))
    return (*found, Tile("Guessing whether you took part", *words.guessing(course), sent))


ASKED = "Which colour does the class like best, and can anybody tell that you took part?"
TITLE = "Our favourite, and nobody’s taste"
FAVOURITE = Game("favourite", TITLE, ":material/palette:", ASKED, start, desk, screen, show)
