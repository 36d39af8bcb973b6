"""Whether a table can carry an answer."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

import privbo_core as pb
from privbo_core.diagnostics import added, judge, learned, rows_needed, searched, shuffled
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals


def table(n, outcome, seed=0):
    """A table of three inputs, and what ``outcome`` makes of them with a generator."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    return pd.DataFrame(np.column_stack([x, outcome(x, rng)]), columns=["a", "b", "c", "y"])


def noise(x, rng):
    return rng.normal(size=len(x))


def signal(x, rng):
    return -((x[:, 0] - 1) ** 2) + 0.5 * x[:, 1] + 0.3 * rng.normal(size=len(x))


def problem(n, outcome, seed=0):
    return pb.data.make_problem(table(n, outcome, seed), ["a", "b", "c"], "y")


def test_a_strong_signal_carries_an_answer():
    found = judge(problem(300, signal))
    assert (found.verdict, found.something_to_lose, found.searched.clear) == ("carries", True, True)
    assert (found.shuffled.as_good, found.shuffled.p) == (0, pytest.approx(1 / 200))
    assert found.learned.share > 0.8
    assert [each.name for each in found.learned.relevant] == ["a", "b"]
    assert (found.searched.rank < found.searched.chance, found.searched.tests) == (True, 30)


def test_a_table_needs_enough_rows_for_its_inputs():
    found = judge(problem(12, signal))
    assert (found.verdict, found.rows, found.needed) == ("too few", 12, 30)
    assert (found.shuffled, found.learned, found.searched) == (None, None, None)
    assert [judge(problem(n, signal)).verdict == "too few" for n in (29, 30)] == [True, False]
    assert [rows_needed(d) for d in (1, 3, 4, 12)] == [30, 30, 40, 120]


def test_noise_carries_nothing():
    found = judge(problem(300, noise))
    assert (found.verdict, found.something_to_lose) == ("nothing", False)
    assert found.shuffled.as_good > 2


def test_a_signal_without_a_lead_over_random_search_is_weak():
    """Something follows from the inputs, but many rows are as good as the best: luck decides."""

    def rounded(x, rng):
        return np.round(np.tanh(2 * x[:, 0]) + rng.normal(size=len(x))).clip(-1, 1)

    found = judge(problem(300, rounded))
    assert found.shuffled.clear
    assert not found.searched.clear
    assert found.verdict == "weak"


@pytest.mark.parametrize("name", pb.data.SAMPLES)
def test_every_sample_carries_an_answer(name):
    found = judge(pb.data.sample(name), search=pb.data.SEARCHES[name])
    assert found.verdict == "carries"
    assert (found.learned.share > 2 * found.learned.standard_error, found.learned.rows) == (True, 1000)
    assert name != "loans" or [each.name for each in found.learned.relevant] == ["interest_rate"]


def test_what_is_learned_is_a_cross_validated_r_squared():
    known = problem(60, signal)
    order = np.random.default_rng(0).permutation(60)
    x, y = known.points[order], known.objective[order]
    left, spread = np.empty(60), np.empty(60)
    kernel = ConstantKernel(known.kernel.variance) * RBF(known.kernel.lengthscale)
    for fold in range(5):
        out = np.arange(60) % 5 == fold
        mean = y[~out].mean()
        model = GaussianProcessRegressor(kernel, alpha=known.noise_variance, optimizer=None)
        predicted = mean + model.fit(x[~out], y[~out] - mean).predict(x[out])
        left[out], spread[out] = (y[out] - predicted) ** 2, (y[out] - mean) ** 2
    assert (learned(known).share, learned(known).rows) == (pytest.approx(1 - left.sum() / spread.sum()), 60)


def test_shuffling_an_input_costs_twice_its_part_of_the_variance():
    """For y = 2a + b and independent inputs, a prediction from another row's a errs by 2·Var(2a) on average."""
    found = learned(problem(400, lambda x, rng: 2 * x[:, 0] + x[:, 1]))
    assert [each.name for each in found.inputs] == ["a", "b", "c"]
    for each, expected in zip(found.inputs, (2 * 4 / 5, 2 * 1 / 5, 0.0), strict=True):
        assert each.drop == pytest.approx(expected, abs=4 * each.standard_error + 0.01)
        assert each.matters == (expected > 0)
    assert found.inputs[0].standard_error < 0.1


def test_of_half_noise_about_a_half_is_learned():
    found = []
    for seed in range(few(60, 200)):
        rng = np.random.default_rng(seed)
        x = rng.uniform(-3, 3, 150)
        rows = pd.DataFrame({"x": x, "y": np.sqrt(2) * np.sin(2 * x) + rng.standard_normal(150)})
        fit = pb.gp.Fit(pb.gp.SquaredExponential(1.0), 1.0, np.ones(1))
        found.append(learned(pb.data.make_problem(rows, ["x"], "y", hyperparameters=fit)))
    # What is learned from 120 rows is not perfect, so it is a little below the 0.5 (of about σ² sin²) that there is.
    assert 0.4 < np.mean([each.share for each in found]) < 0.5
    varied = np.std([each.share for each in found], ddof=1)
    assert np.mean([each.standard_error for each in found]) == pytest.approx(varied, rel=0.25)


def test_the_judgement_of_a_table_is_always_the_same():
    first = problem(80, signal)
    assert judge(first) == judge(first)


def test_the_share_does_not_depend_on_units():
    first = problem(80, signal)
    scaled = first.points * np.array([1e-3, 7.0, 1e4])
    one, other = (shuffled(x, first.objective, rng=np.random.default_rng(0)) for x in (first.points, scaled))
    assert ((one.as_good, one.rows), one.share) == ((other.as_good, other.rows), pytest.approx(other.share))


def test_a_search_has_at_most_a_test_for_every_four_rows():
    assert judge(problem(60, signal)).searched.tests == 15
    assert judge(problem(60, signal), tests=5).searched.tests == 5


def test_a_constant_input_or_a_rare_level_is_no_obstacle():
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.normal(size=90), np.zeros(90), np.arange(90) == 4])
    assert shuffled(x, x[:, 0] + 0.1 * rng.normal(size=90), rng=rng).clear
    assert not shuffled(x, np.ones(90), rng=rng).clear


test_unusable_input_is_refused = refusals(
    (lambda: shuffled(np.zeros((5, 2)), [1.0, 2.0, np.nan, 4.0, 5.0], rng=np.random.default_rng(0)), "nan"),
    (lambda: shuffled(np.zeros((2, 2)), [1.0, 2.0], rng=np.random.default_rng(0)), "rows"),
    error=pb.DataError,
)


def test_a_large_table_is_judged_on_some_of_its_rows():
    rng = np.random.default_rng(0)
    small = problem(60, signal)
    x = rng.normal(size=(20_500, 3))
    large = replace(small, points=x, objective=x[:, 0], original=x, preparation=None)
    found = judge(large, tests=10)
    assert (found.rows, found.shuffled.rows, found.learned.rows, found.searched.rows) == (20_500, 400, 1000, 20_000)


def test_runs_of_a_simulation_are_those_that_a_page_shows():
    simulation = Simulation(problem(100, signal))
    found = searched(simulation.problem, tests=20, simulation=simulation)
    setting = Setting(3.0, 1e-5, 10, 20, search="ucb/5", once=True)
    assert simulation.finished("plain", setting, 40) == 40
    *_, shown = simulation.compare(setting, 40, ())
    assert (shown.lead("plain"), searched(simulation.problem, tests=20)) == (found.lead, found)


@pytest.mark.parametrize("after", [0, 5, 20])
def test_it_can_be_stopped_at_any_time(after):
    with pytest.raises(IndexError, match="pop from empty list"):
        judge(problem(60, signal), meanwhile=list(range(after)).pop)


def test_noise_is_taken_for_a_signal_in_at_most_one_of_100():
    """300 tables of noise with heavy tails; more than 9 would be taken for something in about 1 of 1,000 tries."""
    rng = np.random.default_rng(11)
    found = [
        shuffled(rng.normal(size=(n, d)), rng.standard_t(2, size=n), rng=rng)
        for n, d in ((30, 1), (40, 3), (60, 6))
        for _ in range(100)
    ]
    assert sum(each.clear for each in found) <= 9
    # The rank among the shuffles is uniform: its mean over 300 tables is within 3.5 standard errors of a half.
    assert abs(np.mean([each.p for each in found]) - 0.5) < 3.5 * np.sqrt(1 / 12 / 300)


def test_noise_that_a_model_was_fitted_to_is_still_noise():
    """The whole way from a table: length-scales fitted to the noise have no part in whether it is noise."""
    verdicts = [judge(problem(45, noise, seed), tests=1).verdict for seed in range(few(12, 60))]
    assert verdicts.count("nothing") >= few(11, 57)


def leave_one_out_errors(x, y):
    """Return the squared errors of the best model of the documented family, each row predicted from the others."""
    n, d = x.shape
    x, y = (x - x.mean(axis=0)) / x.std(axis=0), (y - y.mean()) / y.std()
    squared = (x[:, None] - x[None]) ** 2
    kernels = [np.exp(-0.5 * squared.mean(axis=2) / each**2) for each in (0.15, 0.4, 1.0, 3.0)]
    if d > 1:
        kernels += [np.exp(-0.5 * squared / each**2).mean(axis=2) for each in (0.4, 1.0, 3.0)]
    kernels.append(x @ x.T / d)
    found = []
    for kernel in kernels:
        for noise in (0.1, 1.0, 10.0):
            errors = np.empty(n)
            for out in range(n):
                rest = np.arange(n) != out
                gram = kernel[np.ix_(rest, rest)] + 1.0 + noise * np.eye(n - 1)
                errors[out] = (y[out] - (kernel[out, rest] + 1.0) @ np.linalg.solve(gram, y[rest])) ** 2
            found.append(errors)
    of_means = np.array([(y[out] - np.delete(y, out).mean()) ** 2 for out in range(n)])
    return min(found, key=np.sum), of_means


@pytest.mark.parametrize("d", [1, 2])
def test_the_share_of_the_outcome_is_the_best_leave_one_out_r_squared(d):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(30, d)) * 7.0 + 3.0
    y = 40.0 * np.sin(x[:, 0]) + 9.0 * rng.normal(size=30)
    errors, of_means = leave_one_out_errors(x, y)
    found = shuffled(x, y, shuffles=9, rng=np.random.default_rng(0))
    assert found.share == pytest.approx(1 - errors.sum() / of_means.sum())
    assert (found.rows, found.shuffles) == (30, 9)


def test_an_added_share_is_a_difference_of_leave_one_out_r_squared():
    rng = np.random.default_rng(6)
    x, z = rng.normal(size=(2, 36))
    y = x + z + 0.3 * rng.normal(size=36)
    without, of_means = leave_one_out_errors(x[:, None], y)
    difference = without - leave_one_out_errors(np.column_stack([x, z]), y)[0]
    (found,) = added(x[:, None], y, {"z": z}, rng=np.random.default_rng(0))
    assert found.share == pytest.approx(difference.sum() / of_means.sum())
    assert found.standard_error == pytest.approx(difference.std(ddof=1) / np.sqrt(36) / of_means.mean())


@pytest.fixture(scope="module")
def further():
    """What each of some columns adds to x, for an outcome that is half x and half z."""
    rng = np.random.default_rng(0)
    x, z, noise = rng.normal(size=(3, 400))
    gaps = np.where(rng.random(400) < 0.3, np.nan, z)
    kinds = np.column_stack([z > 0.5, z < -0.5]).astype(float)
    columns = {"z": z, "noise": noise, "gaps": gaps, "kinds": kinds, "few": np.where(np.arange(400) < 20, z, np.nan)}
    columns |= {"constant": np.ones(400), "x again": 2 * x + 1}
    found = added(x[:, None], x + z, columns, rng=np.random.default_rng(1))
    return {each.name: each for each in found}


def test_a_column_adds_its_share_of_the_outcome(further):
    assert further["z"].share == pytest.approx(0.5, abs=4 * further["z"].standard_error + 0.02)
    assert further["z"].clear
    assert 0.1 < further["kinds"].share < further["z"].share


def test_gaps_in_a_column_leave_their_rows_out(further):
    assert further["gaps"].rows == pytest.approx(280, abs=4 * np.sqrt(400 * 0.3 * 0.7))
    assert further["gaps"].share == pytest.approx(0.5, abs=4 * further["gaps"].standard_error + 0.02)


@pytest.mark.parametrize("name", ["noise", "x again"])
def test_a_column_without_news_adds_nothing_measurable(further, name):
    assert not further[name].clear
    assert further[name].share < 0.02


def test_constant_and_nearly_empty_columns_are_not_judged(further):
    assert not {"few", "constant"} & further.keys()
