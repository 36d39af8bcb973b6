"""What the rehearsal says."""

from pages.parts.values.text import minus
from pages.parts.values.views import Finding, Table, table
from pages.parts.workbench.rehearsal.game import Game, Test

QUESTION = "Try both seats, on a sample"


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
    return (
        f"{tests} left. {whose} best so far: {value_text(game, _best(game, game.mine if game.by_hand else game.theirs))}."
        if ranks
        else ""
    )


def result(game: Game) -> str:
    """Return who found more."""
    n, many = game.package.rows, game.held.told.many
    machine = number(game.ranks(game.theirs)[-1])
    if not game.by_hand:
        return f"The machine found {machine} of {n:,} {many}, and never saw one of them."
    yours = number(game.ranks(game.mine)[-1])
    if yours == machine:
        return f"A draw: both found {yours} of {n:,} {many}."
    ahead = game.ranks(game.mine)[-1] < game.ranks(game.theirs)[-1]
    return f"{'You won' if ahead else 'The machine won'}: you found {yours} of {n:,} {many}, the machine {machine}."


def number(rank: int) -> str:
    """Return a rank in words."""
    return "the best" if rank == 1 else f"number {rank:,}"


def _best(game: Game, tests: list[Test]) -> float:
    values = [test.value for test in tests]
    return max(values) if game.held.outcome.larger_is_better else min(values)


def value_text(game: Game, value: float) -> str:
    """Return an outcome with its unit."""
    return f"{minus(f'{value:,.4g}')} {game.held.outcome.unit}".rstrip()


def holder_table(game: Game) -> Table:
    """Return what the holder sees of the tests: the record behind each row."""
    names = game.held.frame.names
    tests = game.mine if game.by_hand else game.theirs
    rows = []
    for number, test in reversed(list(enumerate(tests, start=1))):
        cells = game.held.table.iloc[test.record]
        rows.append(
            (
                str(number),
                f"{test.row}",
                f"{test.record + 1:,}",
                *(minus(f"{cells[name]:,.5g}") for name in names),
                minus(f"{test.value:,.5g}"),
            )
        )
    return table(("test", "row", game.held.told.one, *names, str(game.held.outcome)), rows)


def records_seen(game: Game) -> Finding:
    """Return what stands above the holder's table."""
    many = game.held.told.many
    title = f"Only the holder sees the {many} behind the rows" if game.by_hand else f"The {many} you answered for"
    return Finding(title, "inside")
