"""One order, one number: the tests that privacy costs are as many on the Workbench as on the page that was signed."""

import html
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from pages.parts.table import upload
from pages.parts.table.frame_file import frame_text
from pages.parts.table.upload import made
from privbo_core.data import FileMarks, Frame, FrameColumn, Marks, fitting
from privbo_core.decision import Simulated, order_bytes
from privbo_core.outsourced import SEEN
from tests.helpers.bench import bring, bring_table, csv, errors, said, sit
from tests.helpers.deciding import button, fill, seen, sign
from tests.helpers.opening import open_page
from tests.helpers.reading import owned

LAW = "the law on registers"
WARD = Frame(
    (
        FrameColumn("age", "years", 0, 110, 10, known_from=LAW, marks=Marks()),
        FrameColumn("dose", "mg", 0, 30, 2, known_from=LAW, marks=Marks()),
        FrameColumn("idle", "", -1, 2, 0.2, known_from=LAW, marks=Marks()),
    ),
    FileMarks(),
    LAW,
)


def ward(seed=0, rows=120, *, skewed=False, gaps=False):
    """Return a table of which the rule of thumb knows little: one input matters much, one less, one not at all."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"age": rng.uniform(20, 90, rows), "dose": rng.uniform(0, 20, rows), "idle": rng.uniform(0, 1, rows)}
    ).round(3)
    marker = np.sin(table["age"] / 14) + 0.06 * table["dose"] + 0.05 * rng.normal(size=rows)
    table["marker"] = (np.exp(2.5 * marker) if skewed else marker).round(4)
    if gaps:
        table.loc[[3, 40], "dose"] = np.nan
        table.loc[[7], "marker"] = np.nan
    return csv(table)


def come_with(content):
    app = open_page("data", view="expert")
    return bring_table(app, "ward.csv", content)


def learned(content, **query):
    app = come_with(content)
    bring(app, "Or a frame", "ward.frame.json", frame_text(WARD).encode()).run()
    return decide(app, **query)


def decide(app, **query):
    app.query_params.clear()
    app.switch_page("pages/decision.py")
    for name, value in ({"view": "simple", "candidates": "0.5"} | query).items():
        app.query_params[name] = value
    app.run()
    app.selectbox(key="data").set_value("own").run()
    return sign(fill(app, "Decide for", "0.5"))


def on_the_page(app):
    return re.search(r"\+(\d+) \(([\w −]+)\)", seen(app)).groups()


def on_the_workbench(app):
    shown = said(app)
    (more,) = re.findall(r"(\d+) more tests", shown)
    (span,) = re.findall(r"95 % interval: ([\w −]+) more", shown)
    return more, span


def taken_in(content, order, **query):
    app = sit("holder", view="simple", **query)
    bring_table(app, "ward.csv", content)
    bring(app, "An order from Decide", "order.json", order_bytes(order)).run()
    assert not errors(app)
    return app


def signed(app):
    return app.session_state["own data/decision/signed"]


@cache
def an_order():
    return signed(learned(ward(rows=60), T="10"))


@pytest.mark.parametrize(
    ("table", "query"),
    [
        ({}, {}),
        ({"seed": 1, "gaps": True}, {"T": "20", "delta": "1e-7"}),
        pytest.param({"skewed": True}, {"search": "ei"}, marks=pytest.mark.long),
        pytest.param({"seed": 2, "rows": 100}, {"search": "ei", "rows": "again"}, marks=pytest.mark.long),
    ],
)
def test_an_order_has_the_same_number_with_the_button_and_as_a_file(table, query):
    content = ward(**table)
    app = learned(content, **query)
    number, order = on_the_page(app), signed(app)
    button(app, "to-workbench").click().run()
    assert on_the_workbench(app) == number
    other = taken_in(content, order)
    assert on_the_workbench(other) == number
    assert "another number" not in said(other)


def test_an_order_of_columns_that_are_not_in_the_file_is_not_taken_and_says_why():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"income": np.exp(rng.normal(8, 1.3, 60)).round(1), "age": rng.uniform(20, 90, 60).round(2)})
    content = csv(table.assign(score=(np.log10(table["income"]) + table["age"] / 50).round(3)))
    said_of_income = "those of 'log10 income' are made here: of a date or of words, or as a logarithm."
    app = come_with(content)
    skewed = owned(app).simulation.problem.frame
    public = [
        replace(each, low=each.low - 1, high=each.high + 1, hide=2 * each.hide, known_from=LAW, marks=Marks())
        for each in skewed.columns
    ]
    public = Frame(tuple(public), FileMarks(), LAW)
    bring(app, "Or a frame", "ward.frame.json", frame_text(public).encode()).run()
    app = decide(app, T="10")
    assert said_of_income in html.unescape(said(app))
    assert "to-workbench" not in [each.key for each in app.button]
    other = sit("holder")
    bring_table(other, "ward.csv", content)
    bring(other, "An order from Decide", "order.json", order_bytes(signed(app))).run()
    (error,) = errors(other)
    assert said_of_income in error
    plain = learned(ward(rows=60), T="10")
    assert "are made here" not in said(plain)
    assert "to-workbench" in [each.key for each in plain.button]


def stopped_after_the_first(cleaned, *, restarts):
    for step in fitting(cleaned, restarts=restarts):
        yield step
        upload._take_known((cleaned.names, cleaned.output))
        st.rerun()


def test_where_learning_was_stopped_the_order_says_when(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(upload, "fitting", stopped_after_the_first)
        app = learned(ward(rows=60), T="10")
    assert signed(app).simulated == Simulated(starts=1)
    other = taken_in(ward(rows=60), signed(app))
    simulation, starts = other.session_state[made("workbench/simulation")][1]
    mine = owned(app).simulation.problem
    assert starts == 1
    assert np.array_equal(simulation.problem.points, mine.points)
    assert simulation.problem.noise_variance == mine.noise_variance
    assert "another number" not in said(other)


def test_what_is_simulated_otherwise_than_for_the_order_is_said():
    app = taken_in(ward(rows=60), an_order())
    assert "Simulated otherwise" not in said(app)
    assert SEEN in said(app), "its ε was chosen on the table itself"
    assert SEEN not in said(taken_in(ward(rows=60), replace(an_order(), epsilon_from="frame")))
    app.session_state["search"] = "thompson"
    app.run()
    assert "Simulated otherwise than for the order: the search." in said(app)


def test_a_table_that_is_brought_here_first_is_simulated_as_data_would():
    content = ward(rows=60, skewed=True)
    app = sit("holder", view="simple")
    bring_table(app, "ward.csv", content)
    assert not errors(app)
    assert "on the logarithm of marker, as on Data" in said(app)
    simulation, _ = app.session_state[made("workbench/simulation")][1]
    mine = owned(learned(content, T="10")).simulation.problem
    assert np.array_equal(simulation.problem.points, mine.points)
    assert np.array_equal(simulation.problem.objective, mine.objective)
