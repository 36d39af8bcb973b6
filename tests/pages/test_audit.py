"""The Audit page and what Outsourced says about its two releases, run without a browser."""

import contextlib
import io
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.audit import words as audit_words
from pages.parts.audit.attacks import EPSILON, MECHANISMS, Scene, textbook
from pages.parts.controls.live_sliders import Controls
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.show.card import guarantee_card
from pages.parts.show.look import DARK, LIGHT
from privbo_core import outsourced
from privbo_core.data import synthetic
from privbo_core.outsourced import Setting, Simulation

APP = str(Path(__file__).parents[2] / "app.py")
ATTACKS = [(mechanism, attack) for mechanism, (_, attacks) in MECHANISMS.items() for attack in attacks]


def controls(mechanism, attack, **changes):
    values = {slider.key: float(slider.value) for slider in MECHANISMS[mechanism][1][attack].sliders}
    quick = {"trials": 1000.0 if values.get("trials", 0) > 1000 else 60.0, "pairs": 10.0}
    return Controls({key: changes.get(key, quick.get(key, value)) for key, value in values.items()})


def last_view(mechanism, attack, colours=LIGHT, **changes):
    simulation = Simulation(synthetic(side=20))
    scene = Scene(controls(mechanism, attack, **changes), simulation, colours)
    *_, view = MECHANISMS[mechanism][1][attack].run(scene)
    return view, scene


@pytest.mark.parametrize(("mechanism", "attack"), ATTACKS)
@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_pictures_pass_plotlys_checks_and_have_words_for_those_who_cannot_see_them(mechanism, attack, colours):
    view, scene = last_view(mechanism, attack, colours)
    for panel in (view.left, view.right):
        assert panel.title
        assert panel.table or panel.picture
        if panel.picture:
            go.Figure({"data": panel.picture.data, "layout": panel.picture.layout})
            panel.picture.as_json()
            assert len(panel.alt) > 20
    assert audit_words.LEADS[f"{mechanism}/{attack}"]
    heading, text = audit_words.explain(f"{mechanism}/{attack}", scene)
    assert heading
    assert len(text) > 200


@pytest.mark.parametrize("epsilon", [0.4, 2.0])
@pytest.mark.parametrize("r", [2.0, 10.0])
def test_the_paper_s_projection_is_refuted_in_words_and_colours(epsilon, r):
    view, _ = last_view("projection", "tell", epsilon=epsilon, r=r)
    assert "is refuted" in view.right.title
    assert "Told apart every time" in view.left.title
    assert "<s>" in view.tiles
    claimed = view.right.picture.data[1]
    assert claimed["marker"]["pattern"]["shape"] == "x"
    assert claimed["marker"]["line"]["color"] == LIGHT.refuted
    view, _ = last_view("projection", "rebuild", epsilon=epsilon, r=r)
    assert "reveal all the others" in view.left.title
    assert view.left.table.count("<tr>") == 10


def test_a_claim_beyond_the_trials_is_said_to_be_beyond_them():
    view, _ = last_view("projection", "tell", epsilon=140.0)
    assert "Never wrong" in view.right.title
    assert "this is algebra, not chance" in view.right.title
    assert "refuted</" not in view.right.title


def test_with_one_dimension_less_only_combinations_are_revealed():
    view, _ = last_view("projection", "rebuild", r=1.0)
    assert "1 of 2 numbers about each record are revealed" in view.left.title
    assert "<s>" not in view.tiles


@pytest.mark.parametrize("attack", ["tell", "sharpest"])
def test_the_noisy_release_is_not_refuted(attack):
    view, _ = last_view("noisy", attack, epsilon=2.0)
    assert "not refuted" in view.right.title
    assert "<s>" not in view.tiles


@pytest.mark.parametrize("gaussian", [True, False])
def test_the_noise_slider_shows_the_teeth(gaussian):
    for share, words in ((1.0, "is not refuted"), (0.8, "is refuted")):
        scene = Scene(Controls({"epsilon": 1.0, "noise": share, "trials": 100_000.0}), None, LIGHT)
        *_, view = textbook(scene, gaussian)
        assert words in view.right.title


def test_the_five_lines_do_what_they_say():
    assert len(audit_words.CHECK.strip().splitlines()) == 5
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(audit_words.CHECK, {})
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
    assert app.code[0].value.strip() == audit_words.CHECK.strip()
    app.radio(key="attack-projection").set_value("rebuild").run()
    assert not app.exception
    app.selectbox(key="audited").set_value("choice").run()
    assert not app.exception


def test_guarantee_cards_say_which_holds():
    refuted = guarantee_card(outsourced.guarantee(1.0, 1e-5, "one row"))
    assert "refuted: see Audit" in refuted
    assert "pb-is-refuted" in refuted
    proved = guarantee_card(outsourced.noisy_guarantee(1.0, 1e-5, "one row"), given="assuming the bounds are public")
    assert "Guarantee: proved, assuming the bounds are public" in proved
    assert "<s" not in proved


@pytest.mark.parametrize("mechanisms", [("private",), ("noisy",), ("private", "noisy")])
def test_regret_pictures_hold_the_releases_that_were_asked_for(mechanisms):
    simulation = Simulation(synthetic(side=15))
    *_, comparison = simulation.compare(Setting(3.0, 1e-5, 5, 10), 3, mechanisms)
    old = {mechanism: comparison.band(mechanism) for mechanism in mechanisms}
    picture = outsourced_figures.regret(comparison, old, "simple", None, "σ", LIGHT)
    go.Figure({"data": picture.data, "layout": picture.layout})
    names = {trace.get("name") for trace in picture.data}
    assert ("private" in names) == ("private" in mechanisms)
    assert ("noisy release" in names) == ("noisy" in mechanisms)


def test_the_noise_picture_falls_with_epsilon():
    picture = outsourced_figures.noise(2, 5.0, Setting(2.0, 1e-5, 10, 10), LIGHT)
    go.Figure({"data": picture.data, "layout": picture.layout})
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
    assert ("proved, assuming the bounds are public" in text) == (release != "projection")


def test_epsilon_has_the_range_that_outsourced_has():
    assert (round(EPSILON.min, 3), round(EPSILON.max, 1)) == (0.368, 148.4)
