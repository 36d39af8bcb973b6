"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

from pages.parts.front_door import come_in
from pages.parts.tradeoff.page import run

come_in()
run()
