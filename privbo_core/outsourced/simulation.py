"""Many runs of the private, the plain and the random search on one problem, with common random numbers."""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np

from privbo_core.bo import Band, Trace, band, initial_rows, random_queries, search, ucb_queries
from privbo_core.bo.parallel import StoppedError, in_order
from privbo_core.bo.policies import Queries, check_iterations
from privbo_core.data import Problem
from privbo_core.errors import Array, probability, whole
from privbo_core.outsourced.projection import Release, curate, omega, spectrum
from privbo_core.outsourced.protocol import Curator, outsource

Policy = Literal["private", "plain", "random"]
Measure = Literal["simple", "cumulative"]
KEPT_RUNS = 5000
"""Finished runs remembered per problem: about 1.3 kB each at T = 50, so some 7 MB."""


@dataclass(frozen=True)
class Setting:
    """What a person sets: privacy (ε, δ), projection dimension r, T iterations, GP-UCB's δ_ucb, initial points."""

    epsilon: float
    delta: float
    r: int
    iterations: int
    delta_ucb: float = 0.05
    initial: int = 5

    def __post_init__(self) -> None:
        omega(self.epsilon, self.delta, self.r)
        whole("iterations", self.iterations)
        probability("delta_ucb", self.delta_ucb)
        whole("initial", self.initial, least=0)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The same runs by the three policies, as far as they have got. Regrets come in units of σ_y."""

    private: tuple[Trace, ...]
    plain: tuple[Trace, ...]
    random: tuple[Trace, ...]
    sigma_y: float

    @property
    def runs(self) -> int:
        """How many runs each policy has finished."""
        return len(self.private)

    def band(self, policy: Policy, measure: Measure = "simple") -> Band:
        """Return mean and standard error of one policy's regret over the iterations."""
        traces: tuple[Trace, ...] = getattr(self, policy)
        return band([getattr(trace, f"{measure}_regret") / self.sigma_y for trace in traces])

    def extra(self, measure: Measure = "simple") -> Band:
        """Return what privacy adds to the regret over the plain search: the mean of run-by-run differences."""
        pairs = zip(self.private, self.plain, strict=True)
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

    def stream(self, policy: Policy, setting: Setting, runs: int) -> Generator[Trace, None, None]:
        """Yield the traces of runs 0 … runs − 1, in order. Closing the generator stops the computation."""
        check_iterations(setting.iterations, self.problem.n)
        return in_order(lambda run, stop: self.run(policy, setting, run, stop), range(whole("runs", runs)))

    def compare(self, setting: Setting, runs: int) -> Generator[Comparison, None, None]:
        """Yield the three policies' runs side by side, one more run each time, at the pace they are computed."""
        check_iterations(setting.iterations, self.problem.n)
        policies: tuple[Policy, ...] = ("private", "plain", "random")

        def one(run: int, stop: threading.Event) -> tuple[Trace, ...]:
            return tuple(self.run(policy, setting, run, stop) for policy in policies)

        done: list[tuple[Trace, ...]] = []
        with closing(in_order(one, range(whole("runs", runs)))) as results:
            for traces in results:
                done.append(traces)
                private, plain, random = zip(*done, strict=True)
                yield Comparison(private, plain, random, self.problem.sigma_y)

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

    def queries(self, points: Array, setting: Setting, run: int) -> Queries:
        """Return GP-UCB on the points given (X for the plain search, Z for the modeler's), with run's initial rows."""
        return ucb_queries(
            points,
            kernel=self.problem.kernel,
            noise_variance=self.problem.noise_variance,
            iterations=setting.iterations,
            initial_rows=self._initial(setting, run),
            delta_ucb=setting.delta_ucb,
        )

    def _depends_on(self, policy: Policy, setting: Setting) -> tuple[object, ...]:
        if policy == "random":
            return ()
        if policy == "plain":
            return (setting.delta_ucb,)
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
        if policy == "plain":
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

    def _stream(self, run: int, purpose: Literal["initial", "noise", "projection", "random"]) -> np.random.Generator:
        purposes = ("initial", "noise", "projection", "random")
        return np.random.default_rng([self.seed, run, purposes.index(purpose)])
