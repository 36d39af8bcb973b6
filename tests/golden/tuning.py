"""Tables of scores and what they promise, and random tries, with a seed."""

import numpy as np
import pandas as pd

import privbo_core as pb
from privbo_core.release import Unscored, task_from_scores, tries_guarantee
from tests.golden.kinds import guarantee, sketch


def entries():
    for name, (table, how) in tables().items():
        yield from scored(
            f"tuning/{name}", pb.release.read_scores(table, score_range=(0, 1), parameters=["C", "kind"], **how)
        )
    yield from unscored()


def tables():
    """Return a table of each kind, with what has to be said beside it."""
    rng = np.random.default_rng(0)
    settings = {"C": np.geomspace(0.01, 10.0, 8), "kind": list("abababab")}
    parts = {f"part {each}": rng.random(8) for each in range(1, 6)}
    folds = {f"fold {each}": rng.random(8) for each in range(1, 5)}
    records = {f"record {each}": rng.integers(0, 2, 8) for each in range(1, 10)}
    return {
        "means": (pd.DataFrame({**settings, "score": rng.random(8)}), {"records": 400, "decimals": "exact"}),
        "parts": (pd.DataFrame({**settings, **parts}), {}),
        "folds": (pd.DataFrame({**settings, **folds}), {"records": 200, "decimals": "exact"}),
        "records": (pd.DataFrame({**settings, **records}), {}),
    }


def scored(where, scores):
    yield where, [scores.kind, scores.records, scores.shares, scores.sensitivity, scores.low, scores.high, scores.moved]
    yield f"{where}/means", scores.means
    for way in ("exponential", "permute-and-flip"):
        choice = scores.choice(2.0, way)
        yield f"{where}/{way}", [choice.probabilities, choice.expected_loss]
        yield (
            f"{where}/{way}/guarantee",
            [guarantee(scores.guarantee(2.0, way=way, score=each)) for each in (False, True)],
        )
    if scores.kind != "folds":
        yield f"{where}/tries", guarantee(tries_guarantee(scores, 1.0))
    if scores.kind != "parts":
        yield from task(f"{where}/listed", task_from_scores(scores))


def task(where, found):
    yield where, [found.n, found.records, found.centre, found.unit, sketch(found.scores), sketch(found.points)]


def unscored():
    settings = [{"C": each} for each in (0.1, 1.0, 10.0)]
    candidates = Unscored(settings, lambda setting: np.full(50, setting["C"] / 20.0), (0.0, 1.0), 50)
    yield "tuning/unscored", [candidates.terms.sensitivity, *(candidates.above(each) for each in settings)]
    rng = np.random.default_rng(4)
    yield "tuning/unscored/picked", [candidates.pick(rng)["C"] for _ in range(5)]
    yield "tuning/unscored/guarantee", guarantee(tries_guarantee(candidates, 0.7, 1e-6))
