"""Whether a table can carry an answer."""

import numpy as np
import pandas as pd

import privbo_core as pb
from privbo_core.diagnostics import judge, learned, rows_needed, searched, shuffled
from tests.golden.kinds import difference

OUTCOMES = {
    "signal": lambda x, rng: -((x[:, 0] - 1) ** 2) + 0.5 * x[:, 1] + 0.3 * rng.normal(size=len(x)),
    "noise": lambda x, rng: rng.normal(size=len(x)),
}


def entries():
    for inputs in (1, 3, 12):
        yield f"diagnostics/rows needed/{inputs}", rows_needed(inputs)
    for name in OUTCOMES:
        for n in (20, 150):
            yield from judged(f"diagnostics/{name}/{n}", made(name, n))
    problem = made("signal", 90)
    dice = np.random.default_rng(2)
    found = shuffled(problem.points, problem.objective, shuffles=50, rng=dice)
    yield "diagnostics/shuffled", [found.share, found.usual, found.as_good, found.shuffles, found.rows]
    yield "diagnostics/learned", shares(learned(problem))
    yield "diagnostics/searched", search(searched(problem, tests=15))


def made(name, n):
    """Return the problem of a table of three inputs."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 3))
    table = pd.DataFrame(np.column_stack([x, OUTCOMES[name](x, rng)]), columns=["a", "b", "c", "y"])
    return pb.data.make_problem(table, ["a", "b", "c"], "y")


def judged(where, problem):
    found = judge(problem, tests=20)
    yield where, [found.verdict, found.rows, found.needed, found.something_to_lose]
    if found.shuffled is not None:
        each = found.shuffled
        yield f"{where}/shuffled", [each.share, each.usual, each.as_good, each.p]
    if found.learned is not None:
        yield f"{where}/learned", shares(found.learned)
    if found.searched is not None:
        yield f"{where}/searched", search(found.searched)


def shares(found):
    inputs = [[each.name, each.drop, each.standard_error, each.matters] for each in found.inputs]
    return [found.share, found.standard_error, found.rows, inputs]


def search(found):
    return [difference(found.lead), found.rank, found.chance, found.tests, found.rows, found.clear]
