"""What a step of the tour is, and where the tour stands when it is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.outsourced.searching import PUBLISHED, Searching
from pages.parts.system import usual
from pages.parts.system.attack import Views
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, View
from privbo_core.outsourced import Setting, Simulation

DELTA = usual.DELTA
HEIGHT = 420
SLOT = "tour"


@dataclass(frozen=True)
class Station:
    """Where the tour stands: the data and the settings of this step.

    ``put_axis`` says where the top of an axis is to be, given where it would be best: a held thumb must not move it.
    ``pause`` is called between runs: the place to give way to a newer setting.
    """

    simulation: Simulation
    controls: Controls
    searching: Searching = PUBLISHED
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None

    def setting(self) -> Setting:
        """Return the setting; what the step has no slider for is at its default."""
        values = self.controls.values
        setting = Setting(
            values.get("epsilon", usual.EPSILON),
            DELTA,
            int(values.get("r", usual.R)),
            int(values.get("T", min(usual.STEPS, self.simulation.problem.n))),
            protected_distance=values.get("distance", 1.0),
        )
        return self.searching.of(setting)

    @property
    def runs(self) -> int:
        """How many runs are averaged."""
        return int(self.controls.values.get("runs", usual.RUNS))


@dataclass(frozen=True)
class Step:
    """A step: its name in the list, its sliders for a simulation, and its views, better and better ones."""

    name: str
    sliders: Callable[[Simulation], list[Slider]]
    run: Callable[[Station], Views]


def one_figure(finding: Finding, picture: Picture | None, alt: str) -> View:
    """Return the view of a step: one figure, as tall as all figures of the tour."""
    if picture is not None:
        picture.layout["height"] = HEIGHT
    return View(figures=(Figure(SLOT, finding, picture, alt),))
