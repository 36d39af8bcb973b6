"""The Federated page's view as a script."""

from pages.parts.export.offer import ENGINE, arguments, number, script, table_line
from pages.parts.federated.agents import FAMILY_LENGTHSCALE, GRADES, MOST_AGENTS, Agents
from pages.parts.federated.setup import PAPERS_NOISE, Setup
from pages.parts.table.own_table import own_table
from privbo_core.federated import Settings


def federated(setup: Setup) -> str:
    N, scale = setup.N, number(setup.agents.scale)
    papers = [f'algorithms[{PAPERS_NOISE!r}] = replace(settings, calibration="paper")']
    gained = [
        f"gained = saving(progress, 'DP-FTS-DE', {PAPERS_NOISE!r}, {setup.early})",
        f'show("gained", gained.mean * {scale}, gained.standard_error * {scale})',
    ]
    lines = [
        *agents_lines(setup.agents, setup.heterogeneity, setup.settings),
        'for accountant in ("moments", "pld"):',
        f"    show(accountant, *losses(settings, {N}, accountant))",
        f'show("exact", *losses(settings, {N}, "pld", sensitivity="exact"))',
        "algorithms = variants(settings)",
        *(papers if setup.less_noise else []),
        f"*_, progress = simulation.compare(algorithms, {N}, {setup.runs})",
        "for name in progress.finished:",
        f"    band = progress.band(name, {setup.measure!r})",
        f"    show(name, *(band.mean * {scale}))",
        f'    show(f"{{name}}_error", *(band.standard_error * {scale}))',
        f'saved = saving(progress, "DP-FTS-DE", "TS", {setup.early})',
        f'show("saved", saved.mean * {scale}, saved.standard_error * {scale})',
        *(gained if setup.less_noise else []),
    ]
    text = "\n".join(lines)
    needed = {"import math": "math.inf", "from dataclasses import replace": "replace("}
    imports = [*(line for line, used in needed.items() if used in text), ENGINE]
    imports.append("from privbo_core.federated import Settings, Simulation, losses, saving, variants")
    return script("Federated optimisation", imports, text)


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
