"""The Audit page and what Outsourced says about its two releases, run without a browser."""

import contextlib
import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import systems
from pages.parts.audit.textbook import TEXTBOOK
from pages.parts.controls.live_sliders import Controls
from pages.parts.frame.record import KEY
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.outsourced.audited.attacks import CHECK
from pages.parts.outsourced.audited.targets import EPSILON
from pages.parts.outsourced.regret import Regret
from pages.parts.outsourced.sliders import Case
from pages.parts.show.card import guarantee_card
from pages.parts.show.templates import render
from pages.parts.system.attack import Scene
from pages.parts.values.palette import DARK, LIGHT, REFUTED
from pages.parts.values.text import as_html
from privbo_core import outsourced
from privbo_core.data import make_problem, synthetic
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.paths import APP

AUDITED = {each.key: each for each in (*(a for system in systems.SYSTEMS for a in system.audited), TEXTBOOK)}
ATTACKS = [(mechanism.key, attack.key) for mechanism in AUDITED.values() for attack in mechanism.attacks]
EXACT = {
    ("projection", "rebuild"),
    ("noisy", "rebuild"),
    ("choice", "prior"),
    ("choice", "task"),
    ("score", "lipschitz"),
    ("selection", "setting"),
    ("selection", "exponential"),
}
"""What is computed without trials, and so has no third figure."""


def slots(mechanism, attack):
    sides = ("left", "right") if (mechanism, attack) in EXACT else ("left", "right", "testing")
    return [f"audit-{mechanism}-{attack}-{side}" for side in sides]


def find(mechanism, attack):
    return next(each for each in AUDITED[mechanism].attacks if each.key == attack)


def controls(mechanism, attack, **changes):
    values = {slider.key: float(slider.value) for slider in find(mechanism, attack).sliders}
    quick = {"trials": {200.0: 60.0, 400.0: 100.0}.get(values.get("trials"), 1000.0), "pairs": 10.0, "records": 10.0}
    return Controls({key: changes.get(key, quick.get(key, value)) for key, value in values.items()})


def last_view(mechanism, attack, problem=None, **changes):
    simulation = Simulation(problem or synthetic(side=20))
    scene = Scene(controls(mechanism, attack, **changes), simulation)
    *_, view = find(mechanism, attack).run(scene)
    return view, scene


def titles(view):
    left, right, *_ = view.figures
    return left.finding.title, right.finding.title


def tiles(view):
    return render("tiles.html", tiles=view.tiles)


def test_the_attacks_keep_the_addresses_under_which_people_know_them():
    assert ATTACKS == [
        ("projection", "tell"),
        ("projection", "rebuild"),
        ("noisy", "tell"),
        ("noisy", "rebuild"),
        ("noisy", "sharpest"),
        ("noisy", "frame-follows"),
        ("noisy", "frame-public"),
        ("choice", "prior"),
        ("choice", "task"),
        ("score", "noisy"),
        ("score", "exact"),
        ("score", "ramp"),
        ("score", "lipschitz"),
        ("selection", "setting"),
        ("selection", "both"),
        ("selection", "exponential"),
        ("canary", "all"),
        ("canary", "one"),
        ("canary", "model"),
        ("textbook", "laplace"),
        ("textbook", "gaussian"),
    ]
    assert all(AUDITED[mechanism].data or find(mechanism, attack).data for mechanism, attack in ATTACKS)


@pytest.mark.parametrize(("mechanism", "attack"), ATTACKS)
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_pictures_pass_plotlys_checks_and_have_words_for_those_who_cannot_see_them(mechanism, attack, colours):
    view, scene = last_view(mechanism, attack)
    assert [figure.slot for figure in view.figures] == slots(mechanism, attack)
    assert len(view.tiles) == 4
    for figure in view.figures:
        assert figure.finding.title
        assert figure.table or figure.picture
        if figure.picture:
            go.Figure(json.loads(figure.picture.as_json(colours)))
            assert len(figure.alt) > 20
    chosen = find(mechanism, attack)
    assert chosen.lead
    heading, text = chosen.explain(scene)
    assert heading
    assert len(text) > 200


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
@pytest.mark.parametrize("r", [2.0, 10.0])
def test_the_paper_s_projection_is_refuted_in_words_and_colours(epsilon, r):
    view, _ = last_view("projection", "tell", epsilon=epsilon, r=r)
    left, right = titles(view)
    assert "is refuted" in right
    assert "Told apart every time" in left
    assert "<s " in tiles(view)
    claimed = view.figures[1].picture.data[1]
    assert claimed["marker"]["pattern"]["shape"] == "x"
    assert claimed["marker"]["line"]["color"] == REFUTED
    view, _ = last_view("projection", "rebuild", epsilon=epsilon, r=r)
    assert "reveal all the others" in titles(view)[0]
    table = view.figures[0].table
    assert render("table.html", table=table).count("<tr>") == 10
    assert {sum(cell.wide for cell in row.cells) for row in table.body} == {
        sum(cell.wide for cell in table.head[0].cells)
    }
    assert len(table.head[1].cells) + 1 == len(table.body[0].cells)


def test_a_claim_beyond_the_trials_is_said_to_be_beyond_them():
    view, _ = last_view("projection", "tell", epsilon=140.0)
    finding = view.figures[1].finding
    assert "Never wrong" in finding.title
    assert "this is algebra, not chance" in finding.note
    assert "refuted" not in finding.title


def test_few_records_are_rebuilt_too():
    few = synthetic(side=20)
    rows = [0, 57, 190, 333, 399]
    table = pd.DataFrame(few.original[rows], columns=["a", "b"]).assign(y=few.objective[rows])
    problem = make_problem(table, ["a", "b"], "y", maximize=True)
    view, _ = last_view("projection", "rebuild", problem)
    assert "3 known records of 5 reveal all the others" in titles(view)[0]
    assert len(view.figures[0].table.body) == 2


def test_with_one_dimension_less_only_combinations_are_revealed():
    view, _ = last_view("projection", "rebuild", r=1.0)
    assert "1 of 2 numbers about each record are revealed" in titles(view)[0]
    # This attack alone does not refute the promise; it is refuted all the same, and stamped.
    assert "<s " in tiles(view)
    assert view.tiles[0].remark.startswith("refuted by the other attack")


@pytest.mark.parametrize("attack", ["tell", "sharpest"])
def test_the_noisy_release_is_not_refuted(attack):
    view, _ = last_view("noisy", attack, epsilon=2.0)
    assert "not refuted" in titles(view)[1]
    assert "<s" not in tiles(view).replace("<span", "")


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_noise_slider_shows_the_teeth(noise):
    for share, words in ((1.0, "is not refuted"), (0.8, "is refuted")):
        view, _ = last_view("textbook", noise, epsilon=1.0, noise=share, trials=100_000.0)
        assert words in titles(view)[1]


def test_bars_have_plain_names_and_labels_that_break():
    view, _ = last_view("canary", "one")
    picture = view.figures[1].picture
    names = ["this audit shows at least", "claimed: moments", "claimed: loss distributions", "counted exactly"]
    assert [trace["name"] for trace in picture.data] == names
    assert [trace["y"] for trace in picture.data] == [[name] for name in names]
    axis = json.loads(picture.as_json(LIGHT))["layout"]["yaxis"]
    assert axis["tickvals"] == names
    assert axis["ticktext"] == [
        "this audit shows<br>at least",
        "claimed:<br>moments",
        "claimed:<br>loss distributions",
        "counted exactly",
    ]


@pytest.mark.parametrize(("mechanism", "attack"), [pair for pair in ATTACKS if pair[0] in ("projection", "noisy")])
def test_names_from_a_file_stay_text(mechanism, attack):
    table = synthetic(side=20)
    name = "<b>*a-b*</b>"
    # Without what was known of the columns, whose names would be others.
    named = replace(table, names=(name, *table.names[1:]), units=("<i>", *table.units[1:]), known_frame=None)
    view, scene = last_view(mechanism, attack, named)
    shown = "".join(
        render("finding.html", finding=figure.finding)
        + (render("table.html", table=figure.table) if figure.table else "")
        for figure in view.figures
    )
    drawn = "".join(figure.picture.as_json(LIGHT) for figure in view.figures if figure.picture)
    for text in (shown, drawn, render("tiles.html", tiles=view.tiles), find(mechanism, attack).explain(scene)[1]):
        assert "<b>*" not in text
        assert "<i>" not in text
    assert as_html(name) in shown
    guarantee, _ = find(mechanism, attack).claim(scene)
    assert name in guarantee.neighbours


def test_the_five_lines_do_what_they_say():
    assert len(CHECK.strip().splitlines()) == 5
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(CHECK, {})
    here, there = map(float, printed.getvalue().split())
    assert here < 1e-13
    assert 1e-3 < there < 1e-1


def test_the_page_runs_from_its_own_address_and_states_the_finding():
    app = AppTest.from_file(APP, default_timeout=120)
    app.run().switch_page("pages/audit.py").run()
    assert not app.exception
    assert app.selectbox(key="audited").value == "projection"
    words = " ".join(element.value for element in app.markdown)
    for part in ("What is shown", "Under which conditions", "more than d + 1 records", "What is not said", "utility"):
        assert part in words
    assert app.code[0].value.strip() == CHECK.strip()
    app.radio(key="attack-projection").set_value("rebuild").run()
    assert not app.exception
    app.selectbox(key="audited").set_value("choice").run()
    assert not app.exception
    assert "What is shown" not in " ".join(element.value for element in app.markdown)


@pytest.mark.parametrize(("mechanism", "attack"), ATTACKS)
def test_the_page_runs_each_attack(mechanism, attack):
    app = AppTest.from_file(APP, default_timeout=120)
    app.run().switch_page("pages/audit.py")
    few = {
        "trials": "60" if attack in ("tell", "frame-follows", "frame-public") else "1000",
        "pairs": "10",
        "records": "10",
    }
    few["trials"] = "100" if (mechanism, attack) == ("score", "noisy") else few["trials"]
    for name, value in {"audited": mechanism, f"attack-{mechanism}": attack, **few}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.radio(key=f"attack-{mechanism}").value == attack
    record = app.session_state[KEY]
    assert list(record.figures) == slots(mechanism, attack)
    assert len(record.tiles) == 4
    assert len(record.explanations) == 1
    lead = find(mechanism, attack).lead
    assert any(as_html(lead) in str(element.value) for element in app.get("html"))


def test_another_attack_does_not_take_over_settings_that_mean_something_else():
    app = AppTest.from_file(APP, default_timeout=120)
    app.run().switch_page("pages/audit.py")
    app.query_params["trials"], app.query_params["epsilon"] = "60", "100"
    app.run()
    assert app.session_state[KEY].settings["ε"].value == "100"
    app.selectbox(key="audited").set_value("textbook").run()
    assert not app.exception
    assert not app.info
    assert app.session_state[KEY].settings["ε"].value == "1"


def test_guarantee_cards_say_which_holds():
    refuted = guarantee_card(outsourced.guarantee(1.0, 1e-5, "one row"))
    assert "refuted: see Audit" in refuted.heading
    assert "pb-is-refuted" in render("card.html", card=refuted)
    proved = guarantee_card(outsourced.noisy_guarantee(1.0, 1e-5, "one row", synthetic(side=15).frame))
    assert proved.heading == "Guarantee: proved"
    assert "<s" not in render("card.html", card=proved)


@pytest.mark.parametrize("mechanisms", [("private",), ("noisy",), ("private", "noisy")])
def test_regret_pictures_hold_the_releases_that_were_asked_for(mechanisms):
    simulation, setting = Simulation(synthetic(side=15)), Setting(3.0, 1e-5, 5, 10)
    *_, comparison = simulation.compare(setting, 3, mechanisms)
    old = {mechanism: comparison.band(mechanism).mean for mechanism in mechanisms}
    picture = Regret(comparison, Case(simulation, setting, mechanisms, 3), "simple").picture(old)
    go.Figure(json.loads(picture.as_json(LIGHT)))
    names = {trace.get("name") for trace in picture.data}
    assert bool(names & {"private", "projection"}) == ("private" in mechanisms)
    assert ("noisy release" in names) == ("noisy" in mechanisms)


def test_the_noise_picture_falls_with_epsilon():
    frame = synthetic(side=15).frame
    picture = outsourced_figures.noise(frame, np.array([5.0, 8.0]), Setting(2.0, 1e-5, 10, 10))
    go.Figure(json.loads(picture.as_json(LIGHT)))
    curve = picture.data[0]["y"]
    assert list(curve) == sorted(curve, reverse=True)
    assert np.interp(2.0, picture.data[0]["x"], curve) == pytest.approx(picture.data[1]["y"][0], rel=0.05)


@pytest.mark.parametrize("release", ["projection", "noisy", "both"])
def test_outsourced_runs_with_each_release(release):
    app = AppTest.from_file(APP, default_timeout=120)
    app.run().switch_page("pages/outsourced.py")
    app.session_state["outsourced/last"] = {"runs": 5.0, "T": 10.0}
    app.session_state["release"] = release
    app.run()
    assert not app.exception
    cards = [element.value for element in app.get("html") if "pb-card" in str(element.value)]
    text = " ".join(cards)
    assert ("refuted: see Audit" in text) == (release != "noisy")
    assert ("Guarantee: proved" in text) == (release != "projection")
    assert "assuming the bounds" not in text


def test_epsilon_has_the_range_that_outsourced_has():
    assert (round(EPSILON.min, 3), round(EPSILON.max, 1)) == (0.35, 150)
