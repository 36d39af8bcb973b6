"""Releasing what tuning found as an entry: its place among the systems."""

from pages.parts.release.question import question
from pages.parts.system.system import System

RELEASE = System(
    name="Release",
    question=question,
    measures=(),
    neighbours="a record that is exchanged",
)
