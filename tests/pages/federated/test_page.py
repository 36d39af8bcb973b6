"""The Federated page without a browser: it runs with every choice of data, and bad input gets a sentence."""

import dataclasses
import io
import re
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.federated import figures, question
from pages.parts.federated.agents import FAMILY, GRADES, MINE, OWN, SCHOOLS, Mine, family
from pages.parts.federated.view import Counted
from pages.parts.live.work import Live
from pages.parts.shell.session import OWN as OWN_DATA
from pages.parts.views.picture import LIGHT, nice
from pages.parts.views.text import epsilon_text, to_its_error
from tests.helpers.opening import open_page
from tests.helpers.readability import MOST, words_of
from tests.helpers.reading import HOSTILE, asked_in_vain, html, marked, plotly_takes, press, record, said, traces
from tests.pages.federated.test_simple import viewed

TABS = {
    "Clipping and noise": "of the vectors are clipped in round 1",
    "Weights": "A sub-region first hears its own explorers",
    "Map": "Round 1: 6 of 6 agents follow the server",
    "Privacy against utility": "the regret goes from",
    "Theory": "To reproduce today’s ε",
    "Honest notes": "A small S does no harm here",
}


def page(agents=FAMILY, tab=None, **query):
    state = {"agents": agents, "federated_runs": "5"} | ({"federated_tab": tab} if tab else {})
    return open_page("federated", state, **{"N": "6", "T": "4", "M": "10"} | query)


def settings_of(T, **changed):
    """What the page has set, but for T and what is changed."""
    known = {"features": 10, "q": 0.25, "z": 1.0, "S": 11.0, "P": 2}
    return pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, T, **known | changed)


@pytest.mark.parametrize("z", ["1", "0"])
def test_every_tab_runs(z):
    app, drawn = page(z=z), {}
    for tab, words in TABS.items():
        app.session_state["federated_tab"] = tab
        app.run()
        drawn |= record(app).figures
        text = said(app)
        assert "5 runs, bands ± 1 standard error" in text, tab
        assert z == "0" or words in text
    assert ("counted exactly; the paper claims " in text) == (z == "1")
    if z == "0":
        app.session_state["federated_tab"] = "Solve"
        assert "not possible: " in said(app.run())
    assert list(drawn) == ["privacy", "federated-regret", "clipped", "noise", "weights", "regions", "trade-off"]
    for figure in drawn.values():
        plotly_takes(figure.picture)
    # What comes of a server without noise says so wherever it goes.
    for shown in (drawn["privacy"].finding, drawn["federated-regret"].finding, record(app).tiles[0]):
        assert ("nothing promised" in shown.stamp) == (z == "0")
    assert ("No guarantee: ε = ∞" in text and "ε is ∞" in text) == (z == "0")
    assert z == "1" or "private sharing" not in text.lower()


def test_numbers_on_the_page_are_the_engines():
    text = said(page(q="0.25", z="1", T="8"))
    moments, pld = (pb.privacy.epsilon(0.25, 1, 8, 6**-1.1, method) for method in ("moments", "pld"))
    exact = pb.federated.losses(settings_of(8), 6, "pld", "exact")[-1]
    assert exact < 0.8 * pld
    papers = epsilon_text(moments)
    assert f"8 rounds cost ε = {epsilon_text(exact)}, counted exactly; the paper claims {papers}" in text
    assert f"{epsilon_text(exact)} counted exactly; the paper counts {papers}" in text  # the tile
    assert f"One by one, as in the paper: {epsilon_text(pld)}." in text
    assert f"ε = {exact:.3g}, δ = " in text  # on the card
    assert "counted by the sensitivity of the joint vector, which is this project's and not the paper's" in text
    assert "Guarantee: proved" in text
    assert "the one that the agents are drawn from" in text


def test_the_gain_is_spent_on_less_noise_if_the_address_says_so():
    app = page(q="0.25", z="1", T="6", P="4", N="24", federated_spend="noise")
    text = said(app)
    papers, pld = (pb.privacy.epsilon(0.25, 1, 6, 24**-1.1, method) for method in ("moments", "pld"))
    assert f"Up to 2 times less noise at the ε = {epsilon_text(papers)} that the paper claims after 6 rounds" in text
    assert f"counted exactly, {epsilon_text(pld)}" in text
    assert f"ε = {pld:.3g}, δ = " in text
    assert "noise calibrated to the sensitivity of the joint vector" in text
    assert re.search(r"Less noise at the same ε (saves|costs|has no clear effect)", text)
    less = settings_of(6, P=4, calibration="exact")
    *_, progress = family(0.1).compare({"less": less, "papers": dataclasses.replace(less, calibration="paper")}, 24, 5)
    for name, drawn in (("less", "DP-FTS-DE"), ("papers", "DP-FTS-DE/paper")):
        np.testing.assert_allclose(traces(app, "federated-regret")[drawn]["y"], progress.band(name, "simple").mean)
    error = pb.federated.saving(progress, "less", "papers", 6).standard_error
    assert f"± {to_its_error(error, error)} σ" in text


def test_with_one_region_there_is_nothing_to_spend():
    app = page(P="1", federated_spend="noise")
    assert any("With P = 1 there is nothing to gain" in warning.value for warning in app.warning)
    links = {link.proto.label: dict(parse_qsl(link.proto.query_string)) for link in app.get("page_link")}
    at = {"z": "1", "q": "0.25", "T": "4", "N": "6"}
    assert at.items() <= links["Does it hold? Audit"].items()
    assert at | {"tradeoff_task": "Federated", "agents": FAMILY, "view": "expert"} == links["What each ε costs"]
    assert "DP-FTS-DE/paper" not in traces(app, "federated-regret")
    assert "With one sub-region there is one vector" in said(app)


def test_a_model_that_was_fitted_to_the_schools_makes_their_promise_conditional():
    app = page(SCHOOLS, N="98")
    text = said(app)
    assert "Guarantee: conditional" in text
    assert "the kernel's length-scales, the noise variance, the unit" in text
    assert 100 < len(words_of(app.main)) <= MOST


def test_schools_that_predict_grades_start_from_what_is_recommended_and_share_a_model_from_elsewhere():
    app = page(GRADES, P="1")
    text = said(app)
    assert "Guarantee: proved" in text
    assert "fitted to 263 smaller schools, which take no part" in text
    assert re.search(r"± 0\.\d+ grades", text)
    assert "in grades" not in text
    # Starting from three is meant here, and no want of points.
    assert "so each agent starts from" not in text
    app.session_state["federated_tab"] = "Map"
    app.run()


@pytest.mark.parametrize(
    ("accountant", "method"),
    [("moments (the paper’s)", "moments"), pytest.param("loss distributions", "pld", marks=pytest.mark.long)],
)
def test_the_noise_that_the_exact_count_asks_for_stands_beside_the_accountants(accountant, method):
    wanted = {"federated_accountant": accountant, "federated_wanted": "3"}
    text = said(page(tab="Solve", q="0.25", T="3", P="4", N="24", **wanted))
    assert "by changing a single slider" in text
    settings = settings_of(3, P=4)
    papers = pb.federated.noise_needed(settings, 24, 3.0, method)
    exact = pb.federated.noise_needed(settings, 24, 3.0, "pld", "exact")
    assert exact < 0.75 * papers
    ceiling = np.ceil(exact * 1000) / 1000
    row = "| z, counted exactly | q = 0.25, T = 3, P = 4 |"
    assert f"{row} z = {ceiling:g} or more, {100 * exact / papers:.0f} %" in text
    assert pb.federated.losses(dataclasses.replace(settings, z=ceiling), 24, "pld", "exact")[-1] <= 3.0


def test_few_agents_impossible_cuts_and_numbers_out_of_range_get_sentences():
    text = said(page(N="2", P="8"))
    assert "N is 2, so δ" in text
    assert "P is 2 instead of 8" in text
    asked = asked_in_vain(page(P="3", q="1.5"))
    assert "“P, sub-regions” takes 1, 2, 4, 8" in asked
    assert "1.5 is out of range" in asked


def table():
    x = np.linspace(0, 1, 12)
    rows = [(f"site {n}", a, np.sin(4 * a + 0.1 * n)) for n in range(6) for a in x]
    return pd.DataFrame(rows, columns=["site", "dose", "effect"])


def uploaded(app, frame):
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    app.get("file_uploader")[0].upload("table.csv", buffer.getvalue().encode(), "text/csv").run()
    return app


def first(app):
    return app.session_state[MINE].simulation.problem(0)


def test_an_uploaded_table_is_used_conditionally_until_its_model_is_stated_and_forgotten():
    app = page(OWN, tab="Map", z="0.8")
    assert "Choose a file above" in said(app)
    text = said(uploaded(app, table()))
    assert "each agent starts from 1, not 10" in text
    assert "The column “site” says who takes part, “effect” what is tuned for." in text
    assert "5 runs, bands ± 1 standard error" in text
    fitted = first(app)
    assert fitted.names == ("dose",)
    assert app.session_state[f"{OWN_DATA}live/federated"].kept["private"].shape == (4,)
    assert len(app.session_state[f"{OWN_DATA}live/federated map"].kept["rounds"]) == 4
    assert "federated/curve" not in app.session_state
    assert "federated/map" not in app.session_state
    assert "Guarantee: conditional" in text
    assert "here it was read off: the kernel's length-scales, the noise variance, the unit" in text
    next(each for each in app.toggle if each.label == "The model was known before").set_value(True).run()
    assert "Until it says from where it was known, the model is read off the table" in said(app)
    assert first(app).read_off == fitted.read_off != ()
    where = next(each for each in app.text_input if each.label == "Known from where?")
    where.set_value("a field trial in *1999*").run()
    text = said(app)
    assert "Guarantee: conditional" in text
    assert "here it was read off: how the table is written, because all of its cells together told" in text
    stated = first(app)
    assert (stated.read_off, stated.known_from) == ((pb.federated.problem.WRITTEN,), "a field trial in *1999*")
    assert (stated.unit, stated.noise_variance, stated.points[-1, 0]) == (1.0, pytest.approx(0.01), 1.0)
    press(app, "Forget my data")
    assert MINE not in app.session_state or app.session_state[MINE] == Mine()


def test_a_bad_table_gets_a_sentence_and_loses_nothing():
    broken = table().assign(effect="good")
    app = uploaded(page(OWN, z="0.8"), broken)
    text = said(app)
    assert "Parameters is empty" in text
    assert "5 runs, bands ± 1 standard error" in text
    assert app.session_state["federated/last"]["z"] == 0.8
    uploaded(app, table().drop(index=[3, 17]))
    assert "What is optimised is that model, not what was measured" in said(app)
    assert first(app).modelled
    assert "at least three are needed" in said(uploaded(app, table()[["site", "dose"]]))
    assert "The table used before stays in place" in said(uploaded(app, broken))
    assert first(app).names == ("dose",)


def test_pictures_are_what_plotly_takes_and_gains_are_no_costs_and_not_claimed_where_they_may_be_luck():
    view, _ = viewed(1.0, 0.8, 0.7, T=5)
    moments = view.counted.moments[:5]
    summed_up = dataclasses.replace(view, setup=dataclasses.replace(view.setup, measure="cumulative"), stopped=True)
    drawn = [
        figures.regret(view, None, np.ones(3)),
        figures.regret(summed_up, 3.0, None),
        figures.plain_regret(view, None, np.ones(3)),
    ]
    infinite = [float("inf")]
    counted = [
        Counted(moments, {"pld": moments[:3], "exact": moments[1:4]}, fresh=True),
        Counted(moments, {"pld": moments[:2]}, fresh=False),
        Counted(moments, {"pld": 3 * infinite}, fresh=True),
        Counted(5 * infinite),
    ]
    pictures = [
        *(figure.picture for figure in drawn),
        *(figures.privacy_picture(each, 3, 20.0) for each in counted),
        question.trade_off([], {}, "z", 1.0, "f"),
    ]
    for picture in pictures:
        plotly_takes(picture)
    for private, words in ((0.8, "Private sharing saves"), (1.2, "Private sharing costs"), (1.0, "No clear gain")):
        assert figures.regret_finding(viewed(1.0, private, 0.7)[0]).title.startswith(words)


def test_what_was_stopped_stays_so_and_says_so(monkeypatch):
    monkeypatch.setattr(Live, "stopped", property(lambda live: True))
    app = page(q="0.613", tab="Clipping and noise")  # which no other test computes
    text = said(app)
    assert "Stopped before there was anything to compare" in text
    assert "0 of 5 runs; stopped" in text
    assert "Nothing has been computed yet" in text
    assert [each.label for each in app.button if each.key in ("federated_go", "federated_stop")] == ["Go on"]


def test_numbers_have_the_digits_they_deserve():
    written = {float("inf"): "∞", 9.9096: "9.91", 0.5: "0.500", 63.34: "63.3", 1234.5: "1,230", 123456.0: "123,000"}
    assert [epsilon_text(value) for value in written] == list(written.values())
    assert to_its_error(0.2649, 0.041) == "0.26"
    assert to_its_error(-0.00312, 0.0009, signed=True) == "−0.0031"
    assert (nice(9.91), nice(12.4)) == (10, 20)
    assert figures.privacy_top([1, 9.0], 2, None) == 20
    assert figures.privacy_top([1, 9.0], 2, 50.0) == 50


def test_names_from_a_file_are_never_markup():
    named = table().rename(columns={"site": f"who {HOSTILE}", "dose": HOSTILE, "effect": f"unit {HOSTILE}"})
    named[f"who {HOSTILE}"] += HOSTILE
    app = uploaded(page(OWN, z="0.8"), named)
    assert first(app).names == (HOSTILE,)
    named_in = {"Map": "regions", "Privacy against utility": "trade-off"}
    for tab in (*TABS, "Solve"):
        app.session_state["federated_tab"] = tab
        app.run()
        for text in marked(app):
            assert "](" not in text
            assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)
        written = html(app)
        assert "&lt;b&gt;b&lt;/b&gt; **c**" in written  # the unit, in a tile
        assert not re.search("<b>|<img", written)
        shown = {slot: figure.picture.as_json(LIGHT) for slot, figure in record(app).figures.items()}
        assert not any("<b>" in picture or "</b>" in picture for picture in shown.values())
        for slot in {"federated-regret", named_in.get(tab, "federated-regret")}:
            assert "&lt;b&gt;b&lt;/b&gt; **c**" in shown[slot]
