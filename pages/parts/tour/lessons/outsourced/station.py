"""Where the lesson about outsourced optimisation stands when a step of it is shown."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.parts.controls.live_sliders import Controls
from pages.parts.outsourced.searching import PUBLISHED, Searching
from pages.parts.system import usual
from privbo_core.outsourced import Setting, Simulation

DELTA = usual.DELTA


@dataclass(frozen=True)
class Station:
    """Where the tour stands: the data and the settings of this step; ``put_axis`` and ``pause`` as in `Stop`."""

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
