"""What the holder of the data does: say what is known, release, find who is asked for, answer, read the ledger."""

import argparse
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from privbo_core.data import Frame, FrameColumn, frame_as_json, load_table, read_frame
from privbo_core.errors import DataError
from privbo_core.files import json_bytes
from privbo_core.outsourced.parties import Outcome, Private
from privbo_core.outsourced.parties.curator import AgainError, Answer, Curator
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.outsourced.parties.package import Package
from privbo_core.outsourced.parties.stores import FileStore
from privbo_core.workbench.targets import free, keep, there
from privbo_core.workbench.words import about, amount, count, listed, measured, number, rough, say, size


def make_frame(options: argparse.Namespace) -> None:
    """Write a frame from what is known of each column."""
    target = free(options.frame, force=options.force)
    frame = Frame(tuple(_column(*given) for given in options.column))
    keep(target, json_bytes(frame_as_json(frame)), "The frame")
    for column in frame.columns:
        say(
            f"{column.name}: {number(column.low)} to {amount(column.high, column.unit)}; "
            f"a change of {amount(column.hide, column.unit)} is hidden."
        )
    for warning in frame.warnings:
        say(warning)
    if frame.read_off:
        say(f"It does not say from where {listed(frame.read_off)} was known, so ε will not be promised without doubt.")
    say(f"Written to {target}. Next: release a table that has {listed(frame.names)} among its columns.")


def release(options: argparse.Namespace) -> None:
    """Draw a release and write the ZIP for the modeler."""
    table_path, frame_path = there(options.table, "The table"), there(options.frame, "The frame")
    target = free(options.out, force=options.force, never=(table_path, frame_path, options.ledger))
    table, frame = _table(table_path), read_frame(frame_path)
    store = FileStore(options.ledger)
    outcome, private = _terms(options, store)
    steps = Curator(table, store).release(
        frame,
        options.epsilon,
        options.delta,
        outcome=outcome,
        private=private,
        protected_distance=options.distance,
        accept_read_off=options.read_off,
        again=options.again,
    )
    package = None
    try:
        with tqdm(desc="drawing noise", unit=" numbers", disable=None, leave=False) as bar:
            for step in steps:
                bar.total = step.total
                bar.update(step.done - bar.n)
                package = step.package
    except AgainError as problem:
        raise DataError(f"{str(problem).rstrip('.')}: add --again to release it all the same.") from None
    assert package is not None
    keep(target, package.to_bytes(), "The release")
    _tell_release(package, target, options.ledger, left_out=len(table) - package.rows)


def find(options: argparse.Namespace) -> None:
    """Say which record of the table a row of the release is."""
    table = _table(there(options.table, "The table"))
    curator = Curator(table, FileStore(there(options.ledger, "The ledger")))
    for row in options.row:
        record, _ = curator.find(row, release=options.release)
        cells = [f"{name} {_cell(value)}" for name, value in table.iloc[record].items()]
        say(f"Row {row} is data row {record + 1:,} below the header: {', '.join(cells)}.")


def answer(options: argparse.Namespace) -> None:
    """Answer for one row, or for all that a file asks for."""
    curator = Curator(_table(there(options.table, "The table")), FileStore(there(options.ledger, "The ledger")))


def ledger(options: argparse.Namespace) -> None:
    """Say what was released and answered, and what it has cost."""
    held = FileStore(there(options.ledger, "The ledger")).read()


def _column(name: str, unit: str, low: str, high: str, hide: str, known_from: str) -> FrameColumn:
    values = []
    for part, given in (("LOW", low), ("HIGH", high), ("HIDE", hide)):
        try:
            values.append(float(given))
        except ValueError:
            raise DataError(f"{part} of column {name!r} is {given!r}; write a number, with a point.") from None
    return FrameColumn(name, unit, *values, known_from=known_from)


def _table(path: Path) -> pd.DataFrame:
    table = load_table(path)
    for note in table.attrs.get("notes", ()):
        say(note)
    return table


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)
