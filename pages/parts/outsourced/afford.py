"""Trade-off's Simple page: how much privacy a search on somebody's table can afford, by what is found at several ε."""

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from pages.parts.live.work import Live, Steps
from pages.parts.outsourced.figures import RANKS_MARGIN, rank_axis
from pages.parts.outsourced.renderers import Plain
from pages.parts.outsourced.view import ENOUGH, View
from pages.parts.views.drawing import note
from pages.parts.views.picture import MET, NOISY, NON_PRIVATE, ONE_TWO_FIVE, RANDOM, TEXT, Picture
from pages.parts.views.text import toned
from pages.parts.views.views import Brief, Figure, Finding
from privbo_core.outsourced import Comparison

SLOT = "afford"
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
ORDER = (3, 0, 7, 5, 2, 4, 1, 6)  # From coarse to fine.
GOOD = 1000  # One row in so many is good enough to be called one of the very best.


@dataclass(frozen=True)
class Afford:
    """What is found at each ε, as far as it is known, beside the view at the ε that is set."""

    view: View
    at: Mapping[float, Comparison]

    @property
    def good(self) -> int:
        """The rank that is good enough: one of the best in a thousand, or what the search finds without privacy."""
        known = self.view.comparison or next(iter(self.at.values()), None)
        plain = float(known.typical_rank(known.reference("noisy")).median) if known else 1.0
        return max(1, self.view.case.problem.n // GOOD, round(plain))

    @property
    def brief(self) -> Brief:
        return replace(self.view.brief, answer=self.answer if self.view.settled else toned("old", self.answer))

    @property
    def answer(self) -> str:
        """What the search finds at the ε that is set, and from which on it finds what is good enough.

        Until the first searches are in, all but the number: as long, so that what lies below stays where it is.
        """
        view, found = self.view, "…"
        early = view.runs < ENOUGH and bool(self.at)
        told = replace(view, comparison=next(iter(self.at.values()))) if early else view
        if nothing := told.nothing_to_tell:
            return nothing
        if not early:
            found = view.sample.best(view.ranks("noisy")[0])
        epsilon, begins = view.case.setting.epsilon, "" if view.settled else "So far "
        now = f"{begins}{view.tests} typically find {found} of {view.rows} at ε = {epsilon:.3g}"
        if len(self.at) < len(EPSILONS):
            return f"{now}."
        where = f"with no ε up to {EPSILONS[-1]:g}" if self.least is None else f"from ε = {self.least:g} on"
        return f"{now}; {where}, {view.sample.best(self.good)}."

    @property
    def tried(self) -> Mapping[float, Comparison]:
        """What is found at each ε, the one that is set too."""
        now = self.view.comparison
        return {**self.at, **({self.view.case.setting.epsilon: now} if now else {})}

    @property
    def least(self) -> float | None:
        """The smallest ε tried from which on a search finds one that is good enough."""
        enough, tried = None, self.tried
        for epsilon in sorted(tried, reverse=True):
            if round(float(tried[epsilon].typical_rank("noisy").median)) > self.good:
                break
            enough = epsilon
        return enough

    def figure(self, slot: str) -> Figure:
        n, one = self.view.case.problem.n, self.view.sample.one
        picture = Picture(height=340, margin=RANKS_MARGIN)
        found = self.at if self.view.nothing_to_tell else self.tried  # the headline's own number is a point too
        known = sorted(found)
        left, right = math.log10(EPSILONS[0]) - 0.08, math.log10(EPSILONS[-1]) + 0.08
        picture.box((10**left, 10**right, 0.5, self.good), fillcolor=MET.faded(0.1), line={"width": 0}, layer="below")
        good = {"xanchor": "right", "yanchor": "bottom"} if self.least else {"xshift": 6, "yshift": -10}
        where = right if self.least else left  # beside the curve, not on it
        picture.label(where, math.log10(self.good), self.view.sample.best(self.good), MET, **good)
        if known:
            any_of = found[known[0]]
            plain = any_of.typical_rank(any_of.reference("noisy")), "without privacy", NON_PRIVATE, "dash"
            for rank, name, colour, dash in (plain, (any_of.typical_rank("random"), "by chance", RANDOM, "dot")):
                level = float(rank.median)
                picture.line([10**left, 10**right], [level, level], colour, dash=dash, name=name)
                raised = {"name": "above"} if dash == "dash" else {}  # on a phone, where the curve may lie on it
                picture.label(1, math.log10(level), name, colour, size=15, xref="paper", xshift=6, **raised)
        ranks = [found[epsilon].typical_rank("noisy") for epsilon in known]
        median, low, high = (np.array([each[k] for each in ranks], dtype=float) for k in range(3))
        error = {"array": high - median, "arrayminus": median - low}
        said = {"name": "with privacy", "hovertemplate": "with privacy: %{y:,.0f} at ε = %{x:g}"}
        picture.points(known, median, NOISY, 3.5, error, marker={"size": 10}, **said)
        epsilon = self.view.case.setting.epsilon
        picture.upright(epsilon, TEXT, dash="dot", width=2)
        top = {"size": 15, "yref": "paper", "xshift": 6, "yanchor": "top"}
        picture.label(math.log10(epsilon), 1, f"ε = {epsilon:.3g}", TEXT, **top)
        picture.axis("xaxis", "ε: more may leak →", type="log", range=[left, right], tickvals=ONE_TWO_FIVE)
        rank_axis(picture, one, n, -0.15)
        alt = f"The rank of the best {one} found with privacy against ε, beside the search without privacy and chance."
        luck = " Where more ε finds worse, that is luck." if np.any(np.diff(median) > 0) else ""
        medians = f"Medians of simulated searches with 95 % intervals.{luck}"
        return Figure(slot, Finding(self.answer, "simulation", medians, self.view.luck), picture, alt)


def afford(view: View, known: Mapping[float, Comparison]) -> Steps[Afford]:
    """Yield more and more of it: the ε that is set first, then from coarse to fine.

    ``known``: to be shown meanwhile.
    """
    case, at = view.case, dict(known)
    now, new = view, dict[float, Comparison]()
    for epsilon in (case.setting.epsilon, *(EPSILONS[k] for k in ORDER)):
        last: Comparison | None = None
        with closing(case.simulation.compare(replace(case.setting, epsilon=epsilon), case.runs, ("noisy",))) as steps:
            for last in steps:
                yield Afford(now if now.comparison else replace(view, comparison=last), at)
        now = now if now.comparison else replace(view, comparison=last)
        if last is not None and epsilon in EPSILONS:
            new[epsilon] = last
            at = {**known, **new}
        yield Afford(now, at)


class AffordPage:
    """Trade-off's Simple page: the same sliders, searches and runs as on the Outsourced page."""

    def __init__(self, remark: str) -> None:
        """``remark``: what is to be said besides."""
        self._remark = remark

    def begin(self) -> tuple[Steps[Afford], Live]:
        page = Plain(SLOT, (EPSILONS[0], EPSILONS[-1]))
        view, self._sheet = View(page.case), page.sheet
        # What was found at other ε is shown meanwhile if nothing else is set otherwise.
        kind = page.case.problem.title, replace(page.case.setting, epsilon=1.0)
        live = Live("afford", kind, held=page.controls.dragging)
        before = Afford(view, live.before("afford", {}))
        page.open(f"{view.sample.holder} asks: how much privacy can we afford?", view)
        if self._remark:
            with self._sheet.head:
                note(self._remark)
        figure = before.figure(SLOT)
        self._sheet.say(before.brief)
        self._sheet.place.draw(figure)
        page.close("What does privacy cost?", "rank", figure.picture)
        page.worth.settle()
        return afford(view, before.at), live

    def ready(self, now: Afford) -> bool:
        """Return that any is worth being the first."""
        return True

    def draw(self, now: Afford, live: Live) -> None:
        self._sheet.say(now.brief)
        self._sheet.place.draw(now.figure(SLOT))

    def end(self, last: Afford, live: Live) -> None:
        live.remember(afford=last.at)
        live.rest()
