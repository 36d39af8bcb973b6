"""Many runs of the five algorithms on the same problems with common random numbers, and progress reports on them."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Literal

import numpy as np
from threadpoolctl import threadpool_limits

from privbo_core.bo import Band, Difference, ExtraSteps, band, resampled_interval
from privbo_core.bo.parallel import StoppedError, batches
from privbo_core.bo.steps import first_reached, resampled_runs
from privbo_core.errors import Array, whole
from privbo_core.federated.problem import FederatedProblem
from privbo_core.federated.run import Round
from privbo_core.federated.run import run as rounds_of
from privbo_core.federated.settings import Settings, check_agents

Measure = Literal["simple", "cumulative", "clipped", "signal", "noise"]
CACHED_RUNS = 4000  # Finished runs cached per simulation: about 1.6 kB each at T = 40, or 7 MB in all.
CACHED_PROBLEMS = 12  # Problems cached if each run has its own: 1.6 MB each with 200 agents and 1024 points.
TICK = 0.03  # Seconds after which `Simulation.compare` yields even if nothing is new, so that its caller can do more.


@dataclass(frozen=True, eq=False)
class Record:
    """Hold a summary of one run: arrays over the iterations, with regrets averaged over the agents (see `Round`).

    ``simple`` and ``cumulative`` are regrets in units of the objectives. ``clipped`` is the share of clipped vectors,
    and ``signal`` and ``noise`` are the norms of the two parts of the broadcast. These three are NaN if agents work
    alone.
    """

    simple: Array
    cumulative: Array
    clipped: Array
    signal: Array
    noise: Array

    @classmethod
    def of(cls, rounds: list[Round]) -> "Record":
        """Build a record from the rounds so far."""
        sent = [each.broadcast for each in rounds]
        nothing = math.nan
        return cls(
            simple=np.array([each.simple_regret.mean() for each in rounds]),
            cumulative=np.cumsum([each.regret.mean() for each in rounds]),
            clipped=np.array([b.clipped if b else nothing for b in sent]),
            signal=np.array([b.signal if b else nothing for b in sent]),
            noise=np.array([b.noise if b else nothing for b in sent]),
        )

    @property
    def iterations(self) -> int:
        """Return the number of iterations that the run has done."""
        return len(self.simple)

    def head(self, iterations: int) -> "Record":
        """Return the record of the same run stopped after that many iterations."""
        return Record(*(getattr(self, name)[:iterations] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class Progress:
    """Hold the runs of several settings so far, by name.

    ``finished`` holds whole runs, run 0 first. ``under_way`` holds the rounds so far of a setting without a whole run.
    """

    finished: Mapping[str, tuple[Record, ...]]
    under_way: Mapping[str, Record]

    @property
    def runs(self) -> int:
        """Return the number of runs that all settings have finished."""
        return min(len(records) for records in self.finished.values())

    def band(self, name: str, measure: Measure) -> Band | None:
        """Return mean and standard error over the finished runs, or of the run under way, or None if there is none."""
        records = self.finished[name]
        if not records:
            record = self.under_way.get(name)
            return None if record is None else band([getattr(record, measure)])
        return band([getattr(record, measure) for record in records])


class Simulation:
    """Simulate runs on problems of one kind. For all settings, run k has the same problem and random numbers.

    ``problem(k)`` is the problem of run k, which may be the same for every k or a new draw. The first ``agents`` of its
    agents take part. Finished runs are cached, and a shorter run is the beginning of a longer one. Simulations are
    thread-safe.
    """

    def __init__(self, problem: Callable[[int], FederatedProblem], seed: int = 1) -> None:
        # With one thread, digits do not depend on the machine's cores. The last digit can change a search.
        threadpool_limits(limits=1, user_api="blas")
        self.seed = seed
        self._first, self._later = problem(0), lru_cache(CACHED_PROBLEMS)(problem)
        self._records: OrderedDict[tuple[Settings, int, int], Record] = OrderedDict()
        self._lock = threading.Lock()

    def problem(self, run: int) -> FederatedProblem:
        """Return the problem of a run."""
        return self._first if run == 0 else self._later(run)

    def rounds(self, settings: Settings, agents: int, run: int) -> Generator[Round, None, None]:
        """Return a generator that computes the rounds of one run one by one."""
        problem = self.problem(run)
        rng = np.random.default_rng([self.seed, run])
        yield from rounds_of(problem.objectives[: check_agents(agents)], problem.points, settings, rng)

    def run(
        self,
        settings: Settings,
        agents: int,
        run: int,
        stop: threading.Event | None = None,
        watch: Callable[[Record], None] | None = None,
    ) -> Record:
        """Return the record of one run, from the cache if it is there.

        ``watch`` is called with the record so far after each round. Raises StoppedError soon after ``stop`` is set.
        """
        known = self._known(settings, agents, run)
        if known is None:
            done: list[Round] = []
            for each in self.rounds(settings, agents, run):
                if stop is not None and stop.is_set():
                    raise StoppedError
                # Only a few numbers of each round are kept, and the arrays over the domain are shared.
                done.append(each)
                if watch is not None:
                    watch(Record.of(done))
            known = Record.of(done)
            with self._lock:
                self._records[_depends_on(settings), agents, run] = known
                while len(self._records) > CACHED_RUNS:
                    self._records.popitem(last=False)
        return known.head(settings.iterations)

    def finished(self, settings: Mapping[str, Settings], agents: int, runs: int) -> Progress:
        """Return the cached runs among the first ``runs``, for each setting up to the first that is missing."""
        found: dict[str, tuple[Record, ...]] = {}
        for name, each in settings.items():
            records: list[Record] = []
            while len(records) < runs and (known := self._known(each, agents, len(records))) is not None:
                records.append(known.head(each.iterations))
            found[name] = tuple(records)
        return Progress(found, {})

    def compare(self, settings: Mapping[str, Settings], agents: int, runs: int) -> Generator[Progress, None, None]:
        """Yield the progress of ``runs`` runs of each setting: the cached runs at once, then each new result.

        Yields at least every `TICK` seconds, and a last time when all runs are done. Closing the generator ends the
        computation within a round.
        """
        whole("runs", runs)
        check_agents(agents)
        known = self.finished(settings, agents, runs)
        finished = {name: list(records) for name, records in known.finished.items()}
        under_way: dict[str, Record] = {}

        def progress() -> Progress:
            return Progress({name: tuple(records) for name, records in finished.items()}, dict(under_way))

        yield progress()
        missing = [(run, name) for run in range(runs) for name in settings if len(finished[name]) <= run]

        def one(item: tuple[int, str], stop: threading.Event) -> tuple[str, Record]:
            run, name = item
            watch = None if run else partial(under_way.__setitem__, name)
            return name, self.run(settings[name], agents, run, stop, watch)

        with closing(batches(one, missing, TICK)) as found:
            for results in found:
                for name, record in results:
                    finished[name].append(record)
                    under_way.pop(name, None)
                yield progress()

    def _known(self, settings: Settings, agents: int, run: int) -> Record | None:
        key = (_depends_on(settings), agents, run)
        with self._lock:
            known = self._records.get(key)
            if known is None or known.iterations < settings.iterations:
                return None
            self._records.move_to_end(key)
        return known


def _depends_on(settings: Settings) -> Settings:
    """Return the settings with T = 1 and one value for every setting that cannot change the rounds of a run."""
    # λ = 1 + 2/T makes a shorter run another run.
    same = settings if settings.ridge == "theory" else replace(settings, iterations=1)
    if settings.P == 1:
        # All weights are 1/N, and the one sub-region is the whole domain.
        same = replace(same, a=1.0, hold=0, fade=1, start="region")
    if settings.P == 1 or settings.z == 0:
        same = replace(same, calibration="paper")  # Both calibrations give the same noise.
    if settings.alone:
        same = replace(same, features=1, q=1.0, z=0.0, S=math.inf, sampling="poisson")
    return same


EARLY = 10  # The savings of sharing are measured over this many first rounds, because sharing helps most there.


def saving(progress: Progress, name: str, over: str, first: int) -> Difference:
    """Return the simple regret of ``over`` minus that of ``name``, averaged over the ``first`` iterations.

    It is in units of the objectives.
    """
    pairs = zip(progress.finished[over], progress.finished[name], strict=False)
    return Difference.of([float((a.simple[:first] - b.simple[:first]).mean()) for a, b in pairs])


@dataclass(frozen=True)
class RoundsNeeded:
    """The rounds until the agents' mean simple regret is as small as that of tuning alone after all rounds.

    ``extra`` compares the algorithm with and without noise. ``saved`` is the number of rounds that the algorithm with
    noise saves against tuning alone, or 0. It lies between ``saved_low`` and ``saved_high`` in 95% of the resamples.
    """

    extra: ExtraSteps
    saved: int
    saved_low: int
    saved_high: int


def rounds_needed(progress: Progress, private: str, noiseless: str, alone: str) -> RoundsNeeded:
    """Count rounds until the regret that ``alone`` has after T rounds, for ``private`` and ``noiseless``.

    The target depends on neither the noise nor the sampling, so more privacy can't make it easier. Runs are resampled
    together with a fixed seed.
    """
    runs = min(len(progress.finished[name]) for name in (private, noiseless, alone))
    drawn = resampled_runs(runs)
    curves = {
        name: np.array([record.simple for record in progress.finished[name][:runs]])[drawn].mean(axis=1)
        for name in (private, noiseless, alone)
    }
    targets, limit = curves[alone][:, -1], curves[alone].shape[1]
    with_noise, without = (first_reached(curves[name], targets) for name in (private, noiseless))
    saved = limit - np.minimum(with_noise, limit)
    return RoundsNeeded(
        ExtraSteps.resampled(with_noise, without, limit, runs), int(saved[0]), *resampled_interval(saved[1:])
    )
