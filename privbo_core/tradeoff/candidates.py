"""Simulate the cost of candidates for ε, from the same searches with privacy and without."""

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np

from privbo_core.bo import ExtraSteps
from privbo_core.data import Problem, rank_sought
from privbo_core.errors import Array, whole
from privbo_core.outsourced import Comparison, Difference, Policy, Setting, Simulation, Typical
from privbo_core.tradeoff.curve import Curve, Mark, Question, Reference
from privbo_core.tradeoff.sweep import measure

FIRST_RUNS = 20
"""The number of runs of each candidate in `weigh` before any of them gets more."""
FIRST_RUNS_OF_QUESTION = 8
"""The same number in `weigh_question`, whose runs may be slow."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """The cost of one ε, in runs with common random numbers.

    ``costs`` has the cost of each run against the search without privacy, in the unit of the system. ``over`` has the
    same against each further reference, by name. For searches in a table, ``rank`` is the median rank of the best row
    that is found with privacy. ``needed`` compares the evaluations with privacy and without until half of the runs find
    a row of the rank `pb.data.rank_sought` or better.
    """

    epsilon: float
    costs: Array
    rank: Typical | None = None
    needed: ExtraSteps | None = None
    over: Mapping[str, Array] = field(default_factory=dict)

    @property
    def cost(self) -> Difference:
        """The mean cost with its 95% interval."""
        return Difference.of(self.costs)

    @property
    def gain(self) -> Difference | None:
        """The gain over the last reference in ``over``, or None if there is none."""
        if not self.over:
            return None
        return Difference.of(-list(self.over.values())[-1])

    @property
    def gains(self) -> bool:
        """Whether the whole interval of the gain lies above 0. This is also true if there is no gain to compare."""
        return self.gain is None or self.gain.low > 0

    @property
    def mark(self) -> Mark:
        """The ε with its costs as a mark of a sweep."""
        return Mark(self.epsilon, self.costs)


@dataclass(frozen=True, eq=False)
class Weighing:
    """The costs of the candidates for ε that are known so far, in order of ε.

    ``runs`` is the number of runs of each candidate at the end. ``plain_rank`` is the median rank of the best row that
    the search without privacy finds. ``gain`` is what this search gains over random search, or over the last further
    reference of a question, in the unit of the costs. Both are None if they are unknown. The costs are meaningful only
    if a search can find anything in these data, which `pb.diagnostics.judge` checks.
    """

    candidates: tuple[float, ...]
    runs: int
    known: tuple[Weighed, ...] = ()
    plain_rank: Typical | None = None
    gain: Difference | None = None

    @property
    def complete(self) -> bool:
        """Whether every candidate has all its runs."""
        return len(self.known) == len(self.candidates) and all(len(each.costs) >= self.runs for each in self.known)

    def of(self, epsilon: float) -> Weighed | None:
        """Return the costs of a candidate, or None if they are unknown."""
        return next((each for each in self.known if each.epsilon == epsilon), None)


def best_found(problem: Problem, comparison: Comparison, policy: Policy) -> Array:
    """Return the best outcome that each run finds, in the outcome's unit.

    For a problem that is a formula it is the formula's value.
    """
    objective = problem.objective.max() - problem.sigma_y * comparison.curves(policy)[:, -1]
    if problem.preparation is None:
        return np.asarray(objective if problem.maximize else -objective)
    return problem.preparation.output(objective)


def lost(problem: Problem, comparison: Comparison, policy: Policy, against: Policy) -> Array:
    """Return the loss of each run by using ``policy`` instead of ``against``, in the outcome's unit.

    The loss is the difference of the best outcomes that they find. It is negative if ``policy`` finds a better one.
    """
    difference = best_found(problem, comparison, against) - best_found(problem, comparison, policy)
    return np.asarray(difference if problem.maximize else -difference)


def weigh(
    simulation: Simulation,
    setting: Setting,
    candidates: Sequence[float],
    runs: int,
    meanwhile: Callable[[], None] = lambda: None,
    *,
    counted: int | None = None,
) -> Generator[Weighing, None, None]:
    """Yield the costs of the candidates for ε as they become known, first for a few runs and then for ``runs``.

    ``setting`` determines everything except ε. Each search with privacy, on the noisy release, is compared with the
    search without privacy that uses the same model, in the same runs. ``meanwhile`` is called from time to time.
    Closing the generator ends the computation. ``counted`` is the largest number of runs for ranks and evaluations, so
    that they can agree with numbers that are shown for fewer runs elsewhere. O(candidates · runs · nT²). For example,
    200 runs of T = 30 on 6,500 rows take a second for each candidate.
    """
    problem = simulation.problem
    epsilons = tuple(sorted(candidates))
    weighing = Weighing(epsilons, whole("runs", runs))
    known: dict[float, Weighed] = {}
    yield weighing
    for stage in sorted({min(FIRST_RUNS, runs), runs}):
        for epsilon in epsilons:
            at = replace(setting, epsilon=epsilon)
            with closing(simulation.compare(at, stage, ("noisy",), meanwhile)) as comparisons:
                comparison = deque(comparisons, maxlen=1).pop()
            plain = comparison.reference("noisy")
            head = comparison.head(counted or runs)
            known[epsilon] = Weighed(
                epsilon,
                lost(problem, comparison, "noisy", plain),
                rank=head.typical_rank("noisy"),
                needed=head.extra_evaluations("noisy", rank_sought(problem)),
            )
            weighing = replace(
                weighing,
                known=tuple(known[each] for each in epsilons if each in known),
                plain_rank=head.typical_rank(plain),
                gain=Difference.of(lost(problem, comparison, "random", plain)),
            )
            yield weighing


def weigh_question(
    question: Question,
    curve: Curve,
    candidates: Sequence[float],
    runs: int,
    meanwhile: Callable[[], None] = lambda: None,
    *,
    write: Callable[[float], float] = float,
) -> Generator[Weighing, None, None]:
    """Yield the costs of the candidates for ε by one mechanism of a question as they become known, like `weigh`.

    The costs are the extra costs of each run over the mechanism's reference, as in a sweep. ``write`` converts them to
    another unit. The gain is that over the last of the question's further references, such as a blind draw or a search
    without sharing, if there is one. Raises ValueError for a candidate outside the mechanism's range.
    """
    epsilons = tuple(sorted(candidates))
    weighing = Weighing(epsilons, whole("runs", runs))
    known: dict[float, Weighed] = {}

    def in_unit(costs: Array) -> Array:
        return np.array([write(float(cost)) for cost in costs])

    def costs_of(reference: Reference, count: int) -> Array:
        return deque(reference.costs(count), maxlen=1).pop()

    yield weighing
    for stage in sorted({min(FIRST_RUNS_OF_QUESTION, runs), runs}):
        plain = costs_of(question.reference(curve), stage)
        others = {each.name: costs_of(each, stage) for each in question.others if each.name != curve.against}
        if others:
            last_other = list(others.values())[-1]
            weighing = replace(weighing, gain=Difference.of(in_unit(last_other - plain)))
        for epsilon in epsilons:
            for step in measure(curve, epsilon, stage):
                mark = step
                meanwhile()
            over = {name: in_unit(mark.above(costs).costs) for name, costs in others.items()}
            known[epsilon] = Weighed(epsilon, in_unit(mark.above(plain).costs), over=over)
            weighing = replace(weighing, known=tuple(known[each] for each in epsilons if each in known))
            yield weighing
