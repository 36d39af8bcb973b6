"""A question to the room: the tour asks it, phones answer, the projector counts."""

from pages.parts.classroom.games.game import HEIGHT, Game, act, projected
from pages.parts.classroom.phone import Screen
from pages.parts.views.picture import MET, PRIVATE, TEXT, Picture
from pages.parts.views.views import Figure, Finding, View
from privbo_core.classroom import Room
from privbo_core.classroom.games.poll import Poll


def screen(poll: Poll, pupil: int) -> Screen:
    said = poll.answer_of(pupil)
    if not poll.shown:
        options = [{"value": key, "text": text} for key, text in poll.options.items()]
        text = "Thank you. You can change it until the answers are shown." if said else "Tap what you think."
        return Screen(poll.key, "choose", poll.text, text, {"options": options}, said)
    own = f"You said: {poll.options[said]}." if said else "You did not answer."
    front = "Look at the screen in front"
    if not poll.right:
        return Screen(f"{poll.key}/shown", "tell", "The answers are shown.", f"{front}.", {"lines": [own]})
    if said == poll.right:
        return Screen(f"{poll.key}/right", "tell", poll.text, "", {"big": "You were right", "lines": [own]})
    lines = [own, f"It is: {poll.options[poll.right]}."]
    return Screen(f"{poll.key}/right", "tell", poll.text, f"{front} to see why.", {"lines": lines})


def answers(poll: Poll, *, letters: int = 13, height: int = 180) -> Picture:
    """Draw how many gave each answer, the right one marked; empty bars until the answers are shown."""
    counts = poll.counts() or dict.fromkeys(poll.options, 0)
    marks = {key: f"{'✓ ' if key == poll.right else ''}{text}" for key, text in poll.options.items()}
    picture = Picture(height=height, margin={"l": 16, "r": 40, "t": 8, "b": 8})
    places = list(range(len(counts)))
    colours = [MET if key == poll.right else PRIVATE for key in counts]
    bars = {"x": list(counts.values()), "y": places, "width": 0.45, "marker": {"color": colours}}
    picture.add("bar", orientation="h", **bars, hovertemplate="%{x} of the room")
    for place, (key, count) in enumerate(counts.items()):
        colour = MET if key == poll.right else TEXT
        picture.label(0, place - 0.27, marks[key], colour, yanchor="bottom", font={"color": colour, "size": letters})
        if poll.shown:
            picture.label(count, place, f"{count}", colour, xshift=6, font={"color": colour, "size": letters + 2})
    picture.axis("xaxis", visible=False, range=[0, 1.12 * max(1, *counts.values())])
    picture.axis("yaxis", visible=False, range=[len(counts) - 0.6, -0.8])
    return picture


def counted(poll: Poll) -> str:
    counts = poll.counts()
    if counts and poll.right:
        return f"{counts[poll.right]} of {poll.answered} were right"
    return f"{poll.answered} of {poll.pupils} {'answered' if poll.shown else 'have answered'}"


def show(poll: Poll) -> View:
    note = counted(poll) if poll.shown else f"{counted(poll)}. The answers stay covered until all are shown."
    finding, picture = Finding(poll.text, "known", note), projected(answers(poll, height=HEIGHT))
    return View(figures=(Figure("poll", finding, picture, f"{poll.text} {counted(poll)}."),))


NAME = "poll"


def desk(room: Room, poll: Poll) -> None:
    if not poll.shown:
        act(room, "Show the answers", Poll.show, "bar_chart", key="show")


def empty() -> Poll:
    return Poll("", "The next question comes from the tour.", {})


POLL = Game(NAME, "A question", ":material/quiz:", "What does the room think?", empty, desk, screen, show)
