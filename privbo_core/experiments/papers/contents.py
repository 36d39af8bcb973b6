"""What the five documents hold: every table and figure, how each is cited, and where this project deviates."""

from dataclasses import dataclass
from typing import Literal

from privbo_core.experiments.papers import load


@dataclass(frozen=True)
class Item:
    """A table or figure of a document: ``experiments`` that reproduce it, by name, or the reason why none does."""

    document: str
    item: str
    shows: str
    experiments: tuple[str, ...] = ()
    left_out: str = ""

    def __post_init__(self) -> None:
        if bool(self.experiments) == bool(self.left_out):
            raise ValueError(f"{self.item}: name experiments or a reason, not both.")


CONTENTS = tuple(
    Item(document["name"], **each | {"experiments": tuple(each.get("experiments", ()))})
    for document in load("contents")["documents"]
    for each in document["items"]
)
"""All of them, in the documents' order."""
OUTSOURCED, RELEASE, WORKSHOP, FEDERATED = dict.fromkeys(each.document for each in CONTENTS)

System = Literal["outsourced", "release", "federated"]


@dataclass(frozen=True)
class Deviation:
    """Where this project does not do what a paper does, or does what it leaves open.

    ``subject`` in a few words; ``paper`` and ``here``: what each has; ``why``; ``where`` in the code. ``own_choice``:
    an expression that makes the paper's own choice, evaluated with `privbo_core` as ``pb``; empty where the paper does
    not say which it is, or where it is not built.
    """

    system: System
    subject: str
    paper: str
    here: str
    why: str
    where: str
    own_choice: str = ""


DEVIATIONS = tuple(Deviation(**each) for each in load("deviations")["deviations"])


def deviations(system: System) -> tuple[Deviation, ...]:
    """Return the deviations of one of the three systems."""
    return tuple(each for each in DEVIATIONS if each.system == system)
