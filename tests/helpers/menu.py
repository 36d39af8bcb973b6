"""The menus at the top of every page."""

import re

from playwright.sync_api import Page


def go_to(page: Page, group: str, name: str) -> None:
    page.locator("[data-testid=stTopNavSection]", has_text=re.compile(f"^{group}")).click()
    page.get_by_role("menuitem", name=name, exact=True).click()


def open_scenes(page: Page) -> None:
    if not page.locator(".st-key-scenes-keep").count():
        page.locator(".st-key-scenes-bar button").click()
    page.locator(".st-key-scenes-keep").wait_for()
