"""What a system is for all that goes through systems: its story, question, and attacks that run before one's eyes."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from pages.parts.export.script import Recipe
from pages.parts.live.sliders import Controls, Slider
from pages.parts.system.question import Asked, Measure
from pages.parts.views.views import View
from privbo_core.data import Problem
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Guarantee, TradeOff

Views = Generator[View, None, None]


@dataclass(frozen=True)
class Scene:
    """Where an attack takes place: the settings, and the data if it needs any."""

    controls: Controls
    simulation: Simulation | None = None

    @property
    def problem(self) -> Problem:
        """The problem whose inputs are attacked."""
        assert self.simulation is not None
        return self.simulation.problem


@dataclass(frozen=True)
class Attack:
    """An attack that a person can choose.

    ``lead`` says in plain words what happens. ``run`` yields views, each of two figures, left and right, and a third
    below where there are trials. ``claim`` is what is being audited, and the secret that it is about ("that …");
    ``explain`` the heading and the text of *Explain this*; ``script`` the view as a script. ``data``: whether it needs
    a dataset. ``ratio``: the widths of the two halves. ``refused`` says in a sentence why the attack cannot be run on
    this scene; empty if it can.
    """

    key: str
    name: str
    lead: str
    sliders: tuple[Slider, ...]
    run: Callable[[Scene], Views]
    claim: Callable[[Scene], tuple[Guarantee, str]]
    explain: Callable[[Scene], tuple[str, str]]
    script: Callable[[Scene, Recipe | None], str]
    data: bool = False
    ratio: tuple[float, float] = (1, 1)
    refused: Callable[[Scene], str] = lambda scene: ""


@dataclass(frozen=True)
class Audited:
    """A mechanism that can be audited.

    ``data``: what it works on where no data are chosen; ``closing`` shows what follows.
    """

    key: str
    name: str
    attacks: tuple[Attack, ...]
    data: str = ""
    closing: Callable[[], None] | None = None


@dataclass(frozen=True)
class Link:
    """A way to a page: its file, what the link says, its icon, the settings that it brings."""

    page: str
    label: str
    icon: str
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """What a system is for, as Start tells it.

    A heading, paragraphs, the name of the picture's template, where to go on.

    In short there are a ``drawing`` of its own, who is ``protected`` from whom, where to see it
    (``shown``), ``line``: the trade-off function of what is promised there, and ``cost``: what that costs, in the words
    of the page; nothing while that page has still to find it out. A story without ``shown`` has no short form.
    """

    heading: str
    paragraphs: tuple[str, ...]
    picture: str
    links: tuple[Link, ...]
    drawing: str = ""
    protected: str = ""
    shown: Link | None = None
    line: Callable[[], TradeOff] | None = None
    cost: Callable[[], str] = str


@dataclass(frozen=True)
class System:
    """A published system as the app knows it.

    ``page``: its file, ``icon``: in the navigation. ``audited``: its mechanisms that Audit attacks. ``question``: shows
    Trade-off's pickers and returns what is asked, None if there is nothing to ask yet; ``measured``: whether its regret
    can be read off or summed up. ``afford``: draws Trade-off's Simple page for it.
    """

    name: str
    page: str
    icon: str
    story: Story
    audited: tuple[Audited, ...] = ()
    question: Callable[[Measure], Asked | None] | None = None
    measured: bool = True
    afford: Callable[[], None] | None = None
