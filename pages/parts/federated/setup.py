"""What is set on the Federated page: its sliders, the simulation that they ask for, and cautions about them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.federated.agents import MOST_AGENTS, Agents
from pages.parts.frame.address import choose, unseen
from pages.parts.frame.live import Steps
from privbo_core.federated import Progress, Recommended, Settings, Simulation, cautions, possible_sub_regions, variants
from privbo_core.federated.simulation import Measure

PANEL = "federated"
"""The name of the panel of sliders, which both depths share."""
LONGEST = 100
"""The most rounds, which the axis of the privacy figure shows whatever T is."""
FIRST = ("DP-FTS-DE", "TS", "FTS-DE", "DP-FTS", "FTS")
"""The algorithms in the order in which they are computed."""
MEASURES: tuple[Measure, ...] = ("simple", "cumulative")
Spend = Literal["epsilon", "noise"]
SPENDS: dict[Spend, str] = {"epsilon": "A smaller ε", "noise": "Less noise"}
PAPERS_NOISE = "DP-FTS-DE/paper"
"""DP-FTS-DE with the paper's noise, where the gain of counting exactly is spent on less noise."""
NOTHING_PROMISED = "✗ nothing promised: ε = ∞"
"""What goes with everything that comes of a server that adds no noise."""
RUNS = ("5", "10", "20", "40")
MOST_RUNS = RUNS[-1]
EARLY = 10
"""The regret saved is averaged over this many rounds, the first: that is where sharing helps."""


@dataclass(frozen=True)
class Setup:
    """What is simulated: N agents, alike up to ``heterogeneity``, under DP-FTS-DE's settings."""

    agents: Agents
    simulation: Simulation
    settings: Settings
    N: int
    heterogeneity: float

    @property
    def early(self) -> int:
        """Over how many rounds, the first ones, the regret saved is averaged."""
        return min(EARLY, self.settings.iterations)

    @property
    def algorithms(self) -> dict[str, Settings]:
        """The settings of the five algorithms, and of DP-FTS-DE with the paper's noise where this one has less."""
        named = variants(self.settings)
        papers = {PAPERS_NOISE: replace(self.settings, calibration="paper")} if self.less_noise else {}
        return {name: named[name] for name in FIRST} | papers

    @property
    def less_noise(self) -> bool:
        """Whether the noise is smaller than the paper's: fitted to one agent's share of all vectors together."""
        return self.settings.calibration == "exact" and self.settings.P > 1 and self.settings.z > 0

    def known(self, runs: int) -> Progress:
        """Return what is known of that many runs of the algorithms."""
        return self.simulation.finished(self.algorithms, self.N, runs)

    def compare(self, runs: int) -> Steps[Progress]:
        """Return that many runs of the algorithms as they are computed."""
        return self.simulation.compare(self.algorithms, self.N, runs)


@dataclass(frozen=True)
class Shown:
    """Which regret the page shows, and over how many runs."""

    measure: Measure
    runs: int


def cuts(agents: Agents) -> tuple[int, ...]:
    """Return the numbers of sub-regions into which the grid can be cut."""
    return possible_sub_regions(agents.first.points, agents.initial)


def starting(agents: Agents) -> Recommended:
    """Return the settings that a task is started with: its own where there are some, else the page's."""
    return agents.start or Recommended(agents.initial, 40, 50, 0.25, 1.0, 11.0, 2, agents.decay)


def most_agents(agents: Agents) -> int:
    """Return how many agents can take part."""
    return MOST_AGENTS if agents.heterogeneous else len(agents.first.agents)


def starting_agents(agents: Agents) -> int:
    """Return how many agents take part at first: all that a task with settings of its own has, else 200 at most."""
    return most_agents(agents) if agents.start else min(200, most_agents(agents))


def sliders(agents: Agents, possible: tuple[int, ...]) -> list[Slider]:
    """Return the page's sliders, at the settings that the task is to be started with.

    P takes only what is ``possible``, N what agents there are.
    """
    most, start = most_agents(agents), starting(agents)
    panel = [
        Slider("z", "z, noise multiplier", 0, 4, start.z, "more useful", "more private",
               "The server’s noise, as a multiple of what one agent can contribute.", step=0.05),
        Slider("q", "q, rate of taking part", 0.01, 1, start.q, "more private", "more useful",
               "In each round, each agent is drawn with this probability.", step=0.01, log=True),
        Slider("S", "S, clipping threshold", 1, 60, start.S, "clips more", "more noise",
               "Vectors longer than S/√P are shortened. No effect on ε.", step=0.01, log=True),
        Slider("P", "P, sub-regions", 1, possible[-1], min(start.P, possible[-1]), "one vector for all", "a vector each",
               "The domain is cut into P boxes; each agent starts in one. P is 1, 2, 4, 8, …",
               step=math.log(2), log=True, whole=True, allowed=possible),
        Slider("N", "N, agents", 2, most, starting_agents(agents), "fewer", "more",
               "The first N agents take part; δ = N^−1.1.", step=0.01, log=True, whole=True),
        Slider("M", "M, features", 5, 200, start.features, "coarser, shorter vectors", "finer, longer",
               "Length of the vectors that agents send: random Fourier features.", whole=True),
        Slider("T", "T, rounds", 2, LONGEST, start.iterations, "more private", "more evaluations",
               "Each round, each agent evaluates once and may be drawn once.", whole=True),
        Slider("a", "a, weight of explorers", 0.5, 30, 15, "all count alike", "explorers count most",
               "How much more those count in a sub-region who started there.", step=0.5),
    ]  # fmt: skip
    if agents.heterogeneous:
        panel.append(Slider("h", "h, heterogeneity", 0, 1, 0.1, "agents alike", "strangers",
                            "Two agents’ objectives are correlated by 1 − h².", step=0.05))  # fmt: skip
    return panel


def pick_spend(shown: bool = True) -> Spend:
    """Show the choice of what counting exactly is spent on, unless it is not to be ``shown``, and return it."""
    return choose(
        st.segmented_control if shown else unseen, "Spend the gain on", list(SPENDS), key="federated_spend", required=True,
        format_func=SPENDS.__getitem__,
        help="One agent’s share of the P vectors of a round, counted as one vector, is up to √P smaller than the paper "
        "counts. The same noise is then worth a smaller ε; or the paper’s ε takes less noise. With P = 1 there is nothing to gain.",
    )  # fmt: skip


def set_up(agents: Agents, possible: tuple[int, ...], controls: Controls, spend: Spend = "epsilon") -> Setup:
    """Return what the sliders ask for. P is the largest ``possible`` one with an agent for each sub-region."""
    N = controls.whole("N")
    settings = Settings(
        agents.first.kernel, agents.first.noise_variance, controls.whole("T"), agents.initial, controls.whole("M"),
        q=controls["q"], z=controls["z"], S=controls["S"],
        P=max(cut for cut in possible if cut <= min(N, controls.whole("P"))), a=controls["a"], decay=agents.decay,
        calibration="exact" if spend == "noise" else "paper",
    )  # fmt: skip
    heterogeneity = round(controls["h"], 2) if agents.heterogeneous else 0.0
    return Setup(agents, agents.simulation(heterogeneity), settings, N, heterogeneity)


def pick_regret(which: DeltaGenerator, many: DeltaGenerator) -> Shown:
    """Show the pickers, each in its place, and return what was chosen."""
    measure = choose(which.segmented_control, "Regret", MEASURES, key="federated_measure", required=True,
                     label_visibility="collapsed")  # fmt: skip
    return Shown(measure, pick_runs(many.segmented_control))


def pick_runs(widget: Callable[..., str] = unseen) -> int:
    """Show the choice of how many runs there are, if a widget is given, and return it."""
    runs = choose(widget, "Runs", RUNS, default=MOST_RUNS, key="federated_runs", required=True,
                  format_func=lambda count: f"{count} runs", label_visibility="collapsed", persist_state="session")  # fmt: skip
    return int(runs)


def all_cautions(setup: Setup, asked_P: int) -> list[str]:
    """Return sentences about settings that do less, or say less, than they seem to."""
    settings, N = setup.settings, setup.N
    found = [*cautions(settings, N)]
    if asked_P > settings.P:
        found.append(
            f"P is {settings.P} instead of {asked_P}: there must be an agent for each sub-region, and N is {N}."
        )
    empty = (1 - settings.q) ** N
    if empty > 0.02:
        found.append(
            f"In {100 * empty:.0f} % of the rounds nobody is drawn, and what the server sends holds nothing of anybody."
        )
    if settings.initial < 10 and setup.agents.start is None:
        points = len(setup.agents.first.points)
        found.append(f"The grid has {points} points, so each agent starts from {settings.initial}, not 10.")
    return found
