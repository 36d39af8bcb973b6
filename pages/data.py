"""Data: pick a sample or bring a table, set the use of each column, and see whether the table is good enough."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import ui
from pages.figures import data as figures
from pages.ui import demo
from pages.ui.numbers import count, signed, significant
from pages.ui.text import SIGMA_MIN, to_markdown, to_plain, verbatim
from privbo_core.data import SAMPLES, Problem, sample, suited_search
from privbo_core.data.proposal import encoded, who_likely
from privbo_core.data.settings import ColumnSettings, Goal, amounts_of
from privbo_core.diagnostics import Added, Diagnosis, added, judge
from privbo_core.errors import Array, DataError
from privbo_core.outsourced import Simulation
from privbo_core.privacy import gaussian_sigma
from privbo_core.release.score_tables import recognised

GOALS: dict[Goal, str] = {"highest": "Highest", "lowest": "Lowest"}
EPSILON, DELTA = 1.0, 1e-5
"""The ε and δ at which the noise of a protected difference is named, if the visitor has chosen no ε yet."""
SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_NAMES = 100, 60, 3
MAX_ADDED = 12
"""How many unused columns are tried."""
MAX_CANDIDATES, MAX_SHARES = 5000, 8
MIN_AGENT_COLUMNS, MIN_AGENTS, MIN_AGENT_ROWS, SHARE_OF_AGENTS = 3, 5, 4, 0.9
"""A table can name agents if it has these columns, and so many agents, of which that share has so many rows each."""
AGENT_NAME = re.compile(
    r"(.*[\W_])?(agent|client|user|participant|person|subject|patient|member|customer|employee|driver|player|student|"
    r"clinic|hospital|ward|practice|school|class|site|centre|center|branch|store|shop|bank|company|firm|plant|farm|lab|"
    r"station|device|machine|sensor|phone|vehicle|team|party|silo)s?([\W_]?(id|no|nr|name|code))?",
    re.IGNORECASE,
)
"""How a column is called that names agents."""
SCORE_NAMES = ("score", "accuracy", "auc", "f1", "loss", "rmse", "mae", "r2")
STEPS = (
    "**Choose the file** on the left. PrivBO reads CSV files with any delimiter and decimal mark, and asks if it is in "
    "doubt.",
    "**Check one row for each column**: what it is used for, its range, and the difference that a release hides.",
    "**Explore** what privacy costs on your table, on Outsourced or Trade-off.",
)
Cells = tuple[ColumnSettings, pd.Series]
WAITING = "Is this table good enough for a search?"


def main() -> None:
    """Show the data that are chosen, their settings, one column to scale, and the verdict, which takes a second."""
    ui.begin("data")
    left, first_screen, below = ui.columns()
    with left:
        ui.bring_table()
        ui.apply_answer()
        name = pick()
        own = ui.own_table() if name == ui.OWN_CHOICE else None
        if own is not None:
            show_own_settings(own)
    if name is None or (name == ui.OWN_CHOICE and own is None):
        with first_screen:
            show_invitation(missing=name is not None)
        return
    simulation = ui.sample_simulation(name) if own is None else None
    with first_screen:
        headline = ui.Place("headline")
        headline.html(ui.headline(WAITING, lead_of(own, None), "holder"))
        if own is not None:
            ui.ask_questions(own)
        else:
            st.empty()
        with st.container(border=True, key="card-settings", gap="xsmall"):
            ui.Place("title-settings").html(ui.title(*settings_title(own)))
            if own is not None:
                own = ui.edit_settings(own)
                ui.show_answers(own)
            elif simulation is not None:
                show_frame(simulation.problem)
        if own is not None:
            simulation = prepared(own, headline)
        if simulation is None:
            return
        shown = pick_column(own, simulation.problem, left)
        with left:
            show_ways(own)
        show(own, simulation, headline, shown)
    with below:
        show_details(own, simulation.problem)
    ui.bar("data", {"column": "Column"}, partial(script_of, simulation.problem))


def pick() -> str | None:
    """Show the choice of data, and return the name of a sample or of the visitor's own table.

    Return None for a visitor who came to bring a table. No sample is shown meanwhile.
    """
    own = ui.own_table()
    brings = st.query_params.get("bring") == "table" and not demo.is_demo()
    if own is None and brings and "data" not in st.query_params:
        if not st.button("Look at a sample instead", type="tertiary", icon=":material/dataset:"):
            return None
        del st.query_params["bring"]
        st.rerun()
    titles = {name: sample(name).title for name in SAMPLES}
    if own is not None:
        titles[ui.OWN_CHOICE] = f"Your table: {own.name}"
    elif st.query_params.get("data") == ui.OWN_CHOICE:
        titles[ui.OWN_CHOICE] = "Your table"
    return ui.choose(st.selectbox, "Data", titles, key="data", default="hospital")


def show_invitation(*, missing: bool) -> None:
    """Show how a table is brought, where there is none and a sample would be in the way."""
    if demo.is_demo():
        ui.Place("headline").html(ui.headline("Your own table isn’t here", demo.NO_OWN_TABLE))
        return
    ui.Place("headline").html(
        ui.headline(
            "Bring a table of your own",
            "One row is one record, such as a patient or a sale. One column is the outcome whose best value is sought. "
            "The table stays in the memory of this session.",
        )
    )
    place = st.empty()
    if missing:
        place.warning(ui.NOT_HERE, icon=":material/table:")
        return
    with place.container(border=True, key="card-steps"):
        for number, step in enumerate(STEPS, 1):
            st.markdown(f"{number}. {step}")


def show_own_settings(own: ui.OwnTable) -> None:
    """Show what concerns the whole table: the goal, whether the limits were known, and the file of settings."""
    assert own.settings is not None
    settings = own.settings
    goal_key, known_key = ui.choice_key("goal"), ui.choice_key("known")

    def take_goal() -> None:
        now = ui.own_table()
        if now is not None and now.settings is not None:
            ui.keep_own_table(replace(now, settings=replace(now.settings, goal=st.session_state[goal_key])))

    def take_known() -> None:
        now = ui.own_table()
        if now is not None and now.settings is not None:
            ui.keep_own_table(replace(now, settings=now.settings.said_known(st.session_state[known_key])))

    st.session_state[goal_key], st.session_state[known_key] = settings.goal, settings.known
    st.segmented_control(
        "Look for the", list(GOALS), key=goal_key, required=True, on_change=take_goal, format_func=GOALS.__getitem__,
        width="stretch",
    )  # fmt: skip
    label = "I know these limits without looking at the data"
    st.checkbox(label, key=known_key, on_change=take_known, help=ui.KNOWN_LIMITS)
    ui.show_settings_file(own)
    st.button("Clear my data", on_click=ui.forget_own_table, icon=":material/delete:", key="clear", width="stretch")


def settings_title(own: ui.OwnTable | None) -> tuple[str, str]:
    """Return the title of the rows, which states whether the guarantee's assumption about the limits is met."""
    note = "One row for each column. Larger differences are protected less."
    if own is None or own.settings is None:
        return "These limits were fixed before anyone saw the data, so the noisy release has a proven guarantee", note
    if own.settings.known:
        title = "You state that these limits were fixed before anyone saw the data, so the guarantee is proven"
        unchanged = own.limits_as_proposed
        if unchanged:
            names = ", ".join(map(verbatim, unchanged))
            note = f"But PrivBO took the limits of {names} from the table. Did you know exactly these without it?"
        return title, note
    title = "These limits were taken from the data, so an assumption of the guarantee is not met"
    return title, "Replace them with limits that you know without the data, and tick the box on the left."


def show_frame(problem: Problem) -> None:
    """Show the column settings of a sample."""
    rows = []
    for column in problem.frame.columns:
        setting = ColumnSettings(column.name, "input", "number", column.unit, column.low, column.high, column.hide)
        values = problem.original[:, problem.names.index(column.name)]
        rows.append(
            {"Column": column.name, "Use": "Input", **ui.texts_of(setting), "Hides": ui.hidden(setting, values)}
        )
    rows.append(
        {"Column": outcome_name(problem), "Use": "Outcome", "Hides": "Not released. PrivBO looks for its best value."}
    )
    st.dataframe(pd.DataFrame(rows).fillna(""), hide_index=True, column_config=ui.settings_columns())


def prepared(own: ui.OwnTable, headline: ui.Place) -> Simulation | None:
    """Return the simulation that the table's settings make. If they make none, a sentence names the reason."""
    try:
        return ui.prepare_own_table(own, lambda sentence: headline.html(ui.headline(WAITING, sentence)))
    except DataError as error:
        headline.html(ui.headline("These settings can’t be used yet", lead_of(own, None)))
        st.error(to_markdown(str(error)), icon=":material/error:")
        return None


def show(own: ui.OwnTable | None, simulation: Simulation, headline: ui.Place, shown: Cells) -> None:
    """Show one column to scale, what unused columns would add, and the verdict on the table."""
    problem = simulation.problem
    known = known_verdict(own)
    headline.html(headline_of(own, problem, known))
    figure_card, added_card = st.columns([1.5, 1], gap="small")
    with figure_card:
        show_column(*shown)
    with added_card, ui.card("added", ui.explanation("data", "unused columns")) as title:
        rows = ui.Place("added")
        title.html(ui.title(*shares_title(Shares())))
    tiles = ui.Place("tiles")
    tiles.html(ui.tiles(tiles_of(simulation, known)))
    if known is None:
        known = verdict(own, simulation)
        headline.html(headline_of(own, problem, known))
        tiles.html(ui.tiles(tiles_of(simulation, known)))
    for found in shares(own, problem):
        title.html(ui.title(*shares_title(found)))
        if shown_rows := share_rows(found):
            rows.html(ui.table_html(("Column", "Use", "Share"), shown_rows))


def known_verdict(own: ui.OwnTable | None) -> Diagnosis | None:
    """Return the verdict if it is known already, else None."""
    kept: tuple[object, Diagnosis] | None = st.session_state.get(ui.made_key("verdict")) if own is not None else None
    return kept[1] if kept is not None and kept[0] == question_of(own) else None


def question_of(own: ui.OwnTable | None) -> object:
    """Return the reading of the visitor's table, on which the verdict depends. It doesn't depend on the limits."""
    return (own.identity, own.settings.reading) if own is not None and own.settings is not None else None


def verdict(own: ui.OwnTable | None, simulation: Simulation) -> Diagnosis:
    """Return the verdict on the table. That of a sample is shared by all visitors."""
    problem = simulation.problem
    if own is None:
        assert problem.identity is not None
        return sample_verdict(problem.identity, simulation)
    found = judge(problem, search=suited_search(problem), simulation=simulation, meanwhile=ui.interrupt)
    st.session_state[ui.made_key("verdict")] = question_of(own), found
    return found


@st.cache_resource(max_entries=8, show_spinner=False)
def sample_verdict(identity: str, _simulation: Simulation) -> Diagnosis:
    """Return the verdict on a sample."""
    return judge(_simulation.problem, search=suited_search(_simulation.problem), simulation=_simulation)


def headline_of(own: ui.OwnTable | None, problem: Problem, found: Diagnosis | None) -> str:
    """Return the verdict as a headline: the table is good enough, a search gains nothing, or rows are too few."""
    lead = lead_of(own, found)
    if found is None:
        return ui.headline(WAITING, lead, "holder")
    if found.verdict == "too few":
        return ui.headline(f"{found.rows:,} rows are too few for a search", lead, "holder")
    if found.something_to_lose:
        return ui.headline(f"This table is good enough to optimise {verbatim(outcome_name(problem))}", lead, "holder")
    return ui.headline(f"A search gains nothing measurable on {verbatim(outcome_name(problem))}", lead, "holder")


def outcome_name(problem: Problem) -> str:
    """Return the name of the column that is optimised."""
    log = problem.preparation is not None and problem.preparation.log_output
    return problem.output.removeprefix("log ") if log else problem.output


def lead_of(own: ui.OwnTable | None, found: Diagnosis | None) -> str:
    """Return how the table was read, and the reason for the verdict."""
    read = ""
    if own is not None:
        short = own.table.attrs.get("short", ())
        shape = f"{count(len(own.table), 'row', 'rows')} and {count(len(own.table.columns), 'column', 'columns')}"
        changed = f" Please check what was changed: {', '.join(short[:4])}." if short else " Nothing was changed."
        read = f"PrivBO read {shape}.{changed} {own.still_open} {own.passed_over} "
    return " ".join(f"{read}{reason(found)}".split())


def reason(found: Diagnosis | None) -> str:
    """Return why a table is good enough for a search or isn't, and what to do."""
    if found is None or found.verdict == "too few":
        needed = f"It needs at least {found.needed}. Add rows, or choose fewer inputs." if found else ""
        return needed
    if found.verdict == "nothing":
        return "The inputs explain the outcome no better than chance. Choose other inputs or another outcome."
    assert found.learned is not None
    share = f"The inputs explain {percent(found.learned.share)} of the outcome"
    if found.something_to_lose:
        return f"{share}, and a search without privacy does better than random choice."
    return f"{share}, but a search without privacy does no better than random choice."


def percent(share: float) -> str:
    """Return a share as a whole percentage, which may be below 0."""
    return f"{signed(100 * share, 0)}%"


def tiles_of(simulation: Simulation, found: Diagnosis | None) -> list[ui.Tile]:
    """Return the numbers of the table: rows, the explained share, σ_min, and the search against random choice."""
    problem = simulation.problem
    preparation = problem.preparation
    rows = preparation.table_rows if preparation else problem.n
    left_out = rows - problem.n
    used = (
        "all rows of the table"
        if not left_out
        else f"of {rows:,}. {count(left_out, 'row has', 'rows have')} gaps or can’t be read"
    )
    if simulation.searched.n < problem.n:
        used = f"{used}. Searches are simulated on a random {simulation.searched.n:,}"
    explained, search = ui.Tile("Explained by the inputs", "…"), ui.Tile("Search and random choice", "…")
    if found is not None:
        explained = ui.Tile("Explained by the inputs", "–", "too few rows to tell")
        search = ui.Tile("Search and random choice", "–", "too few rows to tell")
    if found is not None and found.learned is not None and found.searched is not None:
        learned, searched = found.learned, found.searched
        low, high = (percent(learned.share + sign * 1.96 * learned.standard_error) for sign in (-1, 1))
        explained = ui.Tile(
            "Explained by the inputs", percent(learned.share), f"of the outcome (95% interval: {low} to {high})"
        )
        search = ui.Tile(
            "Search and random choice", f"{searched.rank:,.0f} and {searched.chance:,.0f}",
            f"typical rank of the best of {searched.tests} evaluations, where 1 is best",
        )  # fmt: skip
    return [
        ui.Tile("Rows used", f"{problem.n:,}", used),
        explained,
        ui.Tile(f"Smallest singular value {SIGMA_MIN}", f"{simulation.spectrum.sigma_min:,.0f}", "of the inputs"),
        search,
    ]


def pick_column(own: ui.OwnTable | None, problem: Problem, left: DeltaGenerator) -> Cells:
    """Show the choice of the column that is drawn, and return it with its cells."""
    columns = columns_of(own, problem)
    names = {column.name: column.name for column, _ in columns}
    with left:
        name = ui.choose(st.selectbox, "Column that is drawn", names, key=ui.choice_key("shown"), private=True)
    return next(each for each in columns if each[0].name == name)


def show_column(column: ColumnSettings, cells: pd.Series) -> None:
    """Show how a column is distributed, and its protected difference to scale."""
    heading, note, figure = drawn(column, cells)
    with ui.card("column", ui.explanation("data", "protected difference")) as title:
        title.html(ui.title(heading, note, "holder"))
        ui.Chart("column").draw(figure, to_plain(f"{heading}. {note}"))


def columns_of(own: ui.OwnTable | None, problem: Problem) -> list[Cells]:
    """Return the columns that are used, inputs first, with their cells."""
    if own is not None and own.settings is not None:
        used = [(column, place) for place, column in enumerate(own.settings.columns) if column.use != "not used"]
        used.sort(key=lambda each: each[0].use == "outcome")
        return [(column, own.table.iloc[:, place]) for column, place in used]
    shown = [
        ColumnSettings(each.name, "input", "number", each.unit, each.low, each.high, each.hide)
        for each in problem.frame.columns
    ]
    outcome = problem.objective if problem.preparation is None else problem.preparation.output(problem.objective)
    unit = problem.preparation.output_unit if problem.preparation else ""
    cells = [pd.Series(values) for values in problem.original.T]
    return [
        *zip(shown, cells, strict=True),
        (ColumnSettings(outcome_name(problem), "outcome", "number", unit), pd.Series(outcome)),
    ]


def drawn(column: ColumnSettings, cells: pd.Series) -> tuple[str, str, ui.Figure]:
    """Return the title, the note and the figure of a column."""
    if column.kind in ("category", "frequent"):
        counts = [(str(level), int(number)) for level, number in cells.dropna().value_counts().items()]
        title = f"The release hides which {verbatim(column.name)} a row has"
        return (
            title,
            "Another value of a category is one protected difference.",
            figures.categories(column.name, counts),
        )
    values = amounts_of(cells, column.kind)
    finite = values[np.isfinite(values) & ((values > 0) | (column.kind != "log"))]
    pair = column.pair(finite) if column.use == "input" else None
    if pair is None:
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        low, high = (low, high) if low < high else (low - 0.5, high + 0.5)
        shown = figures.Shown(column.name, column.unit, finite, low, high, log=column.kind == "log")
        return (
            f"The outcome, {column.name}, is not released",
            "The analyst asks for it row by row.",
            figures.column(shown),
        )
    low, high, hide = column.checked()
    names = ui.amount(column, pair[0]), ui.amount(column, pair[1])
    shown = figures.Shown(
        column.name, column.unit, values, low, high, pair, names, column.kind == "log", column.kind == "date"
    )
    unit = f" {verbatim(column.unit)}" if column.unit and column.kind != "date" else ""
    title = f"The release hides whether {verbatim(column.name)} is {names[0]} or {names[1]}{unit}"
    return title, noise_note(column, low, high, hide), figures.column(shown)


def noise_note(column: ColumnSettings, low: float, high: float, hide: float) -> str:
    """Return how much noise hides the protected difference, at the ε that the visitor has chosen on another page."""
    epsilon = ui.shared_epsilon() or EPSILON
    sigma = gaussian_sigma(epsilon, DELTA, 1.0)
    width = np.log(high / low) / np.log(hide) if column.kind == "log" else (high - low) / hide
    share = significant(100 * sigma / width, 2)
    return f"At ε = {epsilon:.3g}, the noise is {share}% of the range (one standard deviation)."


@dataclass(frozen=True)
class Shares:
    """The share of the outcome that each input alone explains, and the share that each unused column would add."""

    inputs: tuple[Added, ...] = ()
    unused: tuple[Added, ...] = ()


def shares(own: ui.OwnTable | None, problem: Problem) -> Iterator[Shares]:
    """Yield the share of the outcome that each column explains, as the columns are tried. The next run reuses it."""
    question, key = question_of(own), ui.made_key("shares") if own is not None else f"shares/{problem.identity}"
    kept: tuple[object, Shares] | None = st.session_state.get(key)
    if kept is not None and kept[0] == question:
        yield kept[1]
        return
    found = Shares()
    yield found
    x, y, look = problem.original, problem.objective, ui.interrupt
    for place, name in enumerate(problem.names if problem.d > 1 else ()):
        others = np.delete(x, place, axis=1)
        for each in added(others, y, {name: x[:, place]}, rng=np.random.default_rng(0), meanwhile=look):
            found = replace(found, inputs=(*found.inputs, each))
            yield found
    for each in added(x, y, unused_columns(own, problem), rng=np.random.default_rng(0), meanwhile=look):
        found = replace(found, unused=(*found.unused, each))
        yield found
    st.session_state[key] = question, found


def unused_columns(own: ui.OwnTable | None, problem: Problem) -> dict[str, Array]:
    """Return the unused columns of the visitor's table that could be inputs, as numbers in the rows that are used."""
    columns: dict[str, Array] = {}
    if own is None or own.settings is None or problem.preparation is None:
        return columns
    rows, left_out = problem.preparation.rows, own.proposal.left_out
    for place, column in enumerate(own.settings.columns):
        if column.use == "not used" and column.name not in left_out and len(columns) < MAX_ADDED:
            columns[column.name] = block_of(own.table.iloc[rows, place], column)
    return columns


def block_of(cells: pd.Series, column: ColumnSettings) -> Array:
    """Return an unused column as numbers, NaN where it has none."""
    block = encoded(cells, column.encoding)
    return np.where(np.isfinite(block), block, np.nan)


def shares_title(found: Shares) -> tuple[str, str]:
    """Return the finding about the unused columns: one would help, none would, or none was tried."""
    note = "The share of the outcome that a column explains and the other inputs don’t."
    if not found.unused:
        return "What each input explains", note
    best = max(found.unused, key=lambda each: each.share)
    if best.clear:
        return f"{verbatim(best.name)} would explain a further {percent(best.share)} of the outcome", note
    return "No unused column would explain more", note


def share_rows(found: Shares) -> list[tuple[str, str, str]]:
    """Return a row for each input and each unused column, with the share of the outcome that it explains."""
    used = (("input", found.inputs), ("not used", found.unused))
    rows = [
        (verbatim(each.name), use, _share(each))
        for use, columns in used
        for each in sorted(columns, key=lambda each: -each.share)
    ]
    return rows[:MAX_SHARES]


def _share(found: Added) -> str:
    error = round(196 * found.standard_error)
    return f"{percent(found.share)} (± {error})" if found.clear else "nothing measurable"


def show_ways(own: ui.OwnTable | None) -> None:
    """Show the links to the pages that suit the data, in the order in which they suit."""
    data = ui.OWN_CHOICE if own is not None else st.session_state.get("data", "hospital")
    ui.note("Explore these data")
    go = partial(st.page_link, icon=":material/arrow_forward:")
    agents = agent_column(own) if own is not None else None
    named = agents is not None and AGENT_NAME.fullmatch(agents) is not None
    to_federated = partial(go, "pages/federated.py", query_params={"agents": "own"})
    if named:
        to_federated(label="On Federated, because it names agents")
    if own is not None and scores_likely(own):
        go("pages/release.py", label="On Release, because it has scores", query_params={"task": "my scores"})
    go("pages/outsourced.py", label="On Outsourced", query_params={"data": data, "release": "noisy"})
    go("pages/tradeoff.py", label="On Trade-off", query_params={"data": data})
    if agents is not None and not named:
        to_federated(label=f"On Federated, if {to_markdown(agents)} names agents")


def scores_likely(own: ui.OwnTable) -> bool:
    """Return whether the rows look like configurations with a score."""
    names = [str(name) for name in own.table.columns]
    outcome = own.settings.outcome if own.settings is not None else None
    named = outcome is not None and any(word in outcome.name.lower() for word in SCORE_NAMES)
    return len(own.table) <= MAX_CANDIDATES and (recognised(names) or named)


def agent_column(own: ui.OwnTable) -> str | None:
    """Return the column of texts that can name agents, of which nearly every one has several rows, or None."""
    columns = {column.name: (place, column) for place, column in enumerate(own.columns)}
    place, likely = columns[who_likely(own.table)]
    if len(columns) < MIN_AGENT_COLUMNS or likely.kind not in ("category", "text"):
        return None
    rows = own.table.iloc[:, place].value_counts()
    several = int((rows >= MIN_AGENT_ROWS).sum())
    return likely.name if len(rows) >= MIN_AGENTS and several >= SHARE_OF_AGENTS * len(rows) else None


def show_details(own: ui.OwnTable | None, problem: Problem) -> None:
    """Show how the table was read and prepared."""
    if own is not None:
        with st.expander("The file as it was read"):
            ui.bullets([*own.table.attrs.get("notes", ("Nothing was changed in reading.",))])
            shown = own.table.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS]
            st.dataframe(pd.DataFrame({name: shown[name] for name in shown.columns}), hide_index=True)
            st.caption(to_markdown(ui.what_stays()))
    if problem.preparation is not None:
        with st.expander("Rows that are left out, and how the rest is prepared"):
            ui.bullets([*problem.preparation.steps(), *problem.preparation.warnings])
    if own is not None:
        for sentence in (*problem.frame.warnings, *problem.frame.moved(problem.original)):
            st.caption(to_markdown(sentence))


def script_of(problem: Problem) -> str:
    """Return a Python script that computes the numbers of this page. It names nothing of a visitor's table."""
    sample_name = (problem.identity or "").partition("/")
    name = sample_name[2] if sample_name[0] == "sample" else sample_name[0]
    load = f'problem = pb.data.sample("{name}")'
    if problem.identity is None:
        load = "# Prepare your own table as on this page: pb.data.load_table, pb.data.make_problem.\nproblem = ..."
    lines = f"""{load}
print("rows:", problem.n)
print("sigma_min:", pb.outsourced.spectrum(problem.points).sigma_min)
print("protected differences:", *problem.frame.hide)
found = judge(problem, search=pb.data.suited_search(problem))
print("verdict:", found.verdict)
if found.learned is not None:
    print("explained by the inputs:", found.learned.share, "standard error:", found.learned.standard_error)"""
    real = f"""The real release. It draws fresh noise, so publish it once, with column settings that were known before:
release = pb.outsourced.publish(problem.original, problem.frame, {EPSILON!r}, {DELTA!r})"""
    return ui.write_script("Data", lines, real, "from privbo_core.diagnostics import judge\n")


main()
