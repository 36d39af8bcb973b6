"""PO-GP-UCB: the curator, the modeler, the theorems, and what the paper printed."""

import gc
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.outsourced import Setting, SimulatedCurator, Simulation, outsource, spectrum
from tests.helpers.amounts import few
from tests.helpers.numbers import tells
from tests.helpers.refusing import refusals

GRID = pb.data.sample("synthetic")


def test_the_checked_numbers_of_the_grid():
    assert spectrum(GRID.points).sigma_min == pytest.approx(1030.878, abs=5e-4)
    assert pb.outsourced.omega(math.exp(1.1), 1e-5, 10) == pytest.approx(976.07, abs=5e-3)
    assert pb.outsourced.omega(math.exp(1.1), 1e-5, 15) == pytest.approx(1224.6, abs=0.06)
    assert pb.outsourced.omega(1, 1e-5, 10) == pytest.approx(2932.27, abs=6e-3)


@pytest.mark.parametrize(
    ("exponent", "tried", "best"),
    [(1.1, [3, 6, 8, 10, 15, 20], 10), (1.3, [3, 9, 12, 15, 20, 30], 15), (1.5, [5, 10, 15, 20, 30, 50], 20)],
)
def test_largest_feasible_r_of_tables_1_to_3(exponent, tried, best):
    sigma_min = spectrum(GRID.points).sigma_min
    limit = pb.outsourced.largest_r(sigma_min, math.exp(exponent), 1e-5)
    assert max(r for r in tried if r <= limit) == best


@given(sigma_min=st.floats(1e-2, 1e6), delta=st.floats(1e-12, 0.5), r=st.integers(1, 500), epsilon=st.floats(1e-2, 1e3))
def test_closed_forms_agree_with_the_condition(sigma_min, delta, r, epsilon):
    smallest = pb.outsourced.smallest_epsilon(sigma_min, delta, r)
    assert pb.outsourced.omega(smallest, delta, r) == pytest.approx(sigma_min)
    limit = pb.outsourced.largest_r(sigma_min, epsilon, delta)
    assert limit == 0 or pb.outsourced.omega(epsilon, delta, limit) <= sigma_min
    assert pb.outsourced.omega(epsilon, delta, limit + 1) > sigma_min


def test_where_the_condition_holds_the_centred_data_are_projected():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 3)) * 100 + 7
    release = pb.outsourced.curate(points, 1e4, 1e-3, 5, np.random.default_rng(1))
    assert not release.amplified
    projection = np.random.default_rng(1).standard_normal((5, 3)).T
    np.testing.assert_allclose(release.Z, (points - points.mean(axis=0)) @ projection / math.sqrt(5))


def test_elsewhere_the_singular_values_are_amplified_by_omega():
    points = np.random.default_rng(0).normal(size=(200, 3)) * [1, 5, 20]
    centred = points - points.mean(axis=0)
    release = pb.outsourced.curate(points, 1.0, 1e-3, 4, np.random.default_rng(1))
    assert release.amplified
    u, values, vt = np.linalg.svd(centred, full_matrices=False)
    amplified = u @ np.diag(np.sqrt(values**2 + release.omega**2)) @ vt
    projection = np.random.default_rng(1).standard_normal((4, 3)).T
    np.testing.assert_allclose(release.Z, amplified @ projection / 2)
    assert release.sigma_min == pytest.approx(values[-1])


@pytest.mark.parametrize("epsilon", [1e6, 5.0])
def test_distances_stay_within_theorem_2(epsilon):
    rng = np.random.default_rng(0)
    points, mu, r = rng.normal(size=(60, 3)) * 50, 0.2, 600
    nu = pb.outsourced.projection_tolerance(60, mu, r)
    assert nu < 0.5
    assert pb.outsourced.projection_dimension(60, mu, nu) == pytest.approx(r)
    failures = 0
    for seed in range(30):
        release = pb.outsourced.curate(points, epsilon, 1e-3, r, np.random.default_rng(seed))
        stretch = pb.outsourced.distance_constant(release.sigma_min, release.omega)
        measured = pb.outsourced.distance_distortion(points, release.Z, 2000, np.random.default_rng(0))
        failures += measured.within(1 - nu, (1 + nu) * stretch) < 1
    assert release.amplified == (epsilon < 10)
    assert failures <= 30 * mu


def test_twice_the_distance_costs_by_group_privacy():
    """(2ε, (1 + e^ε)δ), as for any mechanism that is (ε, δ)-private."""
    assert tells(pb.outsourced.larger_distances(1.5, 1e-3), 3.0, 1e-3 * (1 + math.exp(1.5)))
    assert not tells(pb.outsourced.larger_distances(20.0, 1e-5), 40.0)  # δ would be above 1


def test_the_distortion_is_the_ratio_of_squared_distances():
    x = np.random.default_rng(0).normal(size=(40, 3))
    found = pb.outsourced.distance_distortion(x, x * [1.0, 2.0, 3.0], 500, np.random.default_rng(1))
    assert (found.ratios >= 1.0).all()
    assert (found.ratios <= 9.0).all()
    assert found.within(1.0, 4.0) == pytest.approx((found.ratios <= 4.0).mean())
    assert pb.outsourced.distance_distortion(x, 2.0 * x, 99, np.random.default_rng(1)).within(3.999, 4.001) == 1.0


def reachable(*roots):
    """Everything that can be reached from these objects by following references, modules and classes aside."""
    seen, queue = {}, list(roots)
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, type(gc)):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, type) or callable(thing):
            queue.extend(cell.cell_contents for cell in getattr(thing, "__closure__", None) or ())
        else:
            queue.extend(gc.get_referents(thing))
    return seen.values()


def test_nothing_that_the_analyst_holds_leads_to_the_inputs():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(50, 2)) * 1000
    centred = points - points.mean(axis=0)
    curator = SimulatedCurator(points, rng.normal(size=50), 0.01, rng)
    release = curator.release(5.0, 1e-3, 3, rng)
    held = []

    def modeler(z):
        queries = pb.bo.rule_queries(
            z, kernel=pb.gp.SquaredExponential(100.0), noise_variance=0.01, iterations=5, initial_rows=[0]
        )
        row = next(queries)
        while True:
            y = yield row
            held.extend([z, y, queries, queries.gi_frame.f_locals])
            try:
                row = queries.send(y)
            except StopIteration:
                return

    trace = outsource(curator, release, modeler, initial=1)
    assert trace.iterations == 5
    arrays = [thing for thing in reachable(*held) if isinstance(thing, np.ndarray)]
    assert any(array.shape == release.Z.shape for array in arrays), "the walk must find at least Z"
    found = [array for array in arrays if array.shape == centred.shape]
    assert not any(np.allclose(array, points) or np.allclose(array, centred) for array in found)
    assert not any(thing is curator or thing is release for thing in reachable(*held))
    assert any(thing is curator for thing in reachable([{"hidden": (curator,)}]))


def test_policies_use_common_random_numbers():
    simulation = Simulation(pb.data.synthetic(side=20))
    low = Setting(epsilon=40.0, delta=1e-5, r=10, iterations=20)
    assert pb.outsourced.omega(40.0, 1e-5, 10) < simulation.spectrum.sigma_min
    private, plain, random = (simulation.run(policy, low, 0) for policy in ("private", "plain", "random"))
    np.testing.assert_array_equal(private.rows[:5], plain.rows[:5])
    np.testing.assert_array_equal(private.rows[:5], random.rows[:5])
    noise = [trace.observed - simulation.problem.objective[trace.rows] for trace in (private, plain)]
    np.testing.assert_allclose(noise[0], noise[1], atol=1e-12)


def test_runs_are_cached_by_what_they_depend_on():
    """With the condition met, ε changes nothing, and a shorter run is the beginning of a longer one."""
    simulation = Simulation(pb.data.synthetic(side=20))
    private = simulation.run("private", Setting(40.0, 1e-5, 10, 20), 0)
    assert simulation.finished("private", Setting(80.0, 1e-5, 10, 20), 5) == 1
    shorter = simulation.run("private", Setting(80.0, 1e-5, 10, 12), 0)
    np.testing.assert_array_equal(shorter.rows, private.rows[:17])
    again = Simulation(pb.data.synthetic(side=20)).run("private", Setting(40.0, 1e-5, 10, 12), 0)
    np.testing.assert_array_equal(shorter.rows, again.rows)


def test_a_larger_r_adds_columns_to_the_same_projection():
    simulation = Simulation(pb.data.synthetic(side=20))
    narrow, wide = (simulation.release(Setting(1e3, 1e-5, r, 5), 0) for r in (3, 6))
    np.testing.assert_allclose(narrow.Z * math.sqrt(3), wide.Z[:, :3] * math.sqrt(6))


def test_streams_stop_when_closed():
    simulation = Simulation(pb.data.synthetic(side=30))
    setting = Setting(3.0, 1e-5, 10, 30)
    stream = simulation.stream("private", setting, 200)
    next(stream)
    stream.close()
    assert simulation.finished("private", setting, 200) < 20


def test_table_1_of_the_paper_comes_out():
    """The paper's numbers are 50-run means on one sampled function: each must look like one more function of ours."""
    printed = {3: 0.073, 10: 0.014, 20: 0.137} | few({}, {6: 0.038, 8: 0.018, 15: 0.118})
    functions = [Simulation(pb.data.synthetic(seed=seed), seed=seed) for seed in range(8)]
    means = {}
    for r, value in printed.items():
        setting = Setting(math.exp(1.1), 1e-5, r, 50)
        each = [np.mean([t.simple_regret[-1] for t in s.stream("private", setting, few(10, 20))]) for s in functions]
        means[r] = np.mean(each)
        assert abs(value - means[r]) < 2.5 * np.std(each, ddof=1), r
    assert min(means, key=means.__getitem__) == 10
    assert all((means[a] > means[b]) == (b <= 10) for a, b in pairwise(sorted(means.keys() - {8})))


def test_theorem_3_term_by_term():
    bound = pb.outsourced.regret_bound(
        pb.outsourced.Extent(n=10_000, diameter=50.0, largest_observation=3.0),
        kernel=pb.gp.SquaredExponential(5.0),
        noise_variance=0.01,
        iterations=50,
        gamma=20.0,
    )
    nu = 0.1 / (2 * math.sqrt(3) * 100 * 3)
    assert (bound.nu, bound.r_needed) == (pytest.approx(nu), pytest.approx(8 * math.log(1e8 / 0.025) / nu**2))
    beta_t = 2 * math.log(10_000 * 2500 * math.pi**2 / (6 * 0.025))
    assert bound.beta_t == pytest.approx(beta_t)
    assert bound.exploration == pytest.approx(24 / math.log(1 + 100) * beta_t * 20 / 50)
    c1, c2 = math.sqrt(1.01) * 101, 300.0
    assert bound.approximation == pytest.approx(24 * (c2 + c1 * math.sqrt(beta_t)) ** 2 * math.log(50) / 50)
    assert bound.bound == pytest.approx(math.sqrt(0.01 + bound.approximation + bound.exploration))


def test_diagonal_dominance_matches_definition_3():
    kernel = pb.gp.SquaredExponential(1.0)
    points = np.random.default_rng(0).normal(size=(6, 2)) * 3
    k = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1) / 2)
    factor = math.sqrt(5) + 1
    expected = min(k[i, i] / (factor * sum(k[i, j] for j in range(6) if j != i)) for i in range(6))
    assert pb.outsourced.dominance_margin(points, kernel) == pytest.approx(expected)
    assert pb.outsourced.dominance_margin(points[:1], kernel) == math.inf


test_unusable_input_is_refused = refusals(
    (lambda: pb.outsourced.omega(0, 0.1, 3), "epsilon is 0"),
    (lambda: pb.outsourced.omega(float("inf"), 0.1, 3), "epsilon is inf"),
    (lambda: pb.outsourced.omega(1, 1.0, 3), "delta is 1.0"),
    (lambda: pb.outsourced.omega(1, 0.1, 0), "r is 0"),
    (lambda: pb.outsourced.omega(1, 0.1, 2.5), "r is 2.5"),
    (lambda: pb.outsourced.smallest_epsilon(0.0, 0.1, 3), "sigma_min is 0.0"),
    (lambda: pb.outsourced.curate(np.ones((5, 2)), 1, 0.1, 3, None), "column 0 is constant, so σ_min is 0"),
    (lambda: pb.outsourced.curate([[1.0, 2], [2, 4], [3, 6], [4, 8.0]], 1, 0.1, 3, None), "combination of others"),
    (lambda: pb.outsourced.curate([[1.0, 2], [2, 5]], 1, 0.1, 3, None), "2 rows and 2 columns"),
    (lambda: pb.outsourced.curate([[1.0, 2]], 1, 0.1, 3, None), "at least 2"),
    (lambda: pb.outsourced.curate([[1.0], [np.inf], [2.0]], 1, 0.1, 3, None), "inf in row 1"),
    (lambda: SimulatedCurator([[1.0, 2], [2, 5], [3, 6], [4, 9], [7, 1]], [0.0] * 4, 0.1, None), "each of the 5 rows"),
    (lambda: next(Simulation(GRID).stream("plain", Setting(1.0, 0.1, 3, 20_000), 5)), "at most 10000"),
    (lambda: next(Simulation(GRID).stream("plain", Setting(1.0, 0.1, 3, 20), 0)), "runs is 0"),
    (lambda: Setting(1.0, 0.1, 3, 20, delta_ucb=0.0), "delta_ucb is 0.0"),
)
