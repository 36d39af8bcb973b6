"""The curve of a cost over ε: monotone, with an interval, solved both ways."""

import math

import numpy as np
import pytest

from privbo_core.bo import ExtraSteps
from privbo_core.bo.steps import enough_for_half, resampled_runs
from privbo_core.tradeoff import curve_of_losses, curve_of_steps


def steps(private, plain, limit=30):
    """The extra steps of two lists of counts, run by run."""
    drawn = resampled_runs(len(private))
    counts = [enough_for_half(np.asarray(each)[drawn]) for each in (private, plain)]
    return ExtraSteps.resampled(*counts, limit, len(private))


EPSILONS = [0.5, 1.0, 2.0, 4.0]


def curve():
    rng = np.random.default_rng(2)
    plain = rng.integers(4, 8, size=40)
    later = [np.full(40, 31), plain + rng.integers(8, 12, 40), plain + rng.integers(9, 14, 40), plain]
    return curve_of_steps(EPSILONS, [steps(private, plain) for private in later])


def test_a_curve_of_extra_steps_never_rises():
    found = curve()
    assert (np.diff(found.costs) <= 0).all()
    assert (np.diff(found.low) <= 0).all()
    assert (np.diff(found.high) <= 0).all()
    assert (found.low <= found.costs).all()
    assert (found.costs <= found.high).all()
    # The two in the middle are in the wrong order, and are pooled.
    assert found.costs[1] == found.costs[2]
    assert found.costs[-1] == 0.0
    assert found.at(0.01) == found.costs[0]
    assert found.costs[1] > found.at(3.0) > found.costs[-1]
    assert not any(found.reached_at(each) for each in (0.2, 0.5, 0.7))
    assert all(found.reached_at(each) for each in (1.0, 3.0, 9.0))


def test_the_smallest_epsilon_keeps_the_limit():
    found = curve()
    for limit in (0.0, 2.0, 5.0, 100.0):
        answer = found.smallest(limit)
        assert found.at(answer.epsilon) <= limit + 1e-9
        assert answer.low <= answer.epsilon <= answer.high
        assert found.at(answer.epsilon * 0.9) > limit or answer.epsilon == EPSILONS[0]
    never = found.smallest(-1.0)
    assert math.isinf(never.epsilon)
    assert math.isinf(never.high)


def test_a_curve_of_losses_resamples_runs_in_common():
    rng = np.random.default_rng(3)
    noise = rng.normal(size=50)  # the same in each run, whatever ε: it moves all together
    found = curve_of_losses(EPSILONS, [level + noise for level in (3.0, 2.0, 2.5, 1.0)])
    assert found.costs == pytest.approx(noise.mean() + np.array([3.0, 2.25, 2.25, 1.0]))
    assert found.high - found.low == pytest.approx(np.full(4, (found.high - found.low)[0]))
    assert found.reached.all()


@pytest.mark.parametrize("epsilons", [[], [1.0, 1.0], [2.0, 1.0], [0.0, 1.0], [1.0, math.inf], [1.0]])
def test_unusable_values_of_epsilon_are_refused(epsilons):
    with pytest.raises(ValueError, match=r"ε|epsilons"):
        curve_of_losses(epsilons, [np.ones(5), np.ones(5)])
