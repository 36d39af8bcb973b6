"""What the decision page says, section by section."""

import math

from pages.parts.bring.worth.words import instead, said
from pages.parts.decision.matter import Matter
from pages.parts.show.card import dots
from pages.parts.values.numbers import best, epsilon_text, scientific
from pages.parts.values.text import minus
from privbo_core.data import FrameColumn
from privbo_core.decision import Decision, Recommendation, Weighed, Weighing
from privbo_core.outsourced import Difference
from privbo_core.privacy import Strength
from privbo_core.worth import Worth

QUESTION = "Decide, and sign"
TITLE = "Decision: hand out a table’s inputs, so that somebody else searches"
INSIDE = "Stated on simulations with your own data: for your eyes."
INSIDE_SAMPLE = "Stated on simulations with a sample, as if it were yours: the holder’s version."
FOR_ALL = "For everybody: nothing on this page was computed from the data."
FOR_ALL_BUT = (
    "For everybody: nothing on this page was computed from the data but the frame, as far as it was read off them."
)
NAMED = 3
COMING = "…"
RULE = (
    "The rule: from the weakest protection to the strongest, as long as the whole 95 % interval of the cost lies below the limit. "
    "The last ε that keeps to it is recommended."
)


def hidden(matter: Matter) -> str:
    """Return what stays hidden of one row; of many columns, the first ones."""
    said = matter.hides
    more = len(said) - NAMED
    return ", or ".join((*said[:NAMED], f"so much of {more} other columns") if more > 0 else said)


def protected(matter: Matter) -> str:
    """Return what is protected, for whom, against whom."""
    told = matter.told
    once = "; one of these, not all at once" if len(matter.hides) > 1 else ""
    return (
        f"Hidden of each {told.one}: {hidden(matter)}{once}. Hidden from {told.chooser} and everybody else who gets the noisy table, "
        f"whatever else they know. {told.chooser.capitalize()} looks for {matter.told.sought} and asks for {matter.setting.iterations} "
        f"{told.tests}."
    )


def frame_row(column: FrameColumn) -> tuple[str, ...]:
    """Return a column of the frame: name, range, change to hide, from where that was known."""
    unit = f" {column.unit}" if column.unit else ""
    low, high, hide = (minus(f"{value:,.6g}") for value in (column.low, column.high, column.hide))
    return column.name, f"{low} to {high}{unit}", f"± {hide}{unit}", column.known_from.strip() or "not said"


def condition(matter: Matter, epsilon: float | None, *, for_all: bool) -> str:
    """Return what the promise rests on, and what to do where nothing says so; nothing for a public frame."""
    if matter.frame.public:
        return ""
    said = matter.promise(epsilon or matter.candidates[0], for_all=for_all).assumptions[0]
    do = "" if for_all else " What to do: on Data, type what was known beforehand of each column, and from where."
    return f"Conditional, not proved. {said}{do}"


def strength_text(found: Strength) -> str:
    """Return a strength in a cell: its dots and its word."""
    return f"{dots(found.level)} {found.word}"


def right(found: Strength) -> str:
    """Return how often the best attacker is right, in a hundred."""
    times = 100 * (1 - found.least_error)
    return f"{times:.0f} of 100" if times < 99.5 else "over 99 of 100"


def sure(found: Strength) -> str:
    """Return how sure an attacker who was half sure can become, in a cell."""
    return f"{100 * found.belief:.0f} %" if found.belief < 0.995 else "over 99 %"


def meaning(found: Strength, *, conditional: bool) -> str:
    """Return what an ε means for one person, in two sentences; ``conditional``: only if the frame was known beforehand."""
    who = "If the condition above holds, somebody" if conditional else "Somebody"
    return (
        f"{who} who knows all else and guesses which of two records is the true one, when they differ by what is hidden, is right at most "
        f"{right(found).replace(' of ', ' times in ')}; with a coin, 50. Whoever was 50 % sure can become at most {sure(found)} sure: "
        f"{found.word} protection."
    )


def meanings(*, conditional: bool) -> str:
    """Return what the columns about one person mean; ``conditional``: the frame was read off the data."""
    counted = " The frame was read off the data: all this counts what ε becomes then." if conditional else ""
    return (
        "“Attacker right”: somebody who knows all else guesses which of two records is the true one, when they differ by what is hidden; a "
        "coin is right 50 times in 100. “Sure at most”: how sure somebody can become who was 50 % sure."
        f"{counted}"
    )


def unit(matter: Matter) -> str:
    """Return the outcome's unit, or its name where it has none."""
    return matter.outcome.unit or f"of {matter.outcome.name}"


def digits(value: float, error: float) -> str:
    """Return an amount to the first digit of its standard error: 1.9 ± 0.3, 14 ± 2, −586 ± 17."""
    if not (math.isfinite(error) and error > 0):
        return minus(f"{value:.3g}")
    places = min(6, max(0, -math.floor(math.log10(error))))
    return minus(f"{round(value, places) + 0.0:,.{places}f}")


def amount(matter: Matter, cost: Difference) -> str:
    """Return a mean cost with its unit and its interval."""
    if cost.standard_error == 0:
        return f"{digits(cost.mean, 0.0)} {unit(matter)} in all {cost.runs} searches"
    mean, low, high = _three(cost)
    return f"{mean} {unit(matter)} on average, 95 % interval {low} to {high}"


def interval(cost: Difference) -> str:
    """Return a cost with its interval, without the unit."""
    if cost.standard_error == 0:
        return f"{digits(cost.mean, 0.0)} in all {cost.runs}"
    mean, low, high = _three(cost)
    return f"{mean} ({low} to {high})"


def _three(cost: Difference) -> list[str]:
    return [digits(value, cost.standard_error) for value in (cost.mean, cost.low, cost.high)]


def cost_cells(known: Weighed | None) -> tuple[str, str, str]:
    """Return what one ε costs: in the outcome's unit, in the rank of the best row found, in tests."""
    if known is None:
        return COMING, COMING, COMING
    needed = known.needed
    rank = float(known.rank.median)
    spread = "" if known.rank.low == known.rank.high else f" ({known.rank.low:,.0f} to {known.rank.high:,.0f})"
    place = "the best" if rank < 1.5 else _ordinal(rank)
    more = f"{needed.more:+d}".replace("-", "−") if needed.more else "0"
    tests = f"{more} ({minus(str(needed.low))} to {minus(str(needed.high))})"
    return interval(known.cost), f"{place}{spread}", tests


def costs_note(matter: Matter, weighing: Weighing) -> str:
    """Return what the columns about the cost mean, and on how many searches they rest."""
    problem, told = matter.problem, matter.told
    runs = min((len(each.costs) for each in weighing.known), default=0)
    plain = f" Without privacy it is {best(float(weighing.plain_rank.median))}." if weighing.plain_rank else ""
    return (
        f"“Worse by”: how much worse the best {told.one} found in {matter.setting.iterations} {told.tests} is than without privacy, on average, "
        f"in {unit(matter)}. “Best found”: its place among {problem.n:,} {told.many}, in the median.{plain} “More {told.tests}”: how many more it "
        f"takes to get there. In brackets 95 % intervals over {runs or weighing.runs} pairs of simulated searches."
    )


NO_COST = "So no ε is recommended on its cost, and none is stated: decide by the protection alone."


def carries(worth: Worth | None) -> str:
    """Return that a table carries no answer, why, and what to do: to be read first. Nothing where it does."""
    if worth is None or worth.something_to_lose:
        return ""
    told = said(worth)
    return f"{told.sentence} {told.why} {told.do}"


def verdict(matter: Matter, weighing: Weighing, found: Recommendation | None, worth: Worth | None) -> str:
    """Return the recommendation in a sentence."""
    if worth is not None and (why := instead(worth)):
        return f"Nothing is recommended. {why.title}."
    if worth is None or not weighing.complete:
        return "Being simulated …"
    if found is None:
        return "Say on the left what it may cost at most; then one of these ε is recommended."
    if found.chosen is None:
        return f"None of these ε is recommended: none costs less than {limit(matter, found)}, with 95 % confidence."
    return (
        f"Recommended: ε = {found.chosen.epsilon:g}, the strongest protection that costs less than {limit(matter, found)}: "
        f"{amount(matter, found.chosen.cost)}."
    )


def limit(matter: Matter, found: Recommendation) -> str:
    """Return the limit with its unit."""
    return f"{scientific(found.limit)} {unit(matter)}"


def reasons(matter: Matter, found: Recommendation | None, worth: Worth | None, *, proposed: bool) -> tuple[str, ...]:
    """Return what stands behind the recommendation. ``proposed``: the limit is not a person's."""
    if worth is not None and not worth.something_to_lose:
        return (NO_COST,)
    if found is None:
        return (RULE,)
    told: list[str] = []
    if found.failed is not None:
        told.append(f"ε = {found.failed.epsilon:g} may cost more: {amount(matter, found.failed.cost)}.")
    if found.chosen is None:
        told.append("Set a higher limit, plan more tests, or add a larger ε.")
    told.append(_smallest(found))
    if proposed:
        told.append(
            "The limit is a tenth of what the search without privacy finds more than chance does; set your own."
        )
    return (*filter(None, told), RULE)


def _smallest(found: Recommendation) -> str:
    """Return between which ε the mean cost falls below the limit."""
    answer = found.smallest
    low, high = epsilon_text(answer.low), epsilon_text(answer.high)
    if answer.reach == "inside" and answer.high < float("inf"):
        return f"Read off between the candidates, the limit is kept from ε = {epsilon_text(answer.epsilon)} on, 95 % interval {low} to {high}."
    if answer.reach == "always":
        return "The smallest candidate keeps to it too: a smaller one may."
    return ""


def decided(decision: Decision | None, epsilon: float | None, matter: Matter) -> str:
    """Return what is decided, as it stands."""
    if decision is None and epsilon is None:
        return "No ε is decided yet."
    at = decision.epsilon if decision else epsilon
    return (
        f"Decision: ε = {at:g} and δ = {scientific(matter.setting.delta)} for the inputs of {matter.outcome.name}, "
        f"{matter.setting.iterations} {matter.told.tests} planned."
    )


def not_protected(matter: Matter) -> tuple[str, ...]:
    """Return what the promise does not cover."""
    told = matter.told
    others = matter.promise(matter.candidates[0], for_all=True).assumptions[1:]
    return (
        f"Who is in the table is not hidden, nor the columns’ names. {others[0]}",
        f"{others[1]} Whoever asks for a {told.one} learns its {matter.outcome.name} in full, unless the Workbench’s private answers are used.",
        "Larger differences are hidden less: twice the difference costs twice the ε.",
        "A second release of the same table adds to the first; the Workbench’s ledger counts both together.",
        "Not counted in ε: that it was chosen after searches had been simulated on the data.",
    )


def _ordinal(rank: float) -> str:
    number = round(rank)
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending} best"
