"""What the modeler does: open a release, ask which rows to test, tell what came out, see the best so far."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from privbo_core.errors import DataError
from privbo_core.files import alone, listed, write_whole
from privbo_core.outsourced import Modeler
from privbo_core.outsourced.parties.exchange import read_answers, write_questions
from privbo_core.terminal import say
from privbo_core.workbench.files import about, amount, count, free, number, there


def open_release(options: argparse.Namespace) -> None:
    """Begin a search with the ZIP that came from the holder."""
    source = there(options.zip, "The release")
    target = free(options.state, force=options.force, never=(source,))
    searching = Modeler.open(source)
    searching.save(target)
    package = searching.package
    best = "largest" if package.outcome.larger_is_better else "smallest"
    say(
        f"{count(package.rows, 'row')} of {listed(package.frame.names)}, with noise (ε = {number(package.epsilon)}, "
        f"δ = {number(package.delta)})."
    )
    say(f"Wanted: the {best} {package.outcome}. Answers are {_answers(searching)}.")
    say(f"Written to {target}: the release and all that you will be told. Next: ask {target}")


def ask(options: argparse.Namespace) -> None:
    """Say which rows to test next, and why."""
    target = free(options.out, force=options.force, never=(options.state,)) if options.out else None
    with _search(options.state) as searching:
        before = searching.pending
        suggestions = () if before and options.count is None else searching.ask(options.count or 1)
    if before:
        say(f"Asked before and still open: {_rows(before)}.")
    for suggestion in suggestions:
        say(f"Test row {suggestion.row}. {suggestion.why}")
    if target is not None:
        write_whole(target, write_questions(searching.pending, searching.package.name).encode("utf-8"), "The questions")
        say(f"{count(len(searching.pending), 'open row')} written to {target}: send it to the holder, for answers.")
    elif suggestions:
        say(f"Ask the holder for {searching.package.outcome}. Next: tell {options.state} ROW OUTCOME")
    else:
        say(f"Tell or skip them, or ask for more by saying how many: ask {options.state} 1")


def tell(options: argparse.Namespace) -> None:
    """Take in outcomes: one, or a file of them."""
    with _search(options.state) as searching:
        told = _answers_of(options, searching.package.name)
        for row, outcome in told.items():
            (searching.correct if options.correct and row in searching.outcomes else searching.tell)(row, outcome)
    what = searching.package.outcome
    say(f"Told {what.name}: {listed([f'row {row} {amount(value, what.unit)}' for row, value in told.items()], 5)}.")
    _say_state(searching)


def untell(options: argparse.Namespace) -> None:
    """Take an outcome back."""
    with _search(options.state) as searching:
        searching.untell(options.row)
    open_again = "It is open again" if options.row in searching.pending else "It is as if it had never been told"
    say(f"Row {options.row}: its outcome is taken back. {open_again}; {count(len(searching.outcomes), 'test')} left.")


def skip(options: argparse.Namespace) -> None:
    """Leave a row out that cannot be tested, or take that back."""
    with _search(options.state) as searching:
        (searching.unskip if options.undo else searching.skip)(options.row)
    what = "may be tested again" if options.undo else "is left out, and will not be asked for"
    say(f"Row {options.row} {what}. Next: ask {options.state}")


def best(options: argparse.Namespace) -> None:
    """Say the best so far, what was learned, and whether to go on."""
    searching = Modeler.load(there(options.state, "The search"))
    _say_state(searching)
    if searching.pending:
        say(f"Asked and still open: {_rows(searching.pending)}.")
    if searching.outcomes:
        lengths = [
            f"{about(length, column.unit)} of {column.name}"
            for length, column in zip(searching.model.lengthscales, searching.package.frame.columns, strict=True)
        ]
        say(f"As far as can be told, {searching.package.outcome.name} changes over {listed(lengths)}.")


@contextmanager
def _search(state: Path) -> Iterator[Modeler]:
    """Open a search, and keep what is done to it: all of it, or nothing if one step cannot be made."""
    with alone(there(state, "The search"), "The search"):
        searching = Modeler.load(state)
        yield searching
        searching.save(state)


def _answers_of(options: argparse.Namespace, of: str) -> dict[int, float]:
    if options.answers is not None:
        if options.row is not None:
            raise DataError("Give a row and its outcome or --answers FILE, not both.")
        return read_answers(there(options.answers, "The file of answers").read_bytes(), of)
    if options.row is None or options.outcome is None:
        raise DataError("Give a row and its outcome, as in tell search.zip 812 97.5, or --answers FILE.")
    return {options.row: options.outcome}


def _answers(searching: Modeler) -> str:
    private, outcome = searching.package.private, searching.package.outcome
    if private is None:
        return "exact"
    return (
        f"private: kept between {number(private.low)} and {amount(private.high, outcome.unit)}, with noise of "
        f"± {about(private.sigma, outcome.unit)}"
    )


def _say_state(searching: Modeler) -> None:
    found, outcome = searching.best, searching.package.outcome
    if found is not None:
        noisy = "" if searching.package.private is None else ", with its noise"
        say(
            f"Best of {count(len(searching.outcomes), 'test')}: row {found.row}, {outcome.name} "
            f"{amount(found.outcome, outcome.unit)}{noisy}."
        )
    say(searching.advice.sentence)


def _rows(rows: Sequence[int]) -> str:
    return f"{'row' if len(rows) == 1 else 'rows'} {listed(rows)}"
