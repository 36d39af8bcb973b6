"""What the Federated page says in numbers and sentences: headline, titles of the figures, cautions."""

import math
from dataclasses import dataclass

from pages.parts.federated.agents import Agents
from pages.parts.frame.later import later
from pages.parts.show.look import finding, scientific, tiles
from privbo_core.federated import Progress, Settings, losses

EARLY = 10
"""The regret saved is averaged over this many rounds, the first: that is where sharing helps."""


@dataclass(frozen=True)
class Exact:
    """ε over the rounds by the two tighter accountants."""

    rdp: list[float]
    pld: list[float]


def exact(settings: Settings, agents: int, begin: bool) -> Exact | None:
    """Return ε by the tighter accountants if it has been computed; otherwise ``begin`` with it in the background."""
    key = ("curves", settings.q, settings.z, settings.iterations, agents)

    def compute() -> Exact:
        return Exact(losses(settings, agents, "rdp"), losses(settings, agents, "pld"))

    found = later().ask(key, compute) if begin else later().known(key)
    return found if isinstance(found, Exact) else None


def epsilon_text(value: float) -> str:
    """Return ε to three significant digits."""
    if math.isinf(value):
        return "∞"
    if value >= 1000:
        return scientific(value) if value >= 1e6 else f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def amount(value: float, error: float, signed: bool = False) -> str:
    """Return a regret to two decimals, or to the first digit of its standard error if that is finer."""
    digits = 2
    if math.isfinite(error) and error > 0:
        digits = min(5, max(2, -math.floor(math.log10(error))))
    return f"{value:{'+' if signed else ''}.{digits}f}".replace("-", "−")


def more_cautions(settings: Settings, N: int, asked_P: int, agents: Agents) -> list[str]:
    """Return sentences about settings of this page that do less than they seem to."""
    found = []
    if asked_P > settings.P:
        found.append(
            f"P is {settings.P} instead of {asked_P}: there must be an agent for each sub-region, and N is {N}."
        )
    empty = (1 - settings.q) ** N
    if empty > 0.02:
        found.append(
            f"In {100 * empty:.0f} % of the rounds nobody is drawn, and what the server sends holds nothing of anybody."
        )
    if settings.initial < 10:
        found.append(
            f"The grid has {len(agents.first.points)} points, so each agent starts from {settings.initial}, not 10."
        )
    return found


def headline(
    settings: Settings, moments: float, exact: Exact | None, progress: Progress, scale: float, unit: str
) -> str:
    """Return the four headline numbers."""
    tighter = f"{epsilon_text(exact.pld[-1])} by loss distributions" if exact else "by the moments accountant"
    if math.isinf(moments):
        tighter = "no noise, no guarantee"
    private, early = progress.band("DP-FTS-DE", "clipped"), min(EARLY, settings.iterations)
    clipped = ratio = saved = "…"
    sure = f"± …… against tuning alone, rounds 1–{early}"  # as long as it will be, so that nothing moves
    if private is not None:
        signal, noise = (progress.band("DP-FTS-DE", measure) for measure in ("signal", "noise"))
        assert signal is not None
        assert noise is not None
        clipped = f"{100 * private.mean.mean():.0f} %"
        ratio = f"{noise.mean.mean() / max(signal.mean.mean(), 1e-12):.2f} to 1"
    if progress.runs > 1:
        gain = progress.saved("DP-FTS-DE", "TS", early)
        error = float(gain.standard_error[0]) * scale
        saved = amount(float(gain.mean[0]) * scale, error, signed=True) + f" {unit}"
        sure = f"± {amount(error, error)} against tuning alone, rounds 1–{early}"
    return tiles(
        [
            (f"Privacy loss ε after {settings.iterations} rounds", epsilon_text(moments), tighter, "share"),
            ("Vectors clipped", clipped, f"longer than S/√P = {settings.S / math.sqrt(settings.P):.3g}", "curator"),
            ("Noise against signal", ratio, "lengths, mean over rounds", "curator"),
            ("Regret saved by sharing", saved, sure, "simulation"),
        ]
    )


def privacy_finding(settings: Settings, moments: float, exact: Exact | None) -> str:
    """Return the title of the privacy figure: what it shows now."""
    if math.isinf(moments):
        return finding("Without noise there is no guarantee: ε = ∞", "share", "Move z above 0.")
    title = f"{settings.iterations} rounds cost ε = {epsilon_text(moments)} by the paper’s accountant"
    if exact is None:
        return finding(title, "share", "Two tighter accountants are on their way.")
    small = f"The same noise, counted more tightly: {epsilon_text(exact.pld[-1])}. It costs nothing to count better."
    return finding(title, "share", small)


def regret_finding(progress: Progress, runs: int, early: int, stopped: bool, scale: float, unit: str) -> str:
    """Return the title of the regret figure: what sharing under privacy brings now."""
    done = f"{progress.runs} of {runs} runs" if progress.runs < runs else f"{runs} runs, bands ± 1 standard error"
    note = f"{done}{'; stopped' if stopped and progress.runs < runs else ''}. Averaged over the agents."
    if progress.runs < 2:
        t = max((record.iterations for record in progress.under_way.values()), default=0)
        title = (
            "Stopped before there was anything to compare" if stopped else f"The first rounds are coming in: t = {t}"
        )
        return finding(title, "simulation", note)
    gain = progress.saved("DP-FTS-DE", "TS", early)
    mean, error = float(gain.mean[0]) * scale, float(gain.standard_error[0]) * scale
    size = f"{amount(abs(mean), error)} ± {amount(error, error)} {unit}"
    if abs(mean) < 2 * error:
        title = f"No clear gain over tuning alone ({amount(mean, error, signed=True)} ± {amount(error, error)} {unit})"
    else:
        title = f"Private sharing {'saves' if mean > 0 else 'costs'} {size} against tuning alone"
    return finding(title, "simulation", f"{note} Title: rounds 1–{early}.")
