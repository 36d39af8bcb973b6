"""The rehearsal's two pictures: the noisy map with the tests on it, and who found more."""

import numpy as np

from pages.parts.values.axes import SAMPLES, End, spread_labels
from pages.parts.values.numbers import epsilon_text
from pages.parts.values.palette import NOISY, NON_PRIVATE, PAPER, RANDOM, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding
from pages.parts.workbench.modeler.map import dots, stars
from pages.parts.workbench.rehearsal import words
from pages.parts.workbench.rehearsal.game import Game
from privbo_core.errors import Array

MAP, RACE = "rehearsal-map", "rehearsal-race"
COLUMNS = (0, 1)


def noisy_map(game: Game, pending: list[int]) -> Figure:
    """Draw the rows as dots, those tested as discs coloured by what came out, a star for the next.

    When a game by hand is over, it shows where the machine tested, too.
    """
    package, tests = game.package, game.mine if game.by_hand else game.theirs
    picture = Picture(height=420, margin={"l": 60, "r": 16, "t": 8, "b": 44}, dragmode=False)
    across, up = (package.values[:, column] for column in COLUMNS)
    dots(picture, across, up)
    rows = np.array([test.row - 1 for test in tests], dtype=int)
    if len(rows):
        outcome = game.held.outcome
        picture.add(
            "scatter", x=across[rows], y=up[rows], mode="markers", name="tested",
            customdata=[[k + 1, words.value_text(game, test.value)] for k, test in enumerate(tests)],
            hovertemplate="test %{customdata[0]}: %{customdata[1]}",
            marker={"color": [test.value for test in tests], "size": 18, "colorscale": "Cividis", "line": {"color": PAPER, "width": 1.5},
                    "colorbar": {"title": {"text": str(outcome), "side": "right"}, "thickness": 10, "outlinewidth": 0}},
        )  # fmt: skip
    if game.by_hand and game.over:
        others = np.array([test.row - 1 for test in game.theirs], dtype=int)
        picture.add("scatter", x=across[others], y=up[others], mode="markers", name=words.MACHINE,
                    customdata=[words.value_text(game, test.value) for test in game.theirs],
                    hovertemplate=f"{words.MACHINE}: %{{customdata}}",
                    marker={"symbol": "diamond-open", "size": 13, "color": NON_PRIVATE, "line": {"width": 2}})  # fmt: skip
    where = np.array(pending, dtype=int) - 1
    stars(picture, across[where], up[where], "next")
    axes = [f"{column.name} ({column.unit})" if column.unit else column.name for column in package.frame.columns[:2]]
    picture.axis("xaxis", axes[0])
    picture.axis("yaxis", axes[1])
    pointing = game.by_hand and not game.over
    title = "Point at the map, then test" if pointing else f"{package.rows:,} rows with noise on them"
    note = (
        f"Discs: yours. Diamonds: {words.MACHINE}’s."
        if game.by_hand and game.over
        else "Discs: tested. Star: the next."
    )
    alt = f"The noisy rows by {axes[0]} and {axes[1]}; tested rows coloured by what came out."
    return Figure(MAP, Finding(title, "simulation", note), picture, alt)


def race(game: Game) -> Figure:
    """Draw the best found so far, test by test, in the outcome's own unit: the visitor's, the machine's, by chance."""
    picture = Picture(height=290, margin={"l": 60, "r": 96, "t": 12, "b": 44})
    outcome, done = game.held.outcome, game.done
    chance = game.chance()
    curves: list[tuple[str, Array, Colour, str]] = [("chance", chance, RANDOM, "dot")]
    if done:
        curves.append((words.MACHINE, game.best(game.theirs), NON_PRIVATE, "dash"))
    if done and game.by_hand:
        curves.append(("you", game.best(game.mine), NOISY, "solid"))
    ends: dict[int, list[End]] = {}
    for name, values, colour, dash in curves:
        said = "chance, on average" if name == "chance" else name
        stairs = {"shape": "hv"} if name != "chance" else {}
        picture.add("scatter", x=[float(t) for t in range(1, len(values) + 1)], y=values, name=name,
                    mode="lines+markers" if stairs else "lines", marker={"color": colour, "size": 7},
                    line={"color": colour, "dash": dash, "width": 3.5, **stairs},
                    hovertemplate=f"{said}: %{{y:,.4g}} after %{{x}}")  # fmt: skip
        ends.setdefault(len(values), []).append((float(values[-1]), f"{SAMPLES[dash]} {name}", colour))
    low, high = (float(pick([pick(values) for _, values, *_ in curves])) for pick in (np.min, np.max))
    room = 0.08 * (high - low) or 1.0
    for last, together in ends.items():
        for y, name, colour in spread_labels(together, 1.2 * room):
            picture.label(last, y, name, colour, xshift=9, font={"color": colour, "size": 15})
    better = ("↑", 0.93) if outcome.larger_is_better else ("↓", 0.04)
    picture.label(0.01, better[1], f"{better[0]} better", TEXT, xref="paper", yref="paper",
                  font={"color": TEXT, "size": 18})  # fmt: skip
    picture.axis("xaxis", f"{game.held.told.tests} made", range=[0.8, game.tests + 0.2])
    picture.axis("yaxis", f"best found, {outcome}", range=[low - room, high + room])
    note = (
        words.scale(game) if game.over else f"Released at ε = {epsilon_text(game.package.epsilon)}. Chance: on average."
    )
    alt = "The best outcome found so far against the tests made: yours, the machine’s, and by chance on average."
    return Figure(RACE, Finding(words.ahead(game), "simulation", note), picture, alt)
