"""What is read on an Expert page before anything is opened: two hundred words at most."""

from pathlib import Path

import pytest
from reading import MOST, words_of
from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).parents[3] / "app.py")
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
