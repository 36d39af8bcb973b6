"""A page with *Take away* open, its script run as a person would, its report read as a browser does."""

import os
import re
import runpy
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import StringIO

import numpy as np
import pandas as pd

from pages.parts.export.offer import Recipe, report
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.templates import explained
from pages.parts.views.views import KEY
from privbo_core.data import clean, finish, fitting, rule_of_thumb
from privbo_core.outsourced import Simulation
from tests.helpers.amounts import LONG
from tests.helpers.opening import open_page
from tests.helpers.paths import ROOT

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
MADE = {"link": "http://127.0.0.1:8501/outsourced?T=10&data=synthetic", "script": "print('</script><b>')"}
LARGEST = 6_000_000


def visit(page, query=None, widgets=None):
    app = open_page(page, {"take-away": True, **(widgets or {})}, **(query or {}))
    return app, app.session_state[KEY]


def code_of(app):
    (code,) = [block.value for block in app.get("code") if "def show(" in block.value]
    assert len(code.splitlines()) <= 52
    assert all(len(line) <= 160 for line in code.splitlines())
    return code


def printed(code, folder):
    """Run a script as a person would; return the numbers that it prints, by name, as text.

    In the long run it has an interpreter of its own, as it has where somebody took it to.
    """
    (folder / "view.py").write_text(code, encoding="utf-8")
    if LONG:
        own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
        how = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 300}
        done = subprocess.run([sys.executable, "view.py"], cwd=folder, env=own, **how)
        assert done.returncode == 0, done.stderr
        said = done.stdout
    else:
        with chdir(folder), redirect_stdout(StringIO()) as output:
            runpy.run_path("view.py", run_name="__main__")
        said = output.getvalue()
    return {name: values for name, *values in map(str.split, said.splitlines())}


def six(values):
    """Return numbers as figures and scripts write them."""
    return [f"{value:.6g}" for value in np.asarray(values, dtype=float)]


def traces(record, slot):
    return {trace.get("name"): trace for trace in record.figures[slot].picture.data}


class Reader(HTMLParser):
    """Collects what a browser would load, and checks that elements are closed in the order they were opened in."""

    EMPTY = ("meta", "link", "br", "hr", "img", "input")

    def __init__(self, text):
        super().__init__()
        self.open, self.loaded, self.tags, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)
        given = dict(attributes)
        assert not any(name.startswith("on") for name in given)
        self.loaded += [given[name] for name in ("src", "srcset", "data", "poster", "action") if name in given]
        if "href" in given:
            assert tag == "a"  # leads somewhere when clicked; loads nothing

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data


def make(record, about, share_only=False, made=MADE):
    text = report(record, about, share_only, NOW, dark=False, **made)
    assert len(text.encode()) < LARGEST
    reader = Reader(text)
    assert reader.loaded == []
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    for explanation in record.explanations.values():
        assert share_only == (explained(explanation) not in text)
        assert "$" not in explained(explanation)
        assert "://" not in explained(explanation)
        assert "<code>" not in explained(explanation)  # a formula that could not be written
    return text, reader


def upload(rows, columns, page, stop=False, frame=None):
    """Return a page on a table of one's own, made as the page Data makes it, and what was drawn; and the table."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 2))
    outcome = np.sin(x[:, 0]) + 0.1 * rng.normal(size=rows)
    table = pd.DataFrame(dict(zip(columns, (*x.T, outcome), strict=True)))
    cleaned = clean(table, columns[:2], columns[2], maximize=False)
    *_, last = fitting(cleaned) if not stop else [None]
    fit = rule_of_thumb(cleaned) if stop else last.best
    problem = finish(cleaned, fit, title="mine.csv", frame=frame)
    recipe = Recipe(tuple(columns[:2]), columns[2], False, False, {}, fit if stop else None)
    state = {OWN_TABLE: OwnTable(simulation=Simulation(problem), recipe=recipe), "data": "own", "take-away": True}
    app = open_page(page, state, runs=10, T=10)
    return app, table
