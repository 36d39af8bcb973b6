"""Private answers in a simulated search: the noise that a ledger would draw, and what is lost by it."""

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.bo import taken_for_best
from privbo_core.gp import SquaredExponential
from privbo_core.gp.kernels import covariance
from privbo_core.outsourced import Difference, Private, Setting, Simulation
from privbo_core.outsourced.answers import PrivateAnswers

HOSPITAL, HOMES = Simulation(pb.data.sample("hospital")), Simulation(pb.data.sample("homes"))
FORMULA = pb.data.sample("branin")


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
@pytest.mark.parametrize("simulation", [HOSPITAL, HOMES])
def test_a_table_s_answers_are_its_own_outcomes_clipped_with_the_ledger_s_noise(simulation, noise):
    problem = simulation.problem
    outcomes, better = problem.preparation.output(problem.objective), 1.0 if problem.maximize else -1.0
    low, high = np.quantile(outcomes, [0.1, 0.99])
    private = Private(low, high, 0.1 * (high - low), 2.0, 0.0 if noise == "laplace" else 1e-5, "known", noise)
    answers = PrivateAnswers(private, problem, problem.objective, np.random.default_rng(0))
    rows = range(2000)
    told = np.array([answers(row) for row in rows])
    clipped = np.clip(outcomes, low, high)
    left = better * told * clipped.std() + clipped.mean() - clipped[:2000]  # in the outcome's unit
    assert abs(left.mean()) < 4 * private.sigma / np.sqrt(2000)
    assert left.std() == pytest.approx(private.sigma, rel=0.1)
    assert np.sqrt(answers.variance) * clipped.std() == pytest.approx(private.sigma)
    assert [answers(row) for row in rows] == told.tolist()  # asked again, the answer is repeated


def test_outcomes_of_a_formula_fill_the_range_that_was_said():
    private = Private(100.0, 200.0, 1e-6, 1.0, 1e-5)
    answers = PrivateAnswers(private, FORMULA, FORMULA.objective, np.random.default_rng(0))
    rows = [int(FORMULA.objective.argmin()), int(FORMULA.objective.argmax()), 7]
    assert [answers(row) for row in rows] == pytest.approx(FORMULA.objective[rows].tolist(), abs=1e-5)
    assert np.sqrt(answers.variance) == pytest.approx(private.sigma * np.ptp(FORMULA.objective) / 100)


@pytest.mark.parametrize(
    "private",
    [
        Private(-9e99, 9e99, 9e99, 1e-60, 0, "", "laplace"),
        Private(0, 1e-9, 1, 1e-6, 1e-5),
        Private(500, 501, 1e-3, 50, 0, "", "laplace"),
    ],
)
def test_whatever_the_range_a_search_comes_to_its_end(private):
    *_, found = HOSPITAL.compare(Setting(1.0, 1e-5, 10, 5, private=private), 2, ("noisy",))
    assert np.isfinite(found.curves("noisy")).all()


def lost(private: Private | None, runs: int = 15) -> Difference:
    setting = Setting(4.0, 1e-5, 10, 40, once=True, private=private)
    *_, found = HOSPITAL.compare(setting, runs, ("noisy",))
    return Difference.of(found.curves("noisy")[:, -1] - found.curves("noiseless")[:, -1])


def test_what_a_search_loses_by_private_answers_grows_with_their_noise_and_vanishes_with_it():
    much, little = lost(Private(0, 60, 5, 1, 1e-5)), lost(Private(0, 60, 1e-3, 10, 1e-5))
    assert much.low > 0
    assert much.low > little.high
    assert little.mean == pytest.approx(lost(None).mean, abs=0.05)


def test_a_range_that_cuts_off_the_best_costs_too_however_little_the_noise():
    assert lost(Private(0, 5, 1e-3, 10, 1e-5)).low > 0


def test_the_row_taken_for_best_is_the_one_expected_to_be():
    rng = np.random.default_rng(3)
    points, kernel, noise, nugget = rng.normal(size=(12, 2)), SquaredExponential(0.8, 1.3), 0.7, 0.4
    rows, told = [4, 9, 4, 1, 11, 0], rng.normal(size=6)
    prior = covariance(kernel, points, points) + nugget * np.eye(12)
    expected = []
    for count in range(1, len(rows) + 1):
        asked = rows[:count]
        gram = prior[np.ix_(asked, asked)] + noise * np.eye(count)
        mean = prior[:, asked] @ np.linalg.solve(gram, told[:count])
        expected.append(max(asked, key=lambda row, mean=mean: mean[row]))
    found = taken_for_best(points, rows, told.tolist(), kernel=kernel, noise_variance=noise, nugget=nugget)
    assert found == expected
    assert len(set(found)) > 1
