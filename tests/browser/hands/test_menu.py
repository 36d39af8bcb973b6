"""The pages' names, in groups: each page is reached by mouse and by keyboard, and the bar says where somebody is."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import AT_THE_TOP, found_in_both_themes
from tests.helpers.waiting import until

GROUPS = "[data-testid=stTopNavSection]"
ITEMS = "[data-testid=stTopNavPopover] [role=menuitem]"
HERE = "name => document.querySelector('[data-testid=stTopNavSection] strong')?.innerText.endsWith(` ${name}`)"
START = "[data-testid=stTopNavLink]"  # the one page that is in no group
READY = ".pb-facts"
LINKS = "[data-testid=stSidebarNavLink]"


@pytest.fixture
def start(page, app):
    """Start, once all of it is there; without its figures it is what loads the fastest."""
    page.goto(f"{app}/?view=expert")
    page.wait_for_selector(READY)
    return page


def settled(page, name):
    """Wait until the bar says that the visitor is on a page, and nothing on it has gone wrong."""
    page.wait_for_function(HERE, arg=name)
    page.wait_for_selector(".pb-page, .pb-title, .pb-finding, .pb-heading, .pb-answer")
    assert page.locator("[data-testid=stException]").count() == 0


def offered(page):
    """Return each group with the names of its pages, by opening every menu."""
    found = {}
    for number, group in enumerate(page.locator(GROUPS).locator("p").all_inner_texts()):
        page.locator(GROUPS).nth(number).click()
        page.wait_for_selector(ITEMS)
        found[group] = [name.strip() for name in page.locator(f"{ITEMS} [label]").all_inner_texts()]
        page.keyboard.press("Escape")
        page.wait_for_selector(ITEMS, state="detached")
    return found


def test_every_page_is_two_clicks_away(start):
    page = start
    page.locator(GROUPS).first.click()
    page.wait_for_selector(ITEMS)
    assert not found_in_both_themes(page), "an open menu can be used by everybody"
    page.keyboard.press("Escape")
    page.wait_for_selector(ITEMS, state="detached")
    groups = offered(page)
    names = [name for group in groups.values() for name in group]
    assert len(names) == len(set(names)) >= 7
    for number, (name, *_) in enumerate(groups.values()):
        page.locator(GROUPS).nth(number).click()
        page.get_by_role("menuitem", name=name, exact=True).click()
        settled(page, name)
        until(page, AT_THE_TOP, [])
    expect(page.locator(f"{GROUPS} strong")).to_have_count(1)  # that of the last group alone
    page.reload()  # a link says where it leads, too
    settled(page, name)
    page.locator(START).click()
    page.wait_for_selector(READY)
    expect(page.locator(f"{GROUPS} strong")).to_have_count(0)
    expect(page.locator(START)).to_have_attribute("aria-current", "page")


@pytest.mark.long
def test_every_page_is_reached_by_the_keyboard_alone(start):
    """On a narrower screen too; each group’s last page is opened."""
    page = start
    page.set_viewport_size({"width": 1000, "height": 800})
    groups = offered(page)
    for number, (group, names) in enumerate(groups.items()):
        page.locator(START).focus()
        for _ in range(number + 1):
            page.keyboard.press("Tab")
        page.wait_for_function("group => document.activeElement.innerText.startsWith(group)", arg=group)
        page.keyboard.press("Enter")
        page.wait_for_selector(ITEMS)
        for row, name in enumerate(names):
            if row:
                page.keyboard.press("ArrowDown")
            page.wait_for_function("name => document.activeElement.innerText.endsWith(name)", arg=name)
        page.keyboard.press("Enter")
        settled(page, names[-1])
        until(page, AT_THE_TOP, [])


@pytest.mark.long
def test_every_page_is_in_the_menu_of_a_phone(phone, app):
    phone.goto(f"{app}/?view=expert")
    phone.wait_for_selector(READY)
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.locator(LINKS).first.wait_for()
    names = [name.strip() for name in phone.locator(f"{LINKS} [label]").all_inner_texts()]
    assert len(names) == len(set(names)) >= 8
    for number, name in enumerate(names):
        if number:
            phone.locator("[data-testid=stExpandSidebarButton]").tap()
        phone.locator(LINKS).nth(number).tap()
        phone.wait_for_function(
            "() => document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 1"
        )
        phone.wait_for_selector(f"{LINKS}[aria-current=page] [label='{name}']", state="attached")
        expect(phone.locator("[data-testid=stNavSectionHeader] strong").locator("visible=true")).to_have_count(0)
        until(phone, AT_THE_TOP, [])


@pytest.mark.long
def test_with_larger_letters_groups_that_find_no_place_are_in_a_menu_of_their_own(start):
    page = start
    last = list(offered(page).values())[-1][-1]
    named = [*page.locator(GROUPS).locator("p").all_inner_texts(), *page.locator(START).all_inner_texts(), "more"]
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    page.set_viewport_size({"width": 768, "height": 800})
    more = page.get_by_text(re.compile(r"^\d+ more$"))
    more.wait_for()
    page.wait_for_function(
        f"named => ({AT_THE_TOP})().filter(found => named.some(name => found.includes(name))).length === 0", arg=named
    )
    more.click()
    page.get_by_role("menuitem", name=last, exact=True).wait_for()
