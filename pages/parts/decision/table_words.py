"""What the page says of a table whose inputs are to go out with noise, section by section."""

from pages.parts.decision import words
from pages.parts.decision.case import Drawn
from pages.parts.decision.words import COMING, TableBasis, costs, interval, means, so_far
from pages.parts.outsourced.shape import and_delta, noise_in
from pages.parts.table.diagnostics import explained, instead
from pages.parts.table.orders import answered_how
from pages.parts.views.text import best, epsilon_text, first_hidden, minus
from privbo_core.data import FrameColumn
from privbo_core.decision import Decision, Weighing
from privbo_core.diagnostics import Diagnosis
from privbo_core.outsourced import Needed, larger_differences
from privbo_core.outsourced.parties.terms import answers_guarantee

TITLE = "Decision: hand out a table’s inputs with noise, so that somebody else searches"
INSIDE = "Simulated with your own data: for your eyes."
INSIDE_SAMPLE = "A sample: for your eyes."
NAMED = 3
LITTLE = 0.2  # Inputs that explain less of the outcome explain little of it: those of a sample explain more.


def sentences(basis: TableBasis, drawn: Drawn) -> tuple[str, ...]:
    told, setting = basis.sample, basis.setting
    made, name = basis.problem.preparation, basis.outcome.name
    others = any(each.column == name for each in made.dropped) if made else False  # they go out, too
    more = f", and of those whose {name} no simulated search can use" if others else ""
    story = (
        f"{told.holder} is to give {told.chooser} noisy inputs of {basis.problem.n:,} {told.many}{more}, to look "
        f"for {told.sought}; {setting.initial + setting.iterations} outcomes {_answers(basis)}."
    )
    if not drawn.counts or basis.unsaid:
        return story, drawn.refused
    cost = _cost(basis, drawn)
    answered = ""
    if basis.private:
        stands = answers_guarantee(basis.private, basis.outcome).stands.partition(". ")[0]
        answered = f"The answers’ promise is {stands[0].lower()}{stands[1:].removesuffix('.')}."
    return story, means(basis.weighed, drawn), cost, *little(drawn.worth), answered


def _cost(basis: TableBasis, drawn: Drawn) -> str:
    told = costs(drawn, f"{basis.unit} in {basis.found}")
    known = drawn.weighing.of(drawn.epsilon) if drawn.epsilon and drawn.weighing.complete else None
    if known is None or known.needed is None:
        return told
    needed, tests, T = known.needed, basis.sample.tests, basis.setting.iterations
    more = f"{'' if needed.clear else 'perhaps '}{needed.more} more {tests} ({needed.span})"
    lead = f"Here it takes {more} than without privacy."
    if needed.more <= 0:
        lead = f"Here no more {tests} measured{_at_most(needed, ', at most ')}."
    if known.cost.clear or known.cost.standard_error == 0:
        return f"{lead} {told}"
    return f"{lead} With {T}, no loss shows: {interval(known.cost, drawn.most)} {basis.unit}."


def _at_most(needed: Needed, before: str, after: str = "") -> str:
    return "" if needed.open else f"{before}{max(needed.high, 0)}{after}"


def little(worth: Diagnosis | None) -> tuple[str, ...]:
    known = worth.learned if worth and worth.something_to_lose else None
    if known is None or known.share >= LITTLE:
        return ()
    assert worth is not None
    return (f"{explained(worth)} That is little for a search to go by, with privacy or without.",)


def _answers(basis: TableBasis) -> str:
    if basis.unsaid:
        return "are answered in a way that is still to be said"
    private, unit = basis.private, f" {basis.outcome.unit}" if basis.outcome.unit else ""
    return (
        f"are answered with noise of ± {private.sigma:.3g}{unit} (private answers, ε = {private.epsilon:g} each)"
        if private
        else "go out in full, unprotected"
    )


def protected(basis: TableBasis) -> str:
    told = basis.sample
    hidden = ", or ".join(first_hidden(basis.hides))
    once = "; one of these, not all at once" if len(basis.hides) > 1 else ""
    return (
        f"{answered_how(basis.private, basis.outcome.name) if not basis.unsaid else basis.unsaid} "
        f"Hidden of each {told.one}: {hidden}{once}. Hidden from {told.chooser} and everybody else who gets "
        f"the noisy table, whatever else they know. {told.chooser.capitalize()} looks for {told.sought} and "
        f"asks for {basis.setting.initial} {told.many} at random, then for {basis.setting.iterations} of its choice."
    )


def frame_row(column: FrameColumn) -> tuple[str, ...]:
    unit = f" {column.unit}" if column.unit else ""
    low, high, hide = (minus(f"{value:,.6g}") for value in (column.low, column.high, column.hide))
    return column.name, f"{low} to {high}{unit}", f"± {hide}{unit}", column.known_from.strip() or "not said"


def condition(basis: TableBasis, epsilon: float | None, *, for_all: bool, looked: bool) -> tuple[str, ...]:
    kept = basis.promise(epsilon or basis.candidates[0], for_all=for_all, looked=looked)
    more = words.vouched(kept)
    if not (basis.frame.public or for_all):
        more = (*more, "What to do: on Data, type what was known beforehand of each column, and from where.")
    if basis.private:
        promised = answers_guarantee(basis.private, basis.outcome)
        more = (*more, f"Of the answers: {promised.stands}", *words.vouched(promised))
    return kept.stands, *more


def meanings(basis: TableBasis, epsilon: float | None) -> tuple[str, ...]:
    said = words.meanings(basis.weighed, basis.setting.noisy_delta)
    epsilon = epsilon or basis.candidates[0]
    promised, left = basis.weighed.promised(epsilon), basis.weighed.protects(epsilon)
    if left.level >= promised.level:
        return (said,)
    return said, (
        f"Why the protection of ε = {epsilon:g} is {left.word}: the frame was read off the data, so one record can "
        f"move every row. In the same frame, known beforehand, it is {promised.word}."
    )


def cost_cells(basis: TableBasis, weighing: Weighing, epsilon: float, most: float | None) -> tuple[str, str, str]:
    known = weighing.of(epsilon)
    if known is None or known.rank is None or known.needed is None:
        return COMING, COMING, COMING
    needed = known.needed
    spread = "" if known.rank.low == known.rank.high else f" ({known.rank.low:,.0f} to {known.rank.high:,.0f})"
    cost, place = f"{interval(known.cost, most)}{so_far(known, weighing)}", best(float(known.rank.median))
    more = f"+{needed.more} ({needed.span})"
    return cost, f"{place}{spread}", more if needed.more > 0 else f"none measured{_at_most(needed, ' (at most ', ')')}"


def costs_note(basis: TableBasis, weighing: Weighing) -> str:
    problem, told = basis.problem, basis.sample
    runs = min((len(each.costs) for each in weighing.known), default=0) or weighing.runs
    counted = min((each.counted for each in weighing.known), default=0) or weighing.runs
    plain = f" Without privacy it is {best(float(weighing.plain_rank.median))}." if weighing.plain_rank else ""
    of_it = " Private answers’ noise is in it: of what was asked, the row is taken that the model expects most of."
    rest = "" if counted >= runs else f"; what is typical over the first {counted}, which Outsourced and Workbench show"
    return (
        f"“Worse by, on average”: how much worse {basis.found} in {basis.setting.iterations} {told.tests} "
        f"is than without privacy, as a mean, so a few bad searches count. “Typically”: in the middle one of all "
        f"searches. “Best found”: its place among {problem.n:,} {told.many}.{plain} “More {told.tests}”: how many more "
        f"it takes to find what stands there in the same row. In brackets 95 % intervals, over "
        f"{runs} pairs of simulated searches{rest}.{of_it if basis.private else ''}"
    )


def refuses(basis: TableBasis, worth: Diagnosis | None) -> str:
    if worth is not None and (why := instead(worth)):
        return f"Nothing is recommended. {why.title}."
    if basis.unsaid:
        return f"Nothing is recommended yet. {basis.unsaid}"
    if basis.known:
        return ""
    if basis.frame.public:
        return (
            "Nothing is recommended yet: nothing says from where the range of answers was known. What to do: say so "
            "under “range known from”."
        )
    unsaid = basis.frame.unsaid
    more = f" and {len(unsaid) - NAMED} more" if len(unsaid) > NAMED else ""
    return (
        f"Nothing is recommended yet: nothing says from where it was known of {', '.join(unsaid[:NAMED])}{more}. What "
        "to do: say so on Data."
    )


def decided(
    decision: Decision | None, drawn: float | None, basis: TableBasis, *, recommended: float | None = None
) -> str:
    epsilon = decision.epsilon if decision else drawn
    if epsilon is None:
        return "No ε is decided yet."
    found = basis.strength(epsilon, for_all=decision is not None)
    both = f", ε = {epsilon_text(basis.both(epsilon))} with the inputs" if basis.private else ""
    said = (
        f"Decision: the inputs with noise may go out at ε = {epsilon:g} {and_delta(basis.setting.noisy_delta)}, "
        f"to look for {basis.sample.sought} with {basis.setting.initial} {basis.sample.tests} at random and "
        f"{basis.setting.iterations} chosen ones. "
        f"{noise_in(basis.at(epsilon), basis.frame)} Outcomes {_answers(basis)}{both}. Protection: {found.word}, "
        "if what it rests on holds."
    )
    return said if decision or epsilon == recommended else f"{said} This is not a recommendation of this page."


def not_protected(basis: TableBasis, epsilon: float | None, *, looked: bool) -> tuple[str, ...]:
    """Return what the promise does not cover; at the smallest candidate where no ``epsilon`` is decided."""
    at = epsilon or basis.candidates[0]
    gaps = basis.promise(at, for_all=True).assumptions[0]
    name, unit = basis.outcome.name, f" {basis.outcome.unit}" if basis.outcome.unit else ""
    told = f"Whoever asks for a {basis.sample.one} learns its {name} in full, which may tell of its inputs, too."
    if basis.private:
        told = f"Of two that differ by more than {basis.private.hide:g}{unit} of {name}, an answer tells more."
    return (
        f"Who is in the table is not hidden, nor the columns’ names; who stands in two rows is hidden less. {gaps}",
        f"{told} Nor is it hidden which rows are asked for.",
        f"{'' if epsilon else f'At ε = {at:g}: '}{'Of the inputs alone: ' if basis.private else ''}"
        f"{larger_differences(at, basis.setting.noisy_delta)}",
        "A second release of the same table adds to the first; the Workbench’s ledger counts both together.",
        "Not counted in ε: that "
        f"{'it was chosen after searches on the data' if looked else 'somebody chose this table to be searched'}.",
    )
