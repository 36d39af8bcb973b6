"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("tradeoff.page")
