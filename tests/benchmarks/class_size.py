"""`python -m tests.benchmarks.class_size`: how well simulated classes find their favourite, by size and noise."""

import sys
from dataclasses import dataclass

import numpy as np

from privbo_core.bo import Band, band
from privbo_core.classroom.crowd import ROUNDS, Crowd
from privbo_core.classroom.games.favourite import Favourite
from privbo_core.errors import Array, whole

CLASSES = 24  # Classes that are averaged over.
MEASURED = (*((size, z) for size in (30, 60) for z in (0.0, 1.0, 2.0)), (15, 1.0), (20, 1.0), (20, 2.0), (200, 2.0))
"""Sizes and noise multipliers of the table."""


@dataclass(frozen=True, eq=False)
class Measured:
    """Regret in units of a taste's standard deviation, over simulated classes: mean and standard error.

    ``average``: of the colour where the average of all broadcasts is highest, which the class is told. ``last``: of
    the last broadcast's. ``chance``: of a colour drawn blindly. Regret is how much less the class likes the colour, on
    average over its pupils, than its favourite. ``epsilon``: what the rounds cost.
    """

    size: int
    z: float
    epsilon: float
    average: Band
    last: Band
    chance: Band


def measure(size: int, z: float, classes: int = CLASSES) -> Measured:
    """Play the experiment with that many classes of simulated pupils. Some 0.2 s a class of 30."""
    found = [_one(size, z, number) for number in range(whole("classes", classes))]
    columns = [band([np.array([row[column]]) for row in found]) for column in range(3)]
    return Measured(size, z, found[0][3], *columns)


def _one(size: int, z: float, number: int) -> tuple[float, float, float, float]:
    """Return the regrets of one class, and ε. The class of a number has the same common taste at every size and z."""
    dice = np.random.default_rng([number, 16])
    crowd = Crowd(np.random.default_rng([number, 17]))
    game = Favourite(dice, crowd=crowd)
    game._begin(size, z)
    for _ in range(ROUNDS):
        game.go_on()
    liked: Array = crowd.tastes.mean(axis=0)
    course, run = game.seen().course, game._run
    assert course is not None
    assert run is not None
    assert run.rounds is not None
    assert run.round is not None
    last = int((run.rounds.agents.phi @ run.round.broadcast.vectors[0]).argmax())
    best = float(liked.max())
    return best - liked[course.named[-1]], best - liked[last], best - float(liked.mean()), course.epsilon[-1]


def table(found: list[Measured]) -> str:
    lines = [
        "| pupils | noise z | ε | average of all broadcasts | last broadcast | chance |",
        "|---|---|---|---|---|---|",
    ]
    for each in found:
        figures = [f"{b.mean[0]:.2f} ± {b.standard_error[0]:.2f}" for b in (each.average, each.last, each.chance)]
        epsilon = "∞" if each.z == 0 else f"{each.epsilon:.1f}"
        lines.append(f"| {each.size} | {each.z:g} | {epsilon} | {' | '.join(figures)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table([measure(size, z) for size, z in MEASURED]) + "\n")
