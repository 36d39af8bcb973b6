"""The Outsourced page's view as a script."""

from pages.parts.outsourced.sliders import Case
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import ENGINE, NUMPY, arguments, problem_lines, script
from privbo_core.outsourced.simulation import Measure


def script_of(case: Case, own: Recipe | None, measure: Measure) -> str:
    """Return the page's view: the condition or the noise, and the regret curves."""
    problem, setting, mechanisms, runs = case.simulation.problem, case.setting, case.mechanisms, case.runs
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
        lines.append('show("noise", setting.noise(problem.frame))')
    lines += [
        f"*_, comparison = simulation.compare(setting, {runs}, {list(mechanisms)!r})",
        f"for policy in simulation.policies({list(mechanisms)!r}):",
        f"    band = comparison.band(policy, {measure!r})",
        "    show(policy, *band.mean)",
        '    show(f"{policy}_error", *band.standard_error)',
        f"for mechanism in {list(mechanisms)!r}:",
        "    extra = comparison.extra(mechanism=mechanism)",
        '    show(f"{mechanism}_extra", extra.mean[-1], extra.standard_error[-1])',
    ]
    imports = [NUMPY, ENGINE, "from privbo_core.outsourced import Setting, Simulation, omega, smallest_epsilon"]
    return script("Outsourced optimisation", imports, "\n".join(lines))
