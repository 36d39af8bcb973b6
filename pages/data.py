"""Data: pick a sample or bring a table, and see how it is used before anything is optimised."""

from pages.parts.data.page import run
from pages.parts.front_door import come_in

come_in()
run()
