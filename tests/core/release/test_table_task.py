"""Tables of scores as tuning tasks: their parameters, their scores, and the sensitivity that they bring."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.release import Scores, task_from_scores

SETTINGS = tuple(
    {"C": c, "depth": d, "kernel": kernel, "seed": 7}
    for c, d, kernel in [(0.01, 1, "rbf"), (0.1, 2, "linear"), (1.0, 3, "rbf"), (10.0, 2, None)]
)
MEANS = np.array([[0.5], [0.75], [0.625], [0.25]])


def scores(settings=SETTINGS, values=MEANS, **changes):
    given = {"score_range": (0.0, 1.0), "kind": "validation", "records": 40, "decimals": "exact", **changes}
    return Scores(settings, values, **given)


def test_numbers_stay_and_other_values_are_numbered_in_their_order():
    task = task_from_scores(scores())
    assert task.names == ("C", "depth", "kernel")  # the seed never changes
    np.testing.assert_array_equal(task.parameters[:, 0], [0.01, 0.1, 1.0, 10.0])
    np.testing.assert_array_equal(task.parameters[:, 1], [1, 2, 3, 2])
    np.testing.assert_array_equal(task.parameters[:, 2], [0, 1, 0, 2])
    # Two orders of magnitude or more make a logarithmic scale.
    assert task.logarithmic == (True, False, False)
    assert not task_from_scores(scores(tuple({"C": c} for c in (0.2, 1.0, 2.0, 19.9)))).logarithmic[0]


def test_settings_that_would_be_alike_get_their_row():
    alike = ({"seed": 7}, {"seed": 7}, {"seed": 7}, {"seed": 7})
    task = task_from_scores(scores(alike))
    np.testing.assert_array_equal(task.parameters[:, 0], range(4))


@pytest.mark.parametrize("decimals", ["exact", 3])
def test_scores_and_sensitivity_are_those_of_the_table(decimals):
    table = scores(decimals=decimals)
    task = task_from_scores(table)
    np.testing.assert_allclose(task.scores, MEANS[:, 0])
    assert (task.records, task.table) == (40, table)
    assert table.sensitivity <= task.largest_loss / task.records <= table.sensitivity * (1 + 1e-9)


def test_a_smaller_score_is_better_if_the_range_falls():
    task = task_from_scores(scores(score_range=(1.0, 0.0)))
    np.testing.assert_allclose(task.scores, -MEANS[:, 0])


def test_equal_scores_are_refused():
    with pytest.raises(pb.DataError, match="same mean score"):
        task_from_scores(scores(values=np.full((4, 1), 0.5)))
