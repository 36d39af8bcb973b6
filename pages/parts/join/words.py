"""What phones show around the experiments: the door, the lobby, the end."""

from pages.parts.thumbs.screen import Screen
from privbo_core.classroom.house import LENGTH, clean
from privbo_core.classroom.room import LONGEST_NAME

DOOR = "door"
WAIT = Screen("wait", "tell", "One moment …")
ENDED = "That room has ended. Nothing of it is kept."
REMOVED = "The teacher has taken this phone out of the room."


def door(code: str, problem: str) -> Screen:
    """Return the way in: with the room's code if the phone came by one, else it is to be typed."""
    code = code if len(code) == LENGTH else ""
    title = f"Room {code}" if code else "Come into a room"
    text = problem or "No account. A nickname if you like; else you are an animal."
    return Screen(DOOR, "join", title, text, {"room": code, "longest": LONGEST_NAME, "letters": LENGTH})


def elsewhere(code: str) -> Screen:
    """Return what a phone shows on its way to the process that has its room: it opens the address by itself."""
    return Screen("elsewhere", "tell", f"Room {code}", "One moment …", {"go": f"?room={code}"})


def lobby(name: str) -> Screen:
    """Return what a phone shows while nothing is asked."""
    return Screen("lobby", "tell", f"You are in, {name}.", "Look at the screen in front. This phone will ask you.")


def cleaned(code: str) -> str:
    """Return a code as it was meant."""
    return clean(code)
