"""Outsourced: a data holder releases a random projection, somebody else optimises on it (PO-GP-UCB)."""

from pages.parts.front_door import come_in
from pages.parts.outsourced.page import run

come_in()
run()
