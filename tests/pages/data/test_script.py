"""The script that Export gives computes the numbers of the page again."""

import ast

from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table, csv, small
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import tiles


def test_the_script_prints_the_numbers_of_the_page(scripts, tmp_path):
    app = open_page("data", data="homes")
    (script,) = scripts
    found = printed(script, tmp_path)
    rows, explained, sigma_min, _ = tiles(app)
    share, error = numbers(found["explained by the inputs"])
    assert tells(rows[1], *numbers(found["rows"]))
    assert tells(sigma_min[1], *map(round, numbers(found["sigma_min"])))
    assert tells(explained[1], round(100 * share))
    low, high = numbers(explained[2])[-2:]
    assert high - low == round(100 * (share + 1.96 * error)) - round(100 * (share - 1.96 * error))


def test_the_script_of_an_own_table_names_no_data(scripts):
    app = bring_table(open_page("data"), "mine.csv", csv(small(60)))
    scripts.clear()
    app.run()
    (script,) = scripts
    ast.parse(script)
    for private in ("dose", "response", "mine.csv"):
        assert private not in script


def test_the_call_for_the_real_release_makes_one(scripts, tmp_path):
    open_page("data", data="hospital")
    (script,) = scripts
    assert "(6524, 2)" in run(with_real_call(script) + "\nprint(release.Z.shape)", tmp_path)
