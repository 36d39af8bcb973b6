"""The server's ledger: what was broadcast, what it cost, how many took part. It never says who.

A round is on the disk before it is broadcast, so that a server that dies has counted it. All runs with the same agents
belong into one ledger, and ε counts them all.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.budget import reading
from privbo_core.errors import DataError
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.promise import ACCOUNTING, JOINT, OBSERVER, PARTICIPATION, PRESENT
from privbo_core.privacy import Condition, Guarantee, Status, composed_epsilon
from privbo_core.records import Finite, Line, Text, UpToInfinity, decoded


def append(path: Path, entry: dict[str, Any], what: str) -> None:
    """Add a line to a file of JSON lines that its owner alone may read; it is on the disk when this returns."""
    line = json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise DataError(f"{what} cannot be written to {path.name!r}: {fault.strerror or fault}.") from None


def whole_lines(path: Path, what: str, writer: str, most: int) -> list[Any]:
    """Return the entries of a file of JSON lines, none if there is no such file.

    A last line that was not written to its end is taken off the file: what it says was never acted upon.
    """
    if not path.exists():
        return []
    data = files.read_bytes(path, what, most)
    kept = data[: data.rfind(b"\n") + 1]
    if len(kept) < len(data):
        os.truncate(path, len(kept))
    with reading(what, len(kept)):
        return list(parsed(kept, what, writer))


def parsed(data: bytes, what: str, writer: str) -> Iterator[Any]:
    """Yield the entries of JSON lines, each as soon as it is read. Raises DataError for anything else."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{what} is not a text in UTF-8; {writer}.") from None
    for number, line in enumerate(lines, start=1):
        yield files.parse_json(line, f"Line {number} of {what.lower()}", writer)


FORMAT, VERSION = "privbo federated ledger", 2
MOST_BYTES = 20_000_000
WRITER = "the server of a federation writes one"
HEAD = ("kind", "format", "version")  # What a line begins with, so that it is known at a glance.
Many = Annotated[int, Meta(ge=1, le=1_000_000)]
Few = Annotated[int, Meta(ge=0, le=1_000_000)]
Length = Annotated[float, Meta(ge=0, le=files.LARGEST)]


@dataclass(frozen=True)
class Broadcast:
    """What was sent in round ``t``. ``epsilon``: of all broadcasts in the ledger so far, ∞ without noise.

    ``connected``: agents that were connected; ``answered``: that sent a usable vector; ``garbage``: something else.
    ``selected``: drawn by the server, among all N. ``clipped``: the share of usable vectors at the clipping threshold.
    ``signal`` and ``noise``: norms of the two parts of what was sent. ``promised``: the inputs at the best row.
    """

    t: int
    epsilon: UpToInfinity
    connected: Few
    answered: Few
    garbage: Few
    selected: Few
    clipped: Annotated[float, Meta(ge=0, le=1)]
    signal: Length
    noise: Length
    promised: tuple[Finite, ...]


@dataclass(frozen=True)
class Count(Broadcast):
    """A broadcast and its ``regret``: the mean of the ``published`` agents that chose to publish theirs, if any did."""

    published: int = 0
    regret: float | None = None


@dataclass(frozen=True)
class Begun:
    """One run's public terms."""

    when: Text
    names: tuple[Line, ...]
    agents: Many
    q: Annotated[float, Meta(gt=0, le=1)]
    delta: Annotated[float, Meta(gt=0, lt=1)]
    z: Length
    budget: UpToInfinity
    rounds: Many
    regions: Many
    features: Many
    clip: Finite


@dataclass(frozen=True)
class Run(Begun):
    """One run: its terms, its broadcasts, and why it ended (empty: it goes on, or was cut off)."""

    counts: tuple[Count, ...] = ()
    end: str = ""


@dataclass(frozen=True)
class _RunLine(Begun):
    kind: str
    format: str
    version: int
    program: Text


@dataclass(frozen=True)
class _RoundLine(Broadcast):
    kind: str
    when: Text


@dataclass(frozen=True)
class _OutcomesLine:
    kind: str
    t: int
    published: Few
    regret: Finite | None


@dataclass(frozen=True)
class _EndLine:
    kind: str
    when: Text
    why: Literal["done", "budget"]


def read_ledger(data: bytes) -> tuple[Run, ...]:
    """Return the runs in a ledger. Raises DataError, one sentence, for anything else."""
    if len(data) > MOST_BYTES:
        raise DataError(f"The ledger is larger than {files.size(MOST_BYTES)}, which none needs to be.")
    with reading("The ledger", len(data)):
        return _runs(parsed(data[: data.rfind(b"\n") + 1], "The ledger", WRITER))


def spent(q: float, multipliers: list[float], delta: float) -> float:
    """Return the ε of broadcasts with these noise multipliers, by loss distributions."""
    return composed_epsilon(q, multipliers, delta, "pld") if multipliers else 0.0


class Book:
    """A ledger that a server writes in. To be had from `open_book`, which holds it for one server alone."""

    def __init__(self, path: Path, terms: Terms, runs: tuple[Run, ...]) -> None:
        self.path, self.terms = path, terms
        self._spent = [run.z for run in runs for _ in run.counts]
        settings = terms.settings
        self._append(
            _RunLine(
                kind="run",
                format=FORMAT,
                version=VERSION,
                program=PROGRAM,
                when=files.now(),
                agents=terms.agents,
                q=settings.q,
                delta=terms.delta,
                z=settings.z,
                budget=terms.budget,
                rounds=settings.iterations,
                regions=settings.P,
                features=settings.features,
                clip=settings.S,
                names=terms.names,
            )
        )

    def after_one_more(self) -> float:
        """Return the ε of all broadcasts so far and one more."""
        return spent(self.terms.settings.q, [*self._spent, self.terms.settings.z], self.terms.delta)

    def broadcast(self, count: Count) -> None:
        """Write down a broadcast that is about to be made."""
        said = {part.name: getattr(count, part.name) for part in fields(Broadcast)}
        self._append(_RoundLine(kind="round", when=files.now(), **said))
        self._spent.append(self.terms.settings.z)

    def outcomes(self, t: int, regrets: list[float]) -> None:
        """Write down the mean of what agents chose to publish of round t."""
        mean = math.fsum(regrets) / len(regrets) if regrets else None
        self._append(_OutcomesLine("outcomes", t, len(regrets), mean))

    def end(self, why: Literal["done", "budget"]) -> None:
        """Write down that the run is over."""
        self._append(_EndLine("end", files.now(), why))

    def _append(self, line: "_RunLine | _RoundLine | _OutcomesLine | _EndLine") -> None:
        said = {name: None if value == math.inf else value for name, value in vars(line).items()}
        entry = {**{key: said[key] for key in HEAD if key in said}, **said}
        append(self.path, entry, "The ledger")


@contextmanager
def open_book(path: str | Path, terms: Terms) -> Iterator[Book]:
    """Hold the ledger at ``path`` for a run with these terms; a new one is begun if there is none.

    Raises DataError if it is in use, or counts other agents or another chance of being selected.
    """
    path = Path(path)
    with files.alone(path, "The ledger"):
        runs = _runs(whole_lines(path, "The ledger", WRITER, MOST_BYTES)) if path.exists() else ()
        said = {"agents": terms.agents, "q": terms.settings.q, "delta": terms.delta}
        for run in runs:
            for key, value in said.items():
                if getattr(run, key) != value:
                    raise DataError(
                        f"The ledger counts with {key} = {getattr(run, key)}, and federation.toml says {value}; "
                        "put that back, or begin a new ledger if these are other agents."
                    )
        yield Book(path, terms, runs)


def _runs(entries: Iterable[Any]) -> tuple[Run, ...]:
    runs: list[Run] = []
    counts: list[Count] = []  # of the last run
    for number, entry in enumerate(entries, start=1):
        what = f"Line {number} of the ledger"
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if not runs and kind != "run":
            raise DataError(f"The ledger does not begin with a run; {WRITER}.")
        if kind == "run":
            if runs:
                runs[-1] = replace(runs[-1], counts=tuple(counts))
            runs.append(_run(what, entry))
            counts = []
        elif kind == "round":
            if runs[-1].end or len(counts) >= runs[-1].rounds:
                raise DataError(f"{what} is a round of a run that was over; {WRITER}.")
            counts.append(_count(what, entry, counts, runs[-1]))
        elif kind == "outcomes":
            counts[-1:] = [_published(what, entry, counts[-1] if counts else None)]
        elif kind == "end":
            runs[-1] = replace(runs[-1], end=decoded(what, entry, _EndLine).why)
        else:
            raise DataError(f"{what} is of the kind {files.short(kind)}; it must be run, round, outcomes or end.")
    if not runs:
        raise DataError(f"The ledger is empty; {WRITER}.")
    return (*runs[:-1], replace(runs[-1], counts=tuple(counts)))


def _run(what: str, entry: object) -> Run:
    files.format_and_version(what, entry, FORMAT, VERSION)
    said = decoded(what, _with_infinity(entry, "budget"), _RunLine)
    return Run(**{part.name: getattr(said, part.name) for part in fields(Begun)})


def _count(what: str, entry: object, before: list[Count], run: Run) -> Count:
    said, t = decoded(what, _with_infinity(entry, "epsilon"), _RoundLine), len(before) + 1
    if said.t != t:
        raise DataError(f"{what} is round {said.t}; round {t} was next.")
    if max(said.answered, said.selected) > run.agents:
        raise DataError(f"{what} counts more agents than the {run.agents:,} that there are.")
    if len(said.promised) != len(run.names):
        raise DataError(f"{what} promises {len(said.promised)} inputs; there are {len(run.names)}.")
    if said.epsilon < (before[-1].epsilon if before else 0.0):
        raise DataError(f"{what} says that ε fell to {said.epsilon:.3g}; it can only grow.")
    return Count(**{part.name: getattr(said, part.name) for part in fields(Broadcast)})


def _published(what: str, entry: object, count: Count | None) -> Count:
    said = decoded(what, entry, _OutcomesLine)
    if count is None or said.t != count.t:
        raise DataError(f"{what} has outcomes of a round that was not broadcast; {WRITER}.")
    return replace(count, published=said.published, regret=said.regret)


def _with_infinity(entry: object, key: str) -> object:
    """Return an entry with ∞ where its file, in which there is none, says null."""
    return {**entry, key: math.inf} if isinstance(entry, dict) and entry.get(key, "") is None else entry


STEADY = "every round takes the same time"
UNSTEADY = "nobody reads from how long a round takes whether somebody was slow"


def guarantee(terms: Terms) -> Guarantee:
    """Return what all rounds of these terms promise together, if the ledger holds no others."""
    each = terms.settings
    epsilon = spent(each.q, [each.z] * each.iterations, terms.delta)
    return promised(epsilon, terms.delta, STEADY if terms.steady else UNSTEADY)


def promised(epsilon: float, delta: float, timing: str = f"{STEADY}, or {UNSTEADY}") -> Guarantee:
    """Return what broadcasts that cost so much promise together."""
    return Guarantee(
        protects=PARTICIPATION,
        against=f"{OBSERVER}; not the server",
        neighbours=PRESENT,
        epsilon=epsilon,
        delta=delta,
        assumptions=(
            "the number of agents and the sub-region that each starts in are public, and each agent has one number",
            "what an agent does with its own queries, and what it chooses to publish, is not covered",
        ),
        status=Status.PROVED,
        source=f"Dai, Low, Jaillet (NeurIPS 2021), Algorithm 1; {ACCOUNTING['pld']}; noise calibrated to {JOINT}",
        conditions=(
            Condition("the server is trusted", "The server is trusted, and whom it selects stays its secret."),
            Condition(
                "federation.toml written without the data",
                "federation.toml was not chosen by looking at the agents' data.",
            ),
            Condition("one ledger counts all runs", "All runs with the same agents are counted in one ledger."),
            Condition("how long rounds take tells nothing", f"{timing[0].upper()}{timing[1:]}"),
        ),
    )
