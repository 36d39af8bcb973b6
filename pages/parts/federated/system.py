"""The Federated system as the rest of the app knows it."""

from pages.parts.federated.attacks import AUDITED
from pages.parts.federated.question import question
from pages.parts.federated.story import STORY
from pages.parts.system.system import System

FEDERATED = System(
    name="Federated",
    page="pages/federated.py",
    icon=":material/groups:",
    story=STORY,
    audited=AUDITED,
    question=question,
)
