"""Reproduce: every table and figure of the papers beside what this app computes; any of them can be run again."""

from pages.parts.front_door import come_in
from pages.parts.reproduce.page import run

come_in()
run()
