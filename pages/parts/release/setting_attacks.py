"""Attacks on DP-BO's published setting, whose probabilities are known exactly."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pages.parts.export.offer import Recipe, number
from pages.parts.live.sliders import Slider
from pages.parts.release.words import SECRET
from pages.parts.system.system import Aim, Attack, Audited
from pages.parts.system.trials import EPSILON, SEED, attack_script, exact_view, verdict_tile
from pages.parts.views.content import explanation, prose
from pages.parts.views.picture import PRIVATE, UNMET, Picture
from pages.parts.views.text import scientific
from pages.parts.views.views import Audience, Finding, Tile, Views
from privbo_core import audit
from privbo_core.bo import CONFIDENCE
from privbo_core.data import tuning_task
from privbo_core.errors import Array
from privbo_core.privacy import Guarantee, Status
from privbo_core.release import Share, Tuning

SLIDERS = (
    EPSILON,
    Slider.of("release.delta", 0.001, 0.3, 0.05, step=0.01, log=True),
    Slider.of("release.k1-setting_attacks", 0, 1, 0.9, key="k1", step=0.01),
    Slider.of("release.T-setting_attacks", 5, 60, 20, key="T", whole=True),
    Slider.of("release.pairs", 10, 250, 100, whole=True),
)

RECORDS = Slider.of("release.m-setting_attacks", 2, 1000, 50, key="m", step=0.02, log=True, whole=True)
WORST_LINES = (
    "worst = max(losses, key=lambda loss: loss.epsilon)",
    'show("worst_pair", worst.epsilon)',
    'show("half_cost_less_than", np.median([loss.epsilon for loss in losses]))',
)
"""The lines of a script that print what the ``losses`` of pairs show."""
SIDES_LINES = (
    "order = np.argsort(-worst.here)",
    'show("percent_here", *(100 * worst.here[order]))',
    'show("percent_there", *(100 * worst.there[order]))',
)
"""And those that print what `probabilities` draws."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of neighbours that are compared: the attack's key, how many, what they are, who may see what they cost.

    ``drawn``: they are independent draws from the prior that the promise is about, so how many keep it can refute it.
    ``larger``: what it says that the noise is larger than they need.
    """

    key: str
    total: int
    what: str
    audience: Audience
    drawn: bool
    larger: str = "one could publish far more sharply"

    def worst(self, cases: int, largest: float, claim: float) -> str:
        return f"The worst of {cases} {self.what} costs {scientific(largest)} of the promised ε = {claim:.3g}"

    def tiles(self, costs: list[float], claim: float, *, refuted: bool) -> tuple[Tile, ...]:
        largest, audience = max(costs), self.audience
        half, so_far = scientific(float(np.median(costs))), f"{len(costs)} of {self.total} {self.what}"
        times = f"{scientific(claim / largest)} times" if largest else "infinitely"
        return (
            verdict_tile(refuted, claim),
            Tile("Worst pair so far", f"ε = {scientific(largest)}", "exact, no confidence needed", audience),
            Tile("Half of the pairs cost less than", half, so_far, audience),
            Tile("Noise larger than these pairs need", times, self.larger, audience),
        )


def _tuning(aim: Aim) -> Tuning:
    controls = aim.controls
    return Tuning(k1=controls["k1"], sigma=0.1, iterations=controls.whole("T"), delta=controls["delta"])


def from_prior(aim: Aim) -> Views:
    """Audit λ̃ on pairs drawn from the prior that the theorem assumes."""
    task, total, tuning = tuning_task("logistic"), aim.controls.whole("pairs"), _tuning(aim)
    pair = partial(audit.prior_losses, task.points, kernel=task.kernel, k1=tuning.k1, tuning=tuning)
    losses = pair(epsilon=aim.controls["epsilon"], pairs=total, rng=np.random.default_rng(SEED))
    named = ((f"pair {k + 1}", loss) for k, loss in enumerate(losses))
    return compare(aim, named, Pairs("prior", total, "pairs drawn from the prior", "simulation", drawn=True))


def from_task(aim: Aim) -> Views:
    """Audit λ̃ on a real tuning task, leaving out one validation record at a time."""
    task = tuning_task("logistic")
    records = range(min(aim.controls.whole("pairs"), task.records or 0))
    losses = audit.task_losses(task, records, _tuning(aim), aim.controls["epsilon"], np.random.default_rng(SEED))
    named = ((f"without record {record + 1}", loss) for record, loss in losses)
    return compare(aim, named, Pairs("task", len(records), "records left out", "curator", drawn=False))


def compare(aim: Aim, losses: Iterator[tuple[str, audit.ChoiceLoss]], pairs: Pairs) -> Views:
    """Collect exact losses of DP-BO's published setting for pairs of neighbours, by name, and show the worst."""
    claim, delta = aim.controls["epsilon"], aim.controls["delta"]
    costs: dict[str, float] = {}
    broken, refuted = 0, False
    for name, loss in losses:
        broken += loss.refutes(claim, delta)
        if loss.epsilon > max(costs.values(), default=-1.0):
            worst = name, loss
        costs[name] = loss.epsilon
        look = audit.Look(len(costs), pairs.total)
        kept = Share(len(costs) - broken, len(costs), 1.0 - delta, look.confidence(CONFIDENCE))
        # What one look refuted stays refuted: the limits of all looks hold together.
        refuted = refuted or (pairs.drawn and kept.verdict == "refuted")
        most = worst[1].epsilon
        title = pairs.worst(kept.cases, most, claim)
        if refuted:
            share = f"it holds in at most {100 * kept.high:.1f} %, not {100 * kept.promised:.3g} %"
            title = f"{broken} of {kept.cases} {pairs.what} break the promise: {share}"
        finding = Finding(title, pairs.audience, _note(kept, pairs))
        tiles, drawn = pairs.tiles([*costs.values()], claim, refuted=refuted), _worst(*worst, pairs.audience)
        yield exact_view(f"choice-{pairs.key}", tiles, drawn, finding, ("the worst pair", most, claim))


def _note(kept: Share, pairs: Pairs) -> str:
    """Return how many pairs keep the promise, how sure that is, and what it says."""
    cost = "A pair's cost is the largest ratio of the two probabilities, as a logarithm."
    if not pairs.drawn:
        return (
            f"{cost} The promise is made over draws from a prior; records left out of one dataset cannot refute it, "
            f"and {kept.cases - kept.held} of {kept.cases} cost more."
        )
    return (
        f"{cost} The promise held in {kept.held} of {kept.cases} pairs: {100 * kept.low:.1f} to {100 * kept.high:.1f} "
        f"% (95 % sure, the error spent over all {pairs.total} looks), where {100 * kept.promised:.3g} % is promised."
    )


def _worst(name: str, loss: audit.ChoiceLoss, audience: Audience) -> tuple[Finding, Picture, str]:
    """Return the picture of the pair that costs most, under its finding, and in words."""
    title = f"Hardly any change, even in the worst case: {name}" if loss.epsilon < 0.1 else f"The worst pair: {name}"
    note = "How likely each candidate is to be published, with and without the change. Both are known exactly."
    alt = "The publication probability of each candidate with V and with its neighbour."
    return Finding(title, audience, note), probabilities(loss.here, loss.there), alt


def probabilities(here: Array, there: Array) -> Picture:
    """Draw Pr[λ̃ = λ] of every candidate under V and under V′, candidates in order of the first."""
    picture = Picture(height=320, margin={"l": 64, "r": 16, "t": 24, "b": 44})
    order = np.argsort(-here)
    x = np.arange(1, len(order) + 1)
    name, hover = "with the neighbour V′", "V′: %{y:.4f} %"
    picture.line(x, 100 * there[order], UNMET, width=2, name=name, hovertemplate=hover)
    picture.line(x, 100 * here[order], PRIVATE, dash="dash", width=2, name="with V", hovertemplate="V: %{y:.4f} %")
    top = 100 * float(max(here.max(), there.max()))
    picture.axis("xaxis", "candidates λ, the likeliest under V first", range=[1, len(order)])
    picture.axis("yaxis", "probability of being published (%)", range=[0, 1.15 * top])
    name_sides(picture, "with its neighbour V′")
    return picture


def name_sides(picture: Picture, neighbour: str) -> None:
    """Write at the top right which line is V's and which its neighbour's."""
    corner: dict[str, Any] = {"xref": "paper", "xanchor": "right", "yref": "paper", "yanchor": "top"}
    picture.label(1, 1, "– – with V", PRIVATE, **corner)
    picture.label(1, 1, f"— {neighbour}", UNMET, yshift=-18, **corner)


def real_record(aim: Aim, source: str, delta: float) -> tuple[Guarantee, str]:
    """Return a claim of DP-BO about one validation record at the slider's ε, and the secret that it is about."""
    epsilon, paper = aim.controls["epsilon"], f"Kusner et al. (2015), {source}"
    protects, against = "a validation record", "whoever sees what is released"
    neighbours = "Two validation sets that differ in one record."
    return Guarantee(protects, against, neighbours, epsilon, delta, (), Status.CLAIMED, paper), SECRET


def _script(losses: str, aim: Aim, own: Recipe | None) -> str:
    """Return the script; ``losses``: the lines that make the losses, for an {epsilon} and so many {pairs}."""
    given = aim.controls.values
    epsilon, delta = number(given["epsilon"]), number(given["delta"])
    tuning = f"k1={number(given['k1'])}, sigma=0.1, iterations={int(given['T'])}, delta={delta}"
    lines = [
        'task = pb.data.tuning_task("logistic")',
        f"tuning = pb.release.Tuning({tuning})",
        f"rng = np.random.default_rng({SEED})",
        losses.format(epsilon=epsilon, pairs=int(given["pairs"])),
        *WORST_LINES,
        f"held = sum(not loss.refutes({epsilon}, {delta}) for loss in losses)",
        "sure = audit.Look(len(losses), len(losses)).confidence()",
        f"kept = pb.release.Share(held, len(losses), 1 - {delta}, sure)  # at the last look",
        'show("kept", kept.held, kept.low, kept.high)',
        *SIDES_LINES,
    ]
    return attack_script(aim, own, lines)


PRIOR_LOSSES = """\
options = dict(kernel=task.kernel, k1=tuning.k1, tuning=tuning, epsilon={epsilon}, pairs={pairs}, rng=rng)
losses = list(audit.prior_losses(task.points, **options))"""
TASK_LOSSES = """\
records = range(min({pairs}, task.records))
losses = [loss for _, loss in audit.task_losses(task, records, tuning, {epsilon}, rng)]"""


def _attack(key: str, name: str, about: str, run: Callable[[Aim], Views], losses: str) -> Attack:
    def explain(aim: Aim) -> tuple[str, str]:
        epsilon, delta = aim.controls["epsilon"], aim.controls["delta"]
        return explanation("audit", "the exact ratio", epsilon=epsilon, delta=delta)

    def claim(aim: Aim) -> tuple[Guarantee, str]:
        return real_record(aim, "Theorem 1", aim.controls["delta"])

    return Attack(key, name, about, SLIDERS, run, claim, explain, partial(_script, losses))


SETTING = Audited(
    "choice",
    "Release: DP-BO’s published setting",
    (
        _attack("prior", "Pairs from the prior", prose("audit", "Pairs from the prior"), from_prior, PRIOR_LOSSES),
        _attack("task", "A real tuning task", prose("audit", "A real tuning task"), from_task, TASK_LOSSES),
    ),
    data="a classifier to be tuned, and neighbours of its scores",
)
