"""Problems and tuning tasks: a finite set of points, an objective on them, and what the numbers mean to a person."""

from privbo_core.data.problem import Problem, normalise
from privbo_core.data.synthetic import SAMPLES, branin, sample, synthetic
from privbo_core.data.tuning import (
    TASKS,
    LipschitzLoss,
    TuningTask,
    logistic_task,
    task_from_table,
    tuning_task,
    with_replacement,
    without,
)

__all__ = [
    "SAMPLES",
    "TASKS",
    "LipschitzLoss",
    "Problem",
    "TuningTask",
    "branin",
    "logistic_task",
    "normalise",
    "sample",
    "synthetic",
    "task_from_table",
    "tuning_task",
    "with_replacement",
    "without",
]
