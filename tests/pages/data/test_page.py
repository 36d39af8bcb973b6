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
from pages.parts.table.own_table import OwnTable
from pages.parts.table.upload import chosen, made, unnamed
from pages.parts.views.picture import PRIVATE
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown
from privbo_core.data import FrameColumn, ReadTable
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table
from tests.helpers.reading import numbers, owned, plotly_takes
from tests.helpers.taken import code_of


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


def asked(app):
    """Return what is asked of numbers that may mean no value: how often each is there, by what it is."""
    found = [numbers(box.value) for box in app.warning]
    return dict(each for each in found if len(each) == 2)


def answer(app, said):
    app.button(key=made(f"codes/{unnamed('age')}/{said}")).click().run()


def typed(app, part):
    return next(box.value for box in app.text_input if box.key.endswith(f"/{unnamed('age')}/{part}"))


def doubtful(state=None):
    """Open the page with a table in which somebody is 99999 years old."""
    app, lines = open_page("data", state, view="expert"), [f"{30 + i},{math.sin(i)},{i % 7}" for i in range(39)]
    bring_table(app, "own.csv", "\n".join(["age,dose,days", *lines, "99999,0.5,3"]).encode())
    return app


def test_a_number_that_seems_to_mean_no_value_is_asked_of_before_it_is_used():
    """With the answer goes the table that every page and every script that is taken away computes with."""
    app = doubtful({"take-away": True})
    for said, rows, high, code in (("Ye", 39, "68", "99999"), ("No", 40, "99999", "")):
        assert asked(app) == {99999: 1}
        answer(app, said)
        assert not asked(app)
        assert owned(app).simulation.problem.n == rows
        assert typed(app, "high") == high
        assert ("load_table('your file.csv', {'age': [99999.0]})" in code_of(app)) == bool(code)
        answer(app, "again")
    assert asked(app) == {99999: 1}


def test_what_was_chosen_outlives_a_later_answer():
    app = doubtful()
    app.selectbox(key=chosen("output")).set_value("dose").run()
    app.multiselect(key=chosen("inputs")).set_value(["days", "age"]).run()
    for name, high in {"age": "120", "days": "9"}.items():
        app.text_input(key=made(f"frame/0/{unnamed(name)}/high")).set_value(high)
    app.button(key=made("use")).click().run()
    answer(app, "Ye")
    problem = owned(app).simulation.problem
    assert problem.output == "dose"
    assert {column.name: column.high for column in problem.known_frame.columns} == {"age": 120, "days": 9}
    assert problem.preparation.dropped[0].column == "age"


@pytest.mark.parametrize(("codes", "high", "stays"), [([99999], 120, True), ([99999], 99999, False), ([], 99999, True)])
def test_an_end_that_was_typed_by_nobody_goes_where_it_means_no_value(codes, high, stays):
    age = FrameColumn("age", "years", 30, high, 4)
    anew = OwnTable(columns={"age": age}).read_anew(ReadTable(None, ()), {"age": codes})
    assert anew.columns == ({"age": age} if stays else {})
