"""The deployment record and the review sheet: of every system, for samples and own tables, in both depths."""

import re

import pandas as pd
import pytest
import yaml

from pages.parts.export.record import review_sheet
from privbo_core.deployment import Curator, searched
from tests.helpers.bench import bring, bring_table, kept, press, sit
from tests.helpers.deciding import text_of
from tests.helpers.holding import PRIVATE, held, people, released
from tests.helpers.opening import open_page
from tests.helpers.released import brought

OWN_SCORES = brought(pd.DataFrame({"C": [0.1, 1.0, 10.0], "score": [0.6, 0.8, 0.7]}), "listed")


@pytest.fixture
def handed_out(monkeypatch):
    """What the two buttons hand out, by their names."""
    offered = {}
    real = __import__("streamlit").download_button

    def button(label, data, *rest, **how):
        offered[label] = data() if callable(data) and label.startswith(("Record", "Review")) else data
        return real(label, data, *rest, **how)

    monkeypatch.setattr("pages.parts.export.record.st.download_button", button)
    return offered


def both(app, handed_out):
    """Open the fold and return record and review sheet; nothing in them is left to be guessed."""
    app.session_state["record"] = True
    app.run()
    record, sheet = handed_out["Record (YAML)"].decode(), handed_out["Review sheet (HTML)"]
    found = yaml.safe_load(record)["deployment"]
    text = text_of(sheet)
    for words in ("Nobody has checked", "Their collection", "[Only the curator can say who receives it]", "model name"):
        assert words in text
    assert found["privacy_loss"]["privacy_unit_details"] in text
    assert not re.search(r"<script|https?://|None|nan\b", sheet)
    return found


@pytest.mark.parametrize(("view", "data"), [("simple", "hospital"), ("expert", "homes"), ("simple", "own")])
def test_a_release_on_the_workbench_has_both(view, data, handed_out):
    app = sit("holder", epsilon=1, view=view, data=data)
    if data == "own":
        bring_table(app, "people.csv", people(40).drop(columns="name").to_csv(index=False).encode())
        next(box for box in app.checkbox if "read off the data" in box.label).check().run()
    found = both(press(app, "Release"), handed_out)
    loss = found["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": 1.0, "delta": 1e-5}
    assert loss["privacy_parameters_details"].startswith("Conditional: only if" if data == "own" else "Proved, if")
    assert found["deployment_model"]["release_type"] == "One release"


@pytest.mark.parametrize("how", [{"task": "logistic"}, {"task": "svm"}, OWN_SCORES])
def test_a_setting_drawn_for_real_has_both(how, handed_out):
    app = press(open_page("release", how, epsilon="1", T="20", algorithm="selection"), "Draw a release")
    found = both(app, handed_out)
    assert found["privacy_loss"]["privacy_parameters"]["epsilon"] > 0
    assert found["dp_variant"]["variant_name"] == "Pure DP"


def test_what_is_typed_is_plain_and_comes_out_of_both(handed_out):
    app = press(sit("holder", epsilon=1), "Release")
    app.session_state["record"] = True
    app.run()
    for field in ("Who receives it", "What was agreed", "What is kept", "Who publishes"):
        (found,) = [each for each in app.text_input if each.label.startswith(field)]
        found.set_value("<img src=x onerror=alert(1)>\u202e: - {{ x }}\n" + "w" * 230)
    app.run()
    record, sheet = handed_out["Record (YAML)"].decode(), handed_out["Review sheet (HTML)"]
    (curator,) = yaml.safe_load(record)["deployment"]["basic"]["data_curators"]
    assert curator == ("<img src=x onerror=alert(1)>: - {{ x }} " + "w" * 230)
    assert "<img" not in sheet
    assert "\u202e" not in record + sheet
    assert text_of(sheet).count(curator) >= 4


def test_a_review_sheet_is_the_same_for_neighbouring_tables(monkeypatch):
    """Nothing on it is computed from the data."""
    monkeypatch.setattr("privbo_core.files.now", lambda: "2026-03-31T12:00:00+00:00")
    sheets = set()
    for age in (60.0, 110.0):
        curator = held(people().assign(age=[age, *people()["age"][1:]]))
        released(curator, private=PRIVATE)
        curator.answer(3)
        sheets.add(review_sheet(searched(curator.ledger, Curator("The ward"))))
    assert len(sheets) == 1


def test_a_ledger_brought_to_the_workbench_is_recorded_and_a_damaged_one_is_not(handed_out):
    app = press(sit("holder", epsilon=1), "Release")
    ledger = kept(app).store.data
    for data, words in ((ledger, "Record (YAML)"), (ledger[:-40], "")):
        handed_out.clear()
        app = sit("holder", epsilon=1)
        bring(app, "Bring back your ledger", "ledger.json", data).run()
        app.session_state["record"] = True
        app.run()
        assert ("Record (YAML)" in handed_out) == bool(words)
        assert bool(app.error) != bool(words)
