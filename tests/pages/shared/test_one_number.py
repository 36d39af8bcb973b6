"""Every number that appears on two pages is the same number: ten settings, looked up wherever they are shown."""

import re
from urllib.parse import parse_qsl

import pytest

import privbo_core as pb
from pages import ui
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
        assert sigma_min in [value for _, value, _ in tiles(open_page("data", data=setting["data"]))]
        return
    _, _, strength, cost = shown("tradeoff", view="simple", **FEW | setting).brief.facts
    assert tells(guarantee(app), strength.right)
    if numbers(cost.text):  # Trade-off speaks of a cost where the search leads random search
        _, value, remark = tiles(app)[-1]
        assert {*numbers(f"{value} {remark}")} & {*numbers(f"{cost.text} {cost.remark}")}


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
    with_privacy, without, *_ = (f"{each:.0f}" for each in numbers(hospital[1][1]))
    assert re.search(rf"{numbers(hospital[1][0])[0]:.0f} \D+ {with_privacy} \D+ {without} .*?\(95%", outsourced)

    release = open_page("release", **opened(app, "release"))
    assert tells(guarantee(release), numbers(team[0][0])[0])
    assert numbers(tiles(release)[0][1]) == numbers(team[1][0])

    page = open_page("federated", **opened(app, "federated"))
    assert tells(guarantee(page), numbers(schools[0][0])[0])
    _, saved, _ = tiles(page)[2]
    assert numbers(schools[1][1]) == numbers(saved)[:1]


@pytest.mark.parametrize("data", ["hospital", "homes"])
def test_the_audit_has_the_numbers_of_trade_off(data):
    _, _, strength, _ = shown("tradeoff", view="simple", data=data, epsilon="2").brief.facts
    assert tells(guarantee(open_page("outsourced", data=data, epsilon="2", release="noisy")), strength.right)
    audit = guarantee(open_page("audit", attack="noisy", data=data, epsilon="2", trials="500"))
    assert tells(audit, strength.right)
    assert ui.protection(strength_at(strength.right / 100)) in audit


@pytest.mark.parametrize("epsilon", ["1", "5.4"])
def test_the_strength_follows_from_the_guesses_beside_it_or_says_from_what_else(epsilon):
    at = {"data": "hospital", **FEW}
    pages = {"tradeoff": at}
    opened = {page: open_page(page, view="simple", epsilon=epsilon, **more) for page, more in pages.items()}
    facts = {page: brief(app).facts[2] for page, app in opened.items()}
    for fact in facts.values():
        assert fact.level == strength_at(fact.right / 100).level or fact.rarely


def test_the_audit_that_federated_leads_to_is_of_what_it_promises():
    app = open_page("federated", z="1.3", T="5", N="60", M="10", runs="5")
    address = re.search(r'href="audit[?]([^"]*)"', guarantee(app)).group(1)
    asked = dict(parse_qsl(address.replace("&amp;", "&")))
    assert asked["attack"] == "canary"
    audit = open_page("audit", **asked | {"trials": "1000"})
    assert not audit.info
    promised = pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, 5, q=0.25, z=1.3, S=11.0, P=2)
    assert tells(tiles(audit)[0][1], pb.federated.total_loss(promised, 60, "pld", "exact"))
    assert tells(tiles(app)[0][1], pb.federated.total_loss(promised, 60, "pld", "exact"))
    right = round(100 * (1 - pb.federated.trade_off(promised, 60).least_error(0.5)))
    assert tells(guarantee(audit), right)
    assert tells(guarantee(app), right)
