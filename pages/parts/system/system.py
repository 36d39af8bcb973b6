"""What a system is, for everything that goes through all of them: navigation, Start, Audit, Trade-off, forgetting, tests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pages.parts.system.attack import Audited
from pages.parts.system.question import Asked, Measure
from privbo_core.privacy import TradeOff


@dataclass(frozen=True)
class Link:
    """A way to a page: its file, what the link says, its icon, the settings that it brings."""

    page: str
    label: str
    icon: str
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """What a system is for, as Start tells it: a heading, paragraphs, the name of the picture's template, where to go on.

    In short there are a ``question``, a ``drawing`` of its own, who is ``protected`` from whom, where to see it (``shown``), ``line``: the trade-off
    function of what is promised there, and ``cost``: what that costs, in the words of the page; nothing while that page has
    still to find it out. A story without ``shown`` has no short form.
    """

    heading: str
    paragraphs: tuple[str, ...]
    picture: str
    links: tuple[Link, ...]
    question: str = ""
    drawing: str = ""
    protected: str = ""
    shown: Link | None = None
    line: Callable[[], TradeOff] | None = None
    cost: Callable[[], str] = str


@dataclass(frozen=True)
class System:
    """A published system as the app knows it.

    ``page``: its file, ``icon``: in the navigation. ``audited``: its mechanisms that Audit attacks. ``question``: shows
    Trade-off's pickers and returns what is asked, None if there is nothing to ask yet; ``measured``: whether its regret can
    be read off or summed up. ``afford``: draws Trade-off's Simple page for it.
    """

    name: str
    page: str
    icon: str
    story: Story
    audited: tuple[Audited, ...] = ()
    question: Callable[[Measure], Asked | None] | None = None
    measured: bool = True
    afford: Callable[[], None] | None = None
