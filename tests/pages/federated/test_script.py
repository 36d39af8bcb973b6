"""The script that Export gives computes the numbers of the page again."""

import ast

import pytest

from tests.helpers.numbers import numbers, tells
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import headline, tiles
from tests.helpers.together import open_few
from tests.pages.federated.test_own_table import own, table

LINKS = [
    {"z": "1.7", "q": "0.4", "S": "9", "P": "4", "h": "0.3", "a": "8"},
    {"agents": "schools", "gain": "noise", "P": "4", "N": "40"},
    {"agents": "grades", "z": "3"},
]


@pytest.mark.parametrize("link", LINKS)
def test_the_script_prints_the_numbers_of_the_page(link, scripts, tmp_path):
    app = open_few(**link)
    (script,) = scripts
    found = printed(script, tmp_path)
    assert tells(tiles(app)[0][1], *numbers(found["epsilon by the tight account"]))
    assert tells(tiles(app)[0][2], *numbers(found["epsilon by moments"]))
    low, high = numbers(found["interval of the extra rounds"])
    assert tells(tiles(app)[1][2], low, high)
    assert tells(headline(app)[1], *(min(each, 8) for each in numbers(found["rounds with noise and without"])))


def test_the_script_of_an_own_table_names_no_data_and_says_what_to_do(scripts):
    own(table())
    (script,) = scripts
    ast.parse(script)
    assert "load_table" in script
    for private in ("site", "dose", "effect"):
        assert private not in script


def test_the_call_for_real_machines_makes_a_server(scripts, tmp_path):
    pytest.importorskip("flwr")
    open_few()
    (script,) = scripts
    assert "ServerApp" in run(with_real_call(script) + "\nprint(type(app).__name__)", tmp_path)
