"""Decide: for one table and one purpose, what each ε costs and means, which one is recommended."""

from pages.parts.decision.page import run
from pages.parts.front_door import come_in

come_in()
run()
