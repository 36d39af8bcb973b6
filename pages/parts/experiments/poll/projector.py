"""What the projector shows of a question to the room: how many have answered, then how many said what. Never who."""

from pages.parts.experiments.projected import HEIGHT, projected
from pages.parts.values.palette import MET, PRIVATE, TEXT
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, View
from privbo_core.classroom.poll import Poll

SLOT = "poll"


def answers(poll: Poll, *, letters: int = 13, height: int = 180) -> Picture:
    """Draw how many gave each answer, the right one marked; empty bars until the answers are shown."""
    counts = poll.counts() or dict.fromkeys(poll.options, 0)
    marks = {key: f"{'✓ ' if key == poll.right else ''}{text}" for key, text in poll.options.items()}
    picture = Picture(height=height, margin={"l": 16, "r": 40, "t": 8, "b": 8})
    places = list(range(len(counts)))
    colours = [MET if key == poll.right else PRIVATE for key in counts]
    picture.add("bar", orientation="h", y=places, x=list(counts.values()), width=0.45, marker={"color": colours},
                hovertemplate="%{x} of the room")  # fmt: skip
    for place, (key, count) in enumerate(counts.items()):
        colour = MET if key == poll.right else TEXT
        picture.label(0, place - 0.27, marks[key], colour, yanchor="bottom", font={"color": colour, "size": letters})
        if poll.shown:
            picture.label(count, place, f"{count}", colour, xshift=6, font={"color": colour, "size": letters + 2})
    picture.axis("xaxis", visible=False, range=[0, 1.12 * max(1, *counts.values())])
    picture.axis("yaxis", visible=False, range=[len(counts) - 0.6, -0.8])
    return picture


def told(poll: Poll) -> str:
    """Return how far the question has got, in a sentence."""
    if not poll.shown:
        return f"{poll.answered} of {poll.pupils} have answered"
    if poll.right:
        right = (poll.counts() or {})[poll.right]
        return f"{right} of {poll.answered} were right"
    return f"{poll.answered} of {poll.pupils} answered"


def show(poll: Poll) -> View:
    """Return what the projector shows now."""
    note = told(poll) if poll.shown else f"{told(poll)}. The answers stay covered until all are shown."
    picture = projected(answers(poll, height=HEIGHT))
    alt = f"{poll.text} {told(poll)}."
    return View(figures=(Figure(SLOT, Finding(poll.text, "known", note), picture, alt),))
