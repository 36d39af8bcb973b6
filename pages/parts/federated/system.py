"""The Federated system as the rest of the app knows it; and what tuning together is for, as Start tells it."""

from dataclasses import replace
from pathlib import Path

from pages.parts.federated.agents import GRADES, named
from pages.parts.federated.attacks import AUDITED
from pages.parts.federated.deciding import decision
from pages.parts.federated.lesson import LESSON
from pages.parts.federated.question import question
from pages.parts.federated.setup import MOST_RUNS, SIMPLE, set_up
from pages.parts.federated.view import Counting, View
from pages.parts.system.system import Link, Story, System
from pages.parts.views.text import strong
from privbo_core.federated import GRADES_START, grades, trade_off
from privbo_core.privacy import TradeOff

HERE = Path(__file__).parent
START = GRADES_START
"""The settings that the schools begin with."""


def _line() -> TradeOff:
    """Return what all broadcasts tell about one school, at these settings."""
    problem = grades()
    return trade_off(START.settings(problem), len(problem.agents))


def _cost() -> str:
    """Return what privacy costs there, once all runs of its page are in memory: they take too long to wait for."""
    setup = replace(set_up(named(GRADES)), runs=int(MOST_RUNS))
    progress = setup.simulation.finished(setup.algorithms(SIMPLE), setup.N, setup.runs)
    return View(setup, progress, Counting(setup).counted).cost.text.lower() if progress.runs >= setup.runs else ""


STORY = Story(
    "Schools tune together, and nobody’s participation shows",
    (
        "Many schools look for the best settings of the same kind of model, each with its own pupils. One school’s "
        "trials would help the next. But nobody should be able to tell from what is shared whether a given school "
        "took part.",
        f"In each round a server asks {strong('some of them, drawn at random')}, adds up what they believe, and "
        f"{strong('adds noise')} before it tells everyone. How much noise is enough, after how many rounds? And is "
        "tuning together still better than tuning alone?",
    ),
    HERE / "story.html",
    (
        Link(
            "pages/federated.py",
            "Drag z and see: Federated, running on a sample",
            ":material/groups:",
            {"agents": GRADES, "z": f"{START.z:g}", "q": f"{START.q:g}"},
        ),
    ),
    drawing=HERE / "start.html",
    protected="whether a school took part, from all but the server",
    shown=Link(
        "pages/federated.py",
        "Show me the schools",
        ":material/groups:",
        {"view": "simple", "agents": GRADES, "z": f"{START.z:g}"},
    ),
    line=_line,
    cost=_cost,
)

FEDERATED = System(
    name="Federated",
    page="pages/federated.py",
    icon=":material/groups:",
    story=STORY,
    audited=AUDITED,
    question=question,
    neighbours="an agent that stays away",
    paper="ε over rounds",
    lesson=LESSON,
    bound=("federated_tab", "federated_wanted"),
    decision=decision,
)
