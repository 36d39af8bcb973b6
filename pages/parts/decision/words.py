"""A table, how it is searched, what is looked for, and what an ε promises there."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from pages.parts.decision.case import Drawn, Signature, Weighed
from pages.parts.views.card import dots
from pages.parts.views.content import Sample
from pages.parts.views.text import epsilon_text, minus, scientific
from privbo_core.data import Frame, Problem
from privbo_core.decision import Recommendation, Weighing
from privbo_core.decision import Weighed as Known
from privbo_core.decision.order import cost_of, said_to_be_known, together
from privbo_core.outsourced import Difference, Outcome, Setting, Simulation, noisy_guarantee
from privbo_core.outsourced.answers import Private
from privbo_core.privacy import Guarantee, Strength, strength
from privbo_core.privacy.guarantee import AT_LARGE_DELTA, BELIEFS, ERRORS, LARGE_DELTA, WORDS, one_in


@dataclass(frozen=True)
class TableBasis:
    """A table's simulation, how it is searched, the candidates of ε, what is looked for.

    ``unsaid``: why it cannot be told yet how outcomes are answered.
    """

    simulation: Simulation
    setting: Setting
    candidates: tuple[float, ...]
    outcome: Outcome
    sample: Sample
    unsaid: str = ""

    @property
    def private(self) -> Private | None:
        return self.setting.private

    @property
    def known(self) -> bool:
        return said_to_be_known(self.frame, self.private)

    @property
    def found(self) -> str:
        """Return of which row a cost is."""
        one = self.sample.one
        return f"the {one} then taken for best" if self.private else f"the best {one} found"

    @property
    def problem(self) -> Problem:
        return self.simulation.problem

    @property
    def frame(self) -> Frame:
        return self.problem.frame

    @property
    def own(self) -> bool:
        return self.problem.identity is None

    @property
    def hides(self) -> tuple[str, ...]:
        return self.sample.hides(self.problem, self.setting.protected_distance)

    @property
    def unit(self) -> str:
        return self.outcome.unit or f"of {self.outcome.name}"

    @cached_property
    def weighed(self) -> Weighed:
        return Weighed(
            self.candidates,
            self.unit,
            "which of two similar records is real",
            "a limit of your own",
            f"plan more {self.sample.tests}, hide smaller differences",
            " of small differences",
            cache(self.protects),
            cache(partial(self.strength, for_all=True)),
            self.spent,
            ", but for δ" if self.setting.noisy_delta else "",
        )

    def at(self, epsilon: float) -> Setting:
        return replace(self.setting, epsilon=epsilon)

    def both(self, epsilon: float) -> float:
        """Return the ε of a release at this one and of a private answer together, as the ledger will count it."""
        setting = self.at(epsilon)
        return cost_of(self.frame, (epsilon, setting.noisy_delta), setting.shape, self.private).both

    def in_all(self, epsilon: float) -> float:
        """Return what is spent of ε on one record: with its answer, where that is private."""
        return self.both(epsilon) if self.private else epsilon

    def spent(self, epsilon: float) -> str:
        in_all = f" ({epsilon_text(self.both(epsilon))} with its answer)" if self.private else ""
        return f"{epsilon:g}{in_all}"

    def becomes(self, epsilon: float) -> float | None:
        """Return what ε can become if the frame was read off the data: computed from them. None in a public frame."""
        return self.simulation.true_epsilon(self.at(epsilon))

    def promise(self, epsilon: float, *, for_all: bool, looked: bool = False) -> Guarantee:
        """``for_all``: without anything computed from the data. ``looked``: ε was chosen after searches on the data."""
        becomes = None if for_all else self.becomes(epsilon)
        return noisy_guarantee(epsilon, self.setting.noisy_delta, "", self.frame, becomes, looked=looked)

    def protects(self, epsilon: float) -> Strength:
        """As things stand: in a frame that was read off, with what ε becomes."""
        return self.strength(epsilon, for_all=False)

    def strength(self, epsilon: float, *, for_all: bool) -> Strength:
        """With its private answer, if it has one; ``for_all`` as for `promise`: if the promise holds."""
        becomes = None if for_all else self.becomes(epsilon)
        kept = self.promise(epsilon, for_all=for_all)
        both, line, becomes = together(kept, self.frame, self.setting.shape, self.private, becomes)
        return strength(both, line, becomes=becomes)


def outcome_of(problem: Problem, unit: str = "") -> Outcome:
    """Return what is looked for: the outcome without its logarithm, in its own unit or the one that somebody gave."""
    known = problem.preparation.output_unit if problem.preparation else ""
    return Outcome(problem.output.removeprefix("log "), unit or known, problem.maximize)


QUESTION = "Decide, and sign"
NO_COST = (
    "No cost is stated, for it would be luck. What to do: do not hand the table out for this search; if it has to be, "
    "decide by the protection alone."
)
UNLIKE = "The first is a mean over all that may come out; the second is what the single most telling outcome can tell."
"""What the two figures about one person have to do with each other."""
FINER = 7  # So many digits more may a cost get, so that it is seen on which side of the limit it lies.
COMING = "…"
ON_DATA, SIMULATED = "on these data", "in these simulations"
ANY_DATA = "whatever the data"  # What stands behind a limit of what an ε costs at most, on average over draws.
MEANS = ("ε", "protection", "attacker right", "sure at most")


def vouched(kept: Guarantee) -> tuple[str, ...]:
    """Return the conditions of a guarantee in full, after on whose word they hold."""
    if not kept.conditions:
        return ()
    return f"Whoever publishes vouches for {'them' if len(kept.conditions) > 1 else 'it'}:", *kept.in_full


def cells(basis: Weighed, epsilon: float, found: Strength) -> tuple[str, ...]:
    return basis.spent(epsilon), f"{dots(found.level)} {found.word}", right(found), sure(found)


def right(found: Strength) -> str:
    times = 100 * (1 - found.least_error)
    return f"{times:.0f} of 100" if times < 99.5 else "over 99 of 100"


def sure(found: Strength) -> str:
    return f"{100 * found.belief:.0f} %" if found.belief < 0.995 else "over 99 %"


def meaning(found: Strength, guess: str, delta: float) -> str:
    return (
        f"If what it rests on holds, somebody who knows all else and guesses {guess} is right at most "
        f"{right(found).replace(' of ', ' times in ')} (blind guessing: 50). Whoever was 50 % sure "
        f"can become at most {sure(found)} sure{_but_for(delta)}: {found.word} protection. {UNLIKE} "
        f"{_scale(delta)}"
    )


def meanings(basis: Weighed, delta: float) -> str:
    return (
        f"“Attacker right”: somebody who knows all else guesses {basis.guess}; a coin is right 50 times in 100. “Sure "
        f"at most”: how sure somebody can become who was 50 % sure{_but_for(delta)}"
        f"{f' (δ = {scientific(delta)})' if delta else ''}. {UNLIKE} {_scale(delta)}"
    )


def _scale(delta: float) -> str:
    """Return what the word for a protection follows, with the most that each level allows."""
    levels = zip(WORDS[2:], ERRORS, BELIEFS, strict=True)
    most = ", ".join(f"{word} {100 * (1 - error):.0f} and {100 * belief:.0f} %" for word, error, belief in levels)
    large = f" With a δ above {one_in(LARGE_DELTA)} it is {WORDS[AT_LARGE_DELTA]} at most." if delta else ""
    return f"The word for the protection follows the weaker of the two: {most} at most.{large}"


def _but_for(delta: float) -> str:
    # An ε that is passed more often than δ, but by little: together no worse than telling all so often.
    return f", and beyond that no more than if all were told {one_in(delta)} times" if delta else ", without exception"


def digits(value: float, error: float) -> str:
    """Return an amount to the first digit of its standard error: 1.9 ± 0.3, 14 ± 2, −586 ± 17."""
    if not (math.isfinite(error) and error > 0):
        return minus(f"{value:.3g}")
    places = min(6, max(0, -math.floor(math.log10(error))))
    return minus(f"{round(value, places) + 0.0:,.{places}f}")


def interval(cost: Difference, most: float | None = None, unit: str = "") -> str:
    """Rounded it stays on its side of the limit, ``most``; two runs alike stand for one that was computed."""
    unit = f" {unit}" if unit else ""
    if cost.standard_error == 0:
        return f"{digits(cost.mean, 0.0)}{unit} {f'in all {cost.runs} searches' if cost.runs > 2 else 'exactly'}"
    mean, low, high = _three(cost, most)
    return f"{mean} ({low} to {high}){unit}"


def _three(cost: Difference, most: float | None) -> list[str]:
    """Return mean and ends, with as many more digits than their error deserves as tell them from the limit."""
    values, error = (cost.mean, cost.low, cost.high), cost.standard_error
    if most is None:
        return [digits(value, error) for value in values]
    for finer in range(FINER):
        shown = [digits(value, error / 10**finer) for value in values]
        read = [float(text.replace(",", "").replace("−", "-")) for text in shown]
        if all(each != most and (each < most) == (value < most) for each, value in zip(read, values, strict=True)):
            return shown
    return [digits(value, error) for value in values]


def interim(weighing: Weighing) -> str:
    share = sum(len(each.costs) for each in weighing.known) / (weighing.runs * len(weighing.candidates))
    return "" if weighing.complete else f"interim: {int(100 * share)} % simulated"


def so_far(known: Known, weighing: Weighing) -> str:
    count = len(known.costs)
    return "" if count >= weighing.runs else f", from {count} of {weighing.runs} runs so far"


def verdict(drawn: Drawn) -> str:
    rule, found = drawn.rule, drawn.recommendation
    if drawn.refused:
        return drawn.refused
    if found is None:
        where = f"{rule.where}, " if rule.where else ""
        return f"Nothing is recommended: {where}{rule.gone}." if rule.gone else "Being simulated …"
    if found.chosen is None or found.protects is None:
        gains = f" and gains anything {rule.alone}" if rule.alone else ""
        other = (
            " Say what it may cost: then the cost on these data decides, and the promise is conditional on that."
            if rule.proposed and not drawn.most
            else ""
        )
        return (
            "Nothing is recommended: no ε tried protects enough and surely costs less than "
            f"{_most(drawn)}{gains}.{other}"
        )
    sure_of = sure(found.protects).replace("over", "more than")
    return (
        f"Recommended: ε = {found.chosen.epsilon:g}, the strongest protection tried that surely costs less than "
        f"{_most(drawn)}. Its protection is {found.protects.word}: whoever was 50 % sure can become {sure_of} sure"
        f"{rule.weighed.but_for}."
    )


def _most(drawn: Drawn) -> str:
    """Return the limit with its unit, and where it holds."""
    assert drawn.recommendation is not None
    most, unit = drawn.recommendation.limit, drawn.rule.weighed.unit
    return f"{limit_number(most)} {unit if most != 1 else unit.removesuffix('s')} {drawn.rule.where}"


def limit_number(value: float) -> str:
    """Return a limit with all digits that a person gave it."""
    return scientific(value) if float(f"{value:.3g}") == value else minus(f"{value:,.6g}")


def rule(drawn: Drawn) -> str:
    least, known = drawn.least, drawn.rule.weighing.known
    cost = "cost" if known and all(map(_exact, known)) else "whole 95 % interval of the cost"
    return (
        f"The rule: from the largest ε to the smallest, as long as the {cost} lies below the limit, unrounded. The "
        f"last ε that keeps to it is taken if its protection is {WORDS[least]}"
        f"{' or stronger' if least < len(WORDS) - 1 else ''}; otherwise none is."
    )


def _exact(known: Known) -> bool:
    """Return whether a cost was computed: two runs alike stand for it."""
    return known.cost.standard_error == 0


def _size(known: Known, limit: float, unit: str) -> str:
    """Return how large a cost is from elsewhere than the data, where a computed one is a bound."""
    return f"up to {digits(known.cost.mean, 0.0)} {unit}" if _exact(known) else interval(known.cost, limit, unit)


def reasons(drawn: Drawn) -> tuple[str, ...]:
    told, rule_now, found = list[str](), drawn.rule, drawn.recommendation
    if not drawn.counts:
        return (NO_COST,)
    if found is None:
        return (rule(drawn),)
    basis, failed = rule_now.weighed, found.failed
    if found.chosen is not None and (rule_now.public or rule_now.weighing is not drawn.weighing):
        size = _size(found.chosen, found.limit, basis.unit)
        told.append(f"ε = {found.chosen.epsilon:g} costs {size} {rule_now.where}.")
    if failed is not None:
        word = basis.promised(failed.epsilon).word
        if failed.cost.high < found.limit and failed.gain:
            told.append(f"ε = {failed.epsilon:g} ({word}) shows no gain {rule_now.alone}: {interval(failed.gain)}.")
        else:
            elsewhere = rule_now.weighing is not drawn.weighing
            more = "costs more" if failed.cost.low > found.limit else "may cost more"
            size, where = interval(failed.cost, found.limit, basis.unit), ""
            if elsewhere:
                size, where = _size(failed, found.limit, basis.unit), f" {rule_now.where}"
                more = "may cost more" if _exact(failed) else more  # a bound, which no data need reach
            told.append(f"ε = {failed.epsilon:g} ({word}) {more}: {size}{where}.")
    if found.within is not None and found.protects is not None and found.chosen is None:
        told.append(f"ε = {found.within.epsilon:g} costs less, but its protection is {found.protects.word}.")
    if found.chosen is None:
        weak = found.within is not None or basis.promised(basis.candidates[-1]).level < found.least
        last = "do not hand it out" if weak else "add a larger ε"
        told.append(f"What to do: set a higher limit, {basis.remedies}, or {last}.")
    told.append(_smallest(found))
    if rule_now.proposed:
        told.append(f"The limit is {basis.gains}.")
    return (*filter(None, told), rule(drawn))


def _smallest(found: Recommendation) -> str:
    answer = found.smallest
    low, middle, high = (f"{value:.2g}" for value in (answer.low, answer.epsilon, answer.high))
    low += " or less" if answer.low <= answer.swept[0] else ""  # nothing smaller was tried
    if answer.reach == "inside" and answer.high < float("inf"):
        spread = f" (95 % interval: {low} to {high})" if low != high else ""
        exact = all(_exact(each) for each in (found.within, found.failed) if each)
        cost = "cost" if exact else "average cost alone"
        return f"The {cost} falls below the limit at about ε = {middle}{spread}."
    if answer.reach == "always" and found.failed is None:
        return "Even the smallest ε tried keeps to the limit, so a still smaller one may, too."
    return ""


def means(basis: Weighed, drawn: Drawn) -> str:
    if drawn.epsilon is None:
        return verdict(drawn)
    found, by_rule = basis.protects(drawn.epsilon), drawn.epsilon == drawn.recommended
    of = f"{basis.of} (δ allows no more)" if found.by_delta else basis.of
    how = "Recommended" if by_rule else "Chosen, not recommended"
    spent = basis.spent(drawn.epsilon)
    lead = f"{how}: ε = {spent}, {found.word} protection{of}."
    if drawn.signed:
        how = "Decided" if by_rule or not drawn.recommended else "Decided, not as recommended"
        lead = f"{how}: ε = {spent}, {drawn.signed}. {found.word.capitalize()} protection{of}."
    elif by_rule:
        lead += f" Strongest tried within {'a default' if drawn.rule.proposed else 'the'} limit{_deciding(drawn)}."
    hits = right(found).removesuffix(" of 100")
    return f"{lead} Of 100 guesses {basis.guess}, the best attacker gets {hits} right (blind: 50)."


def _deciding(drawn: Drawn) -> str:
    """Return the cost that decided, with the limit, where it is another one than that on the data."""
    found, rule_now = drawn.recommendation, drawn.rule
    if rule_now.weighing is drawn.weighing or found is None or found.chosen is None:
        return ""
    cost = found.chosen.cost
    bound = "≤ " if _exact(found.chosen) else ""  # which no data need reach
    unit = " %" if rule_now.weighed.unit.startswith("%") else ""
    return f" ({bound}{digits(cost.mean, cost.standard_error)} of {limit_number(found.limit)}{unit})"


def signed(signature: Signature) -> str:
    """Return by whom and when it was decided, without a blank in a name; empty as long as that is not signed."""
    if not signature.digest:
        return ""
    (name, _), *others = signature.people
    more = f" and {len(others)} more" if others else ""
    return f"by {name.replace(' ', chr(160))}{more}, on {signature.day}"


def costs(drawn: Drawn, costs_of: str, exactly: Callable[[float], str] | None = None) -> str:
    """``exactly`` writes a cost that was computed."""
    if drawn.epsilon is None:
        return ""
    if not drawn.weighing.complete:
        return "What it costs is being simulated …"
    known = drawn.weighing.of(drawn.epsilon)
    if known is None:
        return ""
    cost, size = known.cost, interval(known.cost, drawn.most, costs_of)
    if cost.standard_error == 0:
        return f"On these data it costs {f'{exactly(cost.mean)} {costs_of}' if exactly else size}."
    return f"{'It costs' if cost.clear else 'No clear cost:'} {size}, on average."
