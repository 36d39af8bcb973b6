"""From a table to a problem in its frame, step by step, in this session's memory alone; the script that does it too."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.data.view import Condition, frame_table, framed
from pages.parts.export.offer import ENGINE, NUMPY, Recipe, number, problem_lines, script
from pages.parts.shell.depth import simple
from pages.parts.table import upload
from pages.parts.table.framing import Head, Rows, ask_frame
from pages.parts.table.own_table import OwnTable, own_table, show_own_next
from pages.parts.views.drawing import show
from pages.parts.views.text import as_markdown
from pages.parts.views.views import Figure, keep_figure
from privbo_core.data import Frame, Problem, clean, finish, frame_from
from privbo_core.data.prepare import STARTS
from privbo_core.errors import DataError

UNTIL = "No search is simulated on your table before you agree, or choose another."
USES, GOALS = ("input", "not used"), ("highest", "lowest")
ROLES = {use: use for use in USES} | {goal: f"look for the {goal}" for goal in GOALS}  # What a column may be for.


def bring() -> pd.DataFrame | None:
    """Show the place for a table, and make a problem of what is brought; return the table, if there is one."""
    table, progress = upload.bring_table(), st.empty()
    if table is not None and (choice := choose_columns(own_table())) is not None:
        prepare(choice, progress)
    return table


@dataclass(frozen=True)
class Roles:
    """What each column of a table is for, as it stands: said by somebody, or proposed."""

    mine: OwnTable
    output: str
    goal: str
    inputs: tuple[str, ...]

    @property
    def recipe(self) -> Recipe:
        """How the table is prepared then; logarithms as they are proposed, unless Expert was told otherwise."""
        first, state = self.mine.proposed(self.output), st.session_state
        kinds = {column.name: column.kind for column in self.mine.kinds}
        how = {name: str(first.encode.get(name, kinds[name])) for name in self.inputs}
        plain = {name for name in how if how[name] == "log" and not state.get(_of("log of", name), True)}
        encode = {name: each for name, each in how.items() if each != "number" and name not in plain}
        log = bool(state.get(_of("log", self.output), first.log_output))
        return Recipe(self.inputs, self.output, self.goal == "highest", log, encode, None, missing=self.mine.missing)

    def heads(self) -> Head:
        """Return what shows a column's name and what it is for, once for all that is made of one column."""
        seen = set()

        def show(name: str) -> None:
            made_of = (each for each in self.inputs if name in (each, f"log10 {each}") or name.startswith(f"{each} = "))
            source = next(made_of, name)
            if source in seen:
                st.markdown(f"**{as_markdown(name)}**")
            else:
                seen.add(source)
                self._ask(source, name)

        return show

    def show_rows(self, names: Sequence[str]) -> None:
        """Show a row for each of these columns: what it is for, and why that is proposed."""
        first, head = self.mine.proposed(self.output), self.heads()
        for name in names:
            place, said = st.columns([2.0, 4.5], vertical_alignment="bottom")
            with place:
                head(name)
            with said:
                if name == self.output:
                    upload.say_outcome(self.mine.proposed(), name)
                elif why := first.reasons.get(name):
                    st.caption(as_markdown(f"{why[0].upper()}{why[1:]}."))

    def _ask(self, name: str, label: str) -> None:
        """Show what a column is for. What is looked for stays so until another is."""
        key = upload.made(f"role/{upload.unnamed(name)}")
        offered = [*([] if name == self.output else USES), *(GOALS if name in _numeric(self.mine) else [])]
        st.session_state[key] = self.goal if name == self.output else "input"
        title, take = f"**{as_markdown(label)}**", self._take
        st.selectbox(title, offered, key=key, format_func=ROLES.__getitem__, on_change=take, args=(name, key))
        first = self.mine.proposed(self.output)
        proposed = first.reasons[name].removeprefix("logarithm: ") if first.encode.get(name) == "log" else ""
        log, why = (_of("log", name), first.log_output) if name == self.output else (_of("log of", name), proposed)
        if why or st.session_state.get(log):
            reason = as_markdown(f"Proposed, because {why}.") if why else None
            st.checkbox("as its logarithm", value=bool(why), key=log, help=reason, persist_state="session")

    def _take(self, name: str, key: str) -> None:
        """Take what somebody chose a column to be for; what was looked for before becomes an input in its place."""
        role, state = st.session_state[key], st.session_state
        if role in GOALS:
            state[upload.chosen("output")], state[_of("goal", name)] = name, role
            upload.outcome_chosen()
        place = [self.output] if role in GOALS and name != self.output else []
        self._choose([each for old in self.inputs for each in (place if old == name else [old])])

    def _choose(self, inputs: Sequence[str]) -> None:
        st.session_state[upload.INPUTS] = list(inputs)
        upload.offer_again(inputs, "inputs")

    def show_rest(self) -> None:
        """Show what is looked for, and all that is left out, with reasons, and a button where it could be an input."""
        self.show_rows([self.output])
        first = self.mine.proposed(self.output)
        left = [column for column in self.mine.kinds if column.name not in (self.output, *self.inputs)]
        able = [column.name for column in left if column.kind in ("number", "date", "category")]
        if able:
            many = len(able) > 3 * upload.MANY
            with st.container(horizontal=True, gap="small", height=upload.HIGH if many else "content"):
                for name in able:
                    key, more = upload.made(f"add/{upload.unnamed(name)}"), (*self.inputs, name)
                    label, icon = f"Add {as_markdown(name)}", ":material/add:"
                    st.button(label, key, icon=icon, on_click=self._choose, args=(more,))
        upload.account({column.name: upload.why_not(column.name, first) for column in left}, (), "inputs")


def roles_now(mine: OwnTable) -> Roles | None:
    """Return what the columns of a table are for; None, with a sentence, if none of them could be looked for."""
    if (likely := _likely(mine)) is None:
        return None
    output = st.session_state.get(upload.chosen("output"), likely)
    first = mine.proposed(output)
    inputs = st.session_state.get(upload.INPUTS) or _first_inputs(mine, output)
    goal = st.session_state.get(_of("goal", output)) or ("highest" if first.maximize else "lowest")
    return Roles(mine, output, goal, tuple(name for name in inputs if name != output))


def ask_roles() -> Roles | None:
    """Ask, a row a column, what each is for; return it once the outcome is agreed to and a problem is made of it."""
    table, progress, asked = upload.bring_table(), st.empty(), st.empty()
    roles = roles_now(own_table()) if table is not None else None
    if roles is None:
        return None
    if roles.inputs and upload.outcome_agreed(roles.output, roles.goal):
        prepare(roles.recipe, progress)
        if _prepared(roles.recipe):
            return roles
    with asked.container():
        with st.container(key="frame", gap="xsmall"):
            roles.show_rows(roles.inputs)
            roles.show_rest()
        if not roles.inputs:
            st.info("Choose at least one input.")
        else:
            upload.outcome_said(roles.output, roles.goal, UNTIL)
    return None


def choose_columns(mine: OwnTable) -> Recipe | None:
    """Show the pickers for inputs, output, direction and logarithms; return what was picked.

    None if something is missing, or if nobody has said yet that the proposed outcome is the one that is meant.
    """
    columns = {column.name: column for column in mine.kinds}
    if (likely := _likely(mine)) is None:
        return None
    numeric = _numeric(mine)
    kept: dict[str, Any] = {"persist_state": "session", "on_change": upload.outcome_chosen}
    output = st.selectbox("Output to optimise", numeric, numeric.index(likely), key=upload.chosen("output"), **kept)
    upload.say_outcome(mine.proposed(), output)
    first = mine.proposed(output)
    able = [name for name, column in columns.items() if column.kind in ("number", "date", "category")]
    able = [name for name in able if name not in (output, *first.inputs, *first.repeats)]
    taken = upload.taken_back(able, "inputs")
    offered = [name for name in columns if name in (*first.inputs, *first.repeats, *taken) and name != output]

    def described(name: str) -> str:
        kind = columns[name].kind
        if first.encode.get(name) == "frequent":
            return f"{name} (category, its frequent values)"
        return name if kind == "number" else f"{name} ({kind}, encoded)"

    inputs = st.multiselect(
        "Inputs",
        offered,
        default=_first_inputs(mine, output),
        key=upload.INPUTS,
        persist_state="session",
        format_func=described,
        help="Numbers as they are. Dates become days; each value of a category but the most frequent becomes a column "
        "of 0 and 1. Columns that cannot be used, or had better not be, are listed below with the reason.",
    )
    upload.account(
        {name: upload.why_not(name, first) for name in columns if name not in (output, *inputs)}, able, "inputs"
    )
    for name in inputs:
        if first.encode.get(name) == "log":
            label = f"{as_markdown(name)} as its logarithm: {first.reasons[name].removeprefix('logarithm: ')}"
            st.checkbox(label, value=True, key=_of("log of", name), persist_state="session")
    key, start = _of("goal", output), "highest" if first.maximize else "lowest"
    why = None if first.maximize else "Lowest is proposed, because of the column’s name."
    goal = st.segmented_control("Look for the", GOALS, default=start, key=key, required=True, help=why, **kept)
    label, log = "Take the logarithm of the output", first.log_output
    why = f"Proposed, because {log}." if log else None
    st.checkbox(label, value=bool(log), key=_of("log", output), persist_state="session", help=why)
    if not inputs:
        st.info("Choose at least one input.")
        return None
    if not upload.outcome_said(output, goal or "", UNTIL):
        return None
    return Roles(mine, output, goal or "", tuple(inputs)).recipe


def _numeric(mine: OwnTable) -> list[str]:
    return [column.name for column in mine.kinds if column.kind == "number"]


def _likely(mine: OwnTable) -> str | None:
    """Return the outcome that is proposed; None, with a sentence, if no column could be looked for."""
    if not (numeric := _numeric(mine)):
        st.error("No column of this table consists of numbers, so there is nothing that could be the output.")
        return None
    likely = mine.proposed().outcome
    return likely if likely in numeric else numeric[-1]


def _first_inputs(mine: OwnTable, output: str) -> list[str]:
    first, numeric = mine.proposed(output), _numeric(mine)
    able = [each.name for each in mine.kinds if each.name in (*first.inputs, *first.repeats) and each.name != output]
    return [name for name in first.inputs if name in numeric][:3] or able[:3]


def _of(what: str, name: str) -> str:
    """Return the key under which is kept what was said of a column."""
    return upload.chosen(f"{what}/{upload.unnamed(name)}")


def prepare(choice: Recipe, place: DeltaGenerator) -> None:
    """Clean, fit and normalise, and keep the problem; if it cannot be made, ``place`` says why.

    The fit shows its progress and can be stopped; then the best of what was found is used.
    """
    mine = own_table()
    assert mine.table is not None
    if _prepared(choice):
        return
    try:
        how = {"maximize": choice.maximize, "log_output": choice.log_output, "encode": choice.encode}
        cleaned = clean(mine.table, choice.inputs, choice.output, **how)  # type: ignore[arg-type]
        learned = upload.learn(cleaned, place)
        problem = finish(cleaned, learned.fit, title=mine.name, frame=mine.known_frame(cleaned))
    except DataError as fault:
        place.error(as_markdown(str(fault)), icon=":material/error:")
        return
    stopped = learned.starts < STARTS
    mine.keep(problem, replace(choice, fit=learned.fit if stopped else None, starts=learned.starts))
    show_own_next()
    st.rerun()


def _prepared(choice: Recipe) -> bool:
    made_by = own_table().recipe
    return made_by is not None and replace(made_by, fit=None, starts=STARTS) == choice


def show_frame(problem: Problem, mine: bool, roles: Roles | None = None) -> Problem:
    """Show the frame of the noisy release; for a person's own table as a form, with the ways to and from a file.

    Simple has no files; ``roles``: what the columns are for. Return the problem in the frame as it is typed.
    """
    finding, short, seen = framed(problem), simple(), problem
    if not short:
        table = frame_table(problem.frame)
        show(finding)
        keep_figure(Figure("frame", finding, table=table))
        if not mine:
            show(table)
    if mine:
        read = frame_from(problem.original, problem.names, problem.units)
        rows = None if roles is None else Rows(problem.original, roles.heads(), roles.show_rest)
        seen = replace(problem, known_frame=ask_frame(problem.frame, read, _use, rows))
    with st.container():  # however many warnings: what stands below keeps its place
        for warning in (*problem.frame.warnings, *(problem.frame.moved(problem.original) if mine else ())):
            st.warning(as_markdown(warning))
    return seen


def _use(frame: Frame) -> None:
    own_table().keep_frame(frame)
    st.rerun()


def data(problem: Problem, own: Recipe | None, now: Condition, columns: int) -> str:
    lines = [
        problem_lines(problem, own),
        "spectrum = pb.outsourced.spectrum(problem.points)",
        'show("rows", problem.n)',
        'show("singular_values", *spectrum.values)',
        'show("sigma_min", spectrum.sigma_min)',
        f'show("omega", pb.outsourced.omega({number(now.epsilon)}, {number(now.delta)}, {now.r}))',
        "output = problem.objective if problem.maximize else -problem.objective",
        "if problem.preparation:",
        "    output = problem.preparation.output(problem.objective)",
        '    print(*problem.preparation.steps(), sep="\\n")',
        'show("lengthscales", *(problem.unit_distance * problem.kernel.lengthscale))',
        'show("unit_distances", *problem.unit_distance)',
        'show("hidden_changes", *problem.frame.hide)',
        'show("frame", *problem.frame.limits.ravel())',
        f"for i, values in enumerate([*problem.original.T[:{columns}], output]):",
        "    bins, span = min(40, max(5, int(np.sqrt(len(values))))), np.rint(np.ptp(values)) + 1",
        "    if 2 <= span < 1e9 and np.allclose(values, np.rint(values), rtol=0, atol=1e-6):  # whole numbers",
        "        width = np.ceil(span / bins)",
        "        bins = np.rint(values.min()) - 0.5 + width * np.arange(np.ceil(span / width) + 1)",
        "    counts, edges = np.histogram(values, bins=bins)",
        '    show(f"counts_{i}", *counts)',
        '    show(f"edges_{i}", *edges)',
    ]
    return script("Data", [NUMPY, ENGINE], "\n".join(lines))
