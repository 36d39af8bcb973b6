"""Outsourced: a data holder releases a random projection, somebody else optimises on it (PO-GP-UCB)."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("outsourced.page")
