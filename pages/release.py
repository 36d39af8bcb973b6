"""Release: publish a tuned setting and its score (DP-BO)."""

from pages.parts.front_door import come_in
from pages.parts.release.page import run

come_in()
run()
