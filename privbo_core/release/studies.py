"""What holds for the trials of a study, whether they come as a table or as the study itself."""

import re
from collections.abc import Sequence

import numpy as np

from privbo_core.errors import Array, DataError, whole
from privbo_core.release.scores import Kind

KINDS: dict[str, Kind] = {"part": "parts", "fold": "folds", "record": "validation"}
"""The kind of scores that columns with each of these words in their names hold."""
ADAPTIVE = re.compile(r"\w*Sampler:|cma:|tpe:|gp:")
"""The beginnings of the names under which Optuna's adaptive samplers keep notes with a trial. Some keep none."""

SEVERAL = "The study has several objectives. Publish a study with a single objective."
ENQUEUED = "Trials that were enqueued by hand were so before any score was known."


def check_states(states: Sequence[str], numbers: Sequence[int]) -> None:
    """Raise DataError unless every trial is complete."""
    for state, number in zip(states, numbers, strict=True):
        if state == "PRUNED":
            raise DataError(
                f"Trial {number} was pruned, which depends on its scores and so on the records: run the study without "
                "a pruner (optuna.pruners.NopPruner())."
            )
        if state != "COMPLETE":
            raise DataError(
                f"Trial {number} is {state.lower()}, and which trials count must not depend on the records: return the "
                "worst score of its part where training fails, or remove it if it fails whatever they are."
            )


def lists(cells: Sequence[object], attribute: str) -> Array:
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

    ``records`` is the number of all of them. ``each``: several columns are one record each. Raises DataError where the
    number is needed and missing, or impossible.
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
            "The scores are means and records is missing, so nothing says how little one record moves them: say how "
            "many records were scored in all, or bring a column for each record or part."
        )
    if whole("records", records) < columns:
        raise DataError(f"records is {records}, but there are {columns} folds. It is the number of records in all.")
    return int(records) // columns
