"""PO-GP-UCB: the projection and its condition, the noisy release, and simulated searches on four samples."""

from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.hyperparameters import learn
from privbo_core.outsourced.noisy import noise_deviation
from tests.golden.kinds import difference, few, guarantee, of_runs, sketch, traced

SAMPLES = ("synthetic", "homes", "hospital", "loans")
BASE = Setting(epsilon=3.0, delta=1e-5, r=10, iterations=10)
RUNS = 3
VARIED = {
    "synthetic": {
        "fifth": {"search": "ucb/5"},
        "improvement": {"search": "ei"},
        "Thompson": {"search": "thompson"},
        "once": {"once": True},
        "small r": {"r": 3},
        "large delta": {"delta": 1e-3},
        "confident": {"delta_ucb": 0.3},
    },
    "homes": {
        "unaware": {"aware": False},
        "far": {"protected_distance": 2.5},
        "short": {"lengthscale": 0.5},
        "improvement once": {"search": "ei", "once": True},
        "few initial": {"initial": 2},
    },
    "hospital": {
        "strong signal": {"signal": 3.0},
        "noisy answers": {"answer_noise": 4.0},
        "fifth once": {"search": "ucb/5", "once": True},
    },
    "loans": {
        "unaware once": {"aware": False, "once": True},
        "Thompson far": {"search": "thompson", "protected_distance": 0.5},
        "long": {"lengthscale": 2.0, "r": 30},
    },
}
"""What is set besides in further settings, by sample."""


def entries():
    yield from condition()
    yield from noise()
    for name in SAMPLES:
        simulation = Simulation(pb.data.sample(name))
        yield from dataset(f"outsourced/{name}", simulation)
        for setting, at in settings(name):
            yield from releases(f"outsourced/{name}/{setting}", simulation, at)
            yield from searches(f"outsourced/{name}/{setting}", simulation, at)
    yield from baselines()
    yield from published()
    yield from learned()


def settings(name):
    for epsilon in (0.5, 3.0, 30.0):
        yield f"epsilon {epsilon}", replace(BASE, epsilon=epsilon)
    for varied, changes in VARIED[name].items():
        yield varied, replace(BASE, **changes)


def condition():
    for epsilon in (0.1, 1.0, 3.0, 20.0):
        for delta, r in ((1e-5, 10), (1e-3, 3), (1e-9, 1), (1e-5, 100)):
            yield f"outsourced/omega/{epsilon} {delta} {r}", pb.outsourced.omega(epsilon, delta, r)
    for sigma_min in (1.0, 150.0, 2000.0, 1e5):
        for delta, r in ((1e-5, 10), (1e-3, 3)):
            at = f"{sigma_min} {delta}"
            yield f"outsourced/smallest epsilon/{at} {r}", pb.outsourced.smallest_epsilon(sigma_min, delta, r)
            yield f"outsourced/largest r/{at} {r}", pb.outsourced.largest_r(sigma_min, float(r), delta)
    for n, mu, r in ((100, 0.1, 10), (10_000, 0.025, 50)):
        yield f"outsourced/dimension/{n} {mu}", pb.outsourced.projection_dimension(n, mu, 0.3)
        yield f"outsourced/tolerance/{n} {mu} {r}", pb.outsourced.projection_tolerance(n, mu, r)
    for sigma_min, omega in ((10.0, 3.0), (10.0, 30.0)):
        yield f"outsourced/distance constant/{sigma_min} {omega}", pb.outsourced.distance_constant(sigma_min, omega)
    for epsilon, delta in ((0.5, 1e-5), (30.0, 1e-3)):
        promises = pb.outsourced.guarantee(epsilon, delta, ""), pb.outsourced.noisy_guarantee(epsilon, delta, "")
        yield f"outsourced/guarantees/{epsilon} {delta}", [guarantee(each) for each in promises]
    kernel = pb.gp.SquaredExponential(2.0, 1.5)
    how = {"kernel": kernel, "noise_variance": 0.1, "iterations": 30, "gamma": 7.0, "epsilon_ucb": 0.2}
    bound = pb.outsourced.regret_bound(pb.outsourced.Extent(500, 9.0, 2.5), **how)
    yield "outsourced/regret bound", vars(bound)


def noise():
    bounds = [[0.0, 3.0], [-1.0, 1.0], [0.0, 50.0]]
    for epsilon in (0.2, 1.0, 8.0):
        for delta, distance in ((1e-5, 1.0), (1e-5, 4.0), (1e-3, np.inf)):
            how = {"bounds": bounds, "protected_distance": distance, "d": 3}
            sigma = noise_deviation(epsilon, delta, **how)
            yield f"outsourced/noise/{epsilon} {delta} {distance}", sigma
    for sigma in (0.0, 0.5, 3.0):
        kernel, nugget = pb.outsourced.noise_aware(pb.gp.SquaredExponential(1.5, 2.0), sigma, 3)
        yield f"outsourced/noise aware/{sigma}", [kernel.lengthscale, kernel.variance, nugget]
        wide, variance, nugget = pb.outsourced.expected_kernel([1.0, 3.0], [sigma, 0.1])
        yield f"outsourced/expected kernel/{sigma}", [*wide, variance, nugget]


def dataset(where, simulation):
    problem, spectrum = simulation.problem, simulation.spectrum
    yield f"{where}/singular values", spectrum.values
    yield f"{where}/smallest epsilon", pb.outsourced.smallest_epsilon(spectrum.sigma_min, 1e-5, 10)
    yield f"{where}/largest r", [pb.outsourced.largest_r(spectrum.sigma_min, each, 1e-5) for each in (1, 10, 100)]
    yield f"{where}/placed", sketch(simulation.placed)
    yield f"{where}/dominance margin", pb.outsourced.dominance_margin(problem.points[:50], problem.kernel)
    prior = simulation.prior(BASE)
    yield f"{where}/belief", [*prior.lengthscales, prior.variance, prior.noise_variance]
    yield f"{where}/reference", simulation.reference("noisy")
    for distance in (1.0, 3.0):
        how = {"protected_distance": distance, "normalised": True}
        yield f"{where}/true epsilon, normalised/{distance}", pb.outsourced.true_epsilon(problem, 2.0, 1e-5, **how)
    # The frame that is read off these rows, so that it follows them.
    move = pb.outsourced.hardest_move(problem.original, following(problem.original), np.ptp(problem.original, 0) / 50)
    yield f"{where}/hardest move", [move.row, *move.change, move.displacement]


def following(data):
    frame = pb.data.frame_from(data)
    read = pb.outsourced.following(frame, data)
    return lambda other: read(other).place(other)


def releases(where, simulation, setting):
    released = simulation.release(setting, 0)
    yield f"{where}/projection", [released.omega, released.sigma_min, released.amplified]
    yield f"{where}/projection/Z", sketch(released.Z, 1)
    constant = pb.outsourced.distance_constant(released.sigma_min, released.omega)
    nu = pb.outsourced.projection_tolerance(simulation.problem.n, 0.05, setting.r)
    dice = np.random.default_rng(5)
    distortion = pb.outsourced.distance_distortion(simulation.problem.points, released.Z, 500, dice)
    within = distortion.within(1.0 - nu, (1.0 + nu) * constant)
    yield f"{where}/distances", [constant, nu, distortion.pairs, within, *few(distortion.ratios, 2)]
    noisy = simulation.noisy_release(setting, 0)
    yield f"{where}/noisy", [noisy.sigma, noisy.protected_distance, noisy.r]
    yield f"{where}/noisy/Z", sketch(noisy.Z, 1)


def searches(where, simulation, setting):
    *_, comparison = simulation.compare(setting, RUNS, ("private", "noisy"))
    # The searches that know nothing of ε are recorded once for each sample.
    policies = ["private", "noisy"] if setting != BASE else [*comparison.mechanisms, *comparison.references, "random"]
    for policy in policies:
        for run, trace in enumerate(getattr(comparison, policy)):
            yield f"{where}/runs/{policy}/{run}", traced(trace, comparison.sigma_y)
        simple, cumulative = (comparison.band(policy, measure) for measure in ("simple", "cumulative"))
        numbers = [*simple.mean[[4, -1]], simple.standard_error[-1], cumulative.mean[-1]]
        yield f"{where}/band/{policy}", of_runs(numbers, f"{where}/runs/{policy}")
    base = where.rsplit("/", 1)[0] + "/epsilon 3.0/runs"
    for mechanism in comparison.mechanisms:
        cost = comparison.cost(mechanism)
        needed = comparison.extra_evaluations(mechanism, 100)
        numbers = {
            "cost": difference(cost),
            "lead": comparison.lead(mechanism).mean,
            "rank": list(comparison.typical_rank(mechanism)),
            "tests": [needed.private, needed.plain, needed.low, needed.high, needed.low_open, needed.high_open],
        }
        yield f"{where}/compared/{mechanism}", of_runs(numbers, f"{where}/runs", base)


def baselines():
    simulation = Simulation(pb.data.synthetic(side=30, seed=4), seed=3, functions=True)
    setting = replace(BASE, epsilon=5.0, iterations=10)
    *_, comparison = simulation.compare(setting, RUNS, ("private", "noisy"), also=("local", "neighbour"))
    for policy in (*comparison.mechanisms, *comparison.references, *comparison.baselines, "random"):
        for run, trace in enumerate(getattr(comparison, policy)):
            yield f"outsourced/functions/runs/{policy}/{run}", traced(trace, comparison.sigma_y)
    yield "outsourced/functions/local noise", simulation.local_release(setting, 0).sigma


def published():
    """Real releases, whose noise has no seed: what is known of them beforehand."""
    points = pb.data.sample("homes").points[:40]
    release = pb.outsourced.publish_noisy(points, 2.0, 1e-5, bounds=[[-30.0, 30.0]] * 2, protected_distance=2.0)
    yield "outsourced/publish_noisy", [release.sigma, release.r, len(release.Z), release.left_out, *release.bounds[0]]
    for name in SAMPLES[1:]:
        problem = pb.data.sample(name)
        frame = problem.frame
        release = of_frame(problem.original[:30], frame)
        yield f"outsourced/publish/{name}", [release.sigma, release.r, len(release.Z), release.left_out]
        yield f"outsourced/publish/{name}/bounds", release.bounds
    simulated = pb.outsourced.noisy_release(
        points, 2.0, 1e-5, bounds=[[-30.0, 30.0]] * 2, projection=[[1.0, 0.5, 2.0], [0.0, 2.0, 1.0]], rng=dice()
    )
    yield "outsourced/noisy release, mapped", [simulated.sigma, simulated.r, sketch(simulated.Z)]
    kept = pb.outsourced.curate(points, 2.0, 1e-5, 4, dice())
    yield "outsourced/curate", [kept.omega, kept.sigma_min, kept.amplified, sketch(kept.Z)]


def of_frame(data, frame):
    """Publish rows in a frame; whether the frame was read off the data does not matter to the numbers."""
    return pb.outsourced.publish(data, frame, 2.0, 1e-5, accept_read_off=True)


def dice():
    return np.random.default_rng(7)


def learned():
    """What a modeler learns of length-scales and noise from the first answers."""
    simulation = Simulation(pb.data.synthetic(side=25))
    for epsilon in (5.0, 50.0):
        release = simulation.noisy_release(replace(BASE, epsilon=epsilon), 0)
        rows = np.arange(0, 625, 40)
        found = learn(
            release.Z[rows], simulation.problem.objective[rows], sigma=release.sigma, frame=simulation.problem.frame
        )
        numbers = [*found.lengthscales, found.variance, found.noise_variance, found.mean, found.centre, found.scale]
        yield f"outsourced/learned/{epsilon}", [*numbers, found.learned_from]
