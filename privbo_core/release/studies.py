"""Checks of the trials of an Optuna study, which may come as a table or as the study itself."""

import re
from collections.abc import Sequence

import numpy as np

from privbo_core.errors import Array, DataError, whole
from privbo_core.release.scores import Kind

KINDS: dict[str, Kind] = {"part": "parts", "fold": "folds", "record": "validation"}
"""The kind of scores in columns whose names contain one of these words."""
ADAPTIVE = re.compile(r"\w*Sampler:|cma:|tpe:|gp:")
"""The prefixes of attributes that Optuna's adaptive samplers store with a trial. Some samplers store none."""

SEVERAL = "The study has several objectives. Publish a study with a single objective."
ENQUEUED = "Trials that were enqueued by hand were enqueued before any score was known."


def check_states(states: Sequence[str], numbers: Sequence[int]) -> None:
    """Raise DataError unless every trial is complete."""
    for state, number in zip(states, numbers, strict=True):
        if state == "PRUNED":
            raise DataError(
                f"Trial {number} was pruned, which depends on its scores and so on the records. Run the study without "
                "a pruner (optuna.pruners.NopPruner())."
            )
        if state != "COMPLETE":
            raise DataError(
                f"Trial {number} is {state.lower()}, but the list of trials must not depend on the records. Return the "
                "worst score of a part if training fails there, or remove the trial if it fails on any records."
            )


def stack_lists(cells: Sequence[object], attribute: str) -> Array:
    """Return one row for each list of numbers. Raises DataError unless all are lists of the same length."""
    try:
        rows = [np.asarray(cell, dtype=float) for cell in cells]
        if rows and {row.shape for row in rows} == {(len(rows[0]),)}:
            return np.vstack(rows)
    except (TypeError, ValueError):
        pass
    raise DataError(
        f"The user attribute {attribute!r} must be a list of numbers in every trial, all of the same length."
    )


def records_of(kind: Kind, columns: int, records: int | None, *, each: bool) -> int:
    """Return the least number of records that a column is a mean over.

    ``records`` is the number of records in all. With ``each``, several columns have one record each. Raises DataError
    if the number is required but missing, or impossible.
    """
    if kind == "parts":
        return 1
    if kind == "validation" and columns > 1 and each:
        if records not in (None, columns):
            raise DataError(
                f"records is {records}, but there are {columns} columns, one for each record. Leave it out."
            )
        return 1
    if records is None:
        raise DataError(
            "The scores are means and records is missing, so it is unknown how much one record moves them. Give the "
            "number of records that were scored in all, or a column for each record or part."
        )
    if whole("records", records) < columns:
        raise DataError(f"records is {records}, but there are {columns} folds. It is the number of records in all.")
    return int(records) // columns
