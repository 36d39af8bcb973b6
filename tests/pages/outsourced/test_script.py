"""The script that Export gives computes the numbers of the page again."""

import ast
import re
import runpy
from contextlib import redirect_stdout
from io import StringIO

import pytest
import streamlit as st

from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import made, open_own, random_table
from tests.helpers.shown import headline, tiles

LINKS = [
    {"data": "homes", "T": "12", "runs": "6", "initial": "3", "lengthscale": "2", "answer_noise": "4"},
    {"release": "both", "T": "10", "runs": "6", "epsilon": "1.7", "delta": "0.0003", "r": "3", "measure": "cumulative"},
    {"release": "noisy", "data": "branin", "T": "10", "runs": "6", "distance": "2.5", "rows": "again", "search": "ei"},
]


@pytest.fixture
def scripts(monkeypatch):
    """Return what the buttons of a page hand out, as it would be at a press."""
    given = []
    monkeypatch.setattr(st, "download_button", lambda label, data, *_, **__: given.append(data()))
    return given


def printed(script, folder):
    """Run a script as a person would, and return what it prints, by name."""
    (folder / "page.py").write_text(script, encoding="utf-8")
    with redirect_stdout(StringIO()) as output:
        runpy.run_path(str(folder / "page.py"), run_name="__main__")
    return dict(line.split(":", 1) for line in output.getvalue().splitlines() if re.match(r"[\w ]+: ", line))


@pytest.mark.parametrize("link", LINKS)
def test_the_script_prints_the_numbers_of_the_page(link, scripts, tmp_path):
    app = open_page("outsourced", **link)
    (script,) = scripts
    found = printed(script, tmp_path)
    mean, _, low, high = numbers(found["regret added by privacy"])[:4]
    if link.get("measure") != "cumulative":
        assert all(any(abs(number - end) < 0.5 for number in numbers(headline(app)[1])) for end in (low, high))
    drawn = traces(charts(app)["regret"])
    lead = drawn["noisy release" if link.get("release") == "noisy" else "projection"]["y"][-1]
    if link.get("measure") != "cumulative":
        assert mean == pytest.approx(lead - drawn["non-private"]["y"][-1], abs=1e-4)
    if link.get("release") != "noisy":
        (sigma_min,), (omega,) = numbers(found["sigma_min"]), numbers(found["omega"])
        assert tells(tiles(app)[1][1], round(sigma_min))
        assert tells(tiles(app)[2][1], round(omega))


def test_the_script_of_an_own_table_names_no_data_and_says_what_to_do(scripts):
    open_own(made(random_table(40, 2)), T="10", runs="5")
    (script,) = scripts
    ast.parse(script)
    assert "load_table" in script
    for private in ("x0", "x1", "mine.csv"):
        assert private not in script
