"""The noisy map: where the released rows lie, what the model expects of them, what was tested and what is asked next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pages.parts.outsourced.maps import Cells, Queried, map_picture
from pages.parts.values.palette import NON_PRIVATE, PAPER, TEXT
from pages.parts.values.picture import Picture
from privbo_core.errors import Array

Coloured = Literal["expected", "uncertain"]
COLOURED: dict[Coloured, str] = {"expected": "expected outcome", "uncertain": "uncertainty"}
MOST = 2000
"""Dots that are drawn."""


@dataclass(frozen=True, eq=False)
class Map:
    """The rows in two of their columns; ``axes`` name these. Row numbers count from 1."""

    cells: Cells
    axes: tuple[str, str]

    def picture(self, values: Array, meaning: str, told: Sequence[int], pending: Sequence[int]) -> Picture:
        """Draw the rows coloured by ``values``, those told numbered in their order, stars where a question is open."""
        if np.isfinite(values).all():
            asked = Queried([row - 1 for row in told], None, 0)
            picture = map_picture(self.cells, self.cells.reduce(values), asked, meaning, self.axes)
        else:  # nothing is known yet
            picture = Picture(height=400)
            dots(picture, self.cells.places[:, 0], self.cells.places[:, 1])
            picture.axis("xaxis", self.axes[0])
            picture.axis("yaxis", self.axes[1])
        open_ones = self.cells.places[np.array(pending, dtype=int) - 1]
        stars(picture, open_ones[:, 0], open_ones[:, 1], "asked")
        return picture


def dots(picture: Picture, x: Array, y: Array) -> None:
    """Draw rows of which nothing is known, as faint dots; of many, some."""
    drawn = np.random.default_rng(0).permutation(len(x))[:MOST]
    picture.add("scatter", x=x[drawn], y=y[drawn], mode="markers", name="rows", hoverinfo="skip",
                marker={"color": NON_PRIVATE.faded(0.25), "size": 5})  # fmt: skip


def stars(picture: Picture, x: Array, y: Array, name: str) -> None:
    """Draw what is asked for next."""
    if len(x):
        picture.add("scatter", x=x, y=y, mode="markers", name=name, hovertemplate=name,
                    marker={"symbol": "star", "size": 18, "color": PAPER, "line": {"color": TEXT, "width": 2}})  # fmt: skip


def map_of(values: Array, names: Sequence[str], units: Sequence[str], columns: tuple[int, int]) -> Map:
    """Return the map of two columns; of a release with one column, its rows in a line."""
    across, up = columns
    if values.shape[1] == 1:
        places = np.column_stack([values[:, 0], np.zeros(len(values))])
        return Map(Cells(places), (_axis(names[0], units[0]), ""))
    return Map(Cells(values[:, [across, up]]), (_axis(names[across], units[across]), _axis(names[up], units[up])))


def _axis(name: str, unit: str) -> str:
    return f"{name} ({unit})" if unit else name
