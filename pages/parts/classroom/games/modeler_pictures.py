"""What is said of the search on each map: of patients, of loans, of homes."""

import math

import numpy as np

from pages.parts.classroom.games.game import HEIGHT, above, projected
from pages.parts.views.content import Goal, Sample, facts, fill, known
from pages.parts.views.picture import GRID, NOISY, PRIVATE, RANDOM, SHADES, TEXT, Colour, Picture, spread_labels
from pages.parts.views.text import spoken
from pages.parts.views.views import REFUTED_STAMP, Audience, Figure, Finding, View
from privbo_core.classroom.games.modeler import ModelerGame, Seen
from privbo_core.classroom.ground import Ground, Map
from privbo_core.errors import Array
from privbo_core.federated.agents import Rows

SOURCES = ("hospital", "loans", "homes")  # The samples whose maps are searched.


def columns_of(ground: Ground) -> list[dict[str, str]]:
    """Return how the inputs of a map are spoken of."""
    return [facts("maps.toml")[name] for name in ground.problem.names]


def moved(released: Map) -> str:
    ground = released.ground
    latitude = float(ground.problem.original[:, -1].mean()) if ground.source == "homes" else 0.0
    noises = [{"amount": released.sigma * each.hide} for each in ground.problem.frame.columns]
    shrunk = {"shrunk": math.cos(math.radians(latitude))}
    pairs = zip(columns_of(ground), noises, strict=True)
    return " and ".join(fill(column["moved"], noise | shrunk) for column, noise in pairs)


def ways(released: Map) -> tuple[tuple[str, bool], tuple[str, bool]]:
    """Return what grows to the right and what upwards on a map; False with what grows the other way.

    On the paper’s map nothing does: each of its directions is a mix of both inputs.
    """
    columns = columns_of(released.ground)
    if released.mechanism == "private":
        mix = f"a mix of {columns[0]['name']} and {columns[1]['name']}"
        return (mix, True), ("another mix of both", True)
    (across, right), (up, high) = released.laid
    return (columns[across]["more"], right > 0), (columns[up]["more"], high > 0)


def spoken_of(source: str) -> Sample:
    found = known(f"sample/{source}")
    assert found is not None
    return found


def goal_of(source: str) -> Goal:
    goal = spoken_of(source).goal
    assert goal is not None
    return goal


def outcome_text(value: float, unit: str) -> str:
    """Return an outcome as people write it: 4.1 mg/dL, 1,240 USD per m²."""
    # One digit after the point where there is room for it, so that outcomes and their differences add up.
    return f"{f'{value:.1f}' if 10 <= value < 100 else spoken(value)} {unit}"


def from_best(regret: float, ground: Ground) -> str:
    """Return how far somebody is from the best, as the end of a sentence."""
    goal = goal_of(ground.source)
    return f"{outcome_text(regret, ground.unit)} {goal.away}" if regret else f"the {goal.best} of all"


def best_outcome(ground: Ground) -> str:
    return outcome_text(float(ground.outcome[ground.regrets.argmin()]), ground.unit)


def change(more: float, unit: str = "", error: float = 0.0) -> str:
    """Return what a blurred map costs somebody: 1.2 mg/dL farther, 0.3 nearer, as near.

    ``error``: its standard error. A difference of less than two of them may be chance, and says so.
    """
    if spoken(more) == "0":
        return "as near"
    chance = "" if abs(more) > 2 * error else " (perhaps by chance)"
    return f"{spoken(abs(more))}{f' {unit}' if unit else ''} {'farther' if more > 0 else 'nearer'}{chance}"


SLOT = "modeler"
AUDIENCE: Audience = "simulation"  # Distances from the best need all outcomes, which nobody has in a real search.
PEOPLE, MACHINE, CHANCE = "the class", "the machine", "blind taps"
LOOKS = {PEOPLE: (PRIVATE, "solid"), MACHINE: (NOISY, "dash"), CHANCE: (RANDOM, "dot")}
SHADING = [[0, SHADES[0]], [1, SHADES[1]]]


def show(game: ModelerGame) -> View:
    seen = game.seen()
    if not seen:
        return View(figures=(_waiting(),))
    return View(figures=(_searching(seen[-1]) if game.phase == "playing" else _compared(seen),))


def _waiting() -> Figure:
    title = "Soon everybody has a map on their phone. Which of its points would you test?"
    note = "A test tells the true result of one point. Where the points are was blurred before the map was handed out."
    picture = _blank()
    picture.axis("xaxis", visible=False, range=[-0.5, 10.5])
    picture.axis("yaxis", visible=False, range=[-2, 2])
    steps, dots = np.arange(11), {"size": 54, "color": np.arange(11) / 10, "colorscale": SHADING}
    picture.add("scatter", x=steps, y=0 * steps, mode="markers", hoverinfo="skip", marker=dots)
    for x, text, side in ((0, "far from what is looked for", "left"), (10, "what is looked for", "right")):
        picture.label(x, -0.5, text, TEXT, xanchor=side, size=16)
    alt = "The colours of tested points: the yellower, the better."
    return Figure(SLOT, Finding(title, "known", note), projected(picture), alt)


def _searching(seen: Seen) -> Figure:
    leg = seen.leg
    goal, epsilon = goal_of(leg.ground.source), f"{leg.map.epsilon:g}"
    many = spoken_of(leg.ground.source).many
    asked = f"{len(leg.map.order)} {many} on a map released at ε = {epsilon}: where is {goal.aim}?"
    title = _so_far(seen) or asked
    note = f"{_blur(seen)} {goal.wanted} {_who(seen)}"
    picture = _blank()
    (across, right), (up, rises) = ways(leg.map)
    picture.axis(
        "xaxis", f"{across} →" if right else f"← {across}", domain=[0.02, 0.44], showticklabels=False, showgrid=False
    )
    # The title stands upright beside the map, so that its right is up.
    picture.axis("yaxis", f"{up} →" if rises else f"← {up}", showticklabels=False, showgrid=False)
    _draw_map(picture, seen)
    # The machine and chance do not say beforehand how it will end.
    _draw_curves(picture, seen, "2", _top([seen]), together(seen))
    picture.axis("xaxis2", domain=[0.57, 0.84])
    picture.axis("yaxis2", _upright(leg.ground))
    legend = f"◆ already tested: yellow {goal.better}, blue {goal.worse}   ○ where pupils tapped last, larger by more"
    above(picture, 0, legend, TEXT)
    picture.layout["margin"]["t"] = 48
    _leave_room(picture, seen)
    alt = (
        f"Left: the released map, larger where more pupils tapped; to the {'right' if right else 'left'}: {across}, "
        f"{'up' if rises else 'down'}: {up}. Right: distance from the best after each test."
    )
    return Figure(SLOT, Finding(title, AUDIENCE, note, _stamp(seen)), projected(picture), alt)


def _compared(legs: tuple[Seen, ...]) -> Figure:
    """Draw the last picture: one panel for each ε, on the same scale."""
    picture, top = _blank(), _top(legs)
    width = 0.86 / len(legs)
    for number, seen in enumerate(legs):
        axes, left, named = f"{number + 1}" if number else "", number * (width + 0.02), number == len(legs) - 1
        _draw_curves(picture, seen, axes, top, len(seen.chance), named=named)
        picture.axis(f"xaxis{axes}", domain=[left, left + width - 0.06])
        above(picture, left + width / 2 - 0.03, f"ε = {seen.leg.map.epsilon:g}", TEXT, xanchor="center")
    picture.axis("yaxis", _upright(legs[0].leg.ground))
    picture.layout["margin"]["t"] = 48
    _leave_room(picture, legs[-1])
    alt = "Distance from the best after each test, for each ε: the class, the machine, blind taps."
    ground = legs[-1].leg.ground
    title, best = what_it_came_to(legs), f"The {goal_of(ground.source).best} of all: {best_outcome(ground)}."
    note = f"{best} {_who(legs[-1])} {_blur(legs[-1])}"
    return Figure(SLOT, Finding(title, AUDIENCE, note, _stamp(legs[-1])), projected(picture), alt)


def what_it_came_to(legs: tuple[Seen, ...]) -> str:
    """Return the last sentence: what a smaller ε cost the class, the machine and blind taps."""
    first, last = legs[0], legs[-1]
    t = min(together(first), together(last))
    if len(legs) == 1 or not t:
        shown = last if together(last) else first
        return _so_far(shown) or "Nobody has made a test: the machine and blind taps played alone"
    before, after = _curves(first), _curves(last)
    people, machine, chance = (float(after[who][t - 1] - before[who][t - 1]) for who in (PEOPLE, MACHINE, CHANCE))
    error = float(np.hypot(first.errors[t - 1], last.errors[t - 1]))
    searched = float(np.hypot(first.machine.standard_error[t - 1], last.machine.standard_error[t - 1]))
    smaller, larger = (f"{each.leg.map.epsilon:g}" for each in (last, first))
    return (
        f"After {tests(t)} at ε = {smaller} instead of {larger}, the class is "
        f"{change(people, last.leg.ground.unit, error)} on its map; over {last.machine.runs} such maps the machine "
        f"{change(machine, error=searched)}, blind taps {change(chance)}"
    )


def together(seen: Seen) -> int:
    """Return the number of tests that at least half of those who have begun have made; 0 if nobody has begun."""
    return sum(count * 2 >= seen.counts[0] > 0 for count in seen.counts)


def tests(t: int) -> str:
    return f"{t} test" if t == 1 else f"{t} tests"


def _so_far(seen: Seen) -> str:
    """Return how far the class, the machine and blind taps have come; empty before there is a test to tell of."""
    t, ground = together(seen), seen.leg.ground
    if not t:
        return ""
    here, usually, chance = (spoken(float(each[t - 1])) for each in (seen.here, seen.machine.mean, seen.chance))
    others = f"on its map the machine {here} (over {seen.machine.runs} such maps {usually}), blind taps {chance}"
    return f"After {tests(t)} the class is {from_best(float(seen.people[t - 1]), ground)}; {others}"


def _curves(seen: Seen) -> dict[str, Array]:
    return {PEOPLE: seen.people, MACHINE: seen.machine.mean, CHANCE: seen.chance}


def _draw_map(picture: Picture, seen: Seen) -> None:
    released, ground = seen.leg.map, seen.leg.ground
    first = np.array(released.initial)
    taps = np.array(seen.taps, dtype=float)
    open_rows = np.setdiff1d(np.arange(len(taps)), first)
    tapped, left = open_rows[taps[open_rows] > 0], open_rows[taps[open_rows] == 0]
    x, y = released.shown.T
    most = max(taps.max(), 1.0)

    def dots(rows: Rows, marker: dict[str, object], **more: object) -> None:
        drawn = {"mode": "markers", "hoverinfo": "skip", "marker": marker} | more
        picture.add("scatter", x=x[rows], y=y[rows], **drawn)

    dots(left, {"size": 10, "color": RANDOM.faded(0.55)})
    sizes = 14 + 34 * np.sqrt(taps[tapped] / most)
    many = [f"{int(taps[row])}" if taps[row] > 1 else "" for row in tapped]
    ring = {"size": sizes, "color": PRIVATE.faded(0.35), "line": {"color": PRIVATE, "width": 2.5}}
    dots(tapped, ring, mode="markers+text", text=many, textfont={"color": TEXT, "size": 21})
    shade = {"color": ground.shares[released.order[first]], "colorscale": SHADING, "cmin": 0, "cmax": 1}
    dots(first, {**shade, "size": 20, "symbol": "diamond", "line": {"color": TEXT, "width": 1.5}})


def _draw_curves(picture: Picture, seen: Seen, axes: str, top: float, until: int, *, named: bool = True) -> None:
    """Draw curves on the axes of this number, up to the ``top`` of their scale; they end after so many tests.

    ``named``: with the names beside them.
    """
    steps = np.arange(1, len(seen.chance) + 1)
    on = {"xaxis": f"x{axes}", "yaxis": f"y{axes}"}
    picture.line(steps, 0 * steps, GRID, width=2, hoverinfo="skip", **on)
    picture.line(steps[:until], seen.here[:until], MACHINE_HERE, dash="dot", width=1.5, hoverinfo="skip", **on)
    ends = []
    for name, curve in _curves(seen).items():
        there = np.isfinite(curve) & (steps <= until)
        if not there.any():
            continue
        x, y, (colour, dash) = steps[there], curve[there], LOOKS[name]
        line, hover = {"color": colour, "width": 4, "dash": dash}, f"{name}: %{{y:.3g}} after %{{x}}"
        dots = {"mode": "lines+markers", "marker": {"size": 9}}
        picture.add("scatter", x=x, y=y, name=name, line=line, **dots, hovertemplate=hover, **on)
        last = spoken(float(y[-1]))
        ends.append((float(y[-1]), f"{name} {last}" if named else last, colour))
    for height, text, colour in spread_labels(ends, 0.085 * top):
        picture.label(until, min(height, top), text, colour, xref=on["xaxis"], yref=on["yaxis"], xshift=10)
    ticks = steps if len(steps) <= 10 else steps[1::2]
    across = {"range": [0.7, steps[-1] + 0.1], "tickvals": ticks.tolist(), "anchor": on["yaxis"]}
    picture.axis(f"xaxis{axes}", "tests", **across)
    picture.axis(f"yaxis{axes}", range=[-0.03 * top, top], anchor=on["xaxis"])


def _upright(ground: Ground) -> str:
    return f"{ground.unit} {goal_of(ground.source).away}"


MACHINE_HERE: Colour = NOISY.faded(0.6)


def _top(legs: tuple[Seen, ...] | list[Seen]) -> float:
    curves = [curve[np.isfinite(curve)] for seen in legs for curve in (*_curves(seen).values(), seen.here)]
    return 1.18 * max(float(curve.max()) for curve in curves if len(curve)) or 1.0


def _blank() -> Picture:
    return Picture(HEIGHT, margin={"l": 92, "r": 16, "t": 14, "b": 72})


def _leave_room(picture: Picture, seen: Seen) -> None:
    """Keep what is drawn below the stamp, if there is one."""
    if _stamp(seen):
        for name in [name for name in picture.layout if name.startswith("yaxis")]:
            picture.axis(name, domain=[0, 0.92])


def _who(seen: Seen) -> str:
    """Return of how many people and maps the curves are the mean."""
    t = together(seen)
    here = f", where it is {spoken(float(seen.here[t - 1]))} away" if t else ""
    return f"{_made(seen)} The machine: the mean over {seen.machine.runs} such maps; thin: on the class’s own{here}."


def _made(seen: Seen) -> str:
    """Return how many have made how many tests, and how those count who made fewer."""
    begun, t = f"{seen.counts[0]} of {seen.playing} have begun", together(seen)
    if not seen.counts[0]:
        return f"{begun}."
    many = f"{seen.counts[t - 1]} made {tests(t)} or more, " if 1 < t < len(seen.counts) else ""
    uneven = seen.counts[seen.reached - 1] < seen.counts[0]
    fewer = "; whoever made fewer counts with their best so far" if uneven else ""
    return f"{begun}, {many}{seen.finished} made all {len(seen.counts)}{fewer}."


def _blur(seen: Seen) -> str:
    released = seen.leg.map
    if released.mechanism == "private":
        both = " and ".join(column["name"] for column in columns_of(released.ground))
        return f"The paper’s projection: {both}, mixed into two other numbers; made for ε = {released.epsilon:g}."
    one = spoken_of(released.ground.source).one
    return f"ε = {released.epsilon:g}: noise moved each {one} by some {moved(released)}."


def _stamp(seen: Seen) -> str:
    return REFUTED_STAMP if seen.leg.map.mechanism == "private" else ""
