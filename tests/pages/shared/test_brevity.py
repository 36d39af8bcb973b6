"""What is read before anything is opened: two hundred words at most on an Expert page, fewer on a Simple one."""

import re
from dataclasses import replace

import pytest

from pages.parts.systems import SYSTEMS
from pages.parts.views.picture import DARK, LIGHT
from pages.parts.views.templates import render
from pages.parts.views.text import as_plain
from pages.parts.views.views import KEY, Brief, Fact
from tests.helpers.opening import open_page
from tests.helpers.readability import MOST, MOST_SIMPLE, words_of

MOST_HEADLINE = 150  # Letters that fit on two lines at a width of 1440 pixels.
MOST_DECISION = 80  # The same of Decide, on two lines of a phone.
NAMES = "permute|DP-BO|exponential mechanism|Gaussian|projection|UCB|DP-FTS"  # What no headline speaks of.


@pytest.mark.parametrize(
    "page",
    ["tour", "data", *(system.name.lower() for system in SYSTEMS), "tradeoff", "audit", "workbench"],
    # Start tells stories, Reproduce compares, on an Expert's Decide the page to be signed stands open
)
def test_an_expert_page_can_be_read_at_once(page):
    app = open_page(page, runs=10, T=12, N=30, M=20, trials=60, federated_runs=5, view="expert")
    words = words_of(app.main)
    assert 3 < len(words) <= MOST, " ".join(words)


OTHERS = ["start", "tour", "class", "join", "data", "tradeoff", "audit", "reproduce", "workbench"]
"""Pages of no system."""
DECIDE = [
    *({"decide_about": system.name, "candidates": "1, 2"} for system in SYSTEMS),
    {"decide_about": "Federated", "candidates": "1", "federated_runs": 10},  # with a recommendation
]


@pytest.mark.parametrize(
    ("page", "query"),
    [*((page, {}) for page in (*OTHERS, *(system.name.lower() for system in SYSTEMS))),
     *(("decision", query) for query in DECIDE)],
)  # fmt: skip
def test_a_simple_page_is_read_in_half_a_minute(page, query):
    app = open_page(page, view="simple", **{"federated_runs": 5} | query)
    words = words_of(app.main)
    assert len(words) <= MOST_SIMPLE, " ".join(words)
    if page == "decision":
        (head,) = [each.proto.body for each in app.get("html") if 'class="pb-answer"' in each.proto.body]
        assert len(re.sub(r".*pb-answer[^>]*>(.*?)</p>.*", r"\1", head, flags=re.S)) <= MOST_DECISION
    if (said := app.session_state[KEY].brief) is not None:
        assert len(as_plain(said.answer)) <= MOST_HEADLINE
        assert not re.search(NAMES, said.answer)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_so_many_of_a_hundred_heads_are_marked_as_guesses_are_right(theme):
    remark = "ε = 1, proved. Guessing which record, the best attacker is right 55 times in 100."
    fact = Fact("How strongly", "Strong", remark, 4, right=55, guess="which record")
    drawn = render("heads.html", colours=theme, count=fact.right)
    assert [drawn.count(f'<g fill="{colour}"') for colour in (theme.private, theme.random)] == [55, 45]
    shown = render("facts.html", brief=Brief("", (fact, replace(fact, right=None))))
    assert shown.count("<img") == 1
    assert "55 of 100 guess right which record</dd>" in shown
    assert 'alt="55 of 100 heads are marked' in shown
    for level, about in enumerate(("not", "hardly", "weakly", "", "", "")):
        facts = Fact("What is hidden", "Age"), replace(fact, level=level)
        assert Brief("", facts).facts[0].about == f"What is {about} hidden".replace("  ", " ")
