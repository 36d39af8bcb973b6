"""The dials of the federated question where the server draws a fixed number of agents."""

import math
from dataclasses import replace

import pytest

from privbo_core.federated import Settings, Simulation, losses, synthetic
from privbo_core.tradeoff import dial_at, federated_question


@pytest.mark.parametrize(("method", "dial"), [("pld", "z"), ("pld", "q"), ("moments", "z")])
def test_a_fixed_size_sample_is_accounted_for_as_one(method, dial):
    simulation = Simulation(lambda run: synthetic(agents=12, side=8, seed=run))
    first = simulation.first
    chosen = Settings(first.kernel, first.noise_variance, 4, 4, 10, q=0.3, z=2.0, S=11.0, sampling="fixed")
    (curve,) = federated_question(simulation, chosen, 12, method=method, dials=(dial,)).curves
    assert curve.low < curve.high
    target = math.sqrt(curve.low * curve.high)
    at = replace(chosen, **{dial: dial_at(dial, target, chosen, 12, method)})
    spent = losses(at, 12, method)[-1]
    assert spent <= target * (1 + 1e-9)
    if dial == "z":
        assert spent == pytest.approx(target, rel=1e-6)
    else:
        assert at.q * 12 == pytest.approx(round(at.q * 12))
        assert losses(replace(at, q=at.q + 1 / 12), 12, method)[-1] > target


@pytest.mark.parametrize("dial", ["z", "q"])
@pytest.mark.parametrize(("calibration", "sampling"), [("paper", "poisson"), ("paper", "fixed"), ("exact", "poisson")])
def test_the_exact_count_is_what_an_epsilon_says_if_it_is_asked_for(dial, calibration, sampling):
    simulation = Simulation(lambda run: synthetic(agents=12, side=8, seed=run))
    first = simulation.first
    chosen = Settings(
        first.kernel, first.noise_variance, 4, 4, 10, q=0.3, z=2.0, S=11.0, P=4, hold=2, fade=2,
        sampling=sampling, calibration=calibration,
    )  # fmt: skip
    (curve,) = federated_question(simulation, chosen, 12, method="pld", sensitivity="exact", dials=(dial,)).curves
    (papers,) = federated_question(simulation, chosen, 12, method="pld", dials=(dial,)).curves
    target = math.sqrt(curve.low * curve.high)
    at = replace(chosen, **{dial: dial_at(dial, target, chosen, 12, "pld", "exact")})
    spent = losses(at, 12, "pld", "exact")[-1]
    assert spent <= target * (1 + 1e-9)
    if sampling == "poisson" or dial == "z":
        assert spent == pytest.approx(target, rel=1e-6)
    if calibration == "paper":
        assert losses(at, 12, "pld")[-1] > 1.1 * spent
        assert curve.high < papers.high
    else:
        assert (curve.low, curve.high) == (papers.low, papers.high)


def test_agents_have_no_rank():
    simulation = Simulation(lambda run: synthetic(agents=12, side=8, seed=run))
    first = simulation.first
    chosen = Settings(first.kernel, first.noise_variance, 4, 4, 10, q=0.3, z=2.0, S=11.0)
    with pytest.raises(ValueError, match="measure is 'rank'"):
        federated_question(simulation, chosen, 12, measure="rank")
