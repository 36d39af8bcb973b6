"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

from pages.parts.audit.renderers import Expert, Simple
from pages.parts.live.work import follow
from pages.parts.shell.depth import simple


def run() -> None:
    """Show what is picked, and what the attack finds as it goes on: the same at either depth."""
    depth = Simple() if simple() else Expert()
    if views := depth.begin():
        follow(views, depth.draw)
