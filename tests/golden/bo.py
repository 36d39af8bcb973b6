"""The search loop: every rule and policy, beliefs along a trace, bands, and information gain."""

import numpy as np

import privbo_core as pb
from privbo_core.bo import (
    Improvement,
    Thompson,
    UpperBound,
    band,
    beta,
    neighbour_queries,
    random_search,
    rule_queries,
    search,
)
from privbo_core.bo.trace import Trace, resampled_interval, taken_for_best
from tests.golden.kinds import difference, few, of_runs, sketch, traced

KERNELS = {"SE": pb.gp.SquaredExponential(0.15), "Matern": pb.gp.Matern52(0.3)}
NOISE = 0.01


def entries():
    for t, n, delta_ucb in ((1, 10, 0.05), (20, 10_000, 0.05), (50, 400, 0.5)):
        yield f"bo/beta/{t} {n} {delta_ucb}", beta(t, n, delta_ucb)
    yield from published()
    for name, kernel in KERNELS.items():
        yield from rules(f"bo/rules/{name}", kernel)
        gain = pb.bo.information_gain(*domain()[:1], kernel, NOISE, 12)
        yield f"bo/information gain/{name}", [few(gain.greedy), few(gain.upper), gain.rows]
    yield from others()
    yield from beliefs()
    yield "bo/resampled interval", resampled_interval(np.arange(400) % 17)
    yield "bo/difference", difference(pb.bo.Difference.of([0.3, -0.1, 0.4, 0.25, 0.0]))


def domain():
    """Return 225 points in the unit square, and a smooth function on them."""
    axis = np.linspace(0.0, 1.0, 15)
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    return points, np.sin(7.0 * points[:, 0]) * np.cos(5.0 * points[:, 1]) + points[:, 0]


def published():
    points, objective = domain()
    how = {"noise_variance": NOISE, "iterations": 20}
    for name, kernel in KERNELS.items():
        rngs = [np.random.default_rng(seed) for seed in range(4)]
        where = f"bo/gp_ucb_runs/{name}"
        traces = pb.bo.gp_ucb_runs(points, objective, kernel=kernel, rngs=rngs, **how)
        for run, trace in enumerate(traces):
            yield f"{where}/{run}", traced(trace)
        bands = [band([getattr(trace, kind) for trace in traces]) for kind in ("simple_regret", "cumulative_regret")]
        numbers = [few(each) for one in bands for each in (one.mean, one.standard_error)]
        yield f"bo/gp_ucb_runs, band/{name}", of_runs(numbers, where)
    for initial, delta_ucb in ((5, 0.05), (1, 0.5), ([3, 100], 0.05)):
        rng = np.random.default_rng(9)
        trace = pb.bo.gp_ucb(
            points, objective, kernel=KERNELS["SE"], initial=initial, delta_ucb=delta_ucb, rng=rng, **how
        )
        yield f"bo/gp_ucb/{initial} {delta_ucb}", traced(trace)


def ways(rng):
    """Return every rule by name."""
    bounds = {f"ucb {factor}": UpperBound(factor=factor) for factor in (1.0, 0.2)}
    names = ("ucb", "ucb/5", "ei", "thompson")
    by_name = {f"named {each}": pb.bo.rule(each, delta_ucb=0.1, once=True, rng=rng) for each in names}
    return {**bounds, "improvement": Improvement(), "Thompson": Thompson(rng), **by_name}


def rules(where, kernel):
    points, objective = domain()
    for name in ways(None):
        for nugget in (0.0, 0.1):
            rng = np.random.default_rng(11)
            rule = ways(np.random.default_rng(12))[name]
            how = {"kernel": kernel, "noise_variance": NOISE, "iterations": 12, "initial_rows": [7, 130, 200]}
            queries = rule_queries(points, rule=rule, nugget=nugget, **how)
            rows, told = search(queries, noisily(objective, rng))
            yield f"{where}/{name}/{nugget}", traced(Trace.of(rows, told, objective, 3))


def noisily(objective, rng):
    return lambda row: float(objective[row] + np.sqrt(NOISE) * rng.standard_normal())


def others():
    points, objective = domain()
    rng = np.random.default_rng(2)
    queries = neighbour_queries(points, iterations=10, initial_rows=[5, 90])
    yield "bo/neighbour", traced(Trace.of(*search(queries, noisily(objective, rng)), objective, 2))
    for seed in (0, 1):
        how = {"noise_variance": NOISE, "iterations": 15, "initial": 3, "rng": np.random.default_rng(seed)}
        yield f"bo/random/{seed}", traced(random_search(len(points), objective, **how))


def beliefs():
    points, objective = domain()
    how = {"kernel": KERNELS["SE"], "noise_variance": NOISE}
    rows = [3, 50, 120, 121, 224, 50]
    trace = Trace.of(rows, objective[rows], objective, 2)
    for belief in pb.bo.replay(points, trace, **how):
        numbers = [belief.root_beta, sketch(belief.mean), sketch(belief.deviation), sketch(belief.upper)]
        yield f"bo/replay/{belief.t}", numbers
    yield "bo/taken for best", taken_for_best(points, rows, objective[rows], nugget=0.1, **how)
