"""What two parties find on the samples: the stored figures, that they come out again, and by what they are measured."""

import json
import math

import numpy as np
import pytest

from tests.benchmarks import workbench as command
from tests.benchmarks.workbench import ANSWERS, SYSTEM, Found, Held, Way, chance, found, real, seeded, table
from tests.helpers.paths import DOCS, RESULTS

STORED = [Found(**each) for each in json.loads((RESULTS / "workbench.json").read_text(encoding="utf-8"))["results"]]


def stored(way):
    told = ("sample", "epsilon", "batch", "answers", "noise")
    (one,) = [each for each in STORED if all(getattr(each, name) == getattr(way, name) for name in told)]
    return one


def by_lot(sample):
    (one,) = [each for each in STORED if (each.sample, each.way) == (sample, "chance")]
    return one


@pytest.mark.parametrize("way", command.WAYS)
def test_what_is_stored_of_a_way_is_of_twenty_searches_and_ahead_of_drawing_by_lot(way):
    one, lot = stored(way), by_lot(way.sample)
    assert (one.repetitions, one.tests, len(one.ranks)) == (20, 30, 20)
    assert one.among_best == sum(rank <= math.ceil(1e-3 * one.rows) for rank in one.ranks)
    assert one.mean_rank == pytest.approx(np.mean(one.ranks))
    assert one.standard_error == pytest.approx(np.std(one.ranks, ddof=1) / math.sqrt(20))
    assert one.named <= one.among_best
    assert one.named_mean_rank >= one.mean_rank
    if way.answers is None:
        assert (one.named, one.named_mean_rank) == (one.among_best, one.mean_rank)
    if way.sample != "homes":
        assert lot.mean_rank - one.mean_rank > 3 * math.hypot(one.standard_error, lot.standard_error)
        assert one.among_best > 5 * lot.among_best
    if (way.sample, way.epsilon) == ("hospital", 1.0):  # in batches or not, exact answers or private, any noise
        assert one.among_best >= 15


def test_searches_come_out_again_and_the_guide_shows_what_is_stored():
    """The rounding of another machine may part one search from the stored one, not two."""
    way = Way("loans", 3.0)
    again, known = found(way, 4, first=3), stored(way)
    assert sum(one == other for one, other in zip(again.ranks, known.ranks[3:7], strict=True)) >= 3
    assert table(STORED) in (DOCS / "workbench_results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("sample", command.OUTCOMES)
def test_what_is_expected_by_lot_is_what_drawing_by_lot_finds(sample):
    one, again, held = by_lot(sample), chance(sample, 20), Held.of(sample)
    # Sums over thousands of rows, of logarithms of factorials: another machine rounds them otherwise.
    for name, value in vars(again).items():
        assert getattr(one, name) == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name
    rng = np.random.default_rng(0)
    best = np.array([held.ranks[rng.choice(held.rows, command.TESTS, replace=False)].min() for _ in range(4000)])
    assert abs(best.mean() - one.mean_rank) < 4 * best.std() / math.sqrt(4000)
    assert best.std() == pytest.approx(math.sqrt(20) * one.standard_error, rel=0.1)
    share, hits = one.among_best / 20, (best <= math.ceil(1e-3 * held.rows)).mean()
    assert abs(hits - share) < 4 * math.sqrt(share * (1 - share) / 4000)


@pytest.mark.parametrize("answers", [None, ANSWERS.epsilon])
def test_a_seeded_release_is_a_real_one_but_for_its_entropy(answers):
    held, way = Held.of("hospital"), Way("hospital", 1.0, answers=answers)
    pair = seeded(held, way, 7), real(held, way)
    one, other = (package for package, *_ in pair)
    for part in ("epsilon", "delta", "sigma", "protected_distance", "release", "outcome", "private", "rows"):
        assert getattr(one, part) == getattr(other, part)
    assert one.frame.columns == other.frame.columns
    decimals = [max(len(repr(cell).partition(".")[2]) for cell in each.values[:, 0]) for each in (one, other)]
    assert decimals[0] == decimals[1]
    placed = held.frame.place(held.inputs)
    for package, order, answer in pair:
        assert sorted(order) == list(range(held.rows))
        noise = package.Z - placed[order]
        assert abs(noise.mean()) < 5 * package.sigma / math.sqrt(noise.size)
        assert noise.std() == pytest.approx(package.sigma, rel=0.05)
        told, true = np.array([answer(row) for row in range(1, 61)]), held.outcomes[order[:60]]
        if answers is None:
            assert (told == true).all()
        else:
            assert 0.5 * ANSWERS.sigma < (told - np.clip(true, ANSWERS.low, ANSWERS.high)).std() < 1.6 * ANSWERS.sigma
    assert seeded(held, way, 7)[0].to_bytes() == one.to_bytes()
    assert seeded(held, way, 8)[0].digest != one.digest


@pytest.mark.parametrize("name", command.OUTCOMES)
def test_equal_outcomes_have_the_same_rank_and_none_stands_before_a_better_one(name):
    held = Held.of(name)
    values = held.outcomes if held.outcome.larger_is_better else -held.outcomes
    assert (values[held.ranks == 1] == values.max()).all()
    for record in range(0, held.rows, 500):
        assert held.ranks[record] == (values > values[record]).sum() + 1


def test_the_command_says_what_it_measured(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "WAYS", (Way("homes", 3.0, batch=10), Way("homes", 3.0, batch=10, noise=SYSTEM)))
    assert command.main(["homes", "--repetitions", "2", "--json", str(tmp_path / "a.json")]) == 0
    said = capsys.readouterr().out
    assert "| homes | modeler | 3 | 10 | exact | operating system |" in said
    assert "| homes | 30 records by lot | – |" in said
    kept = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert kept["command"] == "python -m tests.benchmarks.workbench homes --repetitions 2"
    assert [each["noise"] for each in kept["results"]] == ["seeded", SYSTEM, None]
    assert (command.main(["--repetitions", "1"]), command.main(["mars"])) == (2, 2)
    assert "'mars' is no sample" in capsys.readouterr().err
