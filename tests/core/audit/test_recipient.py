"""The attack on a holder: who knows all but one record, and sees all that goes out, learns what the ledger says."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core import privacy
from privbo_core.audit import Received, gaussian_lower_bound, recipient_attack
from privbo_core.outsourced import Curator, Ledger
from privbo_core.outsourced.parties import curator
from tests.helpers.amounts import few
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, people

DELTA = 1e-5
TERMS = replace(PRIVATE, epsilon=6.0)
EPSILONS = (4.0, 6.0)
TRIALS = few(400, 600)


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
        for share in (1.0, 0.8):
            rng = np.random.default_rng(round(10 * share))

            def gaussian(values, mechanism, rng=rng, share=share, **_):
                values = np.asarray(values, dtype=float)
                yield values.size, values + share * mechanism.sigma * rng.standard_normal(values.shape)

            patch.setattr(privacy.release, "gaussian", gaussian)
            patch.setattr(curator, "_shuffled", rng.permutation)
            found[share] = [[serve(table, ledgers) for _ in range(TRIALS)] for table in neighbours()]
    return found, ledgers[-1].cost(2)


def lower_bound(received, share, *, answers, confidence=0.95):
    """Return what the attack shows with these trials, of the inputs alone or of all."""
    here, there = neighbours()
    left = {id(table): iter(made) for table, made in zip((here, there), received[share], strict=True)}

    def again(table, rng):
        one = next(left[id(table)])
        return one if answers else Received(one.packages)

    attack = recipient_attack(again, here, there)
    return gaussian_lower_bound(attack, here, there, DELTA, TRIALS, confidence, np.random.default_rng(0))


@pytest.mark.parametrize("answers", [False, True])
def test_all_that_went_out_stays_within_the_ledger(received, answers):
    found, cost = received
    claim = cost.both if answers else cost.inputs
    bound = lower_bound(found, 1.0, answers=answers)
    assert bound.could_refute(claim)
    assert 0.7 * claim < bound.epsilon <= claim


@pytest.mark.parametrize("answers", [False, True])
def test_a_fifth_less_noise_than_the_ledger_says_is_found_out(received, answers):
    found, cost = received
    bound = lower_bound(found, 0.8, answers=answers)
    assert bound.verdict(cost.both if answers else cost.inputs) == "refuted"


def test_a_ledger_of_the_larger_part_alone_is_found_out(received):
    found, cost = received
    assert max(cost.inputs, cost.outcome) < lower_bound(found, 1.0, answers=True).epsilon


def test_real_noise_tells_no_more_either():
    """Few trials, without a seed: that they refute what holds happens once in a million runs."""
    ledgers, (here, there) = [], neighbours()
    attack = recipient_attack(lambda table, _: serve(table, ledgers), here, there)
    bound = gaussian_lower_bound(attack, here, there, DELTA, 40, 1 - 1e-6, np.random.default_rng(0))
    assert bound.verdict(ledgers[-1].cost(2).both) == "not refuted"
    values = {name: attack(table, 20, np.random.default_rng(0)) for name, table in (("here", here), ("there", there))}
    # 2μ²/2 apart with s.d. μ, and μ is about 2: they are told apart far better than by a coin.
    assert values["there"].mean() > values["here"].mean()


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
