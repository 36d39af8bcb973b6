"""Trade-off: how much privacy can I afford? Regret against ε for every mechanism of a task, solved both ways."""

from pages.parts import systems
from pages.parts.shell.depth import simple
from pages.parts.system.system import Depth
from pages.parts.tradeoff.renderers import Expert


def run() -> None:
    """Read what is asked, follow it, and draw the view of it. Simple is that of the first system that has one."""
    depth: Depth = next(system.afford for system in systems.SYSTEMS if system.afford)() if simple() else Expert()
    if begun := depth.begin():
        steps, live = begun
        if last := live.follow(steps, lambda now: depth.draw(now, live), ready=depth.ready):
            depth.end(last, live)
