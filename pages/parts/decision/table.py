"""A table whose inputs go out with noise, so that somebody else searches: what is asked, said and signed."""

from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from pages.parts.decision import table_words, words
from pages.parts.decision.case import Case, Drawn, Panel, Rule, Sheet, Signature, Weighings
from pages.parts.decision.question import Signed, Who, ask_accepted, ask_candidates, ask_unit, asks_unit
from pages.parts.decision.words import MEANS, TableBasis, outcome_of
from pages.parts.live.sliders import Slider, read_controls
from pages.parts.outsourced.setup import pick_searching
from pages.parts.outsourced.shape import pick_shape
from pages.parts.shell.depth import simple
from pages.parts.shell.undocumented import give_way
from pages.parts.system import system
from pages.parts.table.diagnostics import judged, verdict_of
from pages.parts.table.orders import NothingTypedError, pick_answers
from pages.parts.table.own_table import own_table, pick_problem
from pages.parts.views.content import of_table
from pages.parts.views.text import as_markdown
from privbo_core.data.make import STARTS
from privbo_core.decision import MOST_LOST, Decision, Simulated, Weighing, in_shares, recommend, stand_in, weigh
from privbo_core.decision.standin import MOST_ROWS
from privbo_core.errors import DataError
from privbo_core.outsourced import Setting

RUNS = 100
COLUMNS = ("column", "range", "change to hide, chosen", "range known from")
FEW = 6  # Columns whose reasons stand on the page in full.
MOST = 12  # Columns that stand on the page; the order has all.
SHORTENED = 90
TESTS = Slider.of("decision.T", 10, 200, system.STEPS, whole=True)
DELTA = Slider.of("decision.delta", 1e-12, 0.1, system.DELTA, step=0.01, log=True)


def ask(name: str) -> tuple[Case, Panel]:
    simulation = pick_problem("hospital")
    problem = simulation.problem
    candidates = ask_candidates(*system.EPSILONS)
    outcome = outcome_of(problem, ask_unit(problem))
    searching = pick_searching(problem, shown=not simple())
    shape = pick_shape(problem.frame, shown=not simple())
    sliders = [TESTS] if simple() or shape == "laplace" else [TESTS, DELTA]
    controls = read_controls("decision", sliders)
    controls.values.setdefault(DELTA.key, DELTA.value)
    tests, first = system.tests(problem.n, controls.whole("T")), system.initial(problem.n)
    setting = searching.of(Setting(candidates[0], controls["delta"], system.R, tests, initial=first, shape=shape))
    told, private, unsaid = of_table(problem), None, ""
    try:
        whose = problem.identity or f"own/{own_table().identity}"
        private = pick_answers(whose, told, outcome.unit, controls["delta"], own_table().decimal)
    except DataError as fault:
        unsaid = str(fault)
        if not isinstance(fault, NothingTypedError):
            st.error(as_markdown(unsaid), icon=":material/error:")
    basis = TableBasis(simulation, replace(setting, private=private), candidates, outcome, told, unsaid)
    if own_table().simulation is simulation:
        st.page_link("pages/data.py", label="Table, columns, frame: Data", icon=":material/table:")
    return case_of(basis, name), Panel("decision", tuple(sliders), controls)


def case_of(basis: TableBasis, name: str = "Outsourced") -> Case:
    problem, simulation, setting = basis.problem, basis.simulation, basis.setting.simulated
    worth, private = partial(judged, simulation), basis.private is not None
    made = stand_in if basis.own else _made  # of an own table nothing is kept outside its session
    exact = ", with exact answers" if basis.unsaid else ""

    def weighed() -> Weighings:
        return weigh(simulation, setting, basis.candidates, RUNS, give_way, counted=system.RUNS)

    def in_public() -> Weighings:
        return weigh(made(problem.frame, problem.n), setting, basis.candidates, RUNS, give_way)

    def by_frame(public: Weighing, least: int, most: float | None) -> Rule:
        shares, strong, limit = in_shares(public), basis.weighed.promised, most or MOST_LOST
        blind = f"a limit of {limit:g} % allows blind choice" if limit >= 100 else ""
        found = recommend(shares.known, limit, strong, least) if shares.complete and not blind else None
        gone = "no search finds more than chance" if public.complete and not shares.known else blind
        where = f"in made-up tables with these ranges{', outcomes too' if private else exact}"
        rows = f"{min(problem.n, MOST_ROWS):,} rows{', whose outcomes fill the answers’ range' if private else ''}"
        half = f"half of what a search without privacy gains over chance there, in tables of {rows}"
        weighed = replace(basis.weighed, unit="% of a search’s gain", gains=half, protects=strong)
        return Rule(weighed, shares, where, found, gone, proposed=most is None, public=True, mark="%", limit=most)

    return Case(
        name=name,
        of=(simulation, setting, basis.candidates),
        subject=problem.title,
        own=own_table().simulation is simulation,
        weighed=basis.weighed,
        promise=lambda epsilon: replace(basis.promise(epsilon, for_all=True), epsilon=basis.in_all(epsilon)),
        weigh=weighed,
        weigh_in_public=in_public if basis.known else None,
        in_public=by_frame,
        mark="%",
        refuses=partial(table_words.refuses, basis),
        worth=worth,
        sentences=partial(table_words.sentences, basis),
        inside=partial(inside, basis),
        for_all=partial(for_all, basis),
        decide=partial(decision_of, basis),
        confirm=partial(ask_accepted, problem, basis.unsaid, known=basis.known),
        asks_unit=asks_unit(problem),
        made=tuple(made_of_others(basis)),
        where=f"{words.ON_DATA}{exact}",
    )


_made = lru_cache(maxsize=4)(stand_in)
"""The same for samples, whose searches every visitor may share."""


def decision_of(basis: TableBasis, epsilon: float, who: Who, looked: bool = True) -> Decision:
    """``looked``: ε is not the one recommended from the frame alone. Raises DataError for what cannot be signed."""
    recipe = own_table().recipe if basis.own else None
    simulated = Simulated(recipe.starts if recipe else STARTS, basis.setting.search, basis.setting.once)
    return Decision(
        basis.frame,
        basis.outcome,
        epsilon,
        basis.setting.noisy_delta,
        basis.setting.iterations,
        who.people,
        who.day,
        subject=who.subject,
        notes=who.notes,
        conditional_accepted=who.accepted,
        simulated=simulated,
        epsilon_from="data" if looked else "frame",
        private=basis.private,
        first=basis.setting.initial,
    )


def made_of_others(basis: TableBasis) -> list[str]:
    """Return the columns that Data made of others: the Workbench does not release them."""
    recipe = own_table().recipe if basis.own else None
    if recipe is None:
        return []
    as_they_are = [name for name in recipe.inputs if name not in recipe.encode]
    return [name for name in basis.frame.names if name not in as_they_are]


def inside(basis: TableBasis, drawn: Drawn, signature: Signature) -> Sheet:
    weighing, worth, lost = drawn.weighing, drawn.worth, drawn.counts
    rows = []
    for epsilon in basis.candidates:
        cells = table_words.cost_cells(basis, weighing, epsilon, drawn.most) if lost else ()
        rows.append((*words.cells(basis.weighed, epsilon, basis.weighed.protects(epsilon)), *cells))
    costs = f"worse by, on average, {basis.unit}", "best found, typically", f"more {basis.sample.tests}, typically"
    looked = drawn.epsilon is not None and drawn.looked
    first = verdict_of(worth) if worth and not worth.something_to_lose else None  # it carries no answer
    frame, left_out = _frame(basis)
    return Sheet(
        "inside",
        table_words.INSIDE if basis.own else table_words.INSIDE_SAMPLE,
        signature.subject or basis.problem.title,
        table_words.protected(basis),
        frame,
        table_words.condition(basis, drawn.epsilon, for_all=False, looked=looked),
        (*MEANS, *(costs if lost else ())),
        tuple(rows),
        (*((table_words.costs_note(basis, weighing),) if lost else ()), *table_words.meanings(basis, drawn.epsilon)),
        table_words.decided(None, drawn.epsilon, basis, recommended=drawn.recommended),
        table_words.not_protected(basis, drawn.epsilon, looked=drawn.looked),
        signature,
        table_words.TITLE,
        COLUMNS,
        left_out,
        basis.candidates.index(drawn.epsilon) if drawn.epsilon in basis.candidates else None,
        words.verdict(drawn),
        (*table_words.little(worth), *words.reasons(drawn)),
        f"{first.sentence} {first.why} {first.do}" if first else "",
    )


def for_all(basis: TableBasis, decision: Signed, signature: Signature) -> Sheet:
    assert isinstance(decision, Decision)
    looked, (frame, left_out) = decision.epsilon_from == "data", _frame(basis)
    found = basis.strength(decision.epsilon, for_all=True)
    everybody = "" if basis.frame.public else " but the frame, as far as it was read off them"
    if basis.private and not basis.private.public:
        everybody += f"{',' if everybody else ' but'} the range of answers, if it was read off them"
    chosen = "but ε was chosen after searches on them" if looked else "and ε is the one that the frame alone recommends"
    sample = "" if basis.own else "A sample, as if yours. "
    return Sheet(
        "share",
        f"{sample}For everybody: nothing on this page was computed from the data{everybody}, {chosen}.",
        decision.subject,
        table_words.protected(basis),
        frame,
        table_words.condition(basis, decision.epsilon, for_all=True, looked=looked),
        MEANS,
        (words.cells(basis.weighed, decision.epsilon, found),),
        (words.meaning(found, basis.weighed.guess, decision.delta),),
        table_words.decided(decision, None, basis),
        table_words.not_protected(basis, decision.epsilon, looked=looked),
        signature,
        table_words.TITLE,
        COLUMNS,
        left_out,
    )


def _frame(basis: TableBasis) -> tuple[tuple[tuple[str, ...], ...], str]:
    columns = basis.frame.columns
    rows = [table_words.frame_row(column) for column in columns[:MOST]]
    if len(columns) > FEW:
        cut = {text: f"{text[: SHORTENED - 1].rstrip()}…" for *_, text in rows if len(text) > SHORTENED}
        rows = [(*row[:-1], cut.get(row[-1], row[-1])) for row in rows]
    more = len(columns) - len(rows)
    left_out = f"{more} more column{'s' if more > 1 else ''}: in the order." if more > 0 else ""
    return tuple(rows), left_out
