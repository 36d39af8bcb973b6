"""What computes a piece: each task runs the engine for one replicate and returns measures and, if asked, a curve."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, get_args

import numpy as np

from privbo_core import federated, outsourced, release
from privbo_core.bo.parallel import one_thread_each
from privbo_core.data import sample
from privbo_core.data import synthetic as synthetic_function
from privbo_core.errors import Array
from privbo_core.experiments.made_up import MADE_UP, made_up
from privbo_core.experiments.model import Measured, Outcome, Piece, Value
from privbo_core.gp import SquaredExponential, root
from privbo_core.outsourced.comparison import Policy
from privbo_core.privacy import Sampling, renyi_epsilon

DIGITS = 5  # Significant digits that are kept.
EARLY = 10  # Iterations that the federated figures' early regret is a mean over.


def work(piece: Piece) -> Outcome:
    """Compute a piece. A plain function of plain values, so that any executor can carry it. One BLAS thread."""
    one_thread_each()
    replicate = partial(TASKS[piece.arm.task], piece.arm.settings)
    found = [replicate(piece.first + k) for k in range(piece.count)]
    curves = np.array([each.curve for each in found if each.curve is not None])
    return Outcome(
        experiment=piece.experiment,
        arm=piece.arm.name,
        digest=piece.arm.digest,
        first=piece.first,
        measures={name: _rounded([each.measures[name] for each in found]) for name in found[0].measures},
        curve=_rounded(curves.sum(axis=0)) if len(curves) else (),
        squares=_rounded((curves**2).sum(axis=0)) if len(curves) else (),
    )


def _rounded(values: Array | list[float]) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values)


def outsourced_simulation(data: str, seed: int) -> outsourced.Simulation:
    """Return the runs on a sample, or on what ``seed`` draws where ``data`` is "functions" or made up.

    A new one each time: a simulation remembers its runs, and what is run again should be run. A few milliseconds.
    """
    if data == "functions":
        return outsourced.Simulation(synthetic_function(seed=seed), seed=seed)
    return outsourced.Simulation(made_up(data, seed) if data in MADE_UP else sample(data), seed=seed)


def outsourced_setting(settings: Mapping[str, Value], sigma_min: float) -> outsourced.Setting:
    """Return the setting.

    ``edge`` in place of ``epsilon``: the smallest ε that meets the condition at r = ``edge``, or a ``share`` of it.
    """
    delta, r = float(settings["delta"]), int(settings["r"])
    if "edge" in settings:
        # A hair above, so that rounding cannot turn σ_min = ω into σ_min < ω.
        epsilon = outsourced.smallest_epsilon(sigma_min, delta, int(settings["edge"])) * (1 + 1e-9)
        epsilon *= float(settings.get("share", 1.0))
    else:
        epsilon = float(settings["epsilon"])
    return outsourced.Setting(epsilon, delta, r, int(settings["iterations"]))


def outsource(settings: Mapping[str, Value], replicate: int) -> Measured:
    """One run on a sample; or, on what is drawn anew, the mean of ``inner`` runs on the replicate's own function."""
    own_function = settings["data"] in ("functions", *MADE_UP)
    simulation = outsourced_simulation(str(settings["data"]), replicate if own_function else 1)
    setting = outsourced_setting(settings, simulation.spectrum.sigma_min)
    policy = next(each for each in get_args(Policy) if each == settings["policy"])
    runs = range(int(settings["inner"])) if own_function else [replicate]
    regrets = np.array([simulation.run(policy, setting, run).simple_regret for run in runs])
    mean = regrets.mean(axis=0) / simulation.problem.sigma_y
    return Measured({"last": float(mean[-1])}, mean if settings.get("curve") else None)


def condition(settings: Mapping[str, Value], replicate: int) -> Measured:
    """The largest of the table's r with σ_min ≥ ω (0 if there is none), and σ_min itself."""
    sigma_min = outsourced_simulation(str(settings["data"]), 1).spectrum.sigma_min
    largest = outsourced.largest_r(sigma_min, float(settings["epsilon"]), float(settings["delta"]))
    offered = [int(r) for r in str(settings["offered"]).split()]
    return Measured({"largest": max((r for r in offered if r <= largest), default=0), "sigma_min": sigma_min})


AGENTS_SETTINGS = ("iterations", "features", "q", "z", "S", "P", "decay", "a", "hold", "fade", "start", "sampling")
"""What an arm says of a federated run, in the words of `federated.Settings`; what it leaves out is as there."""


def federated_settings(settings: Mapping[str, Value], problem: federated.FederatedProblem) -> federated.Settings:
    """Return the run's settings; ``algorithm`` names what is left out of the DP-FTS-DE that the others describe."""
    own: dict[str, Any] = {name: settings[name] for name in AGENTS_SETTINGS if name in settings}
    whole = federated.Settings(problem.kernel, problem.noise_variance, **own)
    return federated.variants(whole)[str(settings["algorithm"])]


@lru_cache(maxsize=4)
def _federated_problem(data: str, seed: int, apart: float) -> federated.FederatedProblem:
    if data == "schools":
        return federated.schools()
    return federated.synthetic(
        agents=200, side=1000, dimensions=1, lengthscale=0.03, heterogeneity=apart, noise_variance=1e-2, seed=seed
    )


def federate(settings: Mapping[str, Value], replicate: int) -> Measured:
    """One run, averaged over agents: simple regret early, at the end and as a curve, and the share of vectors clipped.

    On "synthetic" each replicate has functions of its own, ``apart`` from each other by their heterogeneity (a tenth).
    ``curve`` False: the curve is not kept.
    """
    data = str(settings["data"])
    problem = _federated_problem(data, 0 if data == "schools" else replicate, float(settings.get("apart", 0.1)))
    simulation = federated.Simulation(lambda run: problem, seed=7)
    record = simulation.run(federated_settings(settings, problem), int(settings["agents"]), replicate)
    simple, clipped = record.simple * problem.unit, np.nan_to_num(record.clipped)
    early, last, share = float(simple[:EARLY].mean()), float(simple[-1]), float(clipped.mean())
    return Measured({"early": early, "last": last, "clipped": share}, simple if settings.get("curve", True) else None)


def account(settings: Mapping[str, Value], replicate: int) -> Measured:
    """The privacy loss at δ = N^−1.1 by the paper's moments accountant, and by the tighter one.

    Where ``sampling`` is set, by Rényi divergences too. If it is "fixed", these take the place of moments, which do not
    know it; and "unhalved": the same where the noise is not counted for half, although one agent is replaced by
    another, so that the sum may move by twice the clipping threshold.
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


@lru_cache(maxsize=4)
def _prior(candidates: int) -> tuple[Array, SquaredExponential, Array]:
    points, kernel = np.linspace(0.0, 1.0, candidates)[:, None], SquaredExponential(0.1)
    return points, kernel, root(points, kernel)


def bound(settings: Mapping[str, Value], replicate: int) -> Measured:
    """DP-BO's Algorithm 1 on a function drawn from its own prior: what is lost, and what Theorems 2 and 4 allow."""
    points, kernel, basis = _prior(int(settings["candidates"]))
    rng = np.random.default_rng([11, replicate])
    # The same function for every setting with the same candidates, and the same dice for all.
    draw, observe, publish = rng.spawn(3)
    f = basis @ draw.standard_normal(basis.shape[1])
    delta, a, epsilon = float(settings["delta"]), float(settings["a"]), float(settings["epsilon"])
    search = release.optimise(
        points, f, kernel=kernel, sigma=float(settings["sigma"]), iterations=int(settings["iterations"]), delta=delta,
        rng=observe,
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
