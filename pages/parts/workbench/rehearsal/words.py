"""What the rehearsal says."""

import math

from pages.parts.values.text import minus
from pages.parts.values.views import Finding, Table, table
from pages.parts.workbench.rehearsal.game import Game, Test

QUESTION = "Can you beat the machine?"
MACHINE = "GP-UCB"
CHANGED = "Start anew to play with what is set here."
HOW = {
    True: f"You see rows with noise on them. Point at one, test it, learn. {MACHINE} searches beside you, with the same rows and as many tests.",
    False: f"{MACHINE} sees rows with noise on them, and asks. You have the table: find the record behind each row, and answer.",
}
"""What is to be done, by whether the visitor chooses."""


def standing(game: Game) -> str:
    """Return how the game stands, in one sentence."""
    told = game.held.told
    if game.over:
        return result(game)
    left = game.tests - game.done
    tests = f"{left} {told.tests}" if left > 1 else f"One {told.tests.removesuffix('s')}"
    if not game.done:
        return f"{tests} to find {told.sought} among {game.package.rows:,} {told.many}."
    return f"{tests} left. {so_far(game)}."


def so_far(game: Game) -> str:
    """Return what both have found."""
    found = f"{MACHINE} {best_text(game, game.theirs)}"
    return f"You: {best_text(game, game.mine)}, {found}" if game.by_hand else f"Found so far: {found}"


def result(game: Game) -> str:
    """Return who found more."""
    tests = f"{game.tests} {game.held.told.tests}"
    machine = f"{MACHINE} {best_text(game, game.theirs)}"
    if not game.by_hand:
        rank = f"{placed(game, game.theirs)} of {game.package.rows:,}"
        return f"{MACHINE} found {best_text(game, game.theirs)} in {tests}, {rank}, and never saw one {game.held.told.one}."
    yours = best_text(game, game.mine)
    if game.lead == 0:
        return f"A draw: both found {yours} in {tests}."
    return f"{'You win' if game.lead > 0 else f'{MACHINE} wins'}: you {yours} after {tests}, {machine}."


def ahead(game: Game) -> str:
    """Return who is ahead, and at the end where among all records the best ones stand."""
    told = game.held.told
    if not game.done:
        return "Nothing is tested yet"
    if not game.by_hand:
        better = bool(game.lead_over_chance > 0)
        return f"{MACHINE} is {'ahead of' if better else 'behind'} what chance finds on average"
    if game.over:
        return f"Of {game.package.rows:,} {told.many} you found {placed(game, game.mine)}, {MACHINE} {placed(game, game.theirs)}"
    return ("You are level", "You are ahead", f"{MACHINE} is ahead")[game.lead]


def scale(game: Game) -> str:
    """Return what the result is to be measured by: the best of all records, and chance."""
    outcomes = game.outcomes
    top = float(outcomes.max() if game.held.outcome.larger_is_better else outcomes.min())
    return (
        f"The best of all {game.held.told.many} has {value_text(game, top)}; chance finds {value_text(game, game.chance()[-1], 3)} "
        "on average. The next game can end otherwise."
    )


def score(won: int, lost: int, drawn: int) -> str:
    """Return how the games of this visitor ended."""
    draws = f", {drawn} drawn" if drawn else ""
    return f"Games so far: you {won}, {MACHINE} {lost}{draws}."


def placed(game: Game, tests: list[Test]) -> str:
    """Return which of all records the best one found is."""
    rank = game.rank(float(game.best(tests)[-1]))
    return "the best" if rank == 1 else f"number {rank:,}"


def best_text(game: Game, tests: list[Test]) -> str:
    """Return the best that was found, with its unit."""
    return value_text(game, float(game.best(tests)[-1]))


def value_text(game: Game, value: float, digits: int = 4) -> str:
    """Return an outcome with its unit."""
    if not math.isfinite(value):
        return "…"
    return f"{minus(f'{value:,.{digits}g}')} {game.held.outcome.unit}".rstrip()


def holder_table(game: Game) -> Table:
    """Return what the holder sees of the tests: the record behind each row."""
    names = game.held.frame.names
    tests = game.mine if game.by_hand else game.theirs
    rows = []
    for number, test in reversed(list(enumerate(tests, start=1))):
        cells = game.held.table.iloc[test.record]
        inputs = (minus(f"{cells[name]:,.5g}") for name in names)
        rows.append((str(number), f"{test.row}", f"{test.record + 1:,}", *inputs, minus(f"{test.value:,.5g}")))
    return table(("test", "row", game.held.told.one, *names, str(game.held.outcome)), rows)


def records_seen(game: Game) -> Finding:
    """Return what stands above the holder's table."""
    many = game.held.told.many
    title = f"Only the holder sees the {many} behind the rows" if game.by_hand else f"The {many} you answered for"
    return Finding(title, "inside")
