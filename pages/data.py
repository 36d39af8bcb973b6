"""Data: pick a sample or bring a table, and see what becomes of it before anything is optimised."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("data.page")
