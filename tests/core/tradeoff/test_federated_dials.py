"""The dials of the federated question: turned to exactly the ε asked for, however agents are drawn and counted."""

import math
from dataclasses import replace

import pytest

from privbo_core.federated import Settings, Simulation, losses, synthetic
from privbo_core.privacy import Status, epsilon
from privbo_core.tradeoff import dial_at, federated_question, measure
from tests.helpers.amounts import few

SIMULATION = Simulation(lambda run: synthetic(agents=12, side=8, seed=run))
FIRST = SIMULATION.first
CHOSEN = Settings(FIRST.kernel, FIRST.noise_variance, 4, 4, 10, q=0.3, z=2.0, S=11.0)
MANY = {"P": 4, "hold": 2, "fade": 2}


@pytest.mark.parametrize("dial", ["z", "q"])
@pytest.mark.parametrize(
    ("method", "sensitivity", "changes"),
    [
        ("pld", "paper", {}),
        ("moments", "paper", {"P": 2, "z": 1.2}),
        ("pld", "paper", {"sampling": "fixed"}),
        ("pld", "exact", MANY),
        *few([], [("pld", "exact", MANY | {"sampling": "fixed"})]),
        ("pld", "exact", MANY | {"calibration": "exact"}),
    ],
)
def test_a_dial_is_turned_to_exactly_the_epsilon_asked_for(method, sensitivity, changes, dial):
    chosen = replace(CHOSEN, **changes)
    how = {"method": method, "sensitivity": sensitivity}
    asked = federated_question(SIMULATION, chosen, 12, **how, dials=(dial,))
    (curve,) = asked.curves
    assert curve.status == Status.PROVED
    target = math.sqrt(curve.low * curve.high)
    value = dial_at(dial, target, chosen, 12, method, sensitivity)
    at = replace(chosen, **{dial: value})
    spent = losses(at, 12, **how)[-1]
    assert spent <= target * (1 + 1e-9)
    if dial == "z" or chosen.sampling == "poisson":
        assert spent == pytest.approx(target, rel=1e-6)
    else:
        assert at.q * 12 == pytest.approx(round(at.q * 12))
        assert losses(replace(at, q=at.q + 1 / 12), 12, **how)[-1] > target
    if sensitivity == "paper" and chosen.sampling == "poisson":
        assert epsilon(at.q, at.z, 4, 12**-1.1, method) == pytest.approx(target, rel=1e-6)
        mark = [*measure(curve, target, 2)][-1]
        assert mark.costs == pytest.approx([SIMULATION.run(at, 12, run).simple[-1] for run in range(2)])
    (papers,) = federated_question(SIMULATION, chosen, 12, method=method, dials=(dial,)).curves
    if sensitivity == "exact" and chosen.calibration == "paper":
        assert losses(at, 12, method)[-1] > 1.1 * spent
        assert curve.high < papers.high
    else:
        assert (curve.low, curve.high) == (papers.low, papers.high)


@pytest.mark.parametrize("method", ["moments", "pld"])
def test_a_dial_s_ends_are_those_of_the_noise(method):
    curve, _ = federated_question(SIMULATION, CHOSEN, 12, method=method).curves
    most, least = (epsilon(0.3, z, 4, 12**-1.1, method) for z in (0.3, 8.0))
    assert [curve.low, curve.high] == pytest.approx([max(least, 1e-3), most])


def test_without_noise_there_is_no_rate_to_turn_and_agents_have_no_rank():
    silent = replace(CHOSEN, z=0.0)
    assert [curve.name for curve in federated_question(SIMULATION, silent, 12).curves] == ["by noise z"]
    with pytest.raises(ValueError, match="measure is 'rank'"):
        federated_question(SIMULATION, CHOSEN, 12, measure="rank")
