"""Noise of the L2 shape: exact on a small lattice, of the right length on a fine one, and within ε by whole numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from privbo_core.privacy import Radial, TradeOff, radial, release, simulate
from tests.helpers.refusing import refusals

FALSE_ALARM = 1e-9
"""Draws without a seed: a right sampler may fail no more often than this."""


def fits(drawn, rate, cells=6):
    """χ² of draws against exp(−rate·‖k‖₂)/Σ on the lattice; points far out are one cell."""
    d = drawn.shape[1]
    reach = math.ceil(45 / rate)
    axis = np.arange(-reach, reach + 1)
    grid = np.stack(np.meshgrid(*[axis] * d, indexing="ij"), axis=-1).reshape(-1, d)
    weights = np.exp(-rate * np.linalg.norm(grid, axis=1))
    near = (np.abs(grid) <= cells).all(axis=1)
    expected = len(drawn) * np.append(weights[near], weights[~near].sum()) / weights.sum()
    inside = (np.abs(drawn) <= cells).all(axis=1)
    at = np.ravel_multi_index((drawn[inside] + cells).T, [2 * cells + 1] * d)
    found = np.append(np.bincount(at, minlength=(2 * cells + 1) ** d), (~inside).sum())
    many = expected >= 5
    expected, found = (np.append(each[many], each[~many].sum()) for each in (expected, found))
    return stats.chisquare(found[expected > 0], expected[expected > 0]).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("d", "rate", "n"), [(1, 0.3, 10_000), (2, 0.6, 10_000), (3, 1.1, 10_000)])
def test_draws_have_the_lattice_s_own_probabilities(d, rate, n):
    drawn = radial.draw(n, d, rate)
    assert [fits(drawn, share * rate) for share in (0.8, 1.0, 1.25)] == [False, True, False]


def test_a_coin_that_doubles_cannot_decide_is_as_fair(monkeypatch):
    monkeypatch.setattr(radial, "_DOUBT", 10.0)  # so that decimals decide each
    assert fits(radial.draw(3000, 2, 0.9), 0.9)


@given(sensitivity=st.floats(1e-30, 1e30), epsilon=st.floats(1e-4, 1e3), d=st.integers(1, 20))
def test_two_neighbours_on_the_lattice_are_within_epsilon(sensitivity, epsilon, d):
    k, rate = release.lattice(Radial(sensitivity, epsilon, d))
    apart = Fraction(sensitivity) / Fraction(2) ** k + radial.root_above(d)
    assert radial.root_above(d) ** 2 > d
    assert 1 - 1e-12 < Fraction(rate) * apart / Fraction(epsilon) <= 1
    assert apart <= Fraction(sensitivity) / Fraction(2) ** k * (1 + Fraction(1, 10**6)), "noise is given away"
    assert rate * 2.0**63 > 1000 * d, "entries reach what the library's whole numbers hold"


@pytest.mark.parametrize("mechanism", [Radial(1.0, 1.0, 1), Radial(0.3, 2.0, 2), Radial(5.0, 0.1, 6)])
def test_what_is_released_has_noise_of_every_direction_and_gamma_length(mechanism):
    rows = np.full((2000, mechanism.d), 1.0 / 3.0)
    *_, (done, released) = release.radial(rows, mechanism)
    noise = (released - rows) / mechanism.scale
    k, _ = release.lattice(mechanism)
    assert done == rows.size
    assert not any(Fraction(float(value)) % Fraction(2) ** k for value in released[:50].ravel())
    pretended = simulate.radial(2000, mechanism.d, np.random.default_rng(5))
    for each in (noise, pretended):
        lengths = np.linalg.norm(each, axis=1)
        law = stats.gamma(mechanism.d).cdf
        assert [stats.kstest(lengths * share, law).pvalue > FALSE_ALARM for share in (1.0, 1.4)] == [True, False]
        towards = (each / lengths[:, None]).mean(axis=0)
        assert np.abs(towards).max() < 7 / math.sqrt(len(each))
        assert each.std() * mechanism.scale == pytest.approx(mechanism.sigma, rel=0.2)


@pytest.mark.parametrize(("epsilon", "d"), [(1.0, 1), (0.3, 2), (1.0, 2), (4.0, 3), (1.0, 6)])
def test_the_line_of_attackers_is_the_noise_s_own(epsilon, d):
    """The best single test is `guessed`; between chance and what an ε alone says; no test on draws lies below it."""
    line = TradeOff.radial(epsilon, d)
    assert 1 - line.least_error(0.5) == pytest.approx(Radial(1.0, epsilon, d).guessed, abs=3e-4)
    alarms = np.linspace(0.0, 1.0, 21)
    assert (line(alarms) >= TradeOff.of(epsilon)(alarms) - 1e-9).all()
    noise = simulate.radial(200_000, d, np.random.default_rng(d))
    shift = np.eye(d)[0] * epsilon
    here, there = (np.linalg.norm(x, axis=1) - np.linalg.norm(x - shift, axis=1) for x in (noise, noise + shift))
    for at in (-0.5, 0.0, 0.7):
        false, missed = (here > at * epsilon).mean(), (there <= at * epsilon).mean()
        assert missed == pytest.approx(float(line(false)), abs=0.01)  # such a test is the best for its false alarms


test_rows_that_do_not_fit_are_refused = refusals(
    (lambda: Radial(0.0, 1.0, 2), "sensitivity"),
    (lambda: Radial(1.0, math.inf, 2), "epsilon"),
    (lambda: Radial(1.0, 1.0, 0), "d"),
    (lambda: release.radial([[1.0]], Radial(1.0, 1.0, 2)), "1 columns and the mechanism 2"),
    (lambda: release.radial([[1.0] * 21], Radial(1.0, 1.0, 21)), "at most 20 columns"),
    (lambda: release.radial([[math.nan, 1.0]], Radial(1.0, 1.0, 2)), "rows"),
)
