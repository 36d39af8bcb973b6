"""Many runs of searches with and without privacy on one problem, with common random numbers."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from privbo_core.bo import Band, Trace, band, initial_rows, random_queries, search, ucb_queries
from privbo_core.bo.parallel import StoppedError, in_order
from privbo_core.bo.policies import Queries, check_iterations
from privbo_core.data import Frame, Problem
from privbo_core.errors import Array, positive, probability, whole
from privbo_core.gp import Kernel, SquaredExponential
from privbo_core.outsourced.beliefs import belief
from privbo_core.outsourced.follow import displacement, epsilon_of
from privbo_core.outsourced.noisy import NoisyRelease, noise_deviation, noisy_guarantee, noisy_release
from privbo_core.outsourced.projection import Release, curate, omega, spectrum
from privbo_core.outsourced.protocol import Curator, outsource
from privbo_core.privacy import Guarantee

Policy = Literal["private", "noisy", "plain", "noiseless", "random"]
"""Who searches. "plain": the owner of the data, with the model fitted to them. "noiseless": the modeler of the noisy
release, with the same frame and belief, but handed the rows without noise."""
Mechanism = Literal["private", "noisy"]
"""What the modeler is given: the paper's projection (Algorithm 1) or the noisy release."""
Measure = Literal["simple", "cumulative"]
Purpose = Literal["initial", "noise", "projection", "random", "release"]
PURPOSES = get_args(Purpose)
KEPT_RUNS = 5000
"""Finished runs remembered per problem: about 1.3 kB each at T = 50, so some 7 MB."""


@dataclass(frozen=True)
class Setting:
    """What a person sets: privacy (ε, δ), projection dimension r, T iterations, GP-UCB's δ_ucb, initial points.

    For the noisy release alone: how many hidden changes of the problem's frame are protected (``protected_distance``),
    and whether the modeler's kernel takes the noise into account (``aware``; see results/noisy_release.json).
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

    def noise(self, frame: Frame) -> float:
        """Return σ of the noisy release in this frame, in hidden changes."""
        distance = self.protected_distance
        return noise_deviation(self.epsilon, self.delta, bounds=frame.bounds, protected_distance=distance, d=frame.d)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The same runs by each policy, as far as they have got. Regrets come in units of σ_y.

    ``private`` or ``noisy`` is empty where that release was not asked for; ``plain`` or ``noiseless`` where no release
    is compared with it.
    """

    private: tuple[Trace, ...]
    plain: tuple[Trace, ...]
    random: tuple[Trace, ...]
    sigma_y: float
    noisy: tuple[Trace, ...] = ()
    noiseless: tuple[Trace, ...] = ()

    @property
    def runs(self) -> int:
        """How many runs each policy has finished."""
        return len(self.random)

    def band(self, policy: Policy, measure: Measure = "simple") -> Band:
        """Return mean and standard error of one policy's regret over the iterations."""
        traces: tuple[Trace, ...] = getattr(self, policy)
        return band([getattr(trace, f"{measure}_regret") / self.sigma_y for trace in traces])

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The releases that were asked for."""
        both: tuple[Mechanism, ...] = ("private", "noisy")
        return tuple(mechanism for mechanism in both if getattr(self, mechanism))

    @property
    def references(self) -> tuple[Policy, ...]:
        """The searches without privacy that the releases are compared with."""
        both: tuple[Policy, ...] = ("plain", "noiseless")
        return tuple(policy for policy in both if getattr(self, policy))

    def reference(self, mechanism: Mechanism) -> Policy:
        """Return the search without privacy that a release is compared with: see `Simulation.reference`."""
        return "noiseless" if mechanism == "noisy" and self.noiseless else "plain"

    def extra(self, measure: Measure = "simple", mechanism: Mechanism = "private") -> Band:
        """Return what privacy adds to the regret over the release's `reference`: the mean of run-by-run differences."""
        pairs = zip(getattr(self, mechanism), getattr(self, self.reference(mechanism)), strict=True)
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
        self._displacements: dict[float, float] = {}

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

    def policies(self, mechanisms: Sequence[Mechanism]) -> tuple[Policy, ...]:
        """Return who searches where these releases are compared: they, their references (plain if none), and chance."""
        references = dict.fromkeys(self.reference(mechanism) for mechanism in mechanisms) or {"plain": None}
        return (*mechanisms, *references, "random")

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
        policies = self.policies(mechanisms)

        def one(run: int, stop: threading.Event) -> tuple[Trace, ...]:
            return tuple(self.run(policy, setting, run, stop) for policy in policies)

        done: list[tuple[Trace, ...]] = []
        with closing(in_order(one, range(whole("runs", runs)), meanwhile)) as results:
            for traces in results:
                done.append(traces)
                by_policy = dict(zip(policies, zip(*done, strict=True), strict=True))
                yield Comparison(
                    private=by_policy.get("private", ()),
                    plain=by_policy.get("plain", ()),
                    random=by_policy["random"],
                    sigma_y=self.problem.sigma_y,
                    noisy=by_policy.get("noisy", ()),
                    noiseless=by_policy.get("noiseless", ()),
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
        """Return the noisy release of that run, in the problem's frame: the same unit noise at every ε, scaled."""
        return noisy_release(
            self.placed,
            setting.epsilon,
            setting.delta,
            bounds=self.problem.frame.bounds,
            protected_distance=setting.protected_distance,
            rng=self._stream(run, "release"),
        )

    def noisy_guarantee(self, setting: Setting, neighbours: str) -> Guarantee:
        """Return what the noisy release of this problem promises, and what ε can become if its frame is not public."""
        return noisy_guarantee(
            setting.epsilon, setting.delta, neighbours, self.problem.frame, self.true_epsilon(setting)
        )

    def true_epsilon(self, setting: Setting) -> float | None:
        """Return what the noisy release's ε can become (`pb.outsourced.true_epsilon`); None in a public frame.

        How far the rows move is computed once for each protected distance, so that ε can be dragged.
        """
        frame, distance = self.problem.frame, setting.protected_distance
        if frame.public:
            return None
        moved = self._displacements.get(distance)
        if moved is None:
            moved = self._displacements[distance] = displacement(self.problem, distance)
        return epsilon_of(moved, frame, setting.epsilon, setting.delta, protected_distance=distance)

    def queries(self, points: Array, setting: Setting, run: int) -> Queries:
        """Return GP-UCB on the points given (X for the plain search, the projection's Z), with run's initial rows."""
        problem = self.problem
        return self._queries((points, problem.kernel, 0.0), problem.noise_variance, setting, run)

    def noisy_queries(self, z: Array, setting: Setting, run: int) -> Queries:
        """Return GP-UCB on the Z of a noisy release, with run's initial rows.

        The modeler knows Z, the answers, and what is public: the frame, σ (which it reckons with if ``setting.aware``)
        and a prior that was not computed from the inputs (`belief`).
        """
        prior = belief(self.problem)
        sigma = setting.noise(self.problem.frame) if setting.aware else 0.0
        return self._queries(prior.read(z, sigma), prior.noise_variance, setting, run)

    def _queries(
        self, model: tuple[Array, Kernel, float], noise_variance: float, setting: Setting, run: int
    ) -> Queries:
        points, kernel, nugget = model
        return ucb_queries(
            points,
            kernel=kernel,
            noise_variance=noise_variance,
            iterations=setting.iterations,
            initial_rows=self._initial(setting, run),
            delta_ucb=setting.delta_ucb,
            nugget=nugget,
        )

    def _depends_on(self, policy: Policy, setting: Setting) -> tuple[object, ...]:
        if policy == "random":
            return ()
        if policy in ("plain", "noiseless"):
            return (setting.delta_ucb,)
        if policy == "noisy":
            return (setting.delta_ucb, setting.noise(self.problem.frame), setting.aware)
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
            # As for the paper's release, the modeler gets Z; what noise it carries is public.
            queries = self.noisy_queries(self.noisy_release(setting, run).Z, setting, run)
        elif policy == "noiseless":
            prior = belief(problem)
            queries = self._queries(prior.read(self.placed, 0.0), prior.noise_variance, setting, run)
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
