"""Results in a file of JSON lines that survives a kill at any moment."""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO

from privbo_core.errors import DataError
from privbo_core.experiments import files
from privbo_core.experiments.model import Key, Outcome

Provenance = Mapping[str, object]
"""How results were computed: the command, the number of runs, the seeds and the versions."""


class MemoryStore:
    """Results in memory, by key."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.outcomes: dict[Key, Outcome] = {outcome.key: outcome for outcome in outcomes}

    def add(self, outcome: Outcome) -> None:
        """Store an outcome unless there is one with the same key."""
        self.outcomes.setdefault(outcome.key, outcome)


class Store(MemoryStore):
    """A file of results that one process at a time writes to: `with Store(path) as store`.

    Opening the file reads its results and removes a last line that a kill left incomplete. Raises DataError if another
    process has the file open, if it cannot be written to, or if it contains anything else than results.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.path = Path(path)
        self.made: dict[str, list[Provenance]] = {}
        self._file: IO[bytes] | None = None
        self._lock = ExitStack()

    def __enter__(self) -> "Store":
        with ExitStack() as stack:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(files.locked(self.path, str(self.path)))
                self.path.touch()
                file = stack.enter_context(self.path.open("r+b"))
            except files.InUseError:
                raise DataError(
                    f"{self.path} is in use: another process is adding results to it. Wait until it has finished, stop "
                    "it, or give a different file."
                ) from None
            except OSError as error:
                raise DataError(f"{self.path} cannot be opened for writing: {error.strerror or error}.") from None
            content = _complete_lines(file.read())
            self.outcomes, self.made = _parse(content, str(self.path))
            file.truncate(len(content))
            file.seek(len(content))
            self._file, self._lock = file, stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._lock.close()

    def add(self, outcome: Outcome) -> None:
        """Store an outcome unless there is one with the same key. It is on the disk when this method returns."""
        if outcome.key not in self.outcomes:
            self._append(outcome.as_json())
            self.outcomes[outcome.key] = outcome

    def note(self, experiment: str, provenance: Provenance) -> None:
        """Store how results of an experiment were computed, unless the file already has the same note."""
        known = self.made.setdefault(experiment, [])
        if provenance not in known:
            self._append(_note(experiment, provenance))
            known.append(dict(provenance))

    def settle(self) -> None:
        """Sort the lines of the file, so that equal results make equal files in whatever order they were computed."""
        lines = []
        for experiment, notes in sorted(self.made.items()):
            lines += sorted((_note(experiment, each) for each in notes), key=_sorted_fields)
        lines += [self.outcomes[key].as_json() for key in sorted(self.outcomes)]
        files.write_whole(self.path, "".join(f"{line}\n" for line in lines).encode(), str(self.path))
        if self._file is not None:
            self._file.close()
            self._file = self.path.open("ab")

    def _append(self, line: str) -> None:
        if self._file is None:
            raise DataError(f"{self.path} is not open for writing. Use `with Store(path) as store`.")
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())


def read(path: str | Path) -> tuple[dict[Key, Outcome], dict[str, list[Provenance]]]:
    """Return the results in a file by key, and by experiment how they were computed.

    The file is neither locked nor changed. An incomplete last line is ignored, and a missing file has no results.
    Raises DataError if the file cannot be read or contains anything else.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return {}, {}
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    return _parse(_complete_lines(content), str(path))


def _complete_lines(content: bytes) -> bytes:
    return content[: content.rfind(b"\n") + 1]


def _parse(content: bytes, name: str) -> tuple[dict[Key, Outcome], dict[str, list[Provenance]]]:
    outcomes: dict[Key, Outcome] = {}
    made: dict[str, list[Provenance]] = {}
    # The method splitlines would also split at other characters, which names may contain.
    for number, line in enumerate(content.decode("utf-8", "replace").split("\n")[:-1], start=1):
        try:
            fields = json.loads(line)
            if "made" in fields:
                made.setdefault(str(fields.pop("made")), []).append(fields)
            else:
                outcome = Outcome.from_fields(fields)
                outcomes.setdefault(outcome.key, outcome)
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            raise DataError(
                f"line {number} of {name} is not a result of an experiment. Give a file that an earlier run wrote, "
                "or a new one."
            ) from None
    return outcomes, made


def _note(experiment: str, provenance: Provenance) -> str:
    return json.dumps({"made": experiment, **provenance}, ensure_ascii=False)


def _sorted_fields(note: str) -> str:
    return json.dumps(json.loads(note), sort_keys=True)
