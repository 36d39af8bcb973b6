"""What lies below the first screen of the Federated page: explanations, and a tab for each closer look."""

import streamlit as st

from pages.parts.federated.count import most_saved
from pages.parts.federated.setup import Setup, Shown
from pages.parts.federated.tabs.real import show_real_run
from pages.parts.federated.tabs.rounds import show_map, show_server, show_weights
from pages.parts.federated.tabs.sweep import show_sweep
from pages.parts.federated.tabs.theory import show_solutions, show_theory
from pages.parts.show.explained import explaining
from pages.parts.values.numbers import epsilon_text
from privbo_core.federated import Progress, delta_for
from privbo_core.privacy import epsilon


def show_details(setup: Setup, shown: Shown, progress: Progress, stopped: bool) -> None:
    """Draw the explanations and the open tab. Only the open one is computed."""
    explain(setup)
    details = {
        "Clipping and noise": lambda: show_server(setup, progress),
        "Weights": lambda: show_weights(setup),
        "Map": lambda: show_map(setup),
        "Privacy against utility": lambda: show_sweep(setup, shown.runs, stopped),
        "Solve": lambda: show_solutions(setup),
        "Theory": lambda: show_theory(setup, progress),
        "A real run": show_real_run,
        "Honest notes": show_notes,
    }
    tabs = st.tabs(list(details), key="federated_tab", on_change="rerun", bind="query-params")
    for tab, draw in zip(tabs, details.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def explain(setup: Setup) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    agents, settings, N = setup.agents, setup.settings, setup.N
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    first, second = st.columns(2, gap="medium")
    with first, explaining("ε over the rounds") as say:
        now = epsilon(q, z, T, delta)
        exactly = (
            "Counted exactly, an agent adds $\\varphi_n^{(i)}\\hat\\omega_n/q$ to vector $i$ of a round, and to all of them together "
            "$\\tfrac{S}{q\\sqrt P}\\|\\varphi_n\\|_2$ at most, where the paper counts $\\varphi_{\\max}S/q$: so the noise is worth "
            f"$z_t \\in [z, z\\sqrt P]$, here {z:.3g} to {z * most_saved(setup):.3g}."
            if settings.P > 1
            else ""
        )
        say(
            f"""In each round every agent is drawn with probability q = {q:.3g}; the vectors of those drawn are clipped, added up,
and blurred by noise z = {z:.3g} times as large as one agent’s largest share. Each round costs some privacy, and an accountant
adds the costs up. Whatever the server sends is at most $e^{{\\varepsilon}}$ times as likely with an agent as without it (up to δ).

The paper’s accountant: $\\varepsilon = \\min_{{\\lambda\\le 32}}\\,(T\\,\\alpha(\\lambda)+\\log(1/\\delta))/\\lambda$ with
$\\alpha(\\lambda)=\\log\\sum_k\\binom{{\\lambda+1}}{{k}}(1-q)^{{\\lambda+1-k}}q^k e^{{(k^2-k)/2z^2}}$. With T = {T} and
$\\delta = N^{{-1.1}} = {delta:.4f}$ (N = {N}) that is ε = {epsilon_text(now)}.

Rényi accounting and privacy-loss distributions bound the *same* mechanism with the same noise. All are upper bounds, so
the smallest is the truest. {exactly} *Dai, Low, Jaillet (NeurIPS 2021), Proposition 1; Abadi et al. (CCS 2016), Theorem 2.*"""
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
  the paper’s noise: try P = 1, 2 and 4, and spend the gain on less noise.
- **What does come out:** sharing is far ahead of tuning alone in the first ten rounds where agents are alike; a larger q or a
  smaller z is better and less private. Where agents differ, as the 98 schools do, the gain is small, or a loss; where
  one setting suits most of them, as with the 237 schools, it shows.
- **The paper’s ε is larger than it need be, twice over.** Its moments accountant overstates what the same noise costs. And it counts an
  agent as if it could move each of the P vectors as far as the one that it moves most: counted as one vector, its share is up to √P
  smaller while explorers dominate. “Exactly” takes both into account. It is this project’s calibration, not the paper’s.
- **A model that is read off the agents’ values is covered by no noise.** The 98 schools’ unit, noise and length-scales were fitted to the
  schools’ values, so their card is conditional. For a table of your own, say under *File and columns* from where they are known.
- **Who is not protected:** an agent from the server, which is trusted and sees every vector. And nothing is promised about what an
  agent’s own queries show.
- **The noise here comes from a pseudo-random generator.** This page simulates. Real agents need a server of
  their own, whose noise nobody can repeat: *A real run* says how, and opens its ledger.
"""
    )
