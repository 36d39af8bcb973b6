"""What a person sees and does on the Trade-off page, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import assert_for_everybody
from tests.helpers.hands import enter, exact
from tests.helpers.waiting import rest, until

QUICK = "T=20&runs=20"
ALL = re.compile(r"^\d+ runs at each of \d+ marks")


def open_page(page, app, query=QUICK):
    page.goto(f"{app}/tradeoff?{query}")
    page.get_by_text(ALL).wait_for(timeout=4 * 60_000)  # an exact count takes seconds for each mark
    page.get_by_role("button", name="Explain this: the two answers").wait_for()
    rest(page)
    page.wait_for_function("() => !document.querySelector('.pb-answers .pb-old')")


def answer(page, which, mechanism):
    """The text of an answer: 0, what ε costs; 1, which ε is needed."""
    return page.locator(f".pb-answers [data-mechanism='{mechanism}']").nth(which).inner_text()


def traces(page):
    return page.evaluate(
        """() => document.querySelector('.st-key-chart-tradeoff .plot').data.map(trace => ({
             name: trace.name || '', mode: trace.mode, symbol: trace.marker?.symbol,
             x: Array.from(trace.x || []), y: Array.from(trace.y || [])}))"""
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "mechanisms"),
    [
        (QUICK, {"projection": "circle-x-open", "noisy release": "circle"}),
        (
            "tradeoff_task=Release",
            {"Algorithm 1": "circle-open-dot", "Algorithm 2": "diamond-open-dot", "private selection": "circle"},
        ),
        ("tradeoff_task=Federated&T=3&runs=3&N=30", {"by noise z": "circle", "by rate q": "square"}),
    ],
)
def test_each_task_draws_marks_fits_and_a_front(page, app, query, mechanisms):
    open_page(page, app, query)
    drawn = traces(page)
    marks = {trace["name"]: trace for trace in drawn if trace["mode"] == "markers"}
    assert {name: trace["symbol"] for name, trace in marks.items()} == mechanisms
    assert all(len(trace["x"]) >= 7 for trace in marks.values())
    assert {f"{name}: monotone fit" for name in mechanisms} <= {trace["name"] for trace in drawn}
    stairs = next(trace for trace in drawn if trace["name"] == "front")
    on_front = set(zip(stairs["x"], stairs["y"], strict=True))
    refuted = [name for name, symbol in mechanisms.items() if symbol == "circle-x-open"]
    for name in refuted:
        assert not on_front & set(zip(marks[name]["x"], marks[name]["y"], strict=True))
        assert "refuted" in answer(page, 0, name)
        assert "refuted" in answer(page, 1, name)


def test_marks_appear_as_they_are_ready_and_stop_keeps_them(page, app):
    page.goto(f"{app}/tradeoff?T=150&runs=100&data=branin")
    page.get_by_text(re.compile(r"^\d+ of \d+ marks so far")).wait_for()
    page.wait_for_function(
        """() => document.querySelector('.st-key-chart-tradeoff .plot')?.data?.some(
             t => t.mode === 'markers' && t.x?.length > 2)"""
    )
    page.get_by_role("button", name="Stop").click()
    page.get_by_text(re.compile("stopped")).wait_for()
    page.get_by_role("button", name="Go on").wait_for()
    until(page, lambda: sum(len(trace["x"]) for trace in traces(page) if trace["mode"] == "markers") >= 3)
    expect(exact(page, "runs")).to_have_value("100")
    # A new setting cancels what is under way, and is itself computed.
    enter(exact(page, "T"), "10")
    enter(exact(page, "runs"), "5")
    page.get_by_text(re.compile(r"^5 runs at each of \d+ marks")).wait_for()


@pytest.mark.long
@pytest.mark.parametrize("task", ["Release", "Federated"])
def test_everybody_can_use_it(page, app, task):
    open_page(page, app, f"tradeoff_task={task}&T=3&runs=3&N=10")
    assert_for_everybody(page)
