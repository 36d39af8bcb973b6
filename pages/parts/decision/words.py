"""What the decision page says, section by section."""

import math

from pages.parts.decision.matter import Matter
from pages.parts.outsourced.neighbours import explains
from pages.parts.outsourced.regret import best
from pages.parts.show.card import dots
from pages.parts.values.numbers import epsilon_text, scientific
from pages.parts.values.text import minus
from privbo_core.data import FrameColumn
from privbo_core.decision import Decision, Recommendation, Weighed, Weighing
from privbo_core.outsourced import Difference
from privbo_core.privacy import Strength

QUESTION = "Decide, and sign"
TITLE = "Decision: hand out a table’s inputs, so that somebody else searches"
INSIDE = "Stated on simulations with your own data: for your eyes."
INSIDE_SAMPLE = "Stated on simulations with a sample, as if it were yours: the holder’s version."
FOR_ALL = "For everybody: nothing on this page was computed from the data."
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
    return f"{100 * (1 - found.least_error):.0f} of 100"


def sure(found: Strength) -> str:
    """Return how sure an attacker who was half sure can become, in a cell."""
    return f"{100 * found.belief:.0f} %" if found.belief < 0.995 else "over 99 %"


def meaning(matter: Matter, found: Strength) -> str:
    """Return what an ε means for one person, in a sentence."""
    return (
        f"Somebody who knows all else of a {matter.told.one} and guesses which of two records it was, so far apart as is hidden, is right "
        f"{right(found).replace(' of ', ' times in ')} at best; with a coin, 50. Who was 50 % sure is {sure(found)} sure at worst: "
        f"{found.word} protection."
    )


def meanings(matter: Matter) -> str:
    """Return what the columns about one person mean."""
    return (
        f"“Attacker right”: somebody knows all else of a {matter.told.one} and guesses which of two records it was, that differ by what is "
        "hidden; a coin is right 50 times in 100. “Sure at worst”: who was 50 % sure before."
    )


def unit(matter: Matter) -> str:
    """Return the outcome's unit, or its name where it has none."""
    return matter.outcome.unit or f"of {matter.outcome.name}"


def digits(value: float, error: float) -> str:
    """Return an amount to the first digit of its standard error: 1.9 ± 0.3, 14 ± 2, −586 ± 17."""
    if not (math.isfinite(error) and error > 0):
        return minus(f"{value:.3g}")
    return minus(f"{value:,.{min(6, max(0, -math.floor(math.log10(error))))}f}")


def amount(matter: Matter, cost: Difference) -> str:
    """Return a mean cost with its unit and its interval."""
    mean, low, high = _three(cost)
    return f"{mean} {unit(matter)} on average, 95 % interval {low} to {high}"


def interval(cost: Difference) -> str:
    """Return a cost with its interval, without the unit."""
    mean, low, high = _three(cost)
    return f"{mean} ({low} to {high})"


def _three(cost: Difference) -> list[str]:
    return [digits(value, cost.standard_error) for value in (cost.mean, cost.low, cost.high)]


def cost_cells(matter: Matter, known: Weighed | None) -> tuple[str, str, str]:
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


def nothing_to_lose(matter: Matter) -> str:
    """Return why no ε is recommended on its cost."""
    if not matter.simulation.explained.clear:
        return f"This table cannot carry an answer. {explains(matter.simulation.explained)}"
    return (
        f"This table cannot carry an answer: even without privacy, {matter.setting.iterations} {matter.told.tests} among "
        f"{matter.problem.n:,} {matter.told.many} find no more than chance does."
    )


NO_COST = "So nothing is recommended on cost: there is nothing to lose. Bring inputs that matter to the outcome or plan more tests; or decide by the protection alone."  # fmt: skip


def verdict(matter: Matter, weighing: Weighing, found: Recommendation | None) -> str:
    """Return the recommendation in a sentence."""
    if weighing.carries is False:
        return nothing_to_lose(matter)
    if not weighing.complete:
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


def reasons(matter: Matter, weighing: Weighing, found: Recommendation | None, *, proposed: bool) -> tuple[str, ...]:
    """Return what stands behind the recommendation. ``proposed``: the limit is not a person's."""
    if weighing.carries is False:
        return (NO_COST,)
    if found is None or not weighing.complete:
        return (RULE,)
    said: list[str] = []
    if found.failed is not None:
        said.append(f"ε = {found.failed.epsilon:g} may cost more: {amount(matter, found.failed.cost)}.")
    if found.chosen is None:
        said.append("Set a higher limit, plan more tests, or add a larger ε.")
    said.append(_smallest(found))
    if proposed:
        said.append(
            "The limit is a tenth of what the search without privacy finds more than chance does; set your own."
        )
    return (*filter(None, said), RULE)


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
        f"Decided: ε = {at:g} and δ = {scientific(matter.setting.delta)} for the inputs of {matter.outcome.name}, "
        f"{matter.setting.iterations} {matter.told.tests} planned."
    )


def not_protected(matter: Matter) -> tuple[str, ...]:
    """Return what the promise does not cover."""
    told = matter.told
    others = matter.promise(matter.candidates[0], for_all=True).assumptions[1:]
    return (
        f"Who is in the table is not hidden, nor the columns’ names. {others[0]}",
        f"{others[1]} Whoever asks for a {told.one} learns its {matter.outcome.name} in full, unless the Workbench’s private answers are used.",
        others[2],
        "A second release of the same table adds to the first; the Workbench’s ledger counts both together.",
        "That ε was chosen after searches were simulated on the data is not counted in ε.",
    )


def _ordinal(rank: float) -> str:
    number = round(rank)
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending} best"
