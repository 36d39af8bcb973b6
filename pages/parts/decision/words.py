"""What the decision page says, section by section."""

import math

from pages.parts.decision.question import Matter
from pages.parts.outsourced.shape import and_delta
from pages.parts.table.diagnostics import instead, said
from pages.parts.views.card import dots
from pages.parts.views.text import best, minus, scientific
from privbo_core.data import FrameColumn
from privbo_core.decision import Decision, Recommendation, Weighed, Weighing
from privbo_core.decision.standin import MOST_ROWS
from privbo_core.diagnostics import Worth
from privbo_core.outsourced import SEEN, Difference, larger_differences
from privbo_core.privacy import Strength
from privbo_core.privacy.guarantee import WORDS

QUESTION = "Decide, and sign"
TITLE = "Decision: hand out a table’s inputs, so that somebody else searches"
INSIDE = "Stated on simulations with your own data: for your eyes."
INSIDE_SAMPLE = "Stated on simulations with a sample, as if it were yours: the holder’s version."
NAMED = 3
FINER = 7
"""So many digits more may a cost get, so that it is seen on which side of the limit it lies."""
COMING = "…"
FOLLOWED = (
    "Whoever decides for another ε than the recommended one, having seen this, chose after looking: then the promise "
    "is conditional."
)
UNCHECKED = (
    "Proved if the frame was public, as you say under “known from”: nobody has checked that, and you sign for it."
)
UNCHECKED_BY = (
    "Proved if the frame was public, as is said under “known from”: nobody has checked that but those who sign."
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
        f"Hidden of each {told.one}: {hidden(matter)}{once}. Hidden from {told.chooser} and everybody else who gets "
        f"the noisy table, whatever else they know. {told.chooser.capitalize()} looks for {matter.told.sought} and "
        f"asks for {matter.setting.iterations} {told.tests}."
    )


def frame_row(column: FrameColumn) -> tuple[str, ...]:
    """Return a column of the frame: name, range, change to hide, from where that was known."""
    unit = f" {column.unit}" if column.unit else ""
    low, high, hide = (minus(f"{value:,.6g}") for value in (column.low, column.high, column.hide))
    return column.name, f"{low} to {high}{unit}", f"± {hide}{unit}", column.known_from.strip() or "not said"


def for_everybody(matter: Matter, *, looked: bool) -> str:
    """Return what of the page for everybody was computed from the data."""
    frame = "" if matter.frame.public else " but the frame, as far as it was read off them"
    chosen = "but ε was chosen after searches on them" if looked else "nor was ε chosen by searches on them"
    return f"For everybody: nothing on this page was computed from the data{frame}, {chosen}."


def condition(matter: Matter, epsilon: float | None, *, for_all: bool, looked: bool) -> str:
    """Return what the promise rests on, and what to do where nothing says so.

    Of a sample in a public frame, nothing.
    """
    if matter.frame.public and looked:
        return f"Conditional, not proved. {SEEN}"
    if matter.frame.public:
        return (UNCHECKED_BY if for_all else UNCHECKED) if matter.own else ""
    said = matter.promise(epsilon or matter.candidates[0], for_all=for_all, looked=looked).assumptions[0]
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


def meaning(found: Strength, delta: float, *, conditional: bool) -> str:
    """Return what ε and δ mean for one person, in two sentences.

    ``conditional``: only if the frame was known beforehand.
    """
    who = "If the condition above holds, somebody" if conditional else "Somebody"
    return (
        f"{who} who knows all else and guesses which of two records is the true one, when they differ by what is "
        f"hidden, is right at most {right(found).replace(' of ', ' times in ')}; with a coin, 50. Whoever was 50 % "
        f"sure can become at most {sure(found)} sure{_but_for(delta)}: {found.word} protection."
    )


def meanings(matter: Matter, epsilon: float | None) -> tuple[str, ...]:
    """Return what the columns about one person mean, what δ is, and why little is left in a frame read off the data."""
    delta = matter.setting.noisy_delta
    said = (
        "“Attacker right”: somebody who knows all else guesses which of two records is the true one, when they differ "
        "by what is hidden; a coin is right 50 times in 100. “Sure at most”: how sure somebody can become who was 50 "
        f"% sure{_but_for(delta)}{f' (δ = {scientific(delta)})' if delta else ''}."
    )
    return said, *filter(None, (_why_so_little(matter, epsilon or matter.candidates[0]),))


def _why_so_little(matter: Matter, epsilon: float) -> str:
    """Return why a frame that was read off leaves less protection than its ε promises; nothing if it does not."""
    promised, left = matter.strength(epsilon, for_all=True), matter.protects(epsilon)
    if left.level >= promised.level:
        return ""
    return (
        f"Why the protection of ε = {epsilon:g} is {left.word}: the frame was read off the data, so one record can "
        f"move every row. In the same frame, known beforehand, it is {promised.word}."
    )


def _but_for(delta: float) -> str:
    """Return when the promise fails: never where there is no δ."""
    return (
        f", but for a chance of about {chance(delta)} that the promise fails altogether"
        if delta
        else ", without exception"
    )


def chance(probability: float) -> str:
    """Return a small probability in words: 1 in 100,000."""
    return f"1 in {float(f'{1 / probability:.2g}'):,.0f}"


def unit(matter: Matter) -> str:
    """Return the outcome's unit, or its name where it has none."""
    return matter.outcome.unit or f"of {matter.outcome.name}"


def digits(value: float, error: float) -> str:
    """Return an amount to the first digit of its standard error: 1.9 ± 0.3, 14 ± 2, −586 ± 17."""
    if not (math.isfinite(error) and error > 0):
        return minus(f"{value:.3g}")
    places = min(6, max(0, -math.floor(math.log10(error))))
    return minus(f"{round(value, places) + 0.0:,.{places}f}")


def amount(matter: Matter, cost: Difference, most: float) -> str:
    """Return a mean cost with its unit and its interval; ``most``: the limit, as in `interval`."""
    if cost.standard_error == 0:
        return f"{digits(cost.mean, 0.0)} {unit(matter)} in all {cost.runs} searches"
    mean, low, high = _three(cost, most)
    return f"{mean} {unit(matter)} on average, 95 % interval {low} to {high}"


def interval(cost: Difference, most: float | None = None) -> str:
    """Return a cost with its interval, without the unit; what is rounded stays on its side of the limit, ``most``."""
    if cost.standard_error == 0:
        return f"{digits(cost.mean, 0.0)} in all {cost.runs}"
    mean, low, high = _three(cost, most)
    return f"{mean} ({low} to {high})"


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


def cost_cells(known: Weighed | None, most: float | None) -> tuple[str, str, str]:
    """Return what one ε costs.

    In the outcome's unit (``most``: the limit), in the rank of the best row found, in tests.
    """
    if known is None or known.rank is None or known.needed is None:
        return COMING, COMING, COMING
    needed = known.needed
    rank = float(known.rank.median)
    spread = "" if known.rank.low == known.rank.high else f" ({known.rank.low:,.0f} to {known.rank.high:,.0f})"
    place = "the best" if rank < 1.5 else _ordinal(rank)
    more = f"{needed.more:+d}".replace("-", "−") if needed.more else "0"
    tests = f"{more} ({minus(str(needed.low))} to {minus(str(needed.high))})"
    return interval(known.cost, most), f"{place}{spread}", tests


def costs_note(matter: Matter, weighing: Weighing) -> str:
    """Return what the columns about the cost mean, and on how many searches they rest."""
    problem, told = matter.problem, matter.told
    runs = min((len(each.costs) for each in weighing.known), default=0) or weighing.runs
    counted = min((each.counted for each in weighing.known), default=0) or weighing.runs
    plain = f" Without privacy it is {best(float(weighing.plain_rank.median))}." if weighing.plain_rank else ""
    measured = f", in {matter.outcome.unit}" if matter.outcome.unit else ""
    rest = (
        ""
        if counted >= runs
        else f"; the last two columns over the first {counted}, which Outsourced and Workbench show"
    )
    return (
        f"“Worse by”: how much worse the best {told.one} found in {matter.setting.iterations} {told.tests} is than "
        f"without privacy, on average{measured}. “Best found”: its place among {problem.n:,} {told.many}, in the "
        f"median.{plain} “More {told.tests}”: how many more it takes to get there. In brackets 95 % intervals, over "
        f"{runs} pairs of simulated searches{rest}."
    )


NO_COST = (
    "No cost is stated, for it would be luck. What to do: do not hand the table out for this search; if it has to be, "
    "decide by the protection alone."
)


def carries(worth: Worth | None) -> str:
    """Return that a table carries no answer, why, and what to do: to be read first. Nothing where it does."""
    if worth is None or worth.something_to_lose:
        return ""
    told = said(worth)
    return f"{told.sentence} {told.why} {told.do}"


def verdict(matter: Matter, public: Weighing | None, found: Recommendation | None, worth: Worth | None) -> str:
    """Return what is recommended from the frame alone, in a sentence, or why nothing is."""
    if worth is not None and (why := instead(worth)):
        return f"Nothing is recommended. {why.title}."
    if not matter.frame.public:
        return (
            "Nothing is recommended yet, for the frame was read off the data. What to do: on Data, say from where the "
            "ranges were known."
        )
    if worth is None or public is None or not public.complete:
        return "Being simulated …"
    made = f"in tables made up in the frame alone, of {min(matter.problem.n, MOST_ROWS):,} rows"
    if found is None:
        return f"Nothing is recommended: {made}, no search finds more than chance."
    if found.chosen is None or found.protects is None:
        return (
            f"Nothing is recommended: {made}, no ε here both protects and costs less than half of what a search gains."
        )
    return (
        f"Recommended: ε = {found.chosen.epsilon:g}, the strongest protection that costs less than half of what a "
        f"search gains, {made}. Its protection is {found.protects.word}: whoever was 50 % sure can become "
        f"{sure(found.protects).replace('over', 'more than')} sure."
    )


def on_the_data(
    matter: Matter, weighing: Weighing, found: Recommendation | None, worth: Worth | None
) -> tuple[str, ...]:
    """Return what the searches on the data say, for the holder's eyes, and what it costs to follow them."""
    if worth is None or not worth.something_to_lose or not weighing.complete:
        return ()
    return f"On the data, for your eyes: {_on_the_data(matter, found)}", FOLLOWED


def _on_the_data(matter: Matter, found: Recommendation | None) -> str:
    if found is None:
        return "say on the left what it may cost at most; then one of these ε is found."
    most = limit(matter, found)
    if found.kept is None or found.protects is None:
        return f"none of these ε costs less than {most}, with 95 % confidence."
    epsilon, word = found.kept.epsilon, found.protects.word
    means = (
        f"protection is {word}: whoever was 50 % sure can become {sure(found.protects).replace('over', 'more than')} "
        "sure."
    )
    promised = matter.strength(epsilon, for_all=True)
    if found.chosen is None and promised.level >= found.least:
        return (
            f"the frame was read off them, so the {means} In the same frame, known beforehand, ε = {epsilon:g} would "
            f"be found: {promised.word} protection for less than {most}."
        )
    if found.chosen is None:
        return f"no ε here both protects and costs less than {most}. ε = {epsilon:g} costs less, but its {means}"
    return (
        f"ε = {epsilon:g} is the strongest protection that costs less than {most}: "
        f"{amount(matter, found.kept.cost, found.limit)}. Its {means}"
    )


def limit(matter: Matter, found: Recommendation) -> str:
    """Return the limit with its unit, with all digits that a person gave it."""
    value = found.limit
    short = scientific(value) if float(f"{value:.3g}") == value else minus(f"{value:,.6g}")
    return f"{short} {unit(matter)}"


def rule(least: int) -> str:
    """Return the rule; ``least``: the level of protection that is asked for."""
    return (
        "The rule: from the largest ε to the smallest, as long as the whole 95 % interval of the cost lies below the "
        "limit, unrounded. The last ε that keeps to it is taken if its protection is "
        f"{WORDS[least]}{' or stronger' if least < len(WORDS) - 1 else ''}; otherwise none is."
    )


def reasons(
    matter: Matter, found: Recommendation | None, worth: Worth | None, *, proposed: bool, least: int
) -> tuple[str, ...]:
    """Return what stands behind the recommendation, and what to do where there is none.

    ``proposed``: the limit is not a person's. ``least``: the level of protection that is asked for.
    """
    if worth is not None and not worth.something_to_lose:
        return (NO_COST,)
    if found is None:
        return (rule(least),)
    told: list[str] = []
    if found.failed is not None:
        word = matter.protects(found.failed.epsilon).word
        more = "costs more" if found.failed.cost.low > found.limit else "may cost more"
        told.append(f"ε = {found.failed.epsilon:g} ({word}) {more}: {amount(matter, found.failed.cost, found.limit)}.")
    if found.chosen is None:
        told.append(_instead(matter, found))
    told.append(_smallest(found))
    if proposed:
        told.append(
            "The limit is a tenth of what the search without privacy finds more than chance does; set your own."
        )
    return (*filter(None, told), rule(least))


def _instead(matter: Matter, found: Recommendation) -> str:
    """Return what to do where no ε is recommended."""
    if found.kept is None and matter.strength(matter.candidates[-1], for_all=True).level >= found.least:
        return "What to do: set a higher limit, plan more tests, or add a larger ε."
    if found.kept is not None and matter.strength(found.kept.epsilon, for_all=True).level >= found.least:
        return ""  # said already
    return "What to do: set a higher limit, plan more tests, hide smaller differences, or do not hand the table out."


def _smallest(found: Recommendation) -> str:
    """Return between which ε the mean cost falls below the limit."""
    answer = found.smallest
    low, middle, high = (f"{value:.2g}" for value in (answer.low, answer.epsilon, answer.high))
    if answer.reach == "inside" and answer.high < float("inf"):
        return (
            f"The average cost, without its interval, falls below the limit at about ε = {middle} (95 % interval {low} "
            f"to {high})."
        )
    if answer.reach == "always" and found.failed is None:
        return "The smallest candidate keeps to it too: a smaller one may."
    return ""


def decided(decision: Decision | None, drawn: float | None, matter: Matter, *, recommended: float | None = None) -> str:
    """Return what is decided, as it stands, and how strongly it protects; ``recommended``: the ε that is, if one is."""
    epsilon = decision.epsilon if decision else drawn
    if epsilon is None:
        return "No ε is decided yet."
    found = matter.strength(epsilon, for_all=decision is not None)
    held = ", if the condition holds" if decision and not matter.frame.public else ""
    said = (
        f"Decision: the inputs go out at ε = {epsilon:g} {and_delta(matter.setting.noisy_delta)}, to look for "
        f"{matter.told.sought} with {matter.setting.iterations} {matter.told.tests}. Protection: {found.word}{held}."
    )
    return said if decision or epsilon == recommended else f"{said} This is not a recommendation of this page."


def not_protected(matter: Matter, epsilon: float | None, *, looked: bool) -> tuple[str, ...]:
    """Return what the promise does not cover; at the smallest candidate where no ``epsilon`` is decided."""
    told, at = matter.told, epsilon or matter.candidates[0]
    others = matter.promise(at, for_all=True).assumptions[1:]
    return (
        f"Who is in the table is not hidden, nor the columns’ names. {others[0]}",
        f"{others[1]} Whoever asks for a {told.one} learns its {matter.outcome.name} in full, unless the Workbench’s "
        "private answers are used.",
        f"{'' if epsilon else f'At ε = {at:g}: '}{larger_differences(at, matter.setting.noisy_delta)}",
        "A second release of the same table adds to the first; the Workbench’s ledger counts both together.",
        "Not counted in ε: that "
        f"{'it was chosen after searches on the data' if looked else 'this table is to be searched at all'}.",
    )


def _ordinal(rank: float) -> str:
    number = round(rank)
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending} best"
