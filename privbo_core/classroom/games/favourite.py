"""Our favourite, and nobody's taste: a class finds the colour that it likes best, through federated's server."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from privbo_core.classroom.crowd import (
    OWN,
    RATINGS,
    ROUNDS,
    Agents,
    Crowd,
    Dice,
    Ledger,
    Round,
    Rounds,
    most_right,
    most_sure,
    planned,
    settings,
    spent,
    sure,
)
from privbo_core.classroom.room import Experiment, News
from privbo_core.errors import Array, positive, whole
from privbo_core.federated import delta_for
from privbo_core.federated.settings import FEWEST_AGENTS


class Phase(StrEnum):
    """Where an experiment is: the class votes, rates its own colours, rates what is asked for, or is done."""

    VOTE = "vote"
    OWN = "own"
    ROUNDS = "rounds"
    END = "end"


@dataclass(frozen=True)
class Sure:
    """What an observer who knows everything else has found out about one pupil, from even odds, and could at most.

    ``sure`` in this run, whose loss ``epsilon`` stands for ``at_most``, δ aside; ``right``: guesses are right in such a
    share at most. ``all_sure``: the same by all ``runs`` that this pupil was in.
    """

    sure: float
    epsilon: float
    at_most: float
    right: float
    runs: int
    all_sure: float


@dataclass(frozen=True)
class Question:
    """What one phone shows: a vote, a colour to rate (``row``, number ``number`` of its phase), or something to read.

    ``kind`` "wait": until the others have answered. "late": until the next run begins; "over": the run that they were
    late for is over. "end": ``sure``, if they were in this run.
    """

    kind: str
    key: str
    row: int | None = None
    number: int = 0
    answer: object = None
    sure: Sure | None = None


@dataclass(frozen=True, eq=False)
class Course:
    """A run so far, all of it from what is public.

    ``people`` and ``crowd``: how many agents are people and how many simulated. ``named``: the colour that the class is
    believed to like best, after each round; ``belief``: with what probability each colour is, now. ``epsilon``: after
    each round of this run; ``total``: of everything that was broadcast in this room until then; ``before``: until this
    run, to ``total_delta``. ``right``: how often the best observer can be right who guesses from
    all rounds of this run; ``total_right``: from everything before it too. ``votes``: for noise and against it,
    if they decided. ``members``: the numbers of those people who were in it to its end; to compare runs, not to be
    shown.
    """

    number: int
    z: float
    people: int
    crowd: int
    named: tuple[int, ...]
    belief: Array | None
    epsilon: tuple[float, ...]
    total: tuple[float, ...]
    before: float
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
        return self.people + self.crowd

    @property
    def done(self) -> int:
        return len(self.named)


@dataclass(frozen=True, eq=False)
class Seen:
    """What the projector may show.

    ``awaited`` and ``answered``: of how many people an answer is awaited now, and how many have given it.
    ``noise`` and ``bare``: votes for noise and against it. ``courses``: the runs, the present one last.
    ``earlier``: there were broadcasts in this room before the first of them.
    """

    phase: Phase
    people: int
    late: int
    noise: int
    bare: int
    awaited: int
    answered: int
    courses: tuple[Course, ...]
    earlier: bool = False

    @property
    def course(self) -> Course | None:
        return self.courses[-1] if self.courses else None


MOST = 300
"""The largest class that simulated pupils fill up to."""
PATIENCE = 12.0  # Seconds after which a round goes on without those who have not answered.
OWN_PATIENCE = 90.0  # The same for the colours of their own.
LEAST = 1.5
"""Seconds that a round takes at least, so that it can be watched."""
VOTES = ("noise", "bare")


@dataclass(eq=False)
class _Person:
    """Somebody in the room: their vote, what they were asked to rate of their own and how they did."""

    vote: str | None = None
    rows: list[int] = field(default_factory=list)
    ratings: list[int] = field(default_factory=list)
    evidence: dict[int, float] = field(default_factory=dict)


@dataclass(eq=False)
class _Run:
    """A run: who is in it, by seat, and how far it is."""

    number: int
    z: float
    people: list[int]
    crowd: int
    epsilon: tuple[float, ...]
    before: tuple[float, ...]
    most_agents: int
    votes: tuple[int, int] | None = None
    left: set[int] = field(default_factory=set)
    rounds: Rounds | None = None
    round: Round | None = None
    given: dict[int, int] = field(default_factory=dict)
    belief: Array | None = None


class Favourite(Experiment):
    """The experiment. ``rng``: seeded dice for tests and measurements; without it the noise is real (`Dice`).

    ``ledger``: of the room, if something was broadcast in it before. ``crowd``: who fills up the class.
    """

    def __init__(
        self, rng: np.random.Generator | None = None, ledger: Ledger | None = None, crowd: Crowd | None = None
    ) -> None:
        self._dice = Dice(rng)
        self.ledger = Ledger() if ledger is None else ledger
        self._crowd = Crowd(self._dice.streams.noise) if crowd is None else crowd
        self._phi = self._dice.features(settings(0.0))
        self._people: dict[int, _Person] = {}
        self._past: list[Course] = []
        self._run: _Run | None = None
        self._phase = Phase.VOTE
        self._since: float | None = None

    # What happens in the room.

    def enter(self, pupil: int) -> None:
        """Take somebody in; in a run that has begun they only watch."""
        self._people.setdefault(pupil, _Person())

    def leave(self, pupil: int) -> None:
        """Forget somebody; their agent keeps its seat, with nothing in it."""
        if self._people.pop(pupil, None) is None or self._run is None or pupil not in self._run.people:
            return
        self._run.given.pop(pupil, None)
        if self._phase in (Phase.OWN, Phase.ROUNDS):
            self._run.left.add(pupil)
        if self._run.rounds is not None:
            self._run.rounds.agents.silence(self._run.people.index(pupil))
            self._run.rounds.evidence[self._run.people.index(pupil)] = 0.0

    def answer(self, pupil: int, question: str, value: object) -> News:
        """Take a vote ("noise" or "bare") or a rating from 0 to 4, if that is what this pupil is asked now."""
        person, asked = self._people.get(pupil), self.question(pupil)
        if person is None or not isinstance(question, str) or question != asked.key:
            return News.NOTHING
        if asked.kind == "vote":
            if not isinstance(value, str) or value not in VOTES or value == person.vote:
                return News.NOTHING
            person.vote = value
            return News.SCREEN
        if asked.kind != "rate" or type(value) is not int or not 0 <= value < RATINGS:
            return News.NOTHING
        if self._phase is Phase.OWN:
            person.ratings.append(value)
            return News.SCREEN
        run = self._run
        assert run is not None
        assert run.rounds is not None
        run.given[pupil] = value
        seat = run.people.index(pupil)
        run.rounds.agents.observe(seat, np.array([asked.row]), np.array([float(value)]))
        return News.SCREEN

    def tick(self, now: float) -> News:
        """Go on when all have answered, or when those who have not answered have had their time."""
        if self._phase not in (Phase.OWN, Phase.ROUNDS):
            return News.NOTHING
        if self._since is None:
            self._since = now
        passed, (asked, answered) = now - self._since, self._progress()
        own = self._phase is Phase.OWN
        if (answered == asked and (own or passed >= LEAST)) or passed >= (OWN_PATIENCE if own else PATIENCE):
            return self.go_on()
        return News.NOTHING

    # What the teacher does.

    def begin(self, size: int, z: float, noise: bool | None = None) -> News:
        """Begin a run with noise multiplier ``z``, or without noise: as ``noise`` says, or as the class has voted.

        Simulated pupils fill the class up to ``size``. Whoever has rated colours of their own before keeps them.
        Raises ValueError for a size or a z that is not possible.
        """
        whole("size", size, least=FEWEST_AGENTS)
        if size > MOST:
            raise ValueError(f"size is {size!r}; a class holds {MOST} at most.")
        positive("z", z)
        if self._phase not in (Phase.VOTE, Phase.END):
            return News.NOTHING
        votes = self._votes() if noise is None else None
        return self._begin(size, z if (self.wants_noise() if noise is None else noise) else 0.0, votes)

    def go_on(self) -> News:
        """Go on at once: whoever has not answered has learnt nothing this time."""
        if self._phase is Phase.OWN:
            self._seat()
        elif self._phase is not Phase.ROUNDS:
            return News.NOTHING
        run = self._run
        assert run is not None
        assert run.rounds is not None
        self._since = None
        if run.rounds.t == ROUNDS:
            self._phase = Phase.END
            for seat, pupil in enumerate(run.people):
                if pupil in self._people:
                    self._people[pupil].evidence[run.number] = float(run.rounds.evidence[seat])
            return News.EVERYBODY
        self._phase, run.given = Phase.ROUNDS, {}
        run.round = run.rounds.next()
        self.ledger.uses.append(run.z)
        self.ledger.agents = run.most_agents
        run.belief = run.rounds.belief()
        if run.crowd:
            rows = run.round.rows[len(run.people) :]
            run.rounds.agents.observe(len(run.people), rows, self._crowd.rate(np.arange(run.crowd), rows))
        return News.EVERYBODY

    def vote_again(self) -> News:
        if self._phase is not Phase.END:
            return News.NOTHING
        self._phase = Phase.VOTE
        for person in self._people.values():
            person.vote = None
        return News.EVERYBODY

    def wants_noise(self) -> bool:
        """Return what the class has voted for; with as many on each side, or nobody: noise."""
        noise, bare = self._votes()
        return noise >= bare

    # What is shown.

    def question(self, pupil: int) -> Question:
        person, run = self._people.get(pupil), self._run
        if person is None:
            return Question("late", "out")
        if self._phase is Phase.VOTE:
            return Question("vote", f"vote/{len(self._past) + (run is not None) + 1}", answer=person.vote)
        assert run is not None
        if pupil not in run.people:
            over = self._phase is Phase.END
            return Question("over", f"over/{run.number}") if over else Question("late", f"late/{run.number}")
        if self._phase is Phase.OWN:
            done = len(person.ratings)
            if done < OWN:
                return Question("rate", f"own/{done + 1}", person.rows[done], done + 1)
            return Question("wait", f"wait/{run.number}/own")
        t = run.rounds.t if run.rounds is not None else 0
        if self._phase is Phase.END:
            return Question("end", f"end/{run.number}", sure=self._sure(person, run))
        if pupil in run.given or run.round is None:
            return Question("wait", f"wait/{run.number}/{t}", number=t)
        row = int(run.round.rows[run.people.index(pupil)])
        return Question("rate", f"round/{run.number}/{t}", row, t)

    def seen(self) -> Seen:
        """Return what the projector may show: counts, and what follows from the broadcasts."""
        asked, answered = self._progress()
        courses = (*self._past, *([] if self._run is None else [self._course(self._run)]))
        taking = 0 if self._run is None else sum(pupil in self._people for pupil in self._run.people)
        late = len(self._people) - taking if self._phase in (Phase.OWN, Phase.ROUNDS) else 0
        return Seen(
            self._phase, len(self._people), late, *self._votes(), asked, answered, courses,
            len(self.ledger.uses) > sum(course.done for course in courses),
        )  # fmt: skip

    # How it is done.

    def _votes(self) -> tuple[int, int]:
        """Return how many votes there are for noise, and how many against it."""
        votes = [person.vote for person in self._people.values()]
        return votes.count("noise"), votes.count("bare")

    def _begin(self, size: int, z: float, votes: tuple[int, int] | None = None) -> News:
        if self._run is not None:
            self._past.append(self._course(self._run))
        people = list(self._people)
        crowd = max(0, size - len(people))
        agents, before = len(people) + crowd, tuple(self.ledger.uses)
        most = max(self.ledger.agents, agents)
        self._run = _Run(len(self._past) + 1, z, people, crowd, spent(planned(z), agents), before, most, votes)
        rows = self._dice.starting_rows(agents, OWN)
        for pupil, drawn in zip(people, rows, strict=False):
            person = self._people[pupil]
            person.rows = person.rows or drawn.tolist()
        self._crowd.grow(rows[len(people) :])
        self._phase, self._since = Phase.OWN, None
        return News.EVERYBODY

    def _seat(self) -> None:
        """Give everybody of the run a seat, with what they have rated of their own."""
        run = self._run
        assert run is not None
        agents = Agents(self._phi)
        for pupil in run.people:
            seat, person = agents.seat(1), self._people.get(pupil)
            if person is None:
                agents.silence(seat)
                continue
            for row, rating in zip(person.rows, person.ratings, strict=False):
                agents.observe(seat, np.array([row]), np.array([float(rating)]))
        if run.crowd:
            seat = agents.seat(run.crowd)
            for column in range(OWN):
                rows, ratings = self._crowd.own_rows[: run.crowd], self._crowd.own_ratings[: run.crowd]
                agents.observe(seat, rows[:, column], ratings[:, column])
        run.rounds = Rounds(agents, settings(run.z), self._dice)

    def _progress(self) -> tuple[int, int]:
        """Return from how many people an answer is awaited, and how many have given it."""
        here = [] if self._run is None else [pupil for pupil in self._run.people if pupil in self._people]
        if self._phase is Phase.VOTE:
            return len(self._people), sum(person.vote is not None for person in self._people.values())
        if self._phase is Phase.OWN:
            return len(here), sum(len(self._people[pupil].ratings) >= OWN for pupil in here)
        if self._phase is Phase.ROUNDS and self._run is not None:
            return len(here), sum(pupil in self._run.given for pupil in here)
        return 0, 0

    def _course(self, run: _Run) -> Course:
        done = 0 if run.rounds is None else run.rounds.t
        promised = planned(run.z, run.before)
        total = (0.0, *spent(promised, run.most_agents))[len(run.before) :]
        return Course(
            run.number, run.z, len(run.people), run.crowd,
            () if run.rounds is None else tuple(run.rounds.named), run.belief, run.epsilon[:done], total[1 : done + 1],
            total[0], delta_for(run.most_agents), most_right(planned(run.z)),
            most_right(promised), run.votes, frozenset(run.people) - run.left,
        )  # fmt: skip

    def _sure(self, person: _Person, run: _Run) -> Sure:
        told = person.evidence
        every = sum(told.values()) if math.inf not in told.values() else math.inf
        epsilon, right = run.epsilon[-1], most_right(planned(run.z))
        return Sure(sure(told[run.number]), epsilon, most_sure(epsilon), right, len(told), sure(every))
