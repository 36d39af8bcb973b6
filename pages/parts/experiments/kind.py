"""What the class page knows of an experiment: how it begins, what the teacher does, what phones and projector show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pages.parts.thumbs.screen import Screen
from pages.parts.values.views import View
from privbo_core.classroom import Experiment, Room


@dataclass(frozen=True)
class Kind:
    """One experiment. ``question`` is the one line that a class reads before it begins.

    ``desk`` draws the teacher's controls, which change the experiment by `Room.act`. ``screen`` is what a pupil's phone
    shows now and ``show`` what the projector shows now; both are called under the room's lock and take no time.
    """

    name: str
    title: str
    icon: str
    question: str
    start: Callable[[], Experiment]
    desk: Callable[[Room, Any], None]
    screen: Callable[[Any, int], Screen]
    show: Callable[[Any], View]
