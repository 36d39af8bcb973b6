"""A view as a Python script: it needs the engine alone, uses the same seeds, and prints the numbers of the figures."""

import math
from collections.abc import Mapping, Sequence

from pages.parts.bring.problems import Recipe
from pages.parts.federated.agents import FAMILY_LENGTHSCALE, MOST_AGENTS, Agents
from pages.parts.federated.words import EARLY
from pages.parts.take_away.report import versions
from privbo_core.data import SAMPLES, Problem
from privbo_core.federated import Settings
from privbo_core.outsourced import Setting
from privbo_core.outsourced.simulation import Measure, Mechanism

SHOW = """
def show(name, *values):  # six digits, as in the figures
    print(name, *(f"{value:.6g}" for value in values))
"""
FILE = "your file.csv"
NUMPY, ENGINE = "import numpy as np", "import privbo_core as pb"


def script(title: str, imports: Sequence[str], body: str) -> str:
    """Return a script: what it is and was written for, its imports, its body."""
    known = versions()
    written_for = ", ".join(f"{name} {known[name]}" for name in ("PrivBO", "Python", "numpy", "scipy", "pandas"))
    head = [f'"""{title}: prints the numbers behind the figures."""', f"# Written for {written_for}."]
    return "\n".join([*head, *imports, SHOW, body.strip(), ""])


def arguments(values: Mapping[str, object]) -> str:
    """Return keyword arguments as they are written in a call; numbers keep all their digits."""
    return ", ".join(f"{name}={number(value)}" for name, value in values.items())


def number(value: object) -> str:
    """Return a value as Python reads it, with all its digits."""
    if isinstance(value, float):
        value = float(value)  # not NumPy's own kind, which writes itself differently
        return "math.inf" if math.isinf(value) else repr(int(value) if value.is_integer() and value < 1e9 else value)
    return repr(value)


def problem_lines(problem: Problem, own: Recipe | None) -> str:
    """Return the lines that make the problem: a sample by name, or one's own table with the same choice of columns."""
    if problem.identity is not None:
        kind, _, rest = problem.identity.partition("/")
        name = rest if kind == "sample" else kind
        assert name in SAMPLES
        return f"problem = pb.data.sample({name!r})"
    assert own is not None
    chosen = {"maximize": own.maximize, "log_output": own.log_output, "encode": own.encode}
    made, fit = arguments(chosen), ""
    if own.fit is not None:  # the fit was stopped: this is what had been found
        kernel = f"{type(own.fit.kernel).__name__}(1.0, {number(own.fit.kernel.variance)})"
        lengthscales = [float(each) for each in own.fit.lengthscales]
        fit = f"\nfit = pb.gp.Fit(pb.gp.{kernel}, {number(own.fit.noise_variance)}, np.array({lengthscales!r}))"
        made += ", hyperparameters=fit"
    return (
        f"table = pb.data.load_table({FILE!r}){fit}\n"
        f"problem = pb.data.make_problem(table, {list(own.inputs)!r}, {own.output!r}, {made})"
    )


def outsourced(
    problem: Problem, own: Recipe | None, setting: Setting, runs: int, mechanisms: Sequence[Mechanism], measure: Measure
) -> str:
    """Return the Outsourced page's view: the condition or the noise, and the regret curves."""
    chosen = {"epsilon": setting.epsilon, "delta": setting.delta, "r": setting.r, "iterations": setting.iterations}
    chosen |= {"delta_ucb": setting.delta_ucb, "protected_distance": setting.protected_distance}
    lines = [problem_lines(problem, own), f"setting = Setting({arguments(chosen)})", "simulation = Simulation(problem)"]
    if "private" in mechanisms:
        lines += [
            "sigma_min = simulation.spectrum.sigma_min",
            'show("sigma_min", sigma_min)',
            'show("omega", omega(setting.epsilon, setting.delta, setting.r))',
            'show("smallest_epsilon", smallest_epsilon(sigma_min, setting.delta, setting.r))',
        ]
    if "noisy" in mechanisms:
        lines.append('show("noise", setting.noise(problem.d))')
    lines += [
        f"*_, comparison = simulation.compare(setting, {runs}, {list(mechanisms)!r})",
        f"for policy in {[*mechanisms, 'plain', 'random']!r}:",
        f"    band = comparison.band(policy, {measure!r})",
        "    show(policy, *band.mean)",
        '    show(f"{policy}_error", *band.standard_error)',
        f"for mechanism in {list(mechanisms)!r}:",
        "    extra = comparison.extra(mechanism=mechanism)",
        '    show(f"{mechanism}_extra", extra.mean[-1], extra.standard_error[-1])',
    ]
    imports = [NUMPY, ENGINE, "from privbo_core.outsourced import Setting, Simulation, omega, smallest_epsilon"]
    return script("Outsourced optimisation", imports, "\n".join(lines))


def data(problem: Problem, own: Recipe | None, epsilon: float, delta: float, r: int, columns: int) -> str:
    """Return the Data page's view: the preparation, what was learned about each input, singular values, histograms."""
    lines = [
        problem_lines(problem, own),
        "spectrum = pb.outsourced.spectrum(problem.points)",
        'show("rows", problem.n)',
        'show("singular_values", *spectrum.values)',
        'show("sigma_min", spectrum.sigma_min)',
        f'show("omega", pb.outsourced.omega({number(epsilon)}, {number(delta)}, {r}))',
        "output = problem.objective if problem.maximize else -problem.objective",
        "if problem.preparation:",
        "    output = problem.preparation.output(problem.objective)",
        '    print(*problem.preparation.steps(), sep="\\n")',
        'show("lengthscales", *(problem.unit_distance * problem.kernel.lengthscale))',
        'show("unit_distances", *problem.unit_distance)',
        f"for i, values in enumerate([*problem.original.T[:{columns}], output]):",
        "    counts, edges = np.histogram(values, bins=min(40, max(5, int(np.sqrt(len(values))))))",
        '    show(f"counts_{i}", *counts)',
        '    show(f"edges_{i}", *edges)',
    ]
    return script("Data", [NUMPY, ENGINE], "\n".join(lines))


def federated(agents: Agents, h: float, settings: Settings, N: int, runs: int, measure: str) -> str:
    """Return the Federated page's view: ε over the rounds by three accountants, regret curves of the five algorithms."""
    lines = [
        *agents_lines(agents, h, settings),
        'for accountant in ("moments", "rdp", "pld"):',
        f"    show(accountant, *losses(settings, {N}, accountant))",
        f"*_, progress = simulation.compare(variants(settings), {N}, {runs})",
        "for name in progress.finished:",
        f"    band = progress.band(name, {measure!r})",
        f"    show(name, *(band.mean * {number(agents.scale)}))",
        f'    show(f"{{name}}_error", *(band.standard_error * {number(agents.scale)}))',
        f'saved = progress.saved("DP-FTS-DE", "TS", {min(EARLY, settings.iterations)})',
        f'show("saved", *(saved.mean * {number(agents.scale)}), *(saved.standard_error * {number(agents.scale)}))',
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
