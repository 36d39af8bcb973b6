"""Two parties simulated, and all that passes between them: Z, then row numbers one way and outcomes the other.

Many runs of searches with and without privacy on one problem, with common random numbers.
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
from privbo_core.bo.parallel import StoppedError, in_order
from privbo_core.bo.policies import Queries
from privbo_core.bo.rules import check_iterations
from privbo_core.data import Problem
from privbo_core.errors import Array, vector, whole
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.outsourced.beliefs import Belief, belief
from privbo_core.outsourced.comparison import Baseline, Comparison, Mechanism, Policy
from privbo_core.outsourced.follow import displacement, epsilon_of
from privbo_core.outsourced.noisy import EXACT_NOISE, NoisyRelease, noisy_guarantee, noisy_release
from privbo_core.outsourced.projection import Release, Spectrum, curate, omega, spectrum
from privbo_core.outsourced.setting import Setting
from privbo_core.privacy import Guarantee

Purpose = Literal["initial", "noise", "projection", "random", "release", "thompson", "function", "answers"]
PURPOSES = get_args(Purpose)

CACHED_RUNS = 5000  # Finished runs remembered per problem: about 1.3 kB each at T = 50, so some 7 MB.

Searcher = Callable[[Array], Queries]
"""A simulated modeler is a function of Z alone. It returns a coroutine that yields row numbers and is sent outcomes.

It holds no reference to the curator, so there is no way from it to X: what it knows is Z and the floats it is sent.
"""


class SimulatedCurator:
    """Plays the data holder, who answers ``objective`` + N(0, ``noise_variance``); never handed to the modeler."""

    def __init__(
        self, points: Array | Spectrum, objective: Array, noise_variance: float, rng: np.random.Generator
    ) -> None:
        self._spectrum = points if isinstance(points, Spectrum) else spectrum(points)
        self._objective = vector("objective", objective, len(self._spectrum.centred))
        self._deviation = float(np.sqrt(noise_variance))
        self._rng = rng

    def release(self, epsilon: float, delta: float, r: int, rng: np.random.Generator) -> Release:
        """Project the inputs (Algorithm 1)."""
        return curate(self._spectrum, epsilon, delta, r, rng)

    def answer(self, row: int) -> float:
        """Evaluate f at the preimage of the released row."""
        return float(self._objective[row] + self._deviation * self._rng.standard_normal())

    def trace(self, rows: list[int], observed: list[float], initial: int, taken: list[int] | None = None) -> Trace:
        """Judge a finished run by the true objective, which only the curator knows. ``taken`` as for `Trace.of`."""
        return Trace.of(rows, observed, self._objective, initial, taken)


def outsource(
    curator: SimulatedCurator,
    release: Release,
    modeler: Searcher,
    initial: int,
    answer: Callable[[int], float] | None = None,
) -> Trace:
    """Run Algorithm 2. ``answer`` stands in for ``curator.answer`` where a caller must watch or stop the run."""
    rows, observed = search(modeler(release.Z.copy()), answer or curator.answer)
    return curator.trace(rows, observed, initial)


class Simulation:
    """Runs on one problem. Run k always has the same initial rows, the same noise and the same stream for M.

    So a curve moves because a setting moved, not because the dice did. Finished runs are remembered by what they
    depend on (with σ_min ≥ ω that is not even ε), and a shorter run is read off a longer one. Thread-safe.

    ``functions``: in each run the objective is another function of the same kind on the same points, as
    ``problem.draw`` makes it; the spread then includes that from function to function. ValueError for a problem that
    cannot be drawn anew.
    """

    def __init__(self, problem: Problem, seed: int = 1, *, functions: bool = False) -> None:
        if functions and problem.draw is None:
            raise ValueError(f"{problem.title} has no formula that draws functions; functions must be False.")
        self.problem = problem
        self.seed = seed
        self.functions = functions
        self.spectrum = spectrum(problem.points)
        self._runs: OrderedDict[tuple[object, ...], Trace] = OrderedDict()
        self._lock = threading.Lock()
        self._displacements: dict[float, float] = {}
        self._noise = lru_cache(maxsize=256)(lambda setting, distance: setting.noise(problem.frame, distance))

    @cached_property
    def placed(self) -> Array:
        """The n×d inputs in the problem's frame: what the noisy release adds noise to."""
        return self.problem.frame.place(self.problem.original)

    @cached_property
    def _knows_the_model(self) -> bool:
        """Whether the noisy release's modeler believes what the plain search does, as where a formula is known."""
        problem, prior = self.problem, belief(self.problem)
        known, fitted = prior.lengthscales * problem.frame.hide, problem.kernel.lengthscale * problem.unit_distance
        return (
            isinstance(problem.kernel, SquaredExponential)
            and np.allclose(known, fitted, rtol=1e-9, atol=0)
            and (prior.variance, prior.noise_variance) == (problem.kernel.variance, problem.noise_variance)
            and np.allclose(problem.frame.to_original(self.placed), problem.original)
        )

    def reference(self, mechanism: Mechanism) -> Policy:
        """Return the search without privacy that a release is to be compared with: the one that uses the same model.

        Otherwise the difference would be in part that of a better or a worse model, and not the cost of privacy. The
        projection's modeler uses the model fitted to the data, as the plain search does. The noisy release's has the
        frame and its own belief: "noiseless" does too; where that is what the plain search uses, it is the plain one.
        """
        return "noiseless" if mechanism == "noisy" and not self._knows_the_model else "plain"

    def policies(self, mechanisms: Sequence[Mechanism], also: Sequence[Baseline] = ()) -> tuple[Policy, ...]:
        """Return who searches where these releases are compared: they, their references, ``also``, and chance."""
        references = dict.fromkeys(self.reference(mechanism) for mechanism in mechanisms) or {"plain": None}
        return (*mechanisms, *references, *dict.fromkeys(also), "random")

    def model(self, setting: Setting) -> tuple[Kernel, float]:
        """Return the kernel of the search on X and on the projection's Z, and the variance of an answer's noise."""
        kernel = self.problem.kernel
        lengthscale, variance = kernel.lengthscale * setting.lengthscale, kernel.variance * setting.signal
        noise_variance = self.problem.noise_variance * setting.answer_noise
        return replace(kernel, lengthscale=lengthscale, variance=variance), noise_variance

    def prior(self, setting: Setting) -> Belief:
        """Return what the modeler of a noisy release believes: `belief`, as the setting scales it."""
        return belief(self.problem).scaled(setting.lengthscale, setting.signal, setting.answer_noise)

    def objective(self, run: int) -> Array:
        """Return the noise-free objective of that run: the problem's, or with ``functions`` one of the run's own."""
        if not self.functions or self.problem.draw is None:
            return self.problem.objective
        return self.problem.draw(self._stream(run, "function"))

    def stream(
        self, policy: Policy, setting: Setting, runs: int, meanwhile: Callable[[], None] = lambda: None
    ) -> Generator[Trace, None, None]:
        """Yield the traces of ``runs`` runs in order. Closing it, or what ``meanwhile`` raises, stops it all."""
        check_iterations(setting.iterations, self.problem.n)
        return in_order(lambda run, stop: self.run(policy, setting, run, stop), range(whole("runs", runs)), meanwhile)

    def compare(
        self,
        setting: Setting,
        runs: int,
        mechanisms: Sequence[Mechanism] = ("private",),
        meanwhile: Callable[[], None] = lambda: None,
        also: Sequence[Baseline] = (),
    ) -> Generator[Comparison, None, None]:
        """Yield the policies' runs side by side, one more run each time. See `stream` and `policies`."""
        check_iterations(setting.iterations, self.problem.n)
        policies = self.policies(mechanisms, also)

        def one(run: int, stop: threading.Event) -> tuple[Trace, ...]:
            return tuple(self.run(policy, setting, run, stop) for policy in policies)

        done: list[tuple[Trace, ...]] = []
        with closing(in_order(one, range(whole("runs", runs)), meanwhile)) as results:
            for traces in results:
                done.append(traces)
                by_policy = dict(zip(policies, zip(*done, strict=True), strict=True))
                yield Comparison(sigma_y=self.problem.sigma_y, **{"private": (), "plain": (), **by_policy})

    def run(self, policy: Policy, setting: Setting, run: int, stop: threading.Event | None = None) -> Trace:
        """Return the trace of one run, from memory if it is there. O(nT²) otherwise."""
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
        """Return how many of the first ``runs`` runs are in memory, counted until the first that is not."""
        for run in range(runs):
            known = self._runs.get(self._key(policy, setting, run))
            if known is None or known.iterations < setting.iterations:
                return run
        return runs

    def release(self, setting: Setting, run: int) -> Release:
        """Return the release of that run's projection."""
        return curate(self.spectrum, setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))

    def noisy_release(self, setting: Setting, run: int) -> NoisyRelease:
        """Return the noisy release of that run, in the problem's frame: the same unit noise at every ε, scaled."""
        return self._noisy_release(setting, run, setting.protected_distance)

    def local_release(self, setting: Setting, run: int) -> NoisyRelease:
        """Return the release of that run in which each record hides its whole row by itself before it leaves.

        Local randomisation: nobody is trusted with a record, so its *whole* content is protected, wherever in the frame
        it is (protected distance ∞: the frame's diagonal). The noisy release adds noise row by row too, so that each
        record could add it by itself as well; what it protects is a hidden change, and that is why it needs less noise.
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
        """Return what the noisy release of this problem promises, and what ε can become if its frame is not public."""
        promised = noisy_guarantee(
            setting.epsilon, setting.delta, neighbours, self.problem.frame, self.true_epsilon(setting)
        )
        return replace(promised, conditions=(*promised.conditions, EXACT_NOISE))

    def true_epsilon(self, setting: Setting) -> float | None:
        """Return what the noisy release's ε can become (`pb.outsourced.true_epsilon`); None in a public frame."""
        frame, distance = self.problem.frame, setting.protected_distance
        if frame.public:
            return None
        moved = self._displacements.get(distance)
        if moved is None:
            moved = self._displacements[distance] = displacement(self.problem, distance)
        return epsilon_of(moved, frame, setting.epsilon, setting.delta, protected_distance=distance)

    def queries(self, points: Array, setting: Setting, run: int) -> Queries:
        """Return the setting's search on the points given (X for the plain search, the projection's Z)."""
        kernel, noise_variance = self.model(setting)
        return self._queries((points, kernel, 0.0), noise_variance, setting, run)

    def rule(self, setting: Setting, run: int) -> Rule:
        """Return the rule that everybody with a model follows in that run, for `pb.bo.replay`. It serves once."""
        rng = self._stream(run, "thompson")
        return rule(setting.search, delta_ucb=setting.delta_ucb, once=setting.once, rng=rng)

    def _noisy_model(self, z: Array, sigma: float, setting: Setting) -> tuple[Array, SquaredExponential, float]:
        """Return points, kernel and nugget of who knows Z, its noise (reckoned with if ``setting.aware``), `belief`."""
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
            key += setting.searching
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
        problem = self.problem
        noise, objective = self._stream(run, "noise"), self.objective(run)
        curator = SimulatedCurator(self.spectrum, objective, self.model(setting)[1], noise)

        def answer(row: int) -> float:
            if stop.is_set():
                raise StoppedError
            return curator.answer(row)

        if policy == "private":
            release = curator.release(setting.epsilon, setting.delta, setting.r, self._stream(run, "projection"))
            return outsource(curator, release, lambda z: self.queries(z, setting, run), setting.initial, answer)
        if policy in ("noisy", "local"):
            # As for the paper's release, the modeler gets Z; what noise it carries is public.
            noisy = self.noisy_release(setting, run) if policy == "noisy" else self.local_release(setting, run)
            model = self._noisy_model(noisy.Z, noisy.sigma, setting)
            queries = self._queries(model, self.prior(setting).noise_variance, setting, run)
        elif policy == "neighbour":
            # Without a model, each column in shares of its range.
            shares = self.noisy_release(setting, run).Z / np.ptp(problem.frame.bounds, axis=1)
            queries = neighbour_queries(shares, iterations=setting.iterations, initial_rows=self._initial(setting, run))
        elif policy == "noiseless":
            model = self._noisy_model(self.placed, 0.0, setting)
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
        return initial_rows(setting.initial, self.problem.n, self._stream(run, "initial"))

    def _stream(self, run: int, purpose: Purpose) -> np.random.Generator:
        return np.random.default_rng([self.seed, run, PURPOSES.index(purpose)])
