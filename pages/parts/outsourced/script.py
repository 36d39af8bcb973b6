"""The Outsourced page's view as a script."""

from pages.parts.outsourced.sliders import Case
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import ENGINE, NUMPY, arguments, problem_lines, script
from privbo_core.outsourced import Measure, Simulation


def made_of(simulation: Simulation) -> str:
    """Return how a simulation is made of the problem."""
    return f"Simulation(problem{', functions=True' if simulation.functions else ''})"


def script_of(case: Case, own: Recipe | None, measure: Measure) -> str:
    """Return the page's view: the condition or the noise, and the regret curves."""
    problem, setting, mechanisms, runs = case.simulation.problem, case.setting, case.mechanisms, case.runs
    chosen: dict[str, object] = {
        "epsilon": setting.epsilon,
        "delta": setting.delta,
        "r": setting.r,
        "iterations": setting.iterations,
    }
    chosen |= {"delta_ucb": setting.delta_ucb, "protected_distance": setting.protected_distance}
    chosen |= {"search": setting.search, "once": setting.once, "shape": setting.shape}
    means = (
        f"    band = comparison.band(policy, {measure!r})",
        "    show(policy, *band.mean)",
        '    show(f"{policy}_error", *band.standard_error)',
    )
    ranks = ("    show(policy, *comparison.typical_ranks(policy).median)",)
    lines = [
        problem_lines(problem, own),
        f"setting = Setting({arguments(chosen)})",
        f"simulation = {made_of(case.simulation)}",
    ]
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
        f"*_, comparison = simulation.compare(setting, {runs}, {list(mechanisms)!r}{also})",
        f"for policy in simulation.policies({list(mechanisms)!r}{also}):",
        *(ranks if measure == "rank" else means),
        f"for mechanism in {list(mechanisms)!r}:",
        f"    cost = comparison.cost(mechanism, {measure!r})",
        '    show(f"{mechanism}_extra", cost.mean, cost.standard_error, cost.low, cost.high)',
    ]
    imports = [NUMPY, ENGINE, "from privbo_core.outsourced import Setting, Simulation, omega, smallest_epsilon"]
    return script("Outsourced optimisation", imports, "\n".join(lines))
