"""Class: a room that people enter with their phones, and experiments that they play together."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("classroom.page")
