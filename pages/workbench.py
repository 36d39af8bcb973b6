"""Workbench: the outsourced search for real, between two parties who exchange files."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("workbench.page")
