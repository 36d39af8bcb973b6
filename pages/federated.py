"""Federated: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

from pages.parts.federated.page import run
from pages.parts.front_door import come_in

come_in()
run()
