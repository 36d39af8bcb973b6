"""What publishing a setting of one’s own table hides, by how its scores came about."""

from dataclasses import dataclass

from privbo_core.data import TuningTask
from privbo_core.privacy import Guarantee, Status
from privbo_core.tuning import Kind, Listed


@dataclass(frozen=True)
class Hidden:
    """``what`` is hidden in a few words; ``remark``: a sentence more; ``whole``: both in the middle of a sentence."""

    what: str
    remark: str
    whole: str


_BY_KIND: dict[Kind, Hidden] = {
    "validation": Hidden(
        "One person’s validation record",
        "whatever it holds. Not the records that the models learned from.",
        "one person’s whole validation record, whatever it holds; not the training records.",
    ),
    "folds": Hidden(
        "One person’s part in the scores",
        "not what the same record did in training the models of the other folds.",
        "one person’s part in the scores; not what the same record did in training the models of the other folds.",
    ),
    "parts": Hidden(
        "One person’s whole record",
        "training and scoring: it lies in one of the parts, and all they did is counted.",
        "one person’s whole record, in training and in scoring.",
    ),
}
PROVED = "for every table, whatever else somebody knows."
FOLDS = "if the record’s part in training the other folds’ models is left out of account."
YOURS = "for every table, if settings and range were fixed before anyone looked at the records, as you say."
SAID = (
    "if settings and range were fixed before anyone looked at the records. Say how, beside the file, and it is proved."
)


def hidden(task: TuningTask) -> Hidden | None:
    """Return what is hidden, if the task is a table of results."""
    return _BY_KIND[task.results.kind] if isinstance(task, Listed) and task.results is not None else None


def holds(task: TuningTask, guarantee: Guarantee) -> tuple[str, str]:
    """Return how far the promise of private selection holds: a word, and on what it depends."""
    listed = isinstance(task, Listed) and task.results is not None
    if guarantee.status is Status.PROVED:
        return "Proved", YOURS if listed else PROVED
    folds = isinstance(task, Listed) and task.results is not None and task.results.kind == "folds"
    return "Holds", FOLDS if folds else SAID
