"""The Federated page without a browser: it runs with every choice of data, and bad input gets a sentence."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.federated import figures
from pages.parts.federated.agents import FAMILY, OWN, SCHOOLS
from pages.parts.federated.words import amount, epsilon_text
from pages.parts.show.look import DARK, LIGHT

APP = Path(__file__).parents[2] / "app.py"
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
    return re.sub(r"<style.*?</style>|</?[a-z][^>]*>", "", " ".join(texts), flags=re.DOTALL).replace("\\", "")


@pytest.mark.parametrize("agents", [FAMILY, SCHOOLS, OWN])
def test_page_runs_with_every_choice_of_data(agents):
    app = page(agents).run()
    assert not app.exception
    text = said(app)
    assert "5 runs, bands ± 1 standard error" in text
    assert "4 rounds cost ε = " in text
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
    assert f"40 rounds cost ε = {epsilon_text(moments)} by" in text
    assert f"counted more tightly: {epsilon_text(pld)}." in text


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
    assert app.session_state["federated/mine"]["simulation"].first.names == ("dose",)
    next(button for button in app.button if button.label == "Forget my data").click().run()
    assert not app.exception
    assert "federated/mine" not in app.session_state or not app.session_state["federated/mine"]


def test_a_bad_table_gets_a_sentence_and_loses_nothing():
    app = page(OWN, z="0.8").run()
    broken = table().drop(index=3)
    app = uploaded(app, broken)
    assert not app.exception
    text = said(app)
    assert "Agent site 0 has no row for dose" in text
    assert "5 runs, bands ± 1 standard error" in text
    assert app.session_state["federated/last"]["z"] == 0.8
    app = uploaded(app, table())
    assert "simulation" in app.session_state["federated/mine"]
    app = uploaded(app, table()[["site", "dose"]])
    assert "at least three are needed" in said(app)
    app = uploaded(app, broken)
    assert "The table used before stays in place" in said(app)
    assert app.session_state["federated/mine"]["simulation"].first.names == ("dose",)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_pictures_are_what_plotly_takes(colours):
    problem = pb.federated.synthetic(agents=6, side=8)
    base = pb.federated.Settings(problem.kernel, 0.01, iterations=5, initial=3, features=10, q=0.5, z=1.0, S=5.0, P=2)
    settings = pb.federated.variants(base)
    simulation = pb.federated.Simulation(lambda run: problem)
    *_, progress = simulation.compare(settings, 6, 2)
    moments = pb.federated.losses(base, 6)
    first = next(simulation.rounds(base, 6, 0))
    pictures = [
        figures.privacy(moments, 3, {"pld": moments[:3]}, True, 20.0, colours),
        figures.privacy(moments, 3, {"pld": moments[:2]}, False, 20.0, colours),
        figures.privacy(moments, 3, {"pld": [float("inf")] * 3}, True, 20.0, colours),
        figures.privacy([float("inf")] * 5, 3, {}, True, 10.0, colours),
        figures.regret(progress, np.ones(3), "simple", 5, None, 1.0, "f", colours),
        figures.regret(progress, None, "cumulative", 5, 3.0, 1.0, "f", colours),
        figures.over_rounds(
            [("noise", progress.band("DP-FTS-DE", "noise"), colours.plain, "dash")], "", colours, False
        ),
        figures.weights(np.full((2, 5), 0.5), colours),
        figures.region_map(
            problem, problem.objectives[0], first.regions, [("own", first.queries, colours.plain, "circle")], colours
        ),
        figures.trade_off([(1.0, 5.0, 0.2, 0.1)], (5.0, 0.2), "z", {"TS": 0.4}, "f", 5, colours),
        figures.trade_off([], None, "z", {}, "f", 5, colours),
    ]
    for picture in pictures:
        go.Figure({"data": picture.data, "layout": picture.layout})
        picture.as_json()


def test_numbers_have_the_digits_they_deserve():
    assert [epsilon_text(x) for x in (float("inf"), 9.9096, 0.5, 63.34, 1234.5, 123456.0)] == [
        "∞", "9.91", "0.500", "63.3", "1,230", "123,000"
    ]  # fmt: skip
    assert amount(0.2649, 0.041) == "0.26"
    assert amount(-0.00312, 0.0009, signed=True) == "−0.0031"
    assert figures.nice(9.91) == 10
    assert figures.nice(12.4) == 20
    assert figures.privacy_top([1, 9.0], 2, None) == 20
    assert figures.privacy_top([1, 9.0], 2, 50.0) == 50
