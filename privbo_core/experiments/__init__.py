"""The papers' tables and figures as data, and a runner that reproduces any of them.

>>> import tempfile
>>> from concurrent.futures import ThreadPoolExecutor  # any executor works, of threads, processes or a cluster
>>> from pathlib import Path
>>> from privbo_core import experiments
>>> bounds = experiments.find("bounds-epsilon")
>>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as executor:
...     with experiments.Store(Path(folder) / "results.jsonl") as store:
...         for step in experiments.run(bounds, executor=executor, store=store):
...             pass  # step.done of step.total pieces are finished
...     result = experiments.report(bounds, step.outcomes)
>>> print(step.done == step.total, all(result.mean(arm.name, bounds.measure) for arm in bounds.arms))
True True

On the command line: `python -m privbo_core.experiments`.
"""

from privbo_core.experiments.catalogue import EXPERIMENTS, find
from privbo_core.experiments.counts import Counts, count, count_all
from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Outcome, Piece
from privbo_core.experiments.report import Compared, Judged, Report, Standing, Verdict, report
from privbo_core.experiments.runner import RunStep, WorkerDiedError, run
from privbo_core.experiments.store import MemoryStore, Store, read
from privbo_core.experiments.tasks import work

__all__ = ["EXPERIMENTS"]
__all__ += [
    "Arm",
    "Claim",
    "Compared",
    "Counts",
    "Experiment",
    "Judged",
    "MemoryStore",
    "Number",
    "Outcome",
    "Piece",
    "Report",
]
__all__ += [
    "RunStep",
    "Standing",
    "Store",
    "Verdict",
    "WorkerDiedError",
    "count",
    "count_all",
    "find",
    "read",
    "report",
    "run",
    "work",
]
