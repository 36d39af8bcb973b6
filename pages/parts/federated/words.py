"""What the Federated page explains below its figures, with today's numbers.

What they show, the theorems, what to be honest about.
"""

import math

import streamlit as st

from pages.parts.federated.setup import PRIVATE, Setup
from pages.parts.federated.sweep import answered
from pages.parts.federated.view import View, most_saved
from pages.parts.views.drawing import show
from pages.parts.views.templates import explaining
from pages.parts.views.text import epsilon_text
from pages.parts.views.views import Finding
from privbo_core.federated import Progress, Settings, delta_for
from privbo_core.privacy import epsilon, noise_for


def explain(setup: Setup) -> None:
    """Say what the two figures show, with today's numbers in the formulas."""
    agents, settings, N = setup.agents, setup.settings, setup.N
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    first, second = st.columns(2, gap="medium")
    with first, explaining("ε over the rounds") as say:
        now = epsilon(q, z, T, delta)
        exactly = (
            "Counted exactly, an agent adds $\\varphi_n^{(i)}\\hat\\omega_n/q$ to vector $i$ of a round, and to all of them together "  # noqa: E501 - a formula or a row
            "$\\tfrac{S}{q\\sqrt P}\\|\\varphi_n\\|_2$ at most, where the paper counts $\\varphi_{\\max}S/q$: so the noise is worth "  # noqa: E501 - a formula or a row
            f"$z_t \\in [z, z\\sqrt P]$, here {z:.3g} to {z * most_saved(setup):.3g}."
            if settings.P > 1
            else ""
        )
        say(
            f"""In each round every agent is drawn with probability q = {q:.3g}; the vectors of those drawn are clipped,
added up,
and blurred by noise z = {z:.3g} times as large as one agent’s largest share. Each round costs some privacy, and an
accountant
adds the costs up. Whatever the server sends is at most $e^{{\\varepsilon}}$ times as likely with an agent as without it
(up to δ).

The paper’s accountant: $\\varepsilon = \\min_{{\\lambda\\le 32}}\\,(T\\,\\alpha(\\lambda)+\\log(1/\\delta))/\\lambda$
with
$\\alpha(\\lambda)=\\log\\sum_k\\binom{{\\lambda+1}}{{k}}(1-q)^{{\\lambda+1-k}}q^k e^{{(k^2-k)/2z^2}}$. With T = {T} and
$\\delta = N^{{-1.1}} = {delta:.4f}$ (N = {N}) that is ε = {epsilon_text(now)}.

Rényi accounting and privacy-loss distributions bound the *same* mechanism with the same noise. All are upper bounds, so
the smallest is the truest. {exactly} *Dai, Low, Jaillet (NeurIPS 2021), Proposition 1; Abadi et al. (CCS 2016), Theorem
2.*"""
        )
    with second, explaining("regret") as say:
        rule = "1/\\sqrt{t}" if agents.decay == 0.5 else "1/t"
        size = (
            "One $\\sigma_f$ is the standard deviation of an objective over the domain." if agents.heterogeneous else ""
        )
        fresh = "draws new agents" if agents.heterogeneous else "keeps the agents and throws new dice"
        say(
            f"""Simple regret is how far the best point that an agent has tried lies below the best there is for *that*
agent:
$f_n(x^*_n)-\\max_{{s\\le t}} f_n(x_s)$, averaged over N = {N} agents. 0 means that everybody has found the best. {size}
It starts after
the {settings.initial} points that each agent tries first.

**TS**: each agent tunes alone (Thompson sampling). **FTS**: in round t, with probability $1-p_t = {rule}$, an agent
follows the
server instead, which knows a sum of everyone’s samples. **-DE**: the domain is cut into P sub-regions, and agents start
in
one each. **DP-**: clipping, a random choice of agents, and noise protect who took part.

Each run {fresh}; all five algorithms and all settings share its dice, so a curve moves because a setting moved. The
gain in
the title is a mean of run-by-run differences. *Paper: Algorithms 1 and 2, Section 5; the schedules are those of its
synthetic
and its real experiments.*"""
        )


def explain_weights(settings: Settings) -> None:
    """Say how the weights come about."""
    with explaining("weights") as say:
        say(
            f"""For sub-region $i$ agent $n$ counts
$\\varphi_n^{{(i)}} \\propto \\exp(a\\cdot 1[n\\text{{ started in }}i]/\\mathcal T)$,
with a = {settings.a:.3g}; the weights of a sub-region add up to 1. The temperature $\\mathcal T$ is 1 for
{settings.hold} rounds;
then $1/\\mathcal T$ falls to 0 over {settings.fade} more, for later on everybody knows something about the whole
domain. Concentrated
weights have a price: one agent can contribute more, so $\\varphi_{{\\max}}$ and the noise are larger. *Dai, Low,
Jaillet (NeurIPS
2021), Section 3.2.*"""
        )


def show_theory(view: View) -> None:
    """Set Proposition 1 beside the accountant, and say which term of Theorem 1 each slider moves."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_proposition(view.setup.settings, view.setup.N)
    with right:
        _show_theorem(view.setup, view.progress)


def _show_proposition(settings: Settings, N: int) -> None:
    """Set Proposition 1 beside the accountant."""
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    if z == 0:
        show(Finding("Proposition 1 needs noise: z is 0", "share"))
        return
    now = epsilon(q, z, T, delta)
    constant = z * now / (q * math.sqrt(T * math.log(1 / delta)))
    changes = (
        ("as it is now", q, T, now, z),
        ("q doubled", min(1.0, 2 * q), T, now, z * min(2.0, 1 / q)),
        ("T four times", q, 4 * T, now, 2 * z),
        ("ε halved", q, T, now / 2, 2 * z),
    )
    rows = "\n".join(
        f"| {name} | {proportion:.2f} | {answered(lambda: f'{noise_for(loss, rate, steps, delta):.2f}')} |"  # noqa: B023
        for name, rate, steps, loss, proportion in changes
    )
    note = "The noise z that keeps ε, by Proposition 1’s proportions and by the moments accountant."
    show(Finding("Proposition 1 gives the direction, the accountant the number", "share", note))
    st.markdown(
        f"""| z needed if … | by proportion | by the accountant |
|---|---|---|
{rows}

Proposition 1: $(\\varepsilon,\\delta)$-private if $z \\ge c_2\\,q\\sqrt{{T\\log(1/\\delta)}}/\\varepsilon$, for
$\\varepsilon < c_1q^2T$,
with constants that it does not name. To reproduce today’s ε = {epsilon_text(now)}, $c_2$ would have to be
{constant:.3g}."""
    )


def _show_theorem(setup: Setup, progress: Progress) -> None:
    """Say which term of Theorem 1 each slider moves."""
    settings = setup.settings
    q, z, T, P = settings.q, settings.z, settings.iterations, settings.P
    clipped = progress.band(PRIVATE, "clipped")
    share = "being computed" if clipped is None else f"{100 * clipped.mean.mean():.0f} % of the vectors"
    bound = z * settings.S * math.sqrt(settings.features)
    note = "Theorem 1 hides its constants: it says which way each slider pushes, not how far."
    show(Finding("More privacy means a larger term ψ in the regret bound", "share", note))
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
| P = {P} | · | ↑ | ↑ (limit S/√P = {setup.limit:.3g}) | unchanged by the paper’s count; better, up to √P, counted exactly |
| M = {settings.features} | · | ↑ through √M, and ↓ as features get truer | ↑ (longer vectors) | unchanged |
| T = {T} | ↑ | ↑ | ↑ | worse |
| N = {setup.N} | · | Δ sums over N, φ falls like 1/N | · | δ = N^−1.1 falls, and ε rises a little for it |
| a = {settings.a:.3g} | · | ↑ through $\\varphi_{{\\max}}$ | · | unchanged by the paper’s count; better counted exactly |
| heterogeneity | · | ↑ through Δ | · | unchanged |

The theorem asks that agents soon stop following the server, $1-p_t = O(1/t^2)$. The experiments, the paper’s and these,
follow longer.
*Dai, Low, Jaillet (NeurIPS 2021), Theorem 1 and Section 4.*"""  # noqa: E501 - a formula or a row
    )


def show_notes() -> None:
    """Say what does not come out, and what the figures do not say."""
    st.markdown(
        """
- **A small S does no harm here.** The paper finds that S can be too small. In the algorithm as printed it cannot: once
  every
  vector is clipped, S multiplies signal and noise alike, and the point that the server’s vectors promise most is the
same for any
  smaller S. Drag S down and watch: below a certain S the private curves do not move at all. What clipping forgets is
the
  length of the vectors, and they hardly differ in length. S too large *is* harmful: more noise, nothing gained.
- **Distributed exploration helps a little, not always.** In 30 runs of the paper’s synthetic setting, FTS-DE (P = 2)
  came out
  ahead of FTS by 0.015 ± 0.022 over the first ten rounds: no clear difference. Under privacy a larger P concentrates
the weights and so raises
  the paper’s noise: try P = 1, 2 and 4, and spend the gain on less noise.
- **What does come out:** sharing is far ahead of tuning alone in the first ten rounds where agents are alike; a larger
  q or a
  smaller z is better and less private. Where agents differ, as the 98 schools do, the gain is small, or a loss; where
  one setting suits most of them, as with the 237 schools, it shows.
- **The paper’s ε is larger than it need be, twice over.** Its moments accountant overstates what the same noise costs.
  And it counts an
  agent as if it could move each of the P vectors as far as the one that it moves most: counted as one vector, its share
is up to √P
  smaller while explorers dominate. “Exactly” takes both into account. It is this project’s calibration, not the
paper’s.
- **A model that is read off the agents’ values is covered by no noise.** The 98 schools’ unit, noise and length-scales
  were fitted to the
  schools’ values, so their card is conditional. For a table of your own, say under *File and columns* from where they
are known.
- **Who is not protected:** an agent from the server, which is trusted and sees every vector. And nothing is promised
  about what an
  agent’s own queries show.
- **The noise here comes from a pseudo-random generator.** This page simulates. Real agents need a server of
  their own, whose noise nobody can repeat: *A real run* says how, and opens its ledger.
"""
    )
