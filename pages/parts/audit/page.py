"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

from pages.parts.audit.renderers import Expert, Simple
from pages.parts.frame.depth import simple
from pages.parts.frame.live import follow


def run() -> None:
    """Show what is picked, and what the attack finds as it goes on: the same at either depth."""
    depth = Simple() if simple() else Expert()
    if views := depth.begin():
        follow(views, depth.draw)
