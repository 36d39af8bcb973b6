"""The lines of a script that make a tuning task."""

from pages.parts.export.offer import FILE, arguments, table_line
from pages.parts.release.tasks import MOST_ROWS, made_of
from pages.parts.table.own_table import own_table
from privbo_core.data import TASKS


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
