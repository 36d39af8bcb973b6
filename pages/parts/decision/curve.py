"""Any system that Trade-off can be asked about: its question, weighed at a handful of ε, said and signed."""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.decision import words
from pages.parts.decision.case import Case, Drawn, Panel, Rule, Sheet, Signature, Weighed, Weighings
from pages.parts.decision.question import Signed, Who, ask_candidates
from pages.parts.shell.depth import simple
from pages.parts.shell.session import OWN
from pages.parts.shell.undocumented import give_way
from pages.parts.system.question import Decided, Inquiry, Unit
from pages.parts.system.system import System
from pages.parts.views.text import as_markdown, scientific
from privbo_core.decision import MOST_LOST, Resolution, Weighing, recommend, weigh_question
from privbo_core.decision import Weighed as Known
from privbo_core.decision.resolution import looked as chosen_after
from privbo_core.deployment.record import sentence
from privbo_core.outsourced import Difference
from privbo_core.privacy import Guarantee, Strength, strength

SEEN = (
    "ε was chosen after looking at what it costs on these data, which it does not count: had one record been another, "
    "another ε might have been chosen, so the choice itself may tell of it."
)
FIXED = ("what is fixed", "")


@dataclass(frozen=True, eq=False)
class CurveBasis:
    inquiry: Inquiry
    candidates: tuple[float, ...]
    system: str

    @property
    def decided(self) -> Decided:
        return self.inquiry.decided or Decided(
            f"{self.system}: {self.inquiry.data}.", costs_of=self.inquiry.units[-1].text
        )

    @property
    def _unit(self) -> Unit:
        """The unit of costs: the last that the system writes them in, unless these would be factors."""
        return next(unit for unit in reversed(self.inquiry.units) if not unit.factor)

    @cached_property
    def weighed(self) -> Weighed:
        protects = cache(self.protects)
        alone = f"half of what is gained without privacy {self.decided.alone}"
        return Weighed(
            self.candidates,
            self._unit.text,
            self.decided.guess or "which of two neighbours it was",
            "a tenth of what a score can range over" if self.decided.bound else alone,
            "protect less",
            self.decided.of,
            protects,
            protects,  # nothing of it is computed from data
            but_for=", but for δ" if self.promise(self.candidates[0]).delta else "",
        )

    def promise(self, epsilon: float, *, looked: bool = False) -> Guarantee:
        """``looked``: ε was chosen after looking at what it costs."""
        assert self.inquiry.promise is not None
        promised = self.inquiry.promise(epsilon)
        return chosen_after(promised, SEEN) if looked else promised

    def protects(self, epsilon: float) -> Strength:
        line = self.decided.line
        return strength(self.promise(epsilon), line(epsilon) if line else None)

    def weigh(self) -> Weighings:
        question, write = self.inquiry.question, self._unit.write
        return weigh_question(question, question.curves[0], self.candidates, self.inquiry.runs, give_way, write=write)

    def weigh_in_public(self) -> Weighings:
        """Yield what the candidates cost at most, whatever the data."""
        bound = self.decided.bound
        assert bound is not None
        known = tuple(Known(each, np.full(2, bound(each))) for each in self.candidates)
        yield Weighing(self.candidates, 2, known)

    def in_public(self, public: Weighing, least: int, said: float | None) -> Rule:
        decided = self.decided
        rule = Rule(self.weighed, public, "", proposed=said is None, public=True, alone=decided.alone, limit=said)
        if decided.public:
            gain = public.gain.mean if public.gain else 0.0
            most = float(f"{MOST_LOST / 100 * max(gain, 0.0):.1e}")
            gone = "" if most or not public.complete else f"even without privacy, nothing is gained {decided.alone}"
            rule = replace(rule, where=words.SIMULATED, gone=gone)
        else:
            most = said or decided.limit or 0.0
            rule = replace(rule, where=f"on average, {words.ANY_DATA}", mark=words.ANY_DATA)
        found = recommend(public.known, most, self.weighed.protects, least) if public.complete and most else None
        return replace(rule, recommendation=found)


def ask(system: System) -> tuple[Case, Panel] | None:
    """Show what a system asks; return the case and the panel of its sliders, None while there is nothing to decide."""
    inquiry = system.decision() if system.decision else system.question("simple") if system.question else None
    if inquiry is None or inquiry.promise is None:
        return None
    curve = inquiry.question.curves[0]
    candidates = ask_candidates(max(curve.low, inquiry.low), min(curve.high, inquiry.high))
    if not candidates:
        return None
    basis = CurveBasis(inquiry, candidates, system.name)
    decided, panel = basis.decided, Panel(inquiry.key, () if simple() else tuple(inquiry.panel), inquiry.controls)
    case = Case(
        name=basis.system,
        of=(*inquiry.of, basis.candidates),
        subject=inquiry.data,
        own=inquiry.own,
        weighed=basis.weighed,
        promise=basis.promise,
        weigh=basis.weigh,
        weigh_in_public=basis.weigh_in_public if decided.bound else None,
        in_public=basis.in_public,
        mark=words.ANY_DATA if decided.bound else "",
        worth=inquiry.worth,
        sentences=partial(sentences, basis),
        inside=partial(inside, basis),
        for_all=partial(for_all, basis),
        confirm=partial(_confirm_whose, basis) if inquiry.own else lambda: (False, ""),
        decide=partial(decide, basis),
        open=decided.public,
        alone=decided.alone,
        where=words.SIMULATED if decided.public else words.ON_DATA,
    )
    return case, panel


def _confirm_whose(basis: CurveBasis) -> tuple[bool, str]:
    """In an own table it was proposed which column and rows say who is protected."""
    whose = sentence(basis.decided.unit or basis.promise(basis.candidates[0]).protects)
    right = st.checkbox(
        f"Right: {as_markdown(whose)}",
        key=f"{OWN}chosen/decision/whose/{whose}",
        persist_state="session",
        help="Who is protected follows from the columns that were chosen, and from how the scores came about. If it "
        "is somebody else who must be, choose other columns with the file.",
    )
    return right, "" if right else "Say that it is right who is protected; then sign."


def sentences(basis: CurveBasis, drawn: Drawn) -> tuple[str, ...]:
    decided = basis.decided
    known = drawn.weighing.of(drawn.epsilon) if drawn.epsilon and drawn.weighing.complete else None
    beside = ""
    if known and known.gain and decided.alone:
        gain = known.gain
        what = "gains" if gain.low > 0 else "even loses" if gain.high < 0 else "shows no clear gain:"
        size = Difference.of(list(known.over.values())[-1]) if gain.high < 0 else gain
        beside = f" It {what} {words.interval(size)} {decided.alone}."
    costs = words.costs(drawn, decided.costs_of, decided.exactly)
    return decided.story, words.means(basis.weighed, drawn), f"{costs}{beside}"


def inside(basis: CurveBasis, drawn: Drawn, signature: Signature) -> Sheet:
    decided, epsilon = basis.decided, drawn.epsilon
    kept = basis.promise(epsilon or basis.candidates[0], looked=epsilon is not None and drawn.looked)
    rows = []
    for each in basis.candidates:
        known = drawn.weighing.of(each)
        cost = words.interval(known.cost, drawn.most) + words.so_far(known, drawn.weighing) if known else words.COMING
        gain = words.interval(known.gain) if known and known.gain else words.COMING
        found = words.cells(basis.weighed, each, basis.weighed.protects(each))
        rows.append((*found, cost, *([gain] if decided.alone else [])))
    counted = f"In brackets 95 % intervals, over {drawn.weighing.runs} pairs of simulated runs."
    if all(each.cost.standard_error == 0 for each in drawn.weighing.known):
        counted = "Computed exactly, as a mean over what may be drawn."
    alone = (f"gains {decided.alone}",) if decided.alone else ()
    return Sheet(
        audience="inside",
        mark="Simulated without anybody’s secret." if decided.public else "Computed on the data: for your eyes.",
        subject=signature.subject or basis.inquiry.data,
        frame=_fixed(basis, epsilon),
        head=(*words.MEANS, f"costs, on average, {basis.weighed.unit}", *alone),
        costs=tuple(rows),
        chosen=basis.candidates.index(epsilon) if epsilon in basis.candidates else None,
        notes=(
            f"“Costs”: {basis.inquiry.cost_is}, {decided.costs_of}. {counted}",
            words.meanings(basis.weighed, kept.delta),
        ),
        verdict=words.verdict(drawn),
        reasons=words.reasons(drawn),
        decided=_decided(basis, epsilon, drawn.recommended),
        **_common(basis, kept, signature),
    )


def for_all(basis: CurveBasis, signed: Signed, signature: Signature) -> Sheet:
    assert isinstance(signed, Resolution)
    kept, found = signed.guarantee, basis.weighed.protects(signed.guarantee.epsilon)
    seen = ", but ε was chosen after looking at them" if signed.epsilon_from == "data" else ""
    sample = "" if basis.inquiry.own else "A sample, as if yours. "
    return Sheet(
        audience="share",
        mark=f"{sample}For everybody: nothing on this page was computed from the data{seen}.",
        subject=signed.subject or ("" if basis.inquiry.own else basis.inquiry.data),
        frame=signed.terms,
        head=words.MEANS,
        costs=(words.cells(basis.weighed, kept.epsilon, found),),
        notes=(words.meaning(found, basis.weighed.guess, kept.delta),),
        decided=_decided(basis, kept.epsilon, kept.epsilon),
        **_common(basis, kept, signature),
    )


def decide(basis: CurveBasis, epsilon: float, who: Who, looked: bool) -> Resolution:
    decided, seen = basis.decided, looked and not basis.decided.public
    kept = basis.promise(epsilon, looked=seen)
    return Resolution(
        system=basis.system,
        goes_out=sentence(_goes_out(basis)),
        unit=decided.unit or sentence(kept.protects),
        guarantee=kept,
        actors=decided.actors,
        unprotected=decided.unprotected,
        terms=_fixed(basis, epsilon),
        product=decided.product,
        model=decided.model,
        people=who.people,
        day=who.day,
        subject=who.subject,
        notes=who.notes,
        epsilon_from="data" if seen else "public",
    )


def _fixed(basis: CurveBasis, epsilon: float | None) -> tuple[tuple[str, str], ...]:
    decided = basis.decided
    return (*decided.fixed, *(decided.fixed_at(epsilon) if epsilon else ()))


def _goes_out(basis: CurveBasis) -> str:
    return basis.decided.goes_out or f"what {basis.system} gives out"


def _common(basis: CurveBasis, kept: Guarantee, signature: Signature) -> dict[str, Any]:
    """Return what stands on the holder's page and on that for everybody, at what is ``kept``."""
    decided, least = basis.decided, basis.promise(basis.candidates[0])
    # What a promise leaves out stands below, where a system says it in words of its own.
    besides = () if decided.unprotected and kept.conditions else map(sentence, kept.assumptions)
    return {
        "protected": f"{sentence(decided.unit or least.protects)} Hidden from {least.against}. {decided.story}",
        "condition": (f"{kept.stands} {kept.exposes}".strip(), *words.vouched(kept), *besides),
        "not_protected": decided.unprotected or (f"What this does not cover: {basis.inquiry.relation}",),
        "signature": signature,
        "title": f"Decision: {_goes_out(basis)}",
        "columns": FIXED,
    }


def _decided(basis: CurveBasis, epsilon: float | None, recommended: float | None) -> str:
    if epsilon is None:
        return "No ε is decided yet."
    word = basis.weighed.protects(epsilon).word
    delta = basis.promise(epsilon).delta
    size = f"ε = {epsilon:g}{f' and δ = {scientific(delta)}' if delta else ''} in all"
    said = f"Decision: {_goes_out(basis)}, at {size}. Protection: {word}, if what it rests on holds."
    return said if epsilon == recommended else f"{said} This is not a recommendation of this page."
