"""The Data page without a browser."""

import io
import math
import re

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.data import details as data_figures
from pages.parts.data import view as data_words
from pages.parts.data.view import Condition, View
from pages.parts.table.upload import chosen, made, unnamed
from pages.parts.views.picture import PRIVATE
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown, scientific
from tests.helpers.bench import bring_table, press, said
from tests.helpers.opening import open_page
from tests.helpers.reading import html, owned, plotly_takes
from tests.helpers.taken import code_of


@pytest.mark.parametrize("name", pb.data.SAMPLES)
def test_each_sample_is_described(name):
    text, problem = html(open_page("data", data=name)), pb.data.sample(name)
    assert f"{problem.n:,}" in text
    assert scientific(problem.unit_distance[0]) in text


def test_plotly_accepts_the_pictures():
    problem = pb.data.sample("homes")
    values = pb.outsourced.spectrum(problem.points).values
    assert plotly_takes(data_figures.histogram(problem.original[:, 0], "a <b>name</b>", PRIVATE)).data
    for threshold in (900.0, 1.0):
        assert plotly_takes(data_figures.singular_values(values, threshold)).data


@pytest.fixture(scope="module")
def marked():
    """A problem made of a table whose names and values look like markup, of HTML and of Markdown."""
    rows = (f"{math.sin(i):.3f},{('<i>one</i>', '*two*')[i % 2]},{math.cos(2 * i):.3f}" for i in range(60))
    table = pb.data.load_table(io.BytesIO("\n".join(["<b>a</b> $x$,kind,out_<u>", *rows]).encode()))
    cleaned = pb.data.clean(table, ("<b>a</b> $x$", "kind"), "out_<u>", maximize=False, encode={"kind": "category"})
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned), title="<mine>.csv")


def test_names_from_a_table_are_text_in_all_that_the_page_says(marked):
    spectrum = pb.outsourced.spectrum(marked.points)
    told = data_words.headline(View(marked, spectrum, Condition(3.0, 1e-5, 10)))
    columns = data_words.as_table(data_words.learned(marked))
    shown = [
        render("tiles.html", tiles=told),
        render("finding.html", finding=data_words.protected(marked)),
        render("table.html", table=columns),
        render("box.html", box=data_words.prepared(marked)),
    ]
    for each in shown:
        assert not re.search(r"<(b|i|u)>", each)
    assert "&lt;b&gt;a&lt;/b&gt; $x$" in shown[1]
    assert "&lt;b&gt;a&lt;/b&gt; $x$" in shown[2]
    assert [cell.text for cell in columns.body[0].cells][:1] == ["<b>a</b> $x$"]
    assert columns.body[0].cells[-1].text == f"{marked.unit_distance[0]:.6g}"


def test_the_output_is_shown_as_the_table_has_it(marked):
    values, name = data_words.output(marked)
    assert name == "out_<u>"
    assert (np.argmin(values), np.argmax(values)) == (np.argmax(marked.objective), np.argmin(marked.objective))


def test_markup_in_names_is_shown_as_text():
    assert as_markdown("a*b_[x](y) $z$") == r"a\*b\_\[x\]\(y\) \$z\$"


def doubtful(state=None):
    """Open the page with a table in which somebody is 99999 years old."""
    app, lines = open_page("data", state, view="expert"), [f"{30 + i},{math.sin(i)},{i % 7}" for i in range(39)]
    bring_table(app, "own.csv", "\n".join(["age,dose,days", *lines, "99999,0.5,3"]).encode())
    return app


@pytest.mark.parametrize(("answer", "rows", "high"), [("Yes, no value", 39, "68"), ("No, a number", 40, "99999")])
def test_a_number_that_seems_to_mean_no_value_is_asked_of_before_it_is_used(answer, rows, high):
    """With the answer goes the table that every page and every script that is taken away computes with."""
    app = doubtful({"take-away": True})
    assert "age: 99999 in 1 row, far from its other numbers" in said(app)
    press(app, answer)
    assert "99999 in 1 row" not in said(app)
    problem = owned(app).simulation.problem
    assert problem.n == rows
    assert next(each for each in app.text_input if each.label == "high").value == high
    codes = [each.value for each in app.text_input if each.label == "missing codes"]
    assert codes[0] == ("99999" if rows == 39 else "")
    assert ("load_table('your file.csv', {'age': [99999.0]})" in code_of(app)) == (rows == 39)
    press(app, next(each.label for each in app.button if each.label.endswith("as you said. Ask again")))
    assert "99999 in 1 row" in said(app)


@pytest.mark.parametrize(
    ("answer", "typed", "kept"),
    [
        ("Yes, no value", {"age": "120", "days": "9"}, {"age": 120, "days": 9}),
        ("Yes, no value", {"days": "9"}, {"age": 68, "days": 9}),  # 99999 was typed by nobody
        ("No, a number", {"days": "9"}, {"age": 99999, "days": 9}),
    ],
)
def test_what_was_chosen_outlives_a_later_answer(answer, typed, kept):
    app = doubtful()
    app.selectbox(key=chosen("output")).set_value("dose").run()
    app.multiselect(key=chosen("inputs")).set_value(["days", "age"]).run()
    for name, high in typed.items():
        app.text_input(key=made(f"frame/0/{unnamed(name)}/high")).set_value(high)
    press(app, "Use this frame")
    press(app, answer)
    problem = owned(app).simulation.problem
    assert problem.output == "dose"
    assert {column.name: column.high for column in problem.known_frame.columns} == kept
    codes = ("99999",) if answer.startswith("Yes") else ()
    assert {column.name: column.marks.missing for column in problem.known_frame.columns} == {"days": (), "age": codes}
