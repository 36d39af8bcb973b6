"""What the data holder hands out: one ZIP with the noisy rows, what a recipient needs to know, and how to use it."""

import math
import textwrap
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Annotated, Any

import numpy as np
import pandas as pd
from msgspec import Meta

from privbo_core import files
from privbo_core.about import PROGRAM
from privbo_core.budget import Budget, Watched, reading
from privbo_core.data.cells import to_csv
from privbo_core.data.frame import FrameColumn
from privbo_core.data.table import MAX_ROWS
from privbo_core.errors import Array, DataError
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.noisy import SEEN
from privbo_core.outsourced.parties.exchange import release_name
from privbo_core.outsourced.parties.terms import Outcome, ReleaseTerms, TermsRecord, answers_guarantee
from privbo_core.privacy import Noise
from privbo_core.records import Text, decoded

FORMAT, VERSION = "privbo release", 1
MOST = {"release.csv": 600_000_000, "release.json": 1_000_000, "README.txt": 1_000_000}
"""The files in the ZIP, and how large each may be."""
MOST_BYTES = 600_000_000
MOST_NUMBERS = 20_000_000  # More are not released at once: their table would not be read.
ANEW = "ask the data holder for the file as it was made"
DIGITS = 1000.0
"""Released numbers are rounded to a decimal place at most this part of the noise: what is cut off is noise alone."""


@dataclass(frozen=True, eq=False)
class Package(ReleaseTerms):
    """A release as the recipient has it; nothing else in it comes from the data than ``values``.

    ``values``: n×d, the noisy inputs in the columns' own units; row i stands in ``values[i − 1]``. ``outcome``: what is
    measured on a row that is asked for. ``private``: how it is answered, None for exactly.
    """

    outcome: Outcome
    private: Private | None
    values: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        n, d = self.values.shape
        if d != self.frame.d or not 1 <= n <= MAX_ROWS:
            raise DataError(
                f"The release has {n:,} rows and {d} columns; it must have from 1 to {MAX_ROWS:,} rows and the frame's "
                f"{self.frame.d} columns."
            )
        if not np.isfinite(self.values).all():
            raise DataError("The release holds an entry that is not a finite number; every one must be.")

    @property
    def rows(self) -> int:
        """How many rows there are, numbered from 1."""
        return len(self.values)

    @cached_property
    def Z(self) -> Array:  # noqa: N802 - the paper's letter
        """The rows in the frame, n×d: one unit is a hidden change, and each entry has noise of s.d. ``sigma``."""
        return np.asarray((self.values - self.frame.middle) / self.frame.hide)

    @cached_property
    def csv(self) -> bytes:
        """The file ``release.csv``: row numbers from 1, and the noisy columns in their own units."""
        table = pd.DataFrame(self.values)
        table.insert(0, "row", np.arange(1, self.rows + 1), allow_duplicates=True)
        table.columns = pd.Index(["row", *self.frame.names])
        return to_csv(table).encode("utf-8")

    @property
    def name(self) -> str:
        """What the files that go back and forth call it."""
        return release_name(self.release, self.digest)

    @property
    def digest(self) -> str:
        """The digest of ``release.csv``."""
        return files.digest(self.csv)

    def to_bytes(self) -> bytes:
        """Return the ZIP file: ``release.csv``, ``release.json`` and ``README.txt``. 1 s for 100 000×6."""
        answers = {"kind": "exact"} if self.private is None else {"kind": "private", **asdict(self.private)}
        about = {
            "format": FORMAT,
            "version": VERSION,
            "program": PROGRAM,
            **self.terms_as_json(),
            "read_off": list(self.frame.read_off),
            "rows": self.rows,
            "outcome": self.outcome.as_json(),
            "answers": answers,
            "csv": self.digest,
        }
        readme = recipient_readme(self).encode("utf-8")
        return files.zipped({"README.txt": readme, "release.json": files.json_bytes(about), "release.csv": self.csv})

    @classmethod
    def from_bytes(cls, data: bytes) -> "Package":
        """Return the release in a ZIP that `to_bytes` made; DataError for anything else. 1 s for 100 000×6."""
        with reading("The release", len(data)) as budget:
            parts = files.unzipped(data, "The release", MOST, ANEW)
            found = files.parse_json(files.utf8(parts["release.json"], "release.json", ANEW), "release.json", ANEW)
            files.format_and_version("release.json", found, FORMAT, VERSION)
            said, csv = decoded("release.json", found, _Record), parts["release.csv"]
            terms = said.terms()
            if set(said.read_off) != set(terms["frame"].read_off):
                raise DataError(f"read_off in release.json names other columns than the frame does; {ANEW}.")
            private = _private(said.answers)
            if said.csv != files.digest(csv):
                raise DataError(
                    f"release.csv is not the table that release.json describes (its digest differs); {ANEW}."
                )
            header = to_csv(pd.DataFrame(columns=["row", *terms["frame"].names])).encode("utf-8")
            values = _values(csv, header, said.rows, budget)
            package = cls(**terms, outcome=said.outcome, private=private, values=values)
        package.__dict__["csv"] = csv
        return package


def read_package(source: str | Path | IO[bytes] | bytes) -> Package:
    """Return the release in a ZIP file: a path, an open file or its bytes. Raises as `Package.from_bytes` does."""
    data = source if isinstance(source, bytes) else files.read_bytes(source, "The release", MOST_BYTES)
    return Package.from_bytes(data)


def rounded(values: Array, noise: Array | float) -> Array:
    """Return values rounded to a decimal place at most a thousandth of their ``noise``: what is cut off is noise."""
    result = np.array(values, dtype=float)
    step = np.broadcast_to(np.asarray(noise, dtype=float) / DIGITS, result.shape[-1:] or ())
    for place in np.ndindex(step.shape):
        decimals = -math.floor(math.log10(step[place]))
        if abs(decimals) < 200:  # beyond, the powers of ten leave the range of floating-point numbers
            column = np.round(result[..., *place], decimals)
            result[..., *place] = np.where(np.isfinite(column), column, result[..., *place])
    return result


@dataclass(frozen=True)
class _Record(TermsRecord):
    format: str
    version: int
    program: Text
    read_off: list[Text]
    rows: Annotated[int, Meta(ge=1, le=MAX_ROWS)]
    outcome: Outcome
    answers: dict[str, Any]
    csv: str


@dataclass(frozen=True)
class _Exact:
    kind: str


def _private(found: dict[str, Any]) -> Private | None:
    if found.get("kind") == "exact":
        decoded("answers in release.json", found, _Exact)
        return None
    if found.get("kind") == "private":
        terms = {key: value for key, value in found.items() if key != "kind"}
        return decoded("The terms of private answers", terms, Private)
    raise DataError(f"answers in release.json are {files.short(found)}; their kind must be 'exact' or 'private'.")


def _values(csv: bytes, header: bytes, rows: int, budget: Budget) -> Array:
    """Return the noisy columns of a table that begins with this header and has so many rows, numbered from 1."""
    if not csv.startswith(header):
        raise DataError(f"release.csv does not have the columns of its frame; {ANEW}.")
    budget.pay(csv.count(b",") + csv.count(b"\n"))
    try:
        table = pd.read_csv(Watched(csv[len(header) :], budget), header=None, dtype=float)
    except DataError:
        raise
    except (ValueError, pd.errors.ParserError, pd.errors.EmptyDataError):
        raise DataError(
            f"release.csv holds a cell that is not a number, or rows of different lengths; {ANEW}."
        ) from None
    found = table.to_numpy()
    if len(found) != rows:
        raise DataError(f"release.csv has {len(found):,} rows and release.json says {rows:,}; {ANEW}.")
    if not np.array_equal(found[:, 0], np.arange(1, rows + 1)):
        raise DataError(f"The rows of release.csv are not numbered from 1 to {rows:,}; {ANEW}.")
    return np.ascontiguousarray(found[:, 1:])


WIDTH = 88
README = Path(__file__).with_name("readme.txt")
"""What the recipient finds in the ZIP, in plain words: blank lines between paragraphs, # before a title."""
DRAWN: dict[Noise, str] = {
    "gaussian": "The noise was drawn once, for each number apart, from a normal distribution.",
    "laplace": "The noise was drawn once, for all numbers of a row together: in any direction alike, and the less "
    "likely the longer.",
}


def recipient_readme(package: Package) -> str:
    """Return the text of README.txt: what the ZIP is, how to search with it, what was promised to whom."""
    outcome, private = package.outcome, package.private
    text = README.read_text(encoding="utf-8").format(
        release=package.release,
        rows=f"{package.rows:,}",
        made=package.made,
        best="largest" if outcome.larger_is_better else "smallest",
        outcome=outcome,
        columns="\n".join(_column(column, package.sigma) for column in package.frame.columns),
        noise=DRAWN[package.noise],
        answers=_answers(outcome, private),
        promise=_promise(package, outcome, private),
    )
    made = f"Made by {PROGRAM}. Files: README.txt, release.json, release.csv ({package.digest}).\n"
    parts = []
    for part in text.strip().split("\n\n"):
        if part.startswith("# "):
            parts.append(f"{part[2:]}\n{'-' * len(part[2:])}")
        else:
            parts.append(part if part.startswith(" ") else textwrap.fill(" ".join(part.split("\n")), WIDTH))
    return "\n\n".join([*parts, made])


def _column(column: FrameColumn, sigma: float) -> str:
    unit = f" {column.unit}" if column.unit else ""
    return textwrap.fill(
        f"{column.name}: from {column.low:,.10g} to {column.high:,.10g}{unit}, with noise of standard deviation "
        f"{sigma * column.hide:.4g}{unit}.",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
    )


def _answers(outcome: Outcome, private: Private | None) -> str:
    if private is None:
        return f"Exact: you are told the {outcome} that was measured. It has no noise but that of the measurement."
    unit = f" {outcome.unit}" if outcome.unit else ""
    return (
        f"Private: the {outcome} that was measured is moved into {private.low:,.10g} to {private.high:,.10g}{unit} and "
        f"gets noise of standard deviation {private.sigma:.4g}{unit}. A row that is asked for again has the same "
        "answer again, so there is nothing to be gained by asking twice."
    )


def _promise(terms: ReleaseTerms, outcome: Outcome, private: Private | None) -> str:
    guarantee = terms.guarantee
    told = f"ε = {terms.epsilon:.4g} and δ = {terms.delta:.3g}"
    sentences = [
        f"Think of {guarantee.neighbours}. How well anybody who sees this release can tell of which of the two it was "
        f"made is limited by {told}: the smaller ε is, the less can be told. {guarantee.exposes}".rstrip(),
        guarantee.stands
        if terms.frame.public
        else "This holds if the columns' ranges, and how the table is written, were known before anyone looked at the "
        f"data, which the holder does not say of {', '.join(terms.frame.unsaid)}.",
        *([SEEN] if terms.looked else []),
        "The number of rows is not hidden, nor that a record is missing here because it has a gap: of such a record "
        "nothing else is told.",
        "Outcomes are not hidden either: they are told as they are."
        if private is None
        else f"Outcomes that are {private.hide:,.10g}{f' {outcome.unit}' if outcome.unit else ''} apart or "
        f"less are hidden in the answers, with ε = {private.epsilon:.4g} and δ = {private.delta:.3g}, however many "
        f"rows you ask for. {answers_guarantee(private, outcome).exposes}".rstrip(),
        "Do not try to find out who somebody is: what is not promised above is left to your care.",
    ]
    return " ".join(sentences)
