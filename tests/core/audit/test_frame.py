"""The attack on a frame that follows the data: it refutes, and finds nothing where the frame was known before."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.audit import frame_attack, gaussian_lower_bound, likelihood_ratio_attack
from privbo_core.privacy import gaussian_sigma
from tests.helpers.amounts import few

DELTA = 1e-5


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
@pytest.mark.parametrize("name", ["homes", "hospital"])
def test_the_same_move_refutes_a_frame_that_follows_and_no_other(name, epsilon):
    problem = pb.data.sample(name)
    found = {}
    for follows in (True, False):
        attack, x, neighbour = frame_attack(problem.original, problem.frame, epsilon, DELTA, follows=follows)
        changed = np.flatnonzero((x != neighbour).any(axis=1))
        assert len(changed) == 1
        assert np.linalg.norm((neighbour - x)[changed] / problem.frame.hide) == pytest.approx(1)
        found[follows] = gaussian_lower_bound(
            attack, x, neighbour, DELTA, few(150, 400), 0.999, np.random.default_rng(1)
        )
    assert found[True].verdict(epsilon) == "refuted"
    assert found[True].epsilon > 5 * epsilon
    assert found[False].verdict(epsilon) == "not refuted"


def test_the_likelihood_ratio_sees_as_much_as_there_is():
    rng = np.random.default_rng(2)
    here = rng.uniform(-5, 5, (30, 2))
    there = here.copy()
    there[4] += [0.6, 0.8]

    def release(data, rng):
        return pb.outsourced.noisy_release(data, 2.0, DELTA, bounds=(-25, 25), rng=rng)

    attack = likelihood_ratio_attack(release, here, there)
    trials, sigma = few(1000, 3000), gaussian_sigma(2.0, DELTA, 1.0)
    for data, centre in ((here, -0.5), (there, 0.5)):
        values = attack(data, trials, rng)
        assert values.mean() == pytest.approx(centre, abs=5 * sigma / np.sqrt(trials))
        assert values.std() == pytest.approx(sigma, rel=0.1)
    assert np.isfinite(likelihood_ratio_attack(release, here, here)(here, 50, rng)).all()
    with pytest.raises(pb.DataError, match="must have the same"):
        likelihood_ratio_attack(release, here, here[:5])
