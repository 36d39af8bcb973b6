"""What the search finds: the picture of regret, or of ranks, and what it says of the cost of privacy."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pages.parts.outsourced.searching import repeats, runs_text
from pages.parts.outsourced.sliders import Case
from pages.parts.values.axes import spread_labels
from pages.parts.values.numbers import best, cost_text
from pages.parts.values.palette import NOISY, NON_PRIVATE, PRIVATE, RANDOM, UNMET, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import SIGMA_Y, minus, sub
from pages.parts.values.views import REFUTED_STAMP, Finding
from privbo_core.bo import Band
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Comparison, Difference, Measure, Mechanism, Policy

MEASURES: dict[Measure, str] = {"simple": "Best found", "cumulative": "Summed up", "rank": "Rank of the best"}
"""What can be compared, as it is offered."""
DASHES: dict[Policy, str] = {
    "private": "solid", "noisy": "dashdot", "plain": "dash", "noiseless": "longdashdot", "random": "dot",
    "local": "dashdot", "neighbour": "dot",
}  # fmt: skip
NAMES: dict[Policy, str] = {
    "private": "private", "noisy": "noisy release", "plain": "non-private", "noiseless": "non-private, same model",
    "random": "random search", "local": "each hides its own", "neighbour": "no model",
}  # fmt: skip
COLOURS: dict[Policy, Colour] = {
    "private": PRIVATE, "noisy": NOISY, "plain": NON_PRIVATE, "noiseless": NON_PRIVATE, "random": RANDOM,
    "local": UNMET, "neighbour": RANDOM,
}  # fmt: skip
ENOUGH = 8
"""From so many runs on, something is said of what privacy costs."""
COMING = ("…", "first runs on their way")
LOST = {"simple": "Extra regret for privacy", "cumulative": "Extra regret, summed up", "rank": "Rank of the best found"}


@dataclass(frozen=True)
class Regret:
    """One comparison in one measure, for one case: its picture, its title, its headline number."""

    comparison: Comparison
    case: Case
    measure: Measure

    @property
    def _policies(self) -> tuple[Policy, ...]:
        now = self.comparison
        return ("random", *now.baselines, *now.references, *now.mechanisms)

    def curve(self, policy: Policy) -> Array:
        """Return what is drawn of a policy: means, or for ranks medians, over the tests."""
        if self.measure == "rank":
            return np.asarray(self.comparison.typical_ranks(policy).median)
        return self.comparison.band(policy, self.measure).mean

    @property
    def top(self) -> float:
        """The top of the axis: the early drop may leave the picture, the comparison at the end must not."""
        curves = [self.curve(policy) for policy in self._policies]
        if self.measure == "rank":
            return float(self.case.simulation.problem.n)
        if self.measure == "cumulative":
            return max(1.05 * max(float(curve[-1]) for curve in curves), 1e-3)
        return max(1.05 * max(float(curve[min(len(curve) - 1, 2)]) for curve in curves), 1e-3)

    def picture(self, before: Mapping[Mechanism, Array] | None = None, top: float | None = None) -> Picture:
        """Draw the curves over the tests: releases, searches without privacy, random.

        Superseded curves (``before``) stay, dimmed. ``top`` fixes the axis while a thumb is held.
        """
        picture = Picture(margin={"l": 56, "r": 110, "t": 8, "b": 44})
        x = [float(t) for t in range(1, self.comparison.random[0].iterations + 1)]
        for mechanism, old in (before or {}).items():
            picture.line(x[: len(old)], old[: len(x)], COLOURS[mechanism].faded(0.35), hoverinfo="skip")
        top, ends = top or self.top, []
        ranks = self.measure == "rank"
        for policy in self._policies:
            name, colour = self._name(policy), COLOURS[policy]
            self._draw(picture, x, policy, name, colour)
            end = float(self.curve(policy)[-1])
            ends.append((math.log10(end) if ranks else end, name, colour))
        height = math.log10(top) if ranks else top
        for y, name, colour in spread_labels(ends, height * 0.085):
            picture.label(1, min(y, height), name.replace(", ", ",\n"), colour, xref="paper", xshift=4, align="left")
        picture.axis("xaxis", "tests t after the initial ones", range=[1, max(x[-1], 2)])
        self._upright_axis(picture, height)
        return picture

    def _name(self, policy: Policy) -> str:
        return "projection" if policy == "private" and len(self.comparison.mechanisms) == 2 else NAMES[policy]

    def _draw(self, picture: Picture, x: list[float], policy: Policy, name: str, colour: Colour) -> None:
        if self.measure != "rank":
            picture.band(x, self.comparison.band(policy, self.measure), colour, DASHES[policy], name)
            return
        typical = self.comparison.typical_ranks(policy)
        low, high = np.asarray(typical.low), np.asarray(typical.high)
        picture.add(
            "scatter", x=[*x, *reversed(x)], y=np.concatenate([high, low[::-1]]), fill="toself",
            fillcolor=colour.faded(0.13), line={"width": 0}, hoverinfo="skip", mode="lines",
        )  # fmt: skip
        picture.line(x, typical.median, colour, dash=DASHES[policy], name=name,
                     hovertemplate=f"{name}: %{{y:,.0f}} after %{{x}}")  # fmt: skip

    def _upright_axis(self, picture: Picture, height: float) -> None:
        if self.measure == "rank":
            powers = range(math.floor(height) + 1)
            picture.axis("yaxis", "rank of the best row found (1: the best)", type="log", range=[-0.12, height],
                         tickvals=[10**k for k in powers], ticktext=[f"{10**k:,}" for k in powers])  # fmt: skip
            return
        kind = f"simple regret S{sub('t')}" if self.measure == "simple" else f"cumulative regret R{sub('t')}"
        picture.axis("yaxis", f"{kind} ({SIGMA_Y})", range=[-0.02 * height, height])

    @property
    def cost(self) -> tuple[str, str]:
        """What privacy costs at the last test, and how sure that is, as text."""
        now, mechanism = self.comparison, self.case.leading
        if now.runs < 2:
            return COMING
        if instead := self.case.instead:
            return instead.text.lower(), instead.because
        if self.measure == "rank":
            with_it, without = (
                float(now.typical_rank(policy).median) for policy in (mechanism, now.reference(mechanism))
            )
            return f"{with_it:,.0f}", f"instead of {without:,.0f}; median of {now.runs} {repeats(self.case.simulation)}"
        cost = now.cost(mechanism, self.measure)
        value = f"{cost_text(cost.mean, cost.standard_error)} {SIGMA_Y}"
        return value, f"95 %: {interval(cost)}; {now.runs} {repeats(self.case.simulation)}"

    @property
    def finding(self) -> Finding:
        """The title of the figure: what privacy costs now; the promise that is refuted is stamped so."""
        case, now = self.case, self.comparison
        stamp = REFUTED_STAMP if case.mechanisms == ("private",) else ""
        if now.runs < min(ENOUGH, case.runs):
            return Finding("The first runs are on their way", "simulation", stamp=stamp)
        bands = "95 % bands of the medians" if self.measure == "rank" else "bands ± 1 standard error"
        whole = f"{runs_text(case.simulation, case.runs)}, {bands}{one_sigma(case.simulation.problem)}"
        note = whole if now.runs >= case.runs else f"{now.runs} of {case.runs} {repeats(case.simulation)}"
        return Finding(self._title(), "simulation", note, stamp)

    def _title(self) -> str:
        case, now, tests = self.case, self.comparison, self.case.setting.iterations
        mechanism = case.leading
        if instead := case.instead:
            return instead.title
        if not leads(now, now.reference(mechanism), "simple" if self.measure == "rank" else self.measure):
            return f"After {tests} tests even the search without privacy is not clearly ahead of chance: nothing to gain by it here"
        if self.measure == "rank":
            with_it, without = (
                float(now.typical_rank(policy).median) for policy in (mechanism, now.reference(mechanism))
            )
            return f"After {tests} tests: {best(with_it)} of {case.simulation.problem.n:,} rows found; without privacy, {best(without)}"
        if len(now.mechanisms) == 2:
            noisy, projected = (cost_words(now.cost(each, self.measure)) for each in ("noisy", "private"))
            return f"Noise {noisy}; the projection {projected}, and its promise is refuted"
        return f"Privacy {cost_words(now.cost(mechanism, self.measure))} after {tests} tests"


def leads(comparison: Comparison, policy: Policy, measure: Measure) -> bool:
    """Return whether a search beats chance for certain, as far as these runs can tell."""
    lead = comparison.lead(policy, measure)
    return lead.clear and lead.mean > 0


def interval(cost: Difference) -> str:
    """Return the 95 % interval of a difference."""
    low, high = (cost_text(end, cost.standard_error, signed=False) for end in (cost.low, cost.high))
    return f"{low} to {high}"


def cost_words(cost: Difference) -> str:
    """Return what privacy costs, as the end of a sentence that begins with who costs it. It never saves."""
    if cost.clear and cost.mean > 0:
        return f"costs {cost_text(cost.mean, cost.standard_error, signed=False)} {SIGMA_Y} ({interval(cost)})"
    if cost.clear:
        ahead = cost_text(-cost.mean, cost.standard_error, signed=False)
        return f"shows no cost (it ends {ahead} {SIGMA_Y} lower, which the model did and not privacy)"
    return f"has no clear cost ({interval(cost)} {SIGMA_Y})"


def one_sigma(problem: Problem) -> str:
    """Return what the unit of regret means in the output's own terms, where it has some."""
    preparation = problem.preparation
    if preparation is None:
        return ""
    amount = float(preparation.output_difference(problem.sigma_y))
    if preparation.log_output:
        return f"; 1 {SIGMA_Y} is a factor of {amount:.3g}"
    return minus(f"; 1 {SIGMA_Y} is {amount:.3g} {preparation.output_unit}").rstrip()


def bands(found: Comparison, measure: Measure, mechanisms: tuple[Mechanism, ...]) -> Mapping[Mechanism, Array]:
    """Return the curves of the releases, to be shown dimmed while the next ones are computed."""
    if measure == "rank":
        return {each: np.asarray(found.typical_ranks(each).median) for each in mechanisms}
    curves: dict[Mechanism, Band] = {each: found.band(each, measure) for each in mechanisms}
    return {each: curve.mean for each, curve in curves.items()}
