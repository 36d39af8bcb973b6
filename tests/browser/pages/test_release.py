"""What a person sees and does on the Release page, in a real browser."""

import json
import random
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from pages.ui.own_table import choice_key
from pages.ui.tuning import OWN_TITLES, SCORES
from privbo_core.data import tuning_task
from privbo_core.release import Design, prior_task
from tests.helpers.accessible import PHONE, assert_for_everybody, violations
from tests.helpers.dots import PLACES, WATCH, in_address, middle
from tests.helpers.hands import box_of, bring, enter, hold_thumb, pick, row_of, turn_to, within
from tests.helpers.looks import CROSSED, INSIDE, SMALLEST
from tests.helpers.waiting import rest, until

SETTLED = ".st-key-chart-score .plot[data-drawn]"
NOISY, EXACT, LIPSCHITZ = "algorithm=1+noisy", "algorithm=2+exact&task=svm", "algorithm=3+Lipschitz"
SEEN = """() => {
  const plot = name => document.querySelector(`.st-key-chart-${name} .plot`);
  const curve = (name, trace) => plot(name).data.find(t => t.name === trace)?.y.join();
  const layout = plot('configuration').layout;
  return { tile: document.querySelector('.pb-tile .pb-value').textContent,
    headline: document.querySelector('.pb-headline').textContent,
    chance: curve('configuration', 'chance'), score: curve('score', 'published score'),
    still: [curve('configuration', 'true score'), curve('configuration', 'posterior mean')].join('/'),
    axes: JSON.stringify([layout.yaxis.range, layout.xaxis2?.range, layout.yaxis2?.range,
      plot('score').layout.xaxis.range]) }; }"""
"""What the page shows now: numbers, curves and axes."""
PARTS = ("panel", "headline", "tiles", "card-configuration", "card-score", "chart-configuration", "chart-score")
"""What must keep its place and its size while a thumb or a dot is held."""
FIRST = ".st-key-chart-configuration .plot, .st-key-chart-score .plot, .pb-headline, .pb-tiles"


def open_page(page, app, query=""):
    page.goto(f"{app}/release?{query}")
    page.wait_for_selector(SETTLED)
    rest(page)


def lost(epsilon, T=50):
    """Return the loss that the page shows for Algorithm 1 on its first task."""
    task, design = tuning_task("logistic"), Design("noisy", epsilon, iterations=T)
    plans = (design.publication(task, design.search(task, run)).plan for run in range(20))
    return f"{100 * np.mean([plan.choice.probabilities @ (task.scores.max() - task.scores) for plan in plans]):.2f}"


def test_all_that_depends_on_a_held_thumb_follows_and_nothing_else_moves(page, app):
    """Numbers, chances and the score's noise follow ε. What the search knows stays, the axes hold, nothing jumps."""
    open_page(page, app, f"{NOISY}&epsilon=30")
    places, before = page.evaluate(PLACES, PARTS), page.evaluate(SEEN)
    page.evaluate(WATCH, PARTS)
    x, y = hold_thumb(page, "epsilon")
    last = before
    for step in (12, 24, -20):
        page.mouse.move(x + step, y)
        for part in ("tile", "headline", "chance", "score"):
            until(page, lambda part=part, last=last: page.evaluate(SEEN)[part] != last[part])
        last = page.evaluate(SEEN)
        assert (last["still"], last["axes"]) == (before["still"], before["axes"])
    assert in_address(page, "epsilon") == 30, "the address waits until the thumb rests"
    looks = [set(json.loads(look)) for look in page.evaluate("[...window.looks]")]
    assert [look - looks[0] for look in looks[1:]] == []
    page.mouse.up()
    until(page, lambda: in_address(page, "epsilon") == float(box_of(page, "epsilon").input_value()))
    until(page, lambda: lost(in_address(page, "epsilon")) in page.evaluate(SEEN)["headline"])
    until(page, lambda: page.evaluate(PLACES, PARTS), places)


def test_back_leads_to_the_page_before_and_not_through_values(page, app):
    page.goto(app)
    page.locator(".pb-facts").first.wait_for()
    page.locator("[data-testid=stTopNavLink][href$='/release']").click()
    page.wait_for_selector(SETTLED)
    rest(page)
    entries = page.evaluate("history.length")
    enter(box_of(page, "epsilon"), "2.5")
    until(page, lambda: in_address(page, "epsilon"), 2.5)
    rest(page)
    assert page.evaluate("history.length") == entries
    page.go_back()
    page.locator(".pb-facts").first.wait_for()
    page.go_forward()
    page.wait_for_selector(SETTLED)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_fast_hand_never_breaks_the_page(page, app, seed):
    """Runs of one page overlap at each of these moves, and what is shown in the end is what was moved last."""
    open_page(page, app, f"{NOISY}&T=20")
    dice = random.Random(seed)
    for _ in range(6):
        key = dice.choice(["epsilon", "T", "sigma"])
        x, y = hold_thumb(page, key)
        for _ in range(12):
            page.mouse.move(x + dice.randint(-40, 40), y)
        page.mouse.up()
    enter(box_of(page, "sigma"), "0.1")
    enter(box_of(page, "epsilon"), "40")
    enter(box_of(page, "T"), "25")
    rest(page)
    until(page, lambda: lost(40, 25) in page.evaluate(SEEN)["headline"])
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize(("query", "slot", "key"), [
    (LIPSCHITZ + "&lambda_min=0.01", "configuration", "lambda_min"), (NOISY + "&epsilon=20", "losses-loss", "epsilon"),
])  # fmt: skip
def test_a_dot_on_a_curve_sets_its_slider(page, app, query, slot, key):
    open_page(page, app, query)
    if slot.startswith("losses"):
        page.get_by_test_id("stExpander").filter(has_text="Loss against ε").locator("summary").click()
        rest(page)
    handle = page.locator(f".st-key-chart-{slot} .pb-handle")
    handle.scroll_into_view_if_needed()
    before, numbers = in_address(page, key), page.evaluate(SEEN)
    x, y = middle(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x + 5 * step, y)
    until(page, lambda: float(handle.get_attribute("aria-valuenow")) > before)
    until(page, lambda: page.evaluate(SEEN)["tile"] != numbers["tile"])
    page.mouse.up()
    until(page, lambda: in_address(page, key) > before)
    until(page, lambda: in_address(page, key) == pytest.approx(float(handle.get_attribute("aria-valuenow")), rel=1e-3))


def test_a_preset_is_one_click(page, app):
    open_page(page, app, EXACT)
    page.get_by_role("button", name="Bounds (workshop)").click()
    page.wait_for_url(re.compile("task=prior"))
    rest(page)
    bound = Design("noisy", 1.0, variant="workshop").publication
    from_engine = bound(prior_task(200)).bounds(3.0)[2].value
    until(page, lambda: page.locator(".pb-tile .pb-value").last.inner_text().startswith(f"{from_engine:.3g}"))
    expect(page.get_by_role("radio", name="Workshop")).to_be_checked()


def test_the_refutation_arrives_and_leads_to_the_attack(page, app):
    open_page(page, app, EXACT)
    page.locator(".pb-guarantee.pb-is-refuted").wait_for()
    expect(page.locator(".pb-lead .pb-refuted")).to_be_visible()
    page.locator(".pb-guarantee a[href^=audit]").click()
    page.wait_for_url("**/audit*")


@pytest.mark.long
def test_a_link_brings_mechanism_version_task_and_setting_back(page, app):
    open_page(page, app)
    pick(page, "algorithm", "DP-BO, Algorithm 2 (noise-free)")
    row_of(page, "A").wait_for()
    page.get_by_role("radio", name="Workshop").click()
    page.wait_for_url(re.compile("paper=workshop"))
    rest(page)
    pick(page, "task", tuning_task("svm").title)
    page.wait_for_url(re.compile("task=svm"))
    enter(box_of(page, "A"), "2")
    page.wait_for_url(re.compile("A=2"))
    page.goto(page.url)
    page.wait_for_selector(SETTLED)
    expect(page.get_by_role("radio", name="Workshop")).to_be_checked()
    expect(within(page, "task", "[role=combobox]")).to_have_value(tuning_task("svm").title)
    expect(box_of(page, "A")).to_have_value("2")


def test_the_results_of_a_grid_search_end_in_a_private_choice_and_a_reload_asks_for_them(page, app):
    x, y = load_breast_cancer(return_X_y=True)
    found = GridSearchCV(LogisticRegression(max_iter=5000), {"C": np.logspace(-4, 0, 5)}, cv=5).fit(x[:, :4], y)
    page.goto(f"{app}/data?bring=table")
    text = pd.DataFrame(found.cv_results_).to_csv().encode()
    bring(page.locator("input[type=file]").first, "results.csv", text)
    within(page, "clear").wait_for()
    turn_to(page, "release")
    pick(page, "task", OWN_TITLES[SCORES])
    enter(within(page, choice_key("records"), "input"), "569")
    pick(page, choice_key("decimals"), "they were not rounded")
    page.locator(".pb-lead", has_text=re.compile(r"\b5 configurations")).wait_for()
    expect(page.locator(".pb-guarantee.pb-is-caution")).to_be_visible()
    page.reload()
    page.get_by_test_id("stAlert").filter(has_text="table").first.wait_for()
    expect(page.locator(".plot")).to_have_count(0)


LOOKS = [
    "", f"{NOISY}&epsilon=0.01", f"{NOISY}&epsilon=1000&publish=setting", f"{EXACT}&publish=score", LIPSCHITZ,
    f"{LIPSCHITZ}&lambda_min=0.4", f"{NOISY}&task=prior&candidates=50&T=10",
    "task=svm&epsilon=100&publish=setting+and+score",
]  # fmt: skip


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900)])
@pytest.mark.parametrize("query", [LOOKS[0], NOISY, EXACT, LIPSCHITZ])
def test_the_first_screen_answers(page, app, size, query):
    """The mechanism, ε, the finding with its badge, the numbers and both figures are seen without a scroll."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_page(page, app, query)
    until(page, lambda: page.evaluate(INSIDE, FIRST))
    box = page.locator("input[type=range][data-key=epsilon]").bounding_box()
    assert box["y"] + box["height"] < size[1]
    expect(page.locator(".pb-lead .pb-badge")).to_be_in_viewport()


@pytest.mark.parametrize("query", LOOKS)
def test_no_label_covers_another_or_touches_a_curve(page, app, query):
    page.set_viewport_size({"width": 1366, "height": 768})
    open_page(page, app, query)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12


@pytest.mark.parametrize("query", [LOOKS[0], f"{NOISY}&T=10", EXACT, LIPSCHITZ])
def test_everybody_can_use_it(page, app, query):
    """With a screen reader in both themes, and with all that lies below the first screen open."""
    open_page(page, app, query)
    found = violations(page)
    for section in page.get_by_test_id("stExpander").all():
        section.locator("summary").click()
        rest(page)
    until(page, CROSSED, [])
    assert page.evaluate(SMALLEST) >= 12
    assert_for_everybody(page, *found)


DOCKED = """slider => { const box = slider.getBoundingClientRect();
  return box.height > 0 && box.bottom <= innerHeight && innerHeight - box.bottom < 80; }"""


def test_on_a_phone_nothing_is_cut_off_and_the_slider_stays_at_the_bottom(phone, app):
    open_page(phone, app, f"{NOISY}&T=10")
    expect(phone.locator(".pb-headline")).to_be_in_viewport()
    slider = phone.locator("input[type=range][data-key=epsilon]")
    for part in (".pb-headline", ".st-key-card-score"):
        phone.locator(part).scroll_into_view_if_needed()
        until(phone, lambda: slider.evaluate(DOCKED))
    for section in phone.get_by_test_id("stExpander").all():
        section.locator("summary").click()
        rest(phone)
    until(phone, CROSSED, [])
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]
