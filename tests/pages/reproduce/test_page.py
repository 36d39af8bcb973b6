"""The Reproduce page without a browser: every experiment is shown, run again, and bad files get a sentence."""

import json
import re
from pathlib import Path

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.reproduce import figures as reproduce_figures
from pages.parts.reproduce import numbers, stored, tables, words
from pages.parts.values.palette import DARK, LIGHT
from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS, Compared, Number

APP = Path(__file__).parents[3] / "app.py"
STORED = APP.parent / "results" / "reproduced.jsonl"
OUTCOMES, MADE = experiments.read(STORED)
REPORTS = {name: experiments.report(each, OUTCOMES.values()) for name, each in EXPERIMENTS.items()}
NOTHING = {name: experiments.report(each, ()) for name, each in EXPERIMENTS.items()}


def page(name, **state):
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["experiment"] = name
    for key, value in state.items():
        app.session_state[key] = value
    return app.switch_page(str(APP.parent / "pages" / "reproduce.py"))


def said(app):
    texts = [each.value for each in (*app.markdown, *app.warning, *app.info, *app.caption)]
    texts += [each.proto.body for each in app.get("html")]
    return re.sub(r"<style.*?</style>|</?[a-z][^>]*>", " ", " ".join(texts), flags=re.DOTALL)


def test_all_results_are_stored_and_small():
    """What `make reproduce` computes is there: every piece of every experiment, made by a command that is named."""
    keys = {piece.key for each in EXPERIMENTS.values() for piece in each.pieces()}
    assert keys == set(OUTCOMES)
    assert set(MADE) == set(EXPERIMENTS)
    for made in MADE.values():
        assert all(how["command"] == "python -m privbo_core.experiments all" for how in made)
        assert not any(re.search(r"\d{4}-\d\d|20\d\d", str(how.get("date", ""))) for how in made)
    assert STORED.stat().st_size < 300_000


def test_at_least_fifteen_of_the_eighteen_cells_of_tables_1_to_3_agree_and_the_trend_holds():
    reports = [REPORTS[f"table-{number}"] for number in (1, 2, 3)]
    agree, of = words.count(reports, exact=False)
    assert of == 18
    assert agree >= 15
    for report in reports:
        assert {each.verdict for each in report.claims} == {"holds"}


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_experiment_is_shown(name):
    app = page(name).run()
    assert not app.exception
    text = said(app)
    experiment = EXPERIMENTS[name]
    assert experiment.stands_in in text
    assert all(sentence in text for sentence in (*experiment.why, *experiment.left_open))
    assert "python -m privbo_core.experiments all" in text
    assert "18 of 18" in text
    for each in REPORTS[name].compared:
        assert f"{each.number.printed:g}" in text


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_picture_is_one_that_plotly_accepts(name, palette):
    for report, again in (
        (REPORTS[name], NOTHING[name]),
        (NOTHING[name], NOTHING[name]),
        (REPORTS[name], REPORTS[name]),
    ):
        go.Figure(json.loads(reproduce_figures.picture(report, again).as_json(palette)))
    assert reproduce_figures.in_words(EXPERIMENTS[name])


def test_running_again_gives_what_is_stored():
    app = page("bounds-epsilon").run()
    assert "Run again" not in said(app)
    app.button(key="reproduce_button").click().run()
    assert not app.exception
    text = said(app)
    assert "finished: 10 of 10 pieces" in text
    assert re.search(r"✓ The same as stored, replicate by replicate \(70 values compared\)", text)
    assert app.button(key="reproduce_button").label == "Rerun live"
    # Five more on top: what is known is not run again, and it ends by itself.
    app.segmented_control(key="reproduce_runs").set_value(5).run()
    assert "stopped: 10 of 25 pieces" in said(app)
    assert app.button(key="reproduce_button").label == "Go on"
    app.button(key="reproduce_button").click().run()
    assert "finished: 25 of 25 pieces" in said(app)


def test_a_finished_run_begins_anew(monkeypatch):
    computed = []

    def counted(piece):
        computed.append(piece)
        return experiments.work(piece)

    monkeypatch.setattr(experiments.runner, "work", counted)
    app = page("bounds-epsilon").run()
    app.button(key="reproduce_button").click().run()
    assert len(computed) == 10
    app.button(key="reproduce_button").click().run()
    assert len(computed) == 20


def test_another_experiment_does_not_inherit_a_run():
    app = page("bounds-epsilon", **{"reproduce/running": ("table-1", 2)}).run()
    assert app.session_state["reproduce/running"] is None
    assert "pieces" not in said(app).replace("finished pieces alone", "")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "No results are stored"),
        ("Dear all,\n", "line 1 of"),
        ('{"experiment":"table-1"', "No results are stored for this one"),
        ("", "No results are stored for this one"),
    ],
)
def test_a_missing_or_damaged_file_is_a_sentence(tmp_path, monkeypatch, content, sentence):
    path = tmp_path / "reproduced.jsonl"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(stored, "STORED", path)
    app = page("table-1").run()
    assert not app.exception
    assert sentence in said(app)


def compared(printed, ours, error, distance, exact=None):
    return Compared(Number("r = 3", printed, "a", exact=exact), ours, error, distance, 20)


def test_agreement_has_a_symbol_and_words_besides_the_shade():
    assert tables.agreement(compared(1, 1.1, 0.1, -0.7)) == ("✓", "0.7", "agree")
    assert tables.agreement(compared(1, 1.1, 0.1, -1.7)) == ("✓", "1.7", "near")
    assert tables.agreement(compared(1, 1.5, 0.1, -3.2)) == ("✗", "3.2", "apart")
    assert tables.agreement(compared(1, 9, 0.0, -1e6)) == ("✗", "over 99", "apart")
    assert tables.agreement(compared(5.93, 5.927, None, None, exact=2)) == ("✓", "the same", "agree")
    assert tables.agreement(compared(5.93, 5.91, None, None, exact=2)) == ("✗", "differs", "apart")
    assert tables.agreement(compared(1, None, None, None))[0] == "…"


@pytest.mark.parametrize(
    ("mean", "error", "text"),
    [
        (0.0968, 0.0138, "0.097 ± 0.014"),
        (-0.5, 0.25, "−0.50 ± 0.25"),
        (12.3, 1.2, "12.3 ± 1.2"),
        (0.5, 0.0, "0.5 every time"),
        (-5.94e-5, 6.7e-5, "−0.000059 ± 0.000067"),
    ],
)
def test_numbers_have_the_decimals_that_their_errors_deserve(mean, error, text):
    assert numbers.value_text(mean, error, None) == text


def test_what_does_not_agree_is_listed():
    text = words.disagreements(REPORTS)
    assert "Table 4" in text
    assert "Table 1:" not in text
    assert words.disagreements({"table-1": NOTHING["table-1"]}) == "Everything that has results agrees."


def test_a_result_that_differs_from_the_stored_one_is_said():
    report = REPORTS["table-1"]
    changed = experiments.report(EXPERIMENTS["table-1"], [
        experiments.Outcome("table-1", "r = 3", EXPERIMENTS["table-1"].arm("r = 3").digest, 0, {"last": (9.0,)})
    ])  # fmt: skip
    assert "1 of 1 values differ" in words.same_as_stored(report, changed)
