"""The Workbench: two parties, one search. Each takes a seat; what passes between them are files."""

from collections.abc import Callable

from pages.parts.workbench.holder.seat import show_holder
from pages.parts.workbench.modeler.seat import show_modeler
from pages.parts.workbench.rehearsal.seat import show_rehearsal
from pages.parts.workbench.seats import Seat, pick_seat

SHOWN: dict[Seat, Callable[[], None]] = {
    "holder": show_holder,
    "modeler": show_modeler,
    "rehearsal": show_rehearsal,
}


def run() -> None:
    SHOWN[pick_seat()]()
