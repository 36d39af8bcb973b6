"""The papers' tables and figures, as data, and the one runner that reproduces any of them.

    from privbo_core import experiments
    table = experiments.find("table-1")
    with experiments.Store("results.jsonl") as store:
        for step in experiments.run(table, executor=ProcessPoolExecutor(2), store=store):
            print(step.done, "of", step.total)
    experiments.report(table, step.outcomes).compared

On the command line: `python -m privbo_core.experiments`.
"""

from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Outcome, Piece
from privbo_core.experiments.papers import EXPERIMENTS, find
from privbo_core.experiments.report import Compared, Judged, Report, Verdict, report
from privbo_core.experiments.runner import RunStep, WorkerDiedError, run
from privbo_core.experiments.store import Shelf, Store, read
from privbo_core.experiments.tasks import work

__all__ = [
    "EXPERIMENTS",
    "Arm",
    "Claim",
    "Compared",
    "Experiment",
    "Judged",
    "Number",
    "Outcome",
    "Piece",
    "Report",
    "RunStep",
    "Shelf",
    "Store",
    "Verdict",
    "WorkerDiedError",
    "find",
    "read",
    "report",
    "run",
    "work",
]
