"""What can be audited of Release: everything that can be drawn there, and what its page refuses to draw."""

from pages.parts.release.audited.score import SCORE
from pages.parts.release.audited.selection import SELECTION
from pages.parts.release.audited.setting import SETTING
from pages.parts.system.attack import Audited

AUDITED: tuple[Audited, ...] = (SETTING, SCORE, SELECTION)
