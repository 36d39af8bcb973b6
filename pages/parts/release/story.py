"""What the release of a tuned model is for, as Start tells it."""

from pages.parts.release.plain.words import Words
from pages.parts.release.setup import set_up
from pages.parts.release.tasks import spoken_of
from pages.parts.system.system import Link, Story
from pages.parts.values.text import strong
from privbo_core.data import TASKS, tuning_task
from privbo_core.privacy import TradeOff

EPSILON = 1.0
"""Where the short form begins."""


def _cost() -> str:
    """Return what privacy costs there, which is computed and not simulated."""
    task = tuning_task(TASKS[0])
    return f"{Words(set_up(task, 0, 'icml', {'epsilon': EPSILON}), spoken_of(task)).cost.text.lower()} of confidence"


STORY = Story(
    "A team publishes a tuned model",
    (
        "A team tunes a classifier on the records of real people and wants to say which setting is best, and how good it "
        "is. But the best setting and its score are computed from those records, and may give one of them away.",
        f"So the team draws the setting at random, good ones being likelier, and adds {strong('noise to the score')}. Is "
        "what comes out still better than a blind draw? And for which data does the promise hold?",
    ),
    "story_release.html",
    (Link("pages/release.py", "Drag ε and see: Release, on a tumour table", ":material/campaign:", {"epsilon": "3"}),),
    question="Which setting can it name without giving a record away?",
    drawing="start_release.html",
    protected="a person’s record, from everybody",
    shown=Link(
        "pages/release.py", "Show me the team", ":material/campaign:", {"view": "simple", "epsilon": f"{EPSILON:g}"}
    ),
    line=lambda: TradeOff.of(EPSILON, 0.0),
    cost=_cost,
)
