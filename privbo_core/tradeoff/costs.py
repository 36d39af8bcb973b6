"""What each candidate of ε costs: the same simulated searches with privacy and without, run by run."""

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

FIRST = 20  # Runs at each candidate before any gets all of them.
FEW = 8  # The same of a question, whose runs may be slow.


@dataclass(frozen=True, eq=False)
class Weighed:
    """What one ε costs. ``costs``: of each run, in the system's own unit, against the search without privacy.

    ``over``: the same against each other way to search, by name. The runs share their dice. Of searches in a table,
    ``rank``: that of the best row found with privacy, in the median; ``needed``: the evaluations until a row of
    `pb.data.rank_sought` is found in half of the runs, with privacy and without.
    """

    epsilon: float
    costs: Array
    rank: Typical | None = None
    needed: ExtraSteps | None = None
    over: Mapping[str, Array] = field(default_factory=dict)

    @property
    def cost(self) -> Difference:
        """The mean cost with its 95 % interval."""
        return Difference.of(self.costs)

    @property
    def gain(self) -> Difference | None:
        """What is gained over the last other way to search, None where there is none."""
        return Difference.of(-list(self.over.values())[-1]) if self.over else None

    @property
    def gains(self) -> bool:
        """Whether more is gained than by another way to search, with the whole interval; nothing says otherwise."""
        return self.gain is None or self.gain.low > 0

    @property
    def mark(self) -> Mark:
        """The ε with its costs, as a sweep has them."""
        return Mark(self.epsilon, self.costs)


@dataclass(frozen=True, eq=False)
class Weighing:
    """How far the searches have got: what is known of each candidate, in order of ε.

    ``plain_rank``: that of the search without privacy. ``gain``: what that finds more than chance does, in the same
    unit as costs. Both None where that is not known. ``runs``: of how many searches a complete one consists. Whether a
    cost means anything on these rows at all is another question (`pb.diagnostics.judge`), to be asked before.
    """

    candidates: tuple[float, ...]
    runs: int
    known: tuple[Weighed, ...] = ()
    plain_rank: Typical | None = None
    gain: Difference | None = None

    @property
    def complete(self) -> bool:
        """Whether all runs of every candidate are there."""
        return len(self.known) == len(self.candidates) and all(len(each.costs) >= self.runs for each in self.known)

    def of(self, epsilon: float) -> Weighed | None:
        """Return what is known of a candidate."""
        return next((each for each in self.known if each.epsilon == epsilon), None)


def best_found(problem: Problem, comparison: Comparison, policy: Policy) -> Array:
    """Return the best outcome (of a formula, its value) that each run has found in the end, in its own unit."""
    objective = problem.objective.max() - problem.sigma_y * comparison.curves(policy)[:, -1]
    if problem.preparation is None:
        return np.asarray(objective if problem.maximize else -objective)
    return problem.preparation.output(objective)


def lost(problem: Problem, comparison: Comparison, policy: Policy, against: Policy) -> Array:
    """Return by how much ``policy``'s row is worse (above 0) than ``against``'s, run by run, in the outcome's unit."""
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
    """Yield what the candidates of ε cost, as it becomes known: a few runs of each first, then ``runs`` of each.

    ``setting``'s own ε plays no part. Each search with privacy (the noisy release) is compared with the one without
    privacy that uses the same model, in the same runs. ``meanwhile`` is called now and then. Closing it stops it.
    ``counted``: ranks and tests are read off so many runs at most, so that they agree with what these say elsewhere.
    O(candidates · runs · nT²); 200 runs of T = 30 on 6,500 rows take a second for each candidate.
    """
    problem, chosen = simulation.problem, tuple(sorted(candidates))
    now = Weighing(chosen, whole("runs", runs))
    known: dict[float, Weighed] = {}
    yield now
    for stage in sorted({min(FIRST, runs), runs}):
        for epsilon in chosen:
            at = replace(setting, epsilon=epsilon)
            with closing(simulation.compare(at, stage, ("noisy",), meanwhile)) as steps:
                last = deque(steps, maxlen=1).pop()
            plain, few = last.reference("noisy"), last.head(counted or runs)
            known[epsilon] = Weighed(
                epsilon,
                lost(problem, last, "noisy", plain),
                few.typical_rank("noisy"),
                few.extra_evaluations("noisy", rank_sought(problem)),
            )
            now = replace(
                now,
                known=tuple(known[each] for each in chosen if each in known),
                plain_rank=few.typical_rank(plain),
                gain=Difference.of(lost(problem, last, "random", plain)),
            )
            yield now


def weigh_question(
    question: Question,
    curve: Curve,
    candidates: Sequence[float],
    runs: int,
    meanwhile: Callable[[], None] = lambda: None,
    *,
    write: Callable[[float], float] = float,
) -> Generator[Weighing, None, None]:
    """Yield what the candidates of ε cost by a mechanism of a question, as it becomes known, like `weigh`.

    The cost is the extra one over the question's search without privacy, run by run, as in a sweep; ``write`` says it
    in another unit. What is gained is counted over the last of the question's other ways to search, if there is one:
    blindly, or alone. Raises ValueError for a candidate that the mechanism cannot be set to.
    """
    chosen = tuple(sorted(candidates))
    now, known = Weighing(chosen, whole("runs", runs)), dict[float, Weighed]()

    def in_unit(costs: Array) -> Array:
        return np.array([write(float(cost)) for cost in costs])

    def of(reference: Reference, count: int) -> Array:
        return deque(reference.costs(count), maxlen=1).pop()

    yield now
    for stage in sorted({min(FEW, runs), runs}):
        plain = of(question.reference(curve), stage)
        others = {each.name: of(each, stage) for each in question.others if each.name != curve.against}
        gain = Difference.of(in_unit(list(others.values())[-1] - plain)) if others else None
        now = replace(now, gain=gain)
        for epsilon in chosen:
            for step in measure(curve, epsilon, stage):
                mark = step
                meanwhile()
            over = {name: in_unit(mark.above(costs).costs) for name, costs in others.items()}
            known[epsilon] = Weighed(epsilon, in_unit(mark.above(plain).costs), over=over)
            now = replace(now, known=tuple(known[each] for each in chosen if each in known))
            yield now
