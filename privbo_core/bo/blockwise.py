"""GP-UCB over rows in blocks: each step sends every block one observation's numbers and takes the best answer."""

import math
from collections.abc import Generator, Sequence
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from privbo_core.bo.lazy_block import Best, Block
from privbo_core.bo.parallel import abreast, cores
from privbo_core.bo.rules import UpperBound
from privbo_core.errors import Array, matrix, positive, row_indices, whole
from privbo_core.gp import Kernel
from privbo_core.gp.sufficient_statistics import Observation, SufficientStatistics


class Home(Protocol):
    """Where the n rows of a domain are kept, in blocks."""

    @property
    def n(self) -> int:
        """How many rows there are."""

    def place(self, row: int) -> Array:
        """Return the d coordinates of a row."""

    def ask(self, news: Sequence[Observation], weight: float) -> list[Best]:
        """Tell all blocks what was observed since the last time; return their answers (`Block.take`)."""


class Here:
    """The rows in blocks of this process, which take their steps on all its cores at once.

    ``blocks``: how many, of equal size; one for each core if not said. ``nugget`` as in `Posterior`. The points are not
    copied. Raises DataError on unusable points.
    """

    def __init__(
        self, points: ArrayLike, kernel: Kernel, rule: UpperBound, *, nugget: float = 0.0, blocks: int | None = None
    ) -> None:
        self.points: Array = matrix("points", points)
        self.n = len(self.points)
        self.blocks = [
            Block(self.points[start:stop], kernel, rule.weight(1, self.n), first=start, nugget=nugget, once=rule.once)
            for start, stop in edges(self.n, cores() if blocks is None else blocks)
        ]

    def place(self, row: int) -> Array:
        """Return the d coordinates of a row."""
        return np.asarray(self.points[row])

    def ask(self, news: Sequence[Observation], weight: float) -> list[Best]:
        """Tell all blocks what was observed since the last time; return their answers."""
        return abreast([partial(block.take, news, weight) for block in self.blocks])


def edges(n: int, blocks: int) -> list[tuple[int, int]]:
    """Return where each of so many blocks of n rows begins and where it ends, the sizes equal or one apart."""
    blocks = min(whole("blocks", blocks), n)
    return [(n * number // blocks, n * (number + 1) // blocks) for number in range(blocks)]


def block_queries(
    home: Home,
    *,
    kernel: Kernel,
    noise_variance: float,
    iterations: int,
    initial_rows: Sequence[int],
    rule: UpperBound,
    nugget: float = 0.0,
) -> Generator[int, float, None]:
    """`rule_queries` of GP-UCB on rows in blocks; kernel, rule and nugget are those that the blocks were made with.

    Which rows are asked for does not depend on how many blocks there are or where: a block names every row that may be
    the best within what rounding does to its numbers, and here each of those is computed by itself, in the same way
    wherever it comes from. The first row among equals. Raises ValueError on unusable input, at the first step.
    """
    positive("noise_variance", noise_variance)
    first = check_rows(iterations, initial_rows, home.n, rule.once)
    known: SufficientStatistics | None = None
    news: list[Observation] = []

    def learn(row: int, place: Array, y: float) -> None:
        nonlocal known
        if not math.isfinite(y):
            raise ValueError(f"y is {y!r} for row {row}; an observation must be a finite number.")
        known = SufficientStatistics(kernel, len(place), nugget=nugget) if known is None else known
        news.append(known.tell(row, place, y, noise_variance))
        known.add(news[-1])

    for row in first:
        learn(row, home.place(row), (yield row))
    for t in range(1, iterations + 1):
        weight = rule.weight(t, home.n)
        answers = home.ask(tuple(news), weight)
        news.clear()
        row, place = _first_best(answers, known, math.sqrt(weight))
        learn(row, place, (yield row))


def _first_best(answers: Sequence[Best], known: SufficientStatistics | None, root: float) -> tuple[int, Array]:
    """Return the row with the largest upper bound of all named, the first among equals, and its coordinates."""
    best, value, found = -1, -math.inf, np.empty(0)
    if sum(len(answer.rows) for answer in answers) == 1:
        (only,) = (answer for answer in answers if len(answer.rows))
        return int(only.rows[0]), np.array(only.places[0])
    for answer in answers:
        for row, place in zip(answer.rows.tolist(), answer.places, strict=True):
            mean, variance = (0.0, 1.0) if known is None else known.at(row, place)[1:]
            upper = mean + root * math.sqrt(variance)
            if upper > value or (upper == value and row < best):
                best, value, found = row, upper, np.array(place)
    return best, found


def check_iterations(iterations: int, n: int) -> int:
    """Return ``iterations`` if it is a whole number from 1 to n; raise ValueError otherwise."""
    if whole("iterations", iterations) > n:
        raise ValueError(f"iterations (T) is {iterations}; this domain has {n} rows, so T must be at most {n}.")
    return int(iterations)


def check_rows(iterations: int, initial_rows: Sequence[int], n: int, once: bool) -> list[int]:
    """Return the initial rows if so many iterations are possible after them; raise ValueError otherwise."""
    check_iterations(iterations, n)
    first = row_indices("initial", initial_rows, n)
    if once and iterations + len(set(first)) > n:
        raise ValueError(
            f"iterations (T) is {iterations} after {len(set(first))} initial rows; this domain has {n} rows, "
            "too few to ask for each once only."
        )
    return first
