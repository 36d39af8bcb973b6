"""How a modeler searches, baselines, several functions; and what a comparison says of differences, ranks and tests."""

import math
from dataclasses import astuple, replace
from typing import get_args

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import binom

import privbo_core as pb
from privbo_core.bo import Search, Trace, replay
from privbo_core.outsourced import Comparison, Difference, Setting, Simulation, belief
from privbo_core.outsourced.comparison import fair_quantile
from privbo_core.outsourced.simulation import PURPOSES
from privbo_core.tradeoff import outsourced_question

RUN = 2
SETTING = Setting(3.0, 1e-5, 6, 6)


def stream(purpose):
    """Return the random numbers of a run for one purpose, as `Simulation` documents them for seed 1."""
    return np.random.default_rng([1, RUN, PURPOSES.index(purpose)])


def model_of(problem, policy):
    """Return the points, length-scales, variance, noise variance and nugget of a policy, from the papers' formulas."""
    kernel, frame = problem.kernel, problem.frame
    if policy in ("plain", "private"):
        points = problem.points
        if policy == "private":
            x = points - points.mean(axis=0)
            u, values, vt = np.linalg.svd(x, full_matrices=False)
            threshold = 16 * math.sqrt(6 * math.log(2e5)) / 3.0 * math.log(16 * 6 / 1e-5)
            if values[-1] < threshold:
                x = u * np.sqrt(values**2 + threshold**2) @ vt
            points = x @ stream("projection").standard_normal((6, problem.d)).T / math.sqrt(6)
        return points, kernel.lengthscale, kernel.variance, problem.noise_variance, 0.0
    prior = belief(problem)
    z, sigma = (problem.original - frame.limits.mean(axis=1)) / frame.hide, 0.0
    z = np.clip(z, frame.bounds[:, 0], frame.bounds[:, 1])
    if policy != "noiseless":
        diagonal = np.linalg.norm(np.ptp(frame.bounds, axis=1))
        sigma = pb.privacy.gaussian_sigma(3.0, 1e-5, diagonal if policy == "local" else 1.0)
        z = z + sigma * stream("release").standard_normal(z.shape)
    wide = np.sqrt(prior.lengthscales**2 + 2 * sigma**2)
    share = np.prod(prior.lengthscales / wide)
    return z, wide, prior.variance * share, prior.noise_variance, prior.variance * (1 - share)


def searched_plainly(problem, policy):
    """Return the rows and outcomes of GP-UCB by dense solves, or of random search."""
    noise, deviation = stream("noise"), math.sqrt(problem.noise_variance)
    rows, observed = stream("initial").choice(problem.n, 5, replace=False).tolist(), []
    if policy == "random":
        rows += [row for row in stream("random").permutation(problem.n).tolist() if row not in rows][:6]
    else:
        points, lengthscales, variance, noise_variance, nugget = model_of(problem, policy)
        scaled = points / lengthscales
    for count in range(11):
        if count >= len(rows):
            k = variance * np.exp(-0.5 * cdist(scaled, scaled[rows], "sqeuclidean"))
            k[rows, np.arange(len(rows))] += nugget
            gain = np.linalg.solve(k[rows] + noise_variance * np.eye(len(rows)), k.T)
            beta = 2 * math.log(problem.n * (count - 4) ** 2 * math.pi**2 / (6 * 0.025))
            spread = np.sqrt(np.maximum(variance + nugget - (k.T * gain).sum(axis=0), 0))
            rows.append(int((np.array(observed) @ gain + math.sqrt(beta) * spread).argmax()))
        observed.append(problem.objective[rows[count]] + deviation * noise.standard_normal())
    return rows, observed


@pytest.mark.parametrize("policy", ["private", "noisy", "local", "plain", "noiseless", "random"])
@pytest.mark.parametrize("sample", ["branin", "hospital"])
def test_each_policy_is_a_plain_search_of_its_model(sample, policy):
    problem = pb.data.sample(sample)
    trace = Simulation(problem).run(policy, SETTING, RUN)
    rows, observed = searched_plainly(problem, policy)
    assert trace.rows.tolist() == rows
    assert trace.observed == pytest.approx(observed)


def setting(**changes):
    return replace(Setting(3.0, 1e-5, 6, 8), **changes)


def test_every_policy_with_a_model_searches_as_it_is_told():
    simulation = Simulation(pb.data.sample("branin"))
    for policy in ("private", "noisy", "plain", "local"):
        found = {
            (search, once): tuple(simulation.run(policy, setting(search=search, once=once), 0).rows)
            for search in get_args(Search) for once in (False, True)
        }  # fmt: skip
        # Through the noise of local randomisation nothing is left to tell rules apart by.
        assert policy == "local" or len({rows for (_, once), rows in found.items() if once}) == 4
        assert all(len(set(rows)) == 13 for (_, once), rows in found.items() if once)
        # The initial rows are the same whoever searches.
        assert len({rows[:5] for rows in found.values()}) == 1
    # Chance and the search without a model have no say in it.
    for policy in ("random", "neighbour"):
        one, other = (simulation.run(policy, setting(search=s, once=o), 0) for s, o in (("ucb", False), ("ei", True)))
        assert one is other or (one.rows == other.rows).all()
    with pytest.raises(ValueError, match="search is 'best'"):
        setting(search="best")


def test_a_set_model_is_that_of_a_problem_that_has_it():
    problem = pb.data.sample("branin")
    kernel = replace(problem.kernel, lengthscale=2 * problem.kernel.lengthscale, variance=problem.kernel.variance / 4)
    other = Simulation(replace(problem, kernel=kernel, noise_variance=9 * problem.noise_variance))
    simulation, told = Simulation(problem), setting(lengthscale=2.0, signal=0.25, answer_noise=9.0)
    for policy in ("plain", "private"):
        here, there = simulation.run(policy, told, 0), other.run(policy, setting(), 0)
        assert (here.rows.tolist(), here.observed) == (there.rows.tolist(), pytest.approx(there.observed))
        assert here.rows.tolist() != simulation.run(policy, setting(), 0).rows.tolist()
        assert simulation.finished(policy, replace(told, signal=1.0), 1) == 0
    *_, comparison = simulation.compare(told, 2)
    assert comparison.sigma_y == problem.sigma_y
    frame = replace(problem.frame, columns=[
        replace(each, lengthscale=2 * length * each.hide)
        for each, length in zip(problem.frame.columns, belief(problem).lengthscales, strict=True)
    ])  # fmt: skip
    wider = Simulation(replace(problem, known_frame=frame))
    same = setting(signal=0.25, answer_noise=9.0)
    assert simulation.run("noisy", told, 0).rows.tolist() == wider.run("noisy", same, 0).rows.tolist()
    with pytest.raises(ValueError, match="answer_noise"):
        setting(answer_noise=0.0)


def test_only_gp_ucb_depends_on_delta_ucb():
    simulation = Simulation(pb.data.sample("branin"))
    assert simulation.finished("plain", setting(search="ei"), 1) == 0
    simulation.run("plain", setting(search="ei", delta_ucb=0.05), 0)
    assert simulation.finished("plain", setting(search="ei", delta_ucb=0.5), 1) == 1
    simulation.run("plain", setting(delta_ucb=0.05), 0)
    assert simulation.finished("plain", setting(delta_ucb=0.5), 1) == 0


def test_the_question_of_cost_is_about_the_search_that_is_set():
    simulation = Simulation(pb.data.sample("branin"))
    chosen = setting(search="ei", once=True)
    question = outsourced_question(simulation, chosen, measure="rank", mechanisms=("noisy",))
    *_, costs = question.curves[0].costs(5.0, 2)
    traces = [simulation.run("noisy", replace(chosen, epsilon=5.0), run) for run in range(2)]
    np.testing.assert_allclose(costs, [trace.rank[-1] for trace in traces])


@pytest.mark.parametrize("search", get_args(Search))
def test_a_simulation_s_runs_can_be_replayed(search):
    simulation, chosen = Simulation(pb.data.sample("hospital")), setting(search=search, once=True)
    trace, prior = simulation.run("noisy", chosen, 1), belief(simulation.problem)
    noisy = simulation.noisy_release(chosen, 1)
    points, kernel, nugget = prior.read(noisy.Z, noisy.sigma)
    beliefs = replay(
        points, trace, kernel=kernel, noise_variance=prior.noise_variance, nugget=nugget,
        rule=simulation.rule(chosen, 1),
    )  # fmt: skip
    asked = [int(belief.upper.argmax()) for belief in beliefs]
    assert asked[:-1] == trace.rows[5:].tolist()


def test_baselines_are_run_on_request():
    simulation = Simulation(pb.data.sample("hospital"))
    *_, bare = simulation.compare(setting(), 2, ("noisy",))
    assert (bare.local, bare.neighbour, bare.baselines) == ((), (), ())
    *_, both = simulation.compare(setting(), 2, ("noisy",), also=("neighbour", "local"))
    assert both.baselines == ("local", "neighbour")
    for one, other in zip(bare.noisy, both.noisy, strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
    for run, trace in enumerate(both.neighbour):
        # Straightforwardly: the untested row nearest to the best, in shares of the columns' ranges.
        z = simulation.noisy_release(setting(), run).Z / np.ptp(simulation.problem.frame.bounds, axis=1)
        for t in range(5, 13):
            seen = trace.rows[:t]
            best = seen[trace.observed[:t].argmax()]
            distance = np.linalg.norm(z - z[best], axis=1)
            distance[seen] = np.inf
            assert trace.rows[t] == distance.argmin()


def test_local_randomisation_protects_whole_rows():
    simulation = Simulation(pb.data.sample("hospital"))
    local, noisy = simulation.local_release(setting(), 0), simulation.noisy_release(setting(), 0)
    diagonal = np.linalg.norm(np.ptp(simulation.problem.frame.bounds, axis=1))
    assert local.sigma == pytest.approx(pb.privacy.gaussian_sigma(3.0, 1e-5, diagonal))
    # The same unit noise, so that they differ by what is protected alone.
    np.testing.assert_allclose((local.Z - simulation.placed) / local.sigma, (noisy.Z - simulation.placed) / noisy.sigma)
    assert simulation.run("local", setting(), 0).rows.tolist() != simulation.run("noisy", setting(), 0).rows.tolist()
    # Where a hidden change is as wide as the frame, the two are one mechanism, up to the diagonal's last digits.
    wide = setting(protected_distance=2 * diagonal)
    np.testing.assert_allclose(simulation.noisy_release(wide, 0).Z, local.Z)


def test_several_functions_on_the_same_points():
    problem = pb.data.synthetic(side=20)
    one, many = Simulation(problem), Simulation(problem, functions=True)
    np.testing.assert_array_equal(one.objective(3), problem.objective)
    np.testing.assert_array_equal(many.objective(3), Simulation(problem, functions=True).objective(3))
    assert np.corrcoef(many.objective(3), many.objective(4))[0, 1] < 0.9
    trace = many.run("plain", setting(iterations=20), 3)
    f = many.objective(3)
    np.testing.assert_allclose(trace.simple_regret[-1], f.max() - f[trace.rows].max())
    # The same rows first and the same noise: the objective alone is another.
    assert trace.rows[:5].tolist() == one.run("plain", setting(iterations=20), 3).rows[:5].tolist()
    with pytest.raises(ValueError, match="no formula that draws functions"):
        Simulation(pb.data.sample("hospital"), functions=True)


def made(*curves, f=None):
    """Traces with these simple regrets; the objective is −0.1 … −9.9 and 0."""
    values = -np.arange(100) / 10.0 if f is None else f
    rows = [[int(np.abs(values + regret).argmin()) for regret in curve] for curve in curves]
    return tuple(Trace.of(each, [0.0] * len(each), values, 0) for each in rows)


def test_differences_are_paired_by_run():
    private = made([3, 2, 1.0], [3, 3, 2.0], [4, 3.5, 3.3], [2, 2, 1.1])
    plain = made([3, 2, 0.5], [3, 2, 1.0], [3, 3, 3.0], [2, 2, 1.0])
    found = Comparison(private, plain, made(*[[9.9, 9.9, 9.9]] * 4), 2.0)
    differences = np.array([0.5, 1.0, 0.3, 0.1]) / 2.0
    assert astuple(found.cost("private")) == pytest.approx(astuple(Difference.of(differences)))
    assert found.extra("simple", "private").mean[-1] == pytest.approx(differences.mean())
    ahead = Difference.of((9.9 - np.array([0.5, 1.0, 3.0, 1.0])) / 2.0)
    assert astuple(found.lead("plain")) == pytest.approx(astuple(ahead))
    # Ranks are not in σ_y.
    assert found.cost("private", "rank").mean == pytest.approx(np.array([5, 10, 3, 1]).mean())
    np.testing.assert_allclose(found.extra("rank", "private").mean[-1], 4.75)


def test_the_head_of_a_comparison_has_its_first_runs():
    curves = made([3, 2, 1.0], [3, 3, 2.0], [4, 3.5, 3.3])
    found = Comparison(curves, curves, curves, 2.0, noisy=curves[:2]).head(2)
    assert (found.runs, found.private, found.noisy, found.local) == (2, curves[:2], curves[:2], ())


def test_a_typical_rank_is_a_median_with_its_binomial_interval():
    rng = np.random.default_rng(0)
    f = -np.arange(1000.0)
    held = 0
    for _ in range(1000):
        rows = rng.integers(0, 1000, (20, 1))
        traces = tuple(Trace.of([int(row[0])], [0.0], f, 0) for row in rows)
        typical = Comparison(traces, traces, traces, 1.0).typical_rank("plain")
        assert typical.low <= typical.median <= typical.high
        assert typical.median == np.median(rows + 1)
        held += typical.low <= 500.5 <= typical.high
    # Between the 6th and the 15th of 20: 95.9 %.
    assert abs(held / 1000 - 0.9586) < 4 * math.sqrt(0.9586 * 0.0414 / 1000)
    for runs in (*range(1, 60), 299, 1000, 5001):
        for share in (0.025, 0.005, 0.9):
            assert fair_quantile(share, runs) == int(binom.ppf(share, runs, 0.5)), (share, runs)
    assert fair_quantile(0.5, 35) == 17  # exactly half of the outcomes, which rounding need not notice
    unknown = (Trace.of([0, 1], [1.0, 2.0], None, 0),) * 2
    found = Comparison((), unknown, unknown, 1.0)
    assert np.isnan(found.ranks("plain")).all()
    assert np.isnan(found.band("plain", "rank").mean).all()


def ranked(*curves):
    """Traces of which only the ranks count."""
    return tuple(replace(trace, rank=np.array(ranks)) for trace, ranks in zip(made(*curves), curves, strict=True))


def test_extra_evaluations_count_until_the_rank_is_found():
    plain, random = ranked(*[[50, 9, 2, 1, 1]] * 7), ranked(*[[60] * 5] * 7)
    for private, rank, with_it, without in (
        ([80, 50, 9, 4, 2], 9, 3, 2),
        ([80, 50, 9, 4, 2], 50, 2, 1),
        ([80, 50, 9, 4, 2], 1, 6, 4),
        ([9, 1, 1, 1, 1], 1, 2, 4),
        ([80, 50, 9, 4, 2], 2, 5, 3),
    ):
        found = Comparison(ranked(*[private] * 7), plain, random, 1.0).extra_evaluations("private", rank)
        assert (found.private, found.plain, found.limit, found.runs) == (with_it, without, 5, 7)
        assert found.extra == found.low == found.high == with_it - without
        assert (found.private_reached, found.high_open) == (with_it <= 5, with_it > 5)
        assert found.significant == (with_it > without)
        assert found.approximate
    # A search without privacy that does not get there leaves the extra evaluations unknown.
    unknown = Comparison(ranked(*[[9, 9]] * 7), ranked(*[[4, 4]] * 7), ranked(*[[9, 9]] * 7), 1.0)
    found = unknown.extra_evaluations("private", 3)
    assert (found.plain_reached, found.private_reached, found.significant) == (False, False, False)
    assert found.low_open
    assert found.high_open
    # Between runs that differ, the interval says so, and it is the same each time.
    uneven = Comparison(ranked(*[[80, 50, 9, 4, 2]] * 4, *[[9, 1, 1, 1, 1]] * 3), plain, random, 1.0)
    found = uneven.extra_evaluations("private", 9)
    assert (found.private, found.plain, found.low, found.high) == (3, 2, -1, 1)
    assert found == uneven.extra_evaluations("private", 9)
