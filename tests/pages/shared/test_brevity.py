"""What is read before anything is opened: two hundred words at most on an Expert page, fewer on a Simple one."""

import pytest

from pages.parts.systems import SYSTEMS
from tests.helpers.opening import open_page
from tests.helpers.readability import MOST, MOST_SIMPLE, words_of


@pytest.mark.parametrize(
    "page",
    ["tour", "data", *(system.name.lower() for system in SYSTEMS), "tradeoff", "audit", "workbench"],
    # Start tells stories, Reproduce compares, Decide is a page to be signed
)
def test_an_expert_page_can_be_read_at_once(page):
    app = open_page(page, runs=10, T=12, trials=60, federated_runs=5, view="expert")
    assert not app.exception
    words = words_of(app.main)
    assert 3 < len(words) <= MOST, " ".join(words)


@pytest.mark.parametrize("page", ["start", "tour", "class", "join"])
def test_a_simple_page_is_read_in_half_a_minute(page):
    app = open_page(page, view="simple")
    assert not app.exception
    words = words_of(app.main)
    assert len(words) <= MOST_SIMPLE, " ".join(words)
