"""What a phone shows while a question is asked of the room."""

from pages.parts.thumbs.screen import Screen
from privbo_core.classroom.poll import Poll


def screen(poll: Poll, pupil: int) -> Screen:
    """Return what is asked of a pupil now, or what became of their answer."""
    said = poll.said(pupil)
    if not poll.shown:
        options = [{"value": key, "text": text} for key, text in poll.options.items()]
        text = "Thank you. You can change it until the answers are shown." if said else "Tap what you think."
        return Screen(poll.key, "choose", poll.text, text, {"options": options}, said)
    own = f"You said: {poll.options[said]}." if said else "You did not answer."
    if not poll.right:
        return Screen(f"{poll.key}/shown", "tell", "The answers are shown.", "Look at the screen in front.", {"lines": [own]})  # fmt: skip
    if said == poll.right:
        return Screen(f"{poll.key}/right", "tell", poll.text, "", {"big": "You were right", "lines": [own]})
    lines = [own, f"It is: {poll.options[poll.right]}."]
    return Screen(f"{poll.key}/right", "tell", poll.text, "Look at the screen in front to see why.", {"lines": lines})
