"""The Data page's view as a script."""

from pages.parts.data.view import Condition
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import ENGINE, NUMPY, number, problem_lines, script
from privbo_core.data import Problem


def data(problem: Problem, own: Recipe | None, now: Condition, columns: int) -> str:
    """Return the Data page's view: the preparation, what was learned about each input, singular values, histograms."""
    lines = [
        problem_lines(problem, own),
        "spectrum = pb.outsourced.spectrum(problem.points)",
        'show("rows", problem.n)',
        'show("singular_values", *spectrum.values)',
        'show("sigma_min", spectrum.sigma_min)',
        f'show("omega", pb.outsourced.omega({number(now.epsilon)}, {number(now.delta)}, {now.r}))',
        "output = problem.objective if problem.maximize else -problem.objective",
        "if problem.preparation:",
        "    output = problem.preparation.output(problem.objective)",
        '    print(*problem.preparation.steps(), sep="\\n")',
        'show("lengthscales", *(problem.unit_distance * problem.kernel.lengthscale))',
        'show("unit_distances", *problem.unit_distance)',
        'show("hidden_changes", *problem.frame.hide)',
        'show("frame", *problem.frame.limits.ravel())',
        f"for i, values in enumerate([*problem.original.T[:{columns}], output]):",
        "    counts, edges = np.histogram(values, bins=min(40, max(5, int(np.sqrt(len(values))))))",
        '    show(f"counts_{i}", *counts)',
        '    show(f"edges_{i}", *edges)',
    ]
    return script("Data", [NUMPY, ENGINE], "\n".join(lines))
