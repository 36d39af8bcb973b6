"""Be the modeler on the screen: what phones get and what they do not, what is projected, what the teacher does."""

import json
import re
import threading
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.classroom import phone as screen_module
from pages.parts.classroom.games import modeler
from pages.parts.classroom.games.game import act
from pages.parts.classroom.games.modeler import MODELER, screen
from pages.parts.classroom.games.modeler_pictures import change, from_best, moved, show, together
from pages.parts.classroom.rooms import GAMES
from pages.parts.views.picture import LIGHT, SHADES
from pages.parts.views.text import as_plain, spoken, two_digits
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.classroom import House
from privbo_core.classroom.games.modeler import ModelerGame
from privbo_core.classroom.ground import COLUMNS, Ground, simulated_leg
from tests.helpers.reading import plotly_takes

TESTS = 3


@pytest.fixture(scope="module", params=["noisy", "private"])
def legs(request):
    rng = np.random.default_rng(5)
    ground = Ground.draw("hospital", rng)
    return tuple(simulated_leg(ground, request.param, epsilon, TESTS, rng) for epsilon in (8.0, 0.3))


def begun(legs, pupils=3):
    game = MODELER.start()
    for pupil in range(1, pupils + 1):
        game.enter(pupil)
    game.begin(legs[0])
    return game


def tap_all(game, pupil, tests=TESTS):
    for _ in range(tests):
        known = {row for row, _ in screen(game, pupil).data["tested"]}
        game.answer(pupil, screen(game, pupil).key, next(row for row in range(pupil, 100) if row not in known))


def figure(game):
    """Return the one figure of the projector, after Plotly has looked at it."""
    (shown,) = show(game).figures
    plotly_takes(shown.picture)
    assert shown.alt
    return shown


def test_phones_get_the_released_map_and_the_outcomes_of_what_they_tested_only(legs):
    game = begun(legs)
    shown = screen(game, 1)
    assert (shown.kind, shown.key) == ("map", "test/1/1")
    released, ground = legs[0].map, legs[0].ground
    points = np.array(shown.data["points"])
    assert np.allclose(points, released.shown, rtol=1e-5)
    x0, x1, y0, y1 = shown.data["range"]
    assert x0 < points[:, 0].min() < points[:, 0].max() < x1
    assert y0 < points[:, 1].min() < points[:, 1].max() < y1
    # Not the table's numbers, in whichever frame: neither where the records are, nor what a test would tell.
    problem = ground.problem
    for true in (problem.original, problem.points, problem.frame.place(problem.original)):
        for column in true[released.order].T:
            assert not any(np.allclose(column, sign * axis, rtol=1e-3) for axis in points.T for sign in (1, -1))
    assert set(shown.data) == {"points", "tested", "range", "label", "axes"}
    assert [row for row, _ in shown.data["tested"]] == list(released.initial)
    json.dumps(asdict(shown), allow_nan=False)
    # Another pupil's taps are not on this phone.
    tap_all(game, 2)
    assert screen(game, 1) == shown


def test_a_phone_goes_from_map_to_map_to_the_end(legs):
    game = MODELER.start()
    game.enter(1)
    assert screen(game, 1).kind == "tell"
    game.begin(legs[0])
    tap_all(game, 1, 1)
    assert "The last one" in screen(game, 1).text
    assert screen(game, 1).title.startswith("Test 2 of 3")
    tap_all(game, 1, TESTS - 1)
    done = screen(game, 1)
    assert done.kind == "tell"
    assert from_best(game.question(1).regrets[0], legs[0].ground) in done.data["lines"][0]
    game.next(legs[1])
    assert screen(game, 1).key == "test/2/1"
    game.end()
    over = screen(game, 1)
    assert [line.split(":")[0] for line in over.data["lines"]] == ["At ε = 8", "At ε = 0.3"]
    assert "you made no test" in over.data["lines"][1]
    ground = legs[0].ground
    best = f"The highest of all is {ground.outcome.max():.1f} {ground.unit}."
    assert best in over.text
    assert best.replace(" is", ":") in figure(game).finding.note
    assert screen(game, 99).kind == "tell"


def test_what_is_refuted_is_stamped_on_every_picture_and_every_phone(legs):
    refuted = legs[0].map.mechanism == "private"
    game = begun(legs)
    pictures, phones = [figure(game)], [screen(game, 1)]
    for done in (lambda: tap_all(game, 1), lambda: (game.next(legs[1]), game.end())):
        done()
        pictures.append(figure(game))
        phones.append(screen(game, 1))
    for shown in pictures:
        assert (shown.finding.stamp == REFUTED_STAMP) == refuted
        assert any(note.get("name") == "stamp" for note in shown.picture.layout["annotations"]) == refuted
    for shown in phones:
        assert (REFUTED_STAMP in shown.text) == refuted


def test_the_projector_says_what_the_engine_counted_with_the_error_of_its_mean(legs):
    game = begun(legs)
    assert "where is the patient with the highest blood value?" in figure(game).finding.title
    for pupil in (1, 2):
        tap_all(game, pupil)
    tap_all(game, 3, 1)
    (seen,) = game.seen()
    assert together(seen) == TESTS  # two of three
    title = figure(game).finding.title
    assert title.startswith(f"After {TESTS} tests the class is {from_best(float(seen.people[-1]), legs[0].ground)};")
    here, usually, chance = (spoken(each[-1]) for each in (seen.here, seen.machine.mean, seen.chance))
    others = f"the machine {here} (over {seen.machine.runs} such maps {usually}), blind taps {chance}"
    assert title.endswith(f"; on its map {others}")
    assert f"thin: on the class’s own, where it is {spoken(seen.here[-1])} away." in figure(game).finding.note
    begun_by = "3 of 3 have begun, 2 made all 3; whoever made fewer counts with their best so far."
    assert begun_by in figure(game).finding.note
    for name, ends in (("the class", seen.people), ("the machine", seen.machine.mean), ("blind taps", seen.chance)):
        assert np.allclose(by_name(game)[name]["y"], ends)
    game = begun(legs, 3)
    for pupil in (1, 2, 3):
        tap_all(game, pupil)
    (seen,) = game.seen()
    ends = [game.question(pupil).regrets[0] for pupil in (1, 2, 3)]
    assert seen.errors[-1] == pytest.approx(np.std(ends, ddof=1) / np.sqrt(3))
    assert np.isinf(begun(legs, 1).seen()[0].errors).all()


def by_name(game):
    return {trace.get("name"): trace for trace in figure(game).picture.data if trace.get("name")}


def test_the_machine_and_chance_are_drawn_as_far_as_the_class_is(legs):
    game = begun(legs)
    assert by_name(game) == {}
    for reached in (1, 2):
        tap_all(game, 1, 1)
        assert {name: len(trace["x"]) for name, trace in by_name(game).items()} == dict.fromkeys(
            ("the class", "the machine", "blind taps"), reached
        )
    game.end()
    drawn = {name: len(trace["x"]) for name, trace in by_name(game).items()}
    assert drawn == {"the class": 2, "the machine": TESTS, "blind taps": TESTS}


def test_the_projector_says_what_its_map_shows_in_words_of_people(legs):
    game = begun(legs)
    shown, phone = figure(game), screen(game, 1)
    layout = shown.picture.layout
    axes = [layout[name]["title"]["text"] for name in ("xaxis", "yaxis")]
    if legs[0].map.mechanism == "noisy":
        assert {each.strip("←→ ") for each in axes} == {"older", "higher kidney value"}
        assert {each.strip("←→↑↓ ") for each in phone.data["axes"]} == {"older", "higher kidney value"}
        assert "years of age and a factor of 1." in shown.finding.note
    else:
        assert axes == ["a mix of age and kidney value →", "another mix of both →"]
    legend = next(note["text"] for note in layout["annotations"] if "already tested" in note["text"])
    assert "yellow higher, blue lower" in legend
    assert "already tested, yellow is higher, blue is lower" in phone.text
    tap_all(game, 1)
    pictures = [shown, figure(game)]
    game.next(legs[1])
    pictures.append(figure(game))
    game.end()
    for each in [*pictures, figure(game)]:
        said = json.dumps([each.finding.title, each.finding.note, each.alt, each.picture.as_json(LIGHT)])
        assert not [word for word in ("log_", "log mg", "UCB", "_rate", "longitude", "latitude") if word in said]
    assert "Higher is what is looked for here, not what is healthy." in shown.finding.note


@pytest.fixture(scope="module")
def clear():
    rng = np.random.default_rng(3)
    return simulated_leg(Ground.draw("homes", rng), "noisy", 30.0, TESTS, rng)


@pytest.mark.parametrize("turned", range(8))
def test_arrows_point_where_the_map_has_more(clear, turned):
    released = replace(clear.map, turned=turned)
    game = begun([replace(clear, map=released)], 1)
    layout, texts = figure(game).picture.layout, screen(game, 1).data["axes"]
    original = clear.ground.problem.original[released.order]
    for place, (axis, back, text) in enumerate(zip(("xaxis", "yaxis"), "←↓", texts, strict=True)):
        title = layout[axis]["title"]["text"]
        assert (title.strip("←→ "), title.startswith("←")) == (text.strip("←→↑↓ "), text.startswith(back))
        true = original[:, 0] if "farther east" in title else original[:, 1]
        assert (np.corrcoef(true, released.shown[:, place])[0, 1] > 0) == (not title.startswith("←"))
    assert {text.strip("←→↑↓ ") for text in texts} == {"farther east", "farther north"}


@pytest.mark.parametrize("source", COLUMNS)
def test_what_noise_moved_is_said_for_each_input(source):
    rng = np.random.default_rng(3)
    leg = simulated_leg(Ground.draw(source, rng), "noisy", 0.3, TESTS, rng)
    said, sigma = moved(leg.map), leg.map.sigma
    hidden = {each.name: sigma * each.hide for each in leg.ground.problem.frame.columns}
    if source == "hospital":
        factor = two_digits(float(np.exp(hidden["log_creatinine"])))
        assert said == f"{spoken(hidden['age'])} years of age and a factor of {factor} in the kidney value"
    elif source == "loans":
        assert said.startswith(f"{spoken(hidden['interest_rate'])} points of interest and ")
        assert said.endswith(" USD")
    else:
        # 100 m are hidden in either direction, as near as the frame’s rounded degrees say.
        east, north = (float(part.replace(",", "")) for part in re.findall(r"([\d,]+) m", said))
        assert (east, north) == (pytest.approx(100 * sigma, rel=0.1), pytest.approx(100 * sigma, rel=0.1))


def test_phones_and_projector_have_the_same_two_colours(legs):
    script = (Path(screen_module.__file__).parent / "thumbs.js").read_text()
    assert f"color-mix(in srgb, {SHADES[0]}, {SHADES[1]} " in script
    traces = [trace for game in (MODELER.start(), begun(legs)) for trace in figure(game).picture.data]
    scales = [trace["marker"]["colorscale"] for trace in traces if "colorscale" in trace.get("marker", {})]
    assert scales == [[[0, SHADES[0]], [1, SHADES[1]]]] * 2


def test_the_last_picture_has_both_maps_on_one_scale_and_says_the_difference(legs):
    game = begun(legs, 1)
    tap_all(game, 1)
    game.next(legs[1])
    tap_all(game, 1)
    game.end()
    one, other = game.seen()
    shown = figure(game)
    error = np.hypot(one.machine.standard_error[-1], other.machine.standard_error[-1])
    assert as_plain(shown.finding.title) == (
        f"After {TESTS} tests at ε = 0.3 instead of 8, the class is "
        f"{change(other.people[-1] - one.people[-1], 'mg/dL', np.inf)} "  # one pupil says nothing of a class
        f"on its map; over {one.machine.runs} such maps the machine "
        f"{change(other.machine.mean[-1] - one.machine.mean[-1], error=error)}, blind taps as near"
    )
    layout = shown.picture.layout
    assert layout["yaxis"]["range"] == layout["yaxis2"]["range"]
    texts = [note["text"] for note in layout["annotations"]]
    assert {"ε = 8", "ε = 0.3"} <= set(texts)
    game = begun(legs, 0)
    game.end()
    assert figure(game).finding.title.startswith("Nobody has made a test")
    assert figure(MODELER.start()).finding.title.startswith("Soon everybody has a map")


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [(1.23, (), "1.2 mg/dL farther"), (-0.5, (), "0.50 mg/dL nearer"), (0.0, (), "as near"), (1e-9, (), "as near"),
     (1.23, (0.7,), "1.2 mg/dL farther (perhaps by chance)"), (-9, (np.inf,), "9.0 mg/dL nearer (perhaps by chance)"),
     (1.23, (0.5,), "1.2 mg/dL farther")],
)  # fmt: skip
def test_a_difference_is_said_in_words_and_is_none_within_its_error(more, error, words):
    assert change(more, "mg/dL", *error) == words


def teaching():
    import streamlit as st

    from pages.parts.classroom.games.modeler import MODELER

    room = st.session_state["room"]
    with room.look() as game:
        MODELER.desk(room, game)


def at(room):
    app = AppTest.from_function(teaching)
    app.session_state["room"] = room
    return app.run()


def pressed(app, name):
    app.button(f"modeler/{name}").click().run()
    return epsilon_fields(app)


def test_the_teacher_begins_blurs_ends_and_plays_again():
    room = House().open("teacher")
    room.begin("modeler", MODELER.start())
    app = at(room)
    app.selectbox("modeler/source").set_value("loans")
    app.number_input("modeler/tests").set_value(2)
    assert epsilon_fields(app) == [("ε of the map", "8")]
    assert pressed(app, "map") == [("ε of the next map", "0.3")]  # what is played stands above the picture
    with room.look() as game:
        (leg,) = game.legs
        assert (leg.ground.source, leg.map.mechanism, leg.map.epsilon, leg.tests) == ("loans", "noisy", 8.0, 2)
    assert pressed(app, "map") == [("ε of the next map", "0.1")]
    with room.look() as game:
        assert [each.map.epsilon for each in game.legs] == [8.0, modeler.NEXT_EPSILON]
        assert game.legs[1].ground is leg.ground
    assert all(float(option) < modeler.NEXT_EPSILON for option in app.selectbox("modeler/epsilon").options)
    assert pressed(app, "end") == []
    with room.look() as game:
        assert game.phase == "over"
    assert app.button("modeler/map").disabled
    assert pressed(app, "end") == [("ε of the map", "8")]
    with room.look() as game:
        assert (game.phase, game.legs) == ("waiting", ())


def epsilon_fields(app):
    """Return each field of an ε: what stands above it, and what is chosen."""
    return [(field.label, f"{field.value:g}") for field in app.selectbox if field.key == "modeler/epsilon"]


def test_after_the_smallest_epsilon_there_is_no_next_map_to_choose():
    room, rng = House().open("teacher"), np.random.default_rng(2)
    room.begin("modeler", ModelerGame())
    leg = simulated_leg(Ground.draw("hospital", rng), "noisy", min(modeler.EPSILONS), TESTS, rng)
    room.act(lambda game: game.begin(leg))
    app = at(room)
    assert epsilon_fields(app) == []
    assert app.button("modeler/map").disabled
    assert not app.button("modeler/end").disabled


@pytest.mark.parametrize("doing", [modeler._begin, modeler._blur, modeler._again])
def test_a_button_of_a_game_that_is_over_by_now_changes_nothing(doing):
    room = House().open("teacher")
    other = next(kind for kind in GAMES if kind is not MODELER)
    room.begin(other.name, playing := other.start())
    press(doing, room)
    with room.look() as experiment:
        assert experiment is playing
    assert room.kind == other.name
    room.end()
    press(doing, room)
    with room.look() as experiment:
        assert experiment is None


def test_nor_does_one_that_was_drawn_for_the_game_before(monkeypatch):
    pressed = []
    monkeypatch.setattr("streamlit.button", lambda *_, on_click, **look: pressed.append(on_click))
    room, other = House().open("teacher"), next(kind for kind in GAMES if kind is not MODELER)
    room.begin(MODELER.name, MODELER.start())
    act(room, "End, and compare", ModelerGame.end, "flag")
    room.begin(other.name, other.start())
    version = room.version
    pressed[0]()
    assert room.version == version


def test_phones_are_served_while_a_map_is_made(monkeypatch):
    room = House().open("teacher")
    room.begin("modeler", MODELER.start())
    free = []

    def make(*how):
        phone = threading.Thread(target=room.tick)
        phone.start()
        phone.join(30)
        free.append(not phone.is_alive())
        return simulated_leg(*how, np.random.default_rng(1))

    monkeypatch.setattr(modeler, "make_leg", make)
    for doing in (modeler._begin, modeler._blur):
        press(doing, room)
    with room.look() as game:
        assert len(game.legs) == 2
    assert free == [True, True]


def press(doing, room):
    """Do what a button does, as if it had been pressed on a page that is older than the room's game."""

    def page():
        import streamlit as st

        st.session_state["doing"](st.session_state["room"])

    shown = AppTest.from_function(page)
    shown.session_state["doing"], shown.session_state["room"] = doing, room
    epsilon = 0.3 if doing is modeler._blur else 3.0
    chosen = {"source": "hospital", "release": "noisy", "epsilon": epsilon, "tests": 3}
    for name, value in chosen.items():
        shown.session_state[f"modeler/{name}"] = value
    shown.run()
