"""What is set on the Federated page: its sliders, the simulation that they ask for, and cautions about them."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.federated.agents import Agents
from pages.parts.live.sliders import Controls, Slider
from pages.parts.shell.address import choose, unseen
from privbo_core.federated import Recommended, Settings, Simulation, cautions, variants
from privbo_core.federated.simulation import EARLY, Measure

PANEL = "federated"  # The name of the panel of sliders, which both depths share.
LONGEST = 100  # The most rounds, which the axis of the privacy figure shows whatever T is.
MEASURES: tuple[Measure, ...] = ("simple", "cumulative")
Spend = Literal["epsilon", "noise"]
SPENDS: dict[Spend, str] = {"epsilon": "A smaller ε", "noise": "Less noise"}
PRIVATE, ALONE, PLAIN = SIMPLE = ("DP-FTS-DE", "TS", "FTS-DE")
"""Together with privacy, alone, together without privacy: what Simple compares."""
ALL = (*SIMPLE, "DP-FTS", "FTS")  # The algorithms in the order in which they are computed.
PAPERS_NOISE = "DP-FTS-DE/paper"
"""DP-FTS-DE with the paper's noise, where the gain of counting exactly is spent on less noise."""
NOTHING_PROMISED = "✗ nothing promised: ε = ∞"  # What goes with everything that comes of a server that adds no noise.
RUNS = ("5", "10", "20", "40")
MOST_RUNS = RUNS[-1]
BARE: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
"""How a choice is shown whose options say what it is."""


@dataclass(frozen=True)
class Setup:
    """What is simulated: N agents, alike up to ``heterogeneity``, under DP-FTS-DE's settings, so many ``runs``.

    ``measure``: which regret is shown. ``wanted_regions``: how many sub-regions were asked for.
    """

    agents: Agents
    simulation: Simulation
    settings: Settings
    N: int
    heterogeneity: float = 0.0
    runs: int = int(MOST_RUNS)
    measure: Measure = "simple"
    wanted_regions: int = 1

    @property
    def early(self) -> int:
        """Over how many rounds, the first ones, the regret saved is averaged."""
        return min(EARLY, self.settings.iterations)

    @property
    def limit(self) -> float:
        """How long a vector may be, S/√P: longer ones are clipped."""
        return self.settings.S / math.sqrt(self.settings.P)

    @property
    def less_noise(self) -> bool:
        """Whether the noise is smaller than the paper's: fitted to one agent's share of all vectors together."""
        return self.settings.calibration == "exact" and self.settings.P > 1 and self.settings.z > 0

    def algorithms(self, names: tuple[str, ...] = ALL) -> dict[str, Settings]:
        named = variants(self.settings)
        papers = {PAPERS_NOISE: replace(self.settings, calibration="paper")} if self.less_noise and names == ALL else {}
        return {name: named[name] for name in names} | papers

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.agents.name, self.heterogeneity, self.settings, self.N, self.runs

    def cautions(self) -> list[str]:
        settings, N = self.settings, self.N
        remarks = [*cautions(settings, N)]
        if settings.calibration == "exact" and settings.P == 1:
            remarks.append("With P = 1 there is nothing to gain: “Less noise” adds as much as “A smaller ε”.")
        if self.wanted_regions > settings.P:
            P = f"P is {settings.P} instead of {self.wanted_regions}"
            remarks.append(f"{P}: there must be an agent for each sub-region, and N is {N}.")
        if (empty := (1 - settings.q) ** N) > 0.02:
            rounds = f"In {100 * empty:.0f} % of the rounds"
            remarks.append(f"{rounds} nobody is drawn, and what the server sends holds nothing of anybody.")
        if settings.initial < 10 and self.agents.start is None:
            points = len(self.agents.first.points)
            remarks.append(f"The grid has {points} points, so each agent starts from {settings.initial}, not 10.")
        return remarks


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


def set_up(agents: Agents, controls: Controls | None = None, spend: Spend = "epsilon") -> Setup:
    """Return what the sliders ask for, or the task's start; P with an agent for each sub-region."""
    start = {slider.key: slider.nearest(slider.value) for slider in sliders(agents)}
    controls = Controls(start | (controls.values if controls else {}))
    N, wanted_regions = controls.whole("N"), controls.whole("P")
    P = max(each for each in agents.cuts if each <= min(N, wanted_regions))
    asked = {name: controls[name] for name in ("q", "z", "S", "a")}
    noise = "exact" if spend == "noise" else "paper"
    settings = agents.settings(controls.whole("T"), controls.whole("M"), P=P, calibration=noise, **asked)
    heterogeneity = round(controls["h"], 2) if agents.heterogeneous else 0.0
    return Setup(agents, agents.simulation(heterogeneity), settings, N, heterogeneity, wanted_regions=wanted_regions)


def pick_spend(shown: bool = True) -> Spend:
    """Show the choice of what counting exactly is spent on, unless it is not to be ``shown``, and return it."""
    return choose(
        st.segmented_control if shown else unseen,
        "Spend the gain on",
        list(SPENDS),
        key="federated_spend",
        required=True,
        format_func=SPENDS.__getitem__,
        help="One agent’s share of the P vectors of a round, counted as one vector, is up to √P smaller than the paper "
        "counts. The same noise is then worth a smaller ε; or the paper’s ε takes less noise. With P = 1 there is "
        "nothing to gain.",
    )


def pick_measure(place: DeltaGenerator) -> Measure:
    return choose(place.segmented_control, "Regret", MEASURES, key="federated_measure", **BARE)


def pick_runs(widget: Callable[..., str] = unseen) -> int:
    shown: dict[str, Any] = BARE | {"format_func": "{} runs".format, "persist_state": "session"}
    return int(choose(widget, "Runs", RUNS, default=MOST_RUNS, key="federated_runs", **shown))
