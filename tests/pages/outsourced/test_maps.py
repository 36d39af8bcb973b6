"""Records as points in two dimensions, as the tour and the audit draw them."""

import numpy as np

from pages.parts.outsourced.maps import principal


def test_a_projection_of_one_input_is_a_line_and_not_a_cloud_of_rounding():
    line = principal(np.outer(np.linspace(-3.0, 3.0, 50), np.random.default_rng(1).normal(size=10)))
    assert np.ptp(line[:, 0]) > 1
    assert not line[:, 1].any()
