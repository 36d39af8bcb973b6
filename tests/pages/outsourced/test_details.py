"""What the tabs below the first screen of the Outsourced page say and draw."""

import math

import numpy as np
import pytest

from pages.parts.outsourced import maps
from pages.parts.outsourced.details import distances
from pages.parts.outsourced.question import least_regret
from pages.parts.views.picture import PAPER, TEXT, at_least_three
from privbo_core.outsourced import Distortion
from tests.helpers.numbers import numbers

SCATTER = np.linspace(-1, 1, 20)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({1.0: 0.5, 3.0: 0.0, 9.0: 0.4}, [3]),
        ({1.0: 0.5, 3.0: 0.0, 9.0: 0.01}, [3, 9]),  # from the one to the other
        ({1.0: 0.01, 3.0: 0.5, 9.0: 0.0}, [2, 3]),  # two of three
        ({1.0: 0.5}, [1]),
    ],
)
def test_where_the_curve_is_flat_no_single_value_is_called_the_best(more, named):
    """Each run shares its dice between the settings, so that the difference is judged run by run."""
    rng = np.random.default_rng(0)
    last = {value: 5 + SCATTER + extra + 0.05 * rng.standard_normal(20) for value, extra in more.items()}
    assert numbers(least_regret("ε", last)) == named


@pytest.mark.parametrize("low", [3e-5, 0.9, 99.0])
@pytest.mark.parametrize("factor", [1.001, 1.4, 20.0, 1e9])
def test_a_logarithmic_axis_has_three_ticks_at_least(low, factor):
    ticks = at_least_three(low, low * factor)
    assert 3 <= len(ticks["tickvals"]) <= 16
    assert all(low * (1 - 1e-9) <= tick <= low * factor * (1 + 1e-9) for tick in ticks["tickvals"])
    assert len(set(ticks["ticktext"])) == len(ticks["ticktext"])


@pytest.mark.parametrize("spread", [1e-4, 0.5])
def test_distances_have_labelled_ticks_whatever_their_range(spread):
    ratios = np.exp(spread * np.linspace(-1, 1, 500)) * 1.3
    picture = distances(Distortion(ratios, 500), 0.5, 2.0, False)
    axis = picture.layout["xaxis"]
    low, high = axis["range"]
    inside = [tick for tick in axis["tickvals"] if low <= math.log10(tick) <= high]
    assert len(inside) >= 3
    assert low < 0 < high, "distances that are kept lie in the picture"
    assert len(axis["ticktext"]) == len(axis["tickvals"])


def test_numbers_on_a_map_stand_on_the_page_s_own_colour():
    """Text on the cells of a map has contrast nowhere: they go from dark blue to yellow in both themes."""
    places = np.random.default_rng(0).standard_normal((30, 2))
    picture = maps.map_picture(
        maps.Cells(places), np.arange(30.0), maps.Queried([1, 2, 3, 4], None, 2), "f", ("a", "b")
    )
    (asked,) = [trace for trace in picture.data if trace.get("name") == "evaluated"]
    assert asked["textfont"]["color"] == TEXT
    assert asked["textposition"] == "middle center"
    assert asked["marker"]["color"][2:] == [PAPER, PAPER]
    assert min(asked["marker"]["size"][2:]) >= 1.5 * asked["textfont"]["size"]
