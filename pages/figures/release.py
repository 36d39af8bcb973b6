"""The figures of the Release page. All scores are in the units that the page shows."""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pages.ui.figure import (
    CAUTION,
    MUTED,
    NON_PRIVATE,
    PRIVATE,
    RANDOM,
    TEXT,
    Figure,
    Stroke,
    faded,
)
from pages.ui.numbers import power_of_ten, signed
from pages.ui.text import to_html, verbatim
from privbo_core.data import LipschitzLoss, TuningTask
from privbo_core.errors import Array
from privbo_core.release import Publication, Search, range_term, record_term

HEIGHT = 280
INTERVAL = 0.95
"""The probability of the interval around a published score."""
TRUE = Stroke(NON_PRIVATE, "dash", 2)
DRAWN = Stroke(PRIVATE)
UNIFORM = Stroke(RANDOM, "dot", 2)
UPPER, LOWER = [0.47, 1.0], [0.0, 0.36]


@dataclass(frozen=True)
class Units:
    """How scores are shown: ``offset`` + ``factor`` × score, in ``unit``, under the ``name`` of the axis."""

    factor: float
    offset: float
    unit: str
    name: str

    def level(self, score: float | Array) -> Array:
        """Return a score as it is drawn."""
        return np.asarray(self.offset + self.factor * np.asarray(score, dtype=float))

    @property
    def measure(self) -> str:
        """The quantity that a published configuration loses."""
        return "confidence" if self.unit == "points" else "score"

    def digits(self, difference: float) -> str:
        """Return a difference of two scores as it is shown, without its unit."""
        value = self.factor * difference
        return signed(value, 2) if self.unit == "points" and abs(value) < 100 else brief(value)

    def amount(self, difference: float) -> str:
        """Return a difference of two scores in words, with its unit."""
        digits = (
            "under 0.01" if self.unit == "points" and 0 < self.factor * difference < 0.005 else self.digits(difference)
        )
        return f"{digits} {self.unit}".strip()

    def text(self, score: float) -> str:
        """Return a score in words, with its unit."""
        value = float(self.level(score))
        return f"{signed(value, 1)}%" if self.unit == "points" else f"{signed(value, 3)} {self.unit}".strip()


def even_powers(bounds: tuple[float, float]) -> list[float]:
    """Return every second power of ten between two bounds, which leaves room between them on a phone."""
    low, high = (math.log10(end) for end in bounds)
    return [10.0**power for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1) if power % 2 == 0]


def brief(value: float) -> str:
    """Return a number with at most three significant digits."""
    return power_of_ten(float(f"{value:.3g}"))


def units_of(task: TuningTask) -> Units:
    """Return how scores are shown: as confidence for classifiers, in σ_f for the prior, and otherwise as they are."""
    if task.identity == "tuning/prior":
        return Units(1.0, 0.0, "σ_{f}", "score (σ_{f})")
    if task.losses is not None:
        return Units(100.0, 100.0, "points", "confidence (%)")
    return Units(1.0, 0.0, "", "score, larger is better")


@dataclass(frozen=True, eq=False)
class Line:
    """The order in which candidates are drawn, where each one is, and the axis that they lie on.

    ``ordered`` tells whether that is the order of a parameter.
    """

    rows: NDArray[np.int64]
    x: Array
    name: str
    log: bool
    ordered: bool = True

    @property
    def places(self) -> Array:
        """The place of each candidate, in the order of the task."""
        places = np.empty(len(self.x))
        places[self.rows] = self.x
        return places


def line_of(task: TuningTask) -> Line:
    """Return candidates along their parameter, or from the best score to the worst if there are several parameters."""
    if len(task.names) == 1:
        rows = np.argsort(task.parameters[:, 0], kind="stable").astype(np.int64)
        return Line(rows, task.parameters[rows, 0], to_html(verbatim(task.names[0])), bool(task.logarithmic[0]))
    rows = np.argsort(-task.scores, kind="stable").astype(np.int64)
    return Line(rows, np.arange(1.0, task.n + 1.0), "configurations, best score first", log=False, ordered=False)


@dataclass(frozen=True, eq=False)
class Belief:
    """A search's beliefs about each candidate, in shown units, and the results of its evaluations."""

    mean: Array
    deviation: Array
    evaluated: NDArray[np.int64]
    observed: Array


def belief_of(search: Search, task: TuningTask, units: Units) -> Belief:
    """Return the posterior of a search and its evaluations."""
    deviation = units.factor * task.unit * np.sqrt(search.variance)
    return Belief(
        units.level(task.score(search.mean)), deviation, search.rows, units.level(task.score(search.observed))
    )


def candidates(
    task: TuningTask, units: Units, probabilities: Array | None, belief: Belief | None, protected: float | None
) -> Figure:
    """Draw the score of each candidate, and below it how likely each is to be published against a uniform draw.

    ``belief`` has the beliefs of the search. Without ``probabilities`` no configuration is published. ``protected`` is
    the score that noise is added to, or None if it depends on the draw.
    """
    figure, line = Figure(HEIGHT, left=60, right=112), line_of(task)
    scores = units.level(task.scores)[line.rows]
    spread = float(np.ptp(scores))
    lower = probabilities is not None
    candidate_axis(figure, line, "x", last=not lower, anchor="y")
    bounds = float(scores.min()) - 0.2 * spread, float(scores.max()) + 0.3 * spread
    figure.axis("y", to_html(units.name), bounds, domain=UPPER if lower else [0.0, 1.0], nticks=5)
    ends = [(float(scores[-1]), "true score", TRUE)]
    if belief is not None:
        ends.append(_draw_belief(figure, line, belief, bounds))
    figure.line(line.x, scores, TRUE, "true score", "true score %{y:.4g}")
    if belief is not None:
        where, hover = line.places[belief.evaluated], "evaluated: %{y:.4g}"
        figure.points(where, belief.observed, TEXT, "evaluated", hover, size=6, symbol="circle-open")
    if protected is not None:
        figure.level(protected, Stroke(PRIVATE, "dot", 1.5))
        ends.append((protected, "before noise", Stroke(PRIVATE, "dot", 1.5)))
    figure.end_labels(ends)
    if probabilities is not None:
        _draw_chances(figure, line, probabilities)
    return figure


def _draw_belief(figure: Figure, line: Line, belief: Belief, bounds: tuple[float, float]) -> tuple[float, str, Stroke]:
    """Draw the search's beliefs, as dots where candidates aren't in the order of a parameter. Return its label."""
    mean, deviation = belief.mean[line.rows], belief.deviation[line.rows]
    low, high = (np.clip(mean + way * deviation, *bounds) for way in (-2.0, 2.0))
    figure.band(line.x, low, high, faded(MUTED, 0.16))
    stroke, hover = Stroke(MUTED, "solid", 1.5), "posterior mean %{y:.4g}"
    if line.ordered:
        figure.line(line.x, mean, stroke, "posterior mean", hover)
    else:
        figure.points(line.x, mean, faded(MUTED, 0.7), "posterior mean", hover, size=3)
    return float(np.clip(mean[-1], *bounds)), "posterior mean", stroke


def _draw_chances(figure: Figure, line: Line, probabilities: Array) -> None:
    """Draw how likely each candidate is to be published, as a multiple of a uniform draw, in the lower subplot."""
    n = len(probabilities)
    low, high = 0.004, 1.6 * n
    times = np.maximum(probabilities[line.rows] * n, low / 10)
    candidate_axis(figure, line, "x2", last=True, anchor="y2")
    ticks = [tick for tick in (0.01, 1, 100, 10_000) if low <= tick <= high]
    figure.log_axis("y2", "× uniform", (low, high), ticks, domain=LOWER, anchor="x2")
    hover = "%{y:.3g} times as likely as in a uniform draw"
    figure.line(line.x[[0, -1]], [1.0, 1.0], UNIFORM, "uniform draw", axes=2)
    figure.line(line.x, times, DRAWN, "chance", hover, axes=2)
    figure.end_labels([(float(times[-1]), "this draw", DRAWN), (1.0, "uniform draw", UNIFORM)], axes=2)


def candidate_axis(figure: Figure, line: Line, axis: str, *, last: bool, anchor: str) -> None:
    """Set an axis of candidates. Only the ``last`` one has numbers and a name."""
    bounds = float(line.x[0]), float(line.x[-1])
    shown = {"anchor": anchor, "showticklabels": last}
    if line.log:
        decades = math.log10(bounds[1] / bounds[0])
        ticks = even_powers(bounds) if decades >= 2 else list(bounds)
        figure.log_axis(axis, line.name if last else "", bounds, ticks, **shown)
    else:
        figure.axis(axis, line.name if last else "", bounds, **shown)


def _terms_of_theorem_7(loss: LipschitzLoss, records: int, x: Array) -> tuple[Array, Array]:
    """Return the record term and the whole sensitivity of Theorem 7 at each λ_min."""
    slope, largest, high = loss.slope, loss.largest, loss.lambda_max
    record = [record_term(slope=slope, largest=largest, lambda_min=at, records=records) for at in x.tolist()]
    between = [range_term(slope=slope, lambda_min=at, lambda_max=high) for at in x.tolist()]
    return np.array(record), np.array(record) + np.array(between)


def sensitivity(loss: LipschitzLoss, records: int, left: float, units: Units, *, sound: bool) -> Figure:
    """Draw the sensitivity of Algorithm 3 against λ_min, whose dot can be dragged, beside the largest loss g*.

    ``left`` is the smallest λ of the task. ``sound`` tells whether the constants hold for the task.
    """
    figure, high = Figure(HEIGHT, left=64, right=112), loss.lambda_max
    x = np.geomspace(left, high, 81)
    record, total = (units.factor * each for each in _terms_of_theorem_7(loss, records, x))
    largest = units.factor * loss.largest
    low, top = 10 ** (math.floor(math.log10(record.min())) - 0.3), 3 * float(max(total.max(), largest))
    figure.log_axis("x", to_html("smallest λ that may be tried, λ_{min}"), (left, high))
    figure.log_axis("y", to_html(f"sensitivity ({units.unit})" if units.unit else "sensitivity"), (low, top),
                    even_powers((low, top)))  # fmt: skip
    covered = x[total < largest]
    if sound:
        figure.region(float(covered[0]) if len(covered) else high, high, faded(PRIVATE, 0.09))
    figure.region(left, float(covered[0]) if len(covered) and sound else high, faded(CAUTION, 0.09))
    figure.line(x, record, Stroke(PRIVATE, "dot", 2), "record term", "record term %{y:.3g}")
    figure.line(x, total, DRAWN, "sensitivity", "sensitivity %{y:.3g} at λ_min = %{x:.3g}")
    figure.line([left, high], [largest, largest], Stroke(CAUTION, "dash", 2), "largest loss g*", "g* = %{y:.3g}")
    figure.end_labels([
        (float(total[-1]), "sensitivity", DRAWN),
        (float(record[-1]), "record term", Stroke(PRIVATE, "dot", 2)),
        (float(largest), "largest loss g*", Stroke(CAUTION, "dash", 2)),
    ])  # fmt: skip
    figure.handle("lambda_min", "Smallest λ", loss.lambda_min, x.tolist(), total.tolist())
    return figure


@dataclass(frozen=True, eq=False)
class NoisyScore:
    """A published score as a mixture: Laplace noise of ``scale`` around ``centres``, which have ``weights``.

    ``best`` and ``worst`` are the scores of the best and the worst candidate. All numbers are in shown units.
    """

    centres: Array
    weights: Array
    scale: float
    half_width: float
    best: float
    worst: float

    @classmethod
    def of(cls, now: Publication, units: Units) -> "NoisyScore":
        """Return the score that a publication adds noise to."""
        (centres, weights), scores, factor = now.centres, now.task.scores, units.factor
        ends = (float(units.level(end)) for end in (scores.max(), scores.min()))
        return cls(units.level(centres), weights, factor * now.noise_scale, factor * now.half_width(INTERVAL), *ends)

    @property
    def centre(self) -> float:
        """The mean of the number that noise is added to."""
        return float(self.weights @ self.centres)

    def density(self, x: Array) -> Array:
        """Return the density of the published score at each x."""
        away = np.abs(np.subtract.outer(x, self.centres)) / self.scale
        return np.asarray(np.exp(-away) @ self.weights / (2.0 * self.scale))


def score_axis(score: NoisyScore) -> tuple[float, float]:
    """Return the ends of the axis of the published score, which change in steps of a factor of two."""
    spread = max(score.best - score.worst, 1e-12)
    wanted = 1.3 * (score.half_width + abs(score.best - score.centre)) / spread
    reach = spread * 2.0 ** math.ceil(math.log2(max(wanted, 1e-9)))
    return score.centre - 1.15 * reach, score.centre + 1.15 * reach


def published_score(score: NoisyScore, ends: tuple[float, float], units: Units) -> Figure:
    """Draw the density of the published score with its 95% interval, beside the scores that candidates can have."""
    figure = Figure(HEIGHT, left=40, right=16)
    left, right = ends
    reach = right - left
    near = np.concatenate([[0.0], np.geomspace(1e-4 * reach, reach, 100)])
    steps = np.concatenate([-near[:0:-1], near])
    x = score.centre + steps
    height = score.density(x)
    top = 1.15 * float(height.max())
    inside = np.abs(steps) <= score.half_width
    figure.axis("x", to_html(units.name), ends)
    figure.axis("y", "probability density", (0.0, top), showticklabels=False)
    if left < score.worst:
        figure.region(left, min(score.worst, right), faded(CAUTION, 0.09))
    if score.best < right:
        figure.region(max(score.best, left), right, faded(CAUTION, 0.09))
    figure.band(x[inside], np.zeros(int(inside.sum())), height[inside], faded(PRIVATE, 0.22))
    figure.line(x, height, DRAWN, "published score", "published score %{x:.4g}")
    figure.upright(score.best, TRUE)
    figure.upright(score.centre, Stroke(PRIVATE, "dot", 1.5))
    return figure


def formula(text: str) -> str:
    """Return a formula in the engine's letters in the markup of pages: β_T becomes β_{T}, and e^{…^{…}} exp(…^{…})."""
    flat = re.sub(r"e\^\{(.*\^\{[^{}]*\})\}", r"exp(\1)", text)
    return re.sub(r"_(max|min|BO|[TtVfλ])", r"_{\1}", flat)
