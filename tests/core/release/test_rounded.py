"""Means that were rounded before they reached the table: each pair of neighbours keeps ε, or the call is refused."""

import math

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.audit.release import ChoiceLoss
from privbo_core.release import Scores, Unscored, read_scores, tries_guarantee
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

EPSILON = 1.0
SETTINGS = ({"C": 1}, {"C": 2})


def exact_epsilon(here, there, epsilon=EPSILON):
    """Return the exact ε at which the draws from two tables of scores tell neighbours apart, in either direction."""
    losses = (
        ChoiceLoss.of(*(each.choice(epsilon) for each in pair), epsilon) for pair in ((here, there), (there, here))
    )
    return max(loss.epsilon for loss in losses)


@pytest.mark.parametrize("decimals", [None, 3])
def test_one_record_at_the_edge_of_two_rounded_means(decimals):
    """One record of 10,000 moves the mean of one setting up and of the other down, each across an edge of rounding."""
    right = np.array([[8505, 8506], [8506, 8505]]) / 10_000
    tables = [pd.DataFrame({"C": [1, 2], "score": np.round(each - 1e-9, 3)}) for each in right]
    if decimals is None:
        for each in tables:
            with pytest.raises(pb.DataError, match="decimals is missing"):
                read_scores(each, score_range=(0, 1), parameters=["C"], records=10_000)
        return
    here, there = (
        read_scores(each, score_range=(0, 1), parameters=["C"], records=10_000, decimals=decimals) for each in tables
    )
    assert exact_epsilon(here, there) <= EPSILON


ROUNDED = {
    "to nearest": np.rint,
    "half up": lambda units: np.floor(units + 0.5),
    "down": np.floor,
    "up": np.ceil,
    "towards 0": np.trunc,
}


def near_edges(rng, settings, records, unit, mode):
    """Return sums over records, each of which one record can carry across an edge of the rounding of their mean."""
    edge = 0.5 if mode in ("to nearest", "half up") else 0.0
    sums = np.rint((rng.integers(1, round(1 / unit), settings) + edge) * unit * records)
    return np.clip(sums - rng.integers(0, 2, settings), 0, records - 1)


@pytest.mark.parametrize("mode", ROUNDED)
@pytest.mark.parametrize("kind", ["validation", "folds"])
def test_no_record_moves_rounded_means_beyond_the_sensitivity(kind, mode):
    """Among random pairs at the edges of rounding are some that cost nearly all of ε."""
    rng = np.random.default_rng([len(kind), len(mode)])
    worst = 0.0
    for _ in range(few(60, 600)):
        decimals, records = int(rng.integers(1, 4)), int(rng.integers(5, 30_000))
        unit, settings = 10.0**-decimals, int(rng.integers(2, 7))
        low, width = float(rng.choice([0.0, -1.0])), float(rng.choice([1.0, 2.0]))
        sums = near_edges(rng, settings, records, unit / width, mode)
        change = rng.choice([-1.0, 0.0, 1.0], settings)
        columns = 1 if kind == "validation" else 3
        tables = []
        for each in (sums, np.clip(sums + change, 0, records)):
            means = np.full((settings, columns), low)
            means[:, 0] = np.clip(ROUNDED[mode]((low + width * each / records) / unit) * unit, low, low + width)
            names = tuple({"C": number} for number in range(settings))
            tables.append(Scores(names, means, (low, low + width), kind, records, decimals=decimals))
        assert np.abs(tables[0].means - tables[1].means).max() <= tables[0].sensitivity
        worst = max(worst, exact_epsilon(*tables))
    assert 0.75 * EPSILON < worst <= EPSILON * (1 + 1e-9)


def test_rounded_repeats_are_averaged_within_the_sensitivity():
    right = {"here": [8505, 8506], "there": [8506, 8505]}
    scored = []
    for counts in right.values():
        rows = [(setting, np.round(count / 10_000 - 1e-9, 3)) for setting, count in enumerate(counts) for _ in range(7)]
        table = pd.DataFrame(rows, columns=["C", "score"])
        scored.append(read_scores(table, score_range=(0, 1), parameters=["C"], records=10_000, decimals=3))
    assert exact_epsilon(*scored) <= EPSILON


def test_whether_means_are_refused_depends_on_the_statement_alone():
    """A refusal that looked at digits would tell neighbours apart with certainty."""
    for values in ([[0.5], [0.25]], [[0.123456789], [0.987654321]], [[0.0], [1.0]]):
        with pytest.raises(pb.DataError, match="decimals is missing"):
            Scores(SETTINGS, np.array(values), (0, 1), "validation", 50)
        for stated in (0, 1, 12, "exact"):
            Scores(SETTINGS, np.array(values), (0, 1), "validation", 50, decimals=stated)


def test_a_column_of_one_record_or_part_needs_no_statement():
    """It may be rounded as it will: it moves the mean by no more than the whole range of that column."""
    for kind in ("validation", "parts"):
        scores = Scores(SETTINGS, np.array([[0.3, 0.7], [0.1, 0.2]]), (0, 1), kind)
        assert scores.sensitivity == pytest.approx(0.5)


@pytest.mark.parametrize("decimals", [0, 1, 3, 8])
def test_a_unit_of_the_last_decimal_is_added(decimals):
    means = np.array([[0.0], [1.0]])
    scores = Scores(SETTINGS, means, (0, 1), "validation", 400, decimals=decimals)
    assert scores.sensitivity == pytest.approx(min(1.0, 1 / 400 + 10.0**-decimals))
    assert any(f"{decimals} decimals" in each for each in scores.guarantee(1.0).in_full)
    table = pd.DataFrame({"C": [1.0, 2.0], "score": means[:, 0]})
    task = pb.data.task_from_table(table, ["C"], "score", records=400, decimals=decimals)
    assert task.largest_loss / task.records == pytest.approx(1 / 400 + 10.0**-decimals)


def test_tries_take_means_only_with_a_statement():
    coarse = Unscored(SETTINGS, lambda setting: 0.851, (0.0, 1.0), shares=10_000, decimals=3)
    assert coarse.terms.sensitivity == pytest.approx(1e-4 + 1e-3)
    assert coarse.above({"C": 1}) == pytest.approx(0.851)
    assert any("3 decimals" in each for each in tries_guarantee(coarse, 1.0).in_full)
    silent = Unscored(SETTINGS, lambda setting: 0.851, (0.0, 1.0), shares=10_000)
    assert silent.terms.sensitivity == pytest.approx(1e-4)
    with pytest.raises(pb.DataError, match="or their mean if decimals says"):
        silent.above({"C": 1})


test_unusable_decimals_are_refused = refusals(
    *((each, "decimals is") for each in (-1, 2.5, "three", math.nan, math.inf)),
    act=lambda each: Scores(SETTINGS, np.full((2, 1), 0.5), (0, 1), "validation", 50, decimals=each),
    error=ValueError,
)
