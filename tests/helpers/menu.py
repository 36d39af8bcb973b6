"""The menus at the top of every page."""

import re

from playwright.sync_api import Page


def go_to(page: Page, group: str, name: str) -> None:
    """Open a group's menu with the mouse, and choose a page in it."""
    page.locator("[data-testid=stTopNavSection]", has_text=re.compile(f"^{group}")).click()
    page.get_by_role("menuitem", name=name, exact=True).click()
