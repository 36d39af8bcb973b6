"""The script that Export gives computes the numbers of the Release page again."""

import ast

import numpy as np
import pytest

from pages.ui.tuning import SCORES
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.released import brought, come, scored
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import open_sections, tiles

LINKS = [
    {"epsilon": "1"},
    {"algorithm": "1 noisy", "paper": "workshop", "task": "svm", "epsilon": "30", "sigma": "0.3", "T": "20"},
    {"algorithm": "2 exact", "epsilon": "2", "A": "0.5", "tau": "0.3", "publish": "setting"},
    {"algorithm": "3 Lipschitz", "lambda_min": "0.4", "epsilon": "7", "T": "15", "m": "200"},
    {"algorithm": "1 noisy", "task": "prior", "candidates": "50", "T": "10", "publish": "score"},
]


@pytest.mark.parametrize("link", LINKS)
def test_the_script_prints_the_numbers_of_the_page(link, scripts, tmp_path):
    app = come(**link)
    (script,) = scripts
    found = printed(script, tmp_path)
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


@pytest.mark.parametrize("link", [LINKS[0], LINKS[2], LINKS[3]])
def test_the_call_for_the_real_release_publishes_what_the_page_does(link, scripts, tmp_path):
    come(**link)
    (script,) = scripts
    said = run(with_real_call(script) + "\nprint(published.row is None, published.value is None)", tmp_path)
    setting, score = link.get("algorithm") != "3 Lipschitz", link.get("algorithm") == "3 Lipschitz"
    assert said.splitlines()[-1] == f"{not setting} {not score}"
