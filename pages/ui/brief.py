"""Write a decision on one printed page: an HTML file with its own font and picture, which opens without a network."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pages.ui.numbers import power_of_ten
from pages.ui.report import font_face
from pages.ui.text import to_html

HERE = Path(__file__).parent
WIDTH, HEIGHT = 720, 250
LEFT, RIGHT, TOP, BOTTOM = 46, 164, 30, 34
"""The margins of the plot in pixels. The words for the strength stand in the one at the top."""
LETTER = 6.4
LINES = 4
"""The most grid lines."""


@dataclass(frozen=True)
class Assumption:
    """An assumption of the guarantee, who vouches for it, and whether it is known not to be met."""

    text: str
    by: str
    unmet: bool = False


@dataclass(frozen=True)
class Picture:
    """The cost against ε, as values. ``low`` and ``high`` bound the interval, and all have the length of ``epsilons``.

    Up to the index ``found`` the search doesn't get there, so the cost is higher. ``zones`` have the end, the word and
    the level of each. ``label`` states the cost at ``epsilon``, which is ``cost``.
    """

    epsilons: Sequence[float]
    costs: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    found: int
    zones: Sequence[tuple[float, str, int]]
    epsilon: float
    cost: float
    label: str
    axis: str
    reference: str


@dataclass(frozen=True)
class Brief:
    """Everything on the page. ``facts`` are names with values, and ``signers`` sign by hand."""

    question: str
    answer: str
    lead: str
    picture: Picture
    caption: str
    facts: Sequence[tuple[str, str]]
    assumptions: Sequence[Assumption]
    not_protected: Sequence[str]
    comparison: str
    signers: Sequence[str]
    source: str


def brief_html(brief: Brief) -> str:
    """Return the page as one HTML file."""
    style = font_face() + (HERE / "brief.css").read_text("utf-8")
    facts = "".join(f"<dt>{to_html(name)}</dt><dd>{to_html(value)}</dd>" for name, value in brief.facts)
    open_ones = "".join(f"<li>{to_html(text)}</li>" for text in brief.not_protected)
    signers = "".join(f"<div><i></i>{to_html(name)}</div><div><i></i>Place and date</div>" for name in brief.signers)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'font-src data:">'
        f"<title>{to_html(brief.question)}</title><style>{style}</style></head><body><main>"
        f'<p class="eyebrow">{to_html(brief.question)}</p><h1>{to_html(brief.answer)}</h1>'
        f'<p class="lead">{to_html(brief.lead)}</p>'
        f"<figure>{svg(brief.picture)}<figcaption>{to_html(brief.caption)}</figcaption></figure>"
        f"<dl>{facts}</dl>"
        f"<section><h2>The guarantee rests on these assumptions</h2><ol>{''.join(map(_assumption, brief.assumptions))}"
        f"</ol></section><section><h2>What is not protected</h2><ul>{open_ones}</ul></section>"
        f"<section><h2>How this ε compares</h2><p>{to_html(brief.comparison)}</p></section>"
        f'<div class="signers">{signers}</div><footer>{to_html(brief.source)}</footer></main></body></html>'
    )


def _assumption(each: Assumption) -> str:
    after = f'<span class="by">Vouched for by: {to_html(each.by)}</span>'
    if each.unmet:
        after = '<b class="unmet">Not met.</b>'
    return f"<li>{to_html(each.text)} {after}</li>"


@dataclass(frozen=True)
class _Scale:
    """Where values lie in the picture."""

    bounds: tuple[float, float]
    costs: tuple[float, float]

    def x(self, epsilon: float) -> float:
        low, high = (math.log10(end) for end in self.bounds)
        share = (math.log10(epsilon) - low) / (high - low)
        return LEFT + min(max(share, 0.0), 1.0) * (WIDTH - LEFT - RIGHT)

    def y(self, cost: float) -> float:
        low, high = self.costs
        share = (cost - low) / (high - low)
        return HEIGHT - BOTTOM - min(max(share, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM)


def svg(picture: Picture) -> str:
    """Return the picture as SVG, whose colours the style sheet sets."""
    known = [0.0, picture.cost, *picture.costs, *picture.low[picture.found :], *picture.high[picture.found :]]
    low, high = min(known), max(known)
    room = 0.12 * (high - low) or 1.0
    bounds = min(picture.epsilons[0], picture.epsilon), max(picture.epsilons[-1], picture.epsilon)
    scale = _Scale(bounds, (low - room, high + room))
    parts = [*_zones(picture, scale), *_axes(picture, scale), *_curve(picture, scale), *_choice(picture, scale)]
    alt = to_html(f"{picture.axis} against ε. At ε = {picture.epsilon:.3g}: {picture.label}.")
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{alt}">{"".join(parts)}</svg>'


def _zones(picture: Picture, scale: _Scale) -> list[str]:
    """Return the words for the strength. A word that is too long for its zone is left out."""
    parts, start = [], scale.x(scale.bounds[0])
    for end, word, level in picture.zones:
        right = scale.x(end)
        parts.append(f'<rect class="zone{level}" x="{start:.1f}" y="2" width="{right - start:.1f}" height="20"/>')
        if LETTER * len(word) < right - start:
            parts.append(_text((start + right) / 2, 16, word, "middle"))
        start = right
    return parts


def _axes(picture: Picture, scale: _Scale) -> list[str]:
    """Return grid lines with their numbers, and the line of no cost."""
    left, right, foot = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value in _round_values(*scale.costs):
        y = scale.y(value)
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(left - 6, y + 4, f"{value:g}".replace("-", "−"), "end"))
    first, last = (math.log10(end) for end in scale.bounds)
    powers = [10.0**power for power in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)]
    parts += [_text(scale.x(power), foot + 15, power_of_ten(power), "middle") for power in powers]
    parts.append(_text((left + right) / 2, HEIGHT - 4, "privacy budget ε, from more private to lower cost", "middle"))
    zero = scale.y(0.0)
    parts.append(f'<line class="reference" x1="{left}" x2="{right}" y1="{zero:.1f}" y2="{zero:.1f}"/>')
    above = max(picture.costs[: len(picture.costs) // 3 + 1]) <= 0
    parts.append(_text(left + 4, zero - 5 if above else zero + 13, picture.reference, "start"))
    return parts


def _round_values(low: float, high: float) -> list[float]:
    """Return at most `LINES` round values."""
    step = 10.0 ** math.floor(math.log10(high - low))
    step = next(step * factor for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10) if (high - low) / (step * factor) <= LINES + 1)
    first = math.ceil(low / step)
    return [round(number * step, 10) for number in range(first, math.floor(high / step) + 1)]


def _curve(picture: Picture, scale: _Scale) -> list[str]:
    """Return the interval and the curve, which is dotted where the search doesn't get there."""
    x = [scale.x(each) for each in picture.epsilons]
    start = picture.found

    def points(values: Sequence[float], first: int, end: int) -> list[str]:
        return [f"{x[place]:.1f},{scale.y(values[place]):.1f}" for place in range(first, end)]

    around = [*points(picture.high, start, len(x)), *reversed(points(picture.low, start, len(x)))]
    parts = [f'<polygon class="band" points="{" ".join(around)}"/>'] if around else []
    if start > 0:
        missed = " ".join(points(picture.costs, 0, min(start + 1, len(x))))
        parts.append(f'<polyline class="curve more" points="{missed}"/>')
    parts.append(f'<polyline class="curve" points="{" ".join(points(picture.costs, start, len(x)))}"/>')
    return parts


def _choice(picture: Picture, scale: _Scale) -> list[str]:
    """Return the two lines that cross at the chosen ε, with their labels."""
    x, y, right = scale.x(picture.epsilon), scale.y(picture.cost), WIDTH - RIGHT
    return [
        f'<line class="choice" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{HEIGHT - BOTTOM}"/>',
        f'<line class="choice level" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>',
        _text(x + 7, TOP + 8, f"ε = {picture.epsilon:.3g}", "start", "strong"),
        _text(right + 6, y + 4, picture.label, "start", "strong"),
    ]


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{to_html(text)}</text>'
