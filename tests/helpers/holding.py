"""A small holder for tests: a table of a dozen people, what is known of it, and a ledger in memory or in a file."""

import numpy as np
import pandas as pd
import pytest

from privbo_core.data import Frame, FrameColumn
from privbo_core.errors import DataError
from privbo_core.outsourced import Curator, FileStore, MemoryStore, Outcome, Private

FRAME = Frame(
    (
        FrameColumn("age", "years", 50, 110, 4, known_from="The study took residents aged 50 or more."),
        FrameColumn("height", "cm", 140, 210, 5, known_from="Of hardly any adult is it less or more."),
    )
)
OUTCOME = Outcome("glucose", "mg/dL")
PRIVATE = Private(60, 200, 10, 1.0, 1e-5, known_from="What the device can show.")


def people(n=12, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.uniform(50, 110, n).round(1),
            "height": rng.uniform(140, 210, n).round(1),
            "glucose": rng.uniform(70, 190, n).round(1),
        }
    )


def held(table=None, store=None):
    return Curator(people() if table is None else table, MemoryStore() if store is None else store)


def released(curator, epsilon=1.0, delta=1e-5, **how):
    """Return the package of a release in the usual frame."""
    return curator.release_whole(FRAME, epsilon, delta, **({"outcome": OUTCOME} | how))


def in_file(path, table=None):
    return held(table, FileStore(path))


def sentence(act, *given):
    """Return the one sentence with which ``act`` refuses."""
    with pytest.raises(DataError) as caught:
        act(*given)
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith((".", ")"))
    assert len(said) < 400
    return said
