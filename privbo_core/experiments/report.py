"""Compare results with the numbers that a paper prints and the claims that it makes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.experiments.model import Claim, Experiment, Number, Outcome
from privbo_core.tradeoff.curve import standard_error

REPRODUCES_WITHIN = 2.0  # Standard errors of the difference between a printed number and ours.
NEARLY_WITHIN = 3.0  # Standard errors of the same difference.
CLEAR_BEYOND = 2.0  # Standard errors beyond which a paired difference is not attributed to chance.

Grade = Literal["reproduces", "nearly", "does not reproduce"]
Standing = Grade | Literal["other data", "made-up data", "not known"]
"""The grade of a comparison, or the reason why there is none."""
Verdict = Literal["holds", "inconclusive", "fails", "no results", "not judged"]
Values = Mapping[str, Mapping[str, Array]]
"""The value of each measure in each replicate, by arm and measure."""


@dataclass(frozen=True)
class Compared:
    """A printed number beside ours.

    ``ours`` and ``error`` are the mean and its standard error over the replicates. ``distance`` is (printed − ours) in
    standard errors of that difference. These combine our standard error with ``printed_error``, the standard error of
    the printed number, which is itself a mean of few replicates. Errors and distance are None if nothing is random, or
    with fewer than two replicates.
    """

    number: Number
    ours: float | None
    error: float | None
    distance: float | None
    replicates: int
    printed_error: float | None = None

    @property
    def difference(self) -> float | None:
        """Return our number minus the printed one, or None if ours is not known."""
        return None if self.ours is None else self.ours - self.number.printed

    @property
    def difference_error(self) -> float | None:
        """Return the standard error of the difference, or None if nothing is random."""
        return None if self.error is None or self.printed_error is None else math.hypot(self.error, self.printed_error)

    @property
    def grade(self) -> Grade | None:
        """Grade the agreement by its distance, or by the printed digits if nothing is random.

        Up to two standard errors, the number reproduces. Up to three, it nearly does. None if it is not known yet.
        """
        if self.ours is None:
            return None
        if self.number.exact is not None:
            same = round(self.ours, self.number.exact) == self.number.printed
            return "reproduces" if same else "does not reproduce"
        if self.distance is None:
            return None
        if abs(self.distance) <= REPRODUCES_WITHIN:
            return "reproduces"
        return "nearly" if abs(self.distance) <= NEARLY_WITHIN else "does not reproduce"

    def standing(self, experiment: Experiment) -> Standing:
        """Return the grade if the experiment has the paper's data. A privacy loss does not depend on the data."""
        if self.ours is None:
            return "not known"
        if experiment.data != "own" and experiment.arm(self.number.arm).task != "accountant":
            return "other data" if experiment.data == "other" else "made-up data"
        return self.grade or "not known"


@dataclass(frozen=True)
class Judged:
    """A claim and its verdict, with the paired difference and standard error of its least favourable comparison.

    ``paper`` judges the paper's own printed numbers in the same way. It is None if the paper does not print one for
    each arm. The paper prints no errors, so the standard error is estimated from our paired runs if these are on the
    same kind of data. If they are not, ``error`` is None and the numbers are not judged.
    """

    claim: Claim
    verdict: Verdict
    difference: float | None = None
    error: float | None = None
    paper: "Judged | None" = None


@dataclass(frozen=True)
class Report:
    """An experiment's numbers compared, its claims judged, and the results of each arm."""

    experiment: Experiment
    compared: tuple[Compared, ...]
    judged: tuple[Judged, ...]
    values: Values
    bands: Mapping[str, Band]

    def mean(self, arm: str, measure: str) -> tuple[float, float, int] | None:
        """Return an arm's mean, its standard error (NaN below two replicates) and the number of replicates."""
        values = self.values.get(arm, {}).get(measure)
        return None if values is None else (float(values.mean()), standard_error(values), len(values))

    @property
    def counted(self) -> tuple[Compared, ...]:
        """Return the comparisons that summaries count: graded ones, at the paper's settings and on its kind of data."""
        no_grade = ("other data", "made-up data", "not known")
        known = [each for each in self.compared if each.number.counted]
        return tuple(each for each in known if each.standing(self.experiment) not in no_grade)

    @property
    def claims(self) -> tuple[Judged, ...]:
        """Return the claims that summaries count and that have results."""
        return tuple(each for each in self.judged if each.claim.counted and each.verdict != "no results")


def report(experiment: Experiment, outcomes: Iterable[Outcome]) -> Report:
    """Compare outcomes with the paper's numbers and claims. Outcomes at other settings are ignored."""
    parts_by_arm = _select(experiment, outcomes)
    values = {
        arm: {measure: np.concatenate([each.measures[measure] for each in parts]) for measure in parts[0].measures}
        for arm, parts in parts_by_arm.items()
    }
    bands = {arm: _band(parts) for arm, parts in parts_by_arm.items() if parts[0].curve}
    compared = tuple(_compare(number, experiment.per_print, values) for number in experiment.numbers)
    judged = tuple(
        replace(_judge(claim, values), paper=_judge_printed(experiment, claim, values)) for claim in experiment.claims
    )
    return Report(experiment, compared, judged, values, bands)


def _select(experiment: Experiment, outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return each arm's outcomes at the current settings, in order, from the first replicate to the first gap."""
    digests = {arm.name: arm.digest for arm in experiment.arms}
    usable = [each for each in outcomes if each.experiment == experiment.name and digests.get(each.arm) == each.digest]
    selected: dict[str, list[Outcome]] = {}
    ends: dict[str, int] = {}
    # Of the outcomes that begin at the same replicate, take the longest.
    for outcome in sorted(usable, key=lambda each: (each.first, -each.count)):
        if outcome.first == ends.get(outcome.arm, 0):
            selected.setdefault(outcome.arm, []).append(outcome)
            ends[outcome.arm] = outcome.first + outcome.count
    return selected


def _band(parts: list[Outcome]) -> Band:
    runs = sum(each.count for each in parts)
    mean = np.sum([each.curve for each in parts], axis=0) / runs
    squares = np.sum([each.squares for each in parts], axis=0) / runs
    deviation = np.sqrt(np.maximum(squares - mean**2, 0.0))
    error = deviation / math.sqrt(runs - 1) if runs > 1 else np.full(len(mean), math.nan)
    return Band(mean, error, runs)


def paired(values: Values, arm: str, minus: str, measure: str) -> Array | None:
    """Return the differences between two arms' measures by replicate, as far as both have results.

    With an empty ``minus``, return the arm's measure itself. None if an arm has no results.
    """
    if arm not in values or (minus and minus not in values):
        return None
    own = values[arm][measure]
    if not minus:
        return own
    other = values[minus][measure]
    shared = min(len(own), len(other))
    return np.asarray(own[:shared] - other[:shared])


def _compare(number: Number, per_print: int, values: Values) -> Compared:
    ours = paired(values, number.arm, number.minus, number.measure)
    if ours is None:
        return Compared(number, None, None, None, 0)
    mean = float(ours.mean())
    if number.exact is not None or len(ours) < 2:
        return Compared(number, mean, None, None, len(ours))
    error, printed_error = standard_error(ours), _standard_error_of_printed(ours, per_print)
    error_of_difference = math.hypot(error, printed_error)
    difference = number.printed - mean
    if difference == 0:
        distance = 0.0
    elif error_of_difference == 0:
        distance = math.copysign(math.inf, difference)
    else:
        distance = difference / error_of_difference
    return Compared(number, mean, error, distance, len(ours), printed_error)


def _standard_error_of_printed(ours: Array, per_print: int) -> float:
    """Estimate the standard error of a printed mean of ``per_print`` replicates from the deviation of ours."""
    return float(ours.std(ddof=1)) / math.sqrt(per_print)


def _judge(claim: Claim, values: Values) -> Judged:
    first, *others = claim.arms
    if claim.kind == "at least":
        pairs = [(arm, "") for arm in claim.arms]
    elif claim.kind == "near":
        pairs = [(first, other) for other in others]
    else:
        pairs = [(other, first) for other in others]
    return _least_favourable([judge_difference(paired(values, *pair, claim.measure), claim) for pair in pairs])


def _judge_printed(experiment: Experiment, claim: Claim, values: Values) -> Judged | None:
    """Judge a claim by the paper's own numbers, or return None unless the paper prints one for each arm."""
    if claim.kind not in ("below", "best"):
        return None
    first, *others = claim.arms
    parts = []
    for other in others:
        printed = _printed_difference(experiment, other, first, claim.measure)
        if printed is None:
            return None
        ours = None if experiment.data == "other" else paired(values, other, first, claim.measure)
        if ours is None or len(ours) < 2:
            parts.append(Judged(claim, "not judged", printed))
        else:
            error = _standard_error_of_printed(ours, experiment.per_print)
            parts.append(Judged(claim, _verdict(printed, error), printed, error))
    return _least_favourable(parts)


def _printed_difference(experiment: Experiment, arm: str, minus: str, measure: str) -> float | None:
    """Return the difference between two arms' printed numbers, or None if the paper does not print it."""
    own, other = experiment.printed(arm, measure), experiment.printed(minus, measure)
    if own is None:
        return None
    if own[1] == minus:
        return own[0]  # This number is printed as the difference already.
    return own[0] - other[0] if other is not None and own[1] == other[1] else None


def judge_difference(difference: Array | None, claim: Claim) -> Judged:
    """Judge a claim by paired differences, which decide it if their mean exceeds two standard errors."""
    if difference is None or len(difference) < 2:
        return Judged(claim, "no results")
    mean, error = float(difference.mean()), standard_error(difference)
    if claim.kind == "near":
        mean = claim.level - mean
    elif claim.kind == "at least":
        mean -= claim.level
        if mean == error == 0:
            return Judged(claim, "holds", mean, error)  # Every replicate is exactly at the level.
    return Judged(claim, _verdict(mean, error), mean, error)


def _verdict(difference: float, error: float) -> Verdict:
    if abs(difference) <= CLEAR_BEYOND * error:
        return "inconclusive"
    return "holds" if difference > 0 else "fails"


def _least_favourable(parts: list[Judged]) -> Judged:
    """Return the comparison that speaks most against the claim."""
    order: list[Verdict] = ["no results", "not judged", "fails", "inconclusive", "holds"]
    return min(parts, key=lambda part: (order.index(part.verdict), part.difference or 0.0))
