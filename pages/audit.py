"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

from pages.parts.audit.page import run
from pages.parts.front_door import come_in

come_in()
run()
