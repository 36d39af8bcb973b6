"""The script that Export gives computes the numbers of the page again."""

import ast

import pytest

from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import made, open_own, random_table
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import headline, tiles

LINKS = [
    {"data": "homes", "T": "12", "runs": "6", "initial": "3", "lengthscale": "2", "answer_noise": "4"},
    {"release": "both", "T": "10", "runs": "6", "epsilon": "1.7", "delta": "0.0003", "r": "3", "measure": "cumulative"},
    {"release": "noisy", "data": "branin", "T": "10", "runs": "6", "distance": "2.5", "rows": "again", "search": "ei"},
]


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


def test_the_call_for_the_real_release_makes_one(scripts, tmp_path):
    open_page("outsourced", release="noisy", T="8", runs="5", data="hospital")
    (script,) = scripts
    assert "# release = pb.outsourced.publish(" in script
    assert "(6524, 2)" in run(with_real_call(script) + "\nprint(release.Z.shape)", tmp_path)
