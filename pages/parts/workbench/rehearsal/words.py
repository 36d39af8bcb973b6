"""What the rehearsal says."""

import math

from pages.parts.outsourced.regret import best
from pages.parts.values.axes import SAMPLES, End, spread_labels
from pages.parts.values.numbers import epsilon_text
from pages.parts.values.palette import NOISY, NON_PRIVATE, TEXT, Colour
from pages.parts.values.picture import Picture
from pages.parts.values.text import minus
from pages.parts.values.views import Figure, Finding, Table, table
from pages.parts.workbench.rehearsal.game import Game, Test

QUESTION = "Try both seats, on a sample"
ROLES = {"choose": "choose", "answer": "answer"}
RESULT = "rehearsal-result"


def before(chooses: bool) -> str:
    """Return what is about to happen."""
    if chooses:
        return "You see the noisy map and choose, one row after the other. The machine answers, and searches beside you with the same tests."
    return "The machine sees the noisy map and chooses. You have the table: find each record, and answer."


def standing(game: Game) -> str:
    """Return how the game stands, in one sentence."""
    told, n = game.held.told, game.package.rows
    if game.over:
        return result(game)
    left = game.tests - game.done
    tests = f"{left} {told.tests}" if left > 1 else f"One {told.tests.removesuffix('s')}"
    if not game.done:
        return f"{tests} to find {told.sought} among {n:,} {told.many}."
    ranks = game.ranks(game.mine if game.by_hand else game.theirs)
    whose = "Your" if game.by_hand else "The machine’s"
    return f"{tests} left. {whose} best so far: {value_text(game, _best(game, game.mine if game.by_hand else game.theirs))}." if ranks else ""


def result(game: Game) -> str:
    """Return who found more."""
    n, many = game.package.rows, game.held.told.many
    machine = best(game.ranks(game.theirs)[-1])
    if not game.by_hand:
        return f"The machine found {machine} of {n:,} {many}, and never saw one of them."
    yours = best(game.ranks(game.mine)[-1])
    if yours == machine:
        return f"A draw: both found {yours} of {n:,} {many}."
    ahead = game.ranks(game.mine)[-1] < game.ranks(game.theirs)[-1]
    return f"{'You won' if ahead else 'The machine won'}: you found {yours} of {n:,} {many}, the machine {machine}."


def _best(game: Game, tests: list[Test]) -> float:
    values = [test.value for test in tests]
    return max(values) if game.held.outcome.larger_is_better else min(values)


def value_text(game: Game, value: float) -> str:
    """Return an outcome with its unit."""
    return f"{minus(f'{value:,.4g}')} {game.held.outcome.unit}".rstrip()


def found(game: Game) -> Figure:
    """Draw the rank of the best found so far, test by test: the visitor's and the machine's."""
    picture = Picture(height=380, margin={"l": 64, "r": 110, "t": 12, "b": 44})
    curves: tuple[tuple[str, list[Test], Colour, str], ...] = (("the machine", game.theirs, NON_PRIVATE, "dash"),)
    if game.by_hand:
        curves = (*curves, ("you", game.mine, NOISY, "solid"))
    ends: list[End] = []
    for name, tests, colour, dash in curves:
        ranks = game.ranks(tests)
        picture.line(list(range(1, len(ranks) + 1)), ranks, colour, dash=dash, width=3.5, name=name,
                     hovertemplate=f"{name}: %{{y:,.0f}} after %{{x}}")  # fmt: skip
        ends.append((_log(ranks[-1]), f"{SAMPLES[dash]} {name}", colour))
    top = _log(game.package.rows)
    for y, name, colour in spread_labels(ends, 0.09 * top):
        picture.label(1, y, name, colour, xref="paper", xshift=6, font={"color": colour, "size": 15})
    picture.label(0.01, 0.04, "↓ better", TEXT, xref="paper", yref="paper", font={"color": TEXT, "size": 18})
    picture.axis("xaxis", f"{game.held.told.tests} made", range=[1, max(2, game.done)])
    powers = range(int(top) + 1)
    picture.axis("yaxis", f"rank of the best {game.held.told.one} found (1: the best)", type="log", range=[-0.1, top],
                 tickvals=[10**k for k in powers], ticktext=[f"{10**k:,}" for k in powers])  # fmt: skip
    note = f"One game at ε = {epsilon_text(game.package.epsilon)}: the next can end otherwise."
    alt = "The rank of the best record found so far against the tests made, yours and the machine’s."
    return Figure(RESULT, Finding(result(game), "simulation", note), picture, alt)


def holder_table(game: Game) -> Table:
    """Return what the holder sees of the tests: the record behind each row."""
    names = game.held.frame.names
    tests = game.mine if game.by_hand else game.theirs
    rows = []
    for number, test in reversed(list(enumerate(tests, start=1))):
        cells = game.held.table.iloc[test.record]
        rows.append((str(number), f"{test.row:,}", f"{test.record + 1:,}", *(minus(f"{cells[name]:,.5g}") for name in names), minus(f"{test.value:,.5g}")))
    return table(("test", "row", game.held.told.one, *names, str(game.held.outcome)), rows)


def _log(value: float) -> float:
    return math.log10(value)
