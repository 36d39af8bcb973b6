"""Links: what the address asks for is what the page shows, or a sentence says why not."""

import pytest

from tests.helpers.opening import open_page
from tests.helpers.reading import address

SMALL = {"T": "10", "runs": "5", "M": "10"}


def notices(app):
    return [notice.value for notice in app.info]


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("tradeoff", {"story": "team", "epsilon": "12.3"}),
    ],
)  # fmt: skip
def test_a_link_brings_every_choice_back_and_the_address_keeps_it(page, asked):
    app = open_page(page, **SMALL, **asked)
    assert notices(app) == []
    assert asked.items() <= address(app).items()


HOSTILE = [
    ("tradeoff", "story", ""), ("federated", "agents", "a&b=c#d"), ("federated", "gain", "nan"),
    ("federated", "q", "![](//a.bc/d)"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "name", "hostile"), HOSTILE)
def test_a_value_that_cannot_be_had_gets_a_sentence_and_the_rest_is_kept(page, name, hostile):
    rest = {"T": "12", "N": "6", "runs": "5", "trials": "100", "M": "10"}
    rest.pop(name, None)
    app = open_page(page, **rest, **{name: hostile})
    (said,) = notices(app)
    assert len(said) < 400
    for sign in "[]()<>":
        assert said.count(sign) == said.count("\\" + sign)
    assert address(app).get(name) != hostile
    kept = address(app)
    assert all(kept[key] == value for key, value in rest.items() if key in {"T", "N", "runs"} and key in kept)


def test_a_link_within_the_app_is_followed_although_there_are_earlier_settings():
    app = open_page("federated", T="4", N="6", M="10", z="2.5", runs="5")
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    app.query_params["z"] = "0.5"
    app.switch_page("pages/federated.py").run()
    assert address(app).items() >= {"z": "0.5", "T": "4"}.items()


def test_a_rounded_address_brings_the_same_page_back():
    app = open_page("tradeoff", story="team", epsilon="1.2345678")
    assert address(app)["epsilon"] == "1.23457"
    again = open_page("tradeoff", **address(app))
    assert address(again) == address(app)
