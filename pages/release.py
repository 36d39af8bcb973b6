"""Release: publish a tuned setting and its score (DP-BO)."""

from pages.parts.shell.server import loaded

loaded("front_door").show_page("release.page")
