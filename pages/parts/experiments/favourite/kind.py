"""“Our favourite, and nobody's taste” as the class page knows it."""

from pages.parts.experiments.favourite.desk import desk, start
from pages.parts.experiments.favourite.phone import screen
from pages.parts.experiments.favourite.projector import show
from pages.parts.experiments.kind import Kind

FAVOURITE = Kind(
    name="favourite",
    title="Our favourite, and nobody’s taste",
    icon=":material/palette:",
    question="Which colour does the class like best, and can anybody tell that you took part?",
    start=start,
    desk=desk,
    screen=screen,
    show=show,
)
"""What “Our favourite” is to the class page."""
