"""Problems and tuning tasks: a finite set of points, an objective on them, and what the numbers mean to a person."""

from privbo_core.data.columns import Column, describe
from privbo_core.data.export import to_csv
from privbo_core.data.frame import (
    Frame,
    FrameColumn,
    frame_as_json,
    frame_from,
    frame_from_json,
    read_frame,
    write_frame,
)
from privbo_core.data.make import Cleaned, clean, finish, fitting, make_problem, rule_of_thumb
from privbo_core.data.preparation import Dropped, Preparation
from privbo_core.data.problem import Problem, explained, normalise
from privbo_core.data.samples import SAMPLES, SEARCHES, sample
from privbo_core.data.synthetic import branin, synthetic
from privbo_core.data.table import load_table
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
    "SAMPLES",
    "SEARCHES",
    "TASKS",
    "Cleaned",
    "Column",
    "Dropped",
    "Frame",
    "FrameColumn",
    "LipschitzLoss",
    "LogisticPath",
    "Preparation",
    "Problem",
    "TuningTask",
    "branin",
    "clean",
    "describe",
    "explained",
    "finish",
    "fitting",
    "frame_as_json",
    "frame_from",
    "frame_from_json",
    "load_table",
    "logistic_task",
    "make_problem",
    "normalise",
    "read_frame",
    "rule_of_thumb",
    "sample",
    "synthetic",
    "task_from_table",
    "to_csv",
    "tuning_task",
    "with_replacement",
    "without",
    "write_frame",
]
