"""Pick the agents that tune together: a sample, or the visitor's own table with a column that names the agent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from pages.ui.address import choose
from pages.ui.follow import interrupt
from pages.ui.own_table import OwnTable, ask_for_table, offered, own_table
from pages.ui.sliders import OWN_DATA
from pages.ui.text import to_markdown
from privbo_core import federated
from privbo_core.budget import waiting
from privbo_core.data.proposal import who_likely
from privbo_core.federated import FederatedProblem, PublicModel, Recommended, Simulation

Kind = Literal["family", "grades", "schools", "own"]
SAMPLES: dict[Kind, str] = {
    "family": "Similar agents (synthetic)",
    "schools": "98 schools tune a classifier",
    "grades": "237 schools predict grades",
}
OWN: Kind = "own"
MAX_AGENTS = 400
FAMILY_LENGTHSCALE, FAMILY_HETEROGENEITY = 0.15, 0.1
PAPER_START = Recommended(initial=10, iterations=40, features=50, q=0.25, z=1.0, S=11.0, P=2, decay=0.5)
"""What the paper's synthetic experiments start with."""
KEPT: dict[str, Any] = {"persist_state": "session"}
"""How a widget stays as it is while other pages are visited."""
_MADE = f"{OWN_DATA}agents/made"
_MIN_COLUMNS = 3


@dataclass(frozen=True)
class OwnColumns:
    """The columns of a visitor's table that were chosen, and the model if it was known before."""

    agent: str
    parameters: tuple[str, ...]
    output: str
    maximize: bool
    model: PublicModel | None


@dataclass(frozen=True)
class Agents:
    """Agents that tune together. ``one`` of ``many`` has regret in ``unit``, and the model's unit is ``scale`` of it.

    ``simulation`` depends on how much the agents differ, if that can be set (``heterogeneous``). ``most`` is the
    largest number of agents, and ``start`` what the page starts with.
    """

    kind: Kind
    one: str
    many: str
    unit: str
    scale: float
    start: Recommended
    most: int
    heterogeneous: bool
    simulation: Callable[[float], Simulation]

    @property
    def own(self) -> bool:
        """Whether the agents come from the visitor's own table."""
        return self.kind == OWN

    def code(self, heterogeneity: float) -> str:
        """Return the lines of a Python script that make ``simulation``."""
        if self.own:
            return (
                "# Your own table: pb.data.load_table, and then pb.federated.from_table with the columns you chose.\n"
                "problem = ...\n"
                "simulation = pb.federated.Simulation(lambda run: problem)"
            )
        made = f"pb.federated.{self.kind}()"
        if self.heterogeneous:
            drawn = f"agents={self.most}, lengthscale={FAMILY_LENGTHSCALE}, heterogeneity={heterogeneity}, seed=run"
            made = f"pb.federated.synthetic({drawn})"
        return f"simulation = pb.federated.Simulation(lambda run: {made})"


@st.cache_resource(max_entries=8)
def family_simulation(heterogeneity: float) -> Simulation:
    """Return the simulation that draws new agents for each run. All visitors and pages share its runs."""
    return Simulation(
        lambda run: federated.synthetic(
            agents=MAX_AGENTS, lengthscale=FAMILY_LENGTHSCALE, heterogeneity=heterogeneity, seed=run
        )
    )


@st.cache_resource(max_entries=2)
def schools_simulation(kind: Literal["grades", "schools"]) -> Simulation:
    """Return the simulation of schools. All visitors and pages share its runs."""
    make = federated.grades if kind == "grades" else federated.schools
    return Simulation(lambda run: make())


def grades_simulation() -> Simulation:
    """Return the simulation of the schools that predict grades."""
    return schools_simulation("grades")


def pick_agents() -> Agents:
    """Show the choice of agents, and return them.

    Where a link asks for a table that this session doesn't have, the page ends here, and no sample takes its place.
    """
    titles: dict[Kind, str] = offered("agents", {**SAMPLES, OWN: "Your own table"}, (OWN,))
    kind: Kind = choose(st.selectbox, "Agents", titles, key="agents")
    return _own_agents() if kind == OWN else sample_agents(kind)


def sample_agents(kind: Kind) -> Agents:
    """Return the agents of a sample."""
    if kind == "family":
        return Agents(
            kind, "agent", "agents", "σ_{f}", 1.0, PAPER_START, MAX_AGENTS, True,
            lambda heterogeneity: family_simulation(round(heterogeneity, 2)),
        )  # fmt: skip
    simulation = schools_simulation("grades" if kind == "grades" else "schools")
    problem = simulation.problem(0)
    start = federated.GRADES_START if kind == "grades" else _start(problem)
    unit = "grades" if kind == "grades" else "accuracy"
    most = len(problem.agents)
    return Agents(kind, "school", "schools", unit, problem.unit, start, most, False, lambda _: simulation)


def _start(problem: FederatedProblem) -> Recommended:
    """Return the paper's start, with fewer initial points on a small grid. Agents soon stop following the server."""
    initial = min(10, max(1, len(problem.points) // 8))
    paper = PAPER_START
    return Recommended(initial, paper.iterations, paper.features, paper.q, paper.z, paper.S, paper.P, decay=1.0)


def _own_agents() -> Agents:
    """Return the agents of the visitor's own table, or end the page with a sentence that names the missing part."""
    table = own_table()
    if table is None:
        ask_for_table("agents", OWN, "It needs a column that names the agent.")
        st.stop()
    if len(table.table.columns) < _MIN_COLUMNS:
        _end("The table needs three columns: one that names the agent, a parameter, and the value that is tuned.")
    with st.expander("Columns of your table"):
        columns = _pick_columns(table)
    if not columns.parameters:
        _end("Choose at least one parameter that the agents tune, under “Columns of your table”.")
    simulation = _simulation(table, columns)
    first = simulation.problem(0)
    for sentence in first.notes:
        st.caption(to_markdown(sentence))
    start, most = _start(first), len(first.agents)
    return Agents(OWN, "agent", "agents", columns.output, first.unit, start, most, False, lambda _: simulation)


def _end(sentence: str) -> None:
    st.warning(to_markdown(sentence), icon=":material/table:")
    st.stop()


def _pick_columns(table: OwnTable) -> OwnColumns:
    """Ask for the roles of the columns. Nothing of it enters the address."""
    titles = {column.name: column.name for column in table.columns}
    proposal = table.proposal
    agent = _choose("Agent", titles, "agent", who_likely(table.table))
    others = {name: name for name in titles if name != agent}
    outcome = proposal.outcome if proposal.outcome in others else list(others)[-1]
    output = _choose("Value that is tuned", others, "output", str(outcome))
    free = [name for name in others if name != output]
    likely = [name for name in free if name not in proposal.left_out and name not in proposal.repeats]
    key = f"{OWN_DATA}agents/parameters"
    known = st.session_state.get(key)
    if not isinstance(known, list) or not set(known) <= set(free):
        st.session_state[key] = likely
    parameters = st.multiselect("Parameters", free, key=key, **KEPT)
    maximize = st.toggle("Larger values are better", True, key=f"{OWN_DATA}agents/maximize", **KEPT)
    return OwnColumns(agent, tuple(parameters), output, maximize, _pick_model(output, parameters))


def _choose(label: str, titles: dict[str, str], key: str, default: str) -> str:
    return choose(st.selectbox, label, titles, key=f"{OWN_DATA}agents/{key}", default=default, private=True)


def _pick_model(output: str, parameters: list[str]) -> PublicModel | None:
    """Return the model that was known before, or None if it is computed from the table."""
    about = (
        "The unit, the noise and the length-scales. If PrivBO computes them from the table, no noise of the server "
        "covers that, and the guarantee doesn't hold as stated."
    )
    if not st.toggle("The model was known before", False, key=f"{OWN_DATA}agents/known", help=about, **KEPT):
        return None

    def number(label: str, key: str, first: float) -> float:
        place = f"{OWN_DATA}agents/{key}"
        return float(st.number_input(label, 1e-9, 1e9, first, format="%g", key=place, **KEPT))

    shown = to_markdown(output)
    unit = number(f"Spread of {shown} over the parameters (one standard deviation)", "unit", 1.0)
    noise = number(f"Noise of one evaluation, in units of {shown}", "noise", 0.1)
    lengths = tuple(
        number(f"Change of {to_markdown(name)} that matters", f"length/{place}", 1.0)
        for place, name in enumerate(parameters)
    )
    return PublicModel(unit, noise, lengths)


@dataclass(frozen=True)
class _Made:
    """The simulation on the visitor's agents, and the request that it answers."""

    request: str
    simulation: Simulation


def _simulation(table: OwnTable, columns: OwnColumns) -> Simulation:
    """Return the simulation on the visitor's agents, or end the page with a sentence that names the problem."""
    request = repr((table.identity, columns))
    made = st.session_state.get(_MADE)
    if not isinstance(made, _Made) or made.request != request:
        try:
            with st.spinner("Fitting the agents’ model"), waiting(interrupt):
                problem = federated.from_table(
                    table.table, columns.agent, columns.parameters, columns.output,
                    maximize=columns.maximize, public=columns.model,
                )  # fmt: skip
        except ValueError as error:
            text = str(error).rstrip(".")
            _end(f"{text[0].upper()}{text[1:]}. Choose other columns under “Columns of your table”.")
        made = _Made(request, Simulation(lambda run: problem))
        st.session_state[_MADE] = made
    return made.simulation
