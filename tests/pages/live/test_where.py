"""Where a page computes: here unless a cluster is named, never a visitor's data without leave, and always said."""

import pytest

from pages.parts.live import work
from pages.parts.live.work import AGAIN, Connection, Where
from privbo_core.arithmetic import elsewhere, fingerprint
from privbo_core.experiments.cluster import ClusterAwayError

ADDRESS = "tcp://127.0.0.1:8786"


class Fake:
    """A cluster as far as a connection looks at it."""

    def __init__(self, address, timeout):
        self.address, self.threads, self.connected, self.ended = address, 4, True, False
        self.arithmetics = set()

    def shutdown(self):
        """Note that it was left."""
        self.ended = True


@pytest.fixture
def knocks(monkeypatch):
    made = []

    def knock(address, timeout):
        made.append(Fake(address, timeout))
        return made[-1]

    monkeypatch.setattr(work, "Cluster", knock)
    return made


def named(**more):
    return Connection({"PRIVBO_SCHEDULER": ADDRESS, **more})


def test_without_a_cluster_nothing_is_said(knocks):
    assert Connection({}).where(own=False) == Where()
    assert Connection({"PRIVBO_SCHEDULER": " "}).where(own=True) == Where()
    assert not knocks


def test_samples_go_to_the_cluster_and_own_data_do_not(knocks):
    connection = named()
    found = connection.where(own=False)
    assert found.cluster is knocks[0]
    assert ADDRESS in found.note
    here = connection.where(own=True)
    assert here.cluster is None
    assert here.note
    assert ADDRESS not in here.note
    assert len(knocks) == 1


@pytest.mark.parametrize("value", ["", "0", "yes", "2"])
def test_only_a_one_lets_own_data_go(value, knocks):
    assert named(PRIVBO_SCHEDULER_UPLOADS=value).where(own=True).cluster is None
    assert not knocks


def test_own_data_go_where_whoever_serves_has_said_so_and_the_page_says_it(knocks):
    connection = named(PRIVBO_SCHEDULER_UPLOADS="1")
    found = connection.where(own=True)
    assert found.cluster is knocks[0]
    assert ADDRESS in found.note
    assert found.note != connection.where(own=False).note, "that these are one’s own data is said"
    knocks[0].arithmetics |= {fingerprint(), "0123abcd"}  # as heard from workers
    assert connection.where(own=True).note == f"{found.note} {elsewhere(['0123abcd'])}"


def test_without_workers_it_is_computed_here(knocks):
    connection = named()
    connection.where(own=False)
    knocks[0].threads = 0
    found = connection.where(own=False)
    assert found.cluster is None
    assert found.note


def test_a_cluster_that_is_away_is_a_sentence_and_is_not_waited_for_again_at_once(monkeypatch):
    knocked = []

    def nobody(address, timeout):
        knocked.append(timeout)
        raise ClusterAwayError("There is no Dask scheduler.")

    monkeypatch.setattr(work, "Cluster", nobody)
    clock = [100.0]
    monkeypatch.setattr(work.time, "monotonic", lambda: clock[0])
    connection = named()
    for _ in range(3):
        found = connection.where(own=False)
        assert found.cluster is None
        assert "There is no Dask scheduler." in found.note
    assert knocked == [work.PATIENCE]
    clock[0] += AGAIN
    connection.where(own=False)
    assert len(knocked) == 2


def test_one_that_was_lost_is_left_alone_for_a_while(knocks):
    connection = named()
    connection.where(own=False)
    connection.lost(RuntimeError("It cannot be reached any more."))
    assert knocks[0].ended
    assert "cannot be reached any more" in connection.where(own=False).note
    assert len(knocks) == 1
