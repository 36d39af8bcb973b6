"""The attack on a holder: who knows all but one record and sees all that goes out learns no more than the ledger says."""

from dataclasses import replace

import numpy as np
import pytest
from holding import FRAME, OUTCOME, PRIVATE, held, people, released

import privbo_core as pb
from privbo_core import privacy
from privbo_core.audit import Received, gaussian_lower_bound, recipient_attack

DELTA = 1e-5
TERMS = replace(PRIVATE, epsilon=4.0)


def neighbours():
    """Return two tables that differ in one record, by as much as is to be hidden: of the inputs together, and more."""
    here = people(4)
    here["age"], here["height"], here["glucose"] = [60.0, 100.0, 60.0, 100.0], [150.0, 150.0, 200.0, 200.0], 130.0
    there = here.copy()
    there.loc[2, ["age", "height", "glucose"]] += [0.6 * 4, 0.8 * 5, 10.0]
    return here, there


def serving(ledgers, *, epsilons=(3.0, 5.0), asks=True):
    """Return a holder of whatever table who releases it again and again and answers every row of the first release."""

    def serve(table, rng):
        curator = held(table)
        packages = [released(curator, epsilon, private=TERMS, again=True) for epsilon in epsilons]
        answers = {row: curator.answer(row, release=1).value for row in range(1, 5)} if asks else {}
        ledgers.append(curator.ledger)
        return Received(packages, answers)

    return serve


@pytest.fixture
def simulated(monkeypatch):
    """Return a switch that makes noise repeatable, and smaller or larger than it was said to be."""

    def switch(seed, share=1.0):
        rng = np.random.default_rng(seed)

        def gaussian(values, mechanism, **_):
            values = np.asarray(values, dtype=float)
            yield values.size, values + share * mechanism.sigma * rng.standard_normal(values.shape)

        monkeypatch.setattr(privacy.release, "gaussian", gaussian)

    return switch


def attacked(trials, confidence=0.95, **how):
    """Return the lower bound that the attack shows, and the ledger of the last trial."""
    ledgers, (here, there) = [], neighbours()
    attack = recipient_attack(serving(ledgers, **how), here, there)
    bound = gaussian_lower_bound(attack, here, there, DELTA, trials, confidence, np.random.default_rng(0))
    return bound, ledgers[-1]


@pytest.mark.parametrize("asks", [False, True])
def test_all_that_went_out_stays_within_the_ledger(simulated, asks):
    simulated(1)
    bound, ledger = attacked(1000, asks=asks)
    cost = ledger.cost()
    assert cost.both > cost.inputs if asks else cost.both == cost.inputs
    print(bound.epsilon, cost)
    assert bound.could_refute(2 * cost.both)
    assert 0.8 * cost.both < bound.epsilon <= cost.both


@pytest.mark.parametrize("asks", [False, True])
def test_a_fifth_less_noise_than_the_ledger_says_is_found_out(simulated, asks):
    simulated(2, share=0.8)
    bound, ledger = attacked(1000, asks=asks)
    print(bound.epsilon, ledger.cost())
    assert bound.verdict(ledger.cost().both) == "refuted"
