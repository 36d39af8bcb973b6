"""Every number that appears on two pages is the same number: ten settings, looked up wherever they are shown."""

import re
from urllib.parse import parse_qsl

import pytest

import privbo_core as pb
from pages import ui
from pages.ui import stories as stories_of
from privbo_core.privacy import strength_at
from tests.helpers.amounts import few
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import html, said
from tests.helpers.shown import guarantee, headline, plain, tiles

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


@pytest.mark.parametrize("setting", few(SETTINGS[::5], SETTINGS), ids=lambda each: "-".join(each.values()))
def test_a_number_is_the_same_wherever_it_is_shown(setting):
    app = open_page("outsourced", **FEW | setting)
    if setting["release"] != "noisy":
        _, sigma_min, _ = tiles(app)[1]
        assert sigma_min in [value for _, value, _ in tiles(open_page("data", data=setting["data"]))]
        return
    story = {"story": "hospital" if setting["data"] == "hospital" else "table", "data": setting["data"]}
    promise = strength(cards(open_page("tradeoff", **story, epsilon=setting["epsilon"]))["Protection"])
    assert tells(guarantee(app), promise)


def cards(app):
    """Return value and sentence of each card of Trade-off."""
    pattern = r'class="pb-name">(.*?)</div><div class="pb-strong[^>]*>(.*?)</div>.*?<p class="pb-note[^>]*>(.*?)</p>'
    return {name: (plain(value), plain(text)) for name, value, text in re.findall(pattern, html(app))}


def strength(card):
    """Return how often the best attacker is right."""
    return int(re.search(r"(\d+) times in 100", card[1])[1])


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


def test_trade_off_has_the_numbers_of_start_and_of_the_systems():
    """Each story has one cost and one attack accuracy, on Start, on its system's page and on Trade-off."""
    start = stories(open_page("start", epsilon="1"))
    for place, name in enumerate(("hospital", "team")):
        (attack, _), (cost, sides) = start[place]
        app = open_page("tradeoff", story=name, epsilon="1")
        found = cards(app)
        assert strength(found["Protection"]) == numbers(attack)[0]
        assert numbers(found["What it costs"][0]) == numbers(cost)
        if name == "hospital":
            private, without, *_, low, high = numbers(sides)
            assert tells(headline(app)[1], private, without, low, high)
            system = open_page("outsourced", data="hospital", release="noisy", epsilon="1")
            assert numbers(tiles(system)[-1][1]) == numbers(cost)


def test_the_schools_cost_the_same_rounds_on_federated_and_on_trade_off():
    app = open_page("tradeoff", story="schools", epsilon="2")
    z = stories_of.schools().settings(2.0).z
    system = open_page("federated", agents="grades", z=f"{z:g}")
    assert tells(guarantee(system), strength(cards(app)["Protection"]))
    private, without = numbers(headline(app)[1])[1:3]
    assert tells(headline(system)[1], private, without)


@pytest.mark.parametrize("data", ["hospital", "homes"])
def test_the_audit_has_the_numbers_of_trade_off(data):
    story = {"story": "hospital" if data == "hospital" else "table", "data": data}
    right = strength(cards(open_page("tradeoff", **story, epsilon="2"))["Protection"])
    assert tells(guarantee(open_page("outsourced", data=data, epsilon="2", release="noisy")), right)
    audit = guarantee(open_page("audit", attack="noisy", data=data, epsilon="2", trials="500"))
    assert tells(audit, right)
    assert ui.protection(strength_at(right / 100)) in audit


@pytest.mark.parametrize("epsilon", ["1", "5.4"])
def test_the_strength_follows_from_the_guesses_beside_it(epsilon):
    found = cards(open_page("tradeoff", story="hospital", epsilon=epsilon))["Protection"]
    assert found[0].casefold() == strength_at(strength(found) / 100).word


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
