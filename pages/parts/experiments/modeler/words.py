"""What is said of the search on each map: of patients, of loans, of homes."""

from dataclasses import dataclass

from pages.parts.values.numbers import two_digits
from pages.parts.values.text import minus
from privbo_core.classroom.ground import Ground

TITLE = "Be the modeler"
QUESTION = "You see a blurred map and may test eight of its points. Do you find the best one before the machine does?"


@dataclass(frozen=True)
class Task:
    """What is looked for on the map of a sample: one record, many, what a test tells, how far one is from the best."""

    offer: str
    one: str
    many: str
    aim: str
    away: str
    best: str


TASKS = {
    "hospital": Task(
        "Hospital: whom to test", "patient", "patients", "the patient with the highest blood value",
        "below the highest", "highest",
    ),
    "loans": Task("Loans: the best return", "loan", "loans", "the loan with the highest return",
                  "below the highest", "highest"),
    "homes": Task("Homes: the cheapest place (hard)", "home", "homes", "the home that costs least per square metre",
                  "above the cheapest", "cheapest"),
}  # fmt: skip


def task_of(ground: Ground) -> Task:
    """Return what is looked for on a ground."""
    return TASKS[ground.source]


def outcome_text(value: float, unit: str) -> str:
    """Return an outcome as people write it: 4.1 mg/dL, 1,240 USD per m²."""
    return f"{amount(value)} {unit}"


def amount(value: float) -> str:
    """Return an amount in its unit: whole from 100 on, with two digits below."""
    return minus(f"{value:,.0f}") if abs(value) >= 100 else two_digits(value) if abs(value) >= 0.01 else "0"


def found(regret: float, ground: Ground) -> str:
    """Return how far somebody is from the best, as the end of a sentence."""
    task = task_of(ground)
    return f"{outcome_text(regret, ground.unit)} {task.away}" if regret else f"the {task.best} of all"


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
