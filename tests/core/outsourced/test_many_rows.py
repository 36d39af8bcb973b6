"""Tables with more rows than are searched: everything but the searches is computed from all rows."""

from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.simulation import MAX_SEARCHED_ROWS

ROWS = MAX_SEARCHED_ROWS + 5_000
SETTING = Setting(0.5, 1e-5, 4, 6, protected_distance=1.0)


@pytest.fixture(scope="module")
def simulation():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 2))
    problem = pb.data.branin(side=20)
    points, factor = pb.data.normalise(x)
    return Simulation(replace(
        problem, points=points, original=x, objective=x[:, 0] - x[:, 1] ** 2, unit_distance=np.full(2, 1 / factor),
        known_frame=None, identity=None, draw=None,
    ))  # fmt: skip


def test_sigma_min_and_column_settings_are_of_all_rows(simulation):
    problem = simulation.problem
    assert simulation.spectrum.sigma_min == pytest.approx(np.linalg.svd(problem.points, compute_uv=False)[-1])
    assert simulation.searched.n == len(simulation.rows) == MAX_SEARCHED_ROWS
    assert simulation.searched.frame == problem.frame
    assert np.array_equal(simulation.searched.original, problem.original[simulation.rows])
    assert simulation.release(SETTING, 0).Z.shape == (ROWS, 4)


def test_all_rows_can_be_searched(simulation):
    """As the papers do, so their experiments ask for it."""
    whole = Simulation(simulation.problem, max_rows=ROWS)
    assert whole.searched is whole.problem
    assert whole.run("random", SETTING, 0).rows.max() >= MAX_SEARCHED_ROWS


@pytest.mark.parametrize("policy", ["private", "noisy", "plain", "noiseless", "neighbour", "random"])
def test_searches_run_on_a_random_part_of_the_rows(simulation, policy):
    trace = simulation.run(policy, SETTING, 0)
    assert trace.rows.max() < MAX_SEARCHED_ROWS
    best = simulation.problem.objective[simulation.rows].max()
    rows = simulation.rows[trace.rows]
    assert trace.simple_regret[-1] == pytest.approx(best - simulation.problem.objective[rows].max())


def test_the_searched_rows_are_rows_of_the_whole_release(simulation):
    """The analyst searches some rows of the release of all rows, stretched by the spectrum of all rows."""
    whole = simulation.release(SETTING, 0)
    assert whole.amplified
    part = pb.outsourced.curate(
        simulation._searched_spectrum, SETTING.epsilon, SETTING.delta, 4, simulation._stream(0, "projection")
    )
    assert np.allclose(part.Z, whole.Z[simulation.rows])
