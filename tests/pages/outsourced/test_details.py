"""The figure of distances that the tour shows, and the ticks of its axis."""

import math

import numpy as np
import pytest

from pages.parts.outsourced.details import distances
from pages.parts.views.picture import at_least_three
from privbo_core.outsourced import Distortion


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
