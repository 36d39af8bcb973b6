"""Every number that appears on two pages is the same number: ten settings, looked up wherever they are shown."""

import re
from urllib.parse import parse_qsl

import pytest

from privbo_core.privacy import strength_at
from tests.helpers.amounts import few
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import brief, html, record, said
from tests.helpers.shown import guarantee, tiles

FEW = {"T": "12", "runs": "10"}
SETTINGS = [
    {"data": "synthetic", "epsilon": "3", "release": "projection"},
    {"data": "synthetic", "epsilon": "0.5", "release": "projection"},
    {"data": "synthetic", "epsilon": "1", "release": "noisy"},
    {"data": "homes", "epsilon": "3", "release": "noisy"},
    {"data": "homes", "epsilon": "20", "release": "projection"},
    {"data": "homes", "epsilon": "1", "release": "noisy", "search": "ucb/5"},
    {"data": "hospital", "epsilon": "1", "release": "noisy"},
    {"data": "hospital", "epsilon": "3", "release": "noisy", "rows": "again"},
    {"data": "branin", "epsilon": "3", "release": "noisy"},
    {"data": "loans", "epsilon": "2", "release": "projection", "search": "ei"},
]


def shown(page, **query):
    return record(open_page(page, **query))


@pytest.mark.parametrize("setting", few(SETTINGS[::5], SETTINGS), ids=lambda each: "-".join(each.values()))
def test_a_number_is_the_same_wherever_it_is_shown(setting):
    app = open_page("outsourced", **FEW | setting)
    if setting["release"] != "noisy":
        _, sigma_min, _ = tiles(app)[1]
        assert sigma_min in [tile.value for tile in shown("data", view="expert", **FEW | setting).tiles]
        return
    _, _, strength, cost = shown("tradeoff", view="simple", **FEW | setting).brief.facts
    assert tells(guarantee(app), strength.right)
    if numbers(cost.text):  # Trade-off speaks of a cost where the search leads random search
        _, value, remark = tiles(app)[-1]
        assert {*numbers(f"{value} {remark}")} & {*numbers(f"{cost.text} {cost.remark}")}


QUICK = {"federated_runs": "5", "M": "10"}
"""What makes the page of the schools quick."""


def opened(app, page):
    """Return what the first link to a page asks for."""
    query = next(each.proto.query_string for each in app.get("page_link") if each.proto.page == page)
    return dict(parse_qsl(query))


def stories(app):
    """Return the value and the remark of both numbers of each story on Start."""
    found = re.findall(r'class="pb-value[^"]*">([^<]*)</div><div class="pb-remark[^"]*">([^<]*)<', html(app))
    return [found[place : place + 2] for place in (0, 2, 4)]


def test_a_story_on_start_has_the_numbers_of_the_page_that_it_opens():
    app = open_page("start")
    hospital, team, schools = stories(app)

    outsourced = said(open_page("outsourced", **opened(app, "outsourced")))
    assert f"right {numbers(hospital[0][0])[0]:.0f} times in 100" in outsourced
    with_privacy, without = (f"{each:.0f}" for each in numbers(hospital[1][1]))
    assert re.search(rf"{numbers(hospital[1][0])[0]:.0f} {with_privacy} \D+ {without} \D*\(95%", outsourced)

    facts = shown("release", **opened(app, "release")).brief.facts
    assert facts[2].right == numbers(team[0][0])[0]
    assert tells(team[1][0], *numbers(facts[3].text))

    page = shown("federated", **opened(app, "federated"))
    assert page.brief.facts[2].right == numbers(schools[0][0])[0]
    together, alone = numbers(page.brief.answer)[:2]
    assert numbers(schools[1][0]) == [alone - together]


@pytest.mark.parametrize("data", ["hospital", "homes"])
def test_the_simple_tour_and_the_audit_have_the_numbers_of_trade_off(data):
    hidden, _, strength, cost = shown("tradeoff", view="simple", data=data, epsilon="2").brief.facts
    assert tells(guarantee(open_page("outsourced", data=data, epsilon="2", release="noisy")), strength.right)
    tour = said(open_page("tour", view="simple", told_with=data, lesson="3", epsilon="2"))
    for fact in (hidden, cost):
        assert tells(tour, *numbers(fact.text), *numbers(fact.remark))
    assert tells(tour, strength.right)
    audit = shown("audit", view="simple", audited="noisy", data=data, epsilon="2", trials="500").brief.facts
    assert numbers(audit[0].text) == numbers(hidden.text)
    assert (audit[2].right, audit[2].level) == (strength.right, strength.level)


@pytest.mark.parametrize("epsilon", ["1", "5.4"])
def test_the_strength_follows_from_the_guesses_beside_it_or_says_from_what_else(epsilon):
    at = {"data": "hospital", **FEW}
    noisy = {"tradeoff": at, "audit": {"audited": "noisy", "trials": "500"}}
    pages = {**noisy, "release": {}, "federated": {**QUICK, "z": str(4 / float(epsilon))}}
    opened = {page: open_page(page, view="simple", epsilon=epsilon, **more) for page, more in pages.items()}
    facts = {page: brief(app).facts[2] for page, app in opened.items()}
    assert len({(facts[page].level, facts[page].right, facts[page].rarely) for page in noisy}) == 1
    for fact in facts.values():
        assert fact.level == strength_at(fact.right / 100).level or fact.rarely


@pytest.mark.parametrize(
    ("page", "query", "mechanism"),
    [
        ("release", {"epsilon": "1.5"}, "selection"),
        ("federated", {"z": "1.3", "T": "5", "N": "60", **QUICK}, "canary"),
    ],
)
def test_the_audit_that_a_page_leads_to_is_of_what_the_page_promises(page, query, mechanism):
    app = open_page(page, view="simple", **query)
    asked = opened(app, "audit")
    assert (asked["audited"], asked["view"], asked.get("data")) == (mechanism, "simple", query.get("data"))
    audit = open_page("audit", **asked | {"trials": "1000"})
    assert not audit.info
    promised, audited = (next(fact for fact in brief(each).facts if fact.level is not None) for each in (app, audit))
    assert (audited.level, audited.right) == (promised.level, promised.right)
    assert numbers(audited.remark)[:1] == numbers(promised.remark)[:1]
