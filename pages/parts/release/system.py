"""The Release system as the rest of the app knows it."""

from pages.parts.release.audited.score import SCORE
from pages.parts.release.audited.selection import SELECTION
from pages.parts.release.audited.setting import SETTING
from pages.parts.release.question import question
from pages.parts.release.story import STORY
from pages.parts.system.system import System

RELEASE = System(
    name="Release",
    page="pages/release.py",
    icon=":material/campaign:",
    story=STORY,
    audited=(SETTING, SCORE, SELECTION),
    question=question,
    measured=False,
)
