"""Where the lesson about tuning together stands: the schools, and the settings that its sliders ask for."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.federated.agents import Agents
from pages.parts.federated.setup import Setup, set_up, sliders
from pages.parts.tour.lesson import Stop
from privbo_core.federated import FederatedProblem, Settings
from privbo_core.federated import run as run_rounds
from privbo_core.federated.server import Broadcast
from privbo_core.outsourced import Difference

LONGEST = 100
RUNS = Slider("runs", "runs", 5, 40, 40, "faster", "thinner bands", "Runs averaged.", whole=True)
LOOKS = 6
"""First rounds that are looked at, each with dice of its own."""


@dataclass(frozen=True)
class Schools:
    """The agents, and what the sliders ask of them."""

    agents: Agents
    setup: Setup
    controls: Controls
    put_axis: Callable[[float], float] = lambda top: top
    pause: Callable[[], None] = lambda: None

    @property
    def runs(self) -> int:
        """How many runs are averaged."""
        return int(self.controls.values.get("runs", RUNS.value))

    @property
    def scale(self) -> float:
        """How many of the units spoken of there are in one unit of the objectives."""
        return self.agents.scale * self.agents.wording.size

    def at(self, **changes: float) -> "Schools":
        """Return the same with other settings."""
        return of(Stop(self.agents, Controls({**self.controls.values, **changes}), self.put_axis, self.pause))


def panel(agents: Agents, *keys: str) -> list[Slider]:
    """Return some of the sliders of the Federated page, as they stand there."""
    known = {slider.key: slider for slider in sliders(agents)} | {"runs": RUNS}
    return [known[key] for key in keys]


def of(stop: Stop) -> Schools:
    """Return where the lesson stands; what a step has no slider for is as it is on the Federated page at first."""
    agents: Agents = stop.about
    return Schools(agents, set_up(agents, stop.controls), stop.controls, stop.put_axis, stop.pause)


@lru_cache(maxsize=256)
def first_broadcast(problem: FederatedProblem, settings: Settings, agents: int, look: int) -> Broadcast:
    """Return what the server tells in the first round of a run; the same ``look`` has the same dice."""
    once = replace(settings, iterations=1)
    rounds = run_rounds(problem.objectives[:agents], problem.points, once, np.random.default_rng([1, look]))
    found = next(iter(rounds)).broadcast
    assert found is not None
    return found


def broadcasts(schools: Schools) -> Iterator[Broadcast]:
    """Yield what the server tells in several first rounds."""
    for look in range(LOOKS):
        schools.pause()
        yield first_broadcast(schools.setup.simulation.first, schools.setup.settings, schools.setup.N, look)


def loudness(schools: Schools) -> Difference:
    """Return ln(noise/signal) over several first rounds in which somebody was drawn.

    The noise grows as z does, with the same dice, and the signal stays; so z = 1 stands for any.
    """
    z = schools.setup.settings.z
    pairs = [(z * each.noise, each.signal) for each in broadcasts(schools.at(z=1.0)) if each.signal > 0]
    return Difference.of([math.log(noise / signal) for noise, signal in pairs])
