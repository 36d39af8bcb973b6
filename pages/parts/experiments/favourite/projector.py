"""What “Our favourite” shows on the projector: where the class's favourite is believed to lie, and what that costs."""

from textwrap import wrap

import numpy as np

from pages.parts.experiments.favourite import words
from pages.parts.experiments.projected import projected
from pages.parts.federated.setup import NOTHING_PROMISED
from pages.parts.values.palette import NOISY, PAPER, REFUTED, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.text import strong
from pages.parts.values.views import Audience, Figure, Finding, Tile, View
from privbo_core.classroom.favourite import CODES, HUE, HUES, LIGHTNESS, LIGHTNESSES, Course, Favourite, Phase, Seen
from privbo_core.classroom.favourite.model import points
from privbo_core.errors import Array

SLOT = "favourite"
HEIGHT = 480
"""Of the colours: below a sentence of two lines and its tiles all of them are on the screen."""
SMALLEST = 0.22
"""How large a colour is drawn that is certainly not the favourite, of the largest."""
LONGEST_LINE = 14
"""So many letters of a colour's name stand in a line: on either side of any colour there is room for that in half a picture."""
BLUR = 0.1
"""Over what distance of the grid belief is spread where it is drawn."""
_near = np.exp(-0.5 * ((points()[:, None] - points()[None]) ** 2).sum(axis=2) / BLUR**2)


def show(favourite: Favourite) -> View:
    """Return what the class sees now."""
    seen = favourite.seen()
    bare = seen.course is not None and seen.course.z == 0 and seen.phase is not Phase.VOTE
    pair = words.both_ways(seen) if seen.phase is Phase.END else None
    finding = Finding(
        words.title(seen), audience(seen), words.note(seen), NOTHING_PROMISED if bare and not pair else ""
    )
    return View(tiles(seen), (Figure(SLOT, finding, picture(seen), words.alt(seen)),))


def audience(seen: Seen) -> Audience:
    """Return who may see the picture: what is broadcast is released; before that nothing of anybody is in it."""
    course = seen.course
    if seen.phase in (Phase.VOTE, Phase.OWN) or course is None:
        return "known"
    if course.z == 0 or (seen.phase is Phase.END and words.both_ways(seen)):
        return "refuted"
    return "share"


def picture(seen: Seen) -> Picture:
    """Draw the votes, or the colours with what is believed of them."""
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return votes(seen)
    pair = words.both_ways(seen) if seen.phase is Phase.END else None
    drawn = Picture(height=HEIGHT, margin={"l": 44, "r": 16, "t": 72 if pair else 20, "b": 48})
    if pair is None:
        grid(drawn, course, "", (0.0, 1.0), 31)
        return projected(drawn)
    for place, (one, head, colour) in enumerate(
        zip(pair, ("without noise", "with noise"), (REFUTED, NOISY), strict=True)
    ):
        left, right = (0.0, 0.485) if place == 0 else (0.515, 1.0)
        grid(drawn, one, "2" if place else "", (left, right), 22)
        said = f"guesses are right in at most {words.at_most(one.right)}" if one.z else "nothing is promised"
        text = f"{strong(head)}\n{said}"
        drawn.label((left + right) / 2, 1, text, colour, xref="paper", yref="paper", xanchor="center", yanchor="bottom",
                    yshift=6)  # fmt: skip
    return projected(drawn)


def grid(drawn: Picture, course: Course, axis: str, place: tuple[float, float], size: int) -> None:
    """Draw all colours, the likelier the favourite the larger, and what the class was told round by round."""
    drawn.axis(f"xaxis{axis}", "colour, around the circle", range=[-0.8, HUES - 0.2], showgrid=False, showticklabels=False,
               domain=list(place), anchor=f"y{axis}")  # fmt: skip
    drawn.axis(f"yaxis{axis}", "" if axis else "dark → light", range=[-0.9, LIGHTNESSES - 0.1], showgrid=False,
               showticklabels=False, anchor=f"x{axis}")  # fmt: skip
    on = {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
    drawn.add(
        "scatter", x=HUE, y=LIGHTNESS, mode="markers", hoverinfo="skip", name="colours", **on,
        marker={"symbol": "square", "size": size * sizes(course.belief), "color": list(CODES), "opacity": 1, "line": {"width": 0}}, cliponaxis=False,
    )  # fmt: skip
    if not course.named:
        return
    x, y = trail(course.named)
    for colour, width in ((PAPER, 7.0), (TEXT, 3.0)):
        drawn.line(x, y, colour, width=width, hoverinfo="skip", **on)
    last = course.named[-1]
    # A disc in the colour itself, in a light ring in a dark one: it stands out from any colour, in either theme.
    for fill, wider in ((TEXT, 18), (PAPER, 10), (CODES[last], 2)):
        drawn.add("scatter", x=[HUE[last]], y=[LIGHTNESS[last]], mode="markers", name="favourite", **on, hoverinfo="skip", cliponaxis=False,
                  marker={"symbol": "circle", "size": size + wider, "color": fill, "line": {"width": 0}})  # fmt: skip
    left = bool(HUE[last] > HUES / 2)
    name = "\n".join(map(strong, wrap(words.colour_name(last), LONGEST_LINE)))
    drawn.label(float(HUE[last]), float(LIGHTNESS[last]), name, TEXT, bgcolor=PAPER, borderpad=4,
                xanchor="right" if left else "left", xshift=-(size + 4) if left else size + 4, xref=f"x{axis}",
                yref=f"y{axis}")  # fmt: skip


def sizes(belief: Array | None) -> Array:
    """Return how large each colour is drawn, at most 1: its area grows with the belief around it."""
    if belief is None:
        return np.ones(len(CODES))
    around = _near @ belief
    return np.asarray(SMALLEST + (1.0 - SMALLEST) * np.sqrt(around / around.max()))


def trail(named: tuple[int, ...]) -> tuple[list[float | None], list[float | None]]:
    """Return a line through these colours, broken where it would cross the whole picture instead of its edge."""
    x: list[float | None] = []
    y: list[float | None] = []
    for before, row in zip((named[0], *named), named, strict=False):
        if abs(int(HUE[before]) - int(HUE[row])) > HUES // 2:
            x.append(None)
            y.append(None)
        x.append(float(HUE[row]))
        y.append(float(LIGHTNESS[row]))
    return x, y


def votes(seen: Seen) -> Picture:
    """Draw how many are for noise, and how many against it."""
    drawn = Picture(height=HEIGHT, margin={"l": 190, "r": 60, "t": 16, "b": 60})
    most = max(seen.noise, seen.bare, seen.asked, 1)
    drawn.axis("xaxis", "votes", range=[0, 1.05 * most], dtick=max(1, -(-most // 6)))
    drawn.axis("yaxis", range=[-0.6, 1.6], tickvals=[1, 0], ticktext=["with noise", "without noise"], showgrid=False)
    for place, (count, colour) in enumerate(((seen.bare, REFUTED), (seen.noise, NOISY))):
        drawn.line([0, count], [place, place], colour, width=90, hoverinfo="skip")
        drawn.label(count, place, str(count), TEXT, xshift=10)
    return projected(drawn)


def tiles(seen: Seen) -> tuple[Tile, ...]:
    """Return the headline numbers."""
    course = seen.course
    if seen.phase is Phase.VOTE or course is None:
        return (Tile("Phones", f"{seen.people}", "votes are open: everybody sees how many", "known"),)
    late = f"; {seen.late} more of you in the next run" if seen.late else ""
    many = "1 simulated pupil" if course.crowd == 1 else f"{course.crowd} simulated pupils"
    crowd = f"of them {course.people} of you, and {many}" if course.crowd else "all of them of you"
    found = [Tile("The class", f"{course.agents}", crowd + late, "known")]
    if seen.phase in (Phase.OWN, Phase.ROUNDS):
        found.append(
            Tile("Answers", f"{seen.answered} of {seen.asked}", "who is missing does not hold up the class", "known")
        )
    bare = course.z == 0
    sent: Audience = "refuted" if bare else "share"
    stamp = NOTHING_PROMISED if bare else ""
    value, remark = words.loss(course)
    if seen.phase is Phase.END:
        said = "cases: it is this colour, or one beside it"
        found.append(Tile("Near the favourite", words.near(course), said, sent))
    found.append(Tile("Privacy loss ε", value, remark, sent, stamp if course.done else ""))
    if bare:
        found.append(Tile("Whether you took part", "can be told", "by whoever knows the others", sent, stamp))
    else:
        after = f"right at most, after all {course.of} rounds; a coin: 50"
        found.append(Tile("Guessing whether you took part", words.at_most(course.right), after, sent))
    return tuple(found)
