"""An audit by trials: releases of two neighbouring datasets, a test that tells them apart, and what that shows about ε.

An attack by trials is a `Trial` for each aim: `trial_attack` runs it, and writes it as a script with the same dice
and the same histograms.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pages.parts.export.offer import ENGINE, NUMPY, Recipe, number, problem_lines, script
from pages.parts.live.sliders import Slider
from pages.parts.system.system import Aim, Attack
from pages.parts.system.trial_figures import BINS, bars, clouds
from pages.parts.views.picture import Picture
from pages.parts.views.testing import Attacked, testing_picture
from pages.parts.views.text import epsilon_text, struck, toned
from pages.parts.views.views import PROMISED, Audience, Figure, Finding, Tile, View, Views
from privbo_core import audit
from privbo_core.bo import CONFIDENCE
from privbo_core.errors import Array
from privbo_core.privacy import TradeOff, gaussian_sigma
from privbo_core.release import Share

TITLE = "Does the guarantee hold?"  # The heading of the page, and the title of each script.
SEED = 4

Pace = tuple[int, float]  # The size of the first portion of trials, and by how much portions grow.
FAST: Pace = (1000, 2.0)
SLOW: Pace = (10, 1.5)  # For trials that cost much: something is seen at once.

EPSILON = Slider.of("system.epsilon", 0.2, 8, 1, step=0.01, log=True)
TRIALS = Slider.of("system.trials", 1000, 200_000, 100_000, step=0.02, log=True, whole=True)


@dataclass(frozen=True)
class Seen:
    """What the attacker sees of each trial, one number, and how the page tells of it.

    ``names``: of the two datasets. ``axis``: what the number is; ``powers``: it is an exponent of ten. ``title``: the
    finding, which may depend on the outputs on both datasets so far and on the test that errs least; ``note``: what is
    below it; ``alt``: the picture in words, if there are better ones than the datasets' names.
    """

    names: tuple[str, str]
    axis: str
    title: str | Callable[[Array, Array, audit.LeastError], str]
    note: str
    audience: Audience
    powers: bool = False
    alt: str = ""


@dataclass(frozen=True, eq=False)
class Trial:
    """A mechanism on two neighbouring ``datasets`` and what is claimed about it, (name, ε).

    The least claim is judged: whoever keeps that one keeps them all.

    ``key``: "mechanism-attack", which names the figures' slots. ``gaussian``: the mechanism adds Gaussian noise.
    ``certain`` is what to say where the claim is beyond what so few trials can refute, but the test never errs.
    ``pair`` is what to say where the claim is made over draws from a prior: one pair of datasets cannot refute that.
    ``counted``: a curve that is known more exactly than the claim's (ε, δ) says. ``later`` returns the same trial with
    what takes a while to count; it is asked after the first look.

    ``code``: the lines of a script that make ``mechanism`` and ``datasets``; ``claim_code``: those that print what is
    claimed, and ``delta_code`` what δ is called, where a script computes them.
    """

    key: str
    mechanism: audit.Audited
    datasets: tuple[Any, Any]
    delta: float
    claims: tuple[tuple[str, float], ...]
    seen: Seen
    code: Sequence[str] = ()
    claim_code: Sequence[str] = ()
    delta_code: str = ""
    gaussian: bool = False
    pace: Pace = FAST
    certain: str = ""
    pair: str = ""
    counted: TradeOff | None = None
    later: Callable[["Trial"], "Trial"] | None = None

    @property
    def claim(self) -> float:
        """The ε that is judged."""
        return min(epsilon for _, epsilon in self.claims)

    @property
    def promise(self) -> TradeOff:
        """What is claimed, as a curve that no test may lie below."""
        if self.counted is not None:
            return self.counted
        if self.gaussian:
            return TradeOff.gaussian(1.0 / gaussian_sigma(self.claim, self.delta, 1.0))
        return TradeOff.of(self.claim, self.delta)


@dataclass(frozen=True, eq=False, kw_only=True)
class TrialView(View):
    """A view of an audit by trials, with the ``trial`` and what its looks have ``shown`` so far."""

    trial: Trial
    shown: "Shown"


@dataclass(frozen=True)
class Shown:
    """What the looks so far have shown: the ``last`` one, the one that showed ``most``, how many there will be.

    ``least``: the test that errs least, on all trials so far.
    All their bounds hold together, so what one look refuted stays refuted.
    """

    last: audit.LowerBound
    most: audit.LowerBound
    looks: int
    least: audit.LeastError

    def refuted(self, claim: float) -> bool:
        return self.most.verdict(claim) == "refuted"

    @property
    def flawless(self) -> bool:
        return self.least.error == 0 and self.last.observed_alarms == self.last.observed_misses == 0

    @property
    def how_sure(self) -> str:
        """How often the trials are judged, and how sure that leaves everything that is shown."""
        if self.looks == 1:
            return f"Judged once: {100 * CONFIDENCE:.0f} % confidence."
        left = f"{100 * (1 - CONFIDENCE):.0f} %"
        return f"Judged {self.looks} times while one looks; the error is spent over all looks, {left} in all."


def slot(key: str, side: Literal["left", "right", "testing"]) -> str:
    """Return the slot of a figure of an attack "mechanism-attack"; below the two, where there are trials, "testing"."""
    return f"audit-{key}-{side}"


def verdict_tile(refuted: bool, claim: float, pair: bool = False, fails: str = "") -> Tile:
    """Return the first tile: the claimed ε and what became of it; ``pair``: on two datasets alone.

    ``fails``: how the promise is known not to hold where this attack does not refute it.
    """
    text = f"ε = {epsilon_text(claim) if claim >= 1000 else f'{claim:.3g}'}"
    if not (refuted or fails):
        return Tile("The claim", text, "not refuted (which proves nothing)", "share")
    said = fails or ("not kept on these two datasets" if pair else "refuted")
    return Tile("The claim", toned("refuted", f"✗ {struck(text)}"), said, "refuted")


def exact_view(
    key: str,
    tiles: tuple[Tile, ...],
    left: tuple[Finding, Picture, str],
    bound: Finding,
    costs: tuple[str, float, float],
) -> View:
    """Return the view of a cost that is known without trials: what makes it on the ``left``, and ε beside the claim.

    ``costs``: what costs it, how much, and what is claimed.
    """
    what, epsilon, claim = costs
    beside = f"Bars: {what} costs {epsilon:.3g}; claimed is {claim:.3g}."
    shown = bars((("claimed", claim),), epsilon, None)
    return View(tiles, (Figure(slot(key, "left"), *left), Figure(slot(key, "right"), bound, shown, beside)))


def by_trials(trial: Trial, total: int) -> Views:
    first, factor = trial.pace
    sizes = tuple(audit.portions(total, min(first, total), factor))
    portions = audit.in_portions(trial.mechanism, trial.datasets, sizes, SEED)
    most: audit.LowerBound | None = None
    for look, (here, there) in zip(audit.Look.all(len(sizes)), portions, strict=True):
        last = audit.judged(here, there, trial.delta, look, confidence=CONFIDENCE, gaussian=trial.gaussian)
        most = last if most is None or last.epsilon > most.epsilon else most
        shown = Shown(last, most, look.of, audit.least_error(here, there, look, confidence=CONFIDENCE))
        yield _view(trial, (here, there), shown)
        if trial.later is not None:
            trial = replace(trial.later(trial), later=None)
            yield _view(trial, (here, there), shown)


def trial_attack(
    key: str,
    name: str,
    lead: str,
    sliders: tuple[Slider, ...],
    trial: Callable[[Aim], Trial],
    **about: Any,  # noqa: ANN401
) -> Attack:
    """Return the attack that runs an aim's ``trial``; ``about``: what else an `Attack` says of itself."""

    def run(aim: Aim) -> Views:
        yield from by_trials(trial(aim), aim.controls.whole("trials"))

    def code(aim: Aim, own: Recipe | None) -> str:
        return attack_script(aim, own, _trial_lines(trial(aim), aim.controls.whole("trials")))

    return Attack(key, name, lead, sliders, run=run, script=code, **about)


def attack_script(aim: Aim, own: Recipe | None, lines: Sequence[str]) -> str:
    """Return the view of an attack as a script; where it needs data, ``lines`` may use ``problem``."""
    data = problem_lines(aim.problem, own).split("\n") if aim.simulation else []
    return script(TITLE, [NUMPY, ENGINE, "from privbo_core import audit"], "\n".join([*data, *lines]))


def _trial_lines(trial: Trial, total: int) -> list[str]:
    """Return the lines of a script that run the trials, bound ε look by look, and print the figures."""
    first, factor = trial.pace
    delta, gaussian = trial.delta_code or number(trial.delta), ", gaussian=True" if trial.gaussian else ""
    claims = trial.claim_code or [f'show("{name}", {number(epsilon)})' for name, epsilon in trial.claims]
    return [
        *trial.code,
        f"sizes = tuple(audit.portions({total}, {min(first, total)}, {factor}))",
        f"portions = audit.in_portions(mechanism, datasets, sizes, {SEED})",
        "bounds = []",
        "for look, (here, there) in zip(audit.Look.all(len(sizes)), portions):",
        f"    bounds.append(audit.judged(here, there, {delta}, look{gaussian}))",
        "found, most = bounds[-1], max(bounds, key=lambda bound: bound.epsilon)",
        'show("epsilon_at_least", most.epsilon)',
        *claims,
        'show("strongest", found.strongest)',
        "least = audit.least_error(here, there, look)",
        'show("least_error_percent", 100 * least.error, 100 * least.at_most)',
        'show("threshold", found.threshold)',
        'show("false_alarms", found.observed_alarms, found.false_alarms)',
        'show("misses", found.observed_misses, found.misses)',
        "low, high = np.quantile(np.concatenate([here, there]), [0.001, 0.999])",
        f"room = max(high - low, 1e-9) * 0.04 + {0.3 if trial.seen.powers else 0.0}",
        f"edges = np.linspace(low - room, high + room, {BINS + 1})",
        'for name, values in (("here", here), ("there", there)):',
        "    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)",
        '    show(f"percent_{name}", *(100 * counts / len(values)))',
    ]


def _view(trial: Trial, outputs: tuple[Array, Array], shown: Shown) -> TrialView:
    claim, audience, found, least = trial.claim, _audience(trial, shown), shown.last, shown.least
    errs = f"{100 * least.error:.1f} %" if least.error else "none seen"
    how = (
        f"at most {math.ceil(1000 * least.at_most) / 10:.1f} % at 95 % confidence: the threshold for this is chosen on "
        f"{found.trials - least.tested:,} of the trials, counted on the other {least.tested:,}; blind: 50 %"
    )
    tiles = (
        verdict_tile(shown.refuted(claim), claim, bool(trial.pair), fails=_fails(trial, shown)),
        Tile("This audit shows", f"ε ≥ {shown.most.epsilon:.2f}", "at 95 % confidence, all looks together", audience),
        Tile("Least error of the attacker", errs, how, audience),
        Tile("Most these trials could show", f"ε ≥ {found.strongest:.2f}", "with a test that never errs", "share"),
    )
    seen = trial.seen
    title = seen.title if isinstance(seen.title, str) else seen.title(*outputs, least)
    picture = clouds(*outputs, seen.names, seen.axis, found.threshold, seen.powers)
    alt = seen.alt or f"Two overlapping histograms: {seen.names[0]} and {seen.names[1]}."
    left = Figure(slot(trial.key, "left"), Finding(title, audience, seen.note), picture, alt)
    return TrialView(tiles, (left, _bound(trial, shown), _testing(trial, shown)), trial=trial, shown=shown)


def _audience(trial: Trial, shown: Shown) -> Audience:
    """Return who sees what the attacker does: where the promise fails, it goes out under none."""
    fails = shown.refuted(trial.claim) or _fails(trial, shown)
    return "refuted" if fails and trial.seen.audience in PROMISED else trial.seen.audience


def _fails(trial: Trial, shown: Shown) -> str:
    """Return how the promise is known to fail where so few trials cannot refute it, if it is."""
    known = trial.certain and shown.flawless and not shown.refuted(trial.claim)
    return "fails: never wrong, though so few trials cannot prove it" if known else ""


def _bound(trial: Trial, shown: Shown) -> Figure:
    claim, found, epsilon = trial.claim, shown.last, shown.most.epsilon
    chosen = f"{found.trials - found.tested:,} choose the threshold, {found.tested:,} are counted"
    note = f"{found.trials:,} trials on each dataset: {chosen}. {shown.how_sure}"
    if shown.refuted(claim) and trial.pair:
        title = f"On these two datasets ε is at least {epsilon:.2f}, where {claim:.3g} is claimed"
        note = f"{note} {trial.pair}"
    elif shown.refuted(claim):
        title = f"ε is at least {epsilon:.2f}: the claim of {claim:.3g} is refuted"
    elif trial.certain and shown.flawless:
        title = f"Never wrong, so ε is at least {epsilon:.2f}, and rising with every trial"
        note = f"{note} {trial.certain}"
    elif not found.could_refute(claim):
        title = f"So few trials cannot show more than {found.strongest:.2f}; the claim is {claim:.3g}"
    else:
        title = f"ε is at least {epsilon:.2f}: the claim of {claim:.3g} is not refuted"
    alt = f"Bars: the audit shows ε of at least {epsilon:.2f}; claimed is {claim:.3g}."
    picture = bars(trial.claims, epsilon, found.strongest)
    return Figure(slot(trial.key, "right"), Finding(title, _audience(trial, shown), note), picture, alt)


def _testing(trial: Trial, shown: Shown) -> Figure:
    """Return the figure of the promise as a curve, with the attack and how surely it lies where it does.

    As all trials tell, unless only fewer have refuted the promise: all looks hold together.
    """
    promise = trial.promise
    below_most, below_last = (each.misses < float(promise([each.false_alarms])[0]) for each in (shown.most, shown.last))
    found = shown.most if below_most and not below_last else shown.last
    fails = bool(_fails(trial, shown))
    attack = Attacked("shows the largest ε", found.observed_alarms, found.observed_misses, error_box(found), fails)
    below, where = below_most or below_last, " for these two datasets" if trial.pair else ""
    title = "The attack does not get below the curve that the promise draws"
    if below:
        title = f"The attack lies below the curve, where no test can be if the promise is kept{where}"
    elif fails:
        title = "The attack is never wrong, which no kept promise allows; so few trials cannot place it below the curve"
    note = (
        "Whoever raises the alarm more easily has more false alarms and fewer misses; the curve is the best trade "
        "between the two that a kept promise leaves to anybody, so a box that lies wholly in the hatched region "
        f"refutes it. The box shows how surely {found.tested:,} trials on each dataset tell where this attack lies: "
        "the test that shows the largest ε; the diamond is the one that errs least."
    )
    if trial.counted is not None:
        note = f"{note} The curve is counted exactly, and lies higher than a claimed ε and δ alone say."
    alt = (
        f"False alarms against misses: the attack has {100 * attack.alarms:.1f} % and {100 * attack.misses:.1f} %, "
        f"{'below' if below else 'not below'} the curve of the promise."
    )
    least = None if shown.flawless else (shown.least.alarms, shown.least.misses)
    picture = testing_picture(promise, (attack,), least)
    return Figure(slot(trial.key, "testing"), Finding(title, _audience(trial, shown), note), picture, alt)


def error_box(found: audit.LowerBound) -> tuple[float, float, float, float]:
    """Return the limits of both error rates: false alarms from, to, misses from, to (Clopper and Pearson)."""
    counts = (round(rate * found.tested) for rate in (found.observed_alarms, found.observed_misses))
    alarms, misses = (Share(count, found.tested, 1.0, found.confidence).low for count in counts)
    return alarms, found.false_alarms, misses, found.misses
