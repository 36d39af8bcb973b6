"""How much privacy a search on somebody's table can afford: what is found at each of several ε."""

import math
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from pages.parts.outsourced.neighbours import noisy_promise
from pages.parts.outsourced.plain.words import Words
from pages.parts.outsourced.regret import ENOUGH, leads
from pages.parts.outsourced.shape import noisy_line
from pages.parts.values.axes import ONE_TWO_FIVE
from pages.parts.values.numbers import best
from pages.parts.values.palette import MET, NOISY, NON_PRIVATE, RANDOM, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import Brief, Figure, Finding
from privbo_core.outsourced import Comparison, Policy
from privbo_core.privacy import strength

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
ORDER = (3, 0, 7, 5, 2, 4, 1, 6)
"""From coarse to fine."""
GOOD = 1000
"""One row in so many is good enough to be called one of the very best."""


@dataclass(frozen=True)
class Afford:
    """What is found at each ε, as far as it is known; ``now``: the comparison at the ε that is set."""

    words: Words
    found: Mapping[float, Comparison]
    now: Comparison | None = None

    @property
    def good(self) -> int:
        """The rank that is good enough: one of the best in a thousand, or what the search finds without privacy."""
        found = self.now or next(iter(self.found.values()), None)
        plain = float(found.typical_rank(found.reference("noisy")).median) if found else 1.0
        return max(1, self.words.case.simulation.problem.n // GOOD, round(plain))

    @property
    def _why(self) -> str:
        """Why this rank, in a few words; the best needs no reason."""
        if self.good < 2:
            return ""
        in_a_thousand = self.good == self.words.case.simulation.problem.n // GOOD
        return ", one in a thousand" if in_a_thousand else ", as without privacy"

    def brief(self) -> Brief:
        """Return the page in five seconds."""
        brief = self.words.brief(self.now)
        return replace(brief, answer=self.answer())

    def answer(self) -> str:
        """Say from which ε on the search still finds what is good enough, and how strong that is, as far as is known."""
        told, problem = self.words.told, self.words.case.simulation.problem
        tests = f"{self.words.case.setting.iterations} {told.tests}"
        rows = f"{problem.n:,} {told.many}"
        if self.now is None or self.now.runs < ENOUGH:
            return f"{tests} among {rows}: the first searches are under way …"
        if instead := self.words.case.instead:
            return f"{instead.title}."
        if not leads(self.now, self.now.reference("noisy"), "rank"):
            return f"Even without privacy {tests} among {rows} find no more than chance does: there is nothing to gain by a search."
        if len(self.found) < len(EPSILONS):
            at = best(float(self.now.typical_rank("noisy").median))
            return f"At ε = {self.words.case.setting.epsilon:.3g} the {tests} typically find {at} of {rows}."
        if self.least is None:
            return f"With no ε up to {EPSILONS[-1]:g} do the {tests} find {best(self.good)} of {rows}{self._why}."
        setting = replace(self.words.case.setting, epsilon=self.least)
        simulation = self.words.case.simulation
        held = strength(
            noisy_promise(simulation, setting),
            noisy_line(setting, problem.frame.d),
            becomes=simulation.true_epsilon(setting),
        )
        return f"Down to ε = {self.least:g} ({held.word} protection) the {tests} still find {best(self.good)} of {rows}{self._why}."

    @property
    def least(self) -> float | None:
        """The smallest ε tried from which on a typical search finds one that is good enough."""
        enough = None
        for epsilon in sorted(self.found, reverse=True):
            if float(self.found[epsilon].typical_rank("noisy").median) > self.good:
                break
            enough = epsilon
        return enough

    def figure(self, slot: str) -> Figure:
        """Draw the typical rank of the best row found against ε, beside the search without privacy and chance."""
        problem, one = self.words.case.simulation.problem, self.words.told.one
        picture = Picture(height=330, margin={"l": 64, "r": 150, "t": 8, "b": 44})
        top = math.log10(problem.n)
        known = sorted(self.found)
        ranks = [self.found[epsilon].typical_rank("noisy") for epsilon in known]
        left, right = math.log10(EPSILONS[0]) - 0.08, math.log10(EPSILONS[-1]) + 0.08
        picture.box((10**left, 10**right, 0.5, self.good), fillcolor=MET.faded(0.1), line={"width": 0}, layer="below")
        picture.label(left, math.log10(self.good), best(self.good), MET, xshift=6, yshift=-10)
        if known:
            any_of = self.found[known[0]]
            lines: tuple[tuple[Policy, str, Colour], ...] = (
                (any_of.reference("noisy"), "without privacy", NON_PRIVATE),
                ("random", "by chance", RANDOM),
            )
            for policy, name, colour in lines:
                level = float(any_of.typical_rank(policy).median)
                picture.line(
                    [10**left, 10**right],
                    [level, level],
                    colour,
                    dash="dash" if colour is NON_PRIVATE else "dot",
                    name=name,
                )
                picture.label(
                    1, math.log10(level), name, colour, xref="paper", xshift=6, font={"color": colour, "size": 15}
                )
        picture.label(0.01, 0.04, "↓ better", TEXT, xref="paper", yref="paper", font={"color": TEXT, "size": 18})
        median, low, high = (np.array([each[k] for each in ranks], dtype=float) for k in range(3))
        picture.add(
            "scatter", x=known, y=median, mode="lines+markers", name="with privacy", line={"color": NOISY, "width": 3.5},
            marker={"size": 10}, hovertemplate="with privacy: %{y:,.0f} at ε = %{x:g}",
            error_y={"array": high - median, "arrayminus": median - low, "color": NOISY, "thickness": 1.5},
        )  # fmt: skip
        epsilon = self.words.case.setting.epsilon
        picture.upright(epsilon, TEXT, dash="dot", width=2)
        picture.label(math.log10(epsilon), 1, f"ε = {epsilon:.3g}", TEXT, yref="paper", xshift=6, yanchor="top",
                      font={"color": TEXT, "size": 15})  # fmt: skip
        picture.axis("xaxis", "ε: more may leak →", type="log", range=[left, right], tickvals=ONE_TWO_FIVE)
        powers = range(math.floor(top) + 1)
        picture.axis("yaxis", f"rank of the best {one} found (1: the best)", type="log", range=[-0.15, top],
                     tickvals=[10**k for k in powers], ticktext=[f"{10**k:,}" for k in powers])  # fmt: skip
        alt = f"The rank of the best {one} found with privacy against ε, beside the search without privacy and chance."
        note = "Medians of simulated searches with 95 % intervals."
        return Figure(slot, Finding(self.answer(), "simulation", note), picture, alt)


def afford(words: Words, known: Mapping[float, Comparison]) -> Generator[Afford, None, None]:
    """Yield more and more of it: the ε that is set first, then from coarse to fine; ``known``: to be shown meanwhile."""
    case = words.case
    found, new = dict(known), dict[float, Comparison]()
    now: Comparison | None = None
    for epsilon in (case.setting.epsilon, *(EPSILONS[k] for k in ORDER)):
        last: Comparison | None = None
        with closing(case.simulation.compare(replace(case.setting, epsilon=epsilon), case.runs, ("noisy",))) as steps:
            for last in steps:
                yield Afford(words, found, now or last)
        now = now or last
        if last is not None and epsilon in EPSILONS:
            new[epsilon] = last
            found = {**known, **new}
        yield Afford(words, found, now)
