"""What is said of the search on each map: of patients, of loans, of homes."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pages.parts.views.content import Goal, Sample, known
from pages.parts.views.text import minus, two_digits
from privbo_core.classroom.ground import Ground, Map

TITLE = "Be the searcher"
QUESTION = "You see a blurred map and may test eight of its points. Do you find the best one before the machine does?"


SOURCES = ("hospital", "loans", "homes")
"""The samples whose maps are searched."""


@dataclass(frozen=True)
class Column:
    """An input of the map: its name, what is more of it, and how far noise of so much moved a record at a latitude."""

    name: str
    more: str
    moved: Callable[[float, float], str]


def _metres(degrees: float, shrunk: float = 1.0) -> str:
    return f"{amount(float(f'{degrees * 111_200 * shrunk:.2g}'))} m"  # a degree of latitude is 111.2 km


COLUMNS = {
    "age": Column("age", "older", lambda years, _: f"{amount(years)} years of age"),
    "log_creatinine": Column(
        "kidney value (creatinine)",
        "higher kidney value",
        lambda change, _: f"a factor of {two_digits(math.exp(change))} in the kidney value (creatinine)",
    ),
    "interest_rate": Column(
        "interest rate", "higher interest rate", lambda points, _: f"{amount(points)} points of interest"
    ),
    "amount": Column("amount", "larger amount", lambda dollars, _: f"{amount(float(f'{dollars:.2g}'))} USD"),
    "longitude": Column(
        "place from west to east",
        "farther east",
        lambda degrees, latitude: f"{_metres(degrees, math.cos(math.radians(latitude)))} east or west",
    ),
    "latitude": Column(
        "place from south to north", "farther north", lambda degrees, _: f"{_metres(degrees)} north or south"
    ),
}
"""By the names that the tables give them, which are for machines."""


def columns_of(ground: Ground) -> tuple[Column, ...]:
    """Return the inputs of a ground’s map."""
    return tuple(COLUMNS[name] for name in ground.problem.names)


def moved(released: Map) -> str:
    """Return how far noise moved each record of a noisy release, in each of the inputs."""
    ground = released.ground
    latitude = float(ground.problem.original[:, -1].mean()) if ground.source == "homes" else 0.0
    hidden = [each.hide for each in ground.problem.frame.columns]
    return " and ".join(
        column.moved(released.sigma * hide, latitude) for column, hide in zip(columns_of(ground), hidden, strict=True)
    )


def ways(released: Map) -> tuple[tuple[str, bool], tuple[str, bool]]:
    """Return what grows to the right and what upwards on a map; False with what grows the other way.

    On the paper’s map nothing does: each of its directions is a mix of both inputs.
    """
    columns = columns_of(released.ground)
    if released.mechanism == "private":
        mix = f"a mix of {columns[0].name} and {columns[1].name}"
        return (mix, True), ("another mix of both", True)
    (across, right), (up, high) = released.laid
    return (columns[across].more, right > 0), (columns[up].more, high > 0)


def spoken_of(source: str) -> Sample:
    """Return how a sample is spoken of."""
    found = known(f"sample/{source}")
    assert found is not None
    return found


def goal_of(source: str) -> Goal:
    """Return what is looked for on a sample's map."""
    goal = spoken_of(source).goal
    assert goal is not None
    return goal


def outcome_text(value: float, unit: str) -> str:
    """Return an outcome as people write it: 4.1 mg/dL, 1,240 USD per m²."""
    return f"{amount(value)} {unit}"


def amount(value: float) -> str:
    """Return an amount in its unit: whole from 100 on, with two digits below."""
    return minus(f"{value:,.0f}") if abs(value) >= 100 else two_digits(value) if abs(value) >= 0.01 else "0"


def found(regret: float, ground: Ground) -> str:
    """Return how far somebody is from the best, as the end of a sentence."""
    goal = goal_of(ground.source)
    return f"{outcome_text(regret, ground.unit)} {goal.away}" if regret else f"the {goal.best} of all"


def change(more: float, unit: str = "", error: float = 0.0) -> str:
    """Return what a blurred map costs somebody: 1.2 mg/dL farther, 0.3 nearer, as near.

    ``error``: its standard error. A difference of less than two of them is none that a class should believe.
    """
    if amount(more) == "0":
        return "as near"
    if not abs(more) > 2 * error:
        return "about as near"
    return f"{amount(abs(more))}{f' {unit}' if unit else ''} {'farther' if more > 0 else 'nearer'}"


def epsilon_words(value: float) -> str:
    """Return an ε of the list that a teacher chooses from, without digits that say nothing."""
    return f"{value:g}"
