"""What the modeler's seat says: how far the search is, what was found, why a row is asked for."""

import math
from collections.abc import Sequence

from pages.parts.views.card import HOLDER, strength_fact
from pages.parts.views.text import epsilon_text, minus, scientific
from pages.parts.views.views import Audience, Brief, Fact, Finding, Table, Tile, table
from privbo_core.decision.order import together
from privbo_core.outsourced.parties.modeler import Modeler, Suggestion
from privbo_core.outsourced.parties.package import Package

QUESTION = "Choose what to test, without seeing the data"
STEPS = ("Open the ZIP you were sent", "Ask for rows", "Send the questions", "Tell what came out")
NEEDED = (
    "All that you need is in it: rows with noise on them, and what is looked for. The people behind them stay with the "
    "holder."
)
STATE = "The search is in this browser’s session alone. Download it, and go on another day or elsewhere."


def told_audience(modeler: Modeler) -> Audience:
    """Return what covers that which rests on outcomes: no promise, where they were told exactly."""
    return "told" if modeler.outcomes and modeler.package.private is None else "share"


def outcome_text(package: Package, value: float, digits: int = 4) -> str:
    if not math.isfinite(value):
        return "…"
    unit = package.outcome.unit
    return minus(f"{value:,.{digits}g}") + (f" {unit}" if unit else "")


def counted(count: int, what: str) -> str:
    return f"one {what}" if count == 1 else f"{count} {what}s"


def brief(modeler: Modeler) -> Brief:
    package, advice = modeler.package, modeler.advice
    if modeler.best is None:
        answer = f"{package.rows:,} rows to choose from. Ask for the first ones."
    else:
        told, (row, value) = counted(len(modeler.outcomes), "test"), modeler.best
        answer = f"Best of {told}: row {row}, {package.outcome.name} {outcome_text(package, value)}."
    better = "higher" if package.outcome.larger_is_better else "lower"
    names = f"{', '.join(package.frame.names[:3])}{' …' if package.frame.d > 3 else ''}"
    behind = f"with {names}. The people behind them stay with the holder."
    facts = (
        Fact("You look for", package.outcome.name, f"the {better}, the better"),
        Fact("You were sent", f"{package.rows:,} noisy rows", behind),
        strength_fact(*together(package.guarantee, package.frame, package.noise, package.private)[:2], word=HOLDER),
        Fact(
            "Go on?", "You may stop" if advice.enough else "Go on", advice.sentence, tone="met" if advice.enough else ""
        ),
    )
    return Brief(answer, facts, (), told_audience(modeler))


def tiles(modeler: Modeler) -> tuple[Tile, ...]:
    package, best = modeler.package, modeler.best
    better = "larger" if package.outcome.larger_is_better else "smaller"
    audience, gain = told_audience(modeler), outcome_text(package, modeler.advice.expected_improvement, 2)
    found = outcome_text(package, best[1]) if best else "…"
    which = f"row {best[0]}" if best else f"{package.outcome.name}: {better} is better"
    told, open_ones = f"{len(modeler.outcomes)}", f"of {package.rows:,} rows; {len(modeler.pending)} open"
    level = f"hidden changes, at ε = {epsilon_text(package.epsilon)}, δ = {scientific(package.delta)}"
    return (
        Tile("Best so far", found, which, audience),
        Tile("Tests told", told, open_ones, "known"),
        Tile("One more test gains", gain, "over the best so far: on average, at most", audience),
        Tile("Noise in each column: σ", f"{package.sigma:.3g}", level, "share"),
    )


def titled(modeler: Modeler) -> Finding:
    rows, pending = f"{modeler.package.rows:,}", modeler.pending
    if pending:
        title = f"Asked now: {counted(len(pending), 'row')} of {rows}"
    elif not modeler.outcomes:
        title = f"The noisy map: {rows} rows, and nothing known of them yet"
    else:
        title = f"What is expected of each row after {counted(len(modeler.outcomes), 'test')}"
    note = "Each dot is a row with noise on it. Numbers: tested, in their order. Stars: asked."
    return Finding(title, told_audience(modeler), note)


def suggestions(asked: Sequence[Suggestion], package: Package, *, plain: bool) -> Table:
    if plain:
        head = ("row", f"{package.outcome.name}, expected")
        return table(head, [(f"{each.row}", outcome_text(package, each.mean)) for each in asked])
    return table(("row", "why"), [(f"{each.row}", each.why) for each in asked])


def told_table(modeler: Modeler) -> Table:
    best = modeler.best[0] if modeler.best else 0
    rows = [
        (str(number), f"{row}", minus(f"{value:,.6g}"), "best" if row == best else "")
        for number, (row, value) in reversed(list(enumerate(modeler.outcomes.items(), start=1)))
    ]
    return table(("test", "row", str(modeler.package.outcome), ""), rows)


def learned_table(modeler: Modeler) -> Table:
    columns = modeler.package.frame.columns
    rows = [
        (column.name, f"{length:,.4g} {column.unit}".rstrip(), f"{column.high - column.low:,.4g}")
        for column, length in zip(columns, modeler.model.lengthscales, strict=True)
    ]
    return table(("column", "length-scale, learned", "range"), rows)
