"""Federated tuning as an entry: its place among the systems."""

from pages.parts.federated.question import question
from pages.parts.system.system import System

FEDERATED = System(
    name="Federated",
    question=question,
    measures=("early", "simple", "cumulative"),
    neighbours="an agent that stays away",
)
