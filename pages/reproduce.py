"""Reproduce: every table and figure of the papers beside what this app computes; any of them can be run again."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("reproduce.page")
