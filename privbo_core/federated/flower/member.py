"""One agent of a federation: its notebook, and its turn in a round. Knows nothing of how messages travel."""

import importlib
import math
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.errors import Array, DataError
from privbo_core.federated.agents import Agents, Dice, Shared, Streams
from privbo_core.federated.flower.ledger import append, whole_lines
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.run import common
from privbo_core.federated.server import clip
from privbo_core.records import Finite, decoded

Objective = Callable[[dict[str, float]], float]
ENGINE = __name__.partition(".")[0]


class NoNumberError(Exception):
    """An objective that gave no number this time. The message says why, in the agent's own log."""


@dataclass(frozen=True)
class Own:
    """What an agent decides for itself: nothing of it is sent, except its ``number``.

    ``notebook``: where it writes down what it has tried. ``best``: the best outcome that there can be, if it is known
    and the agent wants its regret to be shown; None publishes nothing.
    """

    number: int
    evaluate: Objective
    notebook: Path
    best: float | None


@dataclass(frozen=True)
class _OwnFile:
    agent: Annotated[int, Meta(ge=0)]
    objective: str | None = None
    command: str | None = None
    folder: str | None = None
    notebook: str | None = None
    seconds: Finite | None = None
    best: Finite | None = None


def own(config: Mapping[str, Any], agents: int) -> Own:
    """Return the agent that ``config`` (agent.toml, or ``--node-config``) describes. Raises DataError otherwise."""
    what = "The agent's file"
    said = decoded(what, dict(config), _OwnFile)
    number = files.whole_number("agent", said.agent, 0, agents - 1)
    folder = Path(said.folder or ".").expanduser()
    if (said.objective is None) == (said.command is None):
        raise DataError(f'{what} must have either objective = "module:function" or command = "program arguments".')
    if said.objective is not None:
        evaluate = function(said.objective, folder)
    else:
        evaluate = command(said.command or "", folder, 3600 if said.seconds is None else said.seconds)
    return Own(number, evaluate, folder / Path(said.notebook or f"agent-{number}.jsonl").expanduser(), said.best)


def function(name: str, folder: Path) -> Objective:
    """Return ``module:function``, found in ``folder`` first. It takes {input: value} and returns a number."""
    module, _, attribute = name.partition(":")

    def evaluate(setting: dict[str, float]) -> float:
        sys.path.insert(0, str(folder.absolute()))
        try:
            found = getattr(importlib.import_module(module), attribute)(setting)
        except Exception as fault:
            raise NoNumberError(f"{name} stopped with {type(fault).__name__}: {fault}") from fault
        finally:
            sys.path.remove(str(folder.absolute()))
        return _number(found, name)

    if not module or not attribute:
        raise DataError(f'objective is {files.short(name)}; it must be "module:function".')
    if module.partition(".")[0] == ENGINE:
        raise DataError(f"objective is {files.short(name)}; it must be a function of your own, not {ENGINE}’s.")
    return evaluate


def command(line: str, folder: Path, seconds: float) -> Objective:
    """Return a program that gets ``input=value`` for each input as arguments; its last printed word is the number.

    It runs in ``folder``, without a shell, and is stopped after ``seconds``.
    """
    words = shlex.split(line)
    if not words:
        raise DataError("command is empty; it must be a program with its arguments.")

    def evaluate(setting: dict[str, float]) -> float:
        arguments = [f"{name}={value!r}" for name, value in setting.items()]
        try:
            done = subprocess.run(
                [*words, *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise NoNumberError(f"{words[0]} did not end well: {fault}") from fault
        if done.returncode:
            raise NoNumberError(f"{words[0]} ended with code {done.returncode}: {done.stderr.strip()[-200:]}")
        printed = done.stdout.split()
        return _number(printed[-1] if printed else "nothing", words[0])

    return evaluate


def _number(value: object, who: str) -> float:
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise NoNumberError(f"{who} gave {files.short(value)}, which is no number") from None
    if isinstance(value, bool) or not math.isfinite(found) or abs(found) > files.LARGEST:
        raise NoNumberError(f"{who} gave {files.short(value)}, which is no number that can be used")
    return found


MOST_BYTES = 20_000_000
FORMAT, VERSION = "privbo federated notebook", 1
WRITER = "move it away, and the agent begins a new one"


@dataclass(frozen=True, eq=False)
class Answer:
    """What an agent sends: its clipped ``vector`` for the next round, None after the last one or without a number.

    ``garbage``: its objective gave no number. ``regret``: how far its outcome was from the best, if it publishes that.
    """

    number: int
    t: int
    vector: Array | None
    garbage: bool = False
    regret: float | None = None


@dataclass(frozen=True)
class _Tried:
    """A line of the notebook: what was tried in round ``t``, and its ``outcome``, or ``why`` there is none."""

    run: str
    t: int
    row: int
    followed: bool
    outcome: Finite | None
    why: str | None


def seeded(terms: Terms, seed: int) -> tuple[Shared, Streams]:
    """Return what is shared and all dice by a seed, as `federated.run` has them. Only where nothing is promised."""
    if terms.settings.z > 0:
        raise ValueError(f"z is {terms.settings.z!r}; a run with noise takes no seed.")
    streams = Streams.of(np.random.default_rng(seed))
    return common(terms.points, terms.settings, terms.agents, streams.features), streams


class Member:
    """An agent with its notebook. Each turn reads the notebook, so that it may be another process each time.

    ``seed`` is for tests, and only where z is 0: then it has the dice that it has in `federated.run`.
    """

    def __init__(self, terms: Terms, own: Own, seed: int | None = None) -> None:
        self.terms, self.own, self.seed = terms, own, seed
        self._dice_file = own.notebook.with_suffix(".dice")

    def turn(self, run: str, t: int, vectors: Array | None) -> Answer:
        """Return the answer to round ``t`` (0: the beginning) with what the server sent.

        The agent asks for a row, evaluates its objective there, writes the outcome down, and draws the next vector.
        """
        with files.alone(self.own.notebook, "The notebook"):
            entries, settings = self._read(), self.terms.settings
            shared, streams = self._chance()
            dice = Dice(streams, self.terms.agents if self.seed is not None else 1, np.array([self.own.number]))
            agent = Agents(shared, dice, len(entries) + settings.initial + 1)
            for entry in entries:
                if entry.outcome is not None:
                    agent.observe(np.array([entry.row]), np.array([entry.outcome]))
            failed, regret = False, None
            if not entries:
                for row in agent.begin()[0]:
                    failed |= self._try(agent, run, 0, int(row)) is None
            if t > 0 and not any((entry.run, entry.t) == (run, t) for entry in entries):
                rows, followed = agent.asks(t, vectors)
                outcome = self._try(agent, run, t, int(rows[0]), followed=bool(followed[0]))
                failed |= outcome is None
                if outcome is not None and self.own.best is not None:
                    regret = self.own.best - (outcome * self.terms.scale + self.terms.centre)
            last = t >= settings.iterations
            vector = None if failed or last else clip(agent.vectors(), settings.P, settings.S)[0][0]
            if self.seed is not None:
                files.write_whole(self._dice_file, files.json_bytes(streams.state), "The dice")
            return Answer(self.own.number, t, vector, failed, regret)

    def _try(self, agent: Agents, run: str, t: int, row: int, *, followed: bool = False) -> float | None:
        """Evaluate the objective at a row, note the outcome, and return it; None if it gave no number."""
        outcome, why = None, None
        try:
            outcome = (self.own.evaluate(self.terms.setting(row)) - self.terms.centre) / self.terms.scale
        except NoNumberError as fault:
            why = str(fault)
        append(self.own.notebook, asdict(_Tried(run, t, row, followed, outcome, why)), "The notebook")
        if outcome is not None:
            agent.observe(np.array([row]), np.array([outcome]))
        return outcome

    def _read(self) -> list["_Tried"]:
        """Return what the agent has tried so far; a new notebook says of which domain it is."""
        head = {"format": FORMAT, "version": VERSION, "program": PROGRAM, "domain": self.terms.digest}
        found = whole_lines(self.own.notebook, "The notebook", WRITER, MOST_BYTES)
        if not found:
            append(self.own.notebook, head, "The notebook")
            return []
        files.format_and_version("The notebook's first line", found[0], FORMAT, VERSION)
        if found[0].get("domain") != self.terms.digest:
            raise DataError(f"The notebook is of another domain than federation.toml; {WRITER}.")
        entries = []
        for number, each in enumerate(found[1:], start=2):
            what = f"Line {number} of the notebook"
            entries.append(decoded(what, each, _Tried))
            files.whole_number(f"row of {what.lower()}", entries[-1].row, 0, len(self.terms.table) - 1)
        return entries

    def _chance(self) -> tuple[Shared, Streams]:
        if self.seed is None:
            return self.terms.shared, Streams.of(np.random.default_rng())
        shared, streams = seeded(self.terms, self.seed)
        if self._dice_file.exists():
            found = files.read_json(self._dice_file, "The dice", MOST_BYTES, WRITER)
            streams.go_on(found)  # type: ignore[arg-type]
        return shared, streams
