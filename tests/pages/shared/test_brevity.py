"""What is read on an Expert page before anything is opened: two hundred words at most."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).parents[3] / "app.py")
OPENED_ONLY = {"expander", "expandable", "popover", "tab", "tab_container"}
NOT_READ = ('class="pb-finding"', 'class="pb-table', 'class="pb-grid')
"""Titles of figures, and tables, which are looked things up in."""
TEXTS = ("markdown", "caption", "info", "warning", "text")
FEW = {"runs": "10", "T": "12", "trials": "60", "federated_runs": "5", "view": "expert"}
MOST = 200


def words_of(node):
    """Return the words that are read before anything is opened, but for pickers, titles of figures and tables."""
    kind = getattr(node, "type", "")
    if kind in OPENED_ONLY:
        return []
    if hasattr(node, "children"):
        return [word for child in node.children.values() for word in words_of(child)]
    if kind == "html":
        body = node.proto.body
        if any(mark in body for mark in NOT_READ):
            return []
        return re.sub(r"<style.*?</style>|<[^>]+>", " ", body, flags=re.S).split()
    return str(node.value).split() if kind in TEXTS else []


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
    ],  # Start tells stories, Reproduce compares
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
