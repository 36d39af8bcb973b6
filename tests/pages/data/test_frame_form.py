"""The frame of a person's own table: proposed, filled in, brought back, and never lost without being asked."""

import io
import re
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.data.view import framed
from pages.parts.export.offer import Recipe
from pages.parts.table import framing
from pages.parts.table.framing import filled_in, guide, number_typed, numbers_typed, typed, unnamed, written
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.table.upload import made
from pages.parts.views.text import scientific
from privbo_core.data import FrameColumn, frame_from
from privbo_core.outsourced import Simulation
from tests.helpers.opening import open_page
from tests.helpers.reading import html, numbers, owned

ROW = {"low": "0", "high": "120", "hide": "4", "unit": "years", "lengthscale": ""}


def table(rows=60):
    lines = [f"{20 + 7 * i % 53},{(i * 37 % 100) / 3:.4f},{(i % 9) - i / 50:.3f}" for i in range(rows)]
    return pb.data.load_table(io.BytesIO("\n".join(["age,*b*,y", *lines]).encode()))


def problem(frame=None):
    cleaned = pb.data.clean(table(), ("age", "*b*"), "y")
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned), title="mine.csv", frame=frame)


def read_off():
    return frame_from(problem().original, ("age", "*b*"))


def opened():
    recipe = Recipe(("age", "*b*"), "y", True, False, {}, None)
    return open_page("data", {OWN_TABLE: OwnTable(simulation=Simulation(problem()), recipe=recipe), "data": "own"})


def field(app, column, part):
    return app.text_input(key=f"own data/made/frame/0/{unnamed(column)}/{part}")


def put(app, column, texts):
    """Type into a column's row."""
    for part, text in texts.items():
        field(app, column, part).set_value(text)


def confirm(app, column):
    return app.checkbox(key=f"own data/made/frame/0/{unnamed(column)}/{framing.CONFIRMED}")


def use(app):
    app.button(key=made("use")).click().run()


def frame_of(app):
    return owned(app).simulation.problem.known_frame


def is_promised(app):
    """Return whether the page promises the release as one whose frame was known, which it must not before it is so."""
    problem = owned(app).simulation.problem
    assert framed(problem).audience == ("share" if problem.frame.public else "curator")
    return problem.frame.public


def test_values_are_proposed_until_they_are_typed_and_nothing_is_promised_of_those_read_off():
    app = opened()
    assert float(field(app, "age", "low").value) == read_off().columns[0].low
    assert owned(app).simulation.problem.frame.read_off == ("age", "*b*")
    assert not is_promised(app)
    assert frame_of(app) is None
    before = owned(app).simulation
    put(app, "age", ROW)
    use(app)
    age, other = frame_of(app).columns
    assert age == FrameColumn("age", "years", 0, 120, 4, None)
    assert other.taken_from_data
    assert frame_of(app).read_off == ("*b*",)
    assert not is_promised(app)
    assert owned(app).simulation is not before  # its runs were made in another frame
    put(app, "*b*", ROW | {"low": "-5", "high": "40"})
    use(app)
    assert is_promised(app)
    assert not app.error
    assert not app.warning
    middle = float(np.median(problem().original[:, 0]))
    field(app, "age", "low").set_value(f"{middle:.3f}")
    use(app)
    below = int((problem().original[:, 0] < float(f"{middle:.3f}")).sum())
    assert any({below, 60} <= {*numbers(warning.value)} for warning in app.warning), "so many rows lie outside of it"
    # It is there again on another page, and when one comes back.
    app.query_params |= {"T": "10", "runs": "5"}
    app.switch_page("pages/outsourced.py").run()
    app.switch_page("pages/data.py").run()
    assert field(app, "age", "high").value == "120"
    assert frame_of(app).public


def test_all_wrong_fields_are_named_at_once_each_below_its_column():
    app = opened()
    put(app, "age", ROW | {"low": "abc", "hide": "", "lengthscale": "1,2,3"})
    put(app, "*b*", ROW | {"high": "-5"})
    app.run()
    assert len(app.error) == 2, "before the button, too"
    use(app)
    age, other, below = (error.value.replace("\\", "") for error in app.error)
    assert all(each in age for each in ("'age'", "'abc'", "'1,2,3'"))
    assert "'abc'" not in other
    assert all(each in below for each in ("'age'", "'*b*'"))
    assert frame_of(app) is None
    assert [field(app, "age", part).value for part in ("low", "hide", "unit")] == ["abc", "", "years"]
    # One is mended, the other is still said.
    put(app, "age", ROW)
    use(app)
    assert next(error.value.replace("\\", "") for error in app.error) == other
    assert not any("age" in error.value for error in app.error)


def test_numbers_are_typed_and_shown_with_the_decimal_mark_of_the_table():
    said = ROW | {"low": "0,3", "high": "1.234,5", "hide": "0,5", "lengthscale": "2,5"}
    found, faults = filled_in({"age": said, "*b*": said}, read_off(), ",")
    assert not faults
    assert found.columns[0] == FrameColumn("age", "years", 0.3, 1234.5, 0.5, 2.5)
    shown = written(found.columns[0], ",")
    assert [shown[part] for part in ("low", "high", "hide", "lengthscale")] == ["0,3", "1234,5", "0,5", "2,5"]
    assert typed("age", shown, ",") == found.columns[0]
    exact = FrameColumn("age", "", 1.125, 12345.678, 1e-4)
    assert typed("age", written(exact, ","), ",") == exact
    found, faults = filled_in({"age": said | {"high": "1.234"}, "*b*": said}, read_off(), ",")
    assert found is None
    assert [*faults] == ["age"]
    assert all(each in faults["age"] for each in ("'1.234'", "1234", "1,234")), "it can be read in two ways"


def test_a_number_that_is_none_is_named_with_all_others_that_are_none():
    assert number_typed("it", " 0,3 ") == 0.3
    with pytest.raises(pb.DataError, match=r"^the limit"):
        number_typed("the limit", " ")
    asked = {"a": ("(a)", "x"), "b": ("(b)", "3"), "c": ("(c)", ""), "d": ("(d)", "2,500"), "e": ("(e)", "-7,125")}
    with pytest.raises(pb.DataError) as said:
        numbers_typed(asked)
    assert re.findall(r"\(.\)", str(said.value)) == ["(a)", "(c)", "(d)", "(e)"]
    assert all(each in str(said.value) for each in ("'x'", "'2,500'", "2500", "2.500", "'-7,125'", "-7125", "-7.125"))
    for part, text in (("hide", "nan"), ("lengthscale", "1e400")):
        with pytest.raises(pb.DataError):
            typed("age", ROW | {part: text})


@pytest.mark.parametrize(("hide", "noise"), [(4, [15, 12]), (8, [30, 25]), (100, [370, 310])])
def test_what_is_hidden_is_said_with_the_noise_that_it_takes_and_its_share_of_the_range(hide, noise):
    assert numbers(guide(FrameColumn("age", "years", 0, 120, hide))) == [1, *noise]
    exact = pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0) * hide
    assert noise == [pytest.approx(exact, rel=0.05), pytest.approx(100 * exact / 120, rel=0.05)]


def test_what_is_still_as_proposed_is_taken_from_the_data_until_somebody_confirms_it():
    app, low = opened(), written(read_off().columns[0])["low"]
    put(app, "age", ROW | {"low": low})
    use(app)
    assert frame_of(app).columns[0].taken_from_data, "low is that of the data"
    assert not confirm(app, "age").value
    confirm(app, "age").check()
    use(app)
    assert not frame_of(app).columns[0].taken_from_data
    assert frame_of(app).columns[1].taken_from_data
    confirm(app, "*b*").check().run()
    use(app)
    assert is_promised(app)
    confirm(app, "age").uncheck()
    use(app)
    assert frame_of(app).read_off == ("age",)


def test_what_was_said_of_a_column_survives_another_choice_of_columns():
    def page():
        import streamlit as st

        from pages.parts.table.own_table import own_table

        st.session_state["found"] = own_table().known_frame(st.session_state["cleaned"])

    age = typed("age", ROW)
    app = AppTest.from_function(page)
    cleaned = pb.data.clean(table(), ("*b*", "age"), "y")
    app.session_state["cleaned"] = cleaned
    app.run()
    assert app.session_state["found"] is None
    app.session_state[OWN_TABLE] = OwnTable(columns={"age": age, "gone": SimpleNamespace()})
    app.run()
    found = app.session_state["found"]
    assert found.names == ("*b*", "age")
    assert found.columns[1] == age
    assert found.read_off == ("*b*",)


def test_a_sample_shows_its_frame_which_was_known_and_cannot_be_changed():
    text, problem = html(app := open_page("data", data="hospital")), pb.data.sample("hospital")
    assert f"{problem.n:,}" in text
    assert scientific(problem.unit_distance[0]) in text
    assert problem.frame.public
    assert framed(problem).audience == "share"
    assert {column.hide for column in problem.frame.columns} <= {*numbers(text)}
    assert not [button for button in app.button if button.key == made("use")]
