"""The Start page without a browser: its numbers are the engine's, nothing waits, and visitors don't collide."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qsl

import pytest

import privbo_core as pb
from pages.ui.sliders import Panel
from privbo_core import federated, outsourced
from privbo_core.privacy import strength
from tests.helpers.opening import open_page
from tests.helpers.reading import html

STORIES = ("hospital", "team", "schools")
NUMBER = re.compile(r'class="pb-value([^"]*)">([^<]*)</div><div class="pb-remark[^"]*">([^<]*)<')


def shown(app):
    """Return the two numbers of each story as (value, remark, whether it is dimmed), in the order of the page."""
    blocks = re.findall(r'<div class="pb-facts">.*?</div></div></div>', html(app))
    found = [[(unescape(v), unescape(r), "pb-old" in c) for c, v, r in NUMBER.findall(block)] for block in blocks]
    assert len(found) == len(STORIES)
    return dict(zip(STORIES, found, strict=True))


def values(text):
    return [float(each.replace(",", "")) for each in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)]


def drag(app, epsilon):
    """Run the page once more, as when the thumb is held at another ε."""
    epoch = app.session_state["start/held"].epoch
    report = {"values": {"epsilon": epsilon}, "number": 1, "dragging": True, "epoch": epoch}
    app.session_state["start"] = {"report": report}
    return app.run()


def hospital(epsilon, runs=40):
    problem = pb.data.sample("hospital")
    setting = pb.outsourced.Setting(epsilon, 1e-5, 10, 30, search=pb.data.suited_search(problem), once=True)
    simulation = pb.outsourced.Simulation(problem)
    *_, found = simulation.compare(setting, runs, ("noisy",))
    return simulation.noisy_guarantee(setting, ""), found.extra_evaluations("noisy", pb.data.rank_sought(problem))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 7.2])
def test_numbers_are_those_of_the_engine(epsilon):
    seen = shown(open_page("start", epsilon=epsilon))
    promise, extra = hospital(epsilon)
    (attacks, at, _), (cost, instead, _) = seen["hospital"]
    assert values(attacks) == [strength(promise).percent, 100]
    assert values(at) == [epsilon, 50]
    assert strength(promise).word in at
    assert values(instead)[:2] == [extra.private if extra.private_reached else extra.limit, extra.plain]
    if extra.significant and extra.private_reached:
        assert values(cost) == [extra.extra]
        assert values(instead)[2:] == [5, 95, extra.low, extra.high], "the first five tests are not counted"
    else:
        assert values(cost) == ([] if extra.private_reached else [extra.limit - extra.plain])

    task = pb.data.tuning_task("logistic")
    way = {"records": task.records, "largest_loss": task.largest_loss, "way": "permute-and-flip"}
    plan = pb.release.selection(task.scores, epsilon=epsilon, **way)
    (attacks, _, _), (cost, _, _) = seen["team"]
    percent = strength(plan.guarantee(1)).percent
    assert values(attacks) == [min(percent, 99), 100]
    assert values(cost) == [pytest.approx(100 * pb.tradeoff.expected_loss(task, plan), abs=0.005)]


def test_the_hospital_s_target_is_reached_without_privacy():
    _, extra = hospital(1.0, 20)
    assert extra.plain_reached


def test_the_schools_have_an_epsilon_of_their_own():
    seen = shown(open_page("start", epsilon=3))["schools"]
    problem = federated.grades()
    settings, schools = federated.GRADES_START.settings(problem), len(problem.agents)
    promise = federated.guarantee(settings, schools, "pld", "exact", problem=problem)
    promise = replace(promise, curve=federated.trade_off(settings, schools))
    (attacks, at, _), (cost, saved, _) = seen
    assert values(attacks) == [strength(promise).percent, 100]
    assert values(at) == [pytest.approx(promise.epsilon, abs=0.005), 50]
    algorithms = {name: federated.variants(settings)[name] for name in ("DP-FTS-DE", "FTS-DE", "TS")}
    *_, progress = federated.Simulation(lambda run: problem).compare(algorithms, schools, 40)
    rounds = federated.rounds_needed(progress, "DP-FTS-DE", "FTS-DE", "TS")
    assert rounds.saved_low > 0
    assert values(saved) == [rounds.saved]
    assert values(cost) == ([rounds.extra.extra] if rounds.extra.significant else [])


@pytest.mark.parametrize("epsilon", [0.01, 1000.0])
def test_the_ends_of_the_range_are_shown(epsilon):
    seen = shown(open_page("start", epsilon=epsilon))
    for attack, cost in seen.values():
        assert not attack[2]
        assert not cost[2]
        assert 50 <= values(attack[0])[0] <= 99


def test_no_search_begins_before_the_slider_is_there(monkeypatch):
    order = []
    show, compare, together = Panel.show, outsourced.Simulation.compare, federated.Simulation.compare
    monkeypatch.setattr(Panel, "show", lambda *given, **more: (order.append("slider"), show(*given, **more))[1])
    for kind, method in ((outsourced.Simulation, compare), (federated.Simulation, together)):
        noted = lambda *given, method=method, **more: (order.append("search"), method(*given, **more))[1]  # noqa: E731
        monkeypatch.setattr(kind, "compare", noted)
    seen = shown(open_page("start", epsilon=1.37))
    assert order == ["slider", "search", "search"]
    assert not any(old for numbers in seen.values() for _, _, old in numbers)


def test_a_held_thumb_dims_the_old_cost_and_computes_nothing(monkeypatch):
    app = open_page("start", epsilon=2.11)
    before = shown(app)
    monkeypatch.setattr(outsourced.Simulation, "compare", lambda *_, **__: pytest.fail("a search began"))
    held = shown(drag(app, 2.13))
    assert held["hospital"][1] == (*before["hospital"][1][:2], True)
    assert values(held["hospital"][0][1])[0] == 2.13
    assert held["team"] != before["team"]
    assert held["schools"] == before["schools"]


def test_a_second_visitor_who_comes_in_between_gets_whole_numbers(monkeypatch):
    """While the searches of one visitor run, another opens the page, with the same ε and with another one."""
    came, compare = [], outsourced.Simulation.compare

    def interrupted(*given, **more):
        if not came:
            came.append(None)
            came.extend(open_page("start", epsilon=epsilon) for epsilon in (1.61, 4.2))
        yield from compare(*given, **more)

    monkeypatch.setattr(outsourced.Simulation, "compare", interrupted)
    first = shown(open_page("start", epsilon=1.61))
    _, second, third = came
    assert shown(second) == first
    for epsilon, numbers in ((1.61, first), (4.2, shown(third))):
        assert not any(old for story in numbers.values() for _, _, old in story)
        assert values(numbers["hospital"][0][1])[0] == epsilon
        extra = hospital(epsilon)[1]
        assert values(numbers["hospital"][1][1])[:2] == [extra.private if extra.private_reached else 30, extra.plain]
    assert first["schools"] == shown(third)["schools"]


def test_each_story_opens_its_page_at_this_epsilon():
    links = [
        (each.proto.page, dict(parse_qsl(each.proto.query_string)))
        for each in open_page("start", epsilon=2.5).get("page_link")
    ]
    asked = {}
    for page, query in links:
        asked.setdefault(page, []).append(query)
    assert {"data": "hospital", "release": "noisy", "epsilon": "2.5"}.items() <= asked["outsourced"][0].items()
    assert asked["release"][0]["epsilon"] == "2.5"
    assert asked["federated"][0]["agents"] == "grades"
    assert "epsilon" not in asked["federated"][0]
    assert asked["tour"]
    assert asked["data"][0]["bring"] == "table"
    # Readers of the papers find each paper's own example.
    assert {"data": "synthetic", "release": "projection", "r": "10", "T": "50"}.items() <= asked["outsourced"][
        1
    ].items()
    assert asked["release"][1]["algorithm"] == "1 noisy"
    assert asked["federated"][1]["agents"] == "family"
    assert asked["papers"]


@pytest.mark.parametrize("wanted", ["abc", "-1", "1e9", "<b>1</b>"])
def test_an_epsilon_that_cannot_be_shown_gets_a_sentence(wanted):
    app = open_page("start", epsilon=wanted)
    assert values(shown(app)["hospital"][0][1])[0] == 1.0
    assert len(app.info) == 1
