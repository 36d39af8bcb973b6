"""What the holder of the data does: say what is known, release, find who is asked for, answer, read the ledger."""

import argparse
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from privbo_core.data import (
    FileMarks,
    Frame,
    FrameColumn,
    Marks,
    frame_as_json,
    load_cells,
    load_table,
    read_frame,
    with_marks,
)
from privbo_core.data.marks import PLAIN
from privbo_core.errors import DataError
from privbo_core.files import json_bytes, listed, write_whole
from privbo_core.outsourced import Outcome, Package, Private
from privbo_core.outsourced.parties.curator import AgainError, Curator, Step
from privbo_core.outsourced.parties.exchange import answers_csv, read_outcomes, read_questions
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.outsourced.parties.stores import FileStore
from privbo_core.outsourced.parties.terms import written_alike
from privbo_core.terminal import say
from privbo_core.workbench.files import (
    about,
    amount,
    count,
    free,
    has_outcomes,
    in_folder,
    number,
    outcomes_of,
    rough,
    size,
    there,
    work_sheet,
)

CONVENTION = "the usual way in which programs write tables: nothing was read off this one"
"""From where it is known how a table is written of which nothing is said."""


def make_frame(options: argparse.Namespace) -> None:
    """Write a frame from what is known of each column, and of how the table is written."""
    if options.column:
        target = free(options.frame, force=options.force)
        frame = Frame(tuple(_column(*given) for given in options.column))
    else:
        target, frame = options.frame, read_frame(there(options.frame, "The frame"))
        if options.table is None:
            raise DataError("Say with --column what is known of each column, or with --table how theirs is written.")
    frame = _written(frame, options)
    write_whole(target, json_bytes(frame_as_json(frame)), "The frame")
    for column in frame.columns:
        say(
            f"{column.name}: {number(column.low)} to {amount(column.high, column.unit)}; "
            f"a change of {amount(column.hide, column.unit)} is hidden."
            + (f" Written with {column.marks}." if column.marks not in (None, PLAIN) else "")
        )
    if frame.file not in (None, FileMarks()):
        say(f"The file: {frame.file}.")
    for warning in frame.warnings:
        say(warning)
    if not frame.public:
        say(f"It does not say from where {listed(frame.unsaid)} was known, so ε will not be promised without doubt.")
    say(f"Written to {target}. Next: release a table that has {listed(frame.names)} among its columns.")


def release(options: argparse.Namespace) -> None:
    """Draw a release and write the ZIP for the modeler."""
    source, described = there(options.table, "The table"), there(options.frame, "The frame")
    target = free(options.out, force=options.force, never=(source, described, options.ledger))
    frame, store = read_frame(described), FileStore(in_folder(options.ledger))
    if not frame.marked:
        guessed = with_marks(frame, load_table(source))
        seems = "; ".join(f"{column.name}: {column.marks}" for column in guessed.columns)
        raise DataError(
            "The frame does not say how the table is written, on which the promise rests. It seems: "
            f"{guessed.file}; {seems}. If so, say from where that is known: "
            f'frame {options.frame} --table {options.table} --written "FROM".'
        )
    if not frame.public and not options.read_off:
        raise DataError(
            f"The frame does not say from where {listed(frame.unsaid)} was known before anyone looked at the data, "
            "so ε need not hold: say it in the frame, or add --read-off to release all the same."
        )
    table = load_cells(source, frame.file)
    before = store.read()
    outcome = _outcome(options, frame, source, before.outcome if before.finished else None)
    if outcome is None and not before.finished:
        raise DataError("Say what will be measured on the rows, such as --outcome glucose --unit mg/dL.")
    with _spent(store, options):
        try:
            steps = Curator(table, store).release(
                frame,
                options.epsilon,
                options.delta,
                outcome=outcome,
                private=_private(options),
                noise=options.noise,
                looked=options.looked,
                protected_distance=options.distance,
                accept_read_off=options.read_off,
                again=options.again,
            )
        except AgainError as problem:
            raise DataError(
                f"{source} was released before: together with this release, ε = {rough(problem.cost.inputs)} at δ = "
                f"{number(problem.cost.delta)} is lost on each record's inputs; add --again if that is meant."
            ) from None
        package = _drawn(steps)
        write_whole(target, package.to_bytes(), "The release")
        _tell_release(package, target, options.ledger, store.read())
        for moved in frame.moved(table):
            say(moved)


def find(options: argparse.Namespace) -> None:
    """Say which record of the table a row of the release is, or write a work sheet for all that were asked for."""
    if bool(options.row) == (options.questions is not None):
        raise DataError("Give the rows to find, or --questions FILE.")
    table, target = _table(options), _target(options)
    curator = _curator(options, table)
    of = curator.ledger.released(options.release).name
    rows = options.row or read_questions(there(options.questions, "The file of questions").read_bytes(), of)
    found = [curator.find(row, release=options.release) for row in dict.fromkeys(rows)]
    outcome = curator.ledger.outcome
    assert outcome is not None  # no ledger has releases without one
    if target is not None:
        write_whole(target, work_sheet(found, (outcome.marks or PLAIN).decimal), "The work sheet", private=True)
        say(f"Written to {target}: {count(len(found), 'record')}, as private as the table is.")
        say(f"Fill in its column outcome with {outcome}, then answer --questions {target}.")
        return
    for each in found:
        said = {name: number(cell) if isinstance(cell, float) else str(cell) for name, cell in each.cells.items()}
        cells = ", ".join(f"{name} {cell}" for name, cell in said.items())
        only = f", which only {outcome.name} tells apart" if len(each.records) > 1 else ""
        say(f"Row {each.row} is data row {each.lines}, counted below the header{only}: {cells}.")
    say(f"Keep this to yourself. Measure {outcome}, then answer.")


def answer(options: argparse.Namespace) -> None:
    """Answer for one row, or for all that a file asks for."""
    if (options.row is None) == (options.questions is None):
        raise DataError("Give a row, and its outcome if the table has it not, or --questions FILE.")
    if options.questions is not None and options.correct:
        raise DataError("Correct outcomes one row at a time.")
    table, target = _table(options), _target(options)
    curator = _curator(options, table)
    asked = {options.row: options.outcome} if options.questions is None else _to_answer(options, table, curator.ledger)
    if options.correct:
        answers = [curator.correct(options.row, options.outcome, release=options.release)]
    else:
        answers = [curator.answer(row, outcome, release=options.release) for row, outcome in asked.items()]
    held = curator.ledger
    assert held.outcome is not None  # no ledger has answers without one
    for each in answers[:3]:
        how = "exact" if each.exact else "with noise"
        same = ", the same as before" if each.repeated else ""
        moved = "; what was measured lies outside the public range and was moved to its edge" if each.clipped else ""
        say(f"Row {each.row}: {held.outcome.name} {amount(each.value, held.outcome.unit)} ({how}{same}{moved}).")
    if len(answers) > 3:
        again = sum(each.repeated for each in answers)
        say(f"… and {len(answers) - 3} more; {again} of all {len(answers)} were answered before.")
    say(f"The ledger has them: {count(len(held.current), 'record')} answered so far.")
    if target is None:
        say("Send the row and its outcome to the modeler, and nothing else.")
    else:
        told = answers_csv(answers, held.released(options.release).name)
        write_whole(target, told.encode("utf-8"), "The answers")
        say(f"Send {target} to the modeler, and nothing else.")


def ledger(options: argparse.Namespace) -> None:
    """Say what was released and answered, and what it has cost."""
    held = FileStore(there(options.ledger, "The ledger")).read()
    if options.release is not None and options.row is None:
        raise DataError("--release says which release a --row is of; give the row, too, or leave both out.")
    record = None if options.row is None else held.released(options.release).record(options.row)
    for each in held.releases:
        unfinished = "" if each.finished else ", not finished (it counts all the same)"
        say(
            f"Release {each.release}, {each.made}: {count(each.rows, 'row')} of {listed(each.frame.names)}, "
            f"ε = {number(each.epsilon)}, δ = {number(each.delta)}{unfinished}."
        )
    if not held.releases:
        say("Nothing was released.")
        return
    kind = "privately" if held.private else "exactly"
    say(f"{count(len(held.current), 'record')} of {held.rows:,} answered {kind} with {held.outcome}.")
    cost = held.cost(record)
    whom = "Any one record has lost at most" if record is None else f"The record of row {options.row} has lost"
    say(
        f"{whom}, at δ = {number(cost.delta)}: ε = {rough(cost.inputs)} on its inputs, ε = {rough(cost.outcome)} on "
        f"its outcome, ε = {rough(cost.both)} on both together."
    )
    if held.rests:
        say(held.rests)
    if math.isinf(cost.outcome):
        say("ε = ∞, because an exact answer tells the outcome itself.")


def _to_answer(options: argparse.Namespace, table: pd.DataFrame, held: Ledger) -> dict[int, float | None]:
    """Return the rows that a file asks for and that can be answered, with what was measured if it is a work sheet.

    Rows that were answered before come first: they alone can still be refused, and then no other is written down.
    """
    data = there(options.questions, "The file of questions").read_bytes()
    released, filled_in = held.released(options.release), has_outcomes(data)
    records = {row: released.record(row) for row in read_questions(data, released.name)}
    assert held.outcome is not None  # no ledger has releases without one
    known = outcomes_of(table, held.outcome)
    if filled_in:
        found: dict[int, float | None] = dict(read_outcomes(data, released.name))
    else:
        found = {row: None for row, record in records.items() if record in held.current or known[record]}
    if not found:
        raise DataError(
            f"Neither {options.questions} nor the table's column {held.outcome.name!r} has an outcome of these rows: "
            "let find write a work sheet, fill it in, and answer with that."
        )
    later = [row for row in records if row not in found]
    if later:
        where = "work sheet" if filled_in else "table"
        say(f"Left for later, because the {where} has no outcome for them: {listed(later)}.")
    second = held.second(records[row] for row in found)
    answered = {row: outcome for row, outcome in found.items() if records[row] not in second}
    if not answered:
        raise DataError(f"Only {held.outcome.name} tells these rows from others who were answered; ask for other rows.")
    if never := [row for row in found if row not in answered]:
        say(f"Not answered, because only {held.outcome.name} tells them from others who were: {listed(never)}.")
    return dict(sorted(answered.items(), key=lambda item: records[item[0]] not in held.current))


def _column(name: str, unit: str, *rest: str) -> FrameColumn:
    *values, known_from = rest
    for part, given in zip(("LOW", "HIGH", "HIDE"), values, strict=True):
        try:
            float(given)
        except ValueError:
            raise DataError(f"{part} of column {name!r} is {given!r}; write a number, with a point.") from None
    low, high, hide = map(float, values)
    return FrameColumn(name, unit, low, high, hide, known_from=known_from)


def _written(frame: Frame, options: argparse.Namespace) -> Frame:
    """Return the frame with how the table is written: as it seems and as is said, or plainly without a look."""
    if options.table is None:
        if options.written or options.marks or options.below is not None:
            raise DataError("How a table is written is said together with --table TABLE.")
        return Frame(tuple(replace(column, marks=PLAIN) for column in frame.columns), FileMarks(), CONVENTION)
    seems = with_marks(replace(frame, file=None), load_table(there(options.table, "The table")))
    said = {name: _marks(*given) for name, *given in options.marks or ()}
    frame.chosen(list(said) or frame.names)
    columns = tuple(replace(column, marks=said.get(column.name, column.marks)) for column in seems.columns)
    assert seems.file is not None  # `with_marks` has said it
    file = seems.file if options.below is None else replace(seems.file, below=options.below)
    return Frame(columns, file, options.written)


def _marks(decimal: str, thousands: str, unit: str, missing: str) -> Marks:
    return Marks(decimal, thousands, unit, tuple(missing.split()))


def _table(options: argparse.Namespace) -> pd.DataFrame:
    """Return the table with its cells as they stand, read as when it was released first."""
    path = there(options.table, "The table")
    released = FileStore(there(options.ledger, "The ledger")).read().releases
    file = released[0].frame.file if released else None
    return load_cells(path, file or load_table(path).attrs["file"])


def _curator(options: argparse.Namespace, table: pd.DataFrame) -> Curator:
    return Curator(table, FileStore(there(options.ledger, "The ledger")))


def _target(options: argparse.Namespace) -> Path | None:
    if (options.out is None) != (options.questions is None):
        raise DataError("--questions FILE and --out FILE go together: what is asked, and where to write it.")
    if options.out is None:
        return None
    return free(options.out, force=options.force, never=(options.table, options.ledger, options.questions))


def _outcome(options: argparse.Namespace, frame: Frame, source: Path, known: Outcome | None) -> Outcome | None:
    """Return what will be measured; if nothing else is said, its numbers are written as ``known`` or as they seem."""
    if options.outcome is None:
        if options.unit or options.smaller:
            raise DataError("Say with --outcome NAME what will be measured.")
        return None
    said = Outcome(options.outcome, options.unit, larger_is_better=not options.smaller)
    if options.marks:
        return replace(said, marks=_marks(*options.marks))
    if known and known.name == said.name:
        return replace(said, marks=known.marks)
    return written_alike(said, frame, None if options.private else _readable(source))


def _readable(source: Path) -> pd.DataFrame | None:
    """Return the table as it reads by itself; None where only the frame tells how, and private answers never ask."""
    try:
        return load_table(source)
    except DataError:
        return None


def _private(options: argparse.Namespace) -> Private | None:
    if options.private is None:
        if options.known_from:
            raise DataError("--known-from is about --private's numbers: give those too.")
        return None
    low, high, hide, epsilon = options.private
    return Private(low, high, hide, epsilon, options.delta, options.known_from, options.noise)


def _drawn(steps: Iterator[Step]) -> Package:
    """Return the package at the end of a release, with a bar on a terminal meanwhile."""
    with tqdm(desc="Drawing noise", unit=" numbers", disable=None, leave=False) as bar:
        for step in steps:
            bar.total = step.total
            bar.update(step.done - bar.n)
            if step.package is not None:
                return step.package
    raise AssertionError("a release ends with its package")


@contextmanager
def _spent(store: FileStore, options: argparse.Namespace) -> Iterator[None]:
    """Note on whatever ends a release early that it counts, if the ledger has it already."""
    before = len(store.read().releases)
    try:
        yield
    except BaseException as end:
        with suppress(DataError):  # the ledger cannot be read: that is what ended it
            if len(store.read().releases) > before:
                spent = f"its ε = {number(options.epsilon)} is spent, and {options.ledger} counts it"
                end.add_note(f"The release had begun: {spent}.")
        raise


def _tell_release(package: Package, target: Path, ledger: Path, held: Ledger) -> None:
    columns, left_out = package.frame.columns, held.rows - package.rows
    say(
        f"Released {count(package.rows, 'row')} of {listed(package.frame.names)} at ε = {number(package.epsilon)}, "
        f"δ = {number(package.delta)}: {target} ({size(target)})."
    )
    if left_out:
        say(
            f"Left out: {count(left_out, 'record')} in which one of these columns is empty or no number, "
            "which is not hidden."
        )
    if doubles := held.people.doubles(held.releases[-1].order):
        alone = "" if package.private is None else ", and of those alike one alone is answered"
        say(
            f"{count(doubles, 'row')} cannot be told apart but by {package.outcome.name}: find names all that they may "
            f"be{alone}."
        )
    noise = [f"± {about(package.sigma * column.hide, column.unit)} on {column.name}" for column in columns]
    say(f"Noise in each number (one standard deviation): {listed(noise)}.")
    if package.guarantee.exposes:
        say(package.guarantee.exposes)
    if not package.frame.public:
        say(f"ε holds only if {listed(package.frame.unsaid)} was known before; the frame does not say so.")
    outcome, private = package.outcome, package.private
    marks = outcome.marks or PLAIN
    read = f" {outcome.name} is read with {marks}." if replace(marks, unit="") != PLAIN else ""
    answers = f"exact: an answer tells a record's {outcome.name}"
    if private is not None:
        answers = (
            f"private: {outcome.name} between {number(private.low)} and {amount(private.high, outcome.unit)}, noise of "
            f"± {about(private.sigma, outcome.unit)}, ε = {number(private.epsilon)}"
        )
    say(f"Answers will be {answers}.{read}")
    say(f"Send {target}, and nothing else. Keep {ledger} to yourself, with a copy: it alone knows who is in which row.")
