"""What is read on an Expert page before anything is opened: two hundred words at most."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import APP
from tests.helpers.readability import MOST, words_of

FEW = {"runs": "10", "T": "12", "trials": "60", "federated_runs": "5", "view": "expert"}


@pytest.mark.parametrize(
    "page",
    [
        "tour",
        "data",
        "outsourced",
        "release",
        "federated",
        "tradeoff",
        "audit",
        "workbench",
    ],  # Start tells stories, Reproduce compares, Decide is a page to be signed
)
def test_an_expert_page_can_be_read_at_once(page):
    app = AppTest.from_file(APP, default_timeout=300).run()
    app.switch_page(f"pages/{page}.py")
    for name, value in FEW.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    words = words_of(app.main)
    assert 3 < len(words) <= MOST, " ".join(words)
