"""DP-FTS-DE: what each accountant says of thirty settings, the noise that an ε takes, and simulated runs."""

from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core import federated as fed
from privbo_core.federated import Settings, Simulation
from privbo_core.federated.run import deviation_schedule
from privbo_core.federated.server import aggregate, noise_multiplier
from privbo_core.federated.sub_regions import weights_at
from tests.golden.kinds import Run, checksum, few, guarantee, of_runs, sketch

METHODS = ("moments", "pld")
AGENTS = 30
BASE = Settings(
    pb.gp.SquaredExponential(0.2), 0.01, iterations=10, initial=4, features=20, q=0.4, z=1.0, S=6.0, P=4, hold=3, fade=6
)
CHANGES = {
    "base": {},
    "z 0.3": {"z": 0.3},
    "z 3": {"z": 3.0},
    "z 0": {"z": 0.0},
    "q 0.1": {"q": 0.1},
    "q 1": {"q": 1.0},
    "q 0.8, z 2": {"q": 0.8, "z": 2.0},
    "S 1": {"S": 1.0},
    "S 20": {"S": 20.0},
    "P 1": {"P": 1},
    "P 2": {"P": 2},
    "P 8": {"P": 8},
    "T 5": {"iterations": 5},
    "T 16": {"iterations": 16},
    "a 1": {"a": 1.0},
    "a 60": {"a": 60.0},
    "hold 0": {"hold": 0, "fade": 2},
    "hold 8": {"hold": 8, "fade": 9},
    "decay 0.1": {"decay": 0.1},
    "decay 2": {"decay": 2.0},
    "alone": {"decay": np.inf},
    "wide": {"deviation": 2.0},
    "fixed": {"sampling": "fixed"},
    "fixed, z 2": {"sampling": "fixed", "z": 2.0, "q": 0.2},
    "exact": {"calibration": "exact"},
    "exact, P 1": {"calibration": "exact", "P": 1},
    "theory": {"beta": "theory"},
    "norm 3": {"beta": "theory", "norm": 3.0},
    "ridge": {"ridge": "theory"},
    "anywhere": {"start": "anywhere"},
    "features 60": {"features": 60},
    "Matern": {"kernel": pb.gp.Matern52(0.3)},
}


def entries():
    simulation = Simulation(drawn)
    for name, changes in CHANGES.items():
        settings = replace(BASE, **changes)
        yield from accounts(f"federated/accounts/{name}", settings)
        yield from weights(f"federated/weights/{name}", settings)
        yield from runs(f"federated/runs/{name}", simulation, settings, AGENTS)
    yield from grids()
    yield from real()
    yield from comparison(simulation)
    yield from server()


def drawn(run):
    """Return the problem of a run: agents on a grid of 144 points."""
    return fed.synthetic(agents=AGENTS, side=12, heterogeneity=0.2, seed=run)


def accounts(where, settings):
    if settings.alone or settings.z == 0:
        yield where, [fed.total_loss(settings, AGENTS)]
        return
    totals = [fed.total_loss(settings, AGENTS, method) for method in METHODS]
    exact = fed.total_loss(settings, AGENTS, "pld", "exact")
    yield where, [*totals, exact, fed.delta_for(AGENTS)]
    yield f"{where}/losses", few(fed.losses(settings, AGENTS, "pld"), 3)
    yield f"{where}/multipliers", few(fed.multipliers(settings, AGENTS, "exact"), 2)
    yield f"{where}/noise needed", fed.noise_needed(settings, AGENTS, 8.0)
    line = fed.trade_off(settings, AGENTS)
    yield f"{where}/trade-off", [line.least_error(0.5), line.epsilon(1e-3), *few(line.misses, 1)]
    yield f"{where}/guarantee", [guarantee(fed.guarantee(settings, AGENTS)), len(fed.cautions(settings, AGENTS))]


def weights(where, settings):
    if settings.alone:
        return
    each = weights_at(settings, AGENTS, 6)
    yield where, [fed.gain(each), noise_multiplier(settings, each), *few(each[0], 2), *each.shape]
    if settings.beta == "theory":
        yield f"{where}/deviations", few(deviation_schedule(drawn(0).points, settings), 3)


def run_of(rounds):
    """Return a run of many agents: each choice is a checksum of all their rows in one round."""
    choices = [checksum(rounds[0].initial), *(checksum(each.queries) for each in rounds)]
    last, sent = rounds[-1], [each.broadcast for each in rounds if each.broadcast is not None]
    values = {
        "rows": last.queries[:3],
        "selected": [int(each.selected.sum()) for each in rounds[:6]],
        "followed": sum(int(each.followed.sum()) for each in rounds),
        "regret": sum(each.regret.mean() for each in rounds),
        "simple": [rounds[3].simple_regret.mean(), last.simple_regret.mean()],
        "clipped": few([each.clipped for each in sent], 2) if sent else [],
        "broadcast": [sent[-1].signal, sent[-1].noise, sent[-1].noise_deviation] if sent else [],
        "epsilon": last.epsilon,
    }
    return Run(choices, values)


def runs(where, simulation, settings, agents, count=2):
    for number in range(count):
        yield f"{where}/{number}", run_of(list(simulation.rounds(settings, agents, number)))


def grids():
    """The domain and how it is cut."""
    points = drawn(0).points
    yield "federated/possible sub-regions", fed.possible_sub_regions(points, 2, 12)
    for P in (1, 2, 4, 8):
        regions = fed.sub_regions(points, P)
        yield f"federated/sub-regions/{P}", [np.bincount(regions), checksum(regions)]
    for t in (1, 5, 9, 30):
        yield f"federated/temperature/{t}", fed.temperature(t, 4, 12)
    explores = np.arange(12) % 4
    for temperature in (0.1, 0.5, 1.0):
        yield f"federated/region weights/{temperature}", sketch(fed.region_weights(explores, 4, 15.0, temperature))


def real():
    """The two samples of real agents."""
    schools, grades = fed.schools(), fed.grades()
    start = fed.GRADES_START.settings(grades)
    cases = {
        "schools": (schools, replace(BASE, kernel=schools.kernel, noise_variance=schools.noise_variance, P=1)),
        "grades": (grades, replace(start, iterations=8)),
    }
    for name, (problem, settings) in cases.items():
        count = len(problem.objectives)
        simulation = Simulation(lambda run, problem=problem: problem)
        yield from accounts(f"federated/{name}/accounts", settings)
        yield from runs(f"federated/{name}/runs", simulation, settings, count)


def comparison(simulation):
    """The paper's variants side by side, as bands over runs, and the rounds that sharing saves."""
    variants = fed.variants(BASE)
    where = "federated/compared"
    for name, settings in variants.items():
        yield from runs(f"{where}/runs/{name}", simulation, settings, AGENTS, 3)
    *_, progress = simulation.compare(variants, AGENTS, 3)
    for name in variants:
        bands = [progress.band(name, measure) for measure in ("simple", "cumulative", "clipped")]
        numbers = [few(each, 2) for band in bands for each in (band.mean, band.standard_error)]
        yield f"{where}/band/{name}", of_runs(numbers, f"{where}/runs/{name}")
    needed = fed.rounds_needed(progress, "DP-FTS-DE", "FTS-DE", "TS")
    extra = [needed.extra.private, needed.extra.plain, needed.extra.low, needed.extra.high]
    numbers = [*extra, needed.saved, needed.saved_low, needed.saved_high]
    yield f"{where}/rounds needed", of_runs(numbers, f"{where}/runs")
    every = fed.ask_every_agent(variants["DP-FTS-DE"], AGENTS)
    yield f"{where}/every agent", [every.settings.q, every.settings.z, every.epsilon, every.noise_ratio]


def server():
    rng = np.random.default_rng(2)
    sent, selected = rng.standard_normal((10, 6)), rng.random(10) < 0.5
    each = fed.region_weights(np.arange(10) % 2, 2, 3.0, 0.7)
    for S, z in ((0.5, 1.0), (3.0, 0.2)):
        found = aggregate(sent, selected, each, rate=0.5, S=S, z=z, normals=rng.standard_normal((2, 6)))
        numbers = [found.signal, found.noise, found.noise_deviation, found.clipped]
        yield f"federated/aggregate/{S} {z}", [*numbers, sketch(found.vectors)]
