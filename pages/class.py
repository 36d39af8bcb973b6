"""Class: a room that people enter with their phones, and experiments that they play together."""

from pages.parts.classroom.page import run
from pages.parts.front_door import come_in

come_in()
run()
