"""What a person sees and does on the Release page, in a real browser."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from pages.parts.release.tasks import SCORES, TITLES
from pages.parts.table.upload import chosen
from tests.helpers.hands import box_of, bring, enter, hold_thumb, pick, row_of, take_depth, turn_to, within
from tests.helpers.waiting import rest, until

SETTLED = ".st-key-chart-terms .plot[data-drawn]"
EPSILON = "() => new URLSearchParams(location.search).get('epsilon')"


def open_page(page, app, query=""):
    page.goto(f"{app}/release?view=expert{query}")
    page.wait_for_selector(SETTLED)


SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  const times = plot('setting').data.find(t => t.name?.startsWith('release probability')).y;
  const [low, high] = plot('score').layout.xaxis.range;
  return { most: Math.max(...times), least: Math.min(...times), axis: high - low,
           tile: document.querySelector('.pb-value').textContent }; }"""
"""The release probabilities' range, the density's axis, and the first tile, as the browser shows them now."""


def test_the_release_distribution_follows_a_thumb_and_back_leads_to_the_page_before(page, app):
    """Back leads there, and not through the values that the slider has had."""
    page.goto(app)
    page.locator(".pb-facts").first.wait_for()
    turn_to(page, "release")
    take_depth(page, 1)
    page.wait_for_selector(SETTLED)
    page.get_by_role("radio", name="1 noisy").click()
    page.wait_for_url("**algorithm=1+noisy**")
    rest(page)
    entries = page.evaluate("history.length")
    first = before = page.evaluate(SEEN)
    x, y = hold_thumb(page, "epsilon")
    for step in (36, 72, 108):
        page.mouse.move(x + step, y)
        farther = f"""() => {{ const now = ({SEEN})(), was = {json.dumps(before)};
          return now.most > was.most && now.least < was.least && now.tile !== was.tile; }}"""
        until(page, farther)
        before = page.evaluate(SEEN)
    until(page, f"() => ({SEEN})().most > {1.5 * first['most']}")
    assert page.evaluate(SEEN)["axis"] == pytest.approx(first["axis"]), "axes stay"
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('epsilon=')")
    held = page.evaluate(EPSILON)
    enter(box_of(page, "epsilon"), "2.5")
    page.wait_for_function(f"() => ({EPSILON})() === '2.5'")
    assert held != "2.5"
    rest(page)
    assert page.evaluate("history.length") == entries
    page.go_back()
    page.locator(".pb-facts").first.wait_for()
    page.go_forward()
    page.wait_for_url("**/release*")
    page.wait_for_selector(SETTLED)


MARKS = """slot => {
  const plot = document.querySelector(`.st-key-chart-${slot} .plot`);
  const of = name => plot.data.find(trace => trace.name === name);
  const dots = of('rehearsed');
  return { dots: dots ? dots.x.length : 0, last: dots ? dots.y.at(-1) : null };
}"""


@pytest.mark.long
def test_twenty_rehearsals_fall_one_after_the_other_and_are_cleared(page, app):
    open_page(page, app, "&publish_selected=setting+and+score")
    page.evaluate(
        f"""() => {{ window.seen = [];
          const marks = {MARKS};
          new MutationObserver(() => window.seen.push(marks('score'))).observe(
            document.querySelector('.st-key-chart-score .plot'), {{ attributeFilter: ['data-drawn'] }}); }}"""
    )
    stage = within(page, "rehearsal").filter(visible=True)
    stage.nth(1).click()  # twenty at once
    page.wait_for_function(f"() => ({MARKS})('setting').dots === 20")
    page.wait_for_function(
        "() => seen.at(-1).dots === 20 && 3 * seen.at(-1).last < Math.max(...seen.map(each => each.last))"
    )
    counts = page.evaluate("seen.map(each => each.dots)")
    assert counts == sorted(counts)
    assert len(set(counts)) > 3, "they come one after the other"
    stage.last.click()  # clear it
    until(page, f"() => ({MARKS})('score').dots", 0)


@pytest.mark.long
def test_a_link_brings_algorithm_paper_task_and_setting_back(page, app):
    open_page(page, app)
    page.get_by_role("radio", name="2 exact").click()
    row_of(page, "A").wait_for()
    page.get_by_role("radio", name="workshop").click()
    page.wait_for_url(re.compile("paper=workshop"))
    rest(page)
    task = within(page, "task", "[role=combobox]")
    before = task.input_value()
    task.click()
    page.get_by_role("option").nth(1).click()
    enter(box_of(page, "A"), "2")
    page.wait_for_url(re.compile("A=2"))
    page.wait_for_url(re.compile("task="))
    page.goto(page.url)
    page.wait_for_selector(SETTLED)
    for name in ("2 exact", "workshop"):
        expect(page.get_by_role("radio", name=name)).to_be_checked()
    expect(task).not_to_have_value(before)
    expect(box_of(page, "A")).to_have_value("2")


@pytest.mark.long
def test_the_results_of_a_grid_search_with_five_folds_end_in_a_private_choice(page, app):
    x, y = load_breast_cancer(return_X_y=True)
    found = GridSearchCV(LogisticRegression(max_iter=5000), {"C": np.logspace(-4, 0, 5)}, cv=5).fit(x[:, :4], y)
    page.goto(f"{app}/release?view=expert")
    page.wait_for_selector(SETTLED)
    pick(page, "task", TITLES[SCORES])
    text = pd.DataFrame(found.cv_results_).to_csv().encode()
    bring(page.locator("input[type=file]"), "results.csv", text)
    enter(within(page, chosen("records"), "input"), "569")
    pick(page, chosen("decimals"), "they were not rounded")
    page.locator(".st-key-lead", has_text=re.compile(r"\b5\b")).wait_for()  # so many settings to draw from
