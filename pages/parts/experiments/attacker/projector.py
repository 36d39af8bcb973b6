"""What “Be the attacker” shows on the projector: how the class does, then how well anybody could have done."""

import numpy as np

from pages.parts.experiments.attacker import words
from pages.parts.experiments.projected import HEIGHT, projected
from pages.parts.values.axes import ONE_TWO_FIVE
from pages.parts.values.palette import NOISY, NON_PRIVATE, PRIVATE, RANDOM, REFUTED, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.views import REFUTED_STAMP, Audience, Figure, Finding, Tile, View
from privbo_core.classroom.attacker import EVEN, PROMISED, TRIES, Attacker, Seen, Share, Stage, most

SLOT = "attacker"
GRID = np.geomspace(0.03, 200.0, 80)
BOUNDS = [most(float(epsilon)).gaussian for epsilon in GRID]
DRAWN = 160
"""Points of the running share at most."""
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
    stamp = REFUTED_STAMP if words.stamped(seen) else ""
    finding = Finding(words.title(seen), AUDIENCE, words.note(seen), stamp)
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
            "scatter", x=[*tries, *reversed(tries)], y=[*high, *reversed(low)], fill="toself", mode="lines",
            line={"width": 0}, fillcolor=PRIVATE.faded(0.16), hoverinfo="skip",
        )  # fmt: skip
        picture.line(tries, [share.value for share in shares], PRIVATE, width=5, name="the class",
                     hovertemplate="the class: %{y:.2f} after %{x}")  # fmt: skip
        now = shares[-1].value
        beside = EVEN + np.copysign(max(abs(now - EVEN), APART), now - EVEN)
        picture.label(tries[-1], beside, "the class", PRIVATE, xshift=10)
    picture.axis("xaxis", "tries of the whole class", range=[0, 1.02 * last])
    return projected(picture)


def against(seen: Seen) -> Picture:
    """Draw how often the best attacker is right against ε, and what the class reached: through noise, and with the test."""
    picture = _picture(min([0.38, *(share.interval[0] - 0.02 for share in (seen.guessed, seen.tested) if share.of)]))
    picture.level(EVEN, RANDOM, dash="dot")
    picture.label(1, EVEN, "a coin", RANDOM, xref="paper", xshift=6)
    picture.line(GRID, BOUNDS, NOISY, width=5, name="this noise",
                 hovertemplate="this noise, ε = %{x:.3g}: at most %{y:.3f}")  # fmt: skip
    picture.label(np.log10(38), 0.64, "the most through\nthis noise", NOISY, align="left")
    if seen.epsilon is not None:
        picture.upright(seen.epsilon, TEXT, dash="dot")
        opened = f"{words.envelope(seen)}: ε = {seen.epsilon:g}"
        picture.label(np.log10(seen.epsilon), 0, opened, TEXT, yref="paper", yanchor="bottom", xshift=20)
        if seen.guesses:
            _point(picture, seen.epsilon, seen.guessed, "the class", NOISY)
    if seen.stage >= Stage.TESTING:
        allowed = most(PROMISED).any
        left, right = PROMISED / 1.4, PROMISED * 1.4
        picture.line([left, right], [allowed, allowed], REFUTED, width=4, name="its promise",
                     hovertemplate="its promise: right in %{y:.2f} at most")  # fmt: skip
        picture.label(np.log10(left), allowed, f"the paper’s promise:\n{words.of_hundred(allowed)}", REFUTED, xanchor="right",
                      xshift=-8, align="right")  # fmt: skip
    if seen.tested.of:
        _point(picture, PROMISED, seen.tested, "the paper’s projection", REFUTED)
        if words.stamped(seen):
            # Beside its own point, and nowhere on the curves: what they say holds.
            picture.stamp(REFUTED_STAMP, xref="x", yref="y", x=float(np.log10(PROMISED)), y=seen.tested.value,
                          xanchor="right", xshift=-26, yshift=-46)  # fmt: skip
    ticks = [tick for tick in ONE_TWO_FIVE if GRID[0] <= tick <= GRID[-1]]
    picture.axis("xaxis", "ε: more may leak →", type="log", tickvals=ticks,
                 range=[float(np.log10(GRID[0])), float(np.log10(GRID[-1]))])  # fmt: skip
    return projected(picture)


def _point(picture: Picture, epsilon: float, share: Share, name: str, colour: Colour) -> None:
    low, high = share.interval
    refuted = colour is REFUTED
    picture.add(
        "scatter", x=[epsilon], y=[share.value], mode="markers", name=name,
        error_y={"array": [high - share.value], "arrayminus": [share.value - low], "color": colour, "thickness": 3, "width": 9},
        marker={"color": colour, "size": 22, "symbol": "x" if refuted else "circle", "line": {"color": NON_PRIVATE, "width": 1.5}},
        hovertemplate=f"{name}: right in {words.right_in(share)}",
    )  # fmt: skip
    if refuted:
        picture.label(np.log10(epsilon), share.value, f"the projection:\n{words.right_in(share)}", colour, xanchor="right",
                      xshift=-26, yanchor="top", yshift=16, align="right")  # fmt: skip
        return
    # Below the curve, which rises; and not on the coin's line, nor between the two where they are close.
    below = min(share.value, most(epsilon).gaussian)
    picture.label(np.log10(epsilon), EVEN if below - EVEN < LINE else below, f"{name}: {words.right_in(share)}", colour,
                  xshift=20, yshift=-24)  # fmt: skip


def _picture(bottom: float) -> Picture:
    picture = Picture(height=HEIGHT, margin={"l": 96, "r": 110, "t": 16, "b": 70})
    tens = range(0, 101, 10)
    picture.axis("yaxis", "right guesses, of 100", range=[bottom, 1.04], tickvals=[ten / 100 for ten in tens],
                 ticktext=[f"{ten}" for ten in tens])  # fmt: skip
    return picture


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    if seen.stage is Stage.SEALING:
        named = words.NAMES[seen.envelope] if seen.envelope is not None else "…"
        return (
            Tile("The envelope", named, f"one of {seen.opened.count(None)}; closed", "known"),
            Tile("Phones", f"{seen.pupils}", f"{TRIES} tries each", "known"),
        )
    guessed = seen.guessed
    tiles = [Tile("The class", words.right_in(guessed), "tries were right", AUDIENCE)]
    if seen.epsilon is None:
        tiles.append(Tile("The most anybody could", "?", f"in {words.envelope(seen)}", "known"))
    else:
        bound = most(seen.epsilon)
        through = f"through this noise, ε = {seen.epsilon:g}"
        tiles.append(Tile("The most anybody could", words.of_hundred(bound.gaussian), through, "known"))
    if seen.stage >= Stage.TESTING:
        promised = f"its promise, ε = {PROMISED:g}, allows {words.of_hundred(most(PROMISED).any)}"
        found = words.right_in(seen.tested) if seen.tested.of else "not tried yet"
        stamp = REFUTED_STAMP if words.stamped(seen) else ""
        tiles.append(Tile("Paper’s projection", found, promised, AUDIENCE, stamp))
    return tuple(tiles)
