"""Tour: four lessons for a teacher in front of a class, each step of which asks before it shows."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("lessons.page")
