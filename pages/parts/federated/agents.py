"""Whose objectives the Federated page is about: a family of draws, schools, or somebody's own table."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import pandas as pd
import streamlit as st

from pages.parts.bring.first import proposed, say_outcome
from pages.parts.bring.table import bring_table, made, table_identity, table_name
from pages.parts.federated.model import pick_model
from pages.parts.frame.address import choose
from pages.parts.frame.session import OWN as PRIVATE
from pages.parts.show.show import note
from pages.parts.values.text import SIGMA_F, as_markdown
from privbo_core.data.first import who_likely
from privbo_core.experiments.cluster.question import Agents as Drawn
from privbo_core.federated import (
    GRADES_START,
    FederatedProblem,
    PublicModel,
    Recommended,
    Simulation,
    from_table,
    grades,
    schools,
    synthetic,
)

MOST_AGENTS = 400
FAMILY_LENGTHSCALE = 0.15
MINE = f"{PRIVATE}agents"
"""Where a session keeps the problem that it made of its own table: until a later table can be used."""
FAMILY, GRADES, SCHOOLS, OWN = "family", "grades", "schools", "own"
TITLES = {
    FAMILY: "Similar agents (synthetic)",
    GRADES: "237 schools predict grades",
    SCHOOLS: "98 schools tune a classifier",
    OWN: "Your own table",
}


@dataclass(frozen=True)
class Agents:
    """What was chosen. ``decay``: an agent follows the server in round t with probability t^−decay.

    One unit of regret is ``scale`` of ``unit``. ``heterogeneous`` says whether agents can be made less alike.
    ``columns``: what an own table was read as (who, parameters, value, larger is better). ``start``: the settings that
    the task is to be started with, by their names in `Settings`; None where the page's own are as good.
    """

    name: str
    first: FederatedProblem
    simulation: Callable[[float], Simulation]
    unit: str
    scale: float
    decay: float
    heterogeneous: bool = False
    columns: tuple[str, tuple[str, ...], str, bool] | None = None
    model: PublicModel | None = None
    start: Recommended | None = None

    @property
    def in_unit(self) -> str:
        """Return the unit as it follows a number."""
        return self.unit if self.heterogeneous or self.name == GRADES else f"in {self.unit}"

    def drawn(self, heterogeneity: float) -> Drawn:
        """Return the agents as any machine can make them: by name, by what draws them, or an own table's themselves."""
        if self.heterogeneous:
            return MOST_AGENTS, FAMILY_LENGTHSCALE, round(heterogeneity, 2)
        return self.name if self.columns is None else self.first

    @property
    def initial(self) -> int:
        """How many points each agent starts from: as recommended, else the paper's ten, or fewer on a small grid."""
        if self.start is not None:
            return self.start.initial
        return min(10, max(1, len(self.first.points) // 8))


@st.cache_resource(max_entries=8)
def family(heterogeneity: float) -> Simulation:
    """Return the simulation in which each run draws agents anew; nothing in it is private, so all sessions share it."""
    return Simulation(
        lambda run: synthetic(agents=MOST_AGENTS, lengthscale=FAMILY_LENGTHSCALE, heterogeneity=heterogeneity, seed=run)
    )


@st.cache_resource(max_entries=1)
def school_runs() -> Simulation:
    """Return the simulation of the schools, shared by all sessions."""
    return Simulation(lambda run: schools())


@st.cache_resource(max_entries=1)
def grade_runs() -> Simulation:
    """Return the simulation of the schools that predict grades, shared by all sessions."""
    return Simulation(lambda run: grades())


def graders() -> Agents:
    """Return the schools that predict grades, to be started at the settings recommended for them."""
    runs, start = grade_runs(), GRADES_START
    first = runs.first
    return Agents(GRADES, first, lambda _: runs, first.output, first.unit, start.decay, start=start)


def pick_agents(at_first: str = FAMILY, bring: bool = True) -> Agents:
    """Show the picker and return what was chosen; a table that cannot be used leaves the last choice in place.

    ``at_first``: what it starts with. Unless it may ``bring`` a table, it offers one's own only if there is one already.
    """
    offered = [name for name in TITLES if name != OWN or bring or "simulation" in st.session_state.get(MINE, {})]
    name = choose(
        st.selectbox,
        "Data",
        sorted(offered, key=lambda name: name != at_first),
        key="agents",
        default=at_first,
        secret=[OWN],
        format_func=TITLES.__getitem__,
        persist_state="session",
    )
    if name == OWN:
        if bring:
            with st.popover("File and columns", use_container_width=True):
                _bring()
        mine = st.session_state.get(MINE, {})
        if "simulation" in mine:
            if "error" in mine:
                st.warning(as_markdown(mine["error"]))
            elif mine.get("notes"):
                note(" ".join(mine["notes"]))
            simulation: Simulation = mine["simulation"]
            first = simulation.first
            return Agents(
                f"own/{mine['digest']}",
                first,
                lambda _: simulation,
                first.output,
                first.unit,
                1.0,
                columns=mine["columns"],
                model=mine["model"],
            )
        st.info(
            as_markdown(
                mine.get("error", "Choose a file above. Until there is one that can be used, the schools are shown.")
            )
        )
    if name == GRADES:
        return graders()
    if name != FAMILY:
        runs = school_runs()
        return Agents("schools", runs.first, lambda _: runs, runs.first.output, runs.first.unit, 1.0)
    return Agents("family", family(0.1).first, lambda h: family(round(h, 2)), SIGMA_F, 1.0, 0.5, True)


def _bring() -> None:
    st.caption(
        "A CSV file with one row for each agent and each point that it tried: who, the parameters, the value there. It "
        "stays in this session’s memory."
    )
    table = bring_table()
    if table is not None:
        mine = st.session_state.setdefault(MINE, {})
        _columns(table, mine)
        if "error" in mine:
            st.warning(as_markdown(str(mine["error"])))


def _columns(table: pd.DataFrame, mine: dict[str, object]) -> None:
    """Show the column pickers, and make a problem of the columns picked."""
    names = [str(name) for name in table.columns]
    if len(names) < 3:
        mine["error"] = (
            f"The table has {len(names)} column{'s' if len(names) > 1 else ''}; at least three are needed: "
            "who, a parameter, the value."
        )
        return
    first = proposed(table)
    likely = who_likely(table)
    agent = st.selectbox("Who (agent)", names, index=names.index(likely), key=made("federated agent"))
    value = first.outcome if first.outcome not in (None, agent) else names[-1]
    output = st.selectbox("Value", names, index=names.index(str(value)), key=made("federated output"))
    say_outcome(first, output)
    others = [name for name in names if name not in (agent, output)]
    start = [name for name in others if name not in first.left_out and name not in first.repeats]
    parameters = st.multiselect("Parameters", others, default=start, key=made("federated parameters"))
    if said := first.left_out_said((agent, output, *parameters)):
        note(said)
    maximize = st.toggle("Larger values are better", value=True, key=made("federated maximize"))
    model = pick_model(output, parameters)
    asked = repr((table_name(), table_identity(), agent, tuple(parameters), output, maximize, model))
    if mine.get("asked") == asked:
        return
    mine["asked"] = asked
    try:
        with st.spinner("Placing the agents…" if model else "Fitting length-scales…"):
            problem = from_table(table, agent, parameters, output, maximize=maximize, public=model)
    except ValueError as problem_found:
        kept = " The table used before stays in place." if "simulation" in mine else ""
        mine["error"] = f"{str(problem_found)[0].upper()}{str(problem_found)[1:]}{kept}"
        return
    mine["notes"] = problem.notes
    mine.update(simulation=Simulation(lambda run: problem), digest=sha256(asked.encode()).hexdigest()[:12])
    mine["columns"], mine["model"] = (agent, tuple(parameters), output, maximize), model
    mine.pop("error", None)
