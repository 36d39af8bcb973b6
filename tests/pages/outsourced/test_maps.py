"""The two maps of the Outsourced page: what is drawn is reduced, what is said is exact."""

from dataclasses import replace

import numpy as np
import pytest

from pages.parts.outsourced import maps
from pages.parts.outsourced.maps import CELLS, Cells, Film, principal
from privbo_core.bo import beta
from privbo_core.data import sample, synthetic
from privbo_core.gp import Posterior
from privbo_core.outsourced import Setting, Simulation, noise_aware
from tests.helpers.numbers import numbers, tells
from tests.helpers.reading import plotly_takes

LARGE = Setting(3.0, 1e-5, 10, 12)


def at(film, t):
    return [*film.until(t)][-1][t]


def posterior_after(simulation, t):
    problem, trace = simulation.problem, simulation.run("private", LARGE, 0)
    posterior = Posterior(simulation.release(LARGE, 0).Z, problem.kernel, problem.noise_variance)
    for row, y in zip(trace.rows[: trace.initial + t], trace.observed, strict=False):
        posterior.observe(int(row), float(y))
    return posterior


def test_a_projection_of_one_input_is_a_line_and_not_a_cloud_of_rounding():
    line = principal(np.outer(np.linspace(-3.0, 3.0, 50), np.random.default_rng(1).normal(size=10)))
    assert np.ptp(line[:, 0]) > 1
    assert not line[:, 1].any()


def test_numbers_at_more_points_than_are_drawn_are_those_of_all_points():
    simulation = Simulation(synthetic(side=60))
    film, problem = Film(simulation, LARGE, "private"), simulation.problem
    for t in (7, 0, 12):  # in any order
        frame, posterior = at(film, t), posterior_after(simulation, t)
        upper = posterior.mean + np.sqrt(beta(t + 1, problem.n, LARGE.delta_ucb) * posterior.variance)
        assert frame.next_row == upper.argmax()
        assert frame.next_upper == pytest.approx(upper.max(), rel=1e-12)
        assert frame.favourite == posterior.mean.argmax()
        assert frame.favourite_mean == pytest.approx(posterior.mean.max(), rel=1e-12)
        queried = film.queried(t)
        assert len(queried.rows) == 5 + t
        assert queried.upcoming == (None if t == 12 else frame.next_row)
        # What is drawn is the mean of each cell's points, and small whatever n.
        assert frame.mean.nbytes == frame.deviation.nbytes == 4 * CELLS**2
        for cell in (0, 1799, 2500):
            inside = film.modeler._cell == cell
            mean = posterior.mean[inside].mean() if inside.any() else np.nan
            assert frame.mean[cell] == pytest.approx(mean, abs=1e-6, nan_ok=True)
    assert tells(maps.modeler_sentence(film, at(film, 7)), at(film, 7).next_row + 1, at(film, 7).next_upper)


def test_few_points_are_drawn_as_they_are():
    cells = Cells(np.random.default_rng(0).standard_normal((50, 2)))
    values = np.arange(50.0)
    assert not cells.binned
    assert cells.reduce(values).tolist() == values.tolist()


def test_the_numbers_of_an_evaluation_are_those_of_the_run():
    simulation = Simulation(sample("homes"))
    setting = Setting(20.0, 1e-5, 10, 25)
    film, problem = Film(simulation, setting, "private"), simulation.problem
    trace, highest = film.trace, problem.objective.max()
    for t in range(26):
        said = maps.curator_sentence(film, t)
        regret = (highest - problem.objective[trace.rows[: 5 + t]].max()) / problem.sigma_y
        if t:
            assert tells(said, t, trace.rows[4 + t] + 1)
            assert trace.simple_regret[t - 1] / problem.sigma_y == pytest.approx(regret)
        assert regret == pytest.approx(numbers(said)[-1], abs=0.005)


@pytest.mark.parametrize(("policy", "side"), [("private", 20), ("noisy", 70)])
def test_plotly_accepts_both_maps_of_both_releases(policy, side):
    simulation = Simulation(synthetic(side=side))
    film = Film(simulation, replace(LARGE, iterations=4), policy)
    for t in (0, 4):
        still, queried = at(film, t), film.queried(t)
        for shown in maps.SHOWN:
            picture = maps.map_picture(film.modeler, still.values(shown), queried, maps.SHOWN[shown], ("a", "b"))
            figure = plotly_takes(picture)
            assert figure.data[0].type == ("heatmap" if side == 70 else "scatter")
            assert len(figure.data[1].x) == 5 + t
            assert ("next" in {trace.name for trace in figure.data}) == (t == 0)


def test_the_noisy_release_s_modeler_reckons_with_the_noise():
    simulation, setting = Simulation(synthetic(side=20)), Setting(3.0, 1e-5, 5, 8)
    film, problem = Film(simulation, setting, "noisy"), simulation.problem
    noisy = simulation.noisy_release(setting, 0)
    kernel, nugget = noise_aware(problem.kernel, noisy.sigma, problem.d)
    posterior = Posterior(noisy.Z, kernel, problem.noise_variance, nugget=nugget)
    for row, y in zip(film.trace.rows, film.trace.observed, strict=True):
        posterior.observe(int(row), float(y))
    assert at(film, 8).favourite == posterior.mean.argmax()
    assert all(at(film, t).next_row == film.queried(t).upcoming for t in range(8))


def test_two_overlapping_runs_of_a_page_can_follow_one_film():
    simulation = Simulation(synthetic(side=15))
    film = Film(simulation, LARGE, "private")
    older = film.until(12)
    seen = [next(older) for _ in range(4)]
    newer = list(film.until(12, seen[-1]))  # begins while the older one has still to end
    assert [len(stills) for stills in newer] == list(range(5, 14))
    assert [stills[:4] for stills in newer] == [seen[-1]] * 9
    rest = list(older)
    assert [len(stills) for stills in rest] == list(range(5, 14))
    for mine, theirs in zip(rest[-1], newer[-1], strict=True):
        assert (mine.t, mine.next_row, mine.favourite) == (theirs.t, theirs.next_row, theirs.favourite)
        assert (mine.mean == theirs.mean).all()
