"""The pages' names, in groups: each page is reached by mouse and by keyboard, and the bar says where somebody is."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import AT_THE_TOP, found_in_both_themes
from tests.helpers.waiting import until

GROUPS = "[data-testid=stTopNavSection]"
ITEMS = "[data-testid=stTopNavPopover] [role=menuitem]"
NAMES = ["Explore", "Teach", "Do", "Papers"]
HERE = "name => document.querySelector('[data-testid=stTopNavSection] strong')?.innerText === `· ${name}`"
LINKS = "[data-testid=stSidebarNavLink]"


@pytest.fixture
def start(page, app):
    """Start, once all of it is there; without its figures it is what loads the fastest."""
    page.goto(f"{app}/?view=expert")
    page.wait_for_selector("text=How to read a page")
    return page


def settled(page, name):
    """Wait until the bar says that the visitor is on a page, and nothing on it has gone wrong."""
    page.wait_for_function(HERE, arg=name)
    page.wait_for_selector(".pb-page, .pb-title, .pb-finding, .pb-heading, .pb-answer")
    assert page.locator("[data-testid=stException]").count() == 0


def offered(page):
    """Return the names of each group's pages, by opening every menu."""
    found = {}
    for number, group in enumerate(NAMES):
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
    expect(page.locator(GROUPS)).to_have_text([re.compile(f"^{name}") for name in NAMES])
    groups = offered(page)
    names = [name for group in groups.values() for name in group]
    assert len(names) == len(set(names)) >= 9
    for number, (name, *_) in enumerate(groups.values()):
        page.locator(GROUPS).nth(number).click()
        page.get_by_role("menuitem", name=name, exact=True).click()
        settled(page, name)
        until(page, AT_THE_TOP, [])
    expect(page.locator(GROUPS, has_text="Reproduce")).to_have_text("Papers · Reproduce", use_inner_text=True)
    page.reload()  # a link says where it leads, too
    settled(page, "Reproduce")
    page.get_by_role("link", name="Start", exact=True).click()
    page.wait_for_selector("text=How to read a page")
    expect(page.locator(f"{GROUPS} strong")).to_have_count(0)
    expect(page.get_by_role("link", name="Start", exact=True)).to_have_attribute("aria-current", "page")


@pytest.mark.long
def test_every_page_is_reached_by_the_keyboard_alone(start):
    """On a narrower screen too; each group’s last page is opened."""
    page = start
    page.set_viewport_size({"width": 1000, "height": 800})
    groups = offered(page)
    for number, (group, names) in enumerate(groups.items()):
        page.get_by_role("link", name="Start", exact=True).focus()
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
    phone.wait_for_selector("text=How to read a page")
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    expect(phone.locator("[data-testid=stNavSectionHeader] p")).to_have_text(NAMES)
    names = [name.strip() for name in phone.locator(f"{LINKS} [label]").all_inner_texts()]
    assert len(names) == len(set(names)) >= 10
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
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    page.set_viewport_size({"width": 768, "height": 800})
    more = page.get_by_text(re.compile(r"^\d+ more$"))
    more.wait_for()
    page.wait_for_function(
        f"() => ({AT_THE_TOP})().filter(found => /more|Start|Explore|Teach|Do|Papers/.test(found)).length === 0"
    )
    more.click()
    page.get_by_role("menuitem", name="Reproduce", exact=True).wait_for()
