"""Where an ε stands among those of registered deployments, each with its own unit."""

import re
from textwrap import fill

from pages.parts.views.card import audience_of
from pages.parts.views.drawing import Place
from pages.parts.views.picture import NON_PRIVATE, PAPER, PRIVATE, RANDOM, Picture, at_least_three
from pages.parts.views.text import scientific
from pages.parts.views.views import Figure, Finding
from privbo_core.privacy import Guarantee, Registered, UnitKind, registry

ROWS: dict[UnitKind, str] = {
    "person": "a person, with all there is",
    "part": "what a person does in a day, a month, a trip",
    "event": "one event, one record",
    "unknown": "not said of whom",
}
"""What is protected, from the most to the least, as the rows are named."""
SYMBOLS = {"One release": "circle", "Many releases": "diamond", "": "circle-open"}
STEP, TIGHT = 0.24, 0.07  # Between two marks that stand on each other; so near on the axis (log₁₀) that they have to.


def show_others(guarantee: Guarantee, where: str, *, limited: bool) -> None:
    """Show where a guarantee's ε stands among registered ones; ``limited``: it hides a limited change of its unit."""
    Place(f"{where}-others").draw(others_figure(guarantee, f"{where}-others", limited=limited))


def others_figure(guarantee: Guarantee, slot: str, *, limited: bool) -> Figure:
    known, epsilon = registry(), guarantee.epsilon
    others = known.with_epsilon
    larger = sum(size > epsilon for size, _ in others)
    many = f"Of {len(others)} registered deployments with an ε, {larger}"
    title = f"{many} state a larger one than {epsilon:.3g}; their units differ"
    unit = f"{'a limited change of ' if limited else ''}{re.split('[:,]', guarantee.protects)[0]}"
    audience, stamp = audience_of(guarantee)
    audience = audience if stamp else "known"  # the ε and the registry: nothing has to go out for it
    note = (
        f"An ε is about a unit: here, {unit}. An ε for a day counts again on the next day, an ε for an event at each "
        "event, and what hides a small change hides no person. So only deployments that protect the same, as often, "
        "can be set beside this one; a smaller ε alone is not more privacy. ● one release, ◆ many, ○ not said. "
        f"{known.source} Its board has approved {known.approved or 'none'} of the {len(known.records)} records yet."
    )
    alt = (
        f"The ε of {len(others)} registered deployments on a logarithmic axis, in rows by what they protect; "
        f"{larger} lie to the right of {epsilon:.3g}."
    )
    return Figure(slot, Finding(title, audience, note, stamp), _strip(others, epsilon, unit), alt)


def _strip(others: tuple[tuple[float, Registered], ...], epsilon: float, unit: str) -> Picture:
    low, high = min(others[0][0], epsilon) / 1.6, max(others[-1][0], epsilon) * 1.6
    picture = Picture(height=330, margin={"l": 8, "r": 8, "t": 8, "b": 44})
    picture.log_axis("xaxis", "ε, as each states it", low, high)
    picture.axis("xaxis", **at_least_three(low, high))
    picture.axis("yaxis", visible=False, range=[-0.35, len(ROWS) + 0.75], fixedrange=True)
    picture.upright(epsilon, PRIVATE, dash="dot", width=1.5)
    for place, (kind, name) in enumerate(reversed(ROWS.items())):
        row = [(size, each) for size, each in others if each.kind == kind]
        sizes = [size for size, _ in row]
        picture.label(0, place + 0.62, name, RANDOM, xref="paper", yanchor="middle", bgcolor=PAPER)
        picture.level(place, RANDOM.faded(0.3), dash="solid", width=1)
        heights = [place + rise for rise in _risen(sizes)]
        texts, symbols = [fill(_line(each), 42) for _, each in row], [SYMBOLS[each.releases] for _, each in row]
        look = {"size": 9, "color": NON_PRIVATE.faded(0.75), "symbol": symbols}
        picture.marks(sizes, heights, name, "%{text}", text=texts, **look)
    top = len(ROWS)
    picture.label(0, top + 0.5, f"here: {unit}", PRIVATE, xref="paper", yanchor="middle", bgcolor=PAPER)
    text = [fill(f"here: ε = {epsilon:.3g} for {unit}", 42)]
    picture.marks([epsilon], [top], "here", "%{text}", text=text, size=13, color=PRIVATE, symbol="star")
    return picture


def _risen(sizes: list[float]) -> list[float]:
    """Return how high each mark of a row stands, those that would cover each other one above the other."""
    heights: list[float] = []
    for place, size in enumerate(sizes):
        below = place and size < sizes[place - 1] * 10**TIGHT
        heights.append((heights[-1] + STEP) % (2 * STEP) if below else 0.0)
    return heights


def _line(other: Registered) -> str:
    size = f"ε = {other.epsilon:g}" + (f", δ = {scientific(other.delta)}" if other.delta else "")
    how = f"{other.releases.lower() or 'releases not said'}; {other.model.lower()} model"
    return f"{other.name} ({other.curator}, {other.year}): {size}; unit: {other.unit or 'not said'}; {how}"
