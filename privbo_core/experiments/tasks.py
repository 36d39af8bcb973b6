"""The tasks that compute a replicate: functions from an arm's settings and a replicate's number to its measures."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, get_args

import numpy as np

from privbo_core import federated, outsourced, release
from privbo_core.bo.parallel import one_thread_each
from privbo_core.data import sample
from privbo_core.data import synthetic as synthetic_function
from privbo_core.errors import Array
from privbo_core.experiments.model import Measured, Outcome, Piece, Value
from privbo_core.experiments.stand_ins import MADE_UP, made_up
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced.comparison import Policy
from privbo_core.privacy import Sampling, renyi_epsilon

SIGNIFICANT_DIGITS = 5  # Of stored results.
EARLY_ITERATIONS = 10  # Over which the early regret of the federated figures is averaged.


def work(piece: Piece) -> Outcome:
    """Compute a piece with one BLAS thread. Piece and outcome are plain values, which any executor can transport."""
    one_thread_each()
    replicate = partial(TASKS[piece.arm.task], piece.arm.settings)
    results = [replicate(piece.first + k) for k in range(piece.count)]
    curves = np.array([each.curve for each in results if each.curve is not None])
    return Outcome(
        experiment=piece.experiment,
        arm=piece.arm.name,
        digest=piece.arm.digest,
        first=piece.first,
        measures={name: _rounded([each.measures[name] for each in results]) for name in results[0].measures},
        curve=_rounded(curves.sum(axis=0)) if len(curves) else (),
        squares=_rounded((curves**2).sum(axis=0)) if len(curves) else (),
    )


def _rounded(values: Array | list[float]) -> tuple[float, ...]:
    return tuple(float(f"{value:.{SIGNIFICANT_DIGITS}g}") for value in values)


def outsourced_simulation(data: str, seed: int) -> outsourced.Simulation:
    """Return a new simulation on a sample, or on data drawn from ``seed`` for "functions" and the made-up data.

    Simulations are not shared, because each remembers its runs, and a piece that is computed again should really be.
    """
    if data == "functions":
        return outsourced.Simulation(synthetic_function(seed=seed), seed=seed)
    problem = made_up(data, seed) if data in MADE_UP else sample(data)
    # The papers search all rows, so their experiments do, too.
    return outsourced.Simulation(problem, seed=seed, max_rows=problem.n)


def outsourced_setting(settings: Mapping[str, Value], sigma_min: float) -> outsourced.Setting:
    """Return the setting of the search.

    If the settings have ``edge`` instead of ``epsilon``, ε is the smallest that meets the condition at r = ``edge``,
    multiplied by ``share`` if there is one.
    """
    delta, r = float(settings["delta"]), int(settings["r"])
    if "edge" in settings:
        # The factor keeps rounding from turning σ_min = ω into σ_min < ω.
        epsilon = outsourced.smallest_epsilon(sigma_min, delta, int(settings["edge"])) * (1 + 1e-9)
        epsilon *= float(settings.get("share", 1.0))
    else:
        epsilon = float(settings["epsilon"])
    return outsourced.Setting(epsilon, delta, r, int(settings["iterations"]))


def outsource(settings: Mapping[str, Value], replicate: int) -> Measured:
    """Run the outsourced search once on a sample, or ``inner`` times on data that are drawn for the replicate."""
    is_drawn = settings["data"] in ("functions", *MADE_UP)
    simulation = outsourced_simulation(str(settings["data"]), replicate if is_drawn else 1)
    setting = outsourced_setting(settings, simulation.spectrum.sigma_min)
    policy = next(each for each in get_args(Policy) if each == settings["policy"])
    runs = range(int(settings["inner"])) if is_drawn else [replicate]
    regrets = np.array([simulation.run(policy, setting, run).simple_regret for run in runs])
    mean = regrets.mean(axis=0) / simulation.problem.sigma_y
    return Measured({"last": float(mean[-1])}, mean if settings.get("curve") else None)


def condition(settings: Mapping[str, Value], replicate: int) -> Measured:
    """Return the largest r of the table with σ_min ≥ ω (0 if there is none), and σ_min."""
    sigma_min = outsourced_simulation(str(settings["data"]), 1).spectrum.sigma_min
    largest = outsourced.largest_r(sigma_min, float(settings["epsilon"]), float(settings["delta"]))
    offered = [int(r) for r in str(settings["offered"]).split()]
    return Measured({"largest": max((r for r in offered if r <= largest), default=0), "sigma_min": sigma_min})


FEDERATED_SETTINGS = ("iterations", "features", "q", "z", "S", "P", "decay", "a", "hold", "fade", "start", "sampling")
"""The fields of `federated.Settings` that an arm may set."""


def federated_settings(settings: Mapping[str, Value], problem: federated.FederatedProblem) -> federated.Settings:
    """Return the settings of a run of ``algorithm``, which is DP-FTS-DE or one of its reduced variants."""
    own: dict[str, Any] = {name: settings[name] for name in FEDERATED_SETTINGS if name in settings}
    complete = federated.Settings(problem.kernel, problem.noise_variance, **own)
    return federated.variants(complete)[str(settings["algorithm"])]


@lru_cache(maxsize=4)
def _federated_problem(data: str, seed: int, apart: float) -> federated.FederatedProblem:
    if data == "schools":
        return federated.schools()
    return federated.synthetic(
        agents=200, side=1000, dimensions=1, lengthscale=0.03, heterogeneity=apart, noise_variance=1e-2, seed=seed
    )


def federate(settings: Mapping[str, Value], replicate: int) -> Measured:
    """Run the federated search once, and return the agents' mean regret and the share of vectors that were clipped.

    The regret is measured over the first iterations, at the end, and as a curve unless ``curve`` is False. On the data
    "synthetic", the agents' functions are drawn for each replicate, with heterogeneity ``apart`` (0.1 by default).
    """
    data = str(settings["data"])
    problem = _federated_problem(data, 0 if data == "schools" else replicate, float(settings.get("apart", 0.1)))
    simulation = federated.Simulation(lambda run: problem, seed=7)
    record = simulation.run(federated_settings(settings, problem), int(settings["agents"]), replicate)
    simple, clipped = record.simple * problem.unit, np.nan_to_num(record.clipped)
    early, last, share = float(simple[:EARLY_ITERATIONS].mean()), float(simple[-1]), float(clipped.mean())
    return Measured({"early": early, "last": last, "clipped": share}, simple if settings.get("curve", True) else None)


def account(settings: Mapping[str, Value], replicate: int) -> Measured:
    """Return the privacy loss at δ = N^−1.1 by the paper's moments accountant and by tight accounting.

    If ``sampling`` is set, the loss by Rényi divergences is added. With "fixed" sampling, it replaces the moments
    accountant, which does not support that case. The measure "unhalved" ignores that the replacement of one agent by
    another may move the sum by twice the clipping threshold, and so does not halve the effective noise.
    """
    agents, steps = int(settings["agents"]), int(settings["iterations"])
    q, z = float(settings["q"]), float(settings["z"])
    sampling = next(word for word in get_args(Sampling) if word == settings.get("sampling", "poisson"))
    promise = federated.Settings(SquaredExponential(1.0), 1.0, iterations=steps, q=q, z=z, S=1.0, sampling=sampling)
    measures = {"epsilon": federated.losses(promise, agents)[-1], "tight": federated.losses(promise, agents, "pld")[-1]}
    delta = federated.delta_for(agents)
    if "sampling" in settings:
        measures["renyi"] = renyi_epsilon(q, z, steps, delta, sampling)
    if sampling == "fixed":
        measures["epsilon"] = measures["renyi"]
        measures["unhalved"] = renyi_epsilon(q, 2.0 * z, steps, delta, "fixed")
    return Measured(measures)


def bound(settings: Mapping[str, Value], replicate: int) -> Measured:
    """Run DP-BO's Algorithm 1 on a function drawn from its prior, and return losses and the bounds of Theorems 2, 4."""
    # All settings with the same candidates share the function and the random numbers.
    task = release.prior_task(int(settings["candidates"]), replicate)
    f, (_, observe, publish) = task.scores, np.random.default_rng([11, replicate]).spawn(3)
    delta, a, epsilon = float(settings["delta"]), float(settings["a"]), float(settings["epsilon"])
    search = release.optimise(
        task.points, f, kernel=task.kernel, sigma=float(settings["sigma"]), iterations=int(settings["iterations"]),
        delta=delta, rng=observe,
    )  # fmt: skip
    plan = release.noisy(search, epsilon=epsilon, k1=float(settings["k1"]))
    simulated = release.simulated_releases(plan, [epsilon], draws=int(settings["draws"]), objective=f, rng=publish)
    assert simulated.rows is not None
    loss = search.mean.max() - search.mean[simulated.rows[0]]
    error = np.abs(simulated.value_error[0])
    _, setting_bound, _, score_bound = plan.bounds(a)
    return Measured(
        {
            "setting_loss": float(loss.mean()),
            "setting_bound": setting_bound.value,
            "setting_within": float((loss <= setting_bound.value).mean()),
            "score_error": float(error.mean()),
            "score_bound": score_bound.value,
            "score_within": float((error <= score_bound.value).mean()),
            "range": float(f.max() - f.min()),
        }
    )


TASKS: Mapping[str, Callable[[Mapping[str, Value], int], Measured]] = {
    "outsourced": outsource,
    "condition": condition,
    "federated": federate,
    "accountant": account,
    "bounds": bound,
}
