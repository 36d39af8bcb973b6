"""What the modeler does: open a release, ask which rows to test, tell what came out, see the best so far."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from privbo_core.errors import DataError
from privbo_core.files import alone
from privbo_core.outsourced.parties import Modeler
from privbo_core.outsourced.parties.exchange import read_answers, write_questions
from privbo_core.workbench.targets import free, keep, there
from privbo_core.workbench.words import about, amount, count, listed, measured, number, say


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
        still_open = tuple(searching.pending)
        if still_open:
            say(f"Asked before and still open: {listed(still_open)}.")
        many = options.count if options.count is not None else 0 if still_open else 1
        outcome = searching.package.outcome
        for suggestion in searching.ask(many) if many else ():
            say(
                f"Test row {suggestion.row}: {outcome.name} expected {about(suggestion.mean, outcome.unit)} "
                f"± {about(suggestion.deviation, outcome.unit)}. {suggestion.why}"
            )
        asked = tuple(searching.pending)
        if target is not None:
            keep(target, write_questions(asked), "The questions")
            say(f"Written to {target}: send it to the holder, who sends a file of answers back.")
        elif not many:
            say(f"Tell their outcomes, skip them, or ask for more by number: ask {options.state} 1")
        else:
            say(f"Ask the holder for {'it' if len(asked) == 1 else 'them'}. Next: tell {options.state} ROW OUTCOME")


def tell(options: argparse.Namespace) -> None:
    """Take in outcomes: one, or a file of them."""
    with _search(options.state) as searching:
        told = _told(options)
        for row, outcome in told.items():
            (searching.correct if options.correct and row in searching.told else searching.tell)(row, outcome)
        for row, outcome in list(told.items())[:3]:
            say(f"Row {row}: {measured(searching.package.outcome, outcome)}.")
        if len(told) > 3:
            say(f"… and {len(told) - 3} more.")
        _say_best(searching)
        _say_advice(searching)


def untell(options: argparse.Namespace) -> None:
    """Take an outcome back."""
    with _search(options.state) as searching:
        searching.untell(options.row)
        say(f"Row {options.row} is as if it had never been told. {count(len(searching.told), 'test')} left.")


def skip(options: argparse.Namespace) -> None:
    """Leave a row out: it cannot be tested."""
    with _search(options.state) as searching:
        searching.skip(options.row)
        say(f"Row {options.row} will not be asked for again. Next: ask {options.state}")


def best(options: argparse.Namespace) -> None:
    """Say the best so far, what was learned, and whether to go on."""
    searching = Modeler.load(there(options.state, "The search"))
    _say_best(searching)
    if searching.pending:
        say(f"Asked and still open: {listed(searching.pending)}.")
    if searching.told:
        columns = searching.package.frame.columns
        lengths = [
            f"{about(length, column.unit)} of {column.name}"
            for length, column in zip(searching.model.lengthscales, columns, strict=True)
        ]
        say(f"The outcome seems to change over {listed(lengths)}.")
    _say_advice(searching)


@contextmanager
def _search(state: Path) -> Iterator[Modeler]:
    """Open a search, and keep what was done to it: whole, or not at all if that failed."""
    with alone(there(state, "The search"), "The search"):
        searching = Modeler.load(state)
        yield searching
        searching.save(state)


def _told(options: argparse.Namespace) -> dict[int, float]:
    if options.answers is not None:
        if options.row is not None:
            raise DataError("Give a row and its outcome or --answers FILE, not both.")
        return dict(read_answers(there(options.answers, "The file of answers").read_bytes()))
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


def _say_best(searching: Modeler) -> None:
    found = searching.best
    if found is None:
        say("Nothing told yet.")
    else:
        row, outcome = found
        say(f"Best of {count(len(searching.told), 'test')}: row {row}, {measured(searching.package.outcome, outcome)}.")


def _say_advice(searching: Modeler) -> None:
    say(searching.advice.sentence)
