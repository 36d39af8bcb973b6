"""What Trade-off asks of a system, with all that it says about the question."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pages.parts.live.sliders import Controls, Slider
from pages.parts.table.diagnostics import Instead, instead
from pages.parts.views.picture import PRIVATE, Colour
from pages.parts.views.text import as_plain
from privbo_core.diagnostics import Diagnosis
from privbo_core.tradeoff import Question

Measure = Literal["early", "simple", "cumulative"]
"""The regret that a cost is measured by: that of the best found, in the first rounds or at last; or summed up."""
Lines = tuple[list[str], list[str]]  # The imports and the lines of a script that make ``question``.


@dataclass(frozen=True)
class Unit:
    """A unit for costs: its name, which follows a number, and how a cost is written in it and read from it.

    ``factor``: amounts are factors, for the output is a logarithm.
    """

    name: str
    write: Callable[[float], float] = float
    read: Callable[[float], float] = float
    factor: bool = False

    @property
    def text(self) -> str:
        return as_plain(self.name).removeprefix("in ")


@dataclass(frozen=True)
class Stroke:
    """How a mechanism is drawn: the dash of its line, the shape of its marks, its colour where nothing refutes it."""

    dash: str = "solid"
    shape: str = "circle"
    colour: Colour = PRIVATE


@dataclass(frozen=True, eq=False)
class Inquiry:
    """One question with all that the page says about it.

    ``of`` tells sweeps apart. ``size``: what a cost of one evaluation is measured against. ``units``: the first is the
    one that the figure is drawn in. ``epsilon_is`` says what ε counts, ``relation`` (Markdown) who neighbours are.
    ``data``: their title, and whether they are somebody's ``own``. ``lines``: what a script needs to make the question.
    ``show_meaning`` shows what an ε means here, for the mechanism whose promise holds best. ``log_costs``: costs span
    powers of ten. ``summed``: over how many evaluations costs are added up, if they are. ``repeats``: what a mark is
    the mean of. ``worth``: whether the table can carry an answer, as far as that is known by now; None where that is
    not asked. ``strokes``: how mechanisms are drawn, by name.
    """

    task: str
    question: Question
    of: tuple[Hashable, ...]
    controls: Controls
    low: float
    high: float
    size: float
    units: tuple[Unit, ...]
    cost_is: str
    epsilon_is: str
    relation: str
    data: str
    own: bool
    panel: Sequence[Slider] = ()
    lines: Callable[[], Lines] = lambda: ([], [])
    show_meaning: Callable[[float], None] = lambda epsilon: None
    remarks: tuple[str, ...] = ()
    log_costs: bool = False
    summed: int | None = None
    repeats: str = "runs"
    worth: Callable[[], Diagnosis | None] | None = None
    strokes: Mapping[str, Stroke] = field(default_factory=dict)

    @property
    def instead(self) -> Instead | None:
        return instead(self.worth()) if self.worth else None

    @property
    def runs(self) -> int:
        return self.controls.whole("runs")

    @property
    def key(self) -> str:
        return panel_key(self.task)


def panel_key(task: str) -> str:
    return f"tradeoff-{task.lower()}"


def shared_sliders(low: float, high: float, runs: int, most: int) -> list[Slider]:
    return [
        Slider.of("system.runs", 2, most, runs, whole=True),
        Slider.of("system.from", low, high, low, step=0.01, log=True),
        Slider.of("system.to", low, high, high, step=0.01, log=True),
    ]


def steps_slider(label: str, most: int, value: int) -> Slider:
    """Return the slider of the evaluations after which the regret is read off."""
    about = "fewer evaluations", "more evaluations", "Evaluations after which the regret is read off."
    return Slider("T", label, min(2, most), most, min(value, most), *about, whole=True)


def range_of(controls: Controls) -> tuple[float, float]:
    low, high = controls["from"], controls["to"]
    if low > high:
        controls.errors["from"] = "“ε from” lies above “ε to”; the page takes them the other way round."
    return min(low, high), max(low, high)
