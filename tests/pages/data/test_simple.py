"""The Simple page of Data: what will be hidden, to scale, and the way in for a table of one's own."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.bring.framing import unnamed
from pages.parts.data.plain.page import SLOT
from pages.parts.data.plain.picture import hidden_change, in_frame, middle_one, two_columns
from pages.parts.data.plain.words import SAY_BELOW, Words
from pages.parts.data.words import Condition
from pages.parts.frame.record import KEY
from pages.parts.outsourced.plain.told import told
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.text import as_plain

APP = str(Path(__file__).parents[3] / "app.py")
NOW = Condition(3.0, 1e-5, 10)


def page(**query):
    app = AppTest.from_file(APP, default_timeout=120)
    for name, value in {"view": "simple", **query}.items():
        app.query_params[name] = value
    app.switch_page("pages/data.py").run()
    assert not app.exception
    return app, app.session_state[KEY]


def words_of(problem, condition=NOW):
    return Words(problem, told(problem), condition)


def all_of(brief):
    return as_plain(" ".join([brief.answer, *brief.promise, *(f"{f.about} {f.text} {f.remark}" for f in brief.facts)]))


def own_table(columns=("age", "weight")):
    rng = np.random.default_rng(5)
    rows = [
        ",".join([*columns, "y"]),
        *(",".join(f"{x:.4f}" for x in rng.normal(size=len(columns) + 1)) for _ in range(60)),
    ]
    return "\n".join(rows).encode()


def own_problem(columns=("age", "weight")):
    cleaned = pb.data.clean(pb.data.load_table(io.BytesIO(own_table(columns))), columns, "y")
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned), title="mine.csv")


@pytest.mark.parametrize("name", pb.data.SAMPLES)
def test_every_sample_says_what_is_hidden_in_its_own_units(name):
    _, record = page(data=name)
    problem = pb.data.sample(name)
    said = told(problem).hides(problem, 1.0)
    assert all(each in record.brief.answer for each in said)
    assert record.brief.answer.endswith(f"It will not hide which {told(problem).many} are in the table.")
    assert [fact.about for fact in record.brief.facts] == [
        "What is hidden",
        "From whom",
        "How strongly",
        "What it costs",
    ]
    assert len(all_of(record.brief).split()) <= 130
    assert SLOT in record.figures
    assert "proved" in all_of(record.brief)


def test_a_visitor_first_sees_the_hospital():
    app, record = page()
    assert app.selectbox(key="data").value == "hospital"
    assert record.brief.answer.startswith("Of each patient, noise will hide the age to within 4 years, or ")


def test_what_is_drawn_is_to_scale():
    problem = pb.data.sample("hospital")
    speech = told(problem)
    across, up = two_columns(problem, speech)
    picture = hidden_change(problem, speech, speech.hides(problem, 1.0))
    _, outline, level, upright = picture.data[:4]
    assert np.ptp(outline["x"]) == pytest.approx(2 * problem.frame.hide[across])
    assert np.ptp(outline["y"]) == pytest.approx(2 * problem.frame.hide[up])
    assert np.ptp(level["x"]) == pytest.approx(2 * problem.frame.hide[across])
    assert np.ptp(upright["y"]) == pytest.approx(2 * problem.frame.hide[up])
    # The outline is what is hidden if both change: one hidden change away in all.
    away = np.column_stack([outline["x"] - level["x"][0], outline["y"] - level["y"][0]])
    away[:, 0] -= problem.frame.hide[across]
    np.testing.assert_allclose(np.hypot(*(away / problem.frame.hide[[across, up]]).T), 1.0, rtol=1e-9)
    for theme in (LIGHT, DARK):
        assert plotly.io.from_json(picture.as_json(theme)).data


def test_a_point_outside_of_the_frame_is_drawn_where_it_will_be_released():
    problem = own_problem()
    column = replace(problem.frame.columns[0], low=-0.5, high=0.5, hide=0.1)
    framed = replace(problem, known_frame=pb.data.Frame((column, problem.frame.columns[1])))
    values = in_frame(framed, 0)
    assert values.min() == -0.5
    assert values.max() == 0.5
    placed = framed.frame.to_original(framed.frame.place(framed.original))
    np.testing.assert_allclose(values, placed[:, 0])
    assert middle_one(np.array([[0.0, 0.0], [1.0, 1.0], [9.0, 9.0]]), np.ones(2)) == 1


def test_a_frame_that_was_read_off_the_data_is_said_and_makes_the_promise_conditional():
    problem = own_problem()
    brief = words_of(problem).brief
    assert "Read off the data: the range of age, weight" in all_of(brief)
    assert "conditional" in brief.facts[2].remark
    assert "proved" not in all_of(brief)
    assert SAY_BELOW in brief.promise[0]
    # A sample has no form to say it in.
    sample = replace(pb.data.sample("hospital"), known_frame=None)
    assert "Read off the data: the range of age, log_creatinine" in all_of(words_of(sample).brief)
    assert SAY_BELOW not in words_of(sample).brief.promise[0]


def test_a_map_has_its_east_on_the_right():
    problem = pb.data.sample("homes")
    across, up = two_columns(problem, told(problem))
    assert (problem.names[across], problem.names[up]) == ("longitude", "latitude")


def test_of_many_columns_the_first_are_named():
    problem = own_problem(tuple("abcdef"))
    assert words_of(problem).hides[-1] == "so much of 3 other columns"
    assert "c" in problem.names
    assert "d to within" not in words_of(problem).brief.answer


def test_how_strongly_follows_what_is_set_on_the_next_page():
    problem = pb.data.sample("hospital")
    small, usual = words_of(problem, Condition(0.5, 1e-5, 10)).brief.facts[2], words_of(problem).brief.facts[2]
    assert "at ε = 0.5, which is set on the next page" in small.remark
    assert "at ε = 3, which" in usual.remark
    assert small.level > usual.level


def test_one_column_is_drawn_beside_the_outcome_which_is_not_hidden():
    problem = own_problem(("age",))
    picture = hidden_change(problem, told(problem), words_of(problem).hides)
    assert picture.layout["yaxis"]["title"]["text"].endswith("not hidden")
    assert np.ptp(picture.data[1]["y"]) == 0
    assert np.ptp(picture.data[1]["x"]) == pytest.approx(2 * problem.frame.hide[0])


def test_a_table_of_ones_own_is_brought_framed_and_forgotten_in_simple():
    app, _ = page()
    app.get("file_uploader")[0].upload("mine.csv", own_table(), "text/csv").run()
    assert not app.exception
    record = app.session_state[KEY]
    assert app.selectbox(key="data").value == "own"
    assert record.brief.answer.startswith("Of each row, ")
    assert "Read off the data" in all_of(record.brief)
    assert record.figures[SLOT].finding.audience == "curator"
    fields = {
        (field.key.split("/")[-2], field.key.split("/")[-1]): field for field in app.text_input if "frame/" in field.key
    }
    for name in ("age", "weight"):
        for part, value in {"low": "-6", "high": "6", "hide": "0.5", "unit": "u", "known_from": "a law"}.items():
            fields[unnamed(name), part].set_value(value)
    (use,) = [each for each in app.button if each.label == "Use this frame"]
    use.click().run()
    assert not app.exception
    record = app.session_state[KEY]
    assert "Known beforehand" in all_of(record.brief)
    assert "age to within 0.5 u" in record.brief.answer
    (forget,) = [each for each in app.button if each.label == "Forget my data"]
    forget.click().run()
    assert not app.exception
    assert app.selectbox(key="data").value != "own"
