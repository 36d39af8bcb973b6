"""Several functions beside one, on Trade-off and in its script."""

from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.reading import record

FEW = {"view": "expert", "runs": "5", "T": "10"}


def opened(page, **query):
    app = open_page(page, {"take-away": True}, **FEW | query)
    return record(app), "\n".join(block.value for block in app.get("code"))


def test_trade_off_counts_the_same():
    shown, script = opened("tradeoff", functions="several", **{"from": "1", "to": "5"})
    assert tells(shown.figures["tradeoff"].finding.note, 5)
    assert "functions=True" in script
