"""Federated: many agents tune together through a server, and nobody's participation shows (DP-FTS-DE)."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("federated.page")
