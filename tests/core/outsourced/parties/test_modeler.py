"""The modeler: what it asks for, what it makes of what it is told, and what it says about it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from privbo_core.data import Frame, FrameColumn
from privbo_core.errors import DataError
from privbo_core.outsourced import Modeler, Outcome, Package, Private
from privbo_core.outsourced.parties.learned import View
from tests.helpers.amounts import few

MADE = "2026-01-02T03:04:05+00:00"
FRAME = Frame(
    (
        FrameColumn("age", "years", 0.0, 100.0, 4.0, 20.0, known_from="people"),
        FrameColumn("dose", "mg", 0.0, 10.0, 0.5, None, known_from="the label"),
    )
)
EXACT = np.random.default_rng(0).uniform([0.0, 0.0], [100.0, 10.0], (150, 2))
VALUES = EXACT + np.random.default_rng(1).normal(size=EXACT.shape) * [2.0, 0.25]
OUTCOMES = 50.0 - ((EXACT[:, 0] - 70.0) / 10.0) ** 2 + 3.0 * np.sin(EXACT[:, 1])


def package(values=VALUES, *, larger=True, private=None, epsilon=3.0):
    outcome = Outcome("glucose", "mg/dL", larger)
    return Package(FRAME, epsilon, 1e-5, 1.0, 1, MADE, outcome, private, values)


def dense_kernel(modeler):
    """Return what was learned, and the covariances of all rows through the noise, written out."""
    learned, *_ = View.after(modeler.package, modeler.outcomes)
    wide = np.sqrt(learned.lengthscales**2 + 2.0 * modeler.package.sigma**2)
    z = modeler.package.Z / wide
    k = learned.variance * np.prod(learned.lengthscales / wide) * np.exp(-0.5 * cdist(z, z, "sqeuclidean"))
    k[np.diag_indices(len(z))] = learned.variance + learned.noise_variance
    return learned, k, [row - 1 for row in modeler.outcomes]


def run(modeler, tests, outcomes=OUTCOMES, batch=1):
    """Carry a search on; return the rows in the order asked."""
    rows = []
    while len(rows) < tests:
        asked = [each.row for each in modeler.ask(batch)]
        for row in asked:
            modeler.tell(row, outcomes[row - 1])
        rows += asked
    return rows


STEPS = st.lists(
    st.tuples(st.sampled_from(["ask", "tell", "guess", "correct", "untell", "skip", "unskip"]), st.integers(0, 10**6)),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_no_row_is_asked_for_twice_and_a_search_brought_back_asks_for_the_same(steps):
    modeler = Modeler(package(VALUES[:60]))
    asked = []
    for step, number in steps:
        told, row = list(modeler.outcomes), number % 60 + 1
        if step == "ask":
            found = [each.row for each in modeler.ask(1 + number % 3)] if len(asked) < 20 else []
            assert not set(found) & ({*asked, *modeler.skipped} | {*told})
            asked += found
        elif step == "tell" and modeler.pending:
            which = modeler.pending[number % len(modeler.pending)]
            for _ in range(2):  # the same file read twice
                modeler.tell(which, OUTCOMES[number % 150])
        elif step == "guess" and row not in told:
            modeler.tell(row, OUTCOMES[row - 1])
        elif step == "correct" and told:
            modeler.correct(told[number % len(told)], OUTCOMES[number % 150])
        elif step == "untell" and told:
            modeler.untell(told[number % len(told)])
        elif step == "skip" and row not in told:
            modeler.skip(row)
        elif step == "unskip" and modeler.skipped:
            modeler.unskip(modeler.skipped[number % len(modeler.skipped)])
    assert set(modeler.pending) == {*asked} - {*modeler.outcomes} - {*modeler.skipped}
    back = Modeler.load(modeler.to_bytes())
    assert list(back.outcomes.items()) == list(modeler.outcomes.items())
    assert (back.pending, back.skipped, back.entries) == (modeler.pending, modeler.skipped, modeler.entries)
    assert back.best == modeler.best
    assert [(each.row, each.why) for each in back.ask(2)] == [(each.row, each.why) for each in modeler.ask(2)]


def test_every_row_is_asked_for_in_the_end_and_then_there_is_none():
    modeler = Modeler(package(VALUES[:12]))
    modeler.skip(5)
    rows = run(modeler, 10, batch=2)
    with pytest.raises(DataError, match="1 rows are left"):
        modeler.ask(2)
    rows += run(modeler, 1)
    assert sorted(rows) == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    with pytest.raises(DataError, match="none left"):
        modeler.ask()
    assert modeler.advice.enough
    assert "nothing left" in modeler.advice.sentence


def test_a_search_finds_the_best_of_many_through_the_noise():
    """Thirty tests of 150 rows, whose order and noise differ from run to run: chance finds the best in a fifth."""
    hill = np.exp(-0.5 * ((EXACT[:, 0] - 70.0) / 15.0) ** 2 - 0.5 * ((EXACT[:, 1] - 3.0) / 2.0) ** 2)
    found, sigma, tries = 0, package().sigma, few(6, 10)
    for seed in range(tries):
        rng = np.random.default_rng(seed)
        order = rng.permutation(150)
        modeler = Modeler(package((EXACT + sigma * FRAME.hide * rng.normal(size=EXACT.shape))[order]))
        run(modeler, 30, hill[order])
        found += int(modeler.best.outcome == hill.max())
    assert found >= 0.8 * tries


def test_what_is_expected_is_what_a_dense_solve_says():
    terms = Private(0.0, 60.0, 5.0, 2.0, 1e-5, "the device")
    for private in (None, terms):
        modeler = Modeler(package(private=private))
        run(modeler, 12)
        learned, k, at = dense_kernel(modeler)
        added = 0.0 if private is None else private.sigma**2 / learned.scale**2
        y = (np.array(list(modeler.outcomes.values())) - learned.centre) / learned.scale - learned.mean
        gram = k[np.ix_(at, at)] + added * np.eye(12)
        mean = learned.centre + learned.scale * (learned.mean + k[:, at] @ np.linalg.solve(gram, y))
        variance = np.diag(k) - np.einsum("ij,ji->i", k[:, at], np.linalg.solve(gram, k[at]))
        found = modeler.map()
        np.testing.assert_allclose(found.mean, mean, atol=1e-5)
        np.testing.assert_allclose(found.deviation**2, variance * learned.scale**2, atol=1e-4)
        assert (added > 0.1) == (private is not None)


def test_private_answers_are_not_taken_at_their_word():
    private = Private(0.0, 60.0, 60.0, 1.0, 1e-5, "the device")
    exact, noisy = Modeler(package()), Modeler(package(private=private))
    told = dict(zip(range(1, 31), OUTCOMES[:30], strict=True))
    told[7] = 300.0  # an answer that its noise has thrown far out
    for modeler in (exact, noisy):
        for row, outcome in told.items():
            modeler.tell(row, outcome)
    assert exact.best == (7, 300.0)
    assert exact.suggestion(7).mean == pytest.approx(300.0)
    assert noisy.suggestion(7).mean < 150.0
    assert noisy.suggestion(7).deviation > 1.0 > exact.suggestion(7).deviation
    assert noisy.best.outcome == told[noisy.best.row]
    means = {row: noisy.suggestion(row).mean for row in told}
    assert noisy.best.row == max(means, key=means.get)


def test_a_batch_is_chosen_as_if_what_is_open_had_been_answered_as_expected():
    """The mean stays, the deviation is what it would be after those answers, and β goes on."""
    modeler = Modeler(package())
    run(modeler, 8)
    learned, k, at = dense_kernel(modeler)
    before = modeler.map()
    for supposed, asked in enumerate((*modeler.ask(2), *modeler.ask(3))):
        gain = np.linalg.solve(k[np.ix_(at, at)] + 1e-9 * np.eye(len(at)), k[at])
        deviation = np.sqrt(np.maximum(np.diag(k) - np.einsum("ij,ij->j", k[at], gain), 0.0)) * learned.scale
        beta = 2.0 * math.log(150 * (8 + supposed + 1) ** 2 * math.pi**2 / (6.0 * 0.05 / 2.0))
        upper = before.mean + math.sqrt(beta) * deviation
        upper[at] = -np.inf
        assert asked.row == upper.argmax() + 1
        assert asked.mean == pytest.approx(before.mean[asked.row - 1])
        assert asked.deviation == pytest.approx(deviation[asked.row - 1], rel=1e-6)
        assert asked.score == pytest.approx(upper.max(), rel=1e-6)
        assert ("Chosen as if the other open questions" in asked.why) is (supposed > 0)
        at.append(asked.row - 1)
    np.testing.assert_array_equal(modeler.map().mean, before.mean)


def test_of_a_single_row_there_is_one_question():
    modeler = Modeler(package(VALUES[:1]))
    assert [each.row for each in modeler.ask()] == [1]
    assert "better than the best" not in modeler.suggestion(1).why
    modeler.tell(1, 3.0)
    assert modeler.best == (1, 3.0)
    assert modeler.model.learned_from == 1
    assert modeler.advice.enough
    with pytest.raises(DataError, match="none left"):
        modeler.ask()


def test_a_corrected_search_is_as_if_it_had_been_told_the_right_values():
    wrong, right = Modeler(package()), Modeler(package())
    for row, outcome in enumerate(OUTCOMES[:12], start=1):
        wrong.tell(row, -outcome if row in (3, 8) else outcome)
        right.tell(row, outcome)
    wrong.tell(99, 1.0)
    assert wrong.suggestion(50) != right.suggestion(50)
    for row in (8, 3):
        wrong.correct(row, OUTCOMES[row - 1])
    wrong.untell(99)
    assert wrong.outcomes == right.outcomes
    assert wrong.best == right.best
    assert wrong.advice == right.advice
    assert [wrong.suggestion(row) for row in (50, 99)] == [right.suggestion(row) for row in (50, 99)]
    assert wrong.ask(3) == right.ask(3)
    assert [entry.step for entry in wrong.entries][12:] == ["told", "corrected", "corrected", "taken back"] + [
        "asked"
    ] * 3


def test_what_is_put_back_is_open_again_and_what_is_skipped_may_be_told_after_all():
    modeler = Modeler(package())
    (asked,) = modeler.ask()
    for step in (modeler.skip, modeler.skip, modeler.unskip):
        step(asked.row)
    assert (modeler.pending, modeler.skipped) == ((asked.row,), ())
    modeler.skip(asked.row)
    modeler.tell(asked.row, 4.0)
    assert (modeler.outcomes, modeler.skipped) == ({asked.row: 4.0}, ())


def test_smaller_is_better_is_larger_is_better_upside_down():
    up, down = Modeler(package()), Modeler(package(larger=False))
    assert run(up, 20) == run(down, 20, -OUTCOMES)
    assert (up.best.row, up.best.outcome) == (down.best.row, -down.best.outcome)
    assert up.advice.expected_improvement == pytest.approx(down.advice.expected_improvement)
    for row in (1, 77):
        one, other = up.suggestion(row), down.suggestion(row)
        assert (one.mean, one.score) == pytest.approx((-other.mean, -other.score))
        assert one.deviation == pytest.approx(other.deviation)
        assert one.score > one.mean


def test_the_unit_of_the_outcome_does_not_matter():
    rows = run(Modeler(package()), 15)
    assert run(Modeler(package()), 15, OUTCOMES * 18.0 + 273.15) == rows
    assert run(Modeler(package()), 15, OUTCOMES * 1e90) == rows
    assert run(Modeler(package()), 15, OUTCOMES * 1e-90) == rows


def test_it_never_claims_to_know_what_nothing_says():
    modeler = Modeler(package())
    (first,) = modeler.ask()
    assert all(math.isnan(number) for number in (first.mean, first.deviation, first.score))
    assert np.isnan(modeler.map().mean).all()
    assert modeler.best is None
    assert modeler.advice.expected_improvement == math.inf
    for row in (1, 2, 3):
        modeler.tell(row, 0.0)
    found = modeler.suggestion(4)
    assert found.mean == 0.0
    assert math.isnan(found.deviation)
    assert "equal" in found.why
    assert not modeler.advice.enough
    assert "equal" in modeler.advice.sentence
    known = Modeler(package(private=Private(10.0, 30.0, 1.0, 1.0, 1e-5))).suggestion(1)
    assert known.mean == 20.0
    assert 2.0 < known.deviation < 20.0


def test_it_says_when_to_stop_and_when_it_is_too_early_to_say():
    """A tenth of the rows is good, evenly so: once they are found, little more can be gained."""
    values, outcomes = VALUES, np.where(EXACT[:, 0] > 90.0, 10.0, 0.1 * EXACT[:, 0])
    modeler, stopped = Modeler(package(values)), []
    for _ in range(60):
        (asked,) = modeler.ask()
        modeler.tell(asked.row, outcomes[asked.row - 1])
        advice = modeler.advice
        stopped.append(advice.enough)
        if len(stopped) < 10 and not math.isinf(advice.expected_improvement):
            assert "Few tests" in advice.sentence
        assert advice.expected_improvement >= 0
    assert not any(stopped[:9])
    assert stopped[-1]
    assert modeler.best.outcome == 10.0
    assert "stopping is reasonable" in modeler.advice.sentence
    going_on = Modeler(package())
    run(going_on, 10)
    assert not going_on.advice.enough
    assert "going on is worth while" in going_on.advice.sentence


def test_the_picture_shows_the_released_rows_and_all_that_is_expected_of_them():
    modeler = Modeler(package())
    run(modeler, 11)
    whole, one = modeler.map(), modeler.map([1])
    assert whole.names == ("age", "dose")
    np.testing.assert_array_equal(whole.points, VALUES)
    np.testing.assert_array_equal(one.points, VALUES[:, 1:])
    for row in (1, 40, modeler.best.row):
        assert (whole.mean[row - 1], whole.deviation[row - 1]) == pytest.approx(
            (modeler.suggestion(row).mean, modeler.suggestion(row).deviation)
        )
    model = modeler.model
    assert (model.names, model.learned_from) == (("age", "dose"), 11)
    assert model.variance > 0 < model.noise
    fresh = Modeler(package()).model
    np.testing.assert_allclose(fresh.lengthscales, [20.0, 2.5])  # the frame's guess, and a quarter of the range
    assert fresh.learned_from == 0


@pytest.mark.parametrize("row", [0, 151, 1.5, math.nan, "7", True])
def test_a_row_that_is_not_there_is_named(row):
    modeler = Modeler(package())
    modeler.tell(2, 1.0)
    before = modeler.to_bytes()
    for step in (modeler.untell, modeler.skip, modeler.unskip, modeler.suggestion):
        with pytest.raises(DataError, match=r"not in this release.* 1 to 150\.$"):
            step(row)
    for step in (modeler.tell, modeler.correct):
        with pytest.raises(DataError, match="not in this release"):
            step(row, 1.0)
    assert modeler.to_bytes() == before


@pytest.mark.parametrize("outcome", [math.nan, -math.inf, "12", True, 1e101])
def test_an_outcome_that_is_no_number_is_named(outcome):
    modeler = Modeler(package())
    modeler.tell(2, 1.0)
    with pytest.raises(DataError, match=r"^outcome of row 5 is .*must be a number"):
        modeler.tell(5, outcome)
    with pytest.raises(DataError, match=r"^outcome of row 2 is .*must be a number"):
        modeler.correct(2, outcome)
    assert modeler.outcomes == {2: 1.0}


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (lambda modeler: modeler.tell(2, 1.5), r"told before, as 1\.0; correct it if 1\.5"),
        (lambda modeler: modeler.correct(3, 1.5), "Row 3 has not been told"),
        (lambda modeler: modeler.untell(3), "Row 3 has not been told"),
        (lambda modeler: modeler.skip(2), "take its outcome back first"),
        (lambda modeler: modeler.unskip(2), "Row 2 was not skipped"),
        (lambda modeler: modeler.ask(0), "0 rows cannot be asked for"),
        (lambda modeler: modeler.ask(1.5), r"1\.5 rows cannot"),
        (lambda modeler: modeler.ask("2"), "'2' rows cannot"),
        (lambda modeler: modeler.ask(150), "149 rows are left"),
        (lambda modeler: modeler.map([0, 2]), "Column 2 is not in this release"),
        (lambda modeler: modeler.map(["age"]), "Column 'age' is not"),
    ],
)
def test_a_step_that_cannot_be_made_changes_nothing(step, words):
    modeler = Modeler(package())
    modeler.tell(2, 1.0)
    entries = modeler.entries
    with pytest.raises(DataError, match=words):
        step(modeler)
    assert modeler.entries == entries


def test_numbers_as_tables_bring_them_are_taken():
    modeler = Modeler(package())
    modeler.tell(np.int64(3), np.float32(1.5))
    modeler.tell(4.0, 7)
    assert modeler.outcomes == {3: 1.5, 4: 7.0}
    assert {type(row) for row in modeler.outcomes} == {int}
