"""Our favourite without a browser: what phones and projector show in each phase, and the teacher's desk."""

import gc
import json
import math
import re
from types import SimpleNamespace

import numpy as np
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.experiments.favourite import desk, phone, projector, words
from pages.parts.experiments.favourite.kind import FAVOURITE
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.picture import Picture
from pages.parts.values.text import unmarked
from pages.parts.values.views import AUDIENCES
from privbo_core.classroom import House, Room, digest
from privbo_core.classroom.favourite import CODES, COUNT, HUES, LIGHTNESSES, OWN, ROUNDS, Favourite, Phase, Sure

PEOPLE = (1, 2, 3)


def played(*runs, size=30, z=1.0, until=None):
    """Return an experiment with seeded dice after these runs, with noise or without, or in a phase of the last."""
    favourite = Favourite(np.random.default_rng(4))
    for pupil in PEOPLE:
        favourite.enter(pupil)
    for number, noise in enumerate(runs, start=1):
        favourite.begin(size, z, noise)
        if until is Phase.OWN and number == len(runs):
            return favourite
        favourite.go_on()
        if until is Phase.ROUNDS and number == len(runs):
            return favourite
        for _ in range(ROUNDS):
            favourite.go_on()
    return favourite


def voting_again():
    favourite = played(True)
    favourite.vote_again()
    return favourite


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
    view = projector.show(favourite)
    (figure,) = view.figures
    for theme in (LIGHT, DARK):
        drawn = plotly.io.from_json(figure.picture.as_json(theme))
        assert drawn.data
    assert figure.finding.title
    assert figure.finding.audience in AUDIENCES
    assert figure.alt.endswith(".")
    assert not re.search(r"  |\bNone\b|\bnan\b", f"{figure.finding.title}|{figure.finding.note}|{figure.alt}")
    for tile in view.tiles:
        assert tile.name
        assert tile.value
    for pupil in (*PEOPLE, 99):
        screen = phone.screen(favourite, pupil)
        assert screen.title
        json.dumps([screen.key, screen.title, screen.text, dict(screen.data), screen.answer])


def test_the_title_follows_what_happens():
    title = [words.title(favourite.seen()) for favourite in (state() for state in STATES[:8])]
    assert "Shall the server add noise" in title[0]
    assert title[1] == f"First everybody rates {OWN} colours of their own: 0 of 3 have"
    assert title[2].startswith("Round 1 of 8: 30, of them 3 of you, seem to like a")
    assert "guessing whether you took part is right in at most 76 of 100" in title[3]
    assert "can tell that you took part" in title[6]
    assert re.search("[Ww]ith noise", title[7])
    voted = played()
    voted.answer(1, "vote/1", "bare")
    assert words.title(voted.seen()) == "1 of 3 have voted: 0 with noise, 1 without"


def test_the_last_picture_says_whether_both_ways_name_the_same_colour():
    seen = played(True, False, z=2.0).seen()
    private, bare = seen.courses
    for near, sentence in (
        (True, "About the same colour with noise and without"),
        (False, "another colour: noise hides you, and blurs"),
    ):
        row = bare.named[-1]
        other = row if near else (row + COUNT // 2) % COUNT
        moved = type(private)(**{**vars(private), "named": (*private.named[:-1], other)})
        assert sentence in words.title(type(seen)(**{**vars(seen), "courses": (moved, bare)}))


@pytest.mark.parametrize("state", STATES[2:4] + STATES[5:10])
def test_whose_taste_it_is_stands_wherever_it_is_told(state):
    seen = state().seen()
    assert f"{seen.course.agents}, of them 3 of you" in words.title(seen)
    alone = Favourite(np.random.default_rng(2))
    for pupil in range(1, 22):
        alone.enter(pupil)
    alone.begin(20, 2.0)
    for _ in range(ROUNDS + 1):
        alone.go_on()
        assert "ll 21 of you seem to like a" in words.title(alone.seen())
        assert "simulated" not in words.note(alone.seen())
    empty = Favourite(np.random.default_rng(2))
    empty.begin(20, 2.0)
    empty.go_on()
    assert words.title(empty.seen()).startswith("Round 1 of 8: 20 simulated pupils seem to like a")


def to_the_end(favourite, noise, size=30):
    favourite.begin(size, 2.0, noise)
    while favourite.seen().phase is not Phase.END:
        favourite.go_on()


def test_runs_are_compared_only_where_the_same_people_were_in_both():
    favourite = played(True, z=2.0)
    favourite.enter(4)
    to_the_end(favourite, False)
    seen = favourite.seen()
    assert words.both_ways(seen) is None
    assert re.fullmatch("30, of them 4 of you, seem to like an? .* best; but whoever knows .*", words.title(seen))
    assert "The run with noise was another class’s: play it again" in words.note(seen)
    assert "xaxis2" not in projector.picture(seen).layout
    to_the_end(favourite, True)
    seen = favourite.seen()
    assert words.both_ways(seen) == seen.courses[1:]
    assert re.search("[Ww]ith noise", words.title(seen))
    favourite.leave(1)  # after the run
    assert words.both_ways(favourite.seen()) is not None
    favourite.enter(5)  # as many, but others
    to_the_end(favourite, False)
    assert words.both_ways(favourite.seen()) is None


def test_who_goes_while_a_run_lasts_makes_it_another_class():
    favourite = played(True)
    favourite.begin(30, 1.0, False)
    favourite.go_on()
    favourite.leave(2)
    while favourite.seen().phase is not Phase.END:
        favourite.go_on()
    assert words.both_ways(favourite.seen()) is None


def test_numbers_on_the_projector_are_those_of_the_run():
    favourite = played(True, z=2.0)
    tiles = {tile.name: tile for tile in projector.show(favourite).tiles}
    course = favourite.seen().course
    assert tiles["The class"].value == "30"
    assert tiles["The class"].remark == "of them 3 of you, and 27 simulated pupils"
    assert float(tiles["Privacy loss ε"].value) == pytest.approx(course.epsilon[-1], rel=5e-3)
    assert tiles["Privacy loss ε"].audience == "share"
    assert tiles["Guessing whether you took part"].value == "64 of 100"
    near = sum(belief for row, belief in enumerate(course.belief) if words.about_the_same(row, course.named[-1]))
    assert tiles["Near the favourite"].value == f"{round(100 * near)} of 100"
    again = played(True, True, z=2.0)
    total = again.seen().course.total[-1]
    (loss,) = [tile for tile in projector.show(again).tiles if tile.name == "Privacy loss ε"]
    assert loss.remark.endswith(f"with all that was broadcast before: {total:.2f}")
    smaller = played(True, size=200)
    smaller.begin(30, 2.0, True)
    smaller.go_on()
    assert words.loss(smaller.seen().course)[1].endswith(", apart from a chance of about 3 in 1,000")
    assert tiles["Privacy loss ε"].remark == "after 8 rounds, apart from a chance of about 2 in 100"


def test_without_noise_it_is_stamped_and_never_called_released_under_the_promise():
    for favourite in (played(False, until=Phase.ROUNDS), played(False), played(True, False)):
        view = projector.show(favourite)
        assert view.figures[0].finding.audience == "refuted"
        assert "share" not in {tile.audience for tile in view.tiles}
        assert any("nothing promised" in tile.stamp for tile in view.tiles)
        text = view.figures[0].picture.as_json(LIGHT)
        assert "nothing promised" in text or "nothing is promised" in text


def test_who_rated_what_is_not_on_the_projector():
    """Two classes that differ in one pupil's ratings show the same until something is broadcast."""
    shown = []
    for value in (0, 4):
        favourite = played(True, until=Phase.OWN)
        for _ in range(OWN):
            favourite.answer(1, favourite.asked(1).key, value)
        view = projector.show(favourite)
        shown.append((view.tiles, view.figures[0].finding, view.figures[0].picture.as_json(LIGHT)))
    assert shown[0] == shown[1]


def test_a_phone_is_asked_for_a_colour_and_told_what_could_be_inferred():
    favourite = played(True, until=Phase.OWN)
    screen = phone.screen(favourite, 2)
    assert (screen.key, screen.kind) == ("own/1", "rate")
    assert screen.data["colour"] in CODES
    assert len(screen.data["scale"]) == 5
    favourite.enter(4)
    assert phone.screen(favourite, 4).title == words.LATE
    favourite.go_on()
    assert phone.screen(favourite, 2).title == "Round 1 of 8: and this one?"
    favourite.answer(2, "round/1/1", 3)
    assert phone.screen(favourite, 2).kind == "tell"
    for _ in range(ROUNDS):
        favourite.go_on()
    told = phone.screen(favourite, 2)
    assert told.data["big"] == words.how_sure(favourite.asked(2).sure.sure)
    assert phone.screen(favourite, 4).title == words.OVER


def test_who_has_rated_all_is_told_what_the_rounds_wait_for():
    favourite = played(True, until=Phase.OWN)
    for _ in range(OWN):
        favourite.answer(1, favourite.asked(1).key, 2)
    assert "when all have rated or your teacher goes on, after 90 seconds" in phone.screen(favourite, 1).text
    favourite.go_on()
    assert phone.screen(favourite, 1).kind == "rate"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "under 1 of 100"), (0.004, "under 1 of 100"), (0.57, "57 of 100"), (0.996, "over 99 of 100"),
     (1.0, "certain")],
)  # fmt: skip
def test_nobody_is_called_certain_who_is_not(share, said):
    assert words.how_sure(share) == said


def test_below_the_number_stand_one_limit_and_one_meaning():
    usual = words.end_lines(Sure(0.3, 1.31, 0.79, 0.853, 0.638, 1, 0.3, 0.853))
    assert usual == [
        "The promise: 86 of 100 at most, in 19 of 20 cases.",
        "Below 50: they would say that you stayed away, and be wrong.",
        f"{words.ONLY_YOU} {words.BEHIND}",
    ]
    again = words.end_lines(Sure(0.6, 1.31, 0.79, 0.853, 0.638, 2, 0.7, 0.92))
    assert again[1].startswith("Above 50: they would say that you took part")
    assert again[2] == "From all 2 runs that you were in: 70 of 100."
    assert words.end_lines(Sure(0.46, 1.31, 0.79, 0.853, 0.638, 1, 0.3, 0.853))[1].endswith("toss a coin.")


def test_without_noise_nobody_is_told_of_a_promise_or_of_noise():
    bare = words.end_lines(Sure(1.0, math.inf, 1.0, 1.0, 1.0, 2, 1.0, 1.0))
    assert bare == [words.BARE, words.BARE_IN, "From all 2 runs that you were in: certain.", words.ONLY_YOU]
    assert words.end_lines(Sure(1 / 257, math.inf, 1.0, 1.0, 1.0, 1, 1 / 257, 1.0))[1] == words.BARE_OUT


def test_colours_have_names_and_neighbours_around_the_circle():
    names = {words.colour_name(row) for row in range(COUNT)}
    assert len(names) == 12 * 5
    assert words.colour_name(6) == "a red"
    assert words.colour_name(COUNT // 2 + 1) == "a very dark turquoise"
    assert "an orange" in names
    first, last = 6, (HUES - 1) * LIGHTNESSES + 6
    assert words.about_the_same(first, last)
    assert not words.about_the_same(first, first + LIGHTNESSES // 2 - 1)
    assert not words.about_the_same(first, (HUES // 2) * LIGHTNESSES + 6)


@pytest.mark.parametrize("place", range(len(STATES)))
def test_no_letter_of_the_theory_but_epsilon_is_on_the_projector(place):
    view = projector.show(STATES[place]())
    finding = view.figures[0].finding
    said = [finding.title, finding.note, *(f"{tile.name} {tile.value} {tile.remark}" for tile in view.tiles)]
    assert not re.search("[δσαβμz] =", " ".join(said))


def test_the_trail_does_not_cross_the_picture_where_hues_close_the_circle():
    x, y = projector.trail((6, 18, (HUES - 1) * LIGHTNESSES + 6))
    assert x == [0.0, 1.0, None, 23.0]
    assert y == [6.0, 6.0, None, 6.0]


def test_the_ring_is_whole_and_named_at_the_edge_of_either_grid():
    seen = played(True, False, z=2.0).seen()
    edge = (LIGHTNESSES - 1, COUNT - 1)
    moved = tuple(
        type(one)(**{**vars(one), "named": (row,) * ROUNDS}) for one, row in zip(seen.courses, edge, strict=True)
    )
    drawn = projector.picture(type(seen)(**{**vars(seen), "courses": moved}))
    rings = [trace for trace in drawn.data if trace.get("name") == "favourite"]
    assert len(rings) == 6
    assert all(trace["cliponaxis"] is False for trace in rings)
    named = {label["xref"]: label for label in drawn.layout["annotations"] if label["xref"] != "paper"}
    assert (named["x"]["xanchor"], named["x2"]["xanchor"]) == ("right", "left")


def test_larger_is_likelier():
    belief = np.zeros(COUNT)
    belief[100] = 1.0
    sizes = projector.sizes(belief)
    assert sizes.argmax() == 100
    assert sizes.max() == pytest.approx(1.0)
    assert projector.SMALLEST <= sizes.min() < projector.SMALLEST + 0.01
    assert (projector.sizes(None) == 1.0).all()


# The desk.


def board():
    import streamlit as st

    from pages.parts.experiments.favourite.desk import desk

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
    app = AppTest.from_function(board, default_timeout=60)
    app.session_state.the_room = room
    return app.run()


def labels(app):
    return [button.label for button in app.button]


def test_the_desk_leads_through_a_run_and_offers_the_other_way(room):
    app = at(room)
    assert not app.exception
    assert labels(app) == ["Begin as voted"]
    app.session_state[desk.SIZE] = 60
    app.button("favourite/begin").click().run()
    with room.look() as favourite:
        assert favourite.seen().course.agents == 60
        assert favourite.seen().course.z == 2.0
    for _ in range(ROUNDS + 1):
        assert labels(app) == ["Go on"]
        app.button("favourite/go").click().run()
    assert labels(app) == ["Again, without noise", "Again, with noise", "Vote again"]
    app.button("favourite/again/False").click().run()
    with room.look() as favourite:
        assert favourite.seen().course.z == 0.0
        while favourite.seen().phase is not Phase.END:
            favourite.go_on()
    app.run()
    assert labels(app)[0] == "Again, with noise"
    app.button("favourite/vote").click().run()
    assert labels(app) == ["Begin as voted"]
    assert not app.exception


@pytest.mark.parametrize("word", ["weak", "strong", "none", None])
@pytest.mark.parametrize(
    ("votes", "noise"), [(("noise", "noise"), True), (("bare", "bare"), False), (("noise", "bare"), True)]
)
def test_the_vote_alone_decides_whether_there_is_noise(room, word, votes, noise):
    for pupil, vote in enumerate(votes, start=1):
        room.answer(room.pupils[pupil - 1], "vote/1", vote)
    app = at(room)
    (control,) = [each for each in app.get("button_group") if each.label == "If with noise"]
    assert [option.split(" · ")[0] for option in control.options] == ["weak", "strong"]
    assert all("ε = " in option for option in control.options)
    app.session_state[desk.NOISE] = word
    app.button("favourite/begin").click().run()
    with room.look() as favourite:
        assert favourite.seen().course.z == (desk.NOISES.get(word, 2.0) if noise else 0.0)


def test_a_tie_is_said_on_the_projector_while_it_is_voted_and_when_it_begins():
    favourite = played()
    for pupil, vote in ((1, "noise"), (2, "bare")):
        favourite.answer(pupil, "vote/1", vote)
    assert words.title(favourite.seen()) == "2 of 3 have voted: 1 with noise, 1 without"
    favourite.leave(3)
    assert words.title(favourite.seen()) == "2 of 2 have voted: 1 : 1, so with noise"
    favourite.begin(30, 2.0)
    assert words.title(favourite.seen()).startswith("1 : 1, so with noise. First everybody rates 6")
    assert favourite.seen().course.z == 2.0


def test_the_vote_s_options_say_what_is_done_and_not_what_comes_out():
    screen = phone.screen(played(), 1)
    said = [f"{option['text']}: {option['note']}" for option in screen.data["options"]]
    assert all("The server" in each for each in said)
    for each in (*said, screen.title, screen.text, words.note(played().seen())):
        assert not re.search("finds|favourite|sure|took part|miss|certain|tell that", each)


def test_what_the_class_has_voted_is_said_when_it_begins_and_only_if_it_decided():
    for votes, noise, said in (
        (("bare", "bare", "noise"), None, "2 : 1 for no noise. "),
        (("noise",), None, "1 : 0 for noise. "),
        (("bare", "bare"), True, "No rating"),
    ):
        favourite = played()
        for pupil, vote in enumerate(votes, start=1):
            favourite.answer(pupil, "vote/1", vote)
        favourite.begin(30, 2.0, noise)
        assert words.note(favourite.seen()).startswith(said)
    favourite = played()
    favourite.begin(30, 2.0)
    assert words.title(favourite.seen()).startswith("Nobody has voted, so with noise. First")


def test_an_experiment_that_is_begun_anew_goes_on_with_the_room_s_account(room):
    app = at(room)
    app.button("favourite/begin").click().run()
    app.button("favourite/go").click().run()
    room.begin("favourite", Favourite(np.random.default_rng(2)))
    app.run()
    with room.look() as favourite:
        assert favourite.ledger.uses == [2.0]
        favourite.begin(30, 2.0, True)
        favourite.go_on()
        course = favourite.seen().course
        assert course.total[0] > course.epsilon[0]
    assert "with all that was broadcast before" in words.loss(course)[1]


def test_a_room_s_account_goes_with_the_room():
    room = Room("ABC234", "teacher")
    desk._account(room, Favourite(np.random.default_rng(1)))
    before = len(desk.LEDGERS)
    del room
    gc.collect()
    assert len(desk.LEDGERS) < before


def test_the_kind_begins_with_real_noise():
    favourite = FAVOURITE.start()
    assert not favourite._dice.repeated
    assert math.isfinite(desk.spent(desk.planned((), 2.0, ROUNDS), 30)[-1])


def test_the_name_of_any_colour_fits_beside_it_in_half_a_picture():
    for row in range(len(CODES)):
        drawn = Picture(height=projector.HEIGHT)
        projector.grid(drawn, SimpleNamespace(belief=None, named=(row,)), "", (0.0, 0.485), 22)
        (label,) = drawn.layout["annotations"]
        lines = unmarked(label["text"]).split("\n")
        assert " ".join(lines) == words.colour_name(row)
        assert max(map(len, lines)) <= 14
