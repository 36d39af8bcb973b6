"""What one phone shows at a time, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Show = Literal["tell", "rate", "choose", "pair", "map", "scales", "join"]
"""Words only; one colour to rate; a list to choose from; one of two points in a picture; a point of a map; sliders;
the way into a room."""


@dataclass(frozen=True)
class Screen:
    """One thing to read or to answer. ``key`` names the question; ``answer`` is what this pupil has said to it already.

    ``data`` by kind, all of it JSON:

    - tell: ``big`` (a few characters), ``lines``, ``colour`` (of a swatch), ``go`` (an address to open);
    - rate: ``colour``, ``scale`` (the words from least to most): answered by a place in the scale, from 0;
    - choose: ``options``, each a ``value``, a ``text`` and perhaps a ``note``: answered by a value;
    - pair: ``points``, ``released``, ``a``, ``b``, ``range`` (x₀, x₁, y₀, y₁): answered by "a" or "b";
    - map: ``points``, ``tested`` (pairs of a point's number and a value from 0 to 1), ``range``, perhaps
      ``axes`` (what to write below it and above it) and a ``label`` for the button: answered by a number;
    - scales: ``sliders``, each a ``name``, a ``label`` and its ``stops`` in words: answered by {name: place of the stop}.
      None is chosen before it is moved, and all have to be; ``unmoved``: what a slider says until then;
    - join: ``room`` (its code, if it is known), ``longest``, ``letters``: answered by {"room": code, "name": nickname}.
    """

    key: str
    kind: Show
    title: str
    text: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    answer: object = None
