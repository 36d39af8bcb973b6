"""Whether a table can carry an answer: judged beside the script, in words, and where it is shown."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.parts.live.work import later
from pages.parts.shell.session import OWN
from pages.parts.views.drawing import Slot
from pages.parts.views.templates import render
from pages.parts.views.text import best, minus
from pages.ui.follow import interrupt as give_way
from privbo_core.data import Problem, suited_search
from privbo_core.diagnostics import Diagnosis, Searched, judge
from privbo_core.outsourced import Simulation

_KEPT = f"{OWN}worth"
LONGEST = 10.0  # Seconds for which a page waits at its end for a verdict that is computed beside it.


def judged(simulation: Simulation) -> Diagnosis | None:
    """Return the verdict, or None for a sample that is still being judged: ask again after a while.

    A sample is judged once, beside all scripts, for it is the same for all sessions. Somebody's own table is judged
    here and now, which takes about a second and gives way to a newer setting, and the verdict is kept in their session.
    """
    problem = simulation.problem
    if problem.identity is not None:
        used = None if simulation.functions else simulation
        task = partial(judge, problem, search=suited_search(problem), simulation=used)
        known: Diagnosis | None = later().ask(("worth", problem.identity), task)
        return known
    if (known := already(simulation)) is None:
        known = judge(problem, search=suited_search(problem), meanwhile=give_way)
        st.session_state[_KEPT] = problem, known
    return known


def already(simulation: Simulation) -> Diagnosis | None:
    if simulation.problem.identity is not None:
        return judged(simulation)
    kept: tuple[Problem, Diagnosis] | None = st.session_state.get(_KEPT)
    now = simulation.problem  # the same table, prepared in the same way, may have another frame by now
    return kept[1] if kept and kept[0].points is now.points and kept[0].objective is now.objective else None


def waited_for(ask: Callable[[], Diagnosis | None]) -> Diagnosis | None:
    end = time.monotonic() + LONGEST
    while (known := ask()) is None and time.monotonic() < end:
        time.sleep(0.05)
        give_way()
    return known


NAMED = 3  # Inputs that are named where more than these matter.
ROWS = 200  # Below, a weak relation may be there and not show.
NOTHING = "Nothing to gain"
HOLDS = "How well a release protects does not depend on this."


@dataclass(frozen=True)
class Verdict:
    """``do`` is empty where the table carries an answer."""

    sentence: str
    why: str
    do: str = ""


def verdict_of(worth: Diagnosis) -> Verdict:
    if worth.verdict == "too few":
        fewer = ", or choose fewer inputs" if worth.needed > worth.least else ""
        return Verdict(
            f"{worth.rows:,} rows are too few to carry an answer.",
            "Any method would test a large part of them, and so few cannot tell a relation from luck: what privacy "
            "costs here, no curve can say.",
            f"Add rows: it takes {worth.needed} at least{fewer}. {HOLDS}",
        )
    if worth.verdict == "nothing":
        rows = f" Or add rows: a weak relation takes more than {worth.rows:,} to show." if worth.rows < ROWS else ""
        return Verdict(
            "These inputs do not explain the outcome: a search has nothing to go by, and finds no more than chance.",
            f"{shuffled(worth)} A lead or a cost that a curve shows is luck with this table.",
            f"Choose another outcome, or add inputs that could have to do with it.{rows} {HOLDS}",
        )
    if worth.verdict == "weak":
        do = "Choose another outcome, or add inputs that have more to do with it."
        if worth.searched is not None and worth.searched.chance < 1.5:
            do = "Chance finds the best already: plan fewer tests, or choose an outcome with fewer ties."
        return Verdict(
            "These inputs tell something of the outcome, but a search by them is no better than chance: there is "
            "nothing to gain by it, with privacy or without.",
            f"{explained(worth)} {typical(worth.searched)}",
            f"{do} {HOLDS}",
        )
    return Verdict(explained(worth), f"{typical(worth.searched)} {which(worth)}".strip())


@dataclass(frozen=True)
class Instead:
    """What is said instead of a cost of privacy: in a few words, and ``because`` of what, as a clause."""

    text: str
    because: str

    @property
    def title(self) -> str:
        return f"{NOTHING if self.text == NOTHING else 'What privacy costs cannot be told'}: {self.because}"

    @property
    def remark(self) -> str:
        return f"{self.because[0].upper()}{self.because[1:]}. A lead or a cost in the picture is luck with this table."


def instead(worth: Diagnosis | None) -> Instead | None:
    """None where there may be a cost, or where that is not known yet."""
    if worth is None or worth.something_to_lose:
        return None
    if worth.verdict == "too few":
        return Instead("Cannot be told", f"{worth.rows:,} rows are too few to tell a search from chance")
    if worth.verdict == "nothing":
        return Instead(NOTHING, "these inputs do not explain the outcome")
    return Instead(NOTHING, "a search by these inputs is no better than chance")


def explained(worth: Diagnosis) -> str:
    known = worth.learned
    assert known is not None
    if known.share <= 2.0 * known.standard_error:
        what = "Simple models find in these inputs what shuffled outcomes hardly ever have"
        share = minus(f"{known.share:.2f} ± {known.standard_error:.2f}")
        return f"{what}, but the model that searches foretells nothing by it (R² = {share})."
    return f"These inputs explain {100 * known.share:.0f} % of the outcome (± {100 * known.standard_error:.0f})."


def shuffled(worth: Diagnosis) -> str:
    known = worth.shuffled
    assert known is not None
    times = round(100 * known.as_good / known.shuffles)
    often = f"{times} times in 100" if times > 1 else "about once in 100 times"
    deal = "Deal the same outcomes out to the rows at random, and these inputs explain them as well as now"
    return f"{deal} {often}: what shows may be luck."


def typical(known: Searched | None) -> str:
    assert known is not None
    search, chance, tests = best(known.rank), best(known.chance), f"Without privacy, {known.tests} tests"
    if search == chance:
        return f"{tests} typically find {search} of {known.rows:,} rows, chosen by a search or by chance."
    return f"{tests} chosen by a search typically find {search} of {known.rows:,} rows; by chance, {chance}."


def which(worth: Diagnosis) -> str:
    known = worth.learned
    assert known is not None
    matter = [each.name for each in known.relevant]
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


def warn(ask: Callable[[], Diagnosis | None] | None) -> None:
    """Warn of a table that carries no answer; ``ask`` returns the verdict, None as long as it is not known."""
    _say(Slot(), ask() if ask else None, warning=True)


def _say(spot: Slot, known: Diagnosis | None, *, warning: bool) -> None:
    if known is None or (warning and known.something_to_lose):
        spot.clear()
    else:
        spot.html(render("worth.html", said=verdict_of(known), calm=known.something_to_lose))


class WorthShown:
    """The place where it is said of a table: what is ``known`` by now, and after `settle` what became known since.

    So settle it once all that takes no time is drawn: until then a page shows what stood there before. ``warning``:
    only that a table carries no answer is said, and a sample's verdict is not waited for.
    """

    def __init__(self, simulation: Simulation, *, warning: bool = False) -> None:
        self._simulation, self._warning, self._slot = simulation, warning, Slot()
        self.known = already(simulation)
        _say(self._slot, self.known, warning=warning)

    def settle(self) -> None:
        if self.known is None:
            ask = partial(judged, self._simulation)
            self.known = ask() if self._warning else waited_for(ask)
            _say(self._slot, self.known, warning=self._warning)
