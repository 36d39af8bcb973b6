"""“Be the attacker”: what desk, phones and projector show."""

import math
from functools import partial

import numpy as np

from pages.parts.classroom.games import attacker_words as words
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
                closed, label = epsilon is None, f"Envelope {NAMES[place]}"
                label, icon = (label, "mail") if closed else (f"{label}: ε = {epsilon:g}", "drafts")
                seal = partial(Attacker.seal, envelope=place)
                act(room, label, seal, icon, main=place == seen.envelope, can=closed)
            act(room, "Begin", Attacker.begin, "play_arrow", can=seen.envelope is not None)
            if seen.envelope is None:
                note("Choose an envelope; then begin.")
        case Stage.GUESSING:
            act(room, f"Open {envelope(seen)}", Attacker.reveal, "drafts", can=bool(seen.guesses))
            if not seen.guesses:
                note("It can be opened once somebody has tried.")
        case Stage.REVEALED:
            act(room, "Now the paper’s projection", Attacker.project, "arrow_forward")
            act(room, "Another envelope", Attacker.again, "mail", main=False)
        case Stage.TESTING:
            act(room, "That is all", Attacker.end, "flag")
        case Stage.OVER:
            act(room, "Another envelope", Attacker.again, "mail")


NEAR, FAR = 2.0, 4.4
"""Half of a picture's side, in hidden changes: no closer, and no farther off, or A and B lie on each other."""
EDGE = 0.94  # Where a released point is drawn that lies outside, from the middle to the edge.
DRAWN_ON_PHONE = 150  # Points of the cloud in one picture.


def screen(attacker: Attacker, pupil: int) -> Screen:
    asked, stage = attacker.question(pupil), attacker.stage
    if isinstance(asked, Pair):
        return _pair(attacker, pupil, asked)
    if isinstance(asked, Remainder):
        return _test(attacker, pupil, asked)
    if stage is Stage.SEALING:
        return Screen("wait", "tell", "You are the attacker. It begins soon.", prose("class", "guessing"))
    guesses, tests = attacker.score(pupil), attacker.tests(pupil)
    lines = [words.own_score(guesses, late=attacker.late(pupil))]
    if stage >= Stage.TESTING and tests.of:
        done = f"in {words.right_in(tests)} tries."
        lines.append(f"Against the paper’s projection, you tapped what the one-line test names {done}")
    lines.append("Your own score is on this phone only; the screen in front shows everybody’s together.")
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
    middle = x, y = (asked.a[0] + asked.b[0]) / 2, (asked.a[1] + asked.b[1]) / 2
    away = math.dist(asked.released, middle)
    half = min(max(1.15 * away, NEAR), FAR)
    off = asked.released[0] - x, asked.released[1] - y
    drawn, text = asked.released, ""
    if max(map(abs, off)) > half:
        # Seen from half-way between the two: the nearer one stays the nearer one.
        shrink = EDGE * half / max(map(abs, off))
        drawn = round(x + shrink * off[0], 3), round(y + shrink * off[1], 3)
        text = f"The noisy point lies outside, this way, {away:.0f} times as far off as A from B. "
    data = {
        "points": [each for each in attacker.cloud if max(abs(each[0] - x), abs(each[1] - y)) < half][:DRAWN_ON_PHONE],
        "released": drawn,
        "a": asked.a,
        "b": asked.b,
        "range": [round(each, 3) for each in (x - half, x + half, y - half, y + half)],
        "axes": ["older →", "↑ higher kidney value"],
    }
    title = f"{asked.number} of {TRIES}: which one is real?"
    return Screen(key(asked), "pair", title, _last(attacker.last(pupil)) + text, data)


def _test(attacker: Attacker, pupil: int, asked: Remainder) -> Screen:
    both = ("a", asked.a, asked.over_a), ("b", asked.b, asked.over_b)
    options = [
        {"value": name, "text": f"{name.upper()}: {words.record(point)}", "note": words.left_over(over)}
        for name, point, over in both
    ]
    hint = f"{_last(attacker.last(pupil))}The real one leaves nothing over."
    text = prose("class", "one line of arithmetic") if asked.number == 1 else hint
    return Screen(key(asked), "choose", f"{asked.number} of {TESTS}: which one is real?", text, {"options": options})


def _last(right: bool | None) -> str:
    return "" if right is None else "The last one: right. " if right else "The last one: wrong. "


GRID = np.geomspace(0.03, 200.0, 80)
BOUNDS = [most(float(epsilon)).gaussian for epsilon in GRID]
DRAWN = 160  # Points of the running share at most.
NAMED = 20.0  # At which ε the curve has its name.
APART, LINE = 0.07, 0.1
"""How far from the coin's name another one stands at least, and how much room a name takes between two curves."""
AUDIENCE: Audience = "known"  # A class plays on a public sample, and what all of it answered is everybody's to see.


def show(attacker: Attacker) -> View:
    """Return what the class sees now.

    The projection's stamp comes when this class has refuted it, or else at the end: until then it is what the class is
    asked to find out. Nothing here calls the projection protected before, and no picture shows it before it was tried.
    """
    seen = attacker.seen()
    stamp = REFUTED_STAMP if words.stamped(seen) else ""
    finding = Finding(words.title(seen), AUDIENCE, words.note(seen), stamp)
    if seen.stage <= Stage.GUESSING:  # how often anybody can be right is the answer, and in the envelope
        picture, alt = running(seen.guesses), "The share of right guesses against the number of tries so far."
    else:
        picture, alt = against(seen), "How often an attacker can be right against ε, with what the class reached."
    return View(_tiles(seen), (Figure("attacker", finding, picture, alt),))


def running(guesses: tuple[bool, ...]) -> Picture:
    """Draw the share of right guesses so far, after each try; ε plays no part in it but through the guesses."""
    picture = _picture(-0.02)
    last = max(TRIES, len(guesses))
    if guesses:
        right = np.cumsum(guesses)
        step = -(-len(guesses) // DRAWN)
        places = np.arange(len(guesses) - 1, -1, -step)[::-1]
        shares = [Share(int(right[place]), int(place) + 1) for place in places]
        tries = [float(place) + 1 for place in places]
        low, high = zip(*(share.interval for share in shares), strict=True)
        picture.between(tries, np.array(low), np.array(high), PRIVATE.faded(0.16))
        said = {"name": "the class", "hovertemplate": "the class: %{y:.2f} after %{x}"}
        picture.line(tries, [share.value for share in shares], PRIVATE, width=5, **said)
        now = shares[-1].value
        beside = EVEN + np.copysign(max(abs(now - EVEN), APART), now - EVEN)
        picture.label(tries[-1], beside, "the class", PRIVATE, xshift=10)
    picture.axis("xaxis", "tries of the whole class", range=[0, 1.02 * last])
    return projected(picture)


def against(seen: Seen) -> Picture:
    """Draw how often the best attacker is right against ε, and what the class reached: through noise, with the test."""
    picture = _picture(min([0.38, *(share.interval[0] - 0.02 for share in (seen.guessed, seen.tested) if share.of)]))
    hover = "this noise, ε = %{x:.3g}: at most %{y:.3f}"
    picture.line(GRID, BOUNDS, NOISY, width=5, name="this noise", hovertemplate=hover)
    named = {"xanchor": "right", "xshift": -12, "align": "right", "bgcolor": PAPER}
    picture.label(np.log10(NAMED), most(NAMED).gaussian, "the most through\nthis noise", NOISY, **named)
    if seen.epsilon is not None:
        picture.upright(seen.epsilon, TEXT, dash="dot")
        opened = f"{envelope(seen)}: ε = {seen.epsilon:g}"
        picture.label(np.log10(seen.epsilon), 0, opened, TEXT, yref="paper", yanchor="bottom", xshift=20)
        if seen.guesses:
            _point(picture, seen.epsilon, seen.guessed, "the class", NOISY)
    if seen.stage >= Stage.TESTING:
        allowed = most(PROMISED).any
        left, right = PROMISED / 1.4, PROMISED * 1.4
        hover = "its promise: right in %{y:.2f} at most"
        picture.line([left, right], [allowed] * 2, REFUTED, width=4, name="its promise", hovertemplate=hover)
        text, beside = f"what its ε allows:\n{words.of_hundred(allowed)}", {"xanchor": "right", "align": "right"}
        picture.label(np.log10(left), allowed, text, REFUTED, xshift=-8, **beside)
    if seen.tested.of:
        _point(picture, PROMISED, seen.tested, "the paper’s projection", REFUTED)
        if words.stamped(seen):
            # Beside its own point, and nowhere on the curves: what they say holds.
            at = {"xref": "x", "yref": "y", "x": float(np.log10(PROMISED)), "y": seen.tested.value}
            picture.stamp(REFUTED_STAMP, **at, xanchor="right", xshift=-26, yshift=-46)
    ticks = [tick for tick in ONE_TWO_FIVE if GRID[0] <= tick <= GRID[-1]]
    ends = [float(np.log10(GRID[0])), float(np.log10(GRID[-1]))]
    picture.axis("xaxis", "ε: more may leak →", type="log", tickvals=ticks, range=ends)
    return projected(picture)


def _point(picture: Picture, epsilon: float, share: Share, name: str, colour: Colour) -> None:
    (low, high), refuted = share.interval, colour is REFUTED
    ends = {"array": [high - share.value], "arrayminus": [share.value - low]}
    symbol, edge = "x" if refuted else "circle", {"color": NON_PRIVATE, "width": 1.5}
    picture.add(
        "scatter",
        x=[epsilon],
        y=[share.value],
        mode="markers",
        name=name,
        error_y={**ends, "color": colour, "thickness": 3, "width": 9},
        marker={"color": colour, "size": 22, "symbol": symbol, "line": edge},
        hovertemplate=f"{name}: right in {words.right_in(share)}",
    )
    if refuted:
        beside = {"xanchor": "right", "xshift": -26, "yanchor": "top", "yshift": 16, "align": "right"}
        text = f"the projection:\n{words.right_in(share)}"
        picture.label(np.log10(epsilon), share.value, text, colour, **beside)
        return
    # Below the curve, which rises; and not on the coin's line, nor between the two where they are close.
    below = min(share.value, most(epsilon).gaussian)
    height = EVEN if below - EVEN < LINE else below
    picture.label(np.log10(epsilon), height, f"{name}: {words.right_in(share)}", colour, xshift=20, yshift=-24)


def _picture(bottom: float) -> Picture:
    """Return the axis of right guesses, with a coin's share on it."""
    picture = Picture(height=HEIGHT, margin={"l": 96, "r": 110, "t": 16, "b": 70})
    tens = range(0, 101, 10)
    ticks = {"tickvals": [ten / 100 for ten in tens], "ticktext": [f"{ten}" for ten in tens]}
    picture.axis("yaxis", "right guesses, of 100", range=[bottom, 1.04], **ticks)
    picture.level(EVEN, RANDOM, dash="dot")
    picture.label(1, EVEN, "a coin", RANDOM, xref="paper", xshift=6)
    return picture


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    if seen.stage is Stage.SEALING:
        named = NAMES[seen.envelope] if seen.envelope is not None else "…"
        return (
            Tile("The envelope", named, f"one of {seen.opened.count(None)}; closed", "known"),
            Tile("Phones", f"{seen.pupils}", f"{TRIES} tries each", "known"),
        )
    bound, where = "?", f"in {envelope(seen)}"
    if seen.epsilon is not None:
        bound, where = words.of_hundred(most(seen.epsilon).gaussian), f"through this noise, ε = {seen.epsilon:g}"
    tiles = [
        Tile("The class", words.right_in(seen.guessed), "tries were right", AUDIENCE),
        Tile("The most anybody can be right", bound, where, "known"),
    ]
    if seen.stage >= Stage.TESTING:
        promised = f"its promise, ε = {PROMISED:g}, allows {words.of_hundred(most(PROMISED).any)}"
        found = words.right_in(seen.tested) if seen.tested.of else "not tried yet"
        stamp = REFUTED_STAMP if words.stamped(seen) else ""
        tiles.append(Tile("Paper’s projection", found, promised, AUDIENCE, stamp))
    return tuple(tiles)


ASKED = "Two records, one noisy point: can you tell which record it came from? And can anybody?"
ATTACKER = Game(
    "attacker", "Be the attacker", ":material/target:", ASKED, lambda: Attacker(problem()), desk, screen, show
)
