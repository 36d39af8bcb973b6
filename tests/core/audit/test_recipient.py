"""The attack on a holder: who knows all but one record, and sees all that goes out, learns what the ledger says."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

import privbo_core as pb
from privbo_core import privacy
from privbo_core.audit import Received, recipient_attack
from privbo_core.outsourced import Curator, Ledger
from privbo_core.outsourced.parties import curator
from privbo_core.privacy import gaussian_sigma
from tests.helpers.amounts import few
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, people

DELTA = 1e-5
TERMS = replace(PRIVATE, epsilon=6.0)
EPSILONS = (4.0, 6.0)
TRIALS = {1.0: few(100, 600), 0.8: few(200, 600)}
"""Of the noise that is said, and of a fifth less, which takes more to tell."""


class Kept:
    """A store that keeps the ledger as it is, so that many trials take little time."""

    def __init__(self):
        self.ledger = Ledger()
        self.read, self.alone = (lambda: self.ledger), nullcontext

    def write(self, ledger):
        """Keep this one."""
        self.ledger = ledger


def neighbours():
    """Return two tables that differ in one record by as much as is to be hidden, in inputs and outcome at once."""
    here = people(3)
    here["age"], here["height"], here["glucose"] = [60.0, 100.0, 60.0], [150.0, 150.0, 200.0], 130.0
    there = here.copy()
    there.loc[2, ["age", "height", "glucose"]] += [0.6 * 4, -0.8 * 5, 10.0]
    return here, there


def serve(table, ledgers, **how):
    """Release the table twice and answer every row."""
    holder = Curator(table, Kept())
    packages = [
        holder.release_whole(FRAME, epsilon, DELTA, outcome=OUTCOME, private=TERMS, again=True, **how)
        for epsilon in EPSILONS
    ]
    answers = {row: holder.answer(row, release=1).value for row in range(1, packages[0].rows + 1)}
    ledgers.append(holder.ledger)
    return Received(packages, answers)


@pytest.fixture(scope="module")
def received():
    """Return what went out of either table in many trials, with all the noise that was said and with a fifth less."""
    found, ledgers = {}, []
    with pytest.MonkeyPatch.context() as patch:
        for share, trials in TRIALS.items():
            rng = np.random.default_rng(round(10 * share))

            def gaussian(values, mechanism, rng=rng, share=share, **_):
                values = np.asarray(values, dtype=float)
                yield values.size, values + share * mechanism.sigma * rng.standard_normal(values.shape)

            patch.setattr(privacy.release, "gaussian", gaussian)
            patch.setattr(curator, "_shuffled", rng.permutation)
            found[share] = [[serve(table, ledgers) for _ in range(trials)] for table in neighbours()]
    return found, ledgers[-1].cost(2)


def told(here, there, mu):
    """Return how likely ratios as far off as these are, were they the log-likelihood ratios of a Gaussian of this μ.

    They are N(−μ²/2, μ²) for the one table and N(μ²/2, μ²) for the other.
    """
    law, apart = chi2(len(here) + len(there)), np.concatenate([here + mu**2 / 2, there - mu**2 / 2]) / mu
    return 2 * min(law.cdf(apart @ apart), law.sf(apart @ apart))


def attacked(received, share, *, answers):
    """Return what the attack makes of these trials on either table, of the inputs alone or of all."""
    for table, made in zip(neighbours(), received[share], strict=True):
        left = iter(made if answers else [Received(one.packages) for one in made])
        yield recipient_attack(lambda *_, left=left: next(left), *neighbours())(table, len(made), None)


def mu_of(epsilon):
    return 1.0 / gaussian_sigma(epsilon, DELTA, 1.0)


@pytest.mark.parametrize("answers", [False, True])
def test_all_that_went_out_tells_what_the_ledger_says_and_a_fifth_less_noise_is_found_out(received, answers):
    found, cost = received
    mu = mu_of(cost.both if answers else cost.inputs)
    assert told(*attacked(found, 1.0, answers=answers), mu) > 1e-3
    assert told(*attacked(found, 0.8, answers=answers), mu) < 1e-3


def test_a_ledger_of_the_larger_part_alone_is_found_out(received):
    found, cost = received
    assert told(*attacked(found, 1.0, answers=True), mu_of(max(cost.inputs, cost.outcome))) < 1e-9


def test_real_noise_tells_as_much():
    """Without a seed: that it is refused though it is right happens once in a billion runs."""
    ledgers, (here, there) = [], neighbours()
    attack = recipient_attack(lambda table, _: serve(table, ledgers), here, there)
    values = [attack(table, 20, None) for table in (here, there)]
    assert told(*values, mu_of(ledgers[-1].cost(2).both)) > 1e-9


def test_an_attack_that_cannot_be_is_one_sentence():
    here, there = neighbours()
    holder = Curator(here, Kept())
    package = holder.release_whole(FRAME, 1.0, DELTA, outcome=OUTCOME)
    answers = {1: holder.answer(1).value}
    for words, received, table in (
        ("Answers are exact", Received([package], answers), there),
        ("3 rows and the table 2", Received([package]), there.iloc[:2]),
    ):
        attack = recipient_attack(lambda *_: received, here, table)  # noqa: B023
        with pytest.raises(pb.DataError, match=words):
            attack(here, 1, np.random.default_rng(0))
    alone = recipient_attack(lambda *_: Received([package]), here, there)
    assert np.isfinite(alone(here, 2, np.random.default_rng(0))).all()
