"""The server's ledger: what was broadcast, what it cost, how many took part. It never says who.

A round is on the disk before it is broadcast, so that a server that dies has counted it. All runs with the same agents
belong into one ledger, and ε counts them all.
"""

import datetime
import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.budget import reading
from privbo_core.errors import DataError
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.promise import ACCOUNTING, JOINT
from privbo_core.privacy import Guarantee, Status, epsilon, epsilon_together


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


FORMAT, VERSION = "privbo federated ledger", 1
MOST_BYTES = 20_000_000
WRITER = "the server of a federation writes one"
_RUN = ("kind", "format", "version", "program", "when", "agents", "q", "delta", "z", "budget",
        "rounds", "regions", "features", "clip", "names")  # fmt: skip
_ROUND = ("kind", "when", "t", "epsilon", "asked", "answered", "garbage", "selected", "clipped",
          "signal", "noise", "promised")  # fmt: skip
_OUTCOMES = ("kind", "t", "published", "regret")
_END = ("kind", "when", "why")
ENDS = ("done", "budget")


@dataclass(frozen=True)
class Count:
    """One broadcast. ``epsilon``: of all broadcasts in the ledger so far, ∞ without noise.

    ``asked``: agents that were connected; ``answered``: that sent a usable vector; ``garbage``: something else.
    ``selected``: drawn by the server, among all N. ``clipped``: the share of usable vectors at the clipping threshold.
    ``signal`` and ``noise``: norms of the two parts of what was sent. ``promised``: the inputs at the best row.
    ``regret``: the mean of the ``published`` agents that chose to publish theirs, None if there is none.
    """

    t: int
    epsilon: float
    asked: int
    answered: int
    garbage: int
    selected: int
    clipped: float
    signal: float
    noise: float
    promised: tuple[float, ...]
    published: int = 0
    regret: float | None = None


@dataclass(frozen=True)
class Run:
    """One run: its public terms, its broadcasts, and why it ended (empty: it goes on, or was cut off)."""

    when: str
    names: tuple[str, ...]
    agents: int
    q: float
    delta: float
    z: float
    budget: float
    rounds: int
    regions: int
    features: int
    clip: float
    counts: tuple[Count, ...] = ()
    end: str = ""


def read_ledger(data: bytes) -> tuple[Run, ...]:
    """Return the runs in a ledger. Raises DataError, one sentence, for anything else."""
    if len(data) > MOST_BYTES:
        raise DataError(f"The ledger is larger than {files.size(MOST_BYTES)}, which none needs to be.")
    with reading("The ledger", len(data)):
        return _runs(parsed(data[: data.rfind(b"\n") + 1], "The ledger", WRITER))


def spent(q: float, multipliers: list[float], delta: float) -> float:
    """Return the ε of broadcasts with these noise multipliers, by loss distributions."""
    if not multipliers:
        return 0.0
    if min(multipliers) == 0:
        return math.inf
    if min(multipliers) == max(multipliers):
        return epsilon(q, multipliers[0], len(multipliers), delta, "pld")
    return epsilon_together(q, multipliers, delta, "pld")


class Book:
    """A ledger that a server writes in. To be had from `open_book`, which holds it for one server alone."""

    def __init__(self, path: Path, terms: Terms, runs: tuple[Run, ...]) -> None:
        self.path, self.terms = path, terms
        self._spent = [run.z for run in runs for _ in run.counts]
        self._append(
            {
                "kind": "run",
                "format": FORMAT,
                "version": VERSION,
                "program": PROGRAM,
                "when": _now(),
                "agents": terms.agents,
                "q": terms.settings.q,
                "delta": terms.delta,
                "z": terms.settings.z,
                "budget": _finite(terms.budget),
                "rounds": terms.settings.iterations,
                "regions": terms.settings.P,
                "features": terms.settings.features,
                "clip": terms.settings.S,
                "names": list(terms.names),
            }
        )

    def after_one_more(self) -> float:
        """Return the ε of all broadcasts so far and one more."""
        return spent(self.terms.settings.q, [*self._spent, self.terms.settings.z], self.terms.delta)

    def broadcast(self, count: Count) -> None:
        """Write down a broadcast that is about to be made."""
        said = {key: getattr(count, key) for key in _ROUND if key not in ("kind", "when", "epsilon", "promised")}
        self._append(
            {
                "kind": "round",
                "when": _now(),
                **said,
                "epsilon": _finite(count.epsilon),
                "promised": list(count.promised),
            }
        )
        self._spent.append(self.terms.settings.z)

    def outcomes(self, t: int, regrets: list[float]) -> None:
        """Write down the mean of what agents chose to publish of round t."""
        mean = math.fsum(regrets) / len(regrets) if regrets else None
        self._append({"kind": "outcomes", "t": t, "published": len(regrets), "regret": mean})

    def end(self, why: str) -> None:
        """Write down that the run is over."""
        self._append({"kind": "end", "when": _now(), "why": why})

    def _append(self, entry: dict[str, Any]) -> None:
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
            found = files.keys(what, entry, _END)
            if found["why"] not in ENDS:
                raise DataError(f"{what} ends a run with {files.short(found['why'])}; it must be one of done, budget.")
            runs[-1] = replace(runs[-1], end=found["why"])
        else:
            raise DataError(f"{what} is of the kind {files.short(kind)}; it must be run, round, outcomes or end.")
    if not runs:
        raise DataError(f"The ledger is empty; {WRITER}.")
    return (*runs[:-1], replace(runs[-1], counts=tuple(counts)))


def _run(what: str, entry: object) -> Run:
    files.format_and_version(what, entry, FORMAT, VERSION)
    found = files.keys(what, entry, _RUN)
    number = {key: files.number(f"{key} in {what.lower()}", found[key]) for key in ("q", "delta", "z", "clip")}
    if not (0 < number["q"] <= 1 and 0 < number["delta"] < 1 and number["z"] >= 0):
        raise DataError(f"{what} says q, delta or z that there cannot be; {WRITER}.")
    whole = {
        key: files.whole_number(f"{key} in {what.lower()}", found[key], 1, 1_000_000)
        for key in ("agents", "rounds", "regions", "features")
    }
    names = tuple(files.name("An input's name", name) for name in files.entries("names", found["names"]))
    budget = _or_infinite(f"budget in {what.lower()}", found["budget"])
    return Run(when=files.text("when", found["when"]), names=names, budget=budget, **number, **whole)  # type: ignore[arg-type]


def _count(what: str, entry: object, before: list[Count], run: Run) -> Count:
    found, where, t = files.keys(what, entry, _ROUND), what.lower(), len(before) + 1
    if found["t"] != t:
        raise DataError(f"{what} is round {files.short(found['t'])}; round {t} was next.")
    whole = {key: files.whole_number(f"{key} in {where}", found[key], 0, 10**6)
             for key in ("asked", "answered", "garbage", "selected")}  # fmt: skip
    if max(whole["answered"], whole["selected"]) > run.agents:
        raise DataError(f"{what} counts more agents than the {run.agents:,} that there are.")
    number = {key: files.number(f"{key} in {where}", found[key]) for key in ("clipped", "signal", "noise")}
    if min(number.values()) < 0 or number["clipped"] > 1:
        raise DataError(f"{what} has a share or a length that there cannot be; {WRITER}.")
    promised = tuple(
        files.number(f"promised in {where}", value) for value in files.entries("promised", found["promised"])
    )
    if len(promised) != len(run.names):
        raise DataError(f"{what} promises {len(promised)} inputs; there are {len(run.names)}.")
    loss = _or_infinite(f"epsilon in {where}", found["epsilon"])
    earlier = before[-1].epsilon if before else 0.0
    if loss < earlier:
        raise DataError(f"{what} says that ε fell to {loss:.3g}; it can only grow.")
    return Count(t=t, epsilon=loss, promised=promised, **whole, **number)  # type: ignore[arg-type]


def _published(what: str, entry: object, count: Count | None) -> Count:
    found = files.keys(what, entry, _OUTCOMES)
    if count is None or found["t"] != count.t:
        raise DataError(f"{what} has outcomes of a round that was not broadcast; {WRITER}.")
    published = files.whole_number(f"published in {what.lower()}", found["published"], 0, 10**6)
    regret = None if found["regret"] is None else files.number(f"regret in {what.lower()}", found["regret"])
    return Count(**{**vars(count), "published": published, "regret": regret})


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _or_infinite(what: str, value: object) -> float:
    return math.inf if value is None else files.number(what, value)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


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
        protects="an agent's participation: everything that it sends during the whole run",
        against="whoever sees all vectors that the server broadcasts, the other agents included; not the server",
        neighbours="one agent takes part, with its whole history, or stays away",
        epsilon=epsilon,
        delta=delta,
        assumptions=(
            "the server is trusted, and whom it selects stays its secret",
            timing,
            "the number of agents and the sub-region that each starts in are public, and each agent has one number",
            "federation.toml was not chosen by looking at the agents' data",
            "all runs with the same agents are counted in one ledger",
            "what an agent does with its own queries, and what it chooses to publish, is not covered",
        ),
        status=Status.PROVED,
        source=f"Dai, Low, Jaillet (NeurIPS 2021), Algorithm 1; {ACCOUNTING['pld']}; noise calibrated to {JOINT}",
    )
