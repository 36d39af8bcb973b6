"""The rehearsal's two pictures: the noisy map with the tests on it, and who found more."""

import math

import numpy as np

from pages.parts.values.axes import SAMPLES, End, spread_labels
from pages.parts.values.numbers import epsilon_text
from pages.parts.values.palette import NOISY, NON_PRIVATE, PAPER, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding
from pages.parts.workbench.modeler.map import dots, stars
from pages.parts.workbench.rehearsal import words
from pages.parts.workbench.rehearsal.game import Game, Test

MAP, RESULT = "rehearsal-map", "rehearsal-result"
COLUMNS = (0, 1)


def noisy_map(game: Game, tests: list[Test], pending: list[int]) -> Figure:
    """Draw the rows as dots, those tested as discs coloured by what came out, a star for the next."""
    package = game.package
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
    where = np.array(pending, dtype=int) - 1
    stars(picture, across[where], up[where], "next")
    axes = [f"{column.name} ({column.unit})" if column.unit else column.name for column in package.frame.columns[:2]]
    picture.axis("xaxis", axes[0])
    picture.axis("yaxis", axes[1])
    pointing = game.by_hand and not game.over
    title = "Point at the map, then test" if pointing else f"{package.rows:,} rows with noise on them"
    alt = f"The noisy rows by {axes[0]} and {axes[1]}; tested rows coloured by what came out."
    return Figure(MAP, Finding(title, "simulation", "Discs: tested. Star: the next."), picture, alt)


def found(game: Game) -> Figure:
    """Draw the rank of the best found so far, test by test: the visitor's and the machine's."""
    picture = Picture(height=300, margin={"l": 64, "r": 110, "t": 12, "b": 44})
    curves: tuple[tuple[str, list[Test], Colour, str], ...] = (("the machine", game.theirs, NON_PRIVATE, "dash"),)
    if game.by_hand:
        curves = (*curves, ("you", game.mine, NOISY, "solid"))
    ends: list[End] = []
    for name, tests, colour, dash in curves:
        ranks = game.ranks(tests)
        picture.line(list(range(1, len(ranks) + 1)), ranks, colour, dash=dash, width=3.5, name=name,
                     hovertemplate=f"{name}: %{{y:,.0f}} after %{{x}}")  # fmt: skip
        ends.append((math.log10(ranks[-1]), f"{SAMPLES[dash]} {name}", colour))
    top = math.log10(game.package.rows)
    for y, name, colour in spread_labels(ends, 0.09 * top):
        picture.label(1, y, name, colour, xref="paper", xshift=6, font={"color": colour, "size": 15})
    picture.label(0.01, 0.04, "↓ better", TEXT, xref="paper", yref="paper", font={"color": TEXT, "size": 18})
    picture.axis("xaxis", f"{game.held.told.tests} made", range=[1, max(2, game.done)])
    powers = range(int(top) + 1)
    picture.axis("yaxis", f"rank of the best {game.held.told.one} found (1: the best)", type="log", range=[-0.1, top],
                 tickvals=[10**k for k in powers], ticktext=[f"{10**k:,}" for k in powers])  # fmt: skip
    note = f"One game at ε = {epsilon_text(game.package.epsilon)}: the next can end otherwise."
    alt = "The rank of the best record found so far against the tests made, yours and the machine’s."
    return Figure(RESULT, Finding(words.result(game), "simulation", note), picture, alt)
