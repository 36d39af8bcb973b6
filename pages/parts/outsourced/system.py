"""The Outsourced system as the rest of the app knows it."""

from pages.parts.outsourced.audited.attacks import AUDITED
from pages.parts.outsourced.plain.affording import show_afford
from pages.parts.outsourced.question import question
from pages.parts.outsourced.story import STORY
from pages.parts.system.system import System

OUTSOURCED = System(
    name="Outsourced",
    page="pages/outsourced.py",
    icon=":material/hub:",
    story=STORY,
    audited=AUDITED,
    question=question,
    afford=show_afford,
)
