"""Start: what are you protecting, and from whom?"""

from pages.parts.front_door import come_in
from pages.parts.start.page import run

come_in()
run()
