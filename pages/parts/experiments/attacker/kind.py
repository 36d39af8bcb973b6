"""“Be the attacker” as the class page knows it."""

from pages.parts.experiments.attacker.desk import desk
from pages.parts.experiments.attacker.phone import screen
from pages.parts.experiments.attacker.projector import show
from pages.parts.experiments.attacker.words import problem
from pages.parts.experiments.kind import Kind
from privbo_core.classroom.attacker import Attacker

ATTACKER = Kind(
    name="attacker",
    title="Be the attacker",
    icon=":material/target:",
    question="Two records, one noisy point: can you tell which record it came from? And can anybody?",
    start=lambda: Attacker(problem()),
    desk=desk,
    screen=screen,
    show=show,
)
