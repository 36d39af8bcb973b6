"""“What would you accept?” as the class page knows it."""

from pages.parts.experiments.accept.curve import start
from pages.parts.experiments.accept.desk import desk
from pages.parts.experiments.accept.phone import screen
from pages.parts.experiments.accept.projector import show
from pages.parts.experiments.kind import Kind

ACCEPT = Kind(
    name="accept",
    title="What would you accept?",
    icon=":material/balance:",
    question="How much may leak about you, and what may it cost? Everybody answers; does the class meet anywhere?",
    start=start,
    desk=desk,
    screen=screen,
    show=show,
)
