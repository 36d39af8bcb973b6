"""The Federated page without a browser: it runs with every choice of data, and bad input gets a sentence."""

import dataclasses
import io
import json
import re
from html import unescape

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.federated import figures
from pages.parts.federated.agents import FAMILY, GRADES, MINE, OWN, SCHOOLS, Agents, family
from pages.parts.federated.setup import Setup, Shown
from pages.parts.federated.tabs import rounds, sweep
from pages.parts.frame.live import Live
from pages.parts.frame.record import KEY
from pages.parts.frame.session import OWN as OWN_DATA
from pages.parts.values.axes import nice
from pages.parts.values.numbers import epsilon_text, to_its_error
from pages.parts.values.palette import DARK, LIGHT, NON_PRIVATE
from tests.helpers.paths import APP

SMALL = {"N": "6", "T": "4", "M": "10"}


def page(agents=FAMILY, tab=None, **address):
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in (SMALL | address).items():
        app.query_params[name] = value
    app.session_state["agents"] = agents
    app.session_state["federated_runs"] = "5"
    if tab is not None:
        app.session_state["federated_tab"] = tab
    return app.switch_page(str(APP.parent / "pages" / "federated.py"))


def said(app):
    texts = [each.value for each in (*app.markdown, *app.warning, *app.info, *app.caption)]
    texts += [each.proto.body for each in app.get("html")]
    return unescape(re.sub(r"<style.*?</style>|</?[a-z][^>]*>", "", " ".join(texts), flags=re.DOTALL)).replace("\\", "")


@pytest.mark.parametrize("agents", [FAMILY, GRADES, SCHOOLS, OWN])
def test_page_runs_with_every_choice_of_data(agents):
    app = page(agents).run()
    assert not app.exception
    text = said(app)
    assert "5 runs, bands ± 1 standard error" in text
    assert "counted exactly; the paper claims " in text
    assert ("Choose a file above" in text) == (agents == OWN)


@pytest.mark.parametrize(
    ("tab", "words"),
    [
        ("Clipping and noise", "of the vectors are clipped in round 1"),
        ("Weights", "A sub-region first hears its own explorers"),
        ("Map", "Round 1: 6 of 6 agents follow the server"),
        ("Privacy against utility", "the regret goes from"),
        ("Solve", "by changing a single slider"),
        ("Theory", "To reproduce today’s ε"),
        ("Honest notes", "A small S does no harm here"),
    ],
)
@pytest.mark.parametrize("z", ["1", "0"])
def test_every_tab_runs(tab, words, z):
    app = page(tab=tab, z=z).run()
    assert not app.exception
    if z == "1":
        assert words in said(app)


def test_numbers_on_the_page_are_the_engines():
    text = said(page(q="0.25", z="1", T="40").run())
    delta = 6**-1.1
    moments, pld = (pb.privacy.epsilon(0.25, 1, 40, delta, method) for method in ("moments", "pld"))
    kernel = pb.gp.SquaredExponential(0.15)
    settings = pb.federated.Settings(kernel, 0.01, 40, q=0.25, z=1.0, S=11.0, P=2)
    exact = pb.federated.losses(settings, 6, "pld", "exact")[-1]
    assert exact < 0.8 * pld
    assert (
        f"40 rounds cost ε = {epsilon_text(exact)}, counted exactly; the paper claims {epsilon_text(moments)}" in text
    )
    assert re.search(
        rf"{epsilon_text(exact)}\s*counted exactly; the paper counts {epsilon_text(moments)}", text
    )  # the tile
    assert f"One by one, as in the paper: {epsilon_text(pld)}." in text
    assert f"ε = {exact:.3g}, δ = " in text  # on the card
    assert "counted by the sensitivity of the joint vector, which is this project's and not the paper's" in text


def test_the_gain_is_spent_on_less_noise_if_the_address_says_so():
    app = page(q="0.25", z="1", T="12", P="4", N="24", federated_spend="noise").run()
    text = said(app)
    papers, pld = (pb.privacy.epsilon(0.25, 1, 12, 24**-1.1, method) for method in ("moments", "pld"))
    assert (
        f"Up to 2 times less noise at the ε = {epsilon_text(papers)} that the paper claims after 12 rounds; counted "
        f"exactly, {epsilon_text(pld)}" in text
    )
    assert f"ε = {pld:.3g}, δ = " in text
    assert "noise calibrated to the sensitivity of the joint vector" in text
    assert re.search(r"Less noise at the same ε (saves|costs|has no clear effect)", text)
    curves = {trace.get("name"): trace for trace in app.session_state[KEY].figures["federated-regret"].picture.data}
    assert {"DP-FTS-DE", "DP-FTS-DE/paper"} < set(curves)
    settings = pb.federated.Settings(
        pb.gp.SquaredExponential(0.15), 0.01, 12, features=10, q=0.25, z=1.0, S=11.0, P=4, calibration="exact"
    )
    simulation = family(0.1)
    algorithms = {"less": settings, "papers": dataclasses.replace(settings, calibration="paper")}
    *_, progress = simulation.compare(algorithms, 24, 5)
    for name, drawn in (("less", "DP-FTS-DE"), ("papers", "DP-FTS-DE/paper")):
        np.testing.assert_allclose(curves[drawn]["y"], progress.band(name, "simple").mean)
    saved = progress.saved("less", "papers", 10)
    assert f"± {to_its_error(saved.standard_error[0], saved.standard_error[0])} σ" in text


def test_with_one_region_there_is_nothing_to_spend():
    app = page(P="1", federated_spend="noise").run()
    assert "DP-FTS-DE/paper" not in {
        trace.get("name") for trace in app.session_state[KEY].figures["federated-regret"].picture.data
    }
    assert "With one sub-region there is one vector" in said(app)
    assert "“nothing” is not one of the choices for Spend the gain on" in said(page(federated_spend="nothing").run())


def test_a_model_that_nobody_read_off_leaves_the_promise_proved():
    text = said(page(FAMILY).run())
    assert "Guarantee: proved" in text
    assert "the one that the agents are drawn from" in text


def test_a_model_that_was_fitted_to_the_schools_makes_their_promise_conditional():
    text = said(page(SCHOOLS).run())
    assert "Guarantee: conditional" in text
    assert "the kernel's length-scales, the noise variance, the unit" in text


def test_schools_that_predict_grades_start_from_what_is_recommended_and_share_a_model_from_elsewhere():
    text = said(page(GRADES, P="1").run())
    assert "Guarantee: proved" in text
    assert "fitted to 263 smaller schools, which take no part" in text
    assert re.search(r"± 0\.\d+ grades", text)
    assert "in grades" not in text
    # Starting from three is meant here, and no want of points.
    assert "so each agent starts from" not in text
    assert not page(GRADES, tab="Map").run().exception


def test_a_model_that_was_read_off_a_table_makes_the_promise_conditional_until_it_is_stated():
    app = uploaded(page(OWN, z="0.8").run(), table())
    assert "Guarantee: conditional" in said(app)
    assert "here it was read off them: the kernel's length-scales, the noise variance, the unit" in said(app)
    fitted = app.session_state[MINE]["simulation"].first
    next(each for each in app.toggle if each.label == "The model was known before").set_value(True).run()
    assert "Until it says from where it was known, the model is read off the table" in said(app)
    assert app.session_state[MINE]["simulation"].first.read_off == fitted.read_off != ()
    next(each for each in app.text_input if each.label == "Known from where?").set_value("a trial in *1999*").run()
    assert not app.exception
    text = said(app)
    assert "Guarantee: proved" in text
    assert "a trial in *1999*" in text
    stated = app.session_state[MINE]["simulation"].first
    assert (stated.unit, stated.noise_variance, stated.points[-1, 0]) == (1.0, pytest.approx(0.01), 1.0)


@pytest.mark.parametrize("accountant", ["moments (the paper’s)", "loss distributions"])
def test_the_noise_that_the_exact_count_asks_for_stands_beside_the_accountants(accountant):
    text = said(
        page(tab="Solve", q="0.25", T="12", P="4", N="24", federated_accountant=accountant, federated_wanted="3").run()
    )
    method = "moments" if "moments" in accountant else "pld"
    settings = pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, 12, q=0.25, z=1.0, S=11.0, P=4)
    papers = pb.federated.noise_needed(settings, 24, 3.0, method)
    exact = pb.federated.noise_needed(settings, 24, 3.0, "pld", "exact")
    assert exact < 0.75 * papers
    ceiling = np.ceil(exact * 1000) / 1000
    assert (
        f"| z, counted exactly | q = 0.25, T = 12, P = 4 | z = {ceiling:g} or more, {100 * exact / papers:.0f} %"
        in text
    )
    assert pb.federated.losses(dataclasses.replace(settings, z=ceiling), 24, "pld", "exact")[-1] <= 3.0


def test_no_noise_means_no_guarantee_in_words():
    text = said(page(z="0").run())
    assert "ε is ∞" in text
    assert "No guarantee: ε = ∞" in text


def test_few_agents_impossible_cuts_and_numbers_out_of_range_get_sentences():
    text = said(page(N="2", P="8").run())
    assert "N is 2, so δ" in text
    assert "P is 2 instead of 8" in text
    assert "P, sub-regions takes 1, 2, 4, 8" in said(page(P="3").run())
    assert "out of range" in said(page(q="1.5").run())


def table():
    x = np.linspace(0, 1, 12)
    rows = [(f"site {n}", a, np.sin(4 * a + 0.1 * n)) for n in range(4) for a in x]
    return pd.DataFrame(rows, columns=["site", "dose", "effect"])


def uploaded(app, frame):
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    return app.get("file_uploader")[0].upload("table.csv", buffer.getvalue().encode(), "text/csv").run()


def test_an_uploaded_table_is_used_and_forgotten():
    app = uploaded(page(OWN, z="0.8").run(), table())
    assert not app.exception
    text = said(app)
    assert "each agent starts from 1, not 10" in text
    assert "5 runs, bands ± 1 standard error" in text
    assert app.session_state[MINE]["simulation"].first.names == ("dose",)
    next(button for button in app.button if button.label == "Forget my data").click().run()
    assert not app.exception
    assert MINE not in app.session_state or not app.session_state[MINE]


def test_a_bad_table_gets_a_sentence_and_loses_nothing():
    app = page(OWN, z="0.8").run()
    broken = table().assign(effect="good")
    app = uploaded(app, broken)
    assert not app.exception
    text = said(app)
    assert "Parameters is empty" in text
    assert "5 runs, bands ± 1 standard error" in text
    assert app.session_state["federated/last"]["z"] == 0.8
    app = uploaded(app, table())
    assert "simulation" in app.session_state[MINE]
    app = uploaded(app, table()[["site", "dose"]])
    assert "at least three are needed" in said(app)
    app = uploaded(app, broken)
    assert "The table used before stays in place" in said(app)
    assert app.session_state[MINE]["simulation"].first.names == ("dose",)


def test_agents_measured_at_different_points_are_modelled_and_the_page_says_so():
    app = uploaded(page(OWN, z="0.8").run(), table().drop(index=[3, 17]))
    assert not app.exception
    assert "What is optimised is that model, not what was measured" in said(app)
    assert app.session_state[MINE]["simulation"].first.modelled


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_pictures_are_what_plotly_takes(palette):
    problem = pb.federated.synthetic(agents=6, side=8)
    base = pb.federated.Settings(problem.kernel, 0.01, iterations=5, initial=3, features=10, q=0.5, z=1.0, S=5.0, P=2)
    simulation = pb.federated.Simulation(lambda run: problem)
    setup = Setup(Agents("toy", problem, lambda h: simulation, "f", 1.0, 0.5), simulation, base, 6, 0.0)
    *_, progress = setup.compare(2)
    moments = pb.federated.losses(base, 6)
    first = next(simulation.rounds(base, 6, 0))
    simple, cumulative = Shown("simple", 2), Shown("cumulative", 2)
    swept = sweep.Sweep(setup, "z", 2)
    *_, whole = swept.steps(stopped=False)
    point = sweep.Point(1.0, 5.0, 0.2, 0.1)
    drawn = [
        figures.privacy(
            setup, figures.Counted(moments, {"rdp": moments, "pld": moments, "exact": moments}, fresh=True), 20.0
        ),
        figures.regret(setup, simple, progress, before=np.ones(3), top=None, stopped=False),
        figures.regret(setup, cumulative, progress, before=None, top=3.0, stopped=True),
        rounds.clipped_figure(base, progress),
        rounds.noise_figure(base, progress),
        rounds.weights_figure(base, 6),
        sweep.sweep_figure(swept, whole),
    ]
    pictures = [
        *(figure.picture for figure in drawn),
        figures.privacy_picture(
            figures.Counted(moments, {"pld": moments[:3], "exact": moments[1:4]}, fresh=True), 3, 20.0
        ),
        figures.privacy_picture(figures.Counted(moments, {"pld": moments[:2]}, fresh=False), 3, 20.0),
        figures.privacy_picture(figures.Counted(moments, {"pld": [float("inf")] * 3}, fresh=True), 3, 20.0),
        figures.privacy_picture(figures.Counted([float("inf")] * 5), 3, 10.0),
        rounds.over_rounds([("noise", progress.band("DP-FTS-DE", "noise"), NON_PRIVATE, "dash")], "", False),
        rounds.weights(np.full((2, 5), 0.5)),
        rounds.region_map(
            problem, problem.objectives[0], first.regions, [("own", first.queries, NON_PRIVATE, "circle")]
        ),
        sweep.trade_off([point], {"TS": 0.4}, "z", 1.0, "f"),
        sweep.trade_off([], {}, "z", 1.0, "f"),
    ]
    for picture in pictures:
        go.Figure(json.loads(picture.as_json(palette)))


def test_what_was_stopped_stays_so_and_says_so(monkeypatch):
    monkeypatch.setattr(Live, "stopped", property(lambda live: True))
    app = page(q="0.613", tab="Clipping and noise").run()  # which no other test computes
    assert not app.exception
    text = said(app)
    assert "Stopped before there was anything to compare" in text
    assert "0 of 5 runs; stopped" in text
    assert "Nothing has been computed yet" in text
    assert [button.label for button in app.button if button.key in ("federated_go", "federated_stop")] == ["Go on"]


def test_what_is_kept_of_own_data_is_kept_under_names_that_are_forgotten():
    app = uploaded(page(OWN, tab="Map", z="0.8").run(), table())
    assert app.session_state[f"{OWN_DATA}live/federated"]["values"]["private"].shape == (4,)
    assert len(app.session_state[f"{OWN_DATA}live/federated map"]["values"]["rounds"]) == 4
    assert "federated/curve" not in app.session_state
    assert "federated/map" not in app.session_state


def test_numbers_have_the_digits_they_deserve():
    assert [epsilon_text(x) for x in (float("inf"), 9.9096, 0.5, 63.34, 1234.5, 123456.0)] == [
        "∞", "9.91", "0.500", "63.3", "1,230", "123,000"
    ]  # fmt: skip
    assert to_its_error(0.2649, 0.041) == "0.26"
    assert to_its_error(-0.00312, 0.0009, signed=True) == "−0.0031"
    assert nice(9.91) == 10
    assert nice(12.4) == 20
    assert figures.privacy_top([1, 9.0], 2, None) == 20
    assert figures.privacy_top([1, 9.0], 2, 50.0) == 50


HOSTILE = "![x](http://x.y/z.png) <b>b</b> **c**"


def markdown_on(app):
    """Return all texts on the page that the browser reads as Markdown."""
    boxes = (app.markdown, app.warning, app.info, app.error, app.success, app.caption)
    texts = [each.value for kind in boxes for each in kind]
    widgets = (app.button, app.selectbox, app.multiselect, app.toggle, app.radio, app.number_input)
    return texts + [each.label for kind in widgets for each in kind]


@pytest.mark.parametrize(
    "tab", ["Clipping and noise", "Weights", "Map", "Privacy against utility", "Solve", "Theory", "Honest notes"]
)
def test_names_from_a_file_are_never_markup(tab):
    named = table().rename(columns={"site": f"who {HOSTILE}", "dose": HOSTILE, "effect": f"unit {HOSTILE}"})
    named[f"who {HOSTILE}"] += HOSTILE
    app = uploaded(page(OWN, tab=tab, z="0.8").run(), named)
    assert not app.exception
    assert app.session_state[MINE]["simulation"].first.names == (HOSTILE,)
    for text in markdown_on(app):
        assert "](" not in text
        assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)
    written = [each.proto.body for each in app.get("html")]
    assert any("&lt;b&gt;b&lt;/b&gt; **c**" in body for body in written)  # the unit, in a tile
    assert not any("<b>" in body or "<img" in body for body in written)
    shown = {slot: figure.picture.as_json(LIGHT) for slot, figure in app.session_state[KEY].figures.items()}
    assert not any("<b>" in picture or "</b>" in picture for picture in shown.values())
    named_in = {"federated-regret", *({"regions"} & {*shown}), *({"trade-off"} & {*shown})}
    assert all("&lt;b&gt;b&lt;/b&gt; **c**" in shown[slot] for slot in named_in)
    assert ("regions" in shown) == (tab == "Map")
    assert ("trade-off" in shown) == (tab == "Privacy against utility")


def words_at_first(app):
    """Return the words there are to read before anybody opens anything, the names of controls left out."""
    hidden = {
        id(each.proto) for box in (*app.expander, *app.get("popover")) for each in walk(box) if hasattr(each, "proto")
    }
    texts = [each.proto.body for each in app.get("html") if id(each.proto) not in hidden]
    texts += [each.value for each in (*app.markdown, *app.warning, *app.info) if id(each.proto) not in hidden]
    return re.sub(r"<style.*?</style>|</?[a-z][^>]*>", " ", " ".join(texts), flags=re.DOTALL).split()


def walk(block):
    for child in block.children.values():
        yield child
        if hasattr(child, "children"):
            yield from walk(child)


@pytest.mark.parametrize("agents", [GRADES, SCHOOLS])
def test_little_is_to_be_read_before_anything_is_opened(agents):
    app = page(agents, N="98", P="2").run()
    assert not app.exception
    words = words_at_first(app)
    assert 100 < len(words) <= 200, " ".join(words)


def test_what_comes_of_a_server_without_noise_says_so_wherever_it_goes():
    app = page(z="0").run()
    record = app.session_state[KEY]
    assert all("nothing promised" in record.figures[slot].finding.stamp for slot in ("privacy", "federated-regret"))
    assert "nothing promised" in record.tiles[0].stamp
    assert "private sharing" not in said(app).lower()


def test_a_saving_is_claimed_only_where_its_interval_leaves_out_nothing():
    app = page(FAMILY, T="6").run()
    (found,) = re.findall(r"(Private sharing \w+|No clear gain)", said(app))
    simulation = family(0.1)
    settings = pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, 6, features=10, q=0.25, z=1.0, S=11.0, P=2)
    algorithms = {name: pb.federated.variants(settings)[name] for name in ("DP-FTS-DE", "TS")}
    *_, progress = simulation.compare(algorithms, 6, 5)
    gain = pb.federated.saving(progress, "DP-FTS-DE", "TS", 6)
    expected = "No clear gain" if not gain.clear else f"Private sharing {'saves' if gain.mean > 0 else 'costs'}"
    assert found == expected
