"""Runs of the federated algorithms side by side: common dice, memory, and stopping."""

import itertools
import math
import threading
from contextlib import closing

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.bo.parallel import StoppedError, cores, in_order
from privbo_core.federated import Progress, Record, Settings, Simulation, rounds_needed, variants

AGENTS = 12


def family(run):
    return pb.federated.synthetic(agents=AGENTS, side=8, seed=run)


def base(**changes):
    usual = {"iterations": 8, "initial": 3, "features": 20, "q": 0.5, "z": 1.0, "S": 5.0, "P": 2}
    return Settings(family(0).kernel, 0.01, **(usual | changes))


def test_a_run_is_the_engines_own():
    simulation, settings = Simulation(family, seed=3), base()
    record = simulation.run(settings, AGENTS, 2)
    problem = family(2)
    rounds = list(pb.federated.run(problem.objectives, problem.points, settings, np.random.default_rng([3, 2])))
    np.testing.assert_array_equal(record.simple, [each.simple_regret.mean() for each in rounds])
    np.testing.assert_allclose(record.cumulative, np.cumsum([each.regret.mean() for each in rounds]))
    np.testing.assert_array_equal(record.noise, [each.broadcast.noise for each in rounds])
    # With fewer agents, the first ones take part.
    few = next(simulation.rounds(settings, 5, 0))
    assert len(few.queries) == 5


def test_runs_are_cached_and_short_ones_read_off_long_ones(monkeypatch):
    simulation = Simulation(family)
    long = simulation.run(base(), AGENTS, 0)
    fresh = Simulation(family).run(base(iterations=5), AGENTS, 0)
    monkeypatch.setattr(simulation, "rounds", lambda *_: pytest.fail("computed again"))
    short = simulation.run(base(iterations=5), AGENTS, 0)
    for name in ("simple", "cumulative", "clipped", "signal", "noise"):
        np.testing.assert_array_equal(getattr(short, name), getattr(fresh, name))
        np.testing.assert_array_equal(getattr(short, name), getattr(long, name)[:5])


def test_the_caches_are_bounded(monkeypatch):
    monkeypatch.setattr(pb.federated.simulation, "CACHED_RUNS", 3)
    monkeypatch.setattr(pb.federated.simulation, "CACHED_PROBLEMS", 2)
    simulation = Simulation(family)
    for run in range(5):
        simulation.run(base(iterations=1), AGENTS, run)
    assert (len(simulation._records), simulation._later.cache_info().currsize) == (3, 2)


REGIONS, NOISE = {"a": 2.0, "P": 4}, {"q": 0.2, "z": 3.0, "S": 1.0}


@pytest.mark.parametrize(
    ("name", "change"),
    [("TS", NOISE | REGIONS | {"features": 30}), ("FTS", NOISE | REGIONS), ("FTS-DE", NOISE), ("DP-FTS", REGIONS)],
)
def test_what_does_not_enter_a_run_does_not_change_it(name, change):
    simulation = Simulation(family)
    one, other = variants(base())[name], variants(base(**change))[name]
    simulation.run(one, AGENTS, 0)
    assert simulation.finished({name: other}, AGENTS, 1).runs == 1
    fresh = Simulation(family).run(other, AGENTS, 0)
    np.testing.assert_array_equal(simulation.run(other, AGENTS, 0).simple, fresh.simple)


def test_what_enters_a_run_is_computed_again():
    simulation = Simulation(family)
    simulation.run(base(), AGENTS, 0)
    changes = [{"q": 0.4}, {"z": 2.0}, {"S": 4.0}, {"P": 1}, {"a": 2.0}, {"features": 21}, {"iterations": 9}]
    changes += [{"calibration": "exact"}, {"sampling": "fixed"}, {"deviation": 2.0}, {"decay": 1.0}, {"hold": 1}]
    for change in changes:
        assert simulation.finished({"it": base(**change)}, AGENTS, 1).runs == 0, change
    assert simulation.finished({"it": base()}, AGENTS - 1, 1).runs == 0


def test_comparison_streams_rounds_and_ends_with_all_runs():
    simulation, settings = Simulation(family), variants(base())
    seen = list(simulation.compare(settings, AGENTS, 3))
    assert (seen[0].runs, seen[-1].runs) == (0, 3)
    assert not seen[-1].under_way
    assert all(a.runs <= b.runs for a, b in itertools.pairwise(seen))
    for name, each in settings.items():
        mean = np.mean([simulation.run(each, AGENTS, run).simple for run in range(3)], axis=0)
        np.testing.assert_allclose(seen[-1].band(name, "simple").mean, mean)
    alone, shared = (
        np.array([simulation.run(settings[name], AGENTS, run).simple[:4].mean() for run in range(3)])
        for name in ("TS", "FTS")
    )
    differences = alone - shared
    saved = pb.federated.saving(seen[-1], "FTS", "TS", 4)
    assert saved.mean == pytest.approx(np.mean(differences))
    assert saved.standard_error == pytest.approx(np.std(differences, ddof=1) / math.sqrt(3))
    # The second time all is known at once.
    assert [each.runs for each in simulation.compare(settings, AGENTS, 3)] == [3]


def records(curve, count=6):
    return tuple(Record(*[np.array(curve)] * 5) for _ in range(count))


def test_rounds_are_counted_until_the_regret_of_tuning_alone():
    alone, shared = [1.2, 0.9, 0.6, 0.5], [1.0, 0.5, 0.2, 0.1]
    for private, with_noise, saved in (
        ([1.1, 0.8, 0.45, 0.4], 3, 1),
        ([1.1, 0.8, 0.55, 0.4], 4, 0),
        (shared, 2, 2),
        ([2.0, 1.0, 0.9, 0.8], 5, 0),
    ):
        runs = {"DP-FTS-DE": records(private), "FTS-DE": records(shared), "TS": records(alone)}
        found = rounds_needed(Progress(runs, {}), "DP-FTS-DE", "FTS-DE", "TS")
        assert (found.extra.private, found.extra.plain, found.extra.limit) == (with_noise, 2, 4)
        assert found.extra.extra == found.extra.low == found.extra.high == with_noise - 2
        assert (found.saved, found.saved_low, found.saved_high) == (saved, saved, saved)
        assert found.extra.private_reached == (with_noise <= 4)
    # The runs of the fewest count, and runs that differ give an interval.
    mixed = {"DP-FTS-DE": records(alone, 3) + records(shared, 3), "FTS-DE": records(shared), "TS": records(alone, 5)}
    found = rounds_needed(Progress(mixed, {}), "DP-FTS-DE", "FTS-DE", "TS")
    assert found.extra.runs == 5
    assert found.extra.low < found.extra.high
    assert found.saved_low <= found.saved <= found.saved_high


def test_closing_a_comparison_stops_it_soon():
    def large(run):
        return pb.federated.synthetic(agents=150, side=20, seed=run)

    simulation, settings = Simulation(large), variants(base(iterations=300))
    with closing(simulation.compare(settings, 150, 50)) as stream:
        for _ in range(3):
            next(stream)
    everybody = threading.Barrier(cores())
    list(in_order(lambda item, stop: everybody.wait(), range(cores())))  # once all of the pool has nothing else to do
    assert not any(simulation.finished(settings, 150, 50).finished.values())


def test_runs_can_be_watched_and_stopped():
    seen, stop = [], threading.Event()
    Simulation(family).run(base(), AGENTS, 0, watch=lambda record: seen.append(record.iterations))
    assert seen == list(range(1, 9))
    stop.set()
    with pytest.raises(StoppedError):
        Simulation(family).run(base(), AGENTS, 0, stop)


def test_a_run_that_fails_is_reported_to_its_caller():
    for setting, agents, runs, words in (
        (base(P=64), AGENTS, 2, "P is 64"), (base(), AGENTS, 0, "runs is 0"), (base(), 1, 2, "N .* is 1")
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            list(Simulation(family).compare({"it": setting}, agents, runs))
