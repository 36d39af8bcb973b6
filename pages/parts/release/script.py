"""The Release page's view as a script."""

from pages.parts.export.offer import ENGINE, FILE, NUMPY, arguments, number, script, table_line
from pages.parts.release.tasks import MOST_ROWS, made_of
from pages.parts.release.view import COVERAGE, View
from pages.parts.release.words import TITLE
from pages.parts.table.own_table import own_table
from privbo_core.data import TASKS
from privbo_core.release import Selection


def task_lines(name: str) -> list[str]:
    """Return the lines that make the task: one that comes with PrivBO, or of one's own table with the same columns."""
    if name in TASKS:
        return [f"task = pb.data.tuning_task({name!r})"]
    load = table_line(own_table().missing)
    kind, *choice = made_of()
    if kind == "scores":
        score, parameters, logs, maximize, records, width, decimals = choice
        options = {"logarithmic": list(logs), "maximize": maximize, "records": records or None, "largest_loss": width}
        options["decimals"] = decimals
        return [load, f"task = pb.data.task_from_table(table, {list(parameters)!r}, {score!r}, {arguments(options)})"]
    if kind == "results":
        (options,) = choice
        given = {name: value for name, value in options if value is not None}
        return [f"task = pb.release.task_from_scores(pb.release.read_scores({FILE!r}, {arguments(given)}))"]
    label, features = choice
    return [
        load,
        f"label, features = {label!r}, {list(features)!r}",
        "rows = table[[*features, label]].dropna()",
        f"rows = rows.sample({MOST_ROWS}, random_state=0) if len(rows) > {MOST_ROWS} else rows",
        "train, public = len(rows) // 5, len(rows) // 4",
        "sizes = dict(train=train, public=public, validation=len(rows) - train - public - len(rows) // 10)",
        "task = pb.data.logistic_task(rows[features].to_numpy(float), rows[label], rng=np.random.default_rng(0), "
        "**sizes)",
    ]


def _chances(view: View) -> list[str]:
    """Return the lines that print how likely each candidate is, in the figure's order, and what that loses."""
    by = "task.parameters[:, 0]" if len(view.task.names) == 1 else '-task.scores, kind="stable"'
    return [
        "chances = plan.choice.probabilities",
        f"order = np.argsort({by})  # as along the axis",
        'show("times_as_likely_as_blind", *(chances[order] * task.n))',
        'show("effective_candidates", plan.choice.effective_candidates)',
        'show("expected_loss", chances @ (task.scores.max() - task.scores))',
    ]


def _selected(view: View) -> list[str]:
    assert isinstance(view.plan, Selection)
    told = f"records=task.records, epsilon={number(view.epsilon)}, largest_loss=task.largest_loss"
    return [
        f"plan = pb.release.selection(task.scores, {told}, way={view.plan.way!r})",
        *_chances(view),
        "centre = chances @ task.scores",
        f"half = plan.value.half_width({COVERAGE})",
        'show("before_noise", centre)',
        'show("interval", centre - half, centre + half)',
        f"(bound,) = plan.bounds({number(view.a)})",
        'show("theorem_2", bound.value, bound.probability)',
    ]


def release_script(name: str, view: View) -> str:
    """Return a view: how likely each candidate is to be published, the noise on the score, what the theorems bound."""
    lines, values = task_lines(name), view.values
    if view.selects:
        return script(TITLE, [NUMPY, ENGINE], "\n".join([*lines, *_selected(view)]))
    noise = number(values["sigma"]) if view.algorithm == 1 else "0.0"
    known = f"sigma={noise}, iterations={view.search.iterations}, delta={number(values.get('delta', 0.05))}"
    searching = f"kernel=task.kernel, {known}, rng=np.random.default_rng(0)"
    epsilon, method = view.epsilon, {1: "noisy", 2: "noise_free", 3: "lipschitz"}[view.algorithm]
    if view.algorithm == 3:
        slope, largest, low, high = (number(values[key]) for key in ("L", "g", "lambda_min", "lambda_max"))
        told = f"loss=loss, records={int(values['m'])}, epsilon={number(epsilon)}"
        lines += [
            "values = task.parameters[:, 0]",
            f"keep = (values >= {low} * (1 - 1e-6)) & (values <= {high} * (1 + 1e-6))",
            f"search = optimise(task.points[keep], task.objective[keep], {searching})",
            f"loss = pb.data.LipschitzLoss({slope}, {largest}, {low}, {high})",
            f"plan = lipschitz(task.scores[keep][search.rows], {told})",
            "unit, centre = 1.0, plan.best",
            'show("sensitivity", plan.value.sensitivity)',
        ]
    else:
        options = {"epsilon": epsilon, "k1": values["k1"], "variant": view.variant}
        if view.algorithm == 2:
            options |= {"A": values["A"], "tau": values["tau"]}
        lines += [
            f"search = optimise(task.points, task.objective, {searching})",
            f"plan = {method}(search, {arguments(options)})",
            "unit, centre = task.unit, float(task.score(plan.best))",
            *_chances(view),
        ]
    lines += [
        f"half = plan.value.half_width({COVERAGE}) * unit",
        'show("before_noise", centre)',
        'show("interval", centre - half, centre + half)',
        f"for bound in plan.bounds({number(values['a'])}):",
        '    show(f"theorem_{bound.theorem}", bound.value * unit, bound.probability)',
    ]
    return script(TITLE, [NUMPY, ENGINE, f"from privbo_core.release import {method}, optimise"], "\n".join(lines))
