"""Outsourced optimisation as an entry: its place among the systems."""

from pages.parts.outsourced.afford import AffordPage
from pages.parts.outsourced.question import question
from pages.parts.system.system import System

OUTSOURCED = System(
    name="Outsourced",
    question=question,
    afford=AffordPage,
    neighbours="a record that moves a little",
)
