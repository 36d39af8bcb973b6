"""What lies below the first screen of the Federated page: explanations, the server's view, maps, sweeps, theory."""

import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from pages.parts.controls.live_sliders import Slider, read_controls, show_sliders
from pages.parts.federated import figures
from pages.parts.federated.agents import Agents
from pages.parts.federated.words import EARLY, amount, epsilon_text
from pages.parts.frame.address import choose
from pages.parts.frame.later import later
from pages.parts.frame.pace import give_way, wait
from pages.parts.show.chart import Chart
from pages.parts.show.explained import explaining
from pages.parts.show.look import Palette, finding, scientific
from privbo_core.bo import Band
from privbo_core.federated import (
    Progress,
    Settings,
    Simulation,
    delta_for,
    losses,
    region_weights,
    temperature,
    variants,
)
from privbo_core.federated.simulation import Measure
from privbo_core.privacy import Method, epsilon, noise_for, rate_for, steps_for

SWEPT = {"z": (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0), "q": (0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 1.0)}
SWEPT_RUNS = 10
ACCOUNTANTS: dict[str, Method] = {"moments (the paper’s)": "moments", "Rényi": "rdp", "loss distributions": "pld"}


def show_details(
    agents: Agents, simulation: Simulation, settings: Settings, N: int, runs: int, progress: Progress, stopped: bool,
    colours: Palette,
) -> None:  # fmt: skip
    """Draw the explanations and the open tab. Only the open one is computed."""
    explain(agents, settings, N)
    names = ["Clipping and noise", "Weights", "Map", "Privacy against utility", "Solve", "Theory", "Honest notes"]
    tabs = st.tabs(names, key="federated_tab", on_change="rerun", bind="query-params")
    shows: list[Callable[[], None]] = [
        lambda: show_server(settings, progress, colours),
        lambda: show_weights(settings, N, colours),
        lambda: show_map(agents, simulation, settings, N, colours),
        lambda: show_sweep(agents, simulation, settings, N, min(runs, SWEPT_RUNS), stopped, colours),
        lambda: show_solutions(settings, N),
        lambda: show_theory(settings, N, progress),
        show_notes,
    ]
    for tab, show in zip(tabs, shows, strict=True):
        if tab.open:
            with tab:
                show()


def explain(agents: Agents, settings: Settings, N: int) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    first, second = st.columns(2, gap="medium")
    with first, explaining("ε over the rounds") as say:
        now = epsilon(q, z, T, delta)
        say(
            f"""In each round every agent is drawn with probability q = {q:.3g}; the vectors of those drawn are clipped, added up,
and blurred by noise z = {z:.3g} times as large as one agent’s largest share. Each round costs some privacy, and an accountant
adds the costs up. Whatever the server sends is at most $e^{{\\varepsilon}}$ times as likely with an agent as without it (up to δ).

The paper’s accountant: $\\varepsilon = \\min_{{\\lambda\\le 32}}\\,(T\\,\\alpha(\\lambda)+\\log(1/\\delta))/\\lambda$ with
$\\alpha(\\lambda)=\\log\\sum_k\\binom{{\\lambda+1}}{{k}}(1-q)^{{\\lambda+1-k}}q^k e^{{(k^2-k)/2z^2}}$. With T = {T} and
$\\delta = N^{{-1.1}} = {delta:.4f}$ (N = {N}) that is ε = {epsilon_text(now)}.

Rényi accounting and privacy-loss distributions bound the *same* mechanism with the same noise. All three are upper bounds, so
the smallest is the truest. *Dai, Low, Jaillet (NeurIPS 2021), Proposition 1; Abadi et al. (CCS 2016), Theorem 2.*"""
        )
    with second, explaining("regret") as say:
        rule = "1/\\sqrt{t}" if agents.decay == 0.5 else "1/t"
        size = (
            "One $\\sigma_f$ is the standard deviation of an objective over the domain." if agents.heterogeneous else ""
        )
        fresh = "draws new agents" if agents.heterogeneous else "keeps the agents and throws new dice"
        say(
            f"""Simple regret is how far the best point that an agent has tried lies below the best there is for *that* agent:
$f_n(x^*_n)-\\max_{{s\\le t}} f_n(x_s)$, averaged over N = {N} agents. 0 means that everybody has found the best. {size} It starts after
the {settings.initial} points that each agent tries first.

**TS**: each agent tunes alone (Thompson sampling). **FTS**: in round t, with probability $1-p_t = {rule}$, an agent follows the
server instead, which knows a sum of everyone’s samples. **-DE**: the domain is cut into P sub-regions, and agents start in
one each. **DP-**: clipping, a random choice of agents, and noise protect who took part.

Each run {fresh}; all five algorithms and all settings share its dice, so a curve moves because a setting moved. The gain in
the title is a mean of run-by-run differences. *Paper: Algorithms 1 and 2, Section 5; the schedules are those of its synthetic
and its real experiments.*"""
        )


def _known(progress: Progress, measure: Measure, name: str = "DP-FTS-DE") -> Band:
    found = progress.band(name, measure)
    return found if found is not None else Band(np.full(1, np.nan), np.full(1, np.nan), 0)


def show_server(settings: Settings, progress: Progress, colours: Palette) -> None:
    """Draw, over the rounds, how many vectors are clipped, and how loud the noise is."""
    if progress.band("DP-FTS-DE", "clipped") is None:
        st.info("Nothing has been computed yet: press “Go on” above.")
        return
    left, right = st.columns(2, gap="medium")
    clipped, signal, noise = (_known(progress, measure) for measure in ("clipped", "signal", "noise"))
    limit = settings.S / math.sqrt(settings.P)
    with left:
        st.html(
            finding(
                f"{100 * clipped.mean[0]:.0f} % of the vectors are clipped in round 1, {100 * clipped.mean[-1]:.0f} % in round {settings.iterations}",
                "curator",
                f"A vector is clipped if it is longer than S/√P = {limit:.3g} (DP-FTS: S = {settings.S:.3g}). "
                f"Most of its length is the randomness of the sample, about √M = {math.sqrt(settings.features):.3g}.",
            )
        )
        curves = [("DP-FTS-DE", clipped, colours.private, "solid")]
        without = progress.band("DP-FTS", "clipped")
        if without is not None:
            curves.append(("DP-FTS", without, colours.private, "dot"))
        Chart("clipped").draw(figures.over_rounds(curves, "% of vectors clipped", colours, True), "Share clipped.")
    with right:
        share = noise.mean / np.maximum(signal.mean, 1e-12)
        if settings.z == 0:
            title = "No noise at all"
        elif share[0] > share[-1]:
            title = (
                f"The noise drowns the signal early: {share[0]:.2f} to 1 in round 1, {share[-1]:.2f} to 1 at the end"
            )
        else:
            title = f"Noise to signal: {share[0]:.2f} to 1 in round 1, {share[-1]:.2f} to 1 at the end"
        if settings.z > 0 and share[0] > share[-1] and share[0] <= 1:
            title = f"The noise fades: {share[0]:.2f} to 1 in round 1, {share[-1]:.2f} to 1 at the end"
        st.html(
            finding(title, "curator", "Lengths of the two parts of what the server sends (all sub-regions together).")
        )
        chart = figures.over_rounds(
            [("signal", signal, colours.plain, "dash"), ("noise", noise, colours.private, "solid")],
            "length", colours, False,
        )  # fmt: skip
        Chart("noise").draw(chart, "Length of the signal and of the noise over the rounds.")


def show_weights(settings: Settings, N: int, colours: Palette) -> None:
    """Draw what share of each sub-region's vector comes from the agents that started there."""
    explores = np.arange(N) % settings.P
    inside = np.empty((settings.P, settings.iterations))
    largest = np.empty(settings.iterations)
    for t in range(1, settings.iterations + 1):
        now = region_weights(explores, settings.P, settings.a, temperature(t, settings.hold, settings.fade))
        inside[:, t - 1] = [now[i, explores == i].sum() for i in range(settings.P)]
        largest[t - 1] = now.max()
    if settings.P == 1:
        title = "With one sub-region all agents count alike throughout"
    else:
        first, last = (f"{100 * inside[0, t]:.0f} %" for t in (0, -1))
        later_on = (
            "in the end everyone" if inside[0, -1] < 1 / settings.P + 0.02 else f"still in round {settings.iterations}"
        )
        title = f"A sub-region first hears its own explorers ({first}), {later_on} ({last})"
    st.html(
        finding(
            title,
            "share",
            f"The largest weight of one agent falls from {largest[0]:.3g} to {largest[-1]:.3g}, and the noise, "
            f"z·φ<sub>max</sub>·S/q, with it. Settings alone decide this, not the data.",
        )
    )
    Chart("weights").draw(figures.weights(inside, colours), "Share of each sub-region’s weight on its own explorers.")
    with explaining("weights") as say:
        say(
            f"""For sub-region $i$ agent $n$ counts $\\varphi_n^{{(i)}} \\propto \\exp(a\\cdot 1[n\\text{{ started in }}i]/\\mathcal T)$,
with a = {settings.a:.3g}; the weights of a sub-region add up to 1. The temperature $\\mathcal T$ is 1 for {settings.hold} rounds;
then $1/\\mathcal T$ falls to 0 over {settings.fade} more, for later on everybody knows something about the whole domain. Concentrated
weights have a price: one agent can contribute more, so $\\varphi_{{\\max}}$ and the noise are larger. *Dai, Low, Jaillet (NeurIPS
2021), Section 3.2.*"""
        )


def show_map(agents: Agents, simulation: Simulation, settings: Settings, N: int, colours: Palette) -> None:
    """Draw the sub-regions and who asked where in a round of run 0."""
    steps = Slider("t", "round t", 0, settings.iterations, min(1, settings.iterations), "where agents start", "last round",
                   "Show the queries of this round.", whole=True, play=True)  # fmt: skip
    panel_place, shown_place = st.columns([1, 3])
    controls = read_controls("federated-map", [steps])
    t = controls.whole("t")
    key = (agents.name, id(simulation), settings, N)
    kept = st.session_state.get("federated/map")
    if kept is None or kept[0] != key:
        rounds = []
        for each in simulation.rounds(settings, N, 0):
            give_way()
            rounds.append((each.queries, each.followed, each.selected.sum(), each.initial, each.regions))
        kept = st.session_state["federated/map"] = (key, rounds)
    problem = simulation.first
    mean = problem.objectives[:N].mean(axis=0)
    queries, followed, selected, initial, regions = kept[1][max(t, 1) - 1]
    if t == 0:
        groups = [("starts here", initial.ravel(), colours.plain, "circle")]
        title = f"Each agent starts from {settings.initial} points of its own sub-region"
        note = "Circles: where the agents start; larger where several do."
    else:
        groups = [
            ("own choice", queries[~followed], colours.plain, "circle"),
            ("follows the server", queries[followed], colours.private, "square"),
        ]
        title = f"Round {t}: {int(followed.sum())} of {N} agents follow the server"
        if followed.any():
            at = problem.original[queries[followed][0]]
            title += ", to " + ", ".join(f"{escape(name)} = {x:.2g}" for name, x in zip(problem.names, at, strict=True))
        note = (
            f"{int(selected)} agents were drawn to send. Dark circles: own choices; square: the point the server’s vectors "
            "promise most. Larger: more agents."
        )
    boxes = f" Dashed: the {settings.P} sub-regions." if settings.P > 1 else " One sub-region."
    more = " First two parameters." if len(problem.names) > 2 else ""
    with shown_place:
        st.html(finding(title, "simulation", f"{note}{boxes}{more} One run."))
        Chart("regions").draw(figures.region_map(problem, mean, regions, groups, colours), title)
    with panel_place:
        show_sliders("federated-map", [steps], controls)


def show_sweep(
    agents: Agents, simulation: Simulation, settings: Settings, N: int, runs: int, stopped: bool, colours: Palette
) -> None:
    """Draw regret against ε while z or q goes through a range, run by run as they are computed."""
    symbol = choose(st.segmented_control, "Sweep over", list(SWEPT), key="federated_sweep", required=True)
    head, chart = st.empty(), Chart("trade-off")
    now = getattr(settings, symbol)
    values = sorted({*SWEPT[symbol], round(now, 6)} - {0.0})
    names = {f"{symbol} = {value:.6g}": value for value in values}
    swept = {name: replace(settings, **{symbol: value}) for name, value in names.items()}
    from_others = ("TS", "FTS-DE")
    others = {name: variants(settings)[name] for name in from_others}
    early, scale = min(EARLY, settings.iterations), agents.scale
    loss = {name: losses(each, N)[-1] for name, each in swept.items()}

    def draw(progress: Progress) -> None:
        points, levels, present = [], {}, None
        for name, records in progress.finished.items():
            if not records:
                continue
            each = np.array([record.simple[:early].mean() for record in records]) * scale
            error = float(each.std(ddof=1) / math.sqrt(len(each))) if len(each) > 1 else 0.0
            if name in from_others:
                levels[name] = float(each.mean())
            elif math.isfinite(loss[name]):
                points.append((names[name], loss[name], float(each.mean()), error))
                if abs(names[name] - now) < 1e-6:
                    present = loss[name], float(each.mean())
        done = min(len(records) for records in progress.finished.values())
        note = f"{done} of {runs} runs each, bars ± 1 standard error. Circle: the present setting."
        if len(points) < 2:
            head.html(finding("The first points are on their way", "simulation", note))
        else:
            private, useful = min(points, key=lambda p: p[1]), max(points, key=lambda p: p[1])
            error = max(private[3], useful[3])
            title = (
                f"From ε = {epsilon_text(private[1])} to ε = {epsilon_text(useful[1])} the regret goes from "
                f"{amount(private[2], error)} to {amount(useful[2], error)} {agents.in_unit}"
            )
            head.html(finding(title, "simulation", note))
        picture = figures.trade_off(points, present, symbol, levels, agents.unit, early, colours)
        chart.draw(picture, f"Regret against ε while {symbol} varies.")

    everything = swept | others
    progress, drawn = simulation.finished(everything, N, runs), 0.0
    if not stopped:
        with closing(simulation.compare(everything, N, runs)) as stream:
            for progress in stream:
                give_way()
                if time.perf_counter() - drawn > 0.3:
                    drawn = time.perf_counter()
                    draw(progress)
    draw(progress)


def show_solutions(settings: Settings, N: int) -> None:
    """Answer which z, which q or how many rounds a wanted ε allows."""
    delta = delta_for(N)
    left, right = st.columns([1, 2.2], gap="medium")
    with left:
        wanted = st.number_input(
            "ε that you want to keep", 0.01, 1000.0, 5.0, step=0.5, key="federated_wanted", bind="query-params"
        )
        accountant = choose(st.radio, "Counted by", list(ACCOUNTANTS), key="federated_accountant")
    method = ACCOUNTANTS[accountant]
    q, z, T = settings.q, settings.z, settings.iterations

    def solve() -> list[tuple[str, str]]:
        return [
            ("z", _answer(lambda: f"z = {_up(noise_for(wanted, q, T, delta, method))} or more")),
            ("q", _answer(lambda: f"q = {_down(rate_for(wanted, z, T, delta, method))} or less")),
            ("T", _answer(lambda: _rounds(steps_for(wanted, q, z, delta, method)))),
        ]

    key = ("solve", wanted, method, q, z, T, N)
    answers = later().ask(key, solve)
    with right:
        place = st.empty()
        while answers is None:
            place.info("Being solved…")
            wait(0.1)
            answers = later().ask(key, solve)
        if isinstance(answers, Exception):
            place.warning(str(answers))
            return
        kept = {"z": f"q = {q:.3g}, T = {T}", "q": f"z = {z:.3g}, T = {T}", "T": f"z = {z:.3g}, q = {q:.3g}"}
        rows = "\n".join(f"| {name} | {kept[name]} | {text} |" for name, text in answers)
        possible = sum(not text.startswith("not ") for _, text in answers)
        ways = ("no way", "one way", "two ways", "three ways")[possible]
        with place.container():
            st.html(
                finding(
                    f"ε = {wanted:g} can be kept in {ways} by changing a single slider",
                    "share",
                    f"δ = N^−1.1 = {delta:.4f}, N = {N}. Type the answer into the box beside the slider.",
                )
            )
            st.markdown(f"| change | keep | so that ε ≤ {wanted:g} |\n|---|---|---|\n{rows}")


def _answer(solve: Callable[[], str]) -> str:
    try:
        return solve()
    except ValueError as problem:
        return f"not possible: {problem}"


def _noise_text(loss: float, rate: float, steps: int, delta: float) -> str:
    return f"{noise_for(loss, rate, steps, delta):.2f}"


def _up(value: float) -> str:
    return f"{math.ceil(value * 1000) / 1000:g}"


def _down(value: float) -> str:
    return f"{math.floor(value * 10000) / 10000:g}" if value >= 0.001 else scientific(value)


def _rounds(steps: int) -> str:
    if steps == 0:
        return "not even one round"
    return f"T = {steps:,} round{'' if steps == 1 else 's'} or fewer"


def show_theory(settings: Settings, N: int, progress: Progress) -> None:
    """Set Proposition 1 beside the accountant, and say which term of Theorem 1 each slider moves."""
    delta, q, z, T, P = delta_for(N), settings.q, settings.z, settings.iterations, settings.P
    left, right = st.columns(2, gap="large")
    with left:
        if z == 0:
            st.html(finding("Proposition 1 needs noise: z is 0", "share"))
        else:
            now = epsilon(q, z, T, delta)
            constant = z * now / (q * math.sqrt(T * math.log(1 / delta)))
            changes = {
                "as it is now": (q, T, now, z),
                "q doubled": (min(1.0, 2 * q), T, now, z * min(2.0, 1 / q)),
                "T four times": (q, 4 * T, now, 2 * z),
                "ε halved": (q, T, now / 2, 2 * z),
            }
            needed = {
                name: _answer(partial(_noise_text, loss, rate, steps, delta))
                for name, (rate, steps, loss, _) in changes.items()
            }
            rows = "\n".join(f"| {name} | {changes[name][3]:.2f} | {text} |" for name, text in needed.items())
            st.html(
                finding(
                    "Proposition 1 gives the direction, the accountant the number",
                    "share",
                    "The noise z that keeps ε, by Proposition 1’s proportions and by the moments accountant.",
                )
            )
            st.markdown(
                f"""| z needed if … | by proportion | by the accountant |
|---|---|---|
{rows}

Proposition 1: $(\\varepsilon,\\delta)$-private if $z \\ge c_2\\,q\\sqrt{{T\\log(1/\\delta)}}/\\varepsilon$, for $\\varepsilon < c_1q^2T$,
with constants that it does not name. To reproduce today’s ε = {epsilon_text(now)}, $c_2$ would have to be {constant:.3g}."""
            )
    with right:
        clipped = _known(progress, "clipped").mean.mean()
        share = "being computed" if math.isnan(clipped) else f"{100 * clipped:.0f} % of the vectors"
        bound = z * settings.S * math.sqrt(settings.features)
        st.html(
            finding(
                "More privacy means a larger term ψ in the regret bound",
                "share",
                "Theorem 1 hides its constants: it says which way each slider pushes, not how far.",
            )
        )
        st.markdown(
            f"""
$R_T = \\tilde O\\big((B+1/p_1)\\gamma_T\\sqrt T + \\sum_t\\psi_t + B\\sum_t\\vartheta_t\\big)$,

$\\psi_t = \\tilde O\\big((1-p_t)\\,P\\,\\varphi_{{\\max}}\\,q^{{-1}}(\\Delta_t + zS\\sqrt M)\\big)$,

$\\vartheta_t = (1-p_t)\\sum_i\\sum_{{n\\,\\mathrm{{clipped}}}}\\varphi_n^{{(i)}}$

| slider ↑ | tuning alone, $\\gamma_T\\sqrt T$ | noise and strangers, ψ | clipping, ϑ | privacy |
|---|---|---|---|---|
| z = {z:.3g} | · | ↑ through zS√M = {bound:.3g} | · | better |
| q = {q:.3g} | · | ↓ through 1/q = {1 / q:.3g} | · | worse |
| S = {settings.S:.3g} | · | ↑ | ↓ ({share} now) | unchanged |
| P = {P} | · | ↑ | ↑ (limit S/√P = {settings.S / math.sqrt(P):.3g}) | unchanged |
| M = {settings.features} | · | ↑ through √M, and ↓ as features get truer | ↑ (longer vectors) | unchanged |
| T = {T} | ↑ | ↑ | ↑ | worse |
| N = {N} | · | Δ sums over N, φ falls like 1/N | · | δ = N^−1.1 falls, and ε rises a little for it |
| a = {settings.a:.3g} | · | ↑ through $\\varphi_{{\\max}}$ | · | unchanged |
| heterogeneity | · | ↑ through Δ | · | unchanged |

The theorem asks that agents soon stop following the server, $1-p_t = O(1/t^2)$. The experiments, the paper’s and these, follow longer.
*Dai, Low, Jaillet (NeurIPS 2021), Theorem 1 and Section 4.*"""
        )


def show_notes() -> None:
    """Say what does not come out, and what the figures do not say."""
    st.markdown(
        """
- **A small S does no harm here.** The paper finds that S can be too small. In the algorithm as printed it cannot: once every
  vector is clipped, S multiplies signal and noise alike, and the point that the server’s vectors promise most is the same for any
  smaller S. Drag S down and watch: below a certain S the private curves do not move at all. What clipping forgets is the
  length of the vectors, and they hardly differ in length. S too large *is* harmful: more noise, nothing gained.
- **Distributed exploration helps a little, not always.** In 30 runs of the paper’s synthetic setting, FTS-DE (P = 2) came out
  ahead of FTS by 0.015 ± 0.022 over the first ten rounds: no clear difference. Under privacy a larger P concentrates the weights and so raises
  the noise: try P = 1, 2 and 4.
- **What does come out:** sharing is far ahead of tuning alone in the first ten rounds where agents are alike; a larger q or a
  smaller z is better and less private. Where agents differ, as the schools do, the gain is small, or a loss.
- **The paper’s ε is larger than it need be.** Its moments accountant overstates what the same noise costs.
- **Who is not protected:** an agent from the server, which is trusted and sees every vector. And nothing is promised about what an
  agent’s own queries show.
- **The noise here comes from a pseudo-random generator.** This page simulates; it is not a server to run with real agents.
"""
    )
