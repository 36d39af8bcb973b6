"""The Outsourced page: what a projection, or noise, does to distances, and what that costs the search."""

from pages.parts.outsourced.renderers import Expert, Simple, follow_searches
from pages.parts.shell.depth import simple


def run() -> None:
    """Read what is set, follow the searches, and draw the view of it as they come in: the same at either depth."""
    depth = Simple() if simple() else Expert()
    view, live = depth.begin()
    depth.end(follow_searches(live, view, lambda now: depth.draw(now, live), depth.announce), live)
