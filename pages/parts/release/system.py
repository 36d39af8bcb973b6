"""The Release system as the rest of the app knows it."""

from pages.parts.release.audited.attacks import AUDITED
from pages.parts.release.question import question
from pages.parts.release.story import STORY
from pages.parts.system.system import System

RELEASE = System(
    name="Release",
    page="pages/release.py",
    icon=":material/campaign:",
    story=STORY,
    audited=AUDITED,
    question=question,
    measured=False,
)
