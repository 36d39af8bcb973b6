"""The ticks of a logarithmic axis."""

import pytest

from pages.parts.views.picture import at_least_three


@pytest.mark.parametrize("low", [3e-5, 0.9, 99.0])
@pytest.mark.parametrize("factor", [1.001, 1.4, 20.0, 1e9])
def test_a_logarithmic_axis_has_three_ticks_at_least(low, factor):
    ticks = at_least_three(low, low * factor)
    assert 3 <= len(ticks["tickvals"]) <= 16
    assert all(low * (1 - 1e-9) <= tick <= low * factor * (1 + 1e-9) for tick in ticks["tickvals"])
    assert len(set(ticks["ticktext"])) == len(ticks["ticktext"])
