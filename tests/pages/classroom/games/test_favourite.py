"""Our favourite without a browser: what phones and projector show in each phase, and the teacher's desk."""

import gc
import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.classroom.games import favourite as game
from pages.parts.classroom.games import favourite_words as words
from pages.parts.classroom.games.favourite import FAVOURITE
from pages.parts.federated.setup import NOTHING_PROMISED
from pages.parts.views.picture import LIGHT, Picture
from pages.parts.views.text import unmarked
from pages.parts.views.views import AUDIENCES
from privbo_core.classroom import House, Room, digest
from privbo_core.classroom.crowd import CODES, COUNT, HUES, LIGHTNESSES, OWN, ROUNDS
from privbo_core.classroom.games.favourite import Favourite, Phase, Sure
from tests.helpers.reading import labels, plotly_takes

PEOPLE = (1, 2, 3)


def played(*runs, size=30, z=1.0, until=None, votes=()):
    """Return an experiment with seeded dice after these runs, with noise or without, or in a phase of the last."""
    favourite = Favourite(np.random.default_rng(4))
    for pupil in PEOPLE:
        favourite.enter(pupil)
    for pupil, vote in enumerate(votes, start=1):
        favourite.answer(pupil, "vote/1", vote)
    for number, noise in enumerate(runs, start=1):
        favourite.begin(size, z, noise)
        if until is Phase.OWN and number == len(runs):
            return favourite
        favourite.go_on()
        if until is Phase.ROUNDS and number == len(runs):
            return favourite
        to_the_end(favourite)
    return favourite


def to_the_end(favourite, *begin):
    if begin:
        favourite.begin(*begin)
    while favourite.seen().phase is not Phase.END:
        favourite.go_on()


def voting_again():
    favourite = played(True)
    favourite.vote_again()
    return favourite


def title(favourite):
    return words.title(favourite.seen())


STATES = [
    lambda: played(),
    *(lambda noise=noise, until=until: played(noise, until=until)
      for noise in (True, False) for until in (Phase.OWN, Phase.ROUNDS, None)),
    lambda: played(True, False),
    lambda: played(True, False, True, until=Phase.ROUNDS),
    lambda: played(False, True, size=200),
    voting_again,
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(STATES)))
def test_projector_and_phones_have_something_to_show_in_every_phase(place):
    favourite = STATES[place]()
    view = game.show(favourite)
    (figure,) = view.figures
    assert plotly_takes(figure.picture).data
    finding = figure.finding
    assert finding.title
    assert finding.audience in AUDIENCES
    assert figure.alt.endswith(".")
    assert not re.search(r"  |\bNone\b|\bnan\b", f"{finding.title}|{finding.note}|{figure.alt}")
    assert all(tile.name and tile.value for tile in view.tiles)
    tiles = " ".join(f"{tile.name} {tile.value} {tile.remark}" for tile in view.tiles)
    assert not re.search("[δσαβμz] =", f"{finding.title} {finding.note} {tiles}"), "no theory but ε"
    for pupil in (*PEOPLE, 99):
        screen = game.screen(favourite, pupil)
        assert screen.title
        json.dumps([screen.key, screen.title, screen.text, dict(screen.data), screen.answer])


def test_the_title_follows_what_happens():
    titles = [title(state()) for state in STATES[:8]]
    assert "Shall the server add noise" in titles[0]
    assert titles[1] == f"First everybody rates {OWN} colours: 0 of 3 have"
    assert titles[2].startswith("Round 1 of 8: 30, of them 3 of you, seem to like a")
    assert "guessing whether you took part is right in at most 76 of 100" in titles[3]
    assert "can tell that you took part" in titles[6]
    assert re.search("[Ww]ith noise", titles[7])


def test_the_last_picture_says_whether_both_ways_name_the_same_colour():
    seen = played(True, False, z=2.0).seen()
    private, bare = seen.courses
    row = bare.named[-1]
    for other, sentence in (
        (row, "About the same colour with noise and without"),
        ((row + COUNT // 2) % COUNT, "What was told without noise stays told"),
    ):
        moved = replace(private, named=(*private.named[:-1], other))
        assert sentence in words.title(replace(seen, courses=(moved, bare)))


def test_whose_taste_it_is_stands_wherever_it_is_told():
    for state in STATES[2:4] + STATES[5:10]:
        favourite = state()
        assert f"{favourite.seen().course.agents}, of them 3 of you" in title(favourite)
    alone, empty = (Favourite(np.random.default_rng(2)) for _ in range(2))
    for pupil in range(1, 22):
        alone.enter(pupil)
    for favourite in (alone, empty):
        favourite.begin(20, 2.0)
        favourite.go_on()
    assert title(empty).startswith("Round 1 of 8: 20 simulated pupils seem to like a")
    for _ in range(ROUNDS + 1):
        assert "ll 21 of you seem to like a" in title(alone)
        assert "simulated" not in words.note(alone.seen())
        alone.go_on()


def test_runs_are_compared_only_where_the_same_people_were_in_both():
    favourite = played(True, z=2.0)
    favourite.enter(4)
    to_the_end(favourite, 30, 2.0, False)
    seen = favourite.seen()
    assert words.both_ways(seen) is None
    assert re.fullmatch("30, of them 4 of you, seem to like an? .* best; but whoever knows .*", words.title(seen))
    assert "The run with noise was another class’s: play it again" in words.note(seen)
    assert "xaxis2" not in game.picture(seen).layout
    to_the_end(favourite, 30, 2.0, True)
    seen = favourite.seen()
    assert words.both_ways(seen) == seen.courses[1:]
    assert re.search("[Ww]ith noise", words.title(seen))
    favourite.leave(1)  # after the run
    assert words.both_ways(favourite.seen()) is not None
    favourite.enter(5)  # as many, but others
    to_the_end(favourite, 30, 2.0, False)
    assert words.both_ways(favourite.seen()) is None
    left = played(True)
    left.begin(30, 1.0, False)
    left.go_on()
    left.leave(2)  # while the run lasts
    to_the_end(left)
    assert words.both_ways(left.seen()) is None


def test_numbers_on_the_projector_are_those_of_the_run():
    favourite = played(True, z=2.0)
    tiles = {tile.name: tile for tile in game.show(favourite).tiles}
    loss, course = tiles["Privacy loss ε"], favourite.seen().course
    assert (tiles["The class"].value, tiles["The class"].remark) == ("30", "of them 3 of you, and 27 simulated pupils")
    assert float(loss.value) == pytest.approx(course.epsilon[-1], rel=5e-3)
    assert (loss.audience, loss.remark) == ("share", "after 8 rounds, apart from a chance of about 2 in 100")
    assert tiles["Guessing whether you took part"].value == "64 of 100"
    near = sum(belief for row, belief in enumerate(course.belief) if words.about_the_same(row, course.named[-1]))
    assert tiles["Near the favourite"].value == f"{round(100 * near)} of 100"
    again = played(True, True, z=2.0)
    (loss,) = [tile for tile in game.show(again).tiles if tile.name == "Privacy loss ε"]
    assert float(loss.value) == pytest.approx(again.seen().course.total[-1], rel=5e-3)
    assert loss.remark.startswith("of all runs together; this one alone 1.31, apart from")
    smaller = played(True, size=200)
    smaller.begin(30, 2.0, True)
    smaller.go_on()
    assert words.loss(smaller.seen().course)[1].endswith(", apart from a chance of about 3 in 1,000")


@pytest.mark.parametrize(
    ("runs", "until", "loss", "guessing", "stamped"),
    [
        ((True,), Phase.OWN, "0", "64 of 100", False),
        ((True, True), Phase.OWN, "1.31", "70 of 100", False),
        ((True, False), Phase.OWN, "1.31", "can be told", False),
        ((True, False), Phase.ROUNDS, "∞", "can be told", True),
        ((True, False, True), Phase.OWN, "∞", "can be told", True),
        ((True, False, True), None, "∞", "can be told", True),
    ],
)
def test_the_account_goes_on_over_all_runs_and_tile_stamp_and_phones_agree(runs, until, loss, guessing, stamped):
    favourite = played(*runs, z=2.0, until=until)
    view = game.show(favourite)
    told = {tile.name: tile for tile in view.tiles}
    assert told["Privacy loss ε"].value == loss
    assert bool(told["Privacy loss ε"].stamp) == stamped == (NOTHING_PROMISED in [tile.stamp for tile in view.tiles])
    assert told["Guessing whether you took part"].value == guessing
    assert "noise hides you" not in view.figures[0].finding.title
    if until is None:
        assert "From all 3 runs that you were in" in str(game.screen(favourite, 1).data)


def test_without_noise_it_is_stamped_and_never_called_released_under_the_promise():
    for favourite in (played(False, until=Phase.ROUNDS), played(False), played(True, False)):
        view = game.show(favourite)
        assert view.figures[0].finding.audience == "refuted"
        assert "share" not in {tile.audience for tile in view.tiles}
        assert any("nothing promised" in tile.stamp for tile in view.tiles)
        assert re.search("nothing (is )?promised", view.figures[0].picture.as_json(LIGHT))


@pytest.mark.parametrize(("until", "tries"), [(Phase.OWN, OWN), (Phase.ROUNDS, 1)])
def test_nothing_of_one_pupil_is_on_the_projector_or_on_another_s_phone_between_two_broadcasts(until, tries):
    """Two classes that differ in one pupil's ratings alone show the same until something is broadcast."""
    shown = []
    for value in (0, 4):
        favourite = played(True, until=until)
        for _ in range(tries):
            favourite.answer(1, favourite.question(1).key, value)
        view, phones = game.show(favourite), [game.screen(favourite, pupil) for pupil in (2, 3)]
        shown.append((view.tiles, view.figures[0].finding, view.figures[0].picture.as_json(LIGHT), phones))
        assert f"1 of {len(PEOPLE)}" in str(view.tiles)
        favourite.leave(1)
        shown[-1] += (game.screen(favourite, 2),)
    assert shown[0] == shown[1]


def test_a_phone_is_asked_for_a_colour_and_told_what_could_be_inferred():
    favourite = played(True, until=Phase.OWN)
    screen = game.screen(favourite, 2)
    assert (screen.key, screen.kind, len(screen.data["scale"])) == ("own/1", "rate", 5)
    assert screen.data["colour"] in CODES
    for _ in range(OWN):
        favourite.answer(1, favourite.question(1).key, 2)
    assert "when all have rated or your teacher goes on, after 90 seconds" in game.screen(favourite, 1).text
    favourite.enter(4)
    assert game.screen(favourite, 4).title == words.LATE
    favourite.go_on()
    assert game.screen(favourite, 1).kind == "rate"
    assert game.screen(favourite, 2).title == "Round 1 of 8: and this one?"
    favourite.answer(2, "round/1/1", 3)
    assert game.screen(favourite, 2).kind == "tell"
    to_the_end(favourite)
    assert game.screen(favourite, 2).data["big"] == words.how_sure(favourite.question(2).sure.sure)
    assert game.screen(favourite, 4).title == words.OVER


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "under 1 of 100"), (0.004, "under 1 of 100"), (0.57, "57 of 100"), (0.996, "over 99 of 100"),
     (1.0, "certain")],
)  # fmt: skip
def test_nobody_is_called_certain_who_is_not(share, said):
    assert words.how_sure(share) == said


def test_below_the_number_stand_one_limit_and_one_meaning_and_no_promise_without_noise():
    def lines(sure, runs=1, all_runs=0.3):
        return words.end_lines(Sure(sure, 1.31, 0.79, 0.638, runs, all_runs))

    assert lines(0.3) == [
        "Over many pupils such guesses are right in at most 64 of 100, as in front. Of one pupil somebody "
        "can be surer: ε = 1.31 allows 79 of 100, rare cases aside.",
        "Below 50: they would rather say that you stayed away, and be wrong.",
        f"{words.ONLY_YOU} {words.BEHIND}",
    ]
    again = lines(0.65, 2, 0.7)
    assert again[1].startswith("Above 50: they would rather say that you took part")
    assert again[2] == "From all 2 runs that you were in: 70 of 100."
    assert lines(0.46)[1].endswith("toss a coin.")
    bare = words.end_lines(Sure(1.0, math.inf, 1.0, 1.0, 2, 1.0))
    assert bare == [words.BARE, words.BARE_IN, "From all 2 runs that you were in: certain.", words.ONLY_YOU]
    absent = Sure(1 / 257, math.inf, 1.0, 1.0, 1, 1 / 257)
    assert words.end_lines(absent)[1] == words.BARE_OUT


def test_colours_have_names_that_fit_and_neighbours_around_the_circle():
    names = [words.colour_name(row) for row in range(COUNT)]
    assert (len(set(names)), (names[6], names[COUNT // 2 + 1])) == (12 * 5, ("a red", "a very dark turquoise"))
    assert [names[hue * LIGHTNESSES + 6] for hue in (1, 15, 16, 17, 23)] == [
        *("an orange", "a blue", "a blue", "a violet", "a red")
    ]
    first, last = 6, (HUES - 1) * LIGHTNESSES + 6
    assert words.about_the_same(first, last)
    for other in (first + LIGHTNESSES // 2 - 1, (HUES // 2) * LIGHTNESSES + 6):
        assert not words.about_the_same(first, other)
    drawn = Picture(height=game.HEIGHT)
    game.grid(drawn, SimpleNamespace(belief=None, named=(100,)), "", (0.0, 0.485))
    assert not drawn.layout["annotations"]  # no name covers the colours around it
    # The trail does not cross the picture where hues close the circle.
    assert game.trail((6, 18, last)) == ([0, 1, -1, None, 25, 23], [6, 6, 6, None, 6, 6])


def test_larger_is_likelier_and_the_ring_is_whole_and_named_at_the_edge_of_either_grid():
    belief = np.zeros(COUNT)
    belief[100] = 1.0
    sizes = game.sizes(belief)
    assert (sizes.argmax(), sizes.max()) == (100, pytest.approx(1.0))
    assert game.SMALLEST <= sizes.min() < game.SMALLEST + 0.01
    assert (game.sizes(None) == 1.0).all()
    seen = played(True, False, z=2.0).seen()
    edges = zip(seen.courses, (LIGHTNESSES - 1, COUNT - 1), strict=True)
    drawn = game.picture(replace(seen, courses=tuple(replace(one, named=(row,) * ROUNDS) for one, row in edges)))
    rings = [trace["cliponaxis"] for trace in drawn.data if trace.get("name") == "favourite"]
    assert rings == [False] * 6
    heads = [unmarked(label["text"]) for label in drawn.layout["annotations"]]
    assert [head.split("\n")[0] for head in heads] == [
        f"{way} noise: {words.colour_name(row)}" for way, row in (("without", COUNT - 1), ("with", LIGHTNESSES - 1))
    ]


@pytest.mark.parametrize(
    ("votes", "begun", "said"),
    [
        (("bare", "bare", "noise"), None, "2 : 1 for no noise. "),
        (("noise",), None, "1 : 0 for noise. "),
        (("bare", "bare"), True, "No rating"),
    ],
)
def test_what_the_class_has_voted_is_said_when_it_begins_and_only_if_it_decided(votes, begun, said):
    favourite = played(votes=votes)
    favourite.begin(30, 2.0, begun)
    assert words.note(favourite.seen()).startswith(said)


def test_a_vote_is_about_what_is_done_is_counted_on_the_projector_and_a_tie_is_for_noise():
    nobody, favourite = played(), played(votes=("noise", "bare"))
    nobody.begin(30, 2.0)
    assert title(nobody).startswith("Nobody has voted, so with noise. First")
    assert title(played(votes=["bare"])) == "1 of 3 have voted: 0 with noise, 1 without"
    assert title(favourite) == "2 of 3 have voted: 1 with noise, 1 without"
    favourite.leave(3)
    assert title(favourite) == "2 of 2 have voted: 1 : 1, so with noise, to be safe"
    favourite.begin(30, 2.0)
    assert title(favourite).startswith("1 : 1, so with noise, to be safe. First everybody rates 6")
    assert favourite.seen().course.z == 2.0
    screen = game.screen(played(), 1)
    said = [f"{option['text']}: {option['note']}" for option in screen.data["options"]]
    assert all("The server" in each for each in said)
    for each in (*said, screen.title, screen.text, words.note(played().seen())):
        assert not re.search("finds|favourite|sure|took part|miss|certain|tell that", each)


# The desk.


def board():
    import streamlit as st

    from pages.parts.classroom.games.favourite import desk

    room = st.session_state.the_room
    with room.look() as favourite:
        desk(room, favourite)


@pytest.fixture
def room():
    room = House().open("teacher")
    for name in ("one", "two"):
        room.join(digest(name))
    room.begin("favourite", Favourite(np.random.default_rng(1)))
    return room


def at(room):
    app = AppTest.from_function(board)
    app.session_state.the_room = room
    return app.run()


def press(app, key):
    """Press one of the desk's buttons; return what can be pressed next."""
    app.button(f"favourite/{key}").click().run()
    return labels(app)


def test_the_desk_leads_through_a_run_and_offers_the_other_way(room):
    app = at(room)
    assert labels(app) == ["Begin as voted"]
    app.session_state[game.SIZE] = 60
    offered = press(app, "begin")
    with room.look() as favourite:
        assert (favourite.seen().course.agents, favourite.seen().course.z) == (60, 2.0)
    for _ in range(ROUNDS + 1):
        assert offered == ["Go on"]
        offered = press(app, "go")
    assert offered == ["Again, without noise", "Again, with noise", "Vote again"]
    press(app, "again/False")
    with room.look() as favourite:
        assert favourite.seen().course.z == 0.0
        to_the_end(favourite)
    app.run()
    assert (app.button[0].label, press(app, "vote")) == ("Again, with noise", ["Begin as voted"])


@pytest.mark.parametrize("word", ["weak", "strong", "none", None])
@pytest.mark.parametrize(
    ("votes", "noise"), [(("noise", "noise"), True), (("bare", "bare"), False), (("noise", "bare"), True)]
)
def test_the_vote_alone_decides_whether_there_is_noise(room, word, votes, noise):
    for pupil, vote in zip(room.pupils, votes, strict=True):
        room.answer(pupil, "vote/1", vote)
    app = at(room)
    (control,) = [each for each in app.get("button_group") if each.label == "If with noise"]
    assert [option.split(" · ")[0] for option in control.options] == ["weak", "strong"]
    assert all("ε = " in option for option in control.options)
    app.session_state[game.NOISE] = word
    press(app, "begin")
    with room.look() as favourite:
        assert favourite.seen().course.z == (game.NOISES.get(word, 2.0) if noise else 0.0)


def test_an_experiment_that_is_begun_anew_goes_on_with_the_room_s_account(room):
    app = at(room)
    press(app, "begin")
    press(app, "go")
    room.begin("favourite", Favourite(np.random.default_rng(2)))
    app.run()
    with room.look() as favourite:
        assert favourite.ledger.uses == [2.0]
        favourite.begin(30, 2.0, True)
        favourite.go_on()
        course = favourite.seen().course
    assert course.total[0] > course.epsilon[0]
    assert words.loss(course)[1].startswith("of all runs together")


def test_a_room_s_account_goes_with_the_room_and_the_kind_begins_with_real_noise():
    room = Room("ABC234", "teacher")
    game.LEDGERS.setdefault(room, Favourite(np.random.default_rng(1)).ledger)
    before = len(game.LEDGERS)
    del room
    gc.collect()
    assert len(game.LEDGERS) < before
    assert not FAVOURITE.start()._dice.repeated
    assert math.isfinite(game.spent(game.planned(2.0), 30)[-1])
