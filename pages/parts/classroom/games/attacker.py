"""“Be the attacker”: what desk, phones and projector show."""

import math
from functools import partial

import numpy as np

from pages.parts.classroom.games import attacker_words
from pages.parts.classroom.games.attacker_words import NAMES, envelope, problem
from pages.parts.classroom.games.game import HEIGHT, Game, act, projected
from pages.parts.classroom.phone import Screen
from pages.parts.views.content import prose
from pages.parts.views.drawing import note
from pages.parts.views.picture import (
    NOISY,
    NON_PRIVATE,
    ONE_TWO_FIVE,
    PAPER,
    PRIVATE,
    RANDOM,
    REFUTED,
    TEXT,
    Colour,
    Picture,
)
from pages.parts.views.views import REFUTED_STAMP, Audience, Figure, Finding, Tile, View
from privbo_core.classroom import Room
from privbo_core.classroom.games.attacker import (
    EVEN,
    PROMISED,
    TESTS,
    TRIES,
    Attacker,
    Pair,
    Point,
    Remainder,
    Seen,
    Share,
    Stage,
    key,
    most,
)


def desk(room: Room, attacker: Attacker) -> None:
    """Draw the next acts. Nothing here says what is in an envelope: this screen is projected."""
    seen = attacker.seen()
    match seen.stage:
        case Stage.SEALING:
            for place, epsilon in enumerate(seen.opened):
                label = f"Envelope {NAMES[place]}" if epsilon is None else f"Envelope {NAMES[place]}: ε = {epsilon:g}"
                act(
                    room,
                    label,
                    partial(Attacker.seal, envelope=place),
                    "mail" if epsilon is None else "drafts",
                    main=place == seen.envelope,
                    can=epsilon is None,
                )
            act(room, "Begin", Attacker.begin, "play_arrow", can=seen.envelope is not None)
        case Stage.GUESSING:
            act(room, f"Open {envelope(seen)}", Attacker.reveal, "drafts", can=bool(seen.guesses))
            if not seen.guesses:
                note("It can be opened once somebody has tried.")
        case Stage.REVEALED:
            act(room, "Now the paper’s projection", Attacker.project, "arrow_forward")
        case Stage.TESTING:
            act(room, "That is all", Attacker.end, "flag")
        case Stage.OVER:
            act(room, "Another envelope", Attacker.again, "mail")


NEAR, FAR = 2.0, 4.4
"""Half of a picture's side, in hidden changes: no closer, and no farther off, or A and B lie on each other."""
EDGE = 0.94
"""Where a released point is drawn that lies outside, from the middle to the edge."""
DRAWN_ON_PHONE = 150
"""Points of the cloud in one picture."""


def screen(attacker: Attacker, pupil: int) -> Screen:
    asked, stage = attacker.question(pupil), attacker.stage
    if isinstance(asked, Pair):
        return _pair(attacker, pupil, asked)
    if isinstance(asked, Remainder):
        return _test(attacker, pupil, asked)
    if stage is Stage.SEALING:
        return Screen("wait", "tell", "You are the attacker.", prose("class", "guessing"))
    guesses, tests = attacker.score(pupil), attacker.tests(pupil)
    lines = [attacker_words.own_score(guesses, late=attacker.late(pupil))]
    if stage >= Stage.TESTING and tests.of:
        lines.append(attacker_words.own_test(tests))
    lines.append(attacker_words.NOBODY_ELSE)
    titles = {
        Stage.GUESSING: f"All {TRIES} tries are done.",
        Stage.REVEALED: "The envelope is open. Look at the screen in front.",
        Stage.TESTING: "Done. Look at the screen in front.",
        Stage.OVER: "Noise kept its promise; the mix did not.",
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
        "axes": ["older →", "↑ higher kidney value"],
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
    return near[:DRAWN_ON_PHONE]


def _test(attacker: Attacker, pupil: int, asked: Remainder) -> Screen:
    options = [
        {
            "value": name,
            "text": f"{name.upper()}: {attacker_words.record(point)}",
            "note": attacker_words.left_over(over),
        }
        for name, point, over in (("a", asked.a, asked.over_a), ("b", asked.b, asked.over_b))
    ]
    first = asked.number == 1
    hint = _last(attacker.last(pupil)) + attacker_words.TEST_HINT
    text = prose("class", "one line of arithmetic") if first else hint
    return Screen(key(asked), "choose", f"{asked.number} of {TESTS}: which one is real?", text, {"options": options})


def _last(right: bool | None) -> str:
    return "" if right is None else "The last one: right. " if right else "The last one: wrong. "


SLOT = "attacker"
GRID = np.geomspace(0.03, 200.0, 80)
BOUNDS = [most(float(epsilon)).gaussian for epsilon in GRID]
DRAWN = 160
"""Points of the running share at most."""
NAMED = 20.0
"""At which ε the curve has its name."""
APART, LINE = 0.07, 0.1
"""How far from the coin's name another one stands at least, and how much room a name takes between two curves."""
AUDIENCE: Audience = "known"
"""A class plays on a public sample, and what all of it answered is everybody's to see."""


def show(attacker: Attacker) -> View:
    """Return what the class sees now.

    The projection's stamp comes when this class has refuted it, or else at the end: until then it is what the class is
    asked to find out. Nothing here calls the projection protected before, and no picture shows it before it was tried.
    """
    seen = attacker.seen()
    stamp = REFUTED_STAMP if attacker_words.stamped(seen) else ""
    finding = Finding(attacker_words.title(seen), AUDIENCE, attacker_words.note(seen), stamp)
    if seen.stage <= Stage.GUESSING:  # how often anybody can be right is the answer, and in the envelope
        picture, alt = running(seen.guesses), "The share of right guesses against the number of tries so far."
    else:
        picture, alt = against(seen), "How often an attacker can be right against ε, with what the class reached."
    return View(_tiles(seen), (Figure(SLOT, finding, picture, alt),))


def running(guesses: tuple[bool, ...]) -> Picture:
    """Draw the share of right guesses so far, after each try; ε plays no part in it but through the guesses."""
    picture = _picture(-0.02)
    last = max(TRIES, len(guesses))
    picture.level(EVEN, RANDOM, dash="dot")
    picture.label(1, EVEN, "a coin", RANDOM, xref="paper", xshift=6)
    if guesses:
        right = np.cumsum(guesses)
        step = -(-len(guesses) // DRAWN)
        places = np.arange(len(guesses) - 1, -1, -step)[::-1]
        shares = [Share(int(right[place]), int(place) + 1) for place in places]
        tries = [float(place) + 1 for place in places]
        low, high = zip(*(share.interval for share in shares), strict=True)
        picture.add(
            "scatter",
            x=[*tries, *reversed(tries)],
            y=[*high, *reversed(low)],
            fill="toself",
            mode="lines",
            line={"width": 0},
            fillcolor=PRIVATE.faded(0.16),
            hoverinfo="skip",
        )
        picture.line(
            tries,
            [share.value for share in shares],
            PRIVATE,
            width=5,
            name="the class",
            hovertemplate="the class: %{y:.2f} after %{x}",
        )
        now = shares[-1].value
        beside = EVEN + np.copysign(max(abs(now - EVEN), APART), now - EVEN)
        picture.label(tries[-1], beside, "the class", PRIVATE, xshift=10)
    picture.axis("xaxis", "tries of the whole class", range=[0, 1.02 * last])
    return projected(picture)


def against(seen: Seen) -> Picture:
    """Draw how often the best attacker is right against ε, and what the class reached.

    Through noise, and with the test.
    """
    picture = _picture(min([0.38, *(share.interval[0] - 0.02 for share in (seen.guessed, seen.tested) if share.of)]))
    picture.level(EVEN, RANDOM, dash="dot")
    picture.label(1, EVEN, "a coin", RANDOM, xref="paper", xshift=6)
    picture.line(
        GRID, BOUNDS, NOISY, width=5, name="this noise", hovertemplate="this noise, ε = %{x:.3g}: at most %{y:.3f}"
    )
    named = {"xanchor": "right", "xshift": -12, "align": "right", "bgcolor": PAPER}
    picture.label(np.log10(NAMED), most(NAMED).gaussian, "the most through\nthis noise", NOISY, **named)
    if seen.epsilon is not None:
        picture.upright(seen.epsilon, TEXT, dash="dot")
        opened = f"{attacker_words.envelope(seen)}: ε = {seen.epsilon:g}"
        picture.label(np.log10(seen.epsilon), 0, opened, TEXT, yref="paper", yanchor="bottom", xshift=20)
        if seen.guesses:
            _point(picture, seen.epsilon, seen.guessed, "the class", NOISY)
    if seen.stage >= Stage.TESTING:
        allowed = most(PROMISED).any
        left, right = PROMISED / 1.4, PROMISED * 1.4
        picture.line(
            [left, right],
            [allowed, allowed],
            REFUTED,
            width=4,
            name="its promise",
            hovertemplate="its promise: right in %{y:.2f} at most",
        )
        picture.label(
            np.log10(left),
            allowed,
            f"what its ε allows:\n{attacker_words.of_hundred(allowed)}",
            REFUTED,
            xanchor="right",
            xshift=-8,
            align="right",
        )
    if seen.tested.of:
        _point(picture, PROMISED, seen.tested, "the paper’s projection", REFUTED)
        if attacker_words.stamped(seen):
            # Beside its own point, and nowhere on the curves: what they say holds.
            picture.stamp(
                REFUTED_STAMP,
                xref="x",
                yref="y",
                x=float(np.log10(PROMISED)),
                y=seen.tested.value,
                xanchor="right",
                xshift=-26,
                yshift=-46,
            )
    ticks = [tick for tick in ONE_TWO_FIVE if GRID[0] <= tick <= GRID[-1]]
    picture.axis(
        "xaxis",
        "ε: more may leak →",
        type="log",
        tickvals=ticks,
        range=[float(np.log10(GRID[0])), float(np.log10(GRID[-1]))],
    )
    return projected(picture)


def _point(picture: Picture, epsilon: float, share: Share, name: str, colour: Colour) -> None:
    low, high = share.interval
    refuted = colour is REFUTED
    picture.add(
        "scatter",
        x=[epsilon],
        y=[share.value],
        mode="markers",
        name=name,
        error_y={
            "array": [high - share.value],
            "arrayminus": [share.value - low],
            "color": colour,
            "thickness": 3,
            "width": 9,
        },
        marker={
            "color": colour,
            "size": 22,
            "symbol": "x" if refuted else "circle",
            "line": {"color": NON_PRIVATE, "width": 1.5},
        },
        hovertemplate=f"{name}: right in {attacker_words.right_in(share)}",
    )
    if refuted:
        picture.label(
            np.log10(epsilon),
            share.value,
            f"the projection:\n{attacker_words.right_in(share)}",
            colour,
            xanchor="right",
            xshift=-26,
            yanchor="top",
            yshift=16,
            align="right",
        )
        return
    # Below the curve, which rises; and not on the coin's line, nor between the two where they are close.
    below = min(share.value, most(epsilon).gaussian)
    picture.label(
        np.log10(epsilon),
        EVEN if below - EVEN < LINE else below,
        f"{name}: {attacker_words.right_in(share)}",
        colour,
        xshift=20,
        yshift=-24,
    )


def _picture(bottom: float) -> Picture:
    picture = Picture(height=HEIGHT, margin={"l": 96, "r": 110, "t": 16, "b": 70})
    tens = range(0, 101, 10)
    picture.axis(
        "yaxis",
        "right guesses, of 100",
        range=[bottom, 1.04],
        tickvals=[ten / 100 for ten in tens],
        ticktext=[f"{ten}" for ten in tens],
    )
    return picture


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    if seen.stage is Stage.SEALING:
        named = attacker_words.NAMES[seen.envelope] if seen.envelope is not None else "…"
        return (
            Tile("The envelope", named, f"one of {seen.opened.count(None)}; closed", "known"),
            Tile("Phones", f"{seen.pupils}", f"{TRIES} tries each", "known"),
        )
    guessed = seen.guessed
    tiles = [Tile("The class", attacker_words.right_in(guessed), "tries were right", AUDIENCE)]
    if seen.epsilon is None:
        tiles.append(Tile("The most anybody can be right", "?", f"in {attacker_words.envelope(seen)}", "known"))
    else:
        bound = most(seen.epsilon)
        through = f"through this noise, ε = {seen.epsilon:g}"
        tiles.append(Tile("The most anybody can be right", attacker_words.of_hundred(bound.gaussian), through, "known"))
    if seen.stage >= Stage.TESTING:
        promised = f"its promise, ε = {PROMISED:g}, allows {attacker_words.of_hundred(most(PROMISED).any)}"
        found = attacker_words.right_in(seen.tested) if seen.tested.of else "not tried yet"
        stamp = REFUTED_STAMP if attacker_words.stamped(seen) else ""
        tiles.append(Tile("Paper’s projection", found, promised, AUDIENCE, stamp))
    return tuple(tiles)


ATTACKER = Game(
    name="attacker",
    title="Be the attacker",
    icon=":material/target:",
    question="Two records, one noisy point: can you tell which record it came from? And can anybody?",
    start=lambda: Attacker(problem()),
    desk=desk,
    screen=screen,
    show=show,
)
