"""What can be audited, and an attack on it that runs before one's eyes."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.take_away.recipe import Recipe
from pages.parts.values.views import View
from privbo_core.data import Problem
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Guarantee

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

    ``lead`` says in plain words what happens. ``run`` yields views, each of two figures, left and right, and a third below where there are trials. ``claim`` is what
    is being audited, and the secret that it is about ("that …"); ``explain`` the heading and the text of *Explain this*;
    ``script`` the view as a script. ``data``: whether it needs a dataset. ``ratio``: the widths of the two halves. ``refused`` says in a
    sentence why the attack cannot be run on this scene; empty if it can.
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
    """A mechanism that can be audited. ``data``: what it works on where no data are chosen; ``closing`` shows what follows."""

    key: str
    name: str
    attacks: tuple[Attack, ...]
    data: str = ""
    closing: Callable[[], None] | None = None
