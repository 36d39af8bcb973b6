"""The script that Export gives computes the numbers of the Release page again."""

import ast
import re
import runpy
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
import streamlit as st

from pages.ui.tuning import SCORES
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.released import brought, come, scored
from tests.helpers.shown import open_sections, tiles

LINKS = [
    {"epsilon": "1"},
    {"algorithm": "1 noisy", "paper": "workshop", "task": "svm", "epsilon": "30", "sigma": "0.3", "T": "20"},
    {"algorithm": "2 exact", "epsilon": "2", "A": "0.5", "tau": "0.3", "publish": "setting"},
    {"algorithm": "3 Lipschitz", "lambda_min": "0.4", "epsilon": "7", "T": "15", "m": "200"},
    {"algorithm": "1 noisy", "task": "prior", "candidates": "50", "T": "10", "publish": "score"},
]


@pytest.fixture
def scripts(monkeypatch):
    """Return what the buttons of a page hand out, as it would be at a press."""
    given = []
    monkeypatch.setattr(st, "download_button", lambda label, data, *_, **__: given.append(data()))
    return given


@pytest.mark.parametrize("link", LINKS)
def test_the_script_prints_the_numbers_of_the_page(link, scripts, tmp_path):
    app = come(**link)
    (script,) = scripts
    (tmp_path / "page.py").write_text(script, encoding="utf-8")
    with redirect_stdout(StringIO()) as output:
        runpy.run_path(str(tmp_path / "page.py"), run_name="__main__")
    found = dict(line.split(":", 1) for line in output.getvalue().splitlines() if re.match(r"[\w ]+: ", line))
    factor = 1 if link.get("task") == "prior" else 100
    shown = tiles(app)
    if shown[0][0] == "Score lost":
        assert tells(shown[0][1], round(factor * numbers(found["score lost"])[0], 2))
    else:
        (half,) = numbers(found["half width of the score"])
        assert numbers(shown[0][1])[0] == pytest.approx(factor * half, rel=5e-3)
    app = open_sections(app)
    sums = [each["x"][0] for each in charts(app)["terms"]["data"] if each["marker"]["symbol"] == "diamond"]
    assert sums == pytest.approx(factor * np.array(numbers(found["bounds"])), rel=1e-4)


def test_the_script_of_an_own_table_names_no_data_and_says_what_to_do(scripts):
    come(brought(scored("secret"), SCORES, "mine.csv"), algorithm="1 noisy")
    (script,) = scripts
    ast.parse(script)
    assert "read_scores" in script
    for private in ("secret", "mine.csv", "accuracy"):
        assert private not in script
