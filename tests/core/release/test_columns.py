"""What a table of scores publishes beside the setting that was drawn: nothing that was computed from the records."""

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.audit.release import ChoiceLoss
from privbo_core.release import publish_best, read_scores

EPSILON = 1.0


def leaderboard(right, extra="mean score"):
    """Return what a tool writes for three settings whose 50 records are told right so often, the best row first."""
    table = pd.DataFrame({"C": [0.1, 1.0, 10.0], "score": np.array(right) / 50, extra: np.array(right) * 0.37})
    return table.sort_values("score", ascending=False)


def read(table, **options):
    return read_scores(table, **{"score_range": (0, 1), "records": 50, "decimals": "exact", **options})


@pytest.mark.parametrize("as_file", [False, True])
def test_a_column_that_nobody_named_is_never_published(as_file):
    """A mean score or a training time went out exactly, so that one record was told from another with certainty."""
    tables = [leaderboard(right) for right in ([30, 40, 41], [30, 41, 40])]
    given = [table.to_csv().encode() if as_file else table for table in tables]
    for each in given:
        with pytest.raises(pb.DataError, match="parameters is missing"):
            read(each)
    here, there = (read(each, parameters=["C"]) for each in given)
    for scores in (here, there):
        assert all(set(setting) == {"C"} for setting in scores.settings)
        assert "C" in " ".join(scores.guarantee(1.0).in_full)
        found = publish_best(scores, EPSILON, score_share=0.5)
        assert set(vars(found)) == {"setting", "score", "half_width", "guarantee"}
        assert set(found.setting) == {"C"}


def test_the_order_of_rows_is_not_published():
    """Of a table that is sorted by score, the number of the row that was drawn is the setting's rank."""
    here, there = (read(leaderboard(right), parameters=["C"]) for right in ([30, 40, 41], [30, 41, 40]))
    assert here.settings != there.settings
    assert not hasattr(publish_best(here, EPSILON), "row")

    def chances(scores):
        drawn = scores.choice(EPSILON).probabilities
        return {setting["C"]: chance for setting, chance in zip(scores.settings, drawn, strict=True)}

    one, other = chances(here), chances(there)
    assert max(abs(np.log(one[C]) - np.log(other[C])) for C in one) <= EPSILON


def test_only_the_parameters_of_a_tool_are_published():
    """The times and mean scores that stand beside them in the same file are computed from the records."""
    grid = pd.DataFrame(
        {
            "mean_fit_time": [0.1, 0.2], "param_C": [1.0, 2.0], "param_kernel": ["rbf", "poly"],
            "split0_test_score": [0.5, 0.75], "mean_test_score": [0.5, 0.75], "rank_test_score": [2, 1],
        }
    )  # fmt: skip
    study = pd.DataFrame(
        {
            "number": [0, 1], "value": [0.5, 0.75], "duration": [0.1, 0.2], "params_C": [1.0, 2.0],
            "params_kernel": ["rbf", "poly"], "user_attrs_note": ["a", "b"], "state": ["COMPLETE"] * 2,
        }
    )  # fmt: skip
    for table, said in ((grid, {}), (study, {"sampler": "random"})):
        for given in (table, table.to_csv().encode(), table.to_csv(index=False, sep=";", decimal=",").encode()):
            assert read(given, **said).settings == ({"C": 1.0, "kernel": "rbf"}, {"C": 2.0, "kernel": "poly"})
            assert read(given, parameters=["C"], **said).settings == ({"C": 1.0}, {"C": 2.0})
            assert read(given, parameters="C", **said).means == pytest.approx([0.5, 0.75])
            with pytest.raises(pb.DataError, match="No parameter is called 'mean_fit_time'"):
                read(given, parameters=["mean_fit_time"], **said)


def test_a_score_is_no_parameter():
    table = pd.DataFrame({"C": [1, 2], "part 1": [0.1, 0.2], "part 2": [0.3, 0.4]})
    with pytest.raises(pb.DataError, match="parameters names the column of scores 'part 1'"):
        read_scores(table, score_range=(0, 1), parameters=["C", "part 1"])


@pytest.mark.parametrize("written", ["failed", "0,9", "1e400", "", "nan", "1_0", "0x1", "٣", "1.2.3", '"'])
@pytest.mark.parametrize("as_file", [False, True])
def test_a_score_written_differently_changes_one_part(written, as_file):
    """No refusal and no other number depends on how one record's scores are written."""
    rng = np.random.default_rng(0)
    here = pd.DataFrame({"C": range(4), **{f"part {part}": rng.random(4).round(3) for part in range(5)}}).astype(object)
    there = here.copy()
    there["part 3"] = written
    given = [each.to_csv(index=False).encode() if as_file else each for each in (here, there)]
    one, other = (read_scores(each, score_range=(0, 1), parameters=["C"]) for each in given)
    assert np.flatnonzero((one.bounded != other.bounded).any(axis=0)).tolist() == [3]
    assert one.settings == other.settings
    loss = ChoiceLoss.of(one.choice(EPSILON), other.choice(EPSILON), EPSILON)
    assert loss.epsilon <= EPSILON * (1 + 1e-9)


def test_a_file_that_is_no_table_gets_a_sentence():
    for content in (b"", b"C,score\n1,2,3\n1,2,3,4,5\n", b"\x00\xff\xfe", b"C;part 1;part 2\n"):
        with pytest.raises(pb.DataError):
            read(content, parameters=["C"])
