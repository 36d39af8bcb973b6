"""Start: what are you protecting, and from whom?"""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("start.page")
