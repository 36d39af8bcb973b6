"""What reading each table gives, the problems and tasks made of them, and the samples."""

import numpy as np

import privbo_core as pb
from privbo_core.about import SAMPLE_DATA
from privbo_core.data import describe, make_problem, propose
from privbo_core.data.prepare import rule_of_thumb
from tests.golden.kinds import few, sketch

SHORT = b"dose;hours;when;kind;yield\n" + b"".join(
    b"%d,5;%d;2024-0%d-11;%s;%d,%d\n"
    % (each, each % 7, each % 9 + 1, b"ab"[each % 2 : each % 2 + 1], each, each * 37 % 100)
    for each in range(1, 40)
)
"""A table as a spreadsheet in German writes it, with a date and a category."""


def entries():
    for name in ("homes", "hospital", "loans", "schools"):
        yield from table(f"data/table/{name}", SAMPLE_DATA / f"{name}.csv")
    yield from table("data/table/short", SHORT)
    for name in pb.data.SAMPLES:
        yield from problem(f"data/sample/{name}", pb.data.sample(name))
        yield f"data/searches/{name}", pb.data.SEARCHES[name]
    yield from made()
    for name in pb.data.TASKS:
        yield from task(f"data/task/{name}", pb.data.tuning_task(name))
    yield from agents()


def table(where, source):
    read = pb.data.load_table(source)
    yield f"{where}/shape", read.shape
    for column in describe(read):
        cells = read[column.name]
        where_column = f"{where}/{column.name}"
        yield where_column, [column.kind, column.usable, column.missing, len(column.levels)]
        if column.kind == "number" and cells.dtype.kind in "fi":
            yield f"{where_column}/numbers", [cells.mean(), cells.std(), cells.min(), cells.max()]
    proposal = propose(read)
    yield f"{where}/proposal", [*proposal.inputs, "to", proposal.outcome, proposal.maximize, bool(proposal.log_output)]


def problem(where, made):
    yield f"{where}/size", [made.n, made.d, made.output, made.maximize, *made.names]
    yield f"{where}/points", sketch(made.points)
    yield f"{where}/objective", sketch(made.objective)
    yield f"{where}/original", sketch(made.original)
    yield f"{where}/kernel", [made.kernel.lengthscale, made.kernel.variance, made.noise_variance, made.sigma_y]
    yield f"{where}/sigma_min", pb.outsourced.spectrum(made.points).sigma_min
    frame = made.frame
    yield f"{where}/frame", [frame.hide, frame.bounds, frame.middle]
    if made.preparation is not None:
        known = made.preparation
        yield f"{where}/preparation", [known.table_rows, len(known.rows), known.output_centre, known.output_scale]
        yield f"{where}/back", known.to_original(made.points[:2])
        yield f"{where}/output", known.output(made.objective[:3])


def made():
    read = pb.data.load_table(SHORT)
    inputs = ["dose", "hours", "when", "kind"]
    how = {"encode": {"when": "date", "kind": "category"}, "rng": np.random.default_rng(0)}
    yield from problem("data/made/short", make_problem(read, inputs, "yield", maximize=False, **how))
    homes = pb.data.load_table(SAMPLE_DATA / "homes.csv")
    yield from problem(
        "data/made/homes",
        make_problem(homes, ["longitude", "living_area"], "price", log_output=True, rng=np.random.default_rng(1)),
    )
    cleaned = pb.data.clean(homes, ["latitude", "living_area"], "price", encode={"living_area": "log"})
    rough = rule_of_thumb(cleaned)
    yield "data/made/rule of thumb", [rough.kernel.lengthscale, rough.noise_variance, *rough.lengthscales]
    yield from problem("data/made/rough", pb.data.finish(cleaned, rough))
    frame = pb.data.frame_from(read[["dose", "hours"]])
    yield "data/made/frame from", [frame.hide, frame.bounds, frame.middle, list(frame.names)]
    yield "data/made/placed", sketch(frame.place(read[["dose", "hours"]]))


def task(where, task):
    yield f"{where}/size", [task.n, task.records, list(task.names), list(task.logarithmic)]
    yield f"{where}/scores", [sketch(task.scores), few(task.score(task.objective)), task.centre, task.unit]
    yield f"{where}/points", sketch(task.points)
    yield f"{where}/without", sketch(pb.data.without(task, 3))
    if task.losses is not None:
        yield f"{where}/losses", sketch(task.losses)
    if task.reserve is not None:
        yield f"{where}/replaced", sketch(pb.data.with_replacement(task, 5, task.reserve[0]))


def agents():
    read = pb.data.load_table(SAMPLE_DATA / "schools.csv")
    few_schools = read[read["school"].isin(sorted(read["school"].unique())[:12])]
    small = pb.federated.from_table(few_schools, "school", ["log10_C", "log10_gamma"], "accuracy")
    found = {"schools": pb.federated.schools(), "grades": pb.federated.grades(), "few schools": small}
    found["synthetic"] = pb.federated.synthetic(agents=15, side=10, heterogeneity=0.3)
    for name, each in found.items():
        where = f"data/agents/{name}"
        yield f"{where}/size", [*each.objectives.shape, *each.points.shape, each.modelled, each.maximize]
        yield f"{where}/objectives", sketch(each.objectives)
        yield f"{where}/points", sketch(each.points)
        yield f"{where}/model", [each.kernel.lengthscale, each.kernel.variance, each.noise_variance, each.unit]
