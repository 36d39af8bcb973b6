"""Workbench: the outsourced search for real, between two parties who exchange files."""

from pages.parts.front_door import come_in
from pages.parts.workbench.page import run

come_in()
run()
