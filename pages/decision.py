"""Decide: for one table and one purpose, what each ε costs and means, which one is recommended."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("decision.page")
