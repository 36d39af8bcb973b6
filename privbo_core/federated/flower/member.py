"""One agent of a federation: its notebook, and its turn in a round. Knows nothing of how messages travel."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.errors import Array, DataError
from privbo_core.federated.agents import Agents, Dice, Shared, Streams
from privbo_core.federated.flower.lines import append, whole_lines
from privbo_core.federated.flower.objective import NoNumberError, Own
from privbo_core.federated.flower.terms import Terms
from privbo_core.federated.run import common
from privbo_core.federated.server import clip

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
            return self._turn(run, t, vectors)

    def _turn(self, run: str, t: int, vectors: Array | None) -> Answer:
        entries, settings = self._read(), self.terms.settings
        shared, streams = self._chance()
        agent = Agents(shared, self._dice(streams), len(entries) + settings.initial + 1)
        for entry in entries:
            if entry["outcome"] is not None:
                agent.observe(np.array([entry["row"]]), np.array([entry["outcome"]]))
        failed, regret = False, None
        if not entries:
            for row in agent.begin()[0]:
                failed |= self._try(agent, {"run": run, "t": 0, "row": int(row), "followed": False}) is None
        if t > 0 and not any((entry["run"], entry["t"]) == (run, t) for entry in entries):
            rows, followed = agent.asks(t, vectors)
            outcome = self._try(agent, {"run": run, "t": t, "row": int(rows[0]), "followed": bool(followed[0])})
            failed |= outcome is None
            if outcome is not None and self.own.best is not None:
                regret = self.own.best - (outcome * self.terms.scale + self.terms.centre)
        last = t >= settings.iterations
        vector = None if failed or last else clip(agent.vectors(), settings.P, settings.S)[0][0]
        if self.seed is not None:
            files.write_whole(self._dice_file, files.json_bytes(streams.state), "The dice")
        return Answer(self.own.number, t, vector, failed, regret)

    def _try(self, agent: Agents, entry: dict[str, Any]) -> float | None:
        """Evaluate the objective at an entry's row, note the outcome, and return it; None if it gave no number."""
        outcome, why = None, None
        try:
            outcome = (self.own.evaluate(self.terms.setting(entry["row"])) - self.terms.centre) / self.terms.scale
        except NoNumberError as fault:
            why = str(fault)
        append(self.own.notebook, {**entry, "outcome": outcome, "why": why}, "The notebook")
        if outcome is not None:
            agent.observe(np.array([entry["row"]]), np.array([outcome]))
        return outcome

    def _read(self) -> list[dict[str, Any]]:
        """Return what the agent has tried so far; a new notebook says of which domain it is."""
        head = {"format": FORMAT, "version": VERSION, "program": PROGRAM, "domain": self.terms.digest}
        found = whole_lines(self.own.notebook, "The notebook", WRITER, MOST_BYTES)
        if not found:
            append(self.own.notebook, head, "The notebook")
            return []
        files.format_and_version("The notebook's first line", found[0], FORMAT, VERSION)
        if found[0].get("domain") != self.terms.digest:
            raise DataError(f"The notebook is of another domain than federation.toml; {WRITER}.")
        return [_entry(each, number, len(self.terms.table)) for number, each in enumerate(found[1:], start=2)]

    def _dice(self, streams: Streams) -> Dice:
        return Dice(streams, self.terms.agents if self.seed is not None else 1, np.array([self.own.number]))

    def _chance(self) -> tuple[Shared, Streams]:
        if self.seed is None:
            return self.terms.shared, Streams.of(np.random.default_rng())
        shared, streams = seeded(self.terms, self.seed)
        if self._dice_file.exists():
            found = files.read_json(self._dice_file, "The dice", MOST_BYTES, WRITER)
            streams.go_on(found)  # type: ignore[arg-type]
        return shared, streams


def _entry(found: object, number: int, rows: int) -> dict[str, Any]:
    what = f"Line {number} of the notebook"
    entry = files.keys(what, found, ("run", "t", "row", "followed", "outcome", "why"))
    files.whole_number(f"row in {what.lower()}", entry["row"], 0, rows - 1)
    if entry["outcome"] is not None:
        entry["outcome"] = files.number(f"outcome in {what.lower()}", entry["outcome"])
    return entry
