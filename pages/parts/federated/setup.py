"""The sliders of agents that tune together, as Trade-off shows them."""

import math

from pages.parts.federated.agents import Agents
from pages.parts.live.sliders import Slider
from privbo_core.federated import Recommended

LONGEST = 100  # The most rounds, which the axis of the privacy figure shows whatever T is.


def starting(agents: Agents) -> Recommended:
    """Return the settings that a task is started with: its own where there are some, else the page's."""
    return agents.start or Recommended(agents.initial, 40, 50, 0.25, 1.0, 11.0, 2, agents.decay)


def sliders(agents: Agents) -> list[Slider]:
    """Return the page's sliders, at the settings that the task is to be started with.

    P takes only what is possible, N what agents there are.
    """
    start, possible, most = starting(agents), agents.cuts, agents.cuts[-1]
    panel = [
        Slider.of("federated.z", 0, 4, start.z, step=0.05),
        Slider.of("federated.q", 0.01, 1, start.q, step=0.01, log=True),
        Slider.of("federated.S", 1, 60, start.S, step=0.01, log=True),
        Slider.of("federated.P", 1, most, min(start.P, most), step=math.log(2), log=True, whole=True, allowed=possible),
        Slider.of("federated.N", 2, agents.most, agents.at_first, step=0.01, log=True, whole=True),
        Slider.of("federated.M", 5, 200, start.features, whole=True),
        Slider.of("federated.T", 2, LONGEST, start.iterations, whole=True),
        Slider.of("federated.a", 0.5, 30, 15, step=0.5),
    ]
    if agents.heterogeneous:
        panel.append(Slider.of("federated.h", 0, 1, 0.1, step=0.05))
    return panel
