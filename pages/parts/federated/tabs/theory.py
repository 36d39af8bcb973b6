"""The tabs that calculate: which setting a wanted ε allows, and what the theorems say beside the accountant."""

import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.federated.setup import Setup
from pages.parts.frame.address import choose
from pages.parts.frame.later import later
from pages.parts.frame.live import wait
from pages.parts.show.show import show
from pages.parts.values.numbers import epsilon_text, scientific
from pages.parts.values.text import as_markdown
from pages.parts.values.views import Finding
from privbo_core.federated import Progress, Settings, delta_for, noise_needed
from privbo_core.privacy import Method, epsilon, noise_for, rate_for, steps_for

ACCOUNTANTS: dict[str, Method] = {"moments (the paper’s)": "moments", "Rényi": "rdp", "loss distributions": "pld"}


def show_solutions(setup: Setup) -> None:
    """Answer which z, which q or how many rounds a wanted ε allows."""
    settings, N = setup.settings, setup.N
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
            ("z, counted exactly", _answer(lambda: _exactly(setup, wanted, method))),
        ]

    key = ("solve", wanted, method, q, z, T, N, settings.P, settings.a, settings.calibration)
    answers = later().ask(key, solve)
    with right:
        place = st.empty()
        while answers is None:
            place.info("Being solved…")
            wait(0.1)
            answers = later().ask(key, solve)
        if isinstance(answers, Exception):
            place.warning(as_markdown(str(answers)))
            return
        kept = {
            "z": f"q = {q:.3g}, T = {T}",
            "z, counted exactly": f"q = {q:.3g}, T = {T}, P = {settings.P}",
            "q": f"z = {z:.3g}, T = {T}",
            "T": f"z = {z:.3g}, q = {q:.3g}",
        }
        rows = "\n".join(f"| {name} | {kept[name]} | {text} |" for name, text in answers)
        possible = sum(not text.startswith("not ") for _, text in answers[:3])
        ways = ("no way", "one way", "two ways", "three ways")[possible]
        with place.container():
            note = (
                f"δ = N^−1.1 = {delta:.4f}, N = {N}. Type the answer into the box beside the slider. Counted exactly: "
            )
            note += "this project’s calibration, by loss distributions and one agent’s share of all P vectors together."
            show(Finding(f"ε = {wanted:g} can be kept in {ways} by changing a single slider", "share", note))
            st.markdown(f"| change | keep | so that ε ≤ {wanted:g} |\n|---|---|---|\n{rows}")


def _exactly(setup: Setup, wanted: float, method: Method) -> str:
    """Return the noise that an ε needs by the exact count, beside what the chosen accountant asks for."""
    settings, N = setup.settings, setup.N
    exact = noise_needed(settings, N, wanted, "pld", "exact")
    try:
        asked = noise_needed(settings, N, wanted, method)
    except ValueError:
        return f"z = {_up(exact)} or more; the accountant chosen finds none"
    return f"z = {_up(exact)} or more, {100 * exact / asked:.0f} % of the noise above"


def show_theory(setup: Setup, progress: Progress) -> None:
    """Set Proposition 1 beside the accountant, and say which term of Theorem 1 each slider moves."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_proposition(setup.settings, setup.N)
    with right:
        _show_theorem(setup.settings, setup.N, progress)


def _show_proposition(settings: Settings, N: int) -> None:
    """Set Proposition 1 beside the accountant."""
    delta, q, z, T = delta_for(N), settings.q, settings.z, settings.iterations
    if z == 0:
        show(Finding("Proposition 1 needs noise: z is 0", "share"))
        return
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
    note = "The noise z that keeps ε, by Proposition 1’s proportions and by the moments accountant."
    show(Finding("Proposition 1 gives the direction, the accountant the number", "share", note))
    st.markdown(
        f"""| z needed if … | by proportion | by the accountant |
|---|---|---|
{rows}

Proposition 1: $(\\varepsilon,\\delta)$-private if $z \\ge c_2\\,q\\sqrt{{T\\log(1/\\delta)}}/\\varepsilon$, for $\\varepsilon < c_1q^2T$,
with constants that it does not name. To reproduce today’s ε = {epsilon_text(now)}, $c_2$ would have to be {constant:.3g}."""
    )


def _show_theorem(settings: Settings, N: int, progress: Progress) -> None:
    """Say which term of Theorem 1 each slider moves."""
    q, z, T, P = settings.q, settings.z, settings.iterations, settings.P
    found = progress.band("DP-FTS-DE", "clipped")
    clipped = math.nan if found is None else float(found.mean.mean())
    share = "being computed" if math.isnan(clipped) else f"{100 * clipped:.0f} % of the vectors"
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
| P = {P} | · | ↑ | ↑ (limit S/√P = {settings.S / math.sqrt(P):.3g}) | unchanged by the paper’s count; better, up to √P, counted exactly |
| M = {settings.features} | · | ↑ through √M, and ↓ as features get truer | ↑ (longer vectors) | unchanged |
| T = {T} | ↑ | ↑ | ↑ | worse |
| N = {N} | · | Δ sums over N, φ falls like 1/N | · | δ = N^−1.1 falls, and ε rises a little for it |
| a = {settings.a:.3g} | · | ↑ through $\\varphi_{{\\max}}$ | · | unchanged by the paper’s count; better counted exactly |
| heterogeneity | · | ↑ through Δ | · | unchanged |

The theorem asks that agents soon stop following the server, $1-p_t = O(1/t^2)$. The experiments, the paper’s and these, follow longer.
*Dai, Low, Jaillet (NeurIPS 2021), Theorem 1 and Section 4.*"""
    )


def _answer(solve: Callable[[], str]) -> str:
    try:
        return solve()
    except ValueError as problem:
        return f"not possible: {as_markdown(str(problem))}"


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
