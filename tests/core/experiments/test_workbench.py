"""What two parties find on the samples: the stored figures, that they come out again, and by what they are measured."""

import json
import math

import numpy as np
import pytest

from privbo_core.experiments.workbench import Found, Way, chance, found, table
from privbo_core.experiments.workbench import __main__ as command
from privbo_core.experiments.workbench.measure import ANSWERS, OUTCOMES, SYSTEM, TESTS, WAYS, Held, real, seeded
from tests.helpers.paths import RESULTS

STORED = RESULTS / "workbench.json"
RESULTS = [Found(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))["results"]]


def stored(way):
    told = ("sample", "epsilon", "batch", "answers", "noise")
    (one,) = [each for each in RESULTS if all(getattr(each, name) == getattr(way, name) for name in told)]
    return one


def by_lot(sample):
    (one,) = [each for each in RESULTS if (each.sample, each.way) == (sample, "chance")]
    return one


@pytest.mark.parametrize("way", WAYS)
def test_everything_was_measured_twenty_times(way):
    one = stored(way)
    assert (one.repetitions, one.tests) == (20, 30)
    assert len(one.ranks) == 20
    assert one.among_best == sum(rank <= math.ceil(1e-3 * one.rows) for rank in one.ranks)
    assert one.mean_rank == pytest.approx(np.mean(one.ranks))
    assert one.standard_error == pytest.approx(np.std(one.ranks, ddof=1) / math.sqrt(20))
    assert one.named <= one.among_best
    assert one.named_mean_rank >= one.mean_rank
    if way.answers is None:
        assert (one.named, one.named_mean_rank) == (one.among_best, one.mean_rank)


@pytest.mark.parametrize("way", [way for way in WAYS if way.sample == "hospital" and way.epsilon == 1.0])
def test_at_epsilon_1_the_hospital_finds_a_record_among_the_best_in_three_of_four_searches(way):
    """One at a time and in batches, exact answers and private ones, simulated releases and real ones."""
    assert stored(way).among_best >= 15


@pytest.mark.parametrize("way", [way for way in WAYS if way.sample != "homes"])
def test_on_all_but_the_homes_a_search_is_far_ahead_of_drawing_by_lot(way):
    one, lot = stored(way), by_lot(way.sample)
    assert lot.mean_rank - one.mean_rank > 3 * math.hypot(one.standard_error, lot.standard_error)
    assert one.among_best > 5 * lot.among_best


def test_searches_come_out_again():
    """The rounding of another machine may part one search from the stored one, not two."""
    way = Way("loans", 3.0)
    again, known = found(way, 4, first=3), stored(way)
    assert sum(one == other for one, other in zip(again.ranks, known.ranks[3:7], strict=True)) >= 3


@pytest.mark.parametrize("sample", OUTCOMES)
def test_what_is_expected_by_lot_is_what_drawing_by_lot_finds(sample):
    one, held = by_lot(sample), Held.of(sample)
    assert one == chance(sample, 20)
    rng = np.random.default_rng(0)
    best = np.array([held.ranks[rng.choice(held.rows, TESTS, replace=False)].min() for _ in range(4000)])
    assert abs(best.mean() - one.mean_rank) < 4 * best.std() / math.sqrt(4000)
    spread = math.sqrt(20) * one.standard_error
    assert best.std() == pytest.approx(spread, rel=0.1)
    share = one.among_best / 20
    hits = (best <= math.ceil(1e-3 * held.rows)).mean()
    assert abs(hits - share) < 4 * math.sqrt(share * (1 - share) / 4000)


@pytest.mark.parametrize("answers", [None, ANSWERS.epsilon])
def test_a_seeded_release_is_a_real_one_but_for_its_entropy(answers):
    held, way = Held.of("hospital"), Way("hospital", 1.0, answers=answers)
    (one, at, tells), (other, at_other, tells_other) = seeded(held, way, 7), real(held, way)
    for part in ("epsilon", "delta", "sigma", "protected_distance", "release", "outcome", "private", "rows"):
        assert getattr(one, part) == getattr(other, part)
    assert one.frame.columns == other.frame.columns
    assert sorted(at) == sorted(at_other) == list(range(held.rows))
    decimals = [{len(cell.partition(".")[2]) for cell in map(repr, each.values[:, 0])} for each in (one, other)]
    assert max(decimals[0]) == max(decimals[1])
    placed = held.frame.place(held.inputs)
    for package, order, answer in ((one, at, tells), (other, at_other, tells_other)):
        noise = package.Z - placed[order]
        assert abs(noise.mean()) < 5 * package.sigma / math.sqrt(noise.size)
        assert noise.std() == pytest.approx(package.sigma, rel=0.05)
        told = np.array([answer(row) for row in range(1, 61)])
        away = told - np.clip(held.outcomes[order[:60]], ANSWERS.low, ANSWERS.high)
        if answers is None:
            assert (told == held.outcomes[order[:60]]).all()
        else:
            assert 0.5 * ANSWERS.sigma < away.std() < 1.6 * ANSWERS.sigma
    again, *_ = seeded(held, way, 7)
    assert again.to_bytes() == one.to_bytes()
    assert seeded(held, way, 8)[0].digest != one.digest


def test_the_guide_shows_what_is_stored():
    assert table(RESULTS) in (STORED.parents[1] / "docs" / "workbench_results.md").read_text(encoding="utf-8")


def test_equal_outcomes_have_the_same_rank_and_none_stands_before_a_better_one():
    for name in OUTCOMES:
        held = Held.of(name)
        best = held.outcomes.max() if held.outcome.larger_is_better else held.outcomes.min()
        assert held.outcomes[held.ranks == 1].tolist() == [best] * int((held.outcomes == best).sum())
        for record in range(0, held.rows, 500):
            value = held.outcomes[record]
            better = held.outcomes > value if held.outcome.larger_is_better else held.outcomes < value
            assert held.ranks[record] == better.sum() + 1


def test_the_command_says_what_it_measured(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "WAYS", (Way("homes", 3.0, batch=10), Way("homes", 3.0, batch=10, noise=SYSTEM)))
    assert command.main(["homes", "--repetitions", "2", "--json", str(tmp_path / "a.json")]) == 0
    said = capsys.readouterr().out
    assert "| homes | modeler | 3 | 10 | exact | operating system |" in said
    assert "| homes | 30 records by lot | – |" in said
    kept = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert kept["command"] == "python -m privbo_core.experiments.workbench homes --repetitions 2"
    assert [each["noise"] for each in kept["results"]] == ["seeded", SYSTEM, None]
    assert command.main(["--repetitions", "1"]) == 2
    assert command.main(["mars"]) == 2
    assert "'mars' is no sample" in capsys.readouterr().err
