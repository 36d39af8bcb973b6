r"""Problems and tuning tasks: a finite set of points, an objective on them, and names and units.

A table of one's own becomes a problem: find the row with the best yield, given dose and hours of all rows.

>>> import io
>>> import privbo_core as pb
>>> csv = b"dose,hours,yield\n1,10,0.31\n2,20,0.52\n3,30,0.61\n2,30,0.58\n1,20,0.44\n,5,0.10\n"
>>> table = pb.data.load_table(csv)  # or a path, or an open file
>>> problem = pb.data.make_problem(table, ["dose", "hours"], "yield")
>>> print(problem.points.shape, problem.preparation.dropped[0].reason)
(5, 2) missing

Some come with PrivBO:

>>> print(*pb.data.SAMPLES)
synthetic branin loans homes hospital
>>> print(pb.data.sample("hospital").points.shape)
(6524, 2)

The settings of a column: its range, and the change of it that a release hides:

>>> age = pb.data.FrameColumn("age", "years", low=18, high=100, hide=5)
>>> print(pb.data.Frame((age,)).place([[59.0], [64.0], [200.0]]).ravel())
[0.  1.  8.2]
"""

from privbo_core.data.columns import Column, describe
from privbo_core.data.export import to_csv
from privbo_core.data.frame import Frame, FrameColumn, frame_from
from privbo_core.data.prepare import Cleaned, clean, finish, fitting, make_problem, rule_of_thumb
from privbo_core.data.problem import Dropped, Preparation, Problem, normalise
from privbo_core.data.proposal import Proposal, propose
from privbo_core.data.reading import Question, ReadTable, load_table, read_table
from privbo_core.data.samples import (
    RANKS_SOUGHT,
    SAMPLES,
    SEARCHES,
    branin,
    rank_sought,
    sample,
    suited_search,
    synthetic,
)
from privbo_core.data.settings import ColumnSettings, TableSettings, propose_settings
from privbo_core.data.tuning import (
    TASKS,
    LipschitzLoss,
    LogisticPath,
    TuningTask,
    logistic_task,
    task_from_table,
    tuning_task,
    with_replacement,
    without,
)

__all__ = [
    "RANKS_SOUGHT",
    "SAMPLES",
    "SEARCHES",
    "TASKS",
    "Cleaned",
    "Column",
    "ColumnSettings",
    "Dropped",
    "Frame",
    "FrameColumn",
    "LipschitzLoss",
    "LogisticPath",
    "Preparation",
    "Problem",
    "Proposal",
    "Question",
    "ReadTable",
    "TableSettings",
    "TuningTask",
    "branin",
    "clean",
    "describe",
    "finish",
    "fitting",
    "frame_from",
    "load_table",
    "logistic_task",
    "make_problem",
    "normalise",
    "propose",
    "propose_settings",
    "rank_sought",
    "read_table",
    "rule_of_thumb",
    "sample",
    "suited_search",
    "synthetic",
    "task_from_table",
    "to_csv",
    "tuning_task",
    "with_replacement",
    "without",
]
