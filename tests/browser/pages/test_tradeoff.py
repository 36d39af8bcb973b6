"""What a person sees and does on the Trade-off page, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import assert_for_everybody
from tests.helpers.hands import box_of, enter, within
from tests.helpers.waiting import ENDED, rest, until

QUICK = "T=20&runs=20"


def open_page(page, app, query=QUICK):
    page.goto(f"{app}/tradeoff?{query}")
    page.wait_for_selector(".st-key-chart-tradeoff .plot[data-drawn]")
    page.locator(ENDED).wait_for(timeout=4 * 60_000)  # an exact count takes seconds for each mark
    rest(page)
    page.wait_for_function("() => !document.querySelector('.pb-answers .pb-old')")


def answer(page, which, mechanism):
    """Return an answer: 0, what ε costs; 1, which ε is needed."""
    return page.locator(f".pb-answers [data-mechanism='{mechanism}']").nth(which)


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
    lines = [trace["name"] for trace in drawn if trace["mode"] == "lines"]
    assert all(any(line.startswith(f"{name}:") for line in lines) for name in mechanisms), "a fit for each"
    stairs = next(trace for trace in drawn if trace["name"] == "front")
    on_front = set(zip(stairs["x"], stairs["y"], strict=True))
    refuted = [name for name, symbol in mechanisms.items() if symbol == "circle-x-open"]
    for name in refuted:
        assert not on_front & set(zip(marks[name]["x"], marks[name]["y"], strict=True))
        for which in (0, 1):
            expect(answer(page, which, name).locator(".pb-refuted")).to_have_count(1)


def test_marks_appear_as_they_are_ready_and_stop_keeps_them(page, app):
    page.goto(f"{app}/tradeoff?T=150&runs=100&data=branin")
    page.wait_for_function(
        """() => document.querySelector('.st-key-chart-tradeoff .plot')?.data?.some(
             t => t.mode === 'markers' && t.x?.length > 2)"""
    )
    within(page, "tradeoff_stop").click()
    within(page, "tradeoff_go").wait_for()
    until(page, lambda: sum(len(trace["x"]) for trace in traces(page) if trace["mode"] == "markers") >= 3)
    expect(box_of(page, "runs")).to_have_value("100")
    # A new setting cancels what is under way, and is itself computed.
    enter(box_of(page, "T"), "10")
    enter(box_of(page, "runs"), "5")
    page.wait_for_function("() => /[?&]T=10(&|$)/.test(location.search) && /[?&]runs=5(&|$)/.test(location.search)")
    page.locator(ENDED).wait_for()
    rest(page)
    expect(within(page, "tradeoff_go").or_(within(page, "tradeoff_stop"))).to_have_count(0)
    assert sum(len(trace["x"]) for trace in traces(page) if trace["mode"] == "markers") >= 7


@pytest.mark.long
@pytest.mark.parametrize("task", ["Release", "Federated"])
def test_everybody_can_use_it(page, app, task):
    open_page(page, app, f"tradeoff_task={task}&T=3&runs=3&N=10")
    assert_for_everybody(page)
