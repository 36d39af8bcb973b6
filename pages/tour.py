"""Tour: four lessons for a teacher in front of a class, each step of which asks before it shows."""

from pages.parts.front_door import come_in
from pages.parts.lessons.page import run

come_in()
run()
