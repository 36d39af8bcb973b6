"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("audit.page")
