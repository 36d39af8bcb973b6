"""The Federated page's view as a script."""

from collections.abc import Sequence

from pages.parts.federated.agents import FAMILY_LENGTHSCALE, MOST_AGENTS, Agents
from pages.parts.federated.setup import Setup, Shown
from pages.parts.take_away.script import ENGINE, FILE, number, script
from privbo_core.federated import Settings


def federated(setup: Setup, shown: Shown) -> str:
    """Return the Federated page's view: ε over the rounds by three accountants, regret curves of the five algorithms."""
    N, scale = setup.N, number(setup.agents.scale)
    lines = [
        *agents_lines(setup.agents, setup.heterogeneity, setup.settings),
        'for accountant in ("moments", "rdp", "pld"):',
        f"    show(accountant, *losses(settings, {N}, accountant))",
        f"*_, progress = simulation.compare(variants(settings), {N}, {shown.runs})",
        "for name in progress.finished:",
        f"    band = progress.band(name, {shown.measure!r})",
        f"    show(name, *(band.mean * {scale}))",
        f'    show(f"{{name}}_error", *(band.standard_error * {scale}))',
        f'saved = progress.saved("DP-FTS-DE", "TS", {setup.early})',
        f'show("saved", *(saved.mean * {scale}), *(saved.standard_error * {scale}))',
    ]
    return script(
        "Federated optimisation",
        [*agents_imports(lines), "from privbo_core.federated import Settings, Simulation, losses, variants"],
        "\n".join(lines),
    )


def agents_imports(lines: Sequence[str]) -> list[str]:
    """Return what lines about agents need imported beside the classes that they name."""
    return [*(["import math"] if "math.inf" in "".join(lines) else []), ENGINE]


def agents_lines(agents: Agents, h: float, settings: Settings) -> list[str]:
    """Return the lines that make ``simulation`` and ``settings``: the schools, synthetic agents, or one's own table."""
    if agents.columns is not None:
        who, parameters, value, maximize = agents.columns
        source = (
            f"table = pb.data.load_table({FILE!r})\n"
            f"problem = pb.federated.from_table(table, {who!r}, {list(parameters)!r}, {value!r}, maximize={maximize})\n"
            "simulation = Simulation(lambda run: problem)"
        )
    elif agents.heterogeneous:
        family = (
            f"agents={MOST_AGENTS}, lengthscale={FAMILY_LENGTHSCALE}, heterogeneity={number(round(h, 2))}, seed=run"
        )
        source = f"simulation = Simulation(lambda run: pb.federated.synthetic({family}))"
    else:
        source = "simulation = Simulation(lambda run: pb.federated.schools())"
    names = ("iterations", "initial", "features", "q", "z", "S", "P", "a", "decay")
    return [
        source,
        "first = simulation.first",
        f"given = {{{', '.join(f'{name!r}: {number(getattr(settings, name))}' for name in names)}}}",
        "settings = Settings(first.kernel, first.noise_variance, **given)",
    ]
