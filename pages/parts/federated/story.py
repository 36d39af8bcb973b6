"""What tuning together is for, as Start tells it."""

from pages.parts.system.system import Link, Story
from pages.parts.values.text import strong

STORY = Story(
    "Schools tune together, and nobody’s participation shows",
    (
        "Many schools look for the best settings of the same kind of model, each with its own pupils. One school’s trials "
        "would help the next. But nobody should be able to tell from what is shared whether a given school took part.",
        f"In each round a server asks {strong('some of them, drawn at random')}, adds up what they believe, and "
        f"{strong('adds noise')} before it tells everyone. How much noise is enough, after how many rounds? And is tuning "
        "together still better than tuning alone?",
    ),
    "story_federated.html",
    (
        Link(
            "pages/federated.py",
            "Drag z and see: Federated, running on a sample",
            ":material/groups:",
            {"z": "1", "q": "0.25"},
        ),
    ),
)
