"""The least error that a threshold reaches, and its limit."""

import numpy as np
import pytest
from scipy.stats import norm

from privbo_core import audit
from privbo_core.errors import DataError


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("apart", [0.5, 2.0])
def test_it_is_that_of_the_best_test_on_gaussian_noise(apart, sign):
    """Φ(−μ/2) is the least error there is; no test errs less, and the limit is not below it."""
    rng, n = np.random.default_rng(0), 40_000
    here, there = sign * rng.standard_normal(n), sign * (rng.standard_normal(n) + apart)
    found, least = audit.least_error(here, there), norm.cdf(-apart / 2)
    assert found.error == pytest.approx(least, abs=5 * np.sqrt(0.25 / n))
    assert found.error < found.at_most < found.error + 0.01
    assert found.at_most > least
    assert found.side == ("above" if sign > 0 else "below")
    assert found.tested == n // 2


def test_the_limit_holds_as_often_as_stated():
    rng, least, missed = np.random.default_rng(1), norm.cdf(-0.5), 0
    for _ in range(300):
        found = audit.least_error(rng.standard_normal(60), rng.standard_normal(60) + 1)
        missed += found.at_most < least
    assert missed <= 15


def test_where_nothing_can_be_told_it_is_a_coin_s():
    rng = np.random.default_rng(2)
    found = audit.least_error(rng.standard_normal(5000), rng.standard_normal(5000))
    assert (found.error, found.at_most) == (pytest.approx(0.5, abs=0.03), 0.5)
    assert audit.least_error(np.zeros(20), np.zeros(20)).error == 0.5


def test_clouds_that_do_not_touch_are_parted_half_way():
    found = audit.least_error(np.linspace(0, 1, 20), np.linspace(3, 4, 20))
    assert found.error == 0 < found.at_most < 0.5
    assert 1 < found.threshold < 4


def test_every_look_spends_its_part():
    rng = np.random.default_rng(3)
    here, there = rng.standard_normal(1000), rng.standard_normal(1000) + 1
    first, alone = (audit.least_error(here, there, audit.Look.all(looks)[0]).at_most for looks in (5, 1))
    assert first > alone
    with pytest.raises(DataError, match="equally many"):
        audit.least_error(here, there[:5])
