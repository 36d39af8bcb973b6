"""Tour: the story of outsourced optimisation in eight steps, for a teacher in front of a class."""

from pages.parts.front_door import come_in
from pages.parts.tour.page import run

come_in()
run()
