"""The Federated page without a browser: it runs with every choice of data, and bad input gets a sentence."""

import io

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts import federated_data

SMALL = {"N": "6", "T": "4", "M": "10", "federated_runs": "5"}


def page(agents="family", **address):
    app = AppTest.from_file("app.py", default_timeout=60)
    app.switch_page("pages/federated.py")
    app.query_params.update(SMALL | {"agents": agents} | address)
    return app


def said(app):
    kinds = [*app.markdown, *app.warning, *app.info, *app.get("html"), *app.caption]
    return " ".join(str(each.proto.body) for each in kinds)


@pytest.mark.parametrize("agents", ["family", "schools", "own"])
def test_page_runs_with_every_choice_of_data(agents):
    app = page(agents).run()
    assert not app.exception
    text = said(app)
    assert "5 runs, bands ± 1 standard error" in text
    assert "4 rounds cost ε = " in text


@pytest.mark.parametrize(
    "tab", ["Clipping and noise", "Weights", "Map", "Privacy against utility", "Solve", "Theory", "Honest notes"]
)
@pytest.mark.parametrize("z", ["1", "0"])
def test_every_tab_runs(tab, z):
    app = page(federated_tab=tab, z=z).run()
    assert not app.exception


def test_numbers_on_the_page_are_the_engines():
    app = page(N="200", q="0.25", z="1", T="40", federated_runs="5")
    app.session_state["federated/stopped"] = None
    # The privacy figure needs no runs; 40 rounds of 200 agents would take a while, so the address asks for few agents.
    delta = 6**-1.1
    app = page(q="0.25", z="1", T="40").run()
    assert f"ε = {pb.privacy.epsilon(0.25, 1, 40, delta):.3g}" in said(app)


def test_no_noise_means_no_guarantee_in_words():
    text = said(page(z="0").run())
    assert "ε is ∞" in text
    assert "No guarantee" in text


def test_small_numbers_of_agents_and_impossible_cuts_get_sentences():
    text = said(page(N="2", P="8").run())
    assert "N is 2, so δ" in text
    assert "P is 2 instead of 8" in text
    assert "P, sub-regions takes 1, 2, 4, 8" in said(page(P="3").run())
    assert "out of range" in said(page(q="1.5").run())


def table(**changes):
    x = np.linspace(0, 1, 12)
    rows = [(f"site {n}", a, np.sin(4 * a + 0.1 * n)) for n in range(4) for a in x]
    frame = pd.DataFrame(rows, columns=["site", "dose", "effect"])
    for name, (row, value) in changes.items():
        frame[name] = frame[name].astype(object)
        frame.loc[row, name] = value
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    return buffer.getvalue().encode()


def upload(app, data):
    return app.get("file_uploader")[0].upload("table.csv", data, "text/csv").run()
