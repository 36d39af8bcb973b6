"""What the outcomes say: each printed number beside ours, each claim judged; and in lines of text."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from privbo_core.bo import Band
from privbo_core.errors import Array
from privbo_core.experiments.model import Claim, Experiment, Number, Outcome
from privbo_core.tradeoff.curve import standard_error

AGREES = 2.0  # Standard errors up to which a number agrees and a difference may be chance.

Verdict = Literal["holds", "not clear", "fails", "no results"]
Standing = Literal["agrees", "apart", "other data", "made-up data", "not known"]
"""What a comparison says: whether two numbers agree is asked only where they are about the same data."""


@dataclass(frozen=True)
class Compared:
    """A printed number beside ours.

    ``ours`` ± ``error``: mean and standard error over the replicates. ``distance``: (printed − ours) in standard
    errors of that difference, which has two parts: ours, and the scatter of a number that is, like the printed one, a
    mean of few replicates. None where nothing is random or fewer than two replicates are in.
    """

    number: Number
    ours: float | None
    error: float | None
    distance: float | None
    replicates: int

    @property
    def agrees(self) -> bool | None:
        """Whether it agrees: to the printed digit if exact, else within two standard errors. None: not known yet."""
        if self.ours is None:
            return None
        if self.number.exact is not None:
            return round(self.ours, self.number.exact) == self.number.printed
        return None if self.distance is None else abs(self.distance) <= AGREES

    def standing(self, experiment: Experiment) -> Standing:
        """Return what the comparison says in its experiment. A privacy loss is the same on all data."""
        if self.ours is None:
            return "not known"
        if experiment.data != "own" and experiment.arm(self.number.arm).task != "accountant":
            return "other data" if experiment.data == "other" else "made-up data"
        return "not known" if self.agrees is None else "agrees" if self.agrees else "apart"


@dataclass(frozen=True)
class Judged:
    """A claim and what came out. ``difference`` ± ``error``: the worst of its comparisons, in the measure's unit.

    ``paper``: the same of the paper's own printed numbers; None where it prints none for the arms. They come without
    errors, so their scatter is taken from our paired runs where those are on the same kind of data: ``error`` is None,
    and nothing is clear, where they are not.
    """

    claim: Claim
    verdict: Verdict
    difference: float | None = None
    error: float | None = None
    paper: "Judged | None" = None


@dataclass(frozen=True)
class Report:
    """All that the outcomes say about an experiment."""

    experiment: Experiment
    compared: tuple[Compared, ...]
    judged: tuple[Judged, ...]
    values: Mapping[str, Mapping[str, Array]]
    bands: Mapping[str, Band]

    def mean(self, arm: str, measure: str) -> tuple[float, float, int] | None:
        """Return an arm's mean, its standard error (NaN below two replicates) and the number of replicates."""
        values = self.values.get(arm, {}).get(measure)
        return None if values is None else (float(values.mean()), standard_error(values), len(values))

    @property
    def counted(self) -> tuple[Compared, ...]:
        """The comparisons that the summary counts: on data of the paper's kind, and with a result that is known."""
        known = [each for each in self.compared if each.number.counted]
        return tuple(each for each in known if each.standing(self.experiment) in ("agrees", "apart"))

    @property
    def claims(self) -> tuple[Judged, ...]:
        """The claims that the summary counts and that have results."""
        return tuple(each for each in self.judged if each.claim.counted and each.verdict != "no results")


def report(experiment: Experiment, outcomes: Iterable[Outcome]) -> Report:
    """Compare the outcomes with what the paper prints and says. Outcomes of other settings are left out."""
    mine = _usable(experiment, outcomes)
    values = {
        arm: {m: np.concatenate([each.measures[m] for each in parts]) for m in parts[0].measures}
        for arm, parts in mine.items()
    }
    bands = {arm: _band(parts) for arm, parts in mine.items() if parts[0].curve}
    return Report(
        experiment,
        tuple(_compare(number, experiment.per_print, values) for number in experiment.numbers),
        tuple(replace(_judge(claim, values), paper=_printed(experiment, claim, values)) for claim in experiment.claims),
        values,
        bands,
    )


def _usable(experiment: Experiment, outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return each arm's outcomes in replicates' order, without gaps or overlaps from the first on."""
    digests = {arm.name: arm.digest for arm in experiment.arms}
    found: dict[str, list[Outcome]] = {}
    mine = [each for each in outcomes if each.experiment == experiment.name and digests.get(each.arm) == each.digest]
    # Of several that begin at the same replicate, the longest.
    ends: dict[str, int] = {}
    for each in sorted(mine, key=lambda each: (each.first, -each.count)):
        parts = found.setdefault(each.arm, [])
        if each.first == ends.get(each.arm, 0):
            parts.append(each)
            ends[each.arm] = each.first + each.count
    return {arm: parts for arm, parts in found.items() if parts}


def _band(parts: list[Outcome]) -> Band:
    runs = sum(each.count for each in parts)
    mean = np.sum([each.curve for each in parts], axis=0) / runs
    squares = np.sum([each.squares for each in parts], axis=0) / runs
    spread = np.sqrt(np.maximum(squares - mean**2, 0.0))
    error = spread / math.sqrt(runs - 1) if runs > 1 else np.full(len(mean), math.nan)
    return Band(mean, error, runs)


def paired(values: Mapping[str, Mapping[str, Array]], arm: str, minus: str, measure: str) -> Array | None:
    """Return an arm's measure less another's, replicate by replicate, as far as both have got."""
    if arm not in values or (minus and minus not in values):
        return None
    own = values[arm][measure]
    if not minus:
        return own
    other = values[minus][measure]
    shared = min(len(own), len(other))
    return np.asarray(own[:shared] - other[:shared])


def _compare(number: Number, per_print: int, values: Mapping[str, Mapping[str, Array]]) -> Compared:
    ours = paired(values, number.arm, number.minus, number.measure)
    if ours is None:
        return Compared(number, None, None, None, 0)
    mean = float(ours.mean())
    if number.exact is not None or len(ours) < 2:
        return Compared(number, mean, None, None, len(ours))
    error = standard_error(ours)
    scale = math.hypot(error, float(ours.std(ddof=1)) / math.sqrt(per_print))
    distance = (number.printed - mean) / scale if scale else math.copysign(math.inf, number.printed - mean)
    return Compared(number, mean, error, distance if number.printed != mean else 0.0, len(ours))


def _judge(claim: Claim, values: Mapping[str, Mapping[str, Array]]) -> Judged:
    first, *others = claim.arms
    pairs = [(first, other) if claim.kind == "near" else (other, first) for other in others]
    if claim.kind == "at least":
        pairs = [(arm, "") for arm in claim.arms]
    return _worst([judge_difference(paired(values, *pair, claim.measure), claim) for pair in pairs])


def _printed(experiment: Experiment, claim: Claim, values: Mapping[str, Mapping[str, Array]]) -> Judged | None:
    """Judge a claim by the paper's own numbers; None unless it prints them for every arm."""
    if claim.kind not in ("below", "best"):
        return None
    first, *others = claim.arms
    parts = []
    for other in others:
        printed = _printed_difference(experiment, other, first, claim.measure)
        if printed is None:
            return None
        ours = paired(values, other, first, claim.measure) if experiment.data != "other" else None
        if ours is None or len(ours) < 2:
            parts.append(Judged(claim, "not clear", printed))
            continue
        # A printed number is a mean of so many runs, and scatters as a mean of as many of ours does.
        error = float(ours.std(ddof=1)) / math.sqrt(experiment.per_print)
        parts.append(Judged(claim, _clear(printed, error), printed, error))
    return _worst(parts)


def _printed_difference(experiment: Experiment, arm: str, minus: str, measure: str) -> float | None:
    """Return the paper's number for an arm less that for another, if its numbers say."""
    own, other = experiment.printed(arm, measure), experiment.printed(minus, measure)
    if own and own[1] == minus:
        return own[0]  # printed as a difference already
    return own[0] - other[0] if own and other and own[1] == other[1] else None


def judge_difference(difference: Array | None, claim: Claim) -> Judged:
    """Judge whether a paired difference is as the claim says, by more than chance: two standard errors."""
    if difference is None or len(difference) < 2:
        return Judged(claim, "no results")
    mean, error = float(difference.mean()), standard_error(difference)
    if claim.kind == "near":
        mean = claim.level - mean
    if claim.kind == "at least":
        mean -= claim.level
        if mean == error == 0:
            return Judged(claim, "holds", mean, error)  # at the level itself, every time
    return Judged(claim, _clear(mean, error), mean, error)


def _clear(difference: float, error: float) -> Verdict:
    if abs(difference) <= AGREES * error:
        return "not clear"
    return "holds" if difference > 0 else "fails"


def _worst(parts: list[Judged]) -> Judged:
    """Return the part that speaks most against the claim."""
    order: list[Verdict] = ["no results", "fails", "not clear", "holds"]
    return min(parts, key=lambda part: (order.index(part.verdict), part.difference or 0.0))


MARKS = {"holds": "✓ holds", "not clear": "? not clear", "fails": "✗ fails", "no results": "… not run"}


def lines(report: Report) -> list[str]:
    """Return what came out: numbers side by side, then claims."""
    experiment = report.experiment
    found = [experiment.title, f"  {experiment.stands_in}"]
    if experiment.chosen:
        found.append(f"  {experiment.chosen}")
    group = None
    for each in report.compared:
        if each.number.group != group:
            group = each.number.group
            found.append(f"  {group}:")
        found.append(f"    {each.number.label:<36} {_numbers(each, experiment)}")
    if not report.compared:
        means = [(arm.name, report.mean(arm.name, experiment.measure)) for arm in experiment.arms]
        found += [f"    {name:<36} {_plus_minus(*known[:2])}" for name, known in means if known]
    if report.judged:
        found += ["  what the paper says:", *map(_verdict, report.judged)]
    return found


def _numbers(each: Compared, experiment: Experiment) -> str:
    printed = f"paper {each.number.printed:<6g}"
    if each.ours is None:
        return f"{printed} ours not run"
    standing = each.standing(experiment)
    if standing in ("other data", "made-up data"):
        return f"{printed} ours {_plus_minus(each.ours, math.nan if each.error is None else each.error)}   ({standing})"
    if each.number.exact is not None:
        return f"{printed} ours {each.ours:.{each.number.exact}f}   {'✓ the same' if each.agrees else '✗ differs'}"
    if each.distance is None or each.error is None:
        return f"{printed} ours {each.ours:.4g} (one replicate)"
    mark = "✓" if each.agrees else "✗"
    unit = "spreads over functions" if experiment.per_print == 1 else "standard errors"
    return f"{printed} ours {_plus_minus(each.ours, each.error)}   {mark} {abs(each.distance):.1f} {unit} apart"


def _plus_minus(mean: float, error: float) -> str:
    return f"{mean:.4f}" if math.isnan(error) else f"{mean:.4f} ± {error:.4f}"


def _verdict(each: Judged) -> str:
    said = f"    {MARKS[each.verdict]:<12} {each.claim.text}"
    if each.difference is not None and each.error is not None:
        said += f"  ({each.difference:+.4f} ± {each.error:.4f})"
    if each.paper is not None and each.paper.difference is not None:
        error = "no error" if each.paper.error is None else f"± {each.paper.error:.4f}"
        said += f"  [paper: {each.paper.verdict}, {each.paper.difference:+.4f}, {error}]"
    return said
