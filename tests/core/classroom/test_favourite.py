"""Our favourite: what happens in the room, what is promised, and that the server is federated's own."""

import math

import numpy as np
import pytest

from privbo_core.classroom import News, crowd
from privbo_core.classroom.crowd import Ledger
from privbo_core.classroom.games import favourite
from privbo_core.classroom.games.favourite import OWN_PATIENCE, PATIENCE, Favourite, Phase
from privbo_core.federated import delta_for, guarantee, losses, trade_off
from privbo_core.privacy import Status, composed_epsilon, release

HOSTILE = [
    None, True, False, -1, 5, 2.0, 2.5, math.nan, math.inf, "2", "", "noise\0", [2], {"a": 2}, 10**400, b"2", (),
    object(),
]  # fmt: skip


def room(people=3, **options):
    options.setdefault("rng", np.random.default_rng(7))
    game = Favourite(**options)
    for pupil in range(1, people + 1):
        game.enter(pupil)
    return game


def say(game, pupil, value=3):
    return game.answer(pupil, game.question(pupil).key, value)


def rate_all_own(game, pupils):
    for pupil in pupils:
        for _ in range(favourite.OWN):
            assert say(game, pupil, 2) is News.SCREEN


def through(game, pupils, value=3):
    """Play a run that has begun to its end."""
    if game.seen().phase is Phase.OWN:
        rate_all_own(game, [pupil for pupil in pupils if game.question(pupil).kind == "rate"])
    now = 0.0
    while game.seen().phase is not Phase.END:
        if game.seen().phase is Phase.ROUNDS:
            for pupil in pupils:
                say(game, pupil, value)
        now += 1.0
        game.tick(now)
    return now


# What happens in the room.


def test_a_class_goes_from_the_vote_to_its_favourite():
    game = room()
    assert [game.question(pupil).kind for pupil in (1, 2, 3)] == ["vote"] * 3
    said = [say(game, *vote) for vote in ((1, "bare"), (1, "noise"), (1, "noise"), (2, "bare"))]
    assert said == [News.SCREEN, News.SCREEN, News.NOTHING, News.SCREEN]
    assert (game.seen().noise, game.seen().bare, game.seen().answered) == (1, 1, 2)
    assert game.wants_noise()
    assert [game.begin(20, 1.0) for _ in range(2)] == [News.EVERYBODY, News.NOTHING]
    assert (game.seen().course.agents, game.seen().course.z) == (20, 1.0)
    rate_all_own(game, (1, 2, 3))
    assert game.question(2).kind == "wait"
    assert game.tick(5.0) is News.EVERYBODY
    for t in range(1, favourite.ROUNDS + 1):
        assert game.seen().phase is Phase.ROUNDS
        assert game.seen().course.done == t
        asked = game.question(1)
        assert (asked.kind, asked.number) == ("rate", t)
        assert ([say(game, pupil) for pupil in (1, 2, 3)], game.seen().answered) == ([News.SCREEN] * 3, 3)
        assert game.question(1).kind == "wait"
        assert [game.tick(10.0 * t + late) for late in range(3)] == [News.NOTHING, News.NOTHING, News.EVERYBODY]
    seen = game.seen()
    assert seen.phase is Phase.END
    assert (len(seen.course.named), seen.course.belief.sum()) == (favourite.ROUNDS, pytest.approx(1.0))
    assert game.question(3).kind == "end"
    assert game.tick(1e6) is News.NOTHING
    assert game.vote_again() is News.EVERYBODY
    assert (game.question(1).kind, game.question(1).key) == ("vote", "vote/2")


def test_hostile_answers_change_nothing():
    game = room()
    for phase in Phase:
        if phase is Phase.OWN:
            game.begin(20, 1.0)
        elif phase is not Phase.VOTE:
            for _ in range(1 if phase is Phase.ROUNDS else favourite.ROUNDS):
                game.go_on()
        assert game.seen().phase is phase
        before = game.question(1)
        for value in HOSTILE:
            for question in (before.key, value, "own/1", "round/1/1", "round/1/99", "vote/0", ""):
                assert game.answer(1, question, value) is News.NOTHING
        assert game.answer(99, before.key, 2) is News.NOTHING
        assert (game.question(1), game.seen().answered) == (before, 0)


def test_an_answer_counts_once_and_only_for_what_is_asked_now():
    game = room(2)
    game.begin(20, 1.0)
    first = game.question(1).key
    assert [game.answer(1, first, value) for value in (4, 4, 0)] == [News.SCREEN, News.NOTHING, News.NOTHING]
    assert game.question(1).number == 2
    game.go_on()
    stale = game.question(1).key
    game.go_on()
    key = game.question(1).key
    said = [game.answer(1, *each) for each in ((stale, 4), (key, 4), (key, 4), (key, 1))]
    assert said == [News.NOTHING, News.SCREEN, News.NOTHING, News.NOTHING]
    assert game.seen().answered == 1


def test_nobody_stalls_a_class():
    game = room(3)
    game.begin(20, 1.0)
    rate_all_own(game, (1, 2))
    waited = [News.NOTHING, News.NOTHING, News.EVERYBODY]
    assert [game.tick(now) for now in (0.0, OWN_PATIENCE - 0.1, OWN_PATIENCE)] == waited
    say(game, 1)
    assert [game.tick(1000.0 + now) for now in (0.0, PATIENCE - 0.1, PATIENCE)] == waited
    assert game.seen().course.done == 2
    histories = [group[1].t for group in game._run.rounds.agents._groups]
    assert histories == [7, 6, 0, 8]  # the crowd has answered the second round already
    assert game.question(3).kind == "rate"
    assert say(game, 3) is News.SCREEN


def test_who_comes_late_watches_and_is_in_the_next_run():
    game = room(2)
    game.begin(20, 1.0)
    game.enter(3)
    assert game.question(3).kind == "late"
    assert game.answer(3, game.question(3).key, 2) is News.NOTHING
    assert (game.seen().late, game.seen().awaited, game.seen().course.people) == (1, 2, 2)
    through(game, (1, 2))
    assert game.question(3).kind == "over"
    game.begin(20, 1.0, noise=False)
    assert [game.question(pupil).kind for pupil in (1, 2, 3)] == ["wait", "wait", "rate"]
    assert (game.seen().course.people, game.seen().course.crowd) == (3, 17)


def test_who_leaves_is_forgotten_their_seat_stays_and_a_class_that_all_have_left_goes_on():
    game = room(3)
    game.begin(20, 1.0)
    rate_all_own(game, (1, 2, 3))
    game.leave(1)
    game.go_on()
    game.leave(2)
    game.leave(2)
    game.leave(77)
    running = game._run.rounds.agents
    assert running.count == 20
    sent = running.vectors(np.random.default_rng(0))
    assert not sent[:2].any()
    assert sent[2:].any(axis=1).all()
    assert [group[1].t for group in running._groups] == [0, 0, 6, 7]
    assert game.question(1).kind == game.question(2).kind == "late"
    assert say(game, 2) is News.NOTHING
    assert game.seen().awaited == 1
    through(game, (3,))
    assert set(game._people) == {3}
    game = room(1)
    game.begin(20, 1.0)
    game.leave(1)
    through(game, ())
    assert game.seen().course.done == favourite.ROUNDS


@pytest.mark.parametrize(("size", "z"), [(19, 1.0), (301, 1.0), (30.5, 1.0), (30, 0.0), (30, math.nan), (30, -1.0)])
def test_what_a_teacher_cannot_choose_is_said(size, z):
    with pytest.raises(ValueError, match=r"is (19|301|30\.5|0\.0|nan|-1\.0)"):
        room().begin(size, z)


# What is promised.


@pytest.mark.parametrize(("size", "z"), [(30, 1.0), (60, 2.0)])
def test_epsilon_is_the_accountant_s_for_what_was_broadcast(size, z):
    game = room()
    game.begin(size, z)
    through(game, (1, 2, 3))
    course = game.seen().course
    counted = losses(crowd.settings(z), size, "pld", "exact")
    np.testing.assert_allclose(course.epsilon, counted, rtol=1e-6)
    np.testing.assert_allclose(course.total, counted, rtol=1e-6)
    assert course.total_delta == delta_for(size)
    promise = guarantee(crowd.settings(z), size, "pld")
    assert promise.status is Status.PROVED
    assert course.epsilon[-1] == pytest.approx(promise.epsilon, rel=1e-6)
    assert course.right == pytest.approx(1.0 - trade_off(crowd.settings(z), size).least_error(0.5))


def test_runs_in_a_room_add_up_whoever_plays_them_as_far_as_they_were_broadcast():
    ledger, used = Ledger(), []
    for size, z in ((30, 2.0), (60, 1.0), (20, 2.0)):
        game = room(rng=None, ledger=ledger)
        game.begin(size, z)
        used += [z] * favourite.ROUNDS
        through(game, (1, 2, 3))
        course = game.seen().course
        most = 30 if len(used) == favourite.ROUNDS else 60
        together = composed_epsilon(crowd.settings(z).q, used, delta_for(most), "pld")
        assert (course.total[-1], course.total_delta) == (pytest.approx(together, rel=1e-3), delta_for(most))
        assert game.seen().earlier == (len(used) > favourite.ROUNDS)
    assert ledger.uses == used
    assert course.total[-1] > course.epsilon[-1]
    assert course.total_right > course.right
    ledger = Ledger()
    game = room(ledger=ledger)
    game.begin(30, 1.0)
    assert ledger.uses == []
    for _ in range(3):
        game.go_on()
    assert (ledger.uses, len(game.seen().course.total)) == ([1.0] * 3, 3)
    next_one = room(ledger=ledger)
    assert next_one.seen().earlier
    next_one.begin(30, 1.0)
    next_one.go_on()
    counted = losses(crowd.settings(1.0), 30, "pld")
    assert next_one.seen().course.total[0] == pytest.approx(counted[3], rel=1e-6)
    assert next_one.seen().course.epsilon[0] == pytest.approx(counted[0], rel=1e-6)


def test_a_run_without_noise_leaves_no_promise_for_all_that_was_broadcast():
    game = room()
    for noise in (None, False, True):
        game.begin(30, 1.0, noise)
        through(game, (1, 2, 3))
    private, bare, after = game.seen().courses
    assert bare.epsilon[0] == bare.total[-1] == after.total[0] == math.inf
    assert math.isfinite(after.epsilon[-1])
    assert (after.epsilon, (bare.right, after.total_right)) == (private.epsilon, (1.0, 1.0))
    end = game.question(1).sure
    assert (end.runs, end.all_sure) == (3, 1.0)
    assert end.at_most < 0.99


# The noise is real.


def test_in_a_room_the_noise_comes_from_real_releases_and_the_draw_from_the_operating_system(monkeypatch):
    """However every generator of pseudo-random numbers is seeded, what is broadcast is new each time."""
    monkeypatch.setattr(np.random, "default_rng", lambda *_: np.random.Generator(np.random.PCG64(1)))
    noise, drawn = [], []
    real = release.noisy
    monkeypatch.setattr(
        release, "noisy", lambda values, sensitivity, z: noise.append((sensitivity, z)) or real(values, sensitivity, z)
    )
    averages = []
    for _ in range(2):
        game = room(0, rng=None)
        game.begin(30, 2.0)
        game.go_on()
        averages.append(game._run.rounds.average)
        drawn.append(game._run.round.selected)
    assert not (averages[0] == averages[1]).any()
    # The same 30 of 30 twice: once in 10⁹ times.
    assert (drawn[0] != drawn[1]).any()
    assert not crowd.Dice().repeated
    settings = crowd.settings(2.0)
    assert noise == [(pytest.approx(settings.S / 30 / settings.q), 2.0)] * 2
