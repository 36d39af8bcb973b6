"""The lines of a script that make agents and their settings."""

from pages.parts.export.offer import arguments, number, table_line
from pages.parts.federated.agents import GRADES, MOST_AGENTS, Agents
from pages.parts.table.own_table import own_table
from pages.ui.agents import FAMILY_LENGTHSCALE
from privbo_core.federated import Settings


def agents_lines(agents: Agents, h: float, settings: Settings) -> list[str]:
    """Return the lines that make ``simulation`` and ``settings``: the schools, synthetic agents, or one's own table."""
    if agents.columns is not None:
        who, parameters, value, maximize = agents.columns
        model = f"pb.federated.{agents.model!r}" if agents.model else "None"
        source = (
            f"{table_line(own_table().missing)}\n"
            f"model = {model}\n"
            f"given = {{'maximize': {maximize}, 'public': model}}\n"
            f"problem = pb.federated.from_table(table, {who!r}, {list(parameters)!r}, {value!r}, **given)\n"
            "simulation = Simulation(lambda run: problem)"
        )
    elif agents.heterogeneous:
        drawn = arguments({"agents": MOST_AGENTS, "lengthscale": FAMILY_LENGTHSCALE, "heterogeneity": round(h, 2)})
        source = f"simulation = Simulation(lambda run: pb.federated.synthetic({drawn}, seed=run))"
    else:
        sample = "grades" if agents.name == GRADES else "schools"
        source = f"simulation = Simulation(lambda run: pb.federated.{sample}())"
    names = ("iterations", "initial", "features", "q", "z", "S", "P", "a", "decay")
    # Left out where they are what they are anyway.
    usual = {"sampling": "poisson", "calibration": "paper"}
    given = {name: getattr(settings, name) for name in (*names, *usual)}
    kind = "".join(f", {name}={given[name]!r}" for name, value in usual.items() if given[name] != value)
    return [
        source,
        "first = simulation.problem(0)",
        f"given = {{{', '.join(f'{name!r}: {number(given[name])}' for name in names)}}}",
        f"settings = Settings(first.kernel, first.noise_variance, **given{kind})",
    ]
