"""A promise as a curve: how rarely any test between two neighbours can miss, for each rate of false alarms."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, RANDOM, REFUTED, Picture
from privbo_core.privacy import TradeOff

EDGE = {"color": NON_PRIVATE, "width": 1}
ALARMS = np.unique(np.concatenate([np.geomspace(1e-6, 0.1, 120), np.linspace(0.0, 1.0, 201)]))


@dataclass(frozen=True)
class Attacked:
    """An attack: its shares of false alarms and of misses, and where they lie with the confidence that is stated.

    ``box``: false alarms from, to, misses from, to. ``fails``: the promise is known to fail, wherever the box lies.
    """

    name: str
    alarms: float
    misses: float
    box: tuple[float, float, float, float]
    fails: bool = False


def testing_picture(
    promise: TradeOff, attacked: Sequence[Attacked] = (), least: tuple[float, float] | None = None
) -> Picture:
    """``least``: the false alarms and misses of the test that errs least at a belief, if it is to be marked."""
    picture = Picture(height=320)
    misses = promise(ALARMS)
    hatched = {"shape": "/", "fgcolor": REFUTED.faded(0.35), "size": 9, "solidity": 0.12}
    picture.area([0.0, *ALARMS, 1.0], [0.0, *misses, 0.0], REFUTED.faded(0.08), fillpattern=hatched)
    picture.line([0, 1], [1, 0], RANDOM, dash="dot", width=1.5, name="blind guessing", hoverinfo="skip")
    picture.label(0.62, 0.45, "blind guessing", RANDOM)
    said = "with %{x:.3f} false alarms no test misses less than %{y:.3f}"
    picture.line(ALARMS, misses, PRIVATE, name="the promise", hovertemplate=said)
    for attack in attacked:
        fails = attack.fails or attack.box[3] < float(promise([attack.box[1]])[0])
        colour = REFUTED if fails else MET
        picture.box(attack.box, line={"color": colour, "width": 1.5}, fillcolor=colour.faded(0.2))
        said, symbol = f"{attack.name}: %{{x:.3f}} false alarms, %{{y:.3f}} misses", "x" if fails else "circle"
        x, y = [attack.alarms], [attack.misses]
        picture.marks(x, y, attack.name, said, color=colour, size=11, symbol=symbol, line=EDGE)
        anchor, shift = ("left", 10) if attack.alarms < 0.6 else ("right", -10)
        picture.label(attack.alarms, attack.misses, attack.name, colour, xanchor=anchor, xshift=shift, yshift=12)
    if least is not None:
        said = "the test that errs least: %{x:.3f} false alarms, %{y:.3f} misses"
        x, y = [least[0]], [least[1]]
        picture.marks(x, y, "errs least", said, color=PRIVATE, size=12, symbol="diamond", line=EDGE)
        picture.label(*least, "errs least", PRIVATE, xshift=10, yshift=10)
    corner = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "top"}
    picture.label(1, 1, "hatched: a test in here would refute the promise", REFUTED, **corner)
    picture.axis("xaxis", "false alarms: says “it is the real one” when it is not", range=[-0.01, 1.01])
    picture.axis("yaxis", "misses: does not notice that it is", range=[-0.01, 1.01])
    return picture
