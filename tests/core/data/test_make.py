"""From a table to a problem, and from the problem's numbers back to the table's."""

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from tests.helpers.numbers import numbers
from tests.helpers.refusing import refusals


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame(
        {
            "age": rng.normal(50, 10, n),
            "income": rng.uniform(1e4, 1e5, n),
            "sex": rng.choice(["F", "M", "X"], n, p=[0.5, 0.3, 0.2]),
            "seen": pd.date_range("2020-01-01", periods=n).strftime("%Y-%m-%d"),
        }
    )
    frame["cost"] = np.exp(np.sin(frame.age / 8) + 0.01 * rng.standard_normal(n))
    return frame


def quick(frame, inputs, output, **options):
    cleaned = pb.data.clean(frame, inputs, output, **options)
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned))


@pytest.mark.parametrize("maximize", [True, False])
@pytest.mark.parametrize("log_output", [True, False])
def test_every_number_leads_back_to_the_table(table, maximize, log_output):
    table.loc[[4, 9], "age"] = np.nan
    problem = quick(table, ["age", "income"], "cost", maximize=maximize, log_output=log_output)
    preparation = problem.preparation
    kept = table.iloc[preparation.rows]
    np.testing.assert_allclose(preparation.to_original(problem.points), kept[["age", "income"]])
    np.testing.assert_allclose(preparation.to_points(kept[["age", "income"]]), problem.points, atol=1e-9)
    np.testing.assert_allclose(preparation.output(problem.objective), kept["cost"])
    best = kept["cost"].max() if maximize else kept["cost"].min()
    assert preparation.output(problem.objective.max()) == pytest.approx(best)
    # A regret is the distance to the best in the output's own terms: an amount, or under the logarithm a factor.
    regret = preparation.output_difference(problem.objective.max() - problem.objective)
    expected = np.exp(np.abs(np.log(kept["cost"] / best))) if log_output else np.abs(kept["cost"] - best)
    np.testing.assert_allclose(regret, expected, atol=1e-9)
    # One unit of distance is unit_distance[j] of column j alone.
    for j in range(2):
        moved = np.array([50.0, 5e4])
        moved[j] += problem.unit_distance[j]
        step = preparation.to_points(moved) - preparation.to_points([50.0, 5e4])
        assert np.linalg.norm(step) == pytest.approx(1.0)


def test_the_problem_is_normalised_as_in_the_paper(table):
    cleaned = pb.data.clean(table, ["age", "income"], "cost", log_output=True)
    *_, last = pb.data.fitting(cleaned)
    problem = pb.data.finish(cleaned, last.best)
    np.testing.assert_allclose(problem.points.mean(axis=0), 0, atol=1e-9)
    assert np.linalg.norm(problem.points, axis=1).max() == pytest.approx(25.0)
    assert problem.kernel.variance <= 1.0
    # ARD: cost depends on age by a sine of period 50 and not on income at all, and the fit says so.
    deviations = problem.preparation.lengthscales / table[["age", "income"]].std()
    assert deviations["age"] < 3 < deviations["income"]
    assert any("'income' hardly changes" in warning for warning in problem.preparation.warnings)
    # The kernel in the normalised frame is the fitted one in original units.
    x = cleaned.inputs / last.best.lengthscales
    before = last.best.kernel.profile(((x[0] - x[5]) ** 2).sum(keepdims=True))
    after = problem.kernel.profile(((problem.points[0] - problem.points[5]) ** 2).sum(keepdims=True))
    assert after * problem.preparation.output_scale**2 == pytest.approx(before)


def test_units_of_the_columns_change_nothing(table):
    plain = pb.data.make_problem(table, ["age", "income"], "cost")
    scaled = table.assign(age=table["age"] * 1e-40, income=table["income"] * 1e60, cost=table["cost"] * 1e50)
    other = pb.data.make_problem(scaled, ["age", "income"], "cost")
    np.testing.assert_allclose(other.points, plain.points, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(other.objective, plain.objective, rtol=1e-6, atol=1e-9)


def test_sigma_y_never_exceeds_1(table):
    fit = pb.gp.Fit(pb.gp.SquaredExponential(1.0, 90.0), 1.0, np.array([1.0]))
    problem = pb.data.make_problem(table, ["age"], "cost", hyperparameters=fit)
    assert [problem.kernel.variance, problem.noise_variance] == pytest.approx([1.0, 1 / 90])


def test_the_fit_can_be_watched_and_stopped(table):
    cleaned = pb.data.clean(table, ["age"], "cost")
    progress = next(pb.data.fitting(cleaned, restarts=5))
    assert (progress.done, progress.restarts) == (1, 5)
    problem = pb.data.finish(cleaned, progress.best)
    assert problem.unit_distance[0] == pytest.approx(progress.best.lengthscales[0] / problem.preparation.factor)


@pytest.mark.parametrize("inputs", [["age"], ["age", "income"]])
def test_the_rule_of_thumb_is_root_d_deviations_and_a_tenth_of_noise(table, inputs):
    cleaned = pb.data.clean(table, inputs, "cost")
    kernel, noise_variance, lengthscales = pb.data.rule_of_thumb(cleaned)
    variance = table["cost"].var(ddof=0)
    assert (kernel.lengthscale, kernel.variance) == (1.0, pytest.approx(0.9 * variance))
    assert noise_variance == pytest.approx(0.1 * variance)
    np.testing.assert_allclose(lengthscales, np.sqrt(len(inputs)) * table[inputs].std(ddof=0))


def test_a_value_outside_the_fitted_subset_does_not_stop_the_fit():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=1500), "rare": np.arange(1500) == 0, "y": rng.normal(size=1500)})
    cleaned = pb.data.clean(frame.astype(float), ["x", "rare"], "y")
    *_, last = pb.data.fitting(cleaned, restarts=1, subset=100, rng=np.random.default_rng(5))
    assert np.isfinite(pb.data.finish(cleaned, last.best).points).all()


def test_nothing_is_dropped_in_silence(table):
    mixed = table.astype({"age": object, "cost": object})
    mixed.loc[2, "age"] = "fifty"
    mixed.loc[3, "age"] = np.nan
    mixed.loc[3, "income"] = np.inf
    mixed.loc[7, "cost"] = 0.0
    mixed.loc[8, "cost"] = "1e400"
    preparation = quick(mixed, ["age", "income"], "cost", log_output=True).preparation
    assert set(range(120)) - set(preparation.rows.tolist()) == {2, 3, 7, 8}
    told = {(d.column, d.reason, d.count, d.row) for d in preparation.dropped}
    assert told == {
        ("age", "not a number", 1, 3),
        ("age", "missing", 1, 4),
        ("income", "infinite or beyond ±1e100", 1, 4),
        ("cost", "not above 0, so without a logarithm", 1, 8),
        ("cost", "infinite or beyond ±1e100", 1, 9),
    }
    used, *dropped = preparation.steps()
    assert numbers(used) == [116, 120, 4]
    assert any(all(part in step for part in ("'age'", "not a number", "'fifty'", "row 3")) for step in dropped)


def test_repeated_rows_and_heavy_losses_are_reported(table):
    table.loc[1] = table.loc[0]
    table.loc[10:40, "age"] = np.nan
    dropped, repeated = quick(table, ["age", "income"], "cost").preparation.warnings
    assert numbers(dropped) == [31, 120]
    assert numbers(repeated) == [2, 1]  # two rows share their inputs, and one of them also repeats the output


def test_dates_and_categories_are_encoded_on_request(table):
    table.attrs["units"] = {"age": "years", "cost": "€"}  # as its header has them
    problem = quick(table, ["age", "sex", "seen"], "cost", encode={"sex": "category", "seen": "date"})
    assert problem.names == ("age", "sex = M", "sex = X", "seen")
    assert (problem.units, problem.preparation.output_unit) == (("years", "", "", "days"), "€")
    np.testing.assert_array_equal(problem.original[:, 1], table["sex"] == "M")
    np.testing.assert_array_equal(problem.original[:, 3], 18262 + np.arange(120))  # 2020-01-01 is day 18262
    said = " ".join(problem.preparation.encodings)
    assert "'M', 'X'. All 0 is 'F'" in said
    assert "days since 1970-01-01" in said


@pytest.mark.parametrize(
    ("cells", "days", "doubt"),
    [
        (["2020-03-04", "2020-03-05"], [18325, 18326], False),
        (["04/03/2020", "25/03/2020"], [18325, 18346], False),
        (["03/04/2020", "03/25/2020"], [18325, 18346], False),
        (["04/03/2020", "05/03/2020"], [18325, 18326], True),
        (["04.03.2020", "05.03.2020"], [18325, 18326], False),
        (["2020-03-04T12:00:00Z", "0001-01-01"], [18325.5, -719162], False),
        (["9999-12-31", "31/02/2020"], [2932896, np.nan], False),
    ],
)
def test_dates_as_people_write_them(cells, days, doubt):
    read, uncertain = pb.data.columns.dates(pd.Series(cells))
    np.testing.assert_array_equal(read, days)
    assert (uncertain is not None) == doubt


@pytest.mark.parametrize(
    ("inputs", "output", "options", "sentence"),
    [
        ([], "cost", {}, "No input is chosen"),
        (["age", "height"], "cost", {}, "No column is called 'height'. The columns are 'age'"),
        (["age", "age"], "cost", {}, "'age' is chosen twice"),
        (["age", "cost"], "cost", {}, "both as input and as output"),
        (["sex"], "cost", {}, "'sex' has 120 unusable cells of 120, more than half.*'F'|'sex'.*encoded"),
        (["age"], "sex", {}, "'sex' has 120 unusable cells"),
        (["seen"], "cost", {"encode": {"seen": "category"}}, "'seen' has 120 different values"),
        (["sex"], "cost", {"encode": {"sex": "date"}}, "not a date"),
        (["age"], "cost", {"encode": {"sex": "category"}}, "not one of the inputs"),
        (["age"], "cost", {"encode": {"age": "onehot"}}, "one of 'date', 'category'"),
        (["same", "age"], "cost", {}, "'same' has the same value in every usable row"),
        (["age"], "same", {}, "an output that varies"),
        (["age", "double"], "cost", {}, "'age', 'double' are collinear"),
        (["age", "income", "double"], "cost", {}, "'age', 'double' are collinear"),
        (["gone"], "cost", {}, "'gone' has 120 unusable cells of 120"),
        (["age"], "negative", {"log_output": True}, "not above 0"),
        (["left", "right"], "cost", {}, "0 of 120 rows are usable in all"),
    ],
)
def test_unusable_choices_of_columns_are_refused(table, inputs, output, options, sentence):
    table = table.assign(same=7.0, double=2 * table["age"] + 1, gone=np.nan, negative=-1.0 - table["age"])
    table = table.assign(left=table["age"].where(table.index < 60), right=table["age"].where(table.index >= 60))
    with pytest.raises(pb.DataError, match=sentence):
        pb.data.clean(table, inputs, output, **options)


def made(lengthscale, *inputs):
    table = pd.DataFrame({"age": [1, 2, 3, 4, 5, 6], "income": [2, 3, 3, 5, 1, 0], "cost": [1, 5, 3, 2, 2, 4]})
    fit = pb.gp.Fit(pb.gp.SquaredExponential(1.0), 0.1, np.array([lengthscale]))
    return pb.data.make_problem(table, list(inputs), "cost", hyperparameters=fit)


def clean(columns, rows, *inputs):
    return pb.data.clean(pd.DataFrame(rows, columns=list(columns)), list(inputs), "y")


test_tables_of_the_wrong_shape_are_refused = refusals(
    (lambda: clean("aby", [[1, 1, 1], [2, 5, 2]], "a", "b"), "2 usable rows are too few for 2 inputs"),
    (lambda: clean("ay", [], "a"), "0 of 0 rows"),
    (lambda: clean("aay", [[1, 2, 3], [4, 5, 6]], "a"), "Several columns are called 'a'"),
    (lambda: made(1.0, "age", "income"), "1 length-scales. The inputs are 2"),
    (lambda: made(-1.0, "age"), "length-scale of 'age' is -1"),
)
