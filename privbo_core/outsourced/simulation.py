"""Simulations of a data holder and an analyst, in many runs of searches with and without privacy.

The analyst receives Z and then sends row numbers, and the data holder replies with outcomes. They exchange nothing
else. All searches of a problem use common random numbers.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

import numpy as np

from privbo_core.bo import (
    Rule,
    Trace,
    initial_rows,
    neighbour_queries,
    random_queries,
    rule,
    rule_queries,
    search,
)
from privbo_core.bo.acquisition import check_iterations
from privbo_core.bo.parallel import StoppedError, in_order
from privbo_core.bo.policies import Queries
from privbo_core.data import Problem
from privbo_core.errors import Array, vector, whole
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.outsourced.beliefs import Belief, belief
from privbo_core.outsourced.comparison import Baseline, Comparison, Mechanism, Policy
from privbo_core.outsourced.displacement import displacement, epsilon_of
from privbo_core.outsourced.noisy import EXACT_NOISE, NoisyRelease, noisy_guarantee, noisy_release
from privbo_core.outsourced.projection import Release, Spectrum, curate, omega, spectrum
from privbo_core.outsourced.setting import Setting
from privbo_core.privacy import Guarantee

Purpose = Literal["initial", "noise", "projection", "random", "release", "thompson", "function", "answers"]
PURPOSES = get_args(Purpose)

MAX_SEARCHED_ROWS = 20_000
"""The number of rows on which searches are simulated. More would take minutes, and find the same differences."""
CACHED_RUNS = 5000  # The number of runs that each simulation caches. At T = 50 they take about 7 MB.

Searcher = Callable[[Array], Queries]
"""A simulated analyst, which is a function of Z. It returns a coroutine that yields row numbers and is sent outcomes.

It has no reference to the data holder, so it cannot reach X. It knows only Z and the outcomes that it is sent.
"""


class SimulatedCurator:
    """A simulated data holder, which answers with ``objective`` + N(0, ``noise_variance``).

    It is never passed to the analyst.
    """

    def __init__(
        self, points: Array | Spectrum, objective: Array, noise_variance: float, rng: np.random.Generator
    ) -> None:
        self._spectrum = points if isinstance(points, Spectrum) else spectrum(points)
        self._objective = vector("objective", objective, len(self._spectrum.centred))
        self._deviation = float(np.sqrt(noise_variance))
        self._rng = rng

    def release(self, epsilon: float, delta: float, r: int, rng: np.random.Generator) -> Release:
        """Return the random projection of the inputs (Algorithm 1)."""
        return curate(self._spectrum, epsilon, delta, r, rng)

    def answer(self, row: int) -> float:
        """Return f at the input of this row, plus noise."""
        return float(self._objective[row] + self._deviation * self._rng.standard_normal())

    def trace(self, rows: list[int], observed: list[float], initial: int, taken: list[int] | None = None) -> Trace:
        """Return the trace of a finished run. It contains the true objective, which only the data holder knows.

        See `Trace.of` for ``taken``.
        """
        return Trace.of(rows, observed, self._objective, initial, taken)


def outsource(
    curator: SimulatedCurator,
    release: Release,
    modeler: Searcher,
    initial: int,
    answer: Callable[[int], float] | None = None,
) -> Trace:
    """Run Algorithm 2 and return its trace.

    ``answer`` replaces ``curator.answer``, so that a caller can observe or stop the run.
    """
    rows, observed = search(modeler(release.Z.copy()), answer or curator.answer)
    return curator.trace(rows, observed, initial)


class Simulation:
    """Simulated runs on one problem, with common random numbers and a cache.

    Run k always has the same initial rows, the same noise and the same random stream for M. Curves therefore change
    because a setting changes, and not by chance. Finished runs are cached by the settings on which they depend. A run
    on the projection does not depend on ε if σ_min ≥ ω. A shorter run is the beginning of a longer one. Simulations are
    thread-safe.

    Searches run on at most ``max_rows`` random rows, which are always the same: ``searched`` is the problem on these
    ``rows``, and traces count its rows. Everything else, such as the spectrum, releases and guarantees, is computed
    from all rows.

    With ``functions``, ``problem.draw`` draws another objective of the same kind on the same points for each run, so
    that the runs also differ by their functions. Raises ValueError if the problem cannot draw functions.
    """

    def __init__(
        self, problem: Problem, seed: int = 1, *, functions: bool = False, max_rows: int = MAX_SEARCHED_ROWS
    ) -> None:
        if functions and problem.draw is None:
            raise ValueError(f"{problem.title} has no formula that draws functions, so functions must be False.")
        self.problem = problem
        self.seed = seed
        self.functions = functions
        self.spectrum = spectrum(problem.points)
        self.rows = np.arange(problem.n)
        if problem.n > whole("max_rows", max_rows):
            self.rows = np.sort(np.random.default_rng(seed).choice(problem.n, max_rows, replace=False))
        self._runs: OrderedDict[tuple[object, ...], Trace] = OrderedDict()
        self._lock = threading.Lock()
        self._displacements: dict[float, float] = {}
        self._noise = lru_cache(maxsize=256)(lambda setting, distance: setting.noise(problem.frame, distance))

    @cached_property
    def searched(self) -> Problem:
        """The problem on the rows that are searched. It is ``problem`` itself if these are all rows."""
        problem, rows = self.problem, self.rows
        if len(rows) == problem.n:
            return problem
        return replace(
            problem,
            points=problem.points[rows],
            objective=problem.objective[rows],
            original=problem.original[rows],
            known_frame=problem.frame,
        )

    @cached_property
    def _searched_spectrum(self) -> Spectrum:
        """The spectrum of all rows, with the centred inputs of the searched rows only."""
        if len(self.rows) == self.problem.n:
            return self.spectrum
        return replace(self.spectrum, centred=self.spectrum.centred[self.rows])

    @cached_property
    def placed(self) -> Array:
        """The n×d inputs as the column settings place them, to which the noisy release adds noise."""
        return self.problem.frame.place(self.problem.original)

    @cached_property
    def _same_model(self) -> bool:
        """Whether the analyst of a noisy release has the model of the plain search, as for a public formula."""
        problem, prior = self.problem, belief(self.problem)
        assumed = prior.lengthscales * problem.frame.hide
        fitted = problem.kernel.lengthscale * problem.unit_distance
        return (
            isinstance(problem.kernel, SquaredExponential)
            and np.allclose(assumed, fitted, rtol=1e-9, atol=0)
            and (prior.variance, prior.noise_variance) == (problem.kernel.variance, problem.noise_variance)
            and np.allclose(problem.frame.to_original(self.placed), problem.original)
        )

    def reference(self, mechanism: Mechanism) -> Policy:
        """Return the search without privacy that uses the same model as the search of a release.

        If the reference had another model, part of the difference would be due to the model and not to privacy. The
        search of the projection uses the model fitted to the data, as the plain search does. The search of the noisy
        release uses the column settings and the analyst's belief, as "noiseless" does. If that is also the model of the
        plain search, the reference is "plain".
        """
        return "noiseless" if mechanism == "noisy" and not self._same_model else "plain"

    def policies(self, mechanisms: Sequence[Mechanism], also: Sequence[Baseline] = ()) -> tuple[Policy, ...]:
        """Return the policies of a comparison: the releases, their references, the baselines ``also`` and "random"."""
        references = dict.fromkeys(self.reference(mechanism) for mechanism in mechanisms) or {"plain": None}
        return (*mechanisms, *references, *dict.fromkeys(also), "random")

    def model(self, setting: Setting) -> tuple[Kernel, float]:
        """Return the kernel of searches on X and on the projection, and the noise variance of an answer."""
        kernel = self.problem.kernel
        lengthscale, variance = kernel.lengthscale * setting.lengthscale, kernel.variance * setting.signal
        noise_variance = self.problem.noise_variance * setting.answer_noise
        return replace(kernel, lengthscale=lengthscale, variance=variance), noise_variance

    def prior(self, setting: Setting) -> Belief:
        """Return the `belief` of the analyst of a noisy release, scaled by the setting."""
        return belief(self.problem).scaled(setting.lengthscale, setting.signal, setting.answer_noise)

    def objective(self, run: int) -> Array:
        """Return the noise-free objective of the searched rows. With ``functions``, every run has another one."""
        if not self.functions or self.problem.draw is None:
            return self.searched.objective
        return self.problem.draw(self._stream(run, "function"))[self.rows]

    def stream(
        self, policy: Policy, setting: Setting, runs: int, meanwhile: Callable[[], None] = lambda: None
    ) -> Generator[Trace, None, None]:
        """Yield the traces of ``runs`` runs in order.

        ``meanwhile`` is called several times a second. All runs stop if the generator is closed, or if ``meanwhile``
        raises.
        """
        check_iterations(setting.iterations, self.searched.n)
        return in_order(lambda run, stop: self.run(policy, setting, run, stop), range(whole("runs", runs)), meanwhile)

    def compare(
        self,
        setting: Setting,
        runs: int,
        mechanisms: Sequence[Mechanism] = ("private",),
        meanwhile: Callable[[], None] = lambda: None,
        also: Sequence[Baseline] = (),
    ) -> Generator[Comparison, None, None]:
        """Yield the comparison of all policies after each run. See `stream` and `policies`."""
        check_iterations(setting.iterations, self.searched.n)
        policies = self.policies(mechanisms, also)

        def traces_of(run: int, stop: threading.Event) -> tuple[Trace, ...]:
            return tuple(self.run(policy, setting, run, stop) for policy in policies)

        finished: list[tuple[Trace, ...]] = []
        with closing(in_order(traces_of, range(whole("runs", runs)), meanwhile)) as results:
            for traces in results:
                finished.append(traces)
                by_policy = dict(zip(policies, zip(*finished, strict=True), strict=True))
                yield Comparison(sigma_y=self.problem.sigma_y, **{"private": (), "plain": (), **by_policy})

    def run(self, policy: Policy, setting: Setting, run: int, stop: threading.Event | None = None) -> Trace:
        """Return the trace of one run. The cost is O(nT²), unless the run is in the cache."""
        key = self._key(policy, setting, run)
        with self._lock:
            known = self._runs.get(key)
            if known is not None:
                self._runs.move_to_end(key)
        if known is None or known.iterations < setting.iterations:
            known = self._compute(policy, setting, run, stop or threading.Event())
            with self._lock:
                self._runs[key] = known
                while len(self._runs) > CACHED_RUNS:
                    self._runs.popitem(last=False)
        return known.head(setting.iterations)

    def finished(self, policy: Policy, setting: Setting, runs: int) -> int:
        """Return how many of the first ``runs`` runs are in the cache before the first that is not."""
        for run in range(runs):
            known = self._runs.get(self._key(policy, setting, run))
            if known is None or known.iterations < setting.iterations:
                return run
        return runs

    def release(self, setting: Setting, run: int) -> Release:
        """Return the random projection of a run."""
        return curate(self.spectrum, setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))

    def noisy_release(self, setting: Setting, run: int) -> NoisyRelease:
        """Return the noisy release of a run. At every ε, it scales the same unit noise by σ."""
        return self._noisy_release(setting, run, setting.protected_distance)

    def local_release(self, setting: Setting, run: int) -> NoisyRelease:
        """Return the release of a run under local randomisation, in which each person adds noise to their own record.

        No data holder is trusted with the records, so each is protected as a whole, wherever it lies within the ranges.
        The protected distance is ∞, which amounts to the diagonal of the ranges. The noisy release also adds noise row
        by row, but it protects only the protected difference, so it needs less noise.
        """
        return self._noisy_release(setting, run, math.inf)

    def _noisy_release(self, setting: Setting, run: int, protected_distance: float) -> NoisyRelease:
        return noisy_release(
            self.placed,
            setting.epsilon,
            setting.delta,
            bounds=self.problem.frame.bounds,
            protected_distance=protected_distance,
            rng=self._stream(run, "release"),
        )

    def noisy_guarantee(self, setting: Setting, neighbours: str) -> Guarantee:
        """Return the guarantee of the noisy release of this problem.

        It states the true ε if the column settings are not public.
        """
        guarantee = noisy_guarantee(
            setting.epsilon, setting.delta, neighbours, self.problem.frame, self.true_epsilon(setting)
        )
        return replace(guarantee, conditions=(*guarantee.conditions, EXACT_NOISE))

    def true_epsilon(self, setting: Setting) -> float | None:
        """Return the true ε of the noisy release (`pb.outsourced.true_epsilon`), or None for public column settings."""
        frame, distance = self.problem.frame, setting.protected_distance
        if frame.public:
            return None
        moved = self._displacements.get(distance)
        if moved is None:
            moved = self._displacements[distance] = displacement(self.problem, distance)
        return epsilon_of(moved, frame, setting.epsilon, setting.delta, protected_distance=distance)

    def queries(self, points: Array, setting: Setting, run: int) -> Queries:
        """Return the search of a run on ``points``, which are X for the plain search, or Z for the projection."""
        kernel, noise_variance = self.model(setting)
        return self._queries((points, kernel, 0.0), noise_variance, setting, run)

    def rule(self, setting: Setting, run: int) -> Rule:
        """Return the rule by which searches with a model choose rows in a run, for one use in `pb.bo.replay`."""
        rng = self._stream(run, "thompson")
        return rule(setting.search, delta_ucb=setting.delta_ucb, once=setting.once, rng=rng)

    def _noisy_model(self, z: Array, sigma: float, setting: Setting) -> tuple[Array, SquaredExponential, float]:
        """Return the analyst's points, kernel and nugget. The kernel accounts for the noise if ``setting.aware``."""
        return self.prior(setting).read(z, sigma if setting.aware else 0.0)

    def _queries(
        self, model: tuple[Array, Kernel, float], noise_variance: float, setting: Setting, run: int
    ) -> Queries:
        points, kernel, nugget = model
        return rule_queries(
            points,
            kernel=kernel,
            noise_variance=noise_variance,
            iterations=setting.iterations,
            initial_rows=self._initial(setting, run),
            rule=self.rule(setting, run),
            nugget=nugget,
        )

    def _key(self, policy: Policy, setting: Setting, run: int) -> tuple[object, ...]:
        key: tuple[object, ...] = (policy, run, setting.initial, setting.answer_noise)
        if policy not in ("random", "neighbour"):
            key += setting.search_key
        if policy in ("neighbour", "noisy", "local"):
            distance = math.inf if policy == "local" else setting.protected_distance
            key += (self._noise(setting, distance),)
        if policy in ("noisy", "local"):
            key += (setting.aware,)
        elif policy == "private":
            threshold = omega(setting.epsilon, setting.delta, setting.r)
            key += (setting.r, threshold if threshold > self.spectrum.sigma_min else 0.0)
        return key

    def _compute(self, policy: Policy, setting: Setting, run: int, stop: threading.Event) -> Trace:
        problem = self.searched
        noise, objective = self._stream(run, "noise"), self.objective(run)
        curator = SimulatedCurator(self._searched_spectrum, objective, self.model(setting)[1], noise)

        def answer(row: int) -> float:
            if stop.is_set():
                raise StoppedError
            return curator.answer(row)

        if policy == "private":
            release = curator.release(setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))
            return outsource(curator, release, lambda z: self.queries(z, setting, run), setting.initial, answer)
        if policy in ("noisy", "local"):
            # The analyst gets Z, as in the paper, and σ, which is public.
            noisy = self.noisy_release(setting, run) if policy == "noisy" else self.local_release(setting, run)
            model = self._noisy_model(noisy.Z[self.rows], noisy.sigma, setting)
            queries = self._queries(model, self.prior(setting).noise_variance, setting, run)
        elif policy == "neighbour":
            # Without a model, distances are measured after each column is divided by its range.
            shares = self.noisy_release(setting, run).Z[self.rows] / np.ptp(problem.frame.bounds, axis=1)
            queries = neighbour_queries(shares, iterations=setting.iterations, initial_rows=self._initial(setting, run))
        elif policy == "noiseless":
            model = self._noisy_model(self.placed[self.rows], 0.0, setting)
            queries = self._queries(model, self.prior(setting).noise_variance, setting, run)
        elif policy == "plain":
            queries = self.queries(problem.points, setting, run)
        else:
            queries = random_queries(
                problem.n,
                iterations=setting.iterations,
                initial_rows=self._initial(setting, run),
                rng=self._stream(run, "random"),
            )
        return curator.trace(*search(queries, answer), setting.initial)

    def _initial(self, setting: Setting, run: int) -> list[int]:
        return initial_rows(setting.initial, self.searched.n, self._stream(run, "initial"))

    def _stream(self, run: int, purpose: Purpose) -> np.random.Generator:
        return np.random.default_rng([self.seed, run, PURPOSES.index(purpose)])
