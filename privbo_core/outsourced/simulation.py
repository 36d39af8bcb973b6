"""Many runs of the private, the noisy, the plain and the random search on one problem, with common random numbers."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from privbo_core.bo import Band, Trace, band, initial_rows, random_queries, search, ucb_queries
from privbo_core.bo.parallel import StoppedError, in_order
from privbo_core.bo.policies import Queries, check_iterations
from privbo_core.data import Problem
from privbo_core.data.problem import MAX_NORM
from privbo_core.errors import Array, positive, probability, whole
from privbo_core.outsourced.noisy import NoisyRelease, noise_aware, noise_deviation, noisy_release
from privbo_core.outsourced.projection import Release, curate, omega, spectrum
from privbo_core.outsourced.protocol import Curator, outsource

Policy = Literal["private", "noisy", "plain", "random"]
Mechanism = Literal["private", "noisy"]
"""What the modeler is given: the paper's projection (Algorithm 1) or the noisy release."""
Measure = Literal["simple", "cumulative"]
Purpose = Literal["initial", "noise", "projection", "random", "release"]
PURPOSES = get_args(Purpose)
BOUNDS = (-MAX_NORM, MAX_NORM)
"""The noisy release's bounds of every column, in the problem's frame: that the frame itself is public is assumed."""
KEPT_RUNS = 5000
"""Finished runs remembered per problem: about 1.3 kB each at T = 50, so some 7 MB."""


@dataclass(frozen=True)
class Setting:
    """What a person sets: privacy (ε, δ), projection dimension r, T iterations, GP-UCB's δ_ucb, initial points.

    For the noisy release alone: ``protected_distance`` in the problem's frame (the paper's neighbours differ by 1), and
    whether the modeler's kernel takes the noise into account (``aware``; see results/noisy_release.json).
    """

    epsilon: float
    delta: float
    r: int
    iterations: int
    delta_ucb: float = 0.05
    initial: int = 5
    protected_distance: float = 1.0
    aware: bool = True

    def __post_init__(self) -> None:
        omega(self.epsilon, self.delta, self.r)
        whole("iterations", self.iterations)
        probability("delta_ucb", self.delta_ucb)
        whole("initial", self.initial, least=0)
        positive("protected_distance", self.protected_distance)

    def noise(self, d: int) -> float:
        """Return σ of the noisy release of d columns."""
        return noise_deviation(self.epsilon, self.delta, bounds=BOUNDS, protected_distance=self.protected_distance, d=d)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The same runs by each policy, as far as they have got. Regrets come in units of σ_y.

    ``private`` or ``noisy`` is empty where that release was not asked for.
    """

    private: tuple[Trace, ...]
    plain: tuple[Trace, ...]
    random: tuple[Trace, ...]
    sigma_y: float
    noisy: tuple[Trace, ...] = ()

    @property
    def runs(self) -> int:
        """How many runs each policy has finished."""
        return len(self.plain)

    def band(self, policy: Policy, measure: Measure = "simple") -> Band:
        """Return mean and standard error of one policy's regret over the iterations."""
        traces: tuple[Trace, ...] = getattr(self, policy)
        return band([getattr(trace, f"{measure}_regret") / self.sigma_y for trace in traces])

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The releases that were asked for."""
        both: tuple[Mechanism, ...] = ("private", "noisy")
        return tuple(mechanism for mechanism in both if getattr(self, mechanism))

    def extra(self, measure: Measure = "simple", mechanism: Mechanism = "private") -> Band:
        """Return what privacy adds to the regret over the plain search: the mean of run-by-run differences."""
        pairs = zip(getattr(self, mechanism), self.plain, strict=True)
        name = f"{measure}_regret"
        return band([(getattr(a, name) - getattr(b, name)) / self.sigma_y for a, b in pairs])


class Simulation:
    """Runs on one problem. Run k always has the same initial rows, the same noise and the same stream for M.

    So a curve moves because a setting moved, not because the dice did. Finished runs are remembered by what they
    depend on (with σ_min ≥ ω that is not even ε), and a shorter run is read off a longer one. Thread-safe.
    """

    def __init__(self, problem: Problem, seed: int = 1) -> None:
        self.problem = problem
        self.seed = seed
        self.spectrum = spectrum(problem.points)
        self._runs: OrderedDict[tuple[object, ...], Trace] = OrderedDict()
        self._lock = threading.Lock()

    def stream(
        self, policy: Policy, setting: Setting, runs: int, meanwhile: Callable[[], None] = lambda: None
    ) -> Generator[Trace, None, None]:
        """Yield the traces of runs 0 … runs − 1, in order. Closing the generator stops the computation.

        ``meanwhile`` is called now and then while a run is waited for; what it raises stops the computation too.
        """
        check_iterations(setting.iterations, self.problem.n)
        return in_order(lambda run, stop: self.run(policy, setting, run, stop), range(whole("runs", runs)), meanwhile)

    def compare(
        self,
        setting: Setting,
        runs: int,
        mechanisms: Sequence[Mechanism] = ("private",),
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Generator[Comparison, None, None]:
        """Yield the policies' runs side by side, one more run each time, at the pace they are computed.

        ``meanwhile`` as in `stream`.
        """
        check_iterations(setting.iterations, self.problem.n)
        policies: tuple[Policy, ...] = (*mechanisms, "plain", "random")

        def one(run: int, stop: threading.Event) -> tuple[Trace, ...]:
            return tuple(self.run(policy, setting, run, stop) for policy in policies)

        done: list[tuple[Trace, ...]] = []
        with closing(in_order(one, range(whole("runs", runs)), meanwhile)) as results:
            for traces in results:
                done.append(traces)
                by_policy = dict(zip(policies, zip(*done, strict=True), strict=True))
                yield Comparison(
                    private=by_policy.get("private", ()),
                    plain=by_policy["plain"],
                    random=by_policy["random"],
                    sigma_y=self.problem.sigma_y,
                    noisy=by_policy.get("noisy", ()),
                )

    def run(self, policy: Policy, setting: Setting, run: int, stop: threading.Event | None = None) -> Trace:
        """Return the trace of one run, from memory if it is there. O(nT²) otherwise."""
        key = (policy, run, setting.initial, *self._depends_on(policy, setting))
        with self._lock:
            known = self._runs.get(key)
            if known is not None:
                self._runs.move_to_end(key)
        if known is None or known.iterations < setting.iterations:
            known = self._compute(policy, setting, run, stop or threading.Event())
            with self._lock:
                self._runs[key] = known
                while len(self._runs) > KEPT_RUNS:
                    self._runs.popitem(last=False)
        return known.first(setting.iterations)

    def finished(self, policy: Policy, setting: Setting, runs: int) -> int:
        """Return how many of the first ``runs`` runs are in memory, counted until the first that is not."""
        for run in range(runs):
            known = self._runs.get((policy, run, setting.initial, *self._depends_on(policy, setting)))
            if known is None or known.iterations < setting.iterations:
                return run
        return runs

    def release(self, setting: Setting, run: int) -> Release:
        """Return the release of that run's projection."""
        return curate(self.spectrum, setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))

    def noisy_release(self, setting: Setting, run: int) -> NoisyRelease:
        """Return the noisy release of that run: the same unit noise at every ε, scaled."""
        return noisy_release(
            self.problem.points,
            setting.epsilon,
            setting.delta,
            bounds=BOUNDS,
            protected_distance=setting.protected_distance,
            rng=self._stream(run, "release"),
        )

    def queries(self, points: Array, setting: Setting, run: int, sigma: float = 0.0) -> Queries:
        """Return GP-UCB on the points given (X for the plain search, Z for the modeler's), with run's initial rows.

        ``sigma`` is the noise in the points that the modeler reckons with.
        """
        kernel, nugget = noise_aware(self.problem.kernel, sigma, self.problem.d)
        return ucb_queries(
            points,
            kernel=kernel,
            noise_variance=self.problem.noise_variance,
            iterations=setting.iterations,
            initial_rows=self._initial(setting, run),
            delta_ucb=setting.delta_ucb,
            nugget=nugget,
        )

    def _depends_on(self, policy: Policy, setting: Setting) -> tuple[object, ...]:
        if policy == "random":
            return ()
        if policy == "plain":
            return (setting.delta_ucb,)
        if policy == "noisy":
            return (setting.delta_ucb, setting.noise(self.problem.d), setting.aware)
        threshold = omega(setting.epsilon, setting.delta, setting.r)
        return (setting.delta_ucb, setting.r, threshold if threshold > self.spectrum.sigma_min else 0.0)

    def _compute(self, policy: Policy, setting: Setting, run: int, stop: threading.Event) -> Trace:
        problem = self.problem
        curator = Curator(self.spectrum, problem.objective, problem.noise_variance, self._stream(run, "noise"))

        def answer(row: int) -> float:
            if stop.is_set():
                raise StoppedError
            return curator.answer(row)

        if policy == "private":
            release = curator.release(setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))
            return outsource(curator, release, lambda z: self.queries(z, setting, run), setting.initial, answer)
        if policy == "noisy":
            noisy = self.noisy_release(setting, run)
            # As for the paper's release, the modeler gets Z; what noise it carries is public.
            queries = self.queries(noisy.Z, setting, run, noisy.sigma if setting.aware else 0.0)
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
        return initial_rows(setting.initial, self.problem.n, self._stream(run, "initial"))

    def _stream(self, run: int, purpose: Purpose) -> np.random.Generator:
        return np.random.default_rng([self.seed, run, PURPOSES.index(purpose)])
