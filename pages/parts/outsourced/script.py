"""The Outsourced page's view, and Trade-off's question about it, as scripts."""

from pages.parts.export.offer import ENGINE, NUMPY, Recipe, arguments, problem_lines, script
from pages.parts.outsourced.setup import MODEL, Case
from pages.parts.system.question import Lines
from privbo_core.outsourced import Measure, Setting, Simulation


def made_of(simulation: Simulation, own: Recipe | None, setting: Setting) -> tuple[list[str], str]:
    """Return the lines that make problem and setting, and how a simulation is made of that problem."""
    names = ("epsilon", "delta", "r", "iterations", "delta_ucb", "protected_distance", "search", "once")
    chosen, model = ({name: getattr(setting, name) for name in some} for some in (names, ("initial", *MODEL)))
    changed = {name: value for name, value in model.items() if value != getattr(Setting, name)}
    more = f",\n    {arguments(changed)}" if changed else ""
    lines = [problem_lines(simulation.problem, own), f"setting = Setting({arguments(chosen)}{more})"]
    return lines, f"Simulation(problem{', functions=True' if simulation.functions else ''})"


def script_of(case: Case, own: Recipe | None, measure: Measure) -> str:
    mechanisms, runs = list(case.mechanisms), case.runs
    curves = [
        f"    band = comparison.band(policy, {measure!r})",
        "    show(policy, *band.mean)",
        '    show(f"{policy}_error", *band.standard_error)',
    ]
    if measure == "rank":
        curves = ["    show(policy, *comparison.typical_ranks(policy).median)"]
    lines, simulation = made_of(case.simulation, own, case.setting)
    lines.append(f"simulation = {simulation}")
    if "private" in mechanisms:
        lines += [
            "sigma_min = simulation.spectrum.sigma_min",
            'show("sigma_min", sigma_min)',
            'show("omega", omega(setting.epsilon, setting.delta, setting.r))',
            'show("smallest_epsilon", smallest_epsilon(sigma_min, setting.delta, setting.r))',
        ]
    if "noisy" in mechanisms:
        lines.append('show("noise", setting.noise(problem.frame))')
    also = f", also={list(case.also)!r}" if case.also else ""
    lines += [
        f"*_, comparison = simulation.compare(setting, {runs}, {mechanisms!r}{also})",
        f"for policy in simulation.policies({mechanisms!r}{also}):",
        *curves,
        f"for mechanism in {mechanisms!r}:",
        f"    cost = comparison.cost(mechanism, {measure!r})",
        '    show(f"{mechanism}_extra", cost.mean, cost.standard_error, cost.low, cost.high)',
    ]
    imports = [NUMPY, ENGINE, "from privbo_core.outsourced import Setting, Simulation, omega, smallest_epsilon"]
    return script("Outsourced optimisation", imports, "\n".join(lines))


def question_lines(
    simulation: Simulation, own: Recipe | None, setting: Setting, measure: Measure, best_r: bool
) -> Lines:
    lines, made = made_of(simulation, own, setting)
    lines.append(f"question = outsourced_question({made}, setting, measure={measure!r}, best_r={best_r})")
    return [
        "from privbo_core.outsourced import Setting, Simulation",
        "from privbo_core.tradeoff import measure, outsourced_question, settle, sweep",
    ], lines
