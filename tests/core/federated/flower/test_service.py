"""The objects that a federation between machines is made of: the rows of the simulation, and what is counted."""

import math

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.errors import DataError
from privbo_core.federated import run
from privbo_core.federated.flower.ledger import open_book, read_ledger
from privbo_core.federated.flower.service import Heard, Received, check, serve
from tests.helpers.small_terms import Crowd, terms


def values(found, seed=1):
    rng = np.random.default_rng(seed)
    return pb.gp.prior_draws(found.points, found.settings.kernel, found.agents, rng)


def nobody(t, vectors):
    return Heard(0, ())


def served(found, folder, ask=nobody, seed=None):
    said = []
    with open_book(folder / "ledger.jsonl", found) as book:
        rounds = serve(found, book, ask, said.append, seed)
    return rounds, read_ledger((folder / "ledger.jsonl").read_bytes()), said


def spent(*rounds):
    return [pb.privacy.epsilon(0.5, 1.0, t, 0.001, "pld") for t in rounds]


@pytest.mark.parametrize(("q", "seed"), [(1.0, 3), (0.5, 8)])
def test_agents_by_themselves_ask_for_the_rows_of_the_simulation(tmp_path, q, seed):
    found = terms(tmp_path, noise="z = 0.0", q=q)
    objectives = values(found)
    crowd = Crowd(found, tmp_path, objectives, seed)
    rounds, (ledger,), _ = served(found, tmp_path, crowd.ask, seed)
    simulated = list(run(objectives, found.points, found.settings, np.random.default_rng(seed)))
    assert rounds == len(simulated) == found.settings.iterations
    expected = np.vstack([simulated[0].initial.T, [each.queries for each in simulated]])
    np.testing.assert_array_equal(np.array(crowd.asked).T, expected)
    assert [count.selected for count in ledger.counts] == [int(each.selected.sum()) for each in simulated]
    for part in ("signal", "clipped"):
        told = [getattr(count, part) for count in ledger.counts]
        np.testing.assert_allclose(told, [getattr(each.broadcast, part) for each in simulated])
    assert ledger.counts[0].clipped > 0  # the threshold bites
    assert any(each.followed.any() for each in simulated)


def test_a_run_with_noise_takes_no_seed_and_two_real_runs_differ_and_the_ledger_counts_both(tmp_path):
    found = terms(tmp_path)
    crowd = Crowd(found, tmp_path, values(found), seed=1)
    for call in (lambda: served(found, tmp_path, seed=1), lambda: crowd.ask(0, None)):
        with pytest.raises(ValueError, match="takes no seed"):
            call()
    found, heard = terms(tmp_path, rounds=2), []

    def ask(t, vectors):
        heard.append(vectors)
        return Heard(4, tuple(Received(n, t, np.full(20, 0.1)) for n in range(4)))

    served(found, tmp_path, ask)
    _, runs, _ = served(found, tmp_path, ask)
    assert not np.allclose(heard[1], heard[len(heard) // 2 + 1])
    assert [count.epsilon for each in runs for count in each.counts] == spent(1, 2, 3, 4)


def test_whoever_fails_is_counted_as_if_it_had_taken_part(tmp_path):
    found = terms(tmp_path)
    crowd = Crowd(found, tmp_path, values(found))
    crowd.silent, crowd.broken = {0}, {1}

    def ask(t, vectors):
        if t == 3:
            crowd.broken.clear()
        return crowd.ask(t, vectors)

    rounds, (ledger,), _ = served(found, tmp_path, ask)
    assert (rounds, ledger.end) == (6, "done")
    assert [(count.answered, count.garbage) for count in ledger.counts] == [(2, 1)] * 3 + [(3, 0)] * 3
    assert [count.epsilon for count in ledger.counts] == spent(*range(1, 7))


def test_the_noise_is_as_large_as_the_count_says_also_if_nobody_answers(tmp_path):
    """The joint vector has P·M numbers of deviation z·S/(q√P)·max‖φ_n‖, whatever is sent."""
    found = terms(tmp_path, rounds=40, noise="z = 3.0")
    _, (ledger,), _ = served(found, tmp_path)
    ratios = []
    for t, count in enumerate(ledger.counts, start=1):
        weights = pb.federated.region_weights(np.arange(4) % 2, 2, 15.0, pb.federated.temperature(t, 10, 30))
        deviation = 3.0 * 2.0 / (0.5 * math.sqrt(2)) * np.linalg.norm(weights, axis=0).max()
        ratios.append((count.noise / deviation) ** 2 / 40)
        assert (count.answered, count.signal) == (0, 0.0)
        assert count.epsilon > 0
    # A mean of 1600 squared normals: 1 ± 0.035; four in a million fall outside five deviations.
    assert (len(ratios), np.mean(ratios)) == (40, pytest.approx(1.0, abs=0.2))


def test_it_stops_before_the_budget_is_exceeded(tmp_path):
    (limit,) = spent(3)
    found = terms(tmp_path, budget=limit + 1e-6)
    asked = []

    def ask(t, vectors):
        asked.append(t)
        return nobody(t, vectors)

    rounds, (ledger,), said = served(found, tmp_path, ask)
    assert (rounds, asked, ledger.end, ledger.counts[-1].epsilon) == (3, [0, 1, 2, 3], "budget", limit)
    assert "above the budget" in said[-1]
    rounds, runs, _ = served(found, tmp_path, ask)  # another run of the same agents has nothing left
    assert (rounds, len(runs), runs[1].end) == (0, 2, "budget")


def test_noise_for_an_epsilon_keeps_it_and_none_promises_nothing(tmp_path):
    found = terms(tmp_path, noise="epsilon = 2.0", budget=2.0)
    rounds, (ledger,), _ = served(found, tmp_path)
    assert rounds == 6
    assert 1.999 < ledger.counts[-1].epsilon <= 2.0
    (tmp_path / "ledger.jsonl").unlink()
    assert served(terms(tmp_path, noise="z = 0.0", budget=5.0), tmp_path)[0] == 0


def test_a_round_is_in_the_ledger_before_it_is_broadcast(tmp_path):
    def ask(t, vectors):
        if t == 2:
            raise KeyboardInterrupt
        return nobody(t, vectors)

    with pytest.raises(KeyboardInterrupt):
        served(terms(tmp_path), tmp_path, ask)
    (ledger,) = read_ledger((tmp_path / "ledger.jsonl").read_bytes())
    assert ([count.t for count in ledger.counts], ledger.end) == ([1, 2], "")


def test_garbage_of_every_kind_and_one_agent_moves_the_sum_by_the_sensitivity_whatever_it_sends(tmp_path):
    found = terms(tmp_path)
    good = np.ones(20)
    received = [
        Received(0, 2, good * 1e50), Received(0, 2, good), Received(4, 2, good), Received(-1, 2, good),
        Received("1", 2, good), Received(True, 2, good), Received(1, 1, good), Received(1, 2, good[:5]),
        Received(1, 2, good * math.nan), Received(1, 2, good * 1e200), Received(1, 2, None), Received(1, 2, "vector"),
        Received(2, 2, good, math.inf), Received(3, 2, list(good), 0.25),
    ]  # fmt: skip
    checked = check(Heard(4, tuple(received), failed=1), 2, found)
    assert (checked.numbers, checked.garbage, checked.regrets) == ({0, 2, 3}, 12, [0.25])
    assert not checked.sent[1].any()
    found = terms(tmp_path, noise="z = 0.0", q=1.0)
    first = check(Heard(4, (Received(0, 1, np.full(20, 1e60)),)), 1, found)
    turn = pb.federated.server.Server(found.settings, 4).turn(1, first.sent)
    bound = found.settings.S / math.sqrt(2) * np.linalg.norm(turn.weights, axis=0).max()
    assert turn.broadcast.signal == pytest.approx(bound)


def test_the_ledger_refuses_other_agents_and_a_second_server(tmp_path):
    found = terms(tmp_path, rounds=1)
    served(found, tmp_path)
    with pytest.raises(DataError, match=r"counts with q = 0.5, and federation.toml says 0.25"):
        served(terms(tmp_path, q=0.25), tmp_path)
    with pytest.raises(DataError, match="in use by another program"), open_book(tmp_path / "ledger.jsonl", found):
        served(found, tmp_path)
