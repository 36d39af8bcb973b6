"""What is said of whether a table can carry an answer: one sentence to be read first, why, and what to do."""

from dataclasses import dataclass

from pages.parts.values.numbers import best
from pages.parts.values.text import minus
from privbo_core.diagnostics import Searched, Worth

NAMED = 3
"""Inputs that are named where more than these matter."""
ROWS = 200
"""Below, a weak relation may be there and not show."""
NOTHING = "Nothing to gain"
HOLDS = "How well a release protects does not depend on this."


@dataclass(frozen=True)
class Said:
    """The ``sentence`` that is read first; ``why``; what to ``do``, which is empty where the table carries an answer."""

    sentence: str
    why: str
    do: str = ""


def said(worth: Worth) -> Said:
    """Return what there is to say of a table."""
    if worth.verdict == "too few":
        return Said(
            f"{worth.rows:,} rows are too few to carry an answer.",
            "Any method would test a large part of them, and so few cannot tell a relation from luck: what privacy costs "
            "here, no curve can say.",
            f"{add_rows(worth)} {HOLDS}",
        )
    if worth.verdict == "nothing":
        return Said(
            "These inputs do not explain the outcome: a search has nothing to go by, and finds no more than chance.",
            f"{shuffled(worth)} A lead or a cost that a curve shows is luck with this table.",
            f"{choose_another(worth)} {HOLDS}",
        )
    if worth.verdict == "weak":
        return Said(
            "These inputs tell something of the outcome, but a search by them is no better than chance: there is nothing to gain "
            "by it, with privacy or without.",
            f"{explained(worth)} {found(worth.searched)}",
            f"{win_more(worth.searched)} {HOLDS}",
        )
    return Said(explained(worth), f"{found(worth.searched)} {which(worth)}".strip())


@dataclass(frozen=True)
class Instead:
    """What is said instead of a cost of privacy: in a few words, and ``because`` of what, as a clause."""

    text: str
    because: str

    @property
    def title(self) -> str:
        """It as a title."""
        heading = NOTHING if self.text == NOTHING else "What privacy costs cannot be told"
        return f"{heading}: {self.because}"

    @property
    def remark(self) -> str:
        """It as a sentence below the few words."""
        return f"{self.because[0].upper()}{self.because[1:]}. A lead or a cost in the picture is luck with this table."


def instead(worth: Worth | None) -> Instead | None:
    """Return what is said instead of a cost of privacy; None where there may be one, or where it is not known yet."""
    if worth is None or worth.something_to_lose:
        return None
    if worth.verdict == "too few":
        return Instead("Cannot be told", f"{worth.rows:,} rows are too few to tell a search from chance")
    if worth.verdict == "nothing":
        return Instead(NOTHING, "these inputs do not explain the outcome")
    return Instead(NOTHING, "a search by these inputs is no better than chance")


def explained(worth: Worth) -> str:
    """Return how much of the outcome the inputs explain."""
    known = worth.learned
    assert known is not None
    if known.share <= 2.0 * known.standard_error:
        share = minus(f"{known.share:.2f} ± {known.standard_error:.2f}")
        return (
            "Simple models find in these inputs what shuffled outcomes hardly ever have, but the model that searches foretells "
            f"nothing by it (R² = {share})."
        )
    return f"These inputs explain {100 * known.share:.0f} % of the outcome (± {100 * known.standard_error:.0f})."


def shuffled(worth: Worth) -> str:
    """Return how the table compares with itself, its outcomes shuffled."""
    known = worth.shuffled
    assert known is not None
    return (
        "Deal the same outcomes out to the rows at random, and these inputs explain them as well as now "
        f"{_times(known.as_good / known.shuffles)}: what shows may be luck."
    )


def _times(share: float) -> str:
    """Return how often something is so, in words."""
    times = round(100 * share)
    return f"{times} times in 100" if times > 1 else "about once in 100 times"


def found(known: Searched | None) -> str:
    """Return what a search without privacy finds, beside chance."""
    assert known is not None
    rows = f"{known.rows:,} rows"
    search, chance = best(known.rank), best(known.chance)
    if search == chance:
        return (
            f"Without privacy, {known.tests} tests typically find {search} of {rows}, chosen by a search or by chance."
        )
    return f"Without privacy, {known.tests} tests chosen by a search typically find {search} of {rows}; by chance, {chance}."


def which(worth: Worth) -> str:
    """Return which inputs matter, and which do not; nothing where all of a few do."""
    known = worth.learned
    assert known is not None
    matter = [each.name for each in known.matter]
    idle = [each.name for each in known.inputs if not each.matters]
    if not matter:
        return "No single input stands out."
    if len(known.inputs) == 1:
        return ""
    first, *others = matter[:NAMED]
    most = f"Most tells {first}" + (f", then {' and '.join(others)}" if others else "")
    if not idle:
        return f"{most}."
    names = ", ".join(idle[:NAMED]) + (f" and {len(idle) - NAMED} more" if len(idle) > NAMED else "")
    return f"{most}; nothing shows of {names}."


def add_rows(worth: Worth) -> str:
    """Return how many rows it takes."""
    fewer = ", or choose fewer inputs" if worth.needed > worth.least else ""
    return f"Add rows: it takes {worth.needed} at least{fewer}."


def win_more(known: Searched | None) -> str:
    """Return what to do where the inputs tell something, but a search wins nothing by it."""
    if known is not None and known.chance < 1.5:
        return "Chance finds the best already: plan fewer tests, or choose an outcome with fewer ties."
    return "Choose another outcome, or add inputs that have more to do with it."


def choose_another(worth: Worth) -> str:
    """Return what to do where the inputs tell nothing."""
    rows = f" Or add rows: a weak relation takes more than {worth.rows:,} to show." if worth.rows < ROWS else ""
    return f"Choose another outcome, or add inputs that could have to do with it.{rows}"
