"""The agents of Trade-off: a family of draws, schools, an own table; how they are spoken of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.shell.address import choose
from pages.parts.shell.session import OWN as PRIVATE
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import bring_table, chosen, say_outcome
from pages.parts.views.content import facts, prose
from pages.parts.views.drawing import note
from pages.parts.views.text import SIGMA_F, as_markdown
from pages.ui.agents import MAX_AGENTS, family_simulation, schools_simulation
from privbo_core.data.proposal import who_likely
from privbo_core.federated import (
    GRADES_START,
    FederatedProblem,
    PublicModel,
    Recommended,
    Settings,
    Simulation,
    from_table,
    possible_sub_regions,
)

Columns = tuple[str, tuple[str, ...], str, bool]  # who, the parameters, the value, whether larger is better
MOST_AGENTS = MAX_AGENTS
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
class Wording:
    """``one`` of ``many`` who tune ``what``. A difference in what is found is said in ``unit``.

    ``size``: how many of that unit there are in one of the page's own. ``errs``: what is tuned is an error, which is to
    be small. ``axis``: what the Simple picture shows, in that unit.
    """

    one: str
    many: str
    what: str
    unit: str
    size: float
    errs: bool
    axis: str

    @property
    def a_one(self) -> str:
        return f"{'an' if self.one[0] in 'aeiou' else 'a'} {self.one}"

    def differs(self, gain: float, by: str) -> str:
        if self.errs:
            return f"errs by {by} {'less' if gain > 0 else 'more'}"
        return f"is {'better' if gain > 0 else 'worse'} by {by}"


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
    scale: float = 1.0
    decay: float = 1.0
    heterogeneous: bool = False
    columns: Columns | None = None
    model: PublicModel | None = None
    start: Recommended | None = None

    @property
    def wording(self) -> Wording:
        if said := facts("samples.toml")["agents"].get(self.name):
            return Wording(**said)
        output, errs = self.first.output, not self.first.maximize
        axis = f"short of each one’s own best, in {output}"
        return Wording("participant", "participants", "the same thing", output, 1.0, errs, axis)

    @property
    def in_words(self) -> float:
        """How many of the unit that is spoken of one unit of regret is."""
        return self.scale * self.wording.size

    def settings(self, rounds: int, features: int, **others: Any) -> Settings:  # noqa: ANN401
        """Return settings with their model and their decay; ``others`` as `Settings` calls them."""
        model = self.first.kernel, self.first.noise_variance
        return Settings(*model, rounds, self.initial, features, decay=self.decay, **others)

    @property
    def initial(self) -> int:
        """How many points each agent starts from: as recommended, else the paper's ten, or fewer on a small grid."""
        return self.start.initial if self.start else min(10, max(1, len(self.first.points) // 8))

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        return possible_sub_regions(self.first.points, self.initial)

    @property
    def most(self) -> int:
        return MOST_AGENTS if self.heterogeneous else len(self.first.agents)

    @property
    def at_first(self) -> int:
        """How many take part at first: all that a task with settings of its own has, else 200 at most."""
        return self.most if self.start else min(200, self.most)


def named(name: str) -> Agents:
    """Return agents that everybody may see; schools that predict grades start at the settings recommended for them."""
    if name == FAMILY:
        first = family_simulation(0.1).problem(0)
        return Agents(name, first, lambda h: family_simulation(round(h, 2)), SIGMA_F, 1.0, 0.5, heterogeneous=True)
    start = GRADES_START if name == GRADES else None
    return alike(
        name,
        schools_simulation("grades" if name == GRADES else "schools"),
        decay=start.decay if start else 1.0,
        start=start,
    )


def alike(name: str, simulation: Simulation, **known: Any) -> Agents:  # noqa: ANN401 - as `Agents` calls them
    """Return agents that are the same in each run, and speak in the units of what they measure."""
    first = simulation.problem(0)
    return Agents(name, first, lambda _: simulation, first.output, first.unit, **known)


def pick_agents(at_first: str = FAMILY, bring: bool = True) -> Agents:
    """Show the picker and return what was chosen; a table that cannot be used leaves the last choice in place.

    ``at_first``: what it starts with. Unless it may ``bring`` a table, it offers one's own only if there is one.
    """
    offered = [name for name in TITLES if name != OWN or bring or _mine().simulation]
    offered.sort(key=lambda name: name != at_first)
    pick = partial(choose, st.selectbox, "Data", offered, default=at_first, secret=[OWN], persist_state="session")
    name = pick(key="agents", format_func=TITLES.__getitem__)
    if name != OWN:
        return named(name)
    if bring:
        with st.popover("File and columns", use_container_width=True):
            st.caption(prose("federated", "a table of agents"))
            if (table := bring_table()) is not None:
                mine = _make_problem(table, _mine())
                st.session_state[MINE] = mine
                if mine.error:
                    st.warning(as_markdown(mine.error))
    mine = _mine()
    if mine.simulation is None:
        missing = "Choose a file above. Until there is one that can be used, the schools are shown."
        st.info(as_markdown(mine.error or missing))
        return named(SCHOOLS)
    if mine.error:
        st.warning(as_markdown(mine.error))
    elif mine.notes:
        note(" ".join(mine.notes))
    if mine.columns:
        agent, _, output, _ = mine.columns
        where = "in “File and columns”" if bring else "at Expert"
        note(f"The column “{agent}” says who takes part, “{output}” what is tuned for. Choose others {where}.")
    return alike(f"own/{mine.digest}", mine.simulation, columns=mine.columns, model=mine.model)


@dataclass(frozen=True)
class Mine:
    """The agents of this session's own table.

    ``request``: what was asked for last. If it could not be had, ``error`` says why, and the rest is of what was made
    before.
    """

    request: str = ""
    error: str = ""
    simulation: Simulation | None = None
    notes: tuple[str, ...] = ()
    digest: str = ""
    columns: Columns | None = None
    model: PublicModel | None = None


def _mine() -> Mine:
    mine: Mine = st.session_state.get(MINE, Mine())
    return mine


def _make_problem(table: pd.DataFrame, mine: Mine) -> Mine:
    """Ask what the columns are, and return the agents that they make; ``mine``: those there were before."""
    names = [str(name) for name in table.columns]
    if len(names) < 3:
        columns = f"{len(names)} column{'s' if len(names) > 1 else ''}"
        return replace(mine, error=f"The table has {columns}; at least three are needed: who, a parameter, the value.")
    own = own_table()
    first, likely = own.proposed(), who_likely(table)
    agent = st.selectbox("Who (agent)", names, index=names.index(likely), key=chosen("federated agent"))
    value = first.outcome if first.outcome not in (None, agent) else names[-1]
    output = st.selectbox("Value", names, index=names.index(str(value)), key=chosen("federated output"))
    say_outcome(first, output)
    others = [name for name in names if name not in (agent, output)]
    start = [name for name in others if name not in first.left_out and name not in first.repeats]
    parameters = st.multiselect("Parameters", others, default=start, key=chosen("federated parameters"))
    if left_out := first.left_out_note((agent, output, *parameters)):
        note(left_out)
    recipe = own.recipe
    agreed = recipe.maximize if recipe and recipe.output == output else True
    maximize = st.toggle("Larger values are better", agreed, key=chosen(f"federated maximize {output} {agreed}"))
    model = _pick_model(output, parameters)
    request = repr((own.name, own.identity, agent, tuple(parameters), output, maximize, model))
    if mine.request == request:
        return mine
    try:
        with st.spinner("Placing the agents…" if model else "Fitting length-scales…"):
            problem = from_table(table, agent, parameters, output, maximize=maximize, public=model)
    except ValueError as fault:
        stays = " The table used before stays in place." if mine.simulation else ""
        return replace(mine, request=request, error=f"{str(fault)[0].upper()}{str(fault)[1:]}{stays}")
    read, digest = (agent, tuple(parameters), output, maximize), sha256(request.encode()).hexdigest()[:12]
    return Mine(request, "", Simulation(lambda run: problem), tuple(problem.notes), digest, read, model)


def _pick_model(output: str, parameters: Sequence[str]) -> PublicModel | None:
    """Return the model that a person states, None if it is taken from the table; no proposal is computed from that."""
    about = prose("federated", "a model known before")
    if not st.toggle("The model was known before", value=False, key=chosen("federated known"), help=about):
        return None

    def number(label: str, name: str, value: float) -> float:
        return float(st.number_input(label, min_value=1e-9, value=value, format="%g", key=chosen(f"federated {name}")))

    shown = as_markdown(output)
    unit = number(f"Spread of {shown} over the grid (one standard deviation)", "unit", 1.0)
    noise = number(f"Noise of one evaluation, in units of {shown}", "noise", 0.1)
    matters = "Change of {} that matters".format
    lengthscales = tuple(number(matters(as_markdown(name)), f"length {name}", 1.0) for name in parameters)
    return PublicModel(unit, noise, lengthscales)
