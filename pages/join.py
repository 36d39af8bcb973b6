"""A pupil's phone: the way into a room, and what is asked there."""

from pages.parts.classroom.join import run
from pages.parts.front_door import come_in

come_in()
run()
