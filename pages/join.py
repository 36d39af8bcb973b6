"""A pupil's phone: the way into a room, and what is asked there."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("classroom.join")
