"""What one record can move, tried through tables of scores: the exact probabilities of neighbours never part more."""

import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.audit.release import ChoiceLoss
from privbo_core.privacy import Status
from privbo_core.release import Scores
from privbo_core.release.studies import records_of
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

WAYS = ["exponential", "permute-and-flip"]
EPSILON = 1.3


def table(rng, settings, records):
    """Return scores of each record that lie in [−1, 3], many of them at its ends and many alike."""
    drawn = rng.uniform(-1, 3, (settings, records))
    return np.where(rng.random(drawn.shape) < rng.choice([0.0, 0.5, 1.0]), rng.choice([-1.0, 3.0], drawn.shape), drawn)


def another(rng, column):
    """Return what one record may be instead: anything, the opposite, or all against one."""
    first = np.arange(len(column)) == rng.integers(len(column))
    ways = rng.uniform(-1, 3, len(column)), 2.0 - column, np.where(first, 3.0, -1.0), np.where(first, -1.0, 3.0)
    return ways[rng.integers(4)]


def scored(kind, values, between=(-1.0, 3.0)):
    """Return `Scores` of a table of each record's score."""
    settings, records = tuple({"C": number} for number in range(len(values))), values.shape[1]
    if kind == "means":
        return Scores(
            settings, values.mean(axis=1, keepdims=True), between, "validation", records=records, decimals="exact"
        )
    if kind == "folds":
        means = np.column_stack([part.mean(axis=1) for part in np.array_split(values, 3, axis=1)])
        return Scores(
            settings, means, between, "folds", records=records_of("folds", 3, records, each=False), decimals="exact"
        )
    return Scores(settings, values, between, "validation" if kind == "records" else "parts")


def neighbours(kind, rng):
    """Return two tables in which one record (or, for parts, all that one part says) differs."""
    here = table(rng, 30 if kind == "worst" else int(rng.integers(2, 7)), int(rng.integers(3, 12)))
    there, column = here.copy(), rng.integers(here.shape[1])
    there[:, column] = another(rng, here[:, column])
    if kind == "worst":  # all others alike, and one record against or for one setting alone
        here[:], there[:] = 1.0, 1.0
        here[:, column], there[:, column] = -1.0, 3.0
        here[0, column], there[0, column] = 3.0, -1.0
    return here, there


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["means", "records", "folds", "parts"])
def test_no_record_moves_the_probabilities_beyond_epsilon(kind, way):
    rng = np.random.default_rng([WAYS.index(way), len(kind)])
    worst = 0.0
    for trial in range(few(50, 600)):
        tables = neighbours("worst" if trial % 10 == 0 else kind, rng)
        here, there = (scored(kind, values) for values in tables)
        assert np.abs(here.means - there.means).max() <= here.sensitivity * (1 + 1e-9)
        loss = ChoiceLoss.of(here.choice(EPSILON, way), there.choice(EPSILON, way), EPSILON)
        assert loss.delta <= 1e-12
        worst = max(worst, loss.epsilon)
    assert 0.75 * EPSILON < worst <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize("kind", ["records", "parts"])
@pytest.mark.parametrize("said", [math.nan, math.inf, -1e300])
def test_impossible_scores_move_no_more_than_others(kind, said):
    rng = np.random.default_rng(1)
    for _ in range(30):
        here = table(rng, 4, 5)
        there = here.copy()
        there[rng.random(4) < 0.7, 2] = said
        one, other = scored(kind, here), scored(kind, there)
        assert np.abs(one.means - other.means).max() <= one.sensitivity * (1 + 1e-9)
        loss = ChoiceLoss.of(one.choice(EPSILON), other.choice(EPSILON), EPSILON)
        assert loss.epsilon <= EPSILON * (1 + 1e-9)


@pytest.mark.parametrize(
    ("kind", "offset"), [("parts", 0.0), *((kind, 1e12) for kind in ("parts", "means", "folds")), ("parts", 1e15)]
)
def test_a_range_far_from_zero_costs_no_more(kind, offset, monkeypatch):
    """As means were taken before the low end came off, it did: 12.5 at 10¹⁵ where 1 was said."""

    def worst():
        rng, losses = np.random.default_rng(1), []
        for _ in range(few(100, 300)):
            here = offset + rng.random((8, 100))
            there, first, record = here.copy(), np.arange(8) == rng.integers(8), rng.integers(34, 100)
            here[:, record], there[:, record] = offset + first, offset + ~first
            drawn = (scored(kind, each, (offset, offset + 1.0)).choice(EPSILON) for each in (here, there))
            losses.append(ChoiceLoss.of(*drawn, EPSILON).epsilon)
        return max(losses)

    assert worst() <= EPSILON * (1 + 1e-9)
    with monkeypatch.context() as patched:
        patched.setattr(Scores, "above", property(lambda self: self.bounded.mean(axis=1) - self.low))
        patched.setattr(Scores, "sensitivity", property(lambda self: (self.high - self.low) / self.shares))
        assert (worst() > EPSILON * (1 + 1e-6)) == (offset > 0)


def test_a_record_of_the_smallest_fold_counts_most():
    values = np.zeros((2, 11))
    moved = values.copy()
    moved[0, -1] = 1.0  # array_split makes folds of 4, 4 and 3
    here, there = (scored("folds", rows, (0.0, 1.0)) for rows in (values, moved))
    assert there.means[0] - here.means[0] == pytest.approx(1 / 9) == pytest.approx(here.sensitivity)


def test_sensitivities_are_the_range_over_the_shares():
    settings = ({"C": 1}, {"C": 2})
    one, five = np.full((2, 1), 0.5), np.full((2, 5), 0.5)
    assert Scores(settings, one, (0, 1), "validation", records=400, decimals="exact").sensitivity == pytest.approx(
        1 / 400
    )
    assert Scores(settings, five, (0, 1), "validation").sensitivity == pytest.approx(1 / 5)
    assert Scores(settings, five, (0, 2), "folds", records=80, decimals="exact").sensitivity == pytest.approx(2 / 400)
    assert Scores(settings, five, (0, 2), "parts", records=80).sensitivity == pytest.approx(2 / 5)


@pytest.mark.parametrize("way", WAYS)
def test_where_smaller_is_better_the_smaller_is_likelier(way):
    losses = np.array([[0.9, 0.8], [0.1, 0.2], [0.5, 0.5]])
    down = Scores(({"C": 1}, {"C": 2}, {"C": 3}), losses, (1.0, 0.0), "parts")
    up = Scores(({"C": 1}, {"C": 2}, {"C": 3}), 1.0 - losses, (0.0, 1.0), "parts")
    assert np.argmax(down.choice(5.0, way).probabilities) == 1
    assert down.choice(5.0, way).probabilities == pytest.approx(up.choice(5.0, way).probabilities)


def test_a_missing_score_counts_as_the_worst_end_of_the_range():
    values = np.array([[np.nan, 0.3], [0.2, 0.3]])
    settings = ({"C": 1}, {"C": 2})
    up, down = Scores(settings, values, (0.0, 1.0), "parts"), Scores(settings, values, (1.0, 0.0), "parts")
    assert (up.bounded[0, 0], down.bounded[0, 0]) == (0.0, 1.0)
    assert (up.moved, down.moved) == (1, 1)


def test_guarantees_of_parts_folds_and_validation_sets():
    def made(kind, **more):
        return Scores(({"C": 1}, {"C": 2}), np.full((2, 5), 0.123), (0, 1), kind, **more)

    for kind in ("parts", "validation"):
        assert made(kind).guarantee(1.0).status is Status.PROVED
    under = made("parts", conditions=("It rains.",)).guarantee(1.0)
    folds = made("folds", records=40, decimals="exact").guarantee(0.5)
    assert {each.status for each in (under, folds)} == {Status.UNMET}
    assert "It rains." in under.conditions[-1].in_full
    # Of folds it is said what is left once training counts: 0.5 · 200 records.
    assert any("ε = 100." in sentence for sentence in folds.in_full)
    assert "not in the training" in folds.protects
    assert "0.123" not in repr(made("parts"))


USUAL = {"settings": ({"C": 1}, {"C": 2}), "values": np.zeros((2, 5)), "score_range": (0.0, 1.0), "kind": "parts"}
test_unusable_scores_are_refused = refusals(
    ({"kind": "loo"}, "kind is 'loo'"),
    ({"settings": ({"C": 1},)}, "A row for each of the 1 settings"),
    ({"settings": ({"C": 1},), "values": np.zeros((1, 5))}, "at least two"),
    ({"values": np.zeros((2, 1))}, "at least two, because a mean alone"),
    ({"values": np.zeros((2, 1)), "kind": "folds"}, "at least two, because a mean alone"),
    ({"kind": "validation", "records": 7}, "k-fold scores are kind='folds'"),
    ({"score_range": (0.0, math.inf)}, "two different finite numbers"),
    ({"score_range": (1.0, 1.0)}, "two different finite numbers"),
    ({"kind": "folds", "records": 9}, "decimals is missing"),
    ({"decimals": "few"}, "decimals is 'few'"),
    ({"decimals": -1}, "decimals is -1"),
    ({"kind": "folds", "records": 0}, "records is 0"),
    (
        {"kind": "folds", "records": 9, "decimals": "exact", "values": np.full((2, 5), 1.5)},
        "0 has a score in column 0 that lies",
    ),
    ({"kind": "folds", "records": 9, "decimals": 3, "values": np.full((2, 5), np.nan)}, "depend on the records"),
    act=lambda change: Scores(**{**USUAL, **change}),
    error=(ValueError, pb.DataError),
)
