"""A pupil's phone: the way into a room, and what is asked there."""

from pages.parts.front_door import come_in
from pages.parts.join.page import run

come_in()
run()
