"""An audit by trials: releases of two neighbouring datasets, a test that tells them apart, and what that shows about ε."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.system.attack import Views
from pages.parts.system.trial_figures import bars, clouds
from pages.parts.values.text import struck, toned
from pages.parts.values.views import Audience, Figure, Finding, Tile, View
from privbo_core import audit
from privbo_core.errors import Array

CONFIDENCE = 0.95
SEED = 4

EPSILON = Slider(
    "epsilon", "ε", 0.2, 8, 1, "more private", "more useful", "What the mechanism claims.", step=0.01, log=True
)
TRIALS = Slider("trials", "trials", 1000, 200_000, 100_000, "faster", "shows more", "Trials on each of the two datasets.",
                step=0.02, log=True, whole=True)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """What the attacker sees of each trial, one number, and how the page tells of it.

    ``names``: of the two datasets. ``axis``: what the number is; ``powers``: it is an exponent of ten. ``title``: the
    finding about the outputs on both datasets so far and about the test; ``note``: what is below it; ``alt``: the
    picture in words, if there are better ones than the datasets' names.
    """

    names: tuple[str, str]
    axis: str
    title: Callable[[Array, Array, audit.LowerBound], str]
    note: str
    audience: Audience
    powers: bool = False
    alt: str = ""


@dataclass(frozen=True, eq=False)
class Trial:
    """A mechanism on two neighbouring ``datasets`` and what is claimed about it, (name, ε); the first claim is judged.

    ``key``: "mechanism-attack", which names the figures' slots. ``gaussian``: the mechanism adds Gaussian noise.
    ``pace``: the size of the first portion of trials, and by how much portions grow. ``certain`` is what to say where
    the claim is beyond what so few trials can refute, but the test never errs.
    """

    key: str
    mechanism: audit.Audited
    datasets: tuple[Any, Any]
    delta: float
    claims: tuple[tuple[str, float], ...]
    seen: Seen
    gaussian: bool = False
    pace: tuple[int, float] = (1000, 2.0)
    certain: str = ""


def slots(key: str) -> tuple[str, str]:
    """Return the slots of the two figures of an attack "mechanism-attack"."""
    return f"audit-{key}-left", f"audit-{key}-right"


def verdict_tile(refuted: bool, claim: float) -> Tile:
    """Return the first tile: the claimed ε and what became of it."""
    text = f"ε = {claim:.3g}"
    if refuted:
        return Tile("The claim", toned("refuted", f"✗ {struck(text)}"), "refuted", "share")
    return Tile("The claim", text, "not refuted (which proves nothing)", "share")


def judged(trial: Trial, here: Array, there: Array) -> audit.LowerBound:
    """Return what trials that have been made show about ε."""
    bound = audit.gaussian_lower_bound if trial.gaussian else audit.epsilon_lower_bound
    rng = np.random.default_rng(SEED)
    return bound(audit.recorded(here, there), 0, 1, trial.delta, len(here), CONFIDENCE, rng)


def by_trials(trial: Trial, total: int) -> Views:
    """Run the trials a portion at a time and yield what they have shown so far."""
    first, factor = trial.pace
    sizes = audit.portions(total, min(first, total), factor)
    for here, there in audit.in_portions(trial.mechanism, trial.datasets, sizes, SEED):
        found = judged(trial, here, there)
        left, right = slots(trial.key)
        yield View(
            _tiles(trial, found),
            (_outputs(left, trial.seen, (here, there), found), _bound(right, trial, found)),
        )


def _tiles(trial: Trial, found: audit.LowerBound) -> tuple[Tile, ...]:
    claim, audience = trial.claims[0][1], trial.seen.audience
    errs = 50 * (found.observed_alarms + found.observed_misses)
    return (
        verdict_tile(found.verdict(claim) == "refuted", claim),
        Tile("This audit shows", f"ε ≥ {found.epsilon:.2f}", "at 95 % confidence", audience),
        Tile("The attacker errs", f"{errs:.1f} %" if errs else "never", "of the time; a coin errs 50 %", audience),
        Tile("Most these trials could show", f"ε ≥ {found.strongest:.2f}", "with a test that never errs", "share"),
    )


def _outputs(slot: str, seen: Seen, outputs: tuple[Array, Array], found: audit.LowerBound) -> Figure:
    """Return the figure of what the attacker sees under the two datasets."""
    finding = Finding(seen.title(*outputs, found), seen.audience, seen.note)
    picture = clouds(*outputs, seen.names, seen.axis, found.threshold, seen.powers)
    alt = seen.alt or f"Two overlapping histograms: {seen.names[0]} and {seen.names[1]}."
    return Figure(slot, finding, picture, alt)


def _bound(slot: str, trial: Trial, found: audit.LowerBound) -> Figure:
    """Return the figure of what is shown about ε beside what is claimed."""
    claim = trial.claims[0][1]
    flawless = found.observed_alarms == 0 and found.observed_misses == 0
    note = f"{found.trials:,} trials on each dataset, {found.tested:,} of them counted, 95 % confidence."
    if found.verdict(claim) == "refuted":
        title = f"ε is at least {found.epsilon:.2f}: the claim of {claim:.3g} is refuted"
    elif trial.certain and flawless:
        title = f"Never wrong, so ε is at least {found.epsilon:.2f}, and rising with every trial"
        note = f"{note} {trial.certain}"
    elif not found.could_refute(claim):
        title = f"So few trials cannot show more than {found.strongest:.2f}; the claim is {claim:.3g}"
    else:
        title = f"ε is at least {found.epsilon:.2f}: the claim of {claim:.3g} is not refuted"
    alt = f"Bars: the audit shows ε of at least {found.epsilon:.2f}; claimed is {claim:.3g}."
    picture = bars(trial.claims, found.epsilon, found.strongest)
    return Figure(slot, Finding(title, trial.seen.audience, note), picture, alt)
