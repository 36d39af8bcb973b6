"""What “Be the attacker” shows on a pupil's phone. Which record is real is not in it before the answer is."""

import math

from pages.parts.experiments.attacker import words
from pages.parts.thumbs.screen import Screen
from privbo_core.classroom.attacker import TESTS, TRIES, Attacker, Pair, Point, Remainder, Stage, key

NEAR, FAR = 2.0, 4.4
"""Half of a picture's side, in hidden changes: no closer, and no farther off, or A and B lie on each other."""
EDGE = 0.94
"""Where a released point is drawn that lies outside, from the middle to the edge."""
DRAWN = 150
"""Points of the cloud in one picture."""


def screen(attacker: Attacker, pupil: int) -> Screen:
    """Return what is asked of a pupil now."""
    asked, stage = attacker.asked(pupil), attacker.stage
    if isinstance(asked, Pair):
        return _pair(attacker, pupil, asked)
    if isinstance(asked, Remainder):
        return _test(attacker, pupil, asked)
    if stage is Stage.SEALING:
        return Screen("wait", "tell", "You are the attacker.", words.start_text())
    guesses, tests = attacker.score(pupil), attacker.tests(pupil)
    lines = [words.own_score(guesses, late=attacker.late(pupil))]
    if stage >= Stage.TESTING and tests.of:
        lines.append(words.own_test(tests))
    lines.append(words.NOBODY_ELSE)
    titles = {
        Stage.GUESSING: f"All {TRIES} tries are done.",
        Stage.REVEALED: "The envelope is open. Look at the screen in front.",
        Stage.TESTING: "Done. Look at the screen in front.",
        Stage.OVER: "That was noise, and that was none.",
    }
    # What was done with the test is always right: it is no score of theirs.
    big = {"big": f"{guesses.right} of {guesses.of}"} if guesses.of else {}
    return Screen(f"told/{int(stage)}", "tell", titles[stage], "", {**big, "lines": lines})


def _pair(attacker: Attacker, pupil: int, asked: Pair) -> Screen:
    middle = ((asked.a[0] + asked.b[0]) / 2, (asked.a[1] + asked.b[1]) / 2)
    away = math.dist(asked.released, middle)
    half = min(max(1.15 * away, NEAR), FAR)
    x, y = middle
    inside = max(abs(asked.released[0] - x), abs(asked.released[1] - y)) <= half
    drawn = asked.released if inside else _at_edge(asked.released, middle, half)
    text = "" if inside else f"The noisy point lies outside, this way, {away:.0f} times as far off as A from B. "
    data = {
        "points": _around(attacker, middle, half),
        "released": drawn,
        "a": asked.a,
        "b": asked.b,
        "range": [round(each, 3) for each in (x - half, x + half, y - half, y + half)],
    }
    title = f"{asked.number} of {TRIES}: which one is real?"
    return Screen(key(asked), "pair", title, _last(attacker.last(pupil)) + text, data)


def _at_edge(point: Point, middle: Point, half: float) -> Point:
    """Return a point's place on the edge, seen from half-way between the two: the nearer one stays the nearer one."""
    off = (point[0] - middle[0], point[1] - middle[1])
    shrink = EDGE * half / max(map(abs, off))
    return round(middle[0] + shrink * off[0], 3), round(middle[1] + shrink * off[1], 3)


def _around(attacker: Attacker, middle: Point, half: float) -> list[Point]:
    near = [each for each in attacker.cloud if max(abs(each[0] - middle[0]), abs(each[1] - middle[1])) < half]
    return near[:DRAWN]


def _test(attacker: Attacker, pupil: int, asked: Remainder) -> Screen:
    options = [
        {"value": name, "text": f"{name.upper()}: {words.record(point)}", "note": words.left_over(over)}
        for name, point, over in (("a", asked.a, asked.over_a), ("b", asked.b, asked.over_b))
    ]
    text = words.TEST_TEXT if asked.number == 1 else _last(attacker.last(pupil)) + words.TEST_HINT
    return Screen(key(asked), "choose", f"{asked.number} of {TESTS}: which one is real?", text, {"options": options})


def _last(right: bool | None) -> str:
    return "" if right is None else "The last one: right. " if right else "The last one: wrong. "
