"""The pages' names in the bar: each page is one click away, by mouse and by keyboard, and the bar says where one is."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.accessible import AT_THE_TOP
from tests.helpers.waiting import until

LINKS = "[data-testid=stTopNavLink]"
LISTED = "[data-testid=stSidebarNavLink]"
READY = ".pb-facts"
PAGES = 9


@pytest.fixture
def start(page, app):
    """Return the page Start, once all of it is there."""
    page.goto(app)
    page.wait_for_selector(READY)
    return page


def arrived(page, name):
    """Wait until the bar shows that the visitor is on a page, and the page has begun without an error."""
    expect(page.locator(f"{LINKS}[aria-current=page]")).to_have_text(re.compile(f"{name}$"))
    page.wait_for_selector(".pb-page, .pb-title, .pb-heading", state="attached")
    expect(page).to_have_title(re.compile(f"^{name} "))
    assert page.locator("[data-testid=stException]").count() == 0


def names(page):
    return [name.strip() for name in page.locator(f"{LINKS} [label]").all_inner_texts()]


def test_every_page_is_one_click_away(start):
    page = start
    pages = names(page)
    assert len(pages) == len(set(pages)) == PAGES
    for name in [*pages[1:], pages[0]]:
        page.locator(LINKS).filter(has_text=re.compile(f"{name}$")).click()
        arrived(page, name)
        until(page, AT_THE_TOP, [])
    page.locator(LINKS).last.click()
    arrived(page, pages[-1])
    page.reload()
    arrived(page, pages[-1])


@pytest.mark.long
def test_every_page_is_reached_by_the_keyboard_alone(start):
    page = start
    page.set_viewport_size({"width": 1280, "height": 720})
    pages = names(page)
    for number, name in enumerate(pages[1:], 1):
        page.locator(LINKS).first.focus()
        for _ in range(number):
            page.keyboard.press("Tab")
        page.wait_for_function("name => document.activeElement.innerText.endsWith(name)", arg=name)
        page.keyboard.press("Enter")
        arrived(page, name)


@pytest.mark.long
def test_every_page_is_in_the_menu_of_a_phone(phone, app):
    phone.goto(app)
    phone.wait_for_selector(READY)
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.locator(LISTED).first.wait_for()
    pages = [name.strip() for name in phone.locator(f"{LISTED} [label]").all_inner_texts()]
    assert len(pages) == len(set(pages)) == PAGES
    for number, name in enumerate(pages):
        if number:
            phone.locator("[data-testid=stExpandSidebarButton]").tap()
        phone.locator(LISTED).nth(number).tap()
        phone.wait_for_function(
            "() => document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right <= 1"
        )
        phone.wait_for_selector(f"{LISTED}[aria-current=page] [label='{name}']", state="attached")
        until(phone, AT_THE_TOP, [])


@pytest.mark.long
def test_pages_that_find_no_place_are_in_a_menu_of_their_own(start):
    page = start
    last = names(page)[-1]
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    page.set_viewport_size({"width": 860, "height": 800})
    more = page.get_by_text(re.compile(r"^\d+ more$"))
    more.wait_for()
    until(page, AT_THE_TOP, [])
    more.click()
    page.get_by_role("menuitem", name=last, exact=True).click()
    page.wait_for_url("**/papers*")
