"""A kit as one HTML file: to be read on a screen, to be printed on A4, and in need of nothing from anywhere."""

from collections.abc import Iterator
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pages.parts.kits.kit import Kit, Stretch
from pages.parts.show.templates import render
from pages.parts.take_away.report import own_file
from pages.parts.take_away.versions import versions

HERE = Path(__file__).parent
Timed = tuple[str, Stretch]


def page_of(kit: Kit, base: str, now: datetime) -> str:
    """Return the file, its links leading to the app at the address ``base``, and all solutions computed now."""
    return str(
        render(
            "kit.html",
            kit=kit,
            base=base,
            plans=(("In 20 minutes", list(timed(kit.short))), ("In 45 minutes", list(timed(kit.long)))),
            solutions=[exercise.solution for exercise in kit.exercises],
            typed=[
                (link.text, link.address(base) if elsewhere(base) else f"/{link.address('')}") for link in kit.links
            ],
            elsewhere=elsewhere(base),
            css=own_file(HERE / "kit.css"),
            when=f"{now:%d %B %Y}",
            version=versions()["PrivBO"],
        )
    )


def timed(plan: tuple[Stretch, ...]) -> Iterator[Timed]:
    """Yield the stretches of a plan, each with the minutes from which and to which it lasts."""
    at = 0
    for stretch in plan:
        yield f"{at}–{at + stretch.minutes}", stretch
        at += stretch.minutes


def app_address(url: str) -> str:
    """Return the app's own address, given that of one of its pages: what stands before the page's name.

    Empty for anything that is no address in the web: then links are relative to the app.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}"


def elsewhere(base: str) -> bool:
    """Return whether the app’s address leads to it from other computers too: not if none is known, nor if it is this one’s own."""
    host = urlsplit(base).hostname or ""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host not in ("", "localhost") and not host.endswith(".localhost")
