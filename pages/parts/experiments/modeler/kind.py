"""Be the modeler, as the class page knows it."""

from pages.parts.experiments.kind import Kind
from pages.parts.experiments.modeler.desk import desk
from pages.parts.experiments.modeler.phone import screen
from pages.parts.experiments.modeler.projector import show
from pages.parts.experiments.modeler.words import QUESTION, TITLE
from privbo_core.classroom.modeler import ModelerGame

MODELER = Kind("modeler", TITLE, ":material/travel_explore:", QUESTION, ModelerGame, desk, screen, show)
