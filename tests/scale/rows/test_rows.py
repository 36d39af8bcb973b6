"""Rows in blocks on a real Dask cluster: two worker processes on this machine, each of which makes its own rows."""

import os
import signal
from contextlib import contextmanager

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.bo.blockwise import Here, block_queries
from privbo_core.bo.distributed import LostError, Spread, Stored
from tests.helpers.made_rows import peak, rows, unlike_rows

KERNEL, RULE, NOISE = pb.gp.SquaredExponential(5.0), pb.bo.UpperBound(), 1e-2


@contextmanager
def cluster(workers):
    """Yield a client of a cluster of so many worker processes on the loopback, and the cluster."""
    from distributed import Client, LocalCluster

    how = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "host": "127.0.0.1"}
    with LocalCluster(n_workers=workers, **how) as made, Client(made) as client:
        yield client, made


def asked(home, iterations, answer=lambda row: float(np.sin(row))):
    how = {"kernel": KERNEL, "noise_variance": NOISE, "initial_rows": [1, home.n // 2, home.n - 1], "rule": RULE}
    return pb.bo.search(block_queries(home, iterations=iterations, **how), answer)[0]


def test_ten_million_rows_over_two_workers():
    n = 10_000_000
    with cluster(2) as (client, _):
        home = Spread(client, rows, n, KERNEL, RULE)
        found = asked(home, 6)
        held = client.run(peak)
    assert len(held) == 2
    assert max(held.values()) < 3.0, f"workers held {held} GB"
    assert found == asked(Here(rows(0, n), KERNEL, RULE, blocks=3), 6)
    assert len(set(found)) == 9


def test_a_worker_that_dies_takes_nothing_along(tmp_path):
    n = 250_000
    path = tmp_path / "rows.npy"
    np.save(path, rows(0, n))
    with cluster(2) as (client, made):
        home = Spread(client, Stored(str(path)), n, KERNEL, RULE)
        first = sorted(client.run(os.getpid).values())[0]
        answered = []

        def answer(row):
            answered.append(row)
            if len(answered) == 8:
                os.kill(first, signal.SIGKILL)
            return float(np.sin(row))

        found = asked(home, 12, answer)
        assert home.remade >= 1
        assert made.scheduler.workers
    for blocks in (1, 2, 5):
        assert asked(Here(rows(0, n), KERNEL, RULE, blocks=blocks), 12) == found


def test_rows_that_cannot_be_made_say_why():
    with cluster(1) as (client, _), pytest.raises(ValueError, match="no rows from 0 to 1"):
        Spread(client, unlike_rows, 1000, KERNEL, RULE)


def test_without_a_worker_a_sentence_says_what_to_do():
    with cluster(0) as (client, _), pytest.raises(LostError, match="Start one"):
        Spread(client, rows, 1000, KERNEL, RULE)
