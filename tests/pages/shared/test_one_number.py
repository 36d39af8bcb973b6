"""Every number that appears on two pages is the same number: ten settings, looked up wherever they are shown."""

import re
from urllib.parse import parse_qsl

import pytest

from pages.parts.federated import system as of_the_schools
from pages.parts.views.text import as_plain
from privbo_core.privacy.guarantee import ERRORS, WORDS
from tests.helpers.amounts import few
from tests.helpers.opening import open_page
from tests.helpers.reading import brief

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


def text_of(app):
    bodies = [each.proto.body for each in app.get("html")] + [each.value for each in app.markdown]
    bodies = [re.sub(r"<style>.*?</style>\s*(?=<article)", "", body, flags=re.DOTALL) for body in bodies]
    text = as_plain(" ".join(re.sub(r"<[^>]+>", " ", body) for body in bodies if "<style" not in body))
    return re.sub(r"\s+", " ", text)


def shown(page, **query):
    return text_of(open_page(page, **query))


def found(pattern, text):
    match = re.search(pattern, text)
    assert match, (pattern, text[:3000])
    return match.group(1)


@pytest.mark.parametrize("setting", few(SETTINGS[::5], SETTINGS), ids=lambda each: "-".join(each.values()))
def test_a_number_is_the_same_wherever_it_is_shown(setting):
    noisy = setting["release"] == "noisy"
    expert = {"view": "expert"} | FEW | setting
    outsourced = shown("outsourced", **expert)
    tradeoff = shown("tradeoff", **expert, budget="0.1")
    name = "noisy release" if noisy else "projection"
    cost = found(r"Extra regret for privacy\s+(\S+) σ", outsourced)
    assert found(rf"{name}\s*:\s*(\S+) ±", tradeoff) == cost
    if not noisy:
        assert found(r"σ\s*min\s*of the inputs\s+([\d,]+)", outsourced) in shown("data", **expert)
    else:
        simple = {"view": "simple"} | FEW | setting
        plainly, cost = shown("outsourced", **simple), r"What it costs\s+(.+? simulated searches)"
        first = found(cost, plainly)
        assert first == found(cost, shown("tradeoff", **simple))
        strength = r"best attacker is right (\d+) times"
        assert found(strength, outsourced) == found(strength, plainly)
        if rank := re.search(r"to find ((?:the|one of the [\d,]+) \w+ \w+)[.;]", first):
            assert rank.group(1) in shown("outsourced", **(expert | {"measure": "rank"}))


def test_decide_counts_tests_as_outsourced_does():
    at = {"view": "simple", "data": "hospital"}
    outsourced = shown("outsourced", **at, epsilon="0.5")
    more, low, high = re.search(r"(\d+) more tests .*?95 % interval: (\d+) to (\d+) more", outsourced).groups()
    assert f"+{more} ({low} to {high})" in shown("decision", **at, candidates="0.5")


QUICK = {"federated_runs": "5", "M": "10"}
CARDS = {"outsourced": ("hospital", {}), "release": ("team", {}), "federated": ("schools", QUICK)}
"""The systems in the order of their cards, what their links show, and what makes a page quick."""


def start():
    app = open_page("start", view="simple")
    text = text_of(app)
    return app, text, re.findall(r"Cost: (.+?)\. (?=[A-Z]|$)", f"{text.strip()} ")


def opened(app, label):
    (link,) = [each.proto for each in app.get("page_link") if each.proto.label == label]
    return dict(parse_qsl(link.query_string))


def test_the_schools_card_has_a_cost_when_their_page_has_found_it(monkeypatch):
    monkeypatch.setattr(of_the_schools, "MOST_RUNS", "5")
    app, _, (_, _, *before) = start()
    page = shown("federated", **opened(app, "Show me the schools"), federated_runs="5")
    _, _, (*_, after) = start()
    assert before in ([], [after])  # somebody else in this process may have been there
    assert f"what it costs {after} " in page.lower()


def test_a_card_on_start_has_the_number_and_the_cost_of_the_page_that_it_opens():
    app, text, (tests, points, *_) = start()
    numbers = re.findall(r"(\d+)\s+of 100 guess right", text)
    pages = [shown(page, **opened(app, f"Show me the {card}"), **quick) for page, (card, quick) in CARDS.items()]
    assert [found(r"best attacker is right (\d+) times", page) for page in pages] == numbers
    assert re.fullmatch(r"\d+ more tests", tests)
    assert f"What it costs {tests} " in pages[0]
    assert re.fullmatch(r"\d\.\d+ points of confidence", points)
    assert f"What it costs {points} in the right diagnosis" in pages[1]


@pytest.mark.parametrize("data", ["hospital", "homes"])
def test_the_simple_tour_and_the_audit_have_the_numbers_of_outsourced(data):
    outsourced = shown("outsourced", view="simple", data=data, epsilon="2")
    tour = shown("tour", view="simple", told_with=data, lesson="3", epsilon="2")
    audit = shown("audit", view="simple", audited="noisy", data=data, epsilon="2", trials="500")
    for figure in (
        r"What is hidden\s+([A-Z].+? to within \S+ \S+)", r"What it costs\s+(.+? simulated searches)",
        r"best attacker is right (\d+) times", r"(With privacy the .+? without, \d+|With privacy .+? as without)"
    ):  # fmt: skip
        assert found(figure, outsourced) == found(figure, tour), figure
    for figure in (r"What is hidden\s+([A-Z].+? to within \S+ \S+)", r"best attacker is right (\d+) times"):
        assert found(figure, outsourced) == found(figure, audit), figure


@pytest.mark.parametrize("epsilon", ["1", "5.4"])
def test_a_word_for_strength_follows_from_the_guesses_beside_it_or_says_from_what_else(epsilon):
    at = {"data": "hospital", **FEW}
    noisy = {"outsourced": at, "tradeoff": at, "audit": {"audited": "noisy", "trials": "500"}}
    pages = {**noisy, "release": {}, "federated": {**QUICK, "z": str(4 / float(epsilon))}}
    opened = {page: open_page(page, view="simple", epsilon=epsilon, **more) for page, more in pages.items()}
    facts = {page: brief(app).facts[2] for page, app in opened.items()}
    assert len({(facts[page].text, facts[page].right, facts[page].rarely) for page in noisy}) == 1
    for fact in facts.values():
        levels = (1 + sum(1 - (fact.right + off) / 100 >= least for least in ERRORS) for off in (-0.5, 0.5))
        assert fact.text.lower() in [WORDS[level] for level in levels] or fact.rarely


@pytest.mark.parametrize(
    ("page", "query", "mechanism"),
    [
        ("outsourced", {"data": "homes", "epsilon": "2.5", "delta": "1e-6", "T": "12", "runs": "10"}, "noisy"),
        ("outsourced", {"data": "homes", "epsilon": "2.5", "noise": "laplace", "T": "12", "runs": "10"}, "laplace"),
        ("outsourced", {"data": "homes", "release": "projection", "T": "12", "runs": "10"}, "projection"),
        ("release", {"epsilon": "1.5"}, "selection"),
        ("federated", {"z": "1.3", "T": "5", "N": "60", **QUICK}, "canary"),
    ],
)
def test_the_audit_that_a_page_leads_to_is_of_what_the_page_promises(page, query, mechanism):
    app = open_page(page, view="simple", **query)
    asked = opened(app, "Does it hold? Audit")
    assert (asked["audited"], asked["view"], asked.get("data")) == (mechanism, "simple", query.get("data"))
    audit = open_page("audit", **asked | {"trials": "1000"})
    assert not [each.value for each in audit.info if "The address asks for something else" in each.value]
    promised, audited = (
        next(fact for fact in brief(each).facts if fact.about == "How strongly") for each in (app, audit)
    )
    assert (audited.text, audited.right) == (promised.text, promised.right)
    level = r"ε = [\d.]+"
    assert re.findall(level, audited.remark)[:1] == re.findall(level, promised.remark)[:1]
