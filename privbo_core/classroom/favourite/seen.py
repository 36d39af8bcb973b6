"""What phones and projector are shown, as values."""

from dataclasses import dataclass
from enum import StrEnum

from privbo_core.errors import Array


class Phase(StrEnum):
    """Where an experiment is: the class votes, rates its own colours, rates what is asked for, or is done."""

    VOTE = "vote"
    OWN = "own"
    ROUNDS = "rounds"
    END = "end"


@dataclass(frozen=True)
class Sure:
    """What an observer who knows everything else has found out about one pupil, from even odds, and could at most.

    ``sure`` in this run, whose loss ``epsilon`` stands for ``at_most``, δ aside; ``usually``: at most so sure in 19 of
    20 cases; ``right``: guesses are right in such a share at most. ``all_sure`` and ``all_usually``: the same by all
    ``runs`` that this pupil was in.
    """

    sure: float
    epsilon: float
    at_most: float
    usually: float
    right: float
    runs: int
    all_sure: float
    all_usually: float


@dataclass(frozen=True)
class Question:
    """What one phone shows: a vote, a colour to rate (``row``, number ``number`` of ``of``), or something to read.

    ``kind`` "wait": until the others have answered. "late": until the next run begins; "over":
    the run that they were late for is over. "end": ``sure``, if they were in
    this run.
    """

    kind: str
    key: str
    row: int | None = None
    number: int = 0
    of: int = 0
    answer: object = None
    sure: Sure | None = None


@dataclass(frozen=True, eq=False)
class Course:
    """A run so far, all of it from what is public.

    ``people`` and ``crowd``: how many agents are people and how many simulated. ``named``: the colour that the class is
    believed to like best, after each round; ``belief``: with what probability each colour is, now. ``epsilon``: after
    each round of this run; ``total``: of everything that was broadcast in this room until then. ``delta`` and
    ``total_delta``: to these. ``right``: how often the best observer can be right who guesses from all ``of`` rounds of
    this run; ``total_right``: from everything before it too. ``votes``: for noise and against it, if they decided.
    ``members``: the numbers of those people who were in it to its end; to compare runs, not to be shown.
    """

    number: int
    z: float
    people: int
    crowd: int
    of: int
    named: tuple[int, ...]
    belief: Array | None
    epsilon: tuple[float, ...]
    total: tuple[float, ...]
    delta: float
    total_delta: float
    right: float
    total_right: float
    votes: tuple[int, int] | None = None
    members: frozenset[int] = frozenset()

    def same_class(self, other: "Course") -> bool:
        """Return whether the same people and simulated pupils were in both."""
        return (self.people, self.crowd, self.members) == (other.people, other.crowd, other.members)

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return self.people + self.crowd

    @property
    def done(self) -> int:
        """How many rounds have been broadcast."""
        return len(self.named)


@dataclass(frozen=True, eq=False)
class Seen:
    """What the projector may show.

    ``asked`` and ``answered``: of how many people an answer is awaited now, and how many have given it.
    ``noise`` and ``bare``: votes for noise and against it. ``courses``: the runs, the present one last.
    ``earlier``: there were broadcasts in this room before the first of them.
    """

    phase: Phase
    people: int
    late: int
    noise: int
    bare: int
    asked: int
    answered: int
    courses: tuple[Course, ...]
    earlier: bool = False

    @property
    def course(self) -> Course | None:
        """The present run, or the last."""
        return self.courses[-1] if self.courses else None
