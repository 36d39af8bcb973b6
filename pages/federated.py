"""Federated: agents tune together through a server, which hides who took part (DP-FTS-DE)."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from pages import ui
from pages.figures import federated as figures
from pages.figures.federated import LONGEST, PAPER_NOISE, number
from pages.ui import demo
from pages.ui.agents import SAMPLES
from pages.ui.numbers import count, in_100, power_of_ten, rounded_up, signed, with_error
from pages.ui.text import verbatim
from privbo_core.bo import Difference, ExtraSteps
from privbo_core.errors import Array
from privbo_core.federated import (
    Progress,
    RoundsNeeded,
    Sensitivity,
    Settings,
    Simulation,
    ask_every_agent,
    cautions,
    delta_for,
    guarantee,
    losses,
    multipliers,
    noise_needed,
    possible_sub_regions,
    rate_allowed,
    rounds_allowed,
    rounds_needed,
    saving,
    total_loss,
    total_losses,
    trade_off,
    variants,
)
from privbo_core.federated.run import Round
from privbo_core.federated.simulation import EARLY
from privbo_core.privacy import Guarantee, Method, Status, noise_for

PRIVATE, NOISELESS, ALONE = "DP-FTS-DE", "FTS-DE", "TS"
"""The agents tune together with noise, together without noise, or each on its own."""
Measure = Literal["simple", "cumulative"]
MEASURES: dict[Measure, str] = {"simple": "Simple regret", "cumulative": "Cumulative regret"}
Gain = Literal["epsilon", "noise"]
GAINS: dict[Gain, str] = {"epsilon": "A smaller ε", "noise": "Less noise"}
INTRODUCTION = "Noise at the server hides who took part."
WAITING = tuple(
    ui.Tile(name, "…", "is being simulated, which takes a moment", old=True)
    for name in ("Extra rounds for privacy", "Rounds saved by sharing", "Vectors clipped", "Noise against signal")
)
Z_RANGE = (0.2, 1000.0)
REPORT_VALUES = tuple(float(f"{z:.3g}") for z in np.geomspace(0.3, 10.0, 49))
"""The values of z in a report, besides the present one."""
FIRST_RUNS = 5
SWEEP_RUNS = 10
Symbol = Literal["z", "q", "S"]
SYMBOLS: dict[Symbol, str] = {"z": "Noise z", "q": "Rate q", "S": "Clipping S"}
When = Literal["early", "last"]
WHENS: dict[When, str] = {"early": "In the first rounds", "last": "After the last round"}
SWEEPS: dict[Symbol, tuple[float, ...]] = {
    "z": (0.5, 0.7, 1.0, 1.2, 1.5, 1.6, 2.0, 3.0, 4.0),
    "q": (0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 1.0),
    "S": (1.0, 3.0, 5.0, 8.0, 11.0, 22.0, 44.0),
}
"""Values of a setting that varies, with those of the paper."""
SWEEP_SECTION = "Privacy against utility"
Accountant = Literal["tight", "moments"]
ACCOUNTANTS: dict[Accountant, str] = {"tight": "Tight account", "moments": "Moments, as in the paper"}
COUNTED_BY: dict[Accountant, tuple[Method, Sensitivity]] = {"tight": ("pld", "exact"), "moments": ("moments", "paper")}


@dataclass(frozen=True)
class Preset:
    """The settings of a figure of the paper, and the data that replace the paper's."""

    kind: str
    values: Mapping[str, float]
    more: Mapping[str, float]
    stands_in: str
    sweep: Symbol | None = None
    when: When = "early"


SYNTHETIC = (
    {"z": 1.0, "q": 0.25, "S": 11.0, "P": 2.0, "N": 200.0, "T": 40.0},
    {"M": 50.0, "a": 15.0, "h": 0.1},
    "Each run draws 200 new functions of two inputs that resemble each other. They replace the paper’s sample. The "
    "runs on Papers have functions of one input.",
)
SCHOOLS = (
    {"z": 1.0, "q": 0.35, "S": 22.0, "P": 4.0, "N": 50.0, "T": 60.0},
    {"M": 100.0, "a": 15.0},
    "50 schools that tune a classifier replace 29 minefields, 30 people’s phones and 50 people’s handwriting.",
)
PRESETS: dict[str, Preset] = {
    "Figure 2a": Preset("family", *SYNTHETIC),
    "2b": Preset("family", *SYNTHETIC, "S"),
    "2c": Preset("family", *SYNTHETIC, "q"),
    "2d": Preset("family", *SYNTHETIC, "z"),
    "Figure 3": Preset("schools", *SCHOOLS, "z", "last"),
}
"""The settings of the paper's figures. Those that vary a setting open the section that does."""


@dataclass(frozen=True)
class Choices:
    """Everything that the visitor has chosen on this page. ``wanted`` is the P that was asked for."""

    agents: ui.Agents
    simulation: Simulation
    settings: Settings
    N: int
    heterogeneity: float
    runs: int
    wanted: int

    @property
    def delta(self) -> float:
        """δ = N^−1.1."""
        return delta_for(self.N)

    @property
    def rounds(self) -> int:
        """The number of rounds T."""
        return self.settings.iterations

    @property
    def unit(self) -> str:
        """The unit of the regret, which may be the name of a visitor's column."""
        return verbatim(self.agents.unit) if self.agents.own else self.agents.unit

    @property
    def limit(self) -> float:
        """The length S/√P to which vectors are clipped."""
        return self.settings.S / math.sqrt(self.settings.P)

    @property
    def unmet(self) -> bool:
        """Whether the agents' values determined parts of the model, so that an assumption isn't met."""
        return bool(self.simulation.problem(0).read_off)

    @property
    def early(self) -> int:
        """The number of first rounds in which sharing helps most."""
        return min(EARLY, self.rounds)

    @property
    def less_noise(self) -> bool:
        """Whether the server adds less noise than the paper's."""
        return self.settings.calibration == "exact" and self.settings.P > 1

    @property
    def algorithms(self) -> dict[str, Settings]:
        """The algorithms that are compared, in the order in which they are computed."""
        named = variants(self.settings)
        names = [PRIVATE, NOISELESS, ALONE, *(("DP-FTS", "FTS") if self.settings.P > 1 else ())]
        papers = {PAPER_NOISE: replace(self.settings, calibration="paper")} if self.less_noise else {}
        return {**{name: named[name] for name in names}, **papers}

    @property
    def shown(self) -> tuple[str, ...]:
        """The algorithms in the order in which they are drawn."""
        return tuple(name for name in figures.STROKES if name in self.algorithms)


@dataclass(frozen=True)
class Account:
    """ε after each round by the paper's moments, and after some rounds by the tight account."""

    paper: tuple[float, ...]
    tight: tuple[tuple[int, float], ...]

    @property
    def epsilon(self) -> float:
        """ε after all rounds, by the tight account."""
        return self.tight[-1][1]


Headline = tuple[str, str, ui.Kind, str]
"""The finding, the sentences below it, and the badge before them."""


@dataclass(frozen=True)
class Shown:
    """The headline and the tiles of the latest simulation."""

    headline: Headline
    tiles: tuple[ui.Tile, ...]


def main() -> None:
    """Draw what follows the thumb, then the sliders, and then the rounds as they come in.

    The sliders are drawn late because the browser sends their next values only after that (docs/pages.md).
    """
    ui.begin("federated")
    left, first_screen, below = ui.columns()
    with left:
        agents = ui.pick_agents()
        cuts = possible_sub_regions(agents.simulation(0.1).problem(0).points, agents.start.initial)
        panel = ui.Panel(f"federated/{agents.kind}", sliders(agents, cuts))
        sliders_here = st.container(key="sliders")
        actions = st.container(key="actions-federated", gap="xsmall")
        more = ui.Panel(f"federated/{agents.kind}/more", more_sliders(agents))
        gain = more_settings(more)
        show_presets(agents, panel, more)
    chosen = choices(agents, cuts, panel, more, gain)

    with first_screen:
        headline, tiles = ui.Place("headline"), ui.Place("tiles")
        earlier: Shown | None = panel.recall("shown", private=agents.own)
        account = count_privacy(chosen)
        left_card, right_card = st.columns(2, gap="small")
        with left_card:
            draw_privacy(chosen, account, panel)
        old = earlier.tiles if earlier else WAITING
        tiles.html(ui.tiles([epsilon_tile(chosen, account), *(replace(tile, old=True) for tile in old)]))
        if earlier:
            headline.html(ui.headline(*earlier.headline, old=True))
        else:
            headline.html(ui.headline("The first runs are being simulated", INTRODUCTION, old=True))
    with sliders_here:
        panel.show()
    with actions:
        show_actions(chosen, account, panel)
    with right_card:
        regret = open_regret_card(chosen, panel)
    with below:
        show_guarantee(chosen, account)
    charts = {"privacy": "ε over the rounds", "regret": "Regret"}
    export = ui.bar("federated", charts, lambda: script_of(chosen), report_of(chosen, account, regret.measure))

    for progress in simulated(chosen):
        regret.draw(progress)
        if progress.runs < FIRST_RUNS:
            continue
        found = rounds_needed(progress, PRIVATE, NOISELESS, ALONE)
        shown = Shown(headline_of(chosen, found.extra, progress.runs, account), round_tiles(found, chosen, progress))
        headline.html(ui.headline(*shown.headline))
        tiles.html(ui.tiles([epsilon_tile(chosen, account), *shown.tiles]))
        panel.remember("shown", shown, private=agents.own)
    with below:
        show_details(chosen, account, progress, panel)
    export.make_report()


def more_settings(more: ui.Panel) -> Gain:
    """Show the settings that are rarely needed, and return the choice between a smaller ε and less noise."""
    box = ui.more_settings(more)
    about = ui.explanation("federated", "gain")
    gain: Gain = ui.choose(
        box.selectbox if box.open else None, "The tight account gives", GAINS, key="gain", help=about
    )
    with box:
        more.show(drawn=bool(box.open))
    return gain


def sliders(agents: ui.Agents, cuts: tuple[int, ...]) -> list[ui.Slider]:
    """Return the sliders, with the values that the agents start with. P takes the ``cuts`` that the domain allows."""
    start, private, useful = agents.start, "more private", "more useful"
    most = agents.most if agents.kind == "grades" else min(200, agents.most)
    about_z = "The server’s noise, as a multiple of the largest contribution of one agent."
    about_q = "In each round, the server uses each agent’s vector with this probability."
    about_S = "Vectors longer than S/√P are shortened. It doesn’t change ε."
    about_P = "The domain is cut into P boxes, and each agent starts in one of them."
    about_N = "The first N agents take part. δ = N^−1.1."
    z = ui.Slider("z", "Noise multiplier z", *Z_RANGE, start.z, useful, private, about_z, group="Privacy", log=True)
    q = ui.Slider("q", "Sampling rate q", 0.01, 1, start.q, private, useful, about_q, group="Privacy", log=True)
    S = ui.Slider("S", "Clipping threshold S", 1, 60, start.S, "clips more", "more noise", about_S, log=True)
    P = ui.Slider("P", "Sub-regions P", 1, cuts[-1], min(start.P, cuts[-1]), "one vector", "a vector each", about_P)
    N = ui.Slider("N", "Agents N", 2, agents.most, most, "fewer", "more", about_N, group="Tuning")
    T = ui.Slider("T", "Rounds T", 2, LONGEST, start.iterations, private, "more evaluations", group="Tuning")
    return [
        replace(z, docked=True, presented=True),
        replace(q, presented=True),
        replace(S, group="Privacy"),
        replace(P, group="Tuning", log=cuts[-1] > 1, whole=True, stops=tuple(map(float, cuts))),
        replace(N, log=True, whole=True),
        replace(T, whole=True, presented=True),
    ]


def more_sliders(agents: ui.Agents) -> list[ui.Slider]:
    """Return the sliders that are rarely needed."""
    shown = [
        ui.Slider(
            "runs", "Simulated runs", 5, demo.most(100, usual=40), 40, "faster", "narrower intervals", whole=True
        ),
        ui.Slider("M", "Features M", 5, 200, agents.start.features, "shorter vectors", "finer models", whole=True),
        ui.Slider("a", "Weight a", 0.5, 30, 15, "all count alike", "own agents count most"),
    ]
    if agents.heterogeneous:
        shown.append(ui.Slider("h", "Heterogeneity h", 0, 1, 0.1, "alike", "independent"))
    return shown


def choices(agents: ui.Agents, cuts: tuple[int, ...], panel: ui.Panel, more: ui.Panel, gain: Gain) -> Choices:
    """Return the choices that the panels describe."""
    N, wanted, start = panel.whole("N"), panel.whole("P"), agents.start
    heterogeneity = round(more.get("h", 0.0), 2)
    simulation = agents.simulation(heterogeneity)
    problem = simulation.problem(0)
    settings = Settings(
        problem.kernel,
        problem.noise_variance,
        panel.whole("T"),
        start.initial,
        more.whole("M"),
        panel["q"],
        panel["z"],
        panel["S"],
        max(cut for cut in cuts if cut <= min(N, wanted)),
        more["a"],
        decay=start.decay,
        calibration="exact" if gain == "noise" else "paper",
    )
    return Choices(agents, simulation, settings, N, heterogeneity, more.whole("runs"), wanted)


def show_presets(agents: ui.Agents, panel: ui.Panel, more: ui.Panel) -> None:
    """Show the settings of the paper's figures, and the way back to the first values."""

    def apply(name: str) -> None:
        preset = PRESETS[name]
        ui.set_choices({"agents": preset.kind, "gain": "epsilon", "measure": "simple", "when": preset.when})
        ui.set_sliders(f"federated/{preset.kind}", preset.values)
        ui.set_sliders(f"federated/{preset.kind}/more", preset.more)
        st.session_state[f"section/{SWEEP_SECTION}"] = preset.sweep is not None
        if preset.sweep:
            ui.set_choices({"sweep": preset.sweep})

    def reset() -> None:
        ui.set_choices({"gain": "epsilon", "measure": "simple"})
        panel.reset()
        more.reset()

    ui.note("As in the paper, with other data")
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name, preset in PRESETS.items():
            st.button(name, on_click=apply, args=(name,), type="tertiary", help=preset.stands_in)
        st.button("Reset", on_click=reset, type="tertiary")


def count_privacy(chosen: Choices) -> Account:
    """Return ε over the rounds by both accounts. The tight one is counted after a few rounds only, to be quick."""
    settings, N = chosen.settings, chosen.N
    paper = losses(replace(settings, iterations=LONGEST), N)
    rounds = sorted({1, *(math.ceil(chosen.rounds * (part / 6) ** 1.4) for part in range(1, 7))})
    tight = total_losses(settings, N, rounds, "pld", "exact")
    return Account(tuple(paper), tuple(zip(rounds, tight, strict=True)))


def draw_privacy(chosen: Choices, account: Account, panel: ui.Panel) -> None:
    """Draw what follows the thumb: ε over the rounds."""
    gains = multipliers(replace(chosen.settings, z=1.0, calibration="paper"), chosen.N, "exact")
    least, most = (f"{chosen.settings.z * each:.3g}" for each in (gains.min(), gains.max()))
    worth = least if least == most else f"between {least} and {most}"
    values = {
        "q": f"{chosen.settings.q:.3g}",
        "z": f"{chosen.settings.z:.3g}",
        "T": str(chosen.rounds),
        "N": str(chosen.N),
        "delta": power_of_ten(chosen.delta),
        "paper": number(account.paper[chosen.rounds - 1]),
        "tight": number(account.epsilon),
    }
    explained = ui.explanation("federated", "privacy", **values)
    if (P := chosen.settings.P) > 1:
        explained += "\n\n" + ui.explanation("federated", "joint vector", P=str(P), worth=worth)
    top = figures.epsilon_top(account.paper, chosen.rounds, panel.recall("ε") if panel.dragging else None)
    panel.remember("ε", top)
    shown = privacy_figure(chosen, account, top)
    with ui.card("privacy", explained) as title:
        title.html(shown.heading)
        ui.Chart("privacy", panel).draw(shown.figure, shown.alt)
        ui.note("Drag the dot along its curve to set T.")


def privacy_figure(chosen: Choices, account: Account, top: float) -> ui.FigureCard:
    """Return ε over the rounds by both accounts."""
    T = chosen.rounds
    paper, tight = number(account.paper[T - 1]), number(account.epsilon)
    if chosen.less_noise:
        gains = multipliers(replace(chosen.settings, z=1.0, calibration="paper"), chosen.N, "exact")
        text = f"{T} rounds need up to {gains.max():.2g} times less noise for the paper’s ε = {paper}"
    else:
        verb = "would cost" if chosen.unmet else "cost"
        text = f"{T} rounds {verb} ε = {tight}, and the paper’s account gives {paper}"
    alt = f"ε over the rounds. After {T} rounds it is {tight} by the tight account and {paper} by the paper’s."
    figure = figures.privacy(account.paper, dict(account.tight), T, top)
    return ui.FigureCard("privacy", text, "Both are upper bounds for the same noise.", figure, alt, covered=True)


def show_actions(chosen: Choices, account: Account, panel: ui.Panel) -> None:
    """Offer two settings: every agent in every round at the same ε, and the ε that was chosen on another page."""
    settings, kept = chosen.settings, ui.shared_epsilon()
    if settings.q < 1 and account.epsilon > 0:
        every = ask_every_agent(settings, chosen.N, "exact")
        z, less = rounded_up(every.settings.z), 100 * (1 - every.noise_ratio)
        if z <= Z_RANGE[1]:
            label, then = "Same privacy, less noise: ask every agent", {"q": 1.0, "z": z}
            st.button(
                label,
                on_click=panel.set,
                args=(then,),
                help=ui.explanation("federated", "every agent"),
                key="ask-every-agent",
                width="stretch",
            )
            ui.note(
                f"With q = 1 and z = {z:g}, ε stays at {number(account.epsilon)}. The mean over all agents has "
                f"{less:.0f}% less noise, but every agent sends a vector in every round."
            )
    else:
        ui.note("The server uses the vectors of all agents in every round, which needs the least noise.")
    if kept is None:
        return
    try:
        z = rounded_up(noise_needed(settings, chosen.N, kept, "pld", "exact"))
    except ValueError:
        z = math.inf
    if not Z_RANGE[0] <= z <= Z_RANGE[1]:
        ui.note(f"No z on this page gives ε = {number(kept)}, which you chose on another page.")
        return
    about = f"ε is a result on this page. z = {z:g} makes it the ε that you chose on another page."
    label = f"Set z for ε = {number(kept)}"
    st.button(label, on_click=panel.set, args=({"z": z},), help=about, key="set-z", width="stretch")


def epsilon_tile(chosen: Choices, account: Account) -> ui.Tile:
    """Return the privacy loss by the tight account, beside the paper's."""
    paper = number(account.paper[chosen.rounds - 1])
    name = f"ε would be, after {chosen.rounds} rounds" if chosen.unmet else f"ε after {chosen.rounds} rounds"
    kind: ui.Kind | None = None if chosen.unmet else "covered"
    return ui.Tile(name, number(account.epsilon), f"and {paper} by the paper’s account", kind)


def round_tiles(found: RoundsNeeded, chosen: Choices, progress: Progress) -> tuple[ui.Tile, ...]:
    """Return the tiles with the result of the simulation."""
    clipped, signal, noise = (
        float(band.mean.mean()) if (band := progress.band(PRIVATE, measure)) else math.nan
        for measure in ("clipped", "signal", "noise")
    )
    interval = f"(95%: {found.saved_low} to {found.saved_high})"
    saved, gain = f"{found.saved} of {chosen.rounds}", ""
    if found.saved_low <= 0:
        saved, gain = "None", "no measurable gain "
    P = chosen.settings.P
    return (
        ui.Tile("Extra rounds for privacy", *extra_rounds(found.extra)),
        ui.Tile("Rounds saved by sharing", saved, f"{gain}compared with tuning alone {interval}"),
        ui.Tile(
            f"Vectors clipped at P = {P}",
            f"{100 * clipped:.0f}%",
            f"of the vectors are longer than S/√P = {chosen.limit:.3g}",
            "simulated",
        ),
        ui.Tile(
            "Noise against signal",
            f"{noise / max(signal, 1e-12):.2f}",
            "mean length of the noise, divided by that of the signal",
            "simulated",
        ),
    )


def extra_rounds(extra: ExtraSteps) -> tuple[str, str]:
    """Return the extra rounds that privacy costs, and the algorithm against which they are counted."""
    if extra.significant:
        about = "about " if extra.approximate else ""
        rounds = f"{about}{extra.extra}" if extra.private_reached else f"> {extra.limit - extra.plain}"
        return rounds, f"compared with no noise (95%: {interval_of(extra)})"
    if extra.saves:
        least = "" if extra.plain_reached else "at least "
        return "None", f"noise saves {least}{-extra.extra} (95%: {interval_of(extra)})"
    return "None", f"no measurable difference (95%: {interval_of(extra)})"


def interval_of(extra: ExtraSteps) -> str:
    """Return the 95% interval of the extra rounds. An end is open where resampled runs don't get there."""
    low = f"{signed(extra.low, 0)} or less" if extra.low_open else signed(extra.low, 0)
    high = f"{signed(extra.high, 0)} or more" if extra.high_open else signed(extra.high, 0)
    return f"{low} to {high}"


def headline_of(chosen: Choices, extra: ExtraSteps, runs: int, account: Account) -> Headline:
    """Return the finding in one of three cases, and below it who does what, and how sure the finding is."""
    T, many = chosen.rounds, chosen.agents.many
    if extra.significant:
        more = "" if extra.private_reached else "more than "
        cost = extra.extra if extra.private_reached else extra.limit - extra.plain
        title = f"Privacy costs {more}{count(cost, 'extra round', 'extra rounds')} over the same algorithm without it"
    elif extra.saves:
        least = "" if extra.plain_reached else "at least "
        title = f"Noise makes the {many} explore more, which saves {least}{count(-extra.extra, 'round', 'rounds')}"
    else:
        title = "Privacy makes no measurable difference to the number of rounds"
    private, plain = (f"{n}" if n <= T else f"more than {T}" for n in (extra.private, extra.plain))
    sure = (
        f"In {runs} simulated runs, {chosen.N:,} {many} match {T} rounds of tuning alone after {private} with noise "
        f"and {plain} without. The 95% interval of the difference is {interval_of(extra)}."
    )
    promise = guarantee_of(chosen, account)
    return title, f"{INTRODUCTION} {sure}", ui.status_kind(promise), ui.privacy_words(promise)


@dataclass(frozen=True)
class RegretCard:
    """The card of regret over the rounds, and the choices about it."""

    chosen: Choices
    panel: ui.Panel
    title: ui.Place
    chart: ui.Chart
    measure: Measure

    def draw(self, progress: Progress) -> None:
        """Draw the runs so far."""
        chosen, scale = self.chosen, self.chosen.agents.scale
        top = figures.regret_top(progress, chosen.shown, self.measure, scale)
        top = self.panel.hold(f"top/{self.measure}", top, private=chosen.agents.own)
        shown = regret_figure(chosen, progress, self.measure, top)
        self.title.html(shown.heading)
        self.chart.draw(shown.figure, shown.alt)


def regret_figure(chosen: Choices, progress: Progress, measure: Measure, top: float) -> ui.FigureCard:
    """Return the regret of all algorithms over the rounds."""
    names, agents = chosen.shown, chosen.agents
    figure = figures.regret(progress, names, measure, agents.scale, (chosen.unit, top))
    text = regret_title(progress, chosen)
    same = " With P = 1, FTS-DE equals FTS." if chosen.settings.P == 1 else ""
    bands = ", ±1 standard error" if progress.runs > 1 else ""
    note = f"{count(max(progress.runs, 1), 'run', 'runs')}{bands}.{same}"
    alt = f"{MEASURES[measure]} over {chosen.rounds} rounds of {', '.join(names)}. {text}."
    return ui.FigureCard("regret", text, note, figure, alt)


def open_regret_card(chosen: Choices, panel: ui.Panel) -> RegretCard:
    """Lay out the card of regret over the rounds."""
    decay = "1/√t" if chosen.settings.decay == 0.5 else "1/t"
    values = {"N": str(chosen.N), "initial": str(chosen.settings.initial), "follow": decay}
    with ui.card("regret", ui.explanation("federated", "regret", **values)) as title:
        chart = ui.Chart("regret")
        measure: Measure = ui.choose(
            st.segmented_control, "Regret", MEASURES, key="measure", required=True, label_visibility="collapsed"
        )
    return RegretCard(chosen, panel, title, chart, measure)


def regret_title(progress: Progress, chosen: Choices) -> str:
    """Return the finding of the figure: whether tuning together pays in the first rounds."""
    first = f"in the first {count(chosen.early, 'round', 'rounds')}"
    if progress.runs < FIRST_RUNS:
        return "The first runs are being simulated"
    gain = saving(progress, PRIVATE, ALONE, chosen.early)
    if not gain.clear:
        return f"DP-FTS-DE isn’t clearly ahead of tuning alone {first}"
    return f"DP-FTS-DE is clearly {'ahead of' if gain.mean > 0 else 'behind'} tuning alone {first}"


def guarantee_of(chosen: Choices, account: Account) -> Guarantee:
    """Return the guarantee of all rounds, by the tight account."""
    settings, N = chosen.settings, chosen.N
    problem = chosen.simulation.problem(0)
    found = guarantee(settings, N, "pld", "exact", problem=problem, counted=account.epsilon)
    return replace(found, curve=trade_off(settings, N))


def show_guarantee(chosen: Choices, account: Account) -> None:
    """Show the guarantee of all rounds, and below it why it may mean little."""
    link = "" if chosen.less_noise else f"{ui.link('See the attack in Audit', audit_address(chosen))}."
    ui.Place("guarantee").html(guarantee_card(chosen, account, link))
    for remark in remarks(chosen):
        ui.note(remark)


def guarantee_card(chosen: Choices, account: Account, link: str = "") -> str:
    """Return the card of the guarantee of all rounds, with a link if there is one."""
    one = chosen.agents.one
    article = "an" if one[0] in "aeiou" else "a"
    sentence = (
        f"**All that the server sends hides whether {article} {one} took part.** Nothing is hidden from the server "
        f"itself, which is trusted. The guarantee doesn’t cover what {article} {one} does with its own result."
    )
    promise = guarantee_of(chosen, account)
    return ui.guarantee_card(promise, sentence, ui.level_sentence(promise, power_of_ten(chosen.delta)), link)


def report_of(chosen: Choices, account: Account, measure: Measure) -> ui.Report:
    """Return the interactive report of this page, with a slider for z."""

    def at(z: float) -> tuple[Choices, Progress]:
        there = replace(chosen, settings=replace(chosen.settings, z=z))
        *_, progress = ui.interruptible(there.simulation.compare(there.algorithms, there.N, there.runs))
        return there, progress

    def frame(z: float) -> ui.Frame:
        there, progress = at(z)
        counted = count_privacy(there)
        found = rounds_needed(progress, PRIVATE, NOISELESS, ALONE)
        # The axis of regret is the same at every z. The regret is largest where there is most noise.
        top = figures.regret_top(at(REPORT_VALUES[-1])[1], there.shown, measure, there.agents.scale)
        of_epsilon = privacy_figure(there, counted, figures.epsilon_top(counted.paper, there.rounds, None))
        return ui.Frame(
            ui.headline(*headline_of(there, found.extra, progress.runs, counted)),
            [epsilon_tile(there, counted), *round_tiles(found, there, progress)],
            [of_epsilon, regret_figure(there, progress, measure, top)],
            guarantee_card(there, counted),
        )

    settings, agents = chosen.settings, chosen.agents
    named = {"q": f"{settings.q:.3g}", "S": f"{settings.S:.3g}", "P": f"{settings.P}", "N": f"{chosen.N}"}
    return ui.Report(
        page="Federated optimisation",
        data=SAMPLES.get(agents.kind, ""),
        key="z",
        label="Noise multiplier z",
        now=settings.z,
        values=REPORT_VALUES,
        frame=frame,
        question=(chosen.simulation, replace(settings, z=1.0), chosen.N, chosen.runs, measure),
        settings=[*named.items(), ("T", f"{chosen.rounds}"), ("Simulated runs", f"{chosen.runs}")],
        own=agents.own,
        guaranteed=guarantee_of(chosen, account).status is Status.PROVED,
    )


def audit_address(chosen: Choices) -> str:
    """Return the address of the attack on these settings."""
    names = ("z", "q", "P", "a", "hold", "fade")
    given = "".join(f"&{name}={getattr(chosen.settings, name):.6g}" for name in names)
    return f"audit?attack=canary&N={chosen.N}&T={chosen.rounds}{given}"


def remarks(chosen: Choices) -> list[str]:
    """Return a sentence for each reason why these settings are not quite what they seem to be."""
    settings, N = chosen.settings, chosen.N
    found = list(cautions(settings, N))
    if chosen.wanted > settings.P:
        found.append(f"P is {settings.P} instead of {chosen.wanted}, because each sub-region needs an agent.")
    if (empty := (1 - settings.q) ** N) > 0.02:
        found.append(f"In {100 * empty:.0f}% of the rounds, the server uses no vector and sends noise alone.")
    if settings.calibration == "exact" and settings.P == 1:
        found.append("With P = 1, the tight account can’t spare any noise, because there is only one vector.")
    return found


def simulated(chosen: Choices) -> Iterator[Progress]:
    """Yield the comparison of all algorithms as the runs come in, beginning with the runs in memory."""
    known = chosen.simulation.finished(chosen.algorithms, chosen.N, chosen.runs).runs
    runs = chosen.simulation.compare(chosen.algorithms, chosen.N, chosen.runs)
    return ui.follow(runs, ready=lambda now: now.runs >= max(known, FIRST_RUNS))


def script_of(chosen: Choices) -> str:
    """Return a Python script that computes this page again, and names the call for real machines."""
    names = ("iterations", "initial", "features", "q", "z", "S", "P", "a", "decay", "calibration")
    given = ", ".join(f"{name}={getattr(chosen.settings, name)!r}" for name in names)
    lines = f"""
{chosen.agents.code(chosen.heterogeneity)}
first = simulation.problem(0)
settings = pb.federated.Settings(first.kernel, first.noise_variance, {given})
print("epsilon by the tight account:", pb.federated.total_loss(settings, {chosen.N}, "pld", "exact"))
print("epsilon by moments:", pb.federated.losses(settings, {chosen.N})[-1])
variants = pb.federated.variants(settings)
names = "{PRIVATE}", "{NOISELESS}", "{ALONE}"
*_, progress = simulation.compare({{name: variants[name] for name in names}}, {chosen.N}, {chosen.runs})
found = pb.federated.rounds_needed(progress, *names)
print("rounds with noise and without:", found.extra.private, found.extra.plain)
print("interval of the extra rounds:", found.extra.low, "to", found.extra.high)
print("rounds saved against tuning alone:", found.saved)
"""
    real = """The server for agents on real machines, with Flower (pip install flwr). Each agent runs flower.client_app:
from privbo_core.federated import flower
app = flower.server_app(first.points, settings)"""
    return ui.write_script("Federated", lines, real)


def show_details(chosen: Choices, account: Account, progress: Progress, panel: ui.Panel) -> None:
    """Show what lies below the first screen. A section is computed only while it is open."""
    sections: dict[str, Callable[[], None]] = {
        "What does this ε mean?": lambda: show_meaning(chosen, account),
        SWEEP_SECTION: lambda: show_sweep(chosen),
        "Solve for z, q or T": lambda: show_solutions(chosen, panel),
        "Clipped vectors, and noise against signal": lambda: show_broadcasts(chosen, progress),
        "Sub-regions: weights and map": lambda: show_sub_regions(chosen, panel),
        "Theory: Proposition 1 and Theorem 1": lambda: show_theory(chosen, account),
    }
    if "sweep" in st.query_params:  # a link that asks for it
        st.session_state.setdefault(f"section/{SWEEP_SECTION}", True)
    for name, show in sections.items():
        section = st.expander(name, on_change="rerun", key=f"section/{name}")
        if section.open:
            with section:
                show()


def show_meaning(chosen: Choices, account: Account) -> None:
    """Show how often the best attacker is right, also if the same agents tune together again."""
    times = 1, 2, 4, 8
    percents = [100 * (1 - trade_off(chosen.settings, chosen.N, times=each).least_error(0.5)) for each in times]
    title = f"The best attacker is right {in_100(percents[0] / 100)} times in 100 about who took part"
    ui.Place("meaning-title").html(
        ui.title(title, "Guessing gets 50. Each further run with the same agents helps the attacker.")
    )
    ui.Chart("meaning").draw(figures.repeated(times, percents), f"{title}.")
    values = {"fold": number(math.exp(min(account.epsilon, 300.0))), "delta": power_of_ten(chosen.delta)}
    st.markdown(ui.explanation("federated", "meaning", **values))


def show_sweep(chosen: Choices) -> None:
    """Show regret against ε while one setting varies, as the runs come in, and then all numbers in a table."""
    with st.container(horizontal=True):
        symbol: Symbol = ui.choose(st.segmented_control, "Vary", SYMBOLS, key="sweep", required=True)
        when: When = ui.choose(st.segmented_control, "Regret", WHENS, key="when", required=True)
    settings, N, agents = chosen.settings, chosen.N, chosen.agents
    now: float = getattr(settings, symbol)
    values = sorted({*SWEEPS[symbol], now})
    varied = {value: with_value(settings, symbol, value) for value in values}
    references = {name: variants(settings)[name] for name in (ALONE, NOISELESS)}
    title, chart, table = ui.Place("sweep-title"), ui.Chart("sweep"), ui.Place("sweep-table")
    first = slice(0, chosen.early) if when == "early" else slice(-1, None)
    axis = f"regret {'at the end' if when == 'last' else f'in rounds 1 to {chosen.early}'}, {chosen.unit}"
    accounts: dict[float, tuple[float, float]] = {}
    for value, each in varied.items():
        ui.interrupt()
        accounts[value] = losses(each, N)[-1], total_loss(each, N, "pld", "exact")
    table.html(sweep_table(symbol, axis, accounts, {}))
    named = {f"{value:g}": each for value, each in varied.items()}
    for progress in ui.follow(chosen.simulation.compare({**named, **references}, N, SWEEP_RUNS)):
        if progress.runs == 0:
            continue
        ends = {
            name: agents.scale * np.array([record.simple[first].mean() for record in records[: progress.runs]])
            for name, records in progress.finished.items()
        }
        points = [figures.Point.of(value, accounts[value], ends[f"{value:g}"]) for value in values]
        text = sweep_title(points, symbol, ends, chosen.unit)
        title.html(
            ui.title(
                text, f"{progress.runs} of {SWEEP_RUNS} runs, ±1 standard error. The ring marks the page’s setting."
            )
        )
        levels = {name: float(ends[name].mean()) for name in references}
        chart.draw(figures.sweep(points, levels, symbol, now, axis), f"{text}.")
        table.html(sweep_table(symbol, axis, accounts, {point.value: point for point in points}))


def sweep_table(
    symbol: Symbol, axis: str, accounts: Mapping[float, tuple[float, float]], points: Mapping[float, figures.Point]
) -> str:
    """Return a table of ε by both accounts, which need no simulation, and of the regret as far as it is known."""
    rows = []
    for value, (paper, tight) in accounts.items():
        point = points.get(value)
        regret = f"{point.regret_text} ± {with_error(point.error, point.error)}" if point else "…"
        rows.append((f"{symbol} = {value:g}", number(paper), number(tight), regret))
    return ui.table_html(("Setting", "ε by the paper’s account", "ε by the tight account", axis), rows)


def sweep_title(points: list[figures.Point], symbol: Symbol, ends: Mapping[str, Array], unit: str) -> str:
    """Return whether the regret at one end of the sweep differs measurably from that at the other."""
    low, high = points[0], points[-1]
    private, useful = (high, low) if symbol == "z" else (low, high)
    at = [f"S = {each.value:g}" if symbol == "S" else f"ε = {number(each.tight)}" for each in (private, useful)]
    pairs = ends[f"{private.value:g}"] - ends[f"{useful.value:g}"]
    if len(pairs) < 2 or not Difference.of(pairs).clear:
        return f"The regret at {at[0]} isn’t measurably different from that at {at[1]}"
    return f"The regret is {private.regret_text} {unit} at {at[0]} and {useful.regret_text} {unit} at {at[1]}"


def with_value(settings: Settings, symbol: Symbol, value: float) -> Settings:
    """Return the settings with another z, q or S."""
    if symbol == "z":
        return replace(settings, z=value)
    return replace(settings, q=value) if symbol == "q" else replace(settings, S=value)


def show_solutions(chosen: Choices, panel: ui.Panel) -> None:
    """Show which z, q or T keeps a wanted ε, and set it with a click."""
    about = "The ε that all pages share. This page doesn’t have it as a setting, because ε follows from z, q and T."
    wanted = ui.Panel("federated/solve", [replace(ui.epsilon_slider(3.0, about), docked=False, presented=False)])
    accountant: Accountant = ui.choose(st.segmented_control, "Counted by", ACCOUNTANTS, key="accountant", required=True)
    wanted.show()
    epsilon, settings, N = wanted["epsilon"], chosen.settings, chosen.N
    others = {
        "z": f"q = {settings.q:.3g} and T = {chosen.rounds}",
        "q": f"z = {settings.z:.3g} and T = {chosen.rounds}",
    }
    others["T"] = f"z = {settings.z:.3g} and q = {settings.q:.3g}"
    for symbol, kept in others.items():
        ui.interrupt()
        value = solution(symbol, chosen, epsilon, accountant)
        with st.container(horizontal=True, vertical_alignment="center", key=f"solve-{symbol}"):
            if value is None:
                ui.note(f"With {kept}, no {symbol} on this page keeps ε = {number(epsilon)}.")
                continue
            st.button(f"Set {symbol} = {value:g}", on_click=panel.set, args=({symbol: value},), key=f"set/{symbol}")
            bound = {"z": "smallest", "q": "largest", "T": "largest"}[symbol]
            ui.note(f"With {kept}, this is the {bound} {symbol} that keeps ε = {number(epsilon)}.")
    st.markdown(ui.explanation("federated", "solve", N=str(N), delta=power_of_ten(chosen.delta)))


def solution(symbol: str, chosen: Choices, epsilon: float, accountant: Accountant) -> float | None:
    """Return the least z, or the largest q or T, that keeps an ε, or None if no value on this page does."""
    settings, N = chosen.settings, chosen.N
    how = COUNTED_BY[accountant]
    try:
        if symbol == "z":
            z = rounded_up(noise_needed(settings, N, epsilon, *how))
            return z if Z_RANGE[0] <= z <= Z_RANGE[1] else None
        if symbol == "q":
            q = math.floor(rate_allowed(settings, N, epsilon, *how) * 1e4) / 1e4
            return q if q >= 0.01 else None
    except ValueError:
        return None
    rounds = rounds_allowed(settings, N, epsilon, *how, most=LONGEST)
    return float(rounds) if rounds >= 2 else None


def show_broadcasts(chosen: Choices, progress: Progress) -> None:
    """Show how many vectors are clipped, and how the noise compares with the signal, over the rounds."""
    clipped, signal, noise = (progress.band(PRIVATE, measure) for measure in ("clipped", "signal", "noise"))
    if clipped is None or signal is None or noise is None:
        return
    first, last = (f"{100 * clipped.mean[t]:.0f}%" for t in (0, -1))
    ratios = noise.mean / np.maximum(signal.mean, 1e-12)
    text = f"With P = {chosen.settings.P}, {first} of the vectors are clipped in round 1 and {last} at the end"
    note = (
        f"The noise is {ratios[0]:.2f} times as long as the signal in round 1, and {ratios[-1]:.2f} times at the end."
    )
    ui.Place("broadcasts-title").html(ui.title(text, note, "simulated"))
    ui.Chart("broadcasts").draw(figures.broadcasts(clipped, signal, noise), f"{text}. {note}")
    values = {"S": f"{chosen.settings.S:.3g}", "P": str(chosen.settings.P), "limit": f"{chosen.limit:.3g}"}
    st.markdown(ui.explanation("federated", "broadcasts", **values))


def show_sub_regions(chosen: Choices, panel: ui.Panel) -> None:
    """Show the weights of the agents in a sub-region, and where all agents evaluate, round by round."""
    settings, N = chosen.settings, chosen.N
    if settings.P > 1:
        own = figures.own_shares(settings, N)
        first, last = (f"{100 * own[t]:.0f}%" for t in (0, -1))
        text = f"A sub-region’s own agents have {first} of its weight in round 1 and {last} at the end"
        ui.Place("weights-title").html(
            ui.title(text, "This depends on the settings alone, and not on any agent’s data.")
        )
        ui.Chart("weights").draw(figures.weights(own), f"{text}.")
    t = st.slider(
        "Round", 0, chosen.rounds, 1, key=f"map-round/{chosen.rounds}", help="Round 0 has the initial points."
    )
    rounds = rounds_of_first_run(chosen, panel)
    now, mean = rounds[max(t, 1) - 1], chosen.simulation.problem(0).objectives[:N].mean(axis=0)
    text = f"In round {t}, {int(now.followed.sum())} of {N} {chosen.agents.many} follow the server"
    text = text if t else f"Each {chosen.agents.one} starts from {settings.initial} points in its sub-region"
    note = (
        "One simulated run. Larger dots are evaluated by more agents, and a stronger shade is a better mean objective."
    )
    ui.Place("map-title").html(ui.title(text, note, "simulated"))
    figure = figures.sub_regions(chosen.simulation.problem(0), mean, now, start=t == 0)
    ui.Chart("map").draw(figure, f"{text}.")
    st.markdown(ui.explanation("federated", "sub-regions", a=f"{settings.a:.3g}", hold=str(settings.hold)))


def rounds_of_first_run(chosen: Choices, panel: ui.Panel) -> tuple[Round, ...]:
    """Return the rounds of the first run, without weights, which are large. They are kept until a setting changes."""
    asked = chosen.agents.kind, chosen.heterogeneity, chosen.settings, chosen.N
    known = panel.recall("rounds of the first run", private=chosen.agents.own)
    if known is not None and known[0] == asked and known[2] is chosen.simulation:
        rounds: tuple[Round, ...] = known[1]
        return rounds
    found = []
    for each in chosen.simulation.rounds(chosen.settings, chosen.N, 0):
        ui.interrupt()
        found.append(replace(each, weights=np.empty(0)))
    panel.remember("rounds of the first run", (asked, tuple(found), chosen.simulation), private=chosen.agents.own)
    return tuple(found)


def show_theory(chosen: Choices, account: Account) -> None:
    """Show how z trades against q, T and ε by Proposition 1 and by the accountant, and the terms of Theorem 1."""
    settings, delta = chosen.settings, chosen.delta
    q, z, T, epsilon = settings.q, settings.z, chosen.rounds, account.paper[chosen.rounds - 1]
    changes = (
        ("As it is now", q, T, epsilon, z),
        ("q doubled", min(1.0, 2 * q), T, epsilon, z * min(2.0, 1 / q)),
        ("T four times", q, 4 * T, epsilon, 2 * z),
        ("ε halved", q, T, epsilon / 2, 2 * z),
    )
    rows = []
    for name, rate, steps, wanted, proportion in changes:
        ui.interrupt()
        try:
            needed = f"{noise_for(wanted, rate, steps, delta):.3g}"
        except ValueError:
            needed = "not possible"
        rows.append((name, f"{proportion:.3g}", needed))
    constant = z * epsilon / (q * math.sqrt(T * math.log(1 / delta)))
    st.markdown(ui.explanation("federated", "proposition 1", constant=f"{constant:.3g}", epsilon=number(epsilon)))
    ui.table(("Noise multiplier z that is needed", "By proportion", "By the moments account"), rows)
    noise = settings.z * settings.S * math.sqrt(settings.features)
    st.markdown(ui.explanation("federated", "theorem 1"))
    rows = [
        (f"Noise z = {z:.3g}", f"more, through zS√M = {noise:,.3g}", "none"),
        (f"Sampling rate q = {q:.3g}", f"less, through 1/q = {1 / q:.3g}", "none"),
        (f"Clipping threshold S = {settings.S:.3g}", "more", "less"),
        (f"Sub-regions P = {settings.P}", "more", f"more, through S/√P = {chosen.limit:.3g}"),
        (f"Features M = {settings.features}", "more, through √M", "more, because vectors are longer"),
        (f"Weight a = {settings.a:.3g}", "more, through the largest weight", "none"),
    ]
    ui.table(("A larger …", "Term ψ of noise", "Term ϑ of clipping"), rows)


main()
