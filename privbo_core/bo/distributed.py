"""Rows too many for one machine: blocks on the workers of a Dask cluster, each of which makes or loads its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from privbo_core.bo.blockwise import edges
from privbo_core.bo.lazy_block import Best, Block
from privbo_core.bo.rules import UpperBound
from privbo_core.errors import Array, matrix, whole
from privbo_core.gp import Kernel
from privbo_core.gp.sufficient_statistics import Observation

if TYPE_CHECKING:
    from distributed import Client

Rows = Callable[[int, int], Array]
"""From ``start`` and ``stop`` to the points of these rows, as an array of stop − start rows and d columns."""
LOST = (OSError, ValueError, RuntimeError)  # What the cluster raises when the worker that held a block is gone.

PATIENCE = 3
"""How often a block is made anew within one step before the error is passed on: then it is not the worker's fault."""


class LostError(RuntimeError):
    """Raised when no worker is left to hold a block."""


@dataclass(frozen=True)
class Stored:
    """The rows of a two-dimensional .npy file that every worker can read under this path; each reads its own alone."""

    path: str

    def __call__(self, start: int, stop: int) -> Array:
        """Return rows ``start`` to ``stop``."""
        return np.array(np.load(self.path, mmap_mode="r")[start:stop], dtype=float)


@dataclass
class _Held:
    """A block on a worker: ``number`` is its place among the blocks, ``observed`` how many observations it knows."""

    number: int
    actor: Any
    observed: int = 0


class Spread:
    """The n rows of a domain in blocks on a Dask cluster's workers, for `block_queries`. No row goes through the wires.

    ``rows`` is called on the worker with the first row and the one after the last of its block: a function of yours, or
    `Stored`. Each worker has one block, for as long as this object lives. One that dies takes its block along: it is
    made anew on another, which is told everything observed so far, and the same rows are asked for as if nothing had
    happened. Raises `LostError` if none is left. ``nugget`` as in `Posterior`.
    """

    def __init__(
        self, client: "Client", rows: Rows, n: int, kernel: Kernel, rule: UpperBound, *, nugget: float = 0.0
    ) -> None:
        self.client = client
        self.n = whole("n", n)
        self.remade = 0
        self._make = (rows, kernel, rule, n, nugget)
        self._observations: list[Observation] = []
        self._edges = edges(self.n, max(1, len(self._workers())))
        if self._workers():  # one row first: what is wrong with ``rows`` comes out as its own error
            client.submit(_one_row, rows, pure=False).result()
        self._held = [self._hold(number) for number in range(len(self._edges))]

    def place(self, row: int) -> Array:
        """Return the d coordinates of a row, from the block that has it."""
        held = next(held for held in self._held if row < self._edges[held.number][1])
        return np.asarray(self._answers([(held, lambda actor: actor.place(row))])[0], dtype=float)

    def ask(self, news: Sequence[Observation], weight: float) -> list[Best]:
        """Tell all blocks what was observed since the last time; return their answers."""
        self._observations += news

        def take(held: _Held) -> Callable[[Any], Any]:
            return lambda actor: actor.take(tuple(self._observations[held.observed :]), weight)

        answers = self._answers([(held, take(held)) for held in self._held])
        for held in self._held:
            held.observed = len(self._observations)
        return [answer for answer in answers if isinstance(answer, Best)]

    def _answers(self, questions: Sequence[tuple[_Held, Callable[[Any], Any]]]) -> list[object]:
        """Ask all at once; where a worker is gone, make its block anew on another and ask that."""
        pending = [_begun(question, held.actor) for held, question in questions]
        answers = []
        for (held, question), begun in zip(questions, pending, strict=True):
            answer = _result(begun)
            for _ in range(PATIENCE):
                if not isinstance(answer, LOST):
                    break
                held.actor, held.observed = self._hold(held.number).actor, 0
                self.remade += 1
                answer = _result(_begun(question, held.actor))
            if isinstance(answer, LOST):
                raise answer
            answers.append(answer)
        return answers

    def _hold(self, number: int) -> _Held:
        """Make the block of that number on a worker: the next in turn of those alive."""
        workers = self._workers()
        if not workers:
            raise LostError(
                "No worker of the cluster is left to hold the rows. Start one (dask worker ADDRESS), then search again."
            )
        future = self.client.submit(
            _make_block,
            *self._make,
            self._edges[number],
            actor=True,
            pure=False,
            workers=[workers[number % len(workers)]],
            allow_other_workers=True,
        )
        return _Held(number, future.result())

    def _workers(self) -> list[str]:
        return sorted(self.client.scheduler_info(n_workers=-1)["workers"])


def _one_row(rows: Rows) -> None:
    matrix("rows(0, 1)", rows(0, 1))


def _make_block(rows: Rows, kernel: Kernel, rule: UpperBound, n: int, nugget: float, edge: tuple[int, int]) -> Block:
    return Block(rows(*edge), kernel, rule.weight(1, n), first=edge[0], nugget=nugget, once=rule.once)


def _begun(question: Callable[[Any], Any], actor: object) -> object:
    try:
        return question(actor)
    except LOST as error:
        return error


def _result(begun: object) -> object:
    """Return the answer, or the error if the worker is gone."""
    try:
        return begun.result() if hasattr(begun, "result") else begun
    except LOST as error:
        return error
