"""The best of a random number of tries, drawn for real: its chances, its calls, its guarantee."""

import math
from functools import cache

import numpy as np
import pytest
from scipy.special import ndtri

import privbo_core as pb
from privbo_core.privacy import Status
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial, noise_for_tries
from privbo_core.release import Scores, Unscored, best_of_tries, publish_tries, tries_guarantee
from privbo_core.release.publish import draw_number
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

GEOMETRIC = TruncatedNegativeBinomial.of_mean(1.0, 3.0)
MEANS = (0.2, 0.5, 0.9)
SETTINGS = tuple({"C": number} for number in range(3))


def unscored(score=lambda setting: MEANS[setting["C"]], settings=SETTINGS, shares=10, **more):
    return Unscored(settings, score, **{"score_range": (0.0, 1.0), "shares": shares, "decimals": "exact", **more})


def table(**more):
    values = np.array(MEANS)[:, None]
    return Scores(
        SETTINGS,
        values,
        **{"score_range": (0.0, 1.0), "kind": "validation", "records": 10, "decimals": "exact", **more},
    )


@pytest.mark.parametrize(("kind", "tries"), [("unscored", GEOMETRIC), ("table", PoissonTries(2.0))])
def test_published_settings_follow_the_exact_chances(kind, tries, monkeypatch):
    monkeypatch.setattr("privbo_core.release.publish.noise_for_tries", cache(noise_for_tries))
    called, draws, epsilon = [], few(300, 800), 4.0
    plan = best_of_tries(MEANS, records=10, epsilon=epsilon, tries=tries)
    counted = unscored(lambda setting: called.append(setting["C"]) or MEANS[setting["C"]])
    found = [publish_tries(counted if kind == "unscored" else table(), epsilon, tries=tries) for _ in range(draws)]
    counts = np.bincount([each.setting["C"] for each in found if each], minlength=3)
    error = np.sqrt(plan.probabilities * (1 - plan.probabilities) / draws)
    assert (np.abs(counts / draws - plan.probabilities) < 4.5 * error).all()
    scores = [each.score for each in found if each]
    assert len(set(scores)) == len(scores)
    assert all(each.half_width == pytest.approx(ndtri(0.975) * plan.sigma) for each in found if each)
    if kind == "unscored":
        spread = math.sqrt(6.0 / draws)  # a geometric number of mean 3 has variance 6
        assert abs(len(called) / draws - 3.0) < 4.5 * spread
        shares = np.bincount(called) / len(called)
        assert np.abs(shares - 1 / 3).max() < 4.5 * math.sqrt(2 / 9 / len(called))


def test_every_number_has_its_chance():
    numbers = [0] * few(2000, 4000)
    for run in range(len(numbers)):
        numbers[run] = draw_number(GEOMETRIC)
    chances = GEOMETRIC.probabilities[:6]
    shares = np.bincount(numbers, minlength=7)[1:7] / len(numbers)
    assert (np.abs(shares - chances) < 4.5 * np.sqrt(chances * (1 - chances) / len(numbers))).all()


def test_a_smaller_score_is_better_where_the_range_says_so():
    lost = unscored(lambda setting: 100.0 * (1 - MEANS[setting["C"]]), score_range=(100.0, 0.0), shares=10**6)
    many = TruncatedNegativeBinomial.of_mean(30.0, 60.0)  # hardly ever fewer than 30
    found = publish_tries(lost, 8.0, tries=many)
    assert found.setting == {"C": 2}
    assert found.score == pytest.approx(10.0, abs=0.1)


def test_settings_may_be_without_end():
    met = []
    candidates = unscored(lambda setting: met.append(setting["C"]) or 0.5, lambda dice: {"C": dice.random()})
    found = [publish_tries(candidates, 2.0, tries=GEOMETRIC) for _ in range(20)]
    assert {each.setting["C"] for each in found} <= set(met)
    assert len(set(met)) == len(met)
    assert min(met) < 0.5 < max(met)


def test_scores_of_records_are_clipped_and_averaged():
    per_record = np.array([0.0, 1.0, 0.5, np.nan, 7.0])
    assert unscored(lambda setting: per_record, shares=5).above({"C": 0}) == pytest.approx((0 + 1 + 0.5 + 0 + 1) / 5)
    assert unscored(lambda setting: 0.5, shares=5).above({"C": 0}) == 0.5
    assert unscored(shares=5).terms.sensitivity == table(records=5).sensitivity == pytest.approx(0.2)
    parts = unscored(lambda setting: per_record, shares=5, kind="parts")
    assert parts.above({"C": 0}) == pytest.approx(0.5)
    assert parts.terms.sensitivity == pytest.approx(0.2)


def test_every_try_has_its_own_noise(monkeypatch):
    noted, given = [], iter([0.3, 0.8, 0.6])

    def noisy(values, sensitivity, multiplier):
        noted.append((float(values[0]), sensitivity * multiplier))
        return np.array([next(given)])

    monkeypatch.setattr(pb.privacy.release, "noisy", noisy)
    monkeypatch.setattr(PoissonTries, "draw", lambda self, size, rng: np.array([3]))
    tries = PoissonTries(3.0)
    found = publish_tries(unscored(lambda setting: 0.5), 1.0, tries=tries, delta=1e-6)
    z = noise_for_tries(tries, 1.0, 1e-6)
    assert noted == [(0.5, pytest.approx(z / 10))] * 3
    assert found.score == 0.8
    assert set(vars(found)) == {"setting", "score", "half_width", "guarantee"}


def test_what_is_promised_is_what_was_asked_for():
    found = publish_tries(unscored(), 2.0, tries=GEOMETRIC, delta=1e-6)
    promise = found.guarantee
    assert promise == tries_guarantee(unscored(), 2.0, 1e-6)
    assert (promise.epsilon, promise.delta, promise.status) == (2.0, 1e-6, Status.PROVED)
    assert promise.protects == "each record of the validation set"
    assert any("number of tries" in each for each in promise.in_full)
    parts = tries_guarantee(unscored(lambda setting: [0.5] * 10, kind="parts"), 2.0)
    assert parts.protects == "each record, in training and in scoring"
    assert parts.status is Status.PROVED
    assert tries_guarantee(table(), 2.0).status is Status.PROVED


FOLDS = Scores(SETTINGS, np.full((3, 5), 0.5), (0.0, 1.0), "folds", records=2, decimals="exact")


test_unusable_input_is_refused = refusals(
    (lambda: unscored(settings=()), "settings is empty"),
    (lambda: unscored(shares=0), "shares is 0"),
    (lambda: unscored(kind="folds"), "kind is 'folds'"),
    (lambda: unscored(score_range=(1.0, 1.0)), "score_range is"),
    (lambda: unscored(lambda setting: [0.5, 0.5]).above({}), "It must return 10 scores, or their mean"),
    (lambda: unscored(decimals=None).above(SETTINGS[0]), "10 scores, or their mean if decimals says"),
    (lambda: unscored(lambda setting: 0.5, kind="parts").above({}), "It must return 10 scores[.]"),
    (lambda: unscored(lambda setting: 1.5).above({}), "outside score_range"),
    (lambda: publish_tries(FOLDS, 1.0, tries=GEOMETRIC), "scores are of folds"),
    (lambda: publish_tries(unscored(), 0.0, tries=GEOMETRIC), "epsilon is 0"),
    (lambda: publish_tries(unscored(), 1.0, tries=GEOMETRIC, delta=1.0), "delta is 1"),
    error=(ValueError, pb.DataError),
)
