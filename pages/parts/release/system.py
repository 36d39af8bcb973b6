"""The Release system as the rest of the app knows it.

And what the release of a tuned model is for, as Start tells it.
"""

from pathlib import Path

from pages.parts.release.deciding import decision
from pages.parts.release.lesson import LESSON
from pages.parts.release.question import question
from pages.parts.release.score_attacks import SCORE
from pages.parts.release.selection_attacks import SELECTION
from pages.parts.release.setting_attacks import SETTING
from pages.parts.release.setup import START, Setup
from pages.parts.release.view import compute
from pages.parts.system.system import Link, Story, System
from pages.parts.views.text import strong
from privbo_core.data import TASKS, tuning_task
from privbo_core.privacy import TradeOff

HERE = Path(__file__).parent


def _cost() -> str:
    """Return what privacy costs where the short form begins, which is computed and not simulated."""
    view = compute(Setup(tuning_task(TASKS[0]), 0, "icml", {"epsilon": START}))
    return f"{view.cost.text.lower()} of confidence"


STORY = Story(
    "A team publishes a tuned model",
    (
        "A team tunes a classifier on the records of real people and wants to say which setting is best, and how good "
        "it is. But the best setting and its score are computed from those records, and may give one of them away.",
        f"So the team draws the setting at random, good ones being likelier, and adds {strong('noise to the score')}. "
        "Is what comes out still better than a blind draw? And for which data does the promise hold?",
    ),
    HERE / "story.html",
    (Link("pages/release.py", "Drag ε and see: Release, on a tumour table", ":material/campaign:", {"epsilon": "3"}),),
    drawing=HERE / "start.html",
    protected="a person’s record, from everybody",
    shown=Link(
        "pages/release.py", "Show me the team", ":material/campaign:", {"view": "simple", "epsilon": f"{START:g}"}
    ),
    line=lambda: TradeOff.of(START, 0.0),
    cost=_cost,
)

RELEASE = System(
    name="Release",
    page="pages/release.py",
    icon=":material/campaign:",
    story=STORY,
    audited=(SETTING, SCORE, SELECTION),
    question=question,
    decision=decision,
    measured=False,
    neighbours="a record that is exchanged",
    paper="release and regret",
    lesson=LESSON,
    bound=("release_tab",),
)
