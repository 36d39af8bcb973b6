"""The Federated page without a browser: it runs with every choice of data, and bad input ends nothing."""

import dataclasses
import io
import re
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.federated import figures, question
from pages.parts.federated.agents import FAMILY, GRADES, MINE, OWN, SCHOOLS, Mine, family, named
from pages.parts.federated.view import Counted
from pages.parts.live.work import Live
from pages.parts.shell.session import OWN as OWN_DATA
from pages.parts.table.upload import chosen
from pages.parts.views.picture import LIGHT, nice
from pages.parts.views.text import epsilon_text, to_its_error
from privbo_core.privacy import Status
from tests.helpers.opening import open_page
from tests.helpers.reading import HOSTILE, html, marked, numbers, plotly_takes, press, record, traces
from tests.pages.federated.test_simple import viewed

TABS = ("Clipping and noise", "Weights", "Map", "Privacy against utility", "Theory", "Honest notes")


def page(agents=FAMILY, tab=None, **query):
    state = {"agents": agents, "federated_runs": "5"} | ({"federated_tab": tab} if tab else {})
    return open_page("federated", state, **{"N": "6", "T": "4", "M": "10"} | query)


def card(app):
    """Return the card of what is promised."""
    (shown,) = record(app).cards
    return shown


def on_card(app):
    return numbers(" ".join(text for _, text in card(app).rows))


def shown_in(app, slot):
    """Return the numbers in a figure's title and in its note."""
    finding = record(app).figures[slot].finding
    return numbers(finding.title), numbers(finding.note)


def written(*values):
    """Return values of ε with the digits that a page gives them."""
    return [numbers(epsilon_text(value))[0] for value in values]


def warned(app):
    return [numbers(line) for box in app.warning for line in box.value.split("  \n")]


def settings_of(T, **changed):
    """What the page has set, but for T and what is changed."""
    known = {"features": 10, "q": 0.25, "z": 1.0, "S": 11.0, "P": 2}
    return pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, T, **known | changed)


@pytest.mark.parametrize("z", ["1", "0"])
def test_every_tab_runs(z):
    app, drawn = page(z=z), {}
    for tab in TABS:
        app.session_state["federated_tab"] = tab
        app.run()
        drawn |= record(app).figures
        assert 5 in shown_in(app, "federated-regret")[1], tab
    if z == "0":
        app.session_state["federated_tab"] = "Solve"
        app.run()
    assert list(drawn) == ["privacy", "federated-regret", "clipped", "noise", "weights", "regions", "trade-off"]
    for figure in drawn.values():
        plotly_takes(figure.picture)
    # What comes of a server without noise says so wherever it goes.
    for shown in (drawn["privacy"].finding, drawn["federated-regret"].finding, record(app).tiles[0]):
        assert bool(shown.stamp) == (z == "0")
    assert drawn["privacy"].finding.audience == record(app).tiles[0].audience == ("refuted" if z == "0" else "share")
    assert card(app).status is (None if z == "0" else Status.PROVED)


def test_numbers_on_the_page_are_the_engines():
    app = page(q="0.25", z="1", T="8")
    moments, pld = (pb.privacy.epsilon(0.25, 1, 8, 6**-1.1, method) for method in ("moments", "pld"))
    exact = pb.federated.losses(settings_of(8), 6, "pld", "exact")[-1]
    assert exact < 0.8 * pld
    title, note = shown_in(app, "privacy")
    assert title == [8, *written(exact, moments)]
    assert written(pld)[0] in note
    tile = record(app).tiles[0]
    assert [*numbers(tile.value), *numbers(tile.remark)] == written(exact, moments)
    assert float(f"{exact:.3g}") in on_card(app)
    assert card(app).status is Status.PROVED


def test_the_gain_is_spent_on_less_noise_if_the_address_says_so():
    app = page(q="0.25", z="1", T="6", P="4", N="24", federated_spend="noise")
    papers, pld = (pb.privacy.epsilon(0.25, 1, 6, 24**-1.1, method) for method in ("moments", "pld"))
    claimed, counted = written(papers, pld)
    assert shown_in(app, "privacy")[0] == [2, claimed, 6, counted]
    assert float(f"{pld:.3g}") in on_card(app)
    less = settings_of(6, P=4, calibration="exact")
    *_, progress = family(0.1).compare({"less": less, "papers": dataclasses.replace(less, calibration="paper")}, 24, 5)
    for name, drawn in (("less", "DP-FTS-DE"), ("papers", "DP-FTS-DE/paper")):
        np.testing.assert_allclose(traces(app, "federated-regret")[drawn]["y"], progress.band(name, "simple").mean)
    error = pb.federated.saving(progress, "less", "papers", 6).standard_error
    assert f"± {to_its_error(error, error)} " in record(app).figures["federated-regret"].finding.title


def test_with_one_region_there_is_nothing_to_spend():
    app = page(P="1", federated_spend="noise")
    assert [1] in warned(app)
    links = {link.proto.page: dict(parse_qsl(link.proto.query_string)) for link in app.get("page_link")}
    at = {"z": "1", "q": "0.25", "T": "4", "N": "6"}
    assert at.items() <= links["audit"].items()
    assert at | {"tradeoff_task": "Federated", "agents": FAMILY, "view": "expert"} == links["tradeoff"]
    assert "DP-FTS-DE/paper" not in traces(app, "federated-regret")


def test_a_model_that_was_fitted_to_the_schools_makes_their_promise_conditional():
    assert card(page(SCHOOLS, N="98")).status is Status.UNMET
    assert len(named(SCHOOLS).first.read_off) == 3


def test_schools_that_predict_grades_start_from_what_is_recommended_and_share_a_model_from_elsewhere():
    app = page(GRADES, P="1")
    assert card(app).status is Status.PROVED
    assert 0 < numbers(record(app).tiles[3].remark)[0] < 1, "in grades"
    # Starting from three is meant here, and no want of points.
    assert not [said for said in warned(app) if 3 in said]
    app.session_state["federated_tab"] = "Map"
    app.run()


@pytest.mark.parametrize(
    ("accountant", "method"),
    [("moments (the paper’s)", "moments"), pytest.param("loss distributions", "pld", marks=pytest.mark.long)],
)
def test_the_noise_that_the_exact_count_asks_for_stands_beside_the_accountants(accountant, method):
    wanted = {"federated_accountant": accountant, "federated_wanted": "3"}
    app = page(tab="Solve", q="0.25", T="3", P="4", N="24", **wanted)
    (shown,) = [each.value for each in app.markdown if "|---|" in each.value]
    settings = settings_of(3, P=4)
    papers = pb.federated.noise_needed(settings, 24, 3.0, method)
    exact = pb.federated.noise_needed(settings, 24, 3.0, "pld", "exact")
    assert exact < 0.75 * papers
    ceiling = np.ceil(exact * 1000) / 1000
    last = shown.strip().splitlines()[-1]
    assert numbers(last) == [0.25, 3, 4, pytest.approx(ceiling), round(100 * exact / papers)]
    assert pb.federated.losses(dataclasses.replace(settings, z=ceiling), 24, "pld", "exact")[-1] <= 3.0


def test_few_agents_impossible_cuts_and_numbers_out_of_range_are_said_and_not_computed_with():
    app = page(N="2", P="8")
    assert [said for said in warned(app) if said[:1] == [2]]
    assert [said for said in warned(app) if said[:2] == [2, 8]]
    app = page(P="3", q="1.5")
    asked = numbers(" ".join(each.value.replace("\\", "") for each in app.info))
    assert {1, 2, 4, 8, 1.5} <= {*asked}
    last = app.session_state["federated/last"]
    assert last["P"] in (1, 2, 4, 8)
    assert 0 < last["q"] <= 1


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
    assert app.info, "a file is asked for"
    uploaded(app, table())
    assert [said for said in warned(app) if said[-2:] == [1, 10]], "so many points, not so many"
    assert app.session_state[MINE].columns == ("site", ("dose",), "effect", True)
    assert 5 in shown_in(app, "federated-regret")[1]
    fitted = first(app)
    assert fitted.names == ("dose",)
    assert app.session_state[f"{OWN_DATA}live/federated"].kept["private"].shape == (4,)
    assert len(app.session_state[f"{OWN_DATA}live/federated map"].kept["rounds"]) == 4
    assert "federated/curve" not in app.session_state
    assert "federated/map" not in app.session_state
    assert card(app).status is Status.UNMET
    app.toggle(key=chosen("federated known")).set_value(True).run()
    assert fitted.read_off != ()
    assert card(app).status is Status.PROVED
    stated = first(app)
    assert stated.read_off == ()
    assert (stated.unit, stated.noise_variance, stated.points[-1, 0]) == (1.0, pytest.approx(0.01), 1.0)
    press(app, "Clear my data")
    assert MINE not in app.session_state or app.session_state[MINE] == Mine()


def test_a_bad_table_is_refused_and_loses_nothing():
    broken = table().assign(effect="good")
    app = uploaded(page(OWN, z="0.8"), broken)
    assert app.session_state[MINE].error
    assert app.session_state[MINE].simulation is None
    assert 5 in shown_in(app, "federated-regret")[1]
    assert app.session_state["federated/last"]["z"] == 0.8
    uploaded(app, table().drop(index=[3, 17]))
    assert first(app).modelled
    kept = first(app)
    for wrong in (table()[["site", "dose"]], broken):
        uploaded(app, wrong)
        error = app.session_state[MINE].error
        assert error.split(".")[0] in " ".join(box.value.replace("\\", "") for box in app.warning)
        assert first(app) is kept, "the table used before stays in place"
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
    titles = [figures.regret_finding(viewed(1.0, private, 0.7)[0]).title for private in (0.8, 1.2, 1.0)]
    assert len({re.sub(r"[-−+.,\d]+", "", title) for title in titles}) == 3, "a gain, a cost, and neither"


def test_what_was_stopped_stays_so(monkeypatch):
    monkeypatch.setattr(Live, "stopped", property(lambda live: True))
    app = page(q="0.613", tab="Clipping and noise")  # which no other test computes
    assert shown_in(app, "federated-regret") == ([], [0, 5])
    assert "clipped" not in record(app).figures
    assert [each.key for each in app.button if each.key in ("federated_go", "federated_stop")] == ["federated_go"]


def test_numbers_have_the_digits_they_deserve():
    digits = {float("inf"): "∞", 9.9096: "9.91", 0.5: "0.500", 63.34: "63.3", 1234.5: "1,230", 123456.0: "123,000"}
    assert [epsilon_text(value) for value in digits] == list(digits.values())
    assert to_its_error(0.2649, 0.041) == "0.26"
    assert to_its_error(-0.00312, 0.0009, signed=True) == "−0.0031"
    assert (nice(9.91), nice(12.4)) == (10, 20)
    assert figures.privacy_top([1, 9.0], 2, None) == 20
    assert figures.privacy_top([1, 9.0], 2, 50.0) == 50


def test_names_from_a_file_are_never_markup():
    hostile = table().rename(columns={"site": f"who {HOSTILE}", "dose": HOSTILE, "effect": f"unit {HOSTILE}"})
    hostile[f"who {HOSTILE}"] += HOSTILE
    app = uploaded(page(OWN, z="0.8"), hostile)
    assert first(app).names == (HOSTILE,)
    named_in = {"Map": "regions", "Privacy against utility": "trade-off"}
    for tab in (*TABS, "Solve"):
        app.session_state["federated_tab"] = tab
        app.run()
        for text in marked(app):
            assert "](" not in text
            assert not re.search(r"(?<!\\)<b>|(?<!\\)\*\*c", text)
        elements = html(app)
        assert "&lt;b&gt;b&lt;/b&gt; **c**" in elements  # the unit, in a tile
        assert not re.search("<b>|<img", elements)
        shown = {slot: figure.picture.as_json(LIGHT) for slot, figure in record(app).figures.items()}
        assert not any("<b>" in picture or "</b>" in picture for picture in shown.values())
        for slot in {"federated-regret", named_in.get(tab, "federated-regret")}:
            assert "&lt;b&gt;b&lt;/b&gt; **c**" in shown[slot]
