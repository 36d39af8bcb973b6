"""Be the modeler: what a game takes and refuses, and that everybody’s regret is counted as the product counts it."""

from dataclasses import replace

import numpy as np
import pytest

from privbo_core.bo import Trace
from privbo_core.classroom.games.modeler import MOST_LEGS, ModelerGame
from privbo_core.classroom.ground import COLUMNS, INITIAL, MAPS, RECORDS, Ground, make_leg, simulated_leg
from privbo_core.classroom.room import News
from privbo_core.outsourced import noise_deviation

TESTS = 4


@pytest.fixture(scope="module")
def legs():
    rng = np.random.default_rng(3)
    ground = Ground.draw("hospital", rng)
    return simulated_leg(ground, "noisy", 8.0, TESTS, rng), simulated_leg(ground, "noisy", 0.3, TESTS, rng)


@pytest.fixture
def game(legs):
    made = ModelerGame()
    for pupil in (1, 2, 3):
        made.enter(pupil)
    assert made.begin(legs[0]) == News.EVERYBODY
    return made


def like(leg, **changes):
    return replace(leg, map=replace(leg.map, **changes))


def open_rows(game, pupil):
    known = {tested.row for tested in game.question(pupil).tested}
    return [row for row in range(RECORDS) if row not in known]


def tap(game, pupil, row):
    return game.answer(pupil, game.question(pupil).key, row)


@pytest.mark.parametrize("source", COLUMNS)
def test_the_ground_is_some_records_of_a_sample_in_the_unit_of_its_outcome(source):
    ground = Ground.draw(source, np.random.default_rng(1))
    problem = ground.problem
    assert (problem.n, problem.d, problem.names) == (RECORDS, 2, COLUMNS[source])
    assert len(set(ground.initial)) == INITIAL
    # The order is the objective's: who loses least by the one loses least by the other.
    assert np.array_equal(np.argsort(ground.regrets), np.argsort(-problem.objective))
    best = ground.outcome.max() if problem.maximize else ground.outcome.min()
    assert np.allclose(ground.regrets, np.abs(ground.outcome - best))
    assert (ground.shares[ground.regrets.argmin()], ground.shares.min()) == (1.0, 0.0)
    assert all(ground.shares[record] < 0.5 for record in ground.initial)
    assert problem.frame.public
    assert problem.kernel is not None


def test_an_unknown_sample_and_unusable_numbers_are_refused():
    with pytest.raises(ValueError, match="'hospital', 'loans', 'homes'"):
        Ground.draw("branin")
    ground = Ground.draw("loans", np.random.default_rng(1))
    for epsilon, tests in ((0.0, 3), (float("nan"), 3), (1.0, 0), (1.0, 21), (1.0, 2.5)):
        with pytest.raises(ValueError, match=r"epsilon|tests"):
            simulated_leg(ground, "noisy", epsilon, tests, np.random.default_rng(1))


def test_the_map_holds_what_was_released_and_nothing_else(legs):
    for leg in legs:
        ground, released = leg.ground, leg.map
        frame = ground.problem.frame
        placed = frame.place(ground.problem.original)[released.order]
        assert sorted(released.order) == list(range(RECORDS))
        assert released.sigma == noise_deviation(
            released.epsilon, 1e-5, bounds=frame.bounds, protected_distance=1.0, d=2
        )
        noise = released.Z - placed
        # 200 numbers of N(0, σ²): their standard deviation is σ within a quarter.
        assert abs(noise.std() / released.sigma - 1) < 0.25
        # As it is shown: the same distances, so nothing was added to Z.
        for each in (0, 1, RECORDS - 1):
            assert np.allclose(
                np.linalg.norm(released.shown - released.shown[each], axis=1),
                np.linalg.norm(released.Z - released.Z[each], axis=1),
            )
        assert [released.order[row] for row in released.initial] == list(ground.initial)


@pytest.mark.parametrize("turned", range(8))
def test_the_map_says_which_column_goes_which_way(legs, turned):
    released = replace(legs[0].map, turned=turned)
    for (column, sign), shown in zip(released.laid, released.shown.T, strict=True):
        assert np.array_equal(sign * released.Z[:, column], shown)
        # What grows on the map grows in the table: at ε = 8 the noise is far less than what ages differ by.
        true = legs[0].ground.problem.original[released.order, column]
        assert sign * np.corrcoef(true, shown)[0, 1] > 0.5
    assert sorted(column for column, _ in released.laid) == [0, 1]


def test_a_class_s_own_map_has_noise_that_nobody_can_draw_again_and_grounds_differ_from_game_to_game():
    ground = Ground.draw("hospital", np.random.default_rng(1))
    one, other = (make_leg(ground, "noisy", 8.0, 2).map for _ in range(2))
    back = [np.argsort(each.order) for each in (one, other)]
    assert not np.any(one.Z[back[0]] == other.Z[back[1]])
    assert not np.array_equal(Ground.draw("homes").outcome, Ground.draw("homes").outcome)


def test_the_paper_s_map_is_its_projection_to_two_dimensions():
    rng = np.random.default_rng(1)
    ground = Ground.draw("hospital", rng)
    leg = simulated_leg(ground, "private", 0.3, 2, rng)
    assert leg.map.sigma == 0.0
    # A linear map of the centred inputs, whatever ε: least squares leaves nothing over. That is why it hides nothing.
    centred = (ground.problem.points - ground.problem.points.mean(axis=0))[leg.map.order]
    _, left, *_ = np.linalg.lstsq(centred, leg.map.Z)
    assert np.all(left < 1e-12 * (leg.map.Z**2).sum())


def test_nobody_is_asked_before_it_begins_and_after_it_ends_and_a_game_has_an_end(legs):
    game = ModelerGame()
    game.enter(1)
    assert game.question(1).key == ""
    assert game.answer(1, "", 4) == game.answer(1, "test/1/1", 4) == News.NOTHING
    assert game.seen() == ()
    assert game.end() == game.next(legs[1]) == News.NOTHING
    game.begin(legs[0])
    assert game.begin(legs[1]) == News.NOTHING
    key = game.question(1).key
    assert (game.end(), game.answer(1, key, open_rows(game, 1)[0])) == (News.EVERYBODY, News.NOTHING)
    assert (game.end(), game.tick(1.0)) == (News.NOTHING, News.NOTHING)
    game = ModelerGame()
    game.begin(legs[0])
    for number, epsilon in enumerate((2.0, 1.0, 0.5, 0.2), start=2):
        assert game.next(like(legs[0], epsilon=epsilon)) == (News.EVERYBODY if number <= MOST_LEGS else News.NOTHING)
    assert len(game.seen()) == MOST_LEGS


HOSTILE = [
    None, True, False, 1.0, "7", "", b"7", [7], (7,), {7}, {"7": 7}, {}, object(), -1, RECORDS, 10**400, -(10**400),
    float("nan"), float("inf"), np.int64(7), np.array([7]), 7j, "9" * 100_000, [[[[]]]],
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: type(value).__name__)
def test_nothing_but_a_row_of_the_map_is_an_answer_to_what_is_asked(game, value):
    for question in (None, "", "test/1/2", "test/2/1", "test/0/1", "rate/1", 7, b"test/1/1", ["test"]):
        assert game.answer(1, question, open_rows(game, 1)[0]) == News.NOTHING
    assert (game.answer(1, game.question(1).key, value), game.question(1).made) == (News.NOTHING, 0)
    assert game.seen()[0].counts == (0,) * TESTS


def test_a_row_that_is_known_cannot_be_tapped(game):
    for row in game.legs[0].map.initial:
        assert tap(game, 1, row) == News.NOTHING
    row, key = open_rows(game, 1)[0], game.question(1).key
    said = [game.answer(1, key, row), game.answer(1, key, row), tap(game, 1, row)]  # sent twice, and tapped again
    assert (said, game.question(1).made) == ([News.SCREEN, News.NOTHING, News.NOTHING], 1)
    # To the others it is open: everybody plays for themselves.
    assert tap(game, 2, row) == News.SCREEN


def test_somebody_who_is_not_in_the_room_changes_nothing_and_a_test_brings_the_true_outcome_and_no_other(game):
    assert (game.question(9).key, game.answer(9, "test/1/1", open_rows(game, 1)[0])) == ("", News.NOTHING)
    assert sum(game.seen()[0].taps) == 0
    leg, row = game.legs[0], open_rows(game, 1)[5]
    tap(game, 1, row)
    record = leg.map.order[row]
    *first, last = game.question(1).tested
    assert [tested.row for tested in first] == list(leg.map.initial)
    assert (last.row, last.outcome, last.share) == (row, leg.ground.outcome[record], leg.ground.shares[record])
    assert [tested.row for tested in game.question(2).tested] == list(leg.map.initial)


def test_regret_is_counted_as_the_product_counts_it(game):
    leg, dice = game.legs[0], np.random.default_rng(5)
    curves = []
    for pupil in (1, 2):
        rows = [int(row) for row in dice.choice(open_rows(game, pupil), TESTS, replace=False)]
        for row in rows:
            assert tap(game, pupil, row) == News.SCREEN
        values = leg.ground.values[leg.map.order]
        asked = [*leg.map.initial, *rows]
        curves.append(Trace.of(asked, values[asked], values, INITIAL).simple_regret)
        assert game.question(pupil).regrets == (curves[-1][-1],)
        assert game.question(pupil).key == ""  # all tests are made
        assert tap(game, pupil, open_rows(game, pupil)[0]) == News.NOTHING
    assert np.allclose(game.seen()[0].people, np.mean(curves, axis=0))
    assert game.seen()[0].finished == 2


def test_who_taps_the_machine_s_rows_has_the_machine_s_regret(game):
    leg = game.legs[0]
    assert leg.here.initial == INITIAL
    for row in leg.here.rows[INITIAL:]:
        assert tap(game, 1, int(row)) == News.SCREEN
    assert np.allclose(game.seen()[0].people, leg.here.simple_regret)
    assert np.allclose(game.seen()[0].here, leg.here.simple_regret)


def test_chance_is_what_blind_taps_come_to_on_average(legs):
    leg = legs[0]
    values, first = leg.ground.values, list(leg.ground.initial)
    order = [*first, *(record for record in range(RECORDS) if record not in first)]
    dice, curves = np.random.default_rng(2), []
    for _ in range(2000):
        rows = [*range(INITIAL), *(INITIAL + dice.permutation(RECORDS - INITIAL)[:TESTS])]
        curves.append(Trace.of(rows, values[order][rows], values[order], INITIAL).simple_regret)
    error = np.std(curves, axis=0) / np.sqrt(len(curves))
    assert np.all(np.abs(np.mean(curves, axis=0) - leg.chance) < 4.5 * error)


def test_the_machine_is_the_mean_over_many_maps_and_loses_by_noise(legs):
    seen = []
    for leg in legs:
        game = ModelerGame()
        game.begin(leg)
        seen.append(game.seen()[0])
        assert seen[-1].machine.runs == MAPS
        assert np.allclose(seen[-1].machine.mean, leg.machine.mean(axis=0))
        assert np.all(np.diff(leg.machine, axis=1) <= 0)
    clear, blurred = seen
    assert np.array_equal(clear.chance, blurred.chance)  # a map is nothing to chance
    gap = blurred.machine.mean[-1] - clear.machine.mean[-1]
    assert gap > 4 * np.hypot(clear.machine.standard_error[-1], blurred.machine.standard_error[-1])


def test_who_stops_counts_with_their_best_so_far(game):
    leg, dice = game.legs[0], np.random.default_rng(9)
    regrets = leg.ground.regrets[leg.map.order]
    best_first = sorted(open_rows(game, 1), key=lambda row: regrets[row])
    assert tap(game, 1, best_first[0]) == News.SCREEN  # finds the best at once, and stops
    for row in dice.choice(best_first[50:], TESTS - 1, replace=False):
        assert tap(game, 2, int(row)) == News.SCREEN
    (seen,) = game.seen()
    assert (seen.counts, seen.reached) == ((2, *(1,) * (TESTS - 2), 0), TESTS - 1)
    known = [regrets[[*leg.map.initial, *game._rows[0][2][: t + 1]]].min() for t in range(TESTS - 1)]
    both = np.array([[regrets[best_first[0]]] * (TESTS - 1), known])
    assert np.allclose(seen.people[:-1], both.mean(axis=0))
    assert np.allclose(seen.errors[:-1], both.std(axis=0, ddof=1) / np.sqrt(2))
    assert np.isnan(seen.people[-1])  # nobody is there yet
    assert np.isinf(seen.errors[-1])


def test_late_ones_count_at_the_tests_that_they_have_made(game):
    rows = open_rows(game, 1)[:TESTS]
    for row in rows:
        tap(game, 1, row)
    game.enter(4)
    other = open_rows(game, 4)[-1]
    assert game.question(4).key == "test/1/1"
    tap(game, 4, other)
    seen = game.seen()[0]
    assert (seen.counts, (seen.playing, seen.finished)) == ((2, *(1,) * (TESTS - 1)), (4, 1))
    # The crowd: each one's latest tap.
    assert {row: seen.taps[row] for row in range(RECORDS) if seen.taps[row]} == {rows[-1]: 1, other: 1}


def test_who_leaves_takes_their_taps_along(game):
    for pupil in (1, 2):
        tap(game, pupil, open_rows(game, pupil)[pupil])
    before = game.seen()[0]
    game.leave(2)
    after = game.seen()[0]
    assert ((sum(before.taps), sum(after.taps)), after.counts[0]) == ((2, 1), 1)
    assert game.answer(2, "test/1/2", open_rows(game, 1)[0]) == News.NOTHING
    game.leave(2)
    game.leave(77)
    assert game.seen()[0].playing == 2


def test_the_next_map_is_of_the_same_records_at_a_smaller_epsilon(game, legs):
    tap(game, 1, open_rows(game, 1)[0])
    stale = game.question(1).key
    elsewhere = like(legs[1], ground=Ground.draw("hospital"))
    longer = replace(legs[1], chance=np.zeros(TESTS + 1))
    projected = like(legs[1], mechanism="private")
    for wrong in (legs[0], elsewhere, longer, projected):
        assert game.next(wrong) == News.NOTHING
    assert (game.next(legs[1]), game.question(1).key) == (News.EVERYBODY, "test/2/1")
    assert [tested.row for tested in game.question(1).tested] == list(legs[1].map.initial)
    assert game.answer(1, stale, open_rows(game, 1)[3]) == News.NOTHING
    tap(game, 1, open_rows(game, 1)[0])
    assert ([sum(seen.taps) for seen in game.seen()], len(game.question(1).regrets)) == ([1, 1], 2)
    assert game.question(2).regrets == (None, None)
    game.leave(1)
    assert [sum(seen.taps) for seen in game.seen()] == [0, 0]
