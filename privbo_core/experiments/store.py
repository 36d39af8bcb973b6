"""Finished pieces in a file, one JSON line each, safe against a kill at any moment."""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO

from privbo_core import files
from privbo_core.errors import DataError
from privbo_core.experiments.model import Outcome

Key = tuple[str, str, str, int, int]


class MemoryStore:
    """Finished pieces, by key, in memory: all that the runner asks of a place to keep them."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.outcomes: dict[Key, Outcome] = {outcome.key: outcome for outcome in outcomes}

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome; of two under one key, the first."""
        self.outcomes.setdefault(outcome.key, outcome)


class Store(MemoryStore):
    """A file of results, for one writer at a time: `with Store(path) as store`.

    Opening reads what is there and cuts off a last line that a kill left unfinished. `add` returns when the line is on
    the disk. `settle` puts the lines in order, so that machines that compute the same digits make the same file,
    whoever computed what when. Raises DataError, with a sentence, if another process holds the file, if it cannot be
    written, or if it is not one.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self.path = Path(path)
        self.made: dict[str, list[Mapping[str, object]]] = {}
        self._file: IO[bytes] | None = None
        self._held = ExitStack()

    def __enter__(self) -> "Store":
        with ExitStack() as held:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                held.enter_context(files.alone(self.path, str(self.path)))
                self.path.touch()
                file = held.enter_context(self.path.open("r+b"))
            except files.InUseError:
                raise DataError(
                    f"{self.path} is in use: another process is adding results to it. Wait until it has finished, stop "
                    "it, or give a different file."
                ) from None
            except OSError as problem:
                raise DataError(f"{self.path} cannot be opened for writing: {problem.strerror or problem}.") from None
            content = file.read()
            whole = content.rfind(b"\n") + 1
            self.outcomes, self.made = parse(content[:whole].decode("utf-8", "replace"), str(self.path))
            file.truncate(whole)
            file.seek(whole)
            self._file, self._held = file, held.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        self._held.close()

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome: when this returns, no kill can lose it. Keeps the first of two under one key."""
        if outcome.key not in self.outcomes:
            self._append(outcome.as_json())
            self.outcomes[outcome.key] = outcome

    def note(self, experiment: str, how: Mapping[str, object]) -> None:
        """Keep how results of an experiment were made: command, versions, runs. Once for each different way."""
        known = self.made.setdefault(experiment, [])
        if dict(how) not in [dict(each) for each in known]:
            self._append(json.dumps({"made": experiment, **how}, ensure_ascii=False))
            known.append(dict(how))

    def settle(self) -> None:
        """Rewrite the file in order, in one step: a kill leaves the old file or the new one."""
        lines = [
            json.dumps({"made": name, **how}, ensure_ascii=False)
            for name in sorted(self.made)
            for how in sorted(self.made[name], key=lambda how: json.dumps(how, sort_keys=True))
        ]
        lines += [self.outcomes[key].as_json() for key in sorted(self.outcomes)]
        files.write_whole(self.path, "".join(f"{line}\n" for line in lines).encode(), str(self.path))
        if self._file is not None:
            self._file.close()
            self._file = self.path.open("ab")

    def _append(self, line: str) -> None:
        if self._file is None:
            raise DataError(f"{self.path} is not open for writing; use `with Store(path) as store`.")
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())


def read(path: str | Path) -> tuple[dict[Key, Outcome], dict[str, list[Mapping[str, object]]]]:
    """Return the outcomes in a file, and how each experiment's were made, without locking or changing it.

    A last line that is not finished is left out; a file that does not exist holds nothing.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return {}, {}
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from None
    return parse(content[: content.rfind(b"\n") + 1].decode("utf-8", "replace"), str(path))


def parse(text: str, name: str) -> tuple[dict[Key, Outcome], dict[str, list[Mapping[str, object]]]]:
    """Return what whole lines of a file hold. Raises DataError, naming the line, if one is something else."""
    outcomes: dict[Key, Outcome] = {}
    made: dict[str, list[Mapping[str, object]]] = {}
    # Not splitlines, which also cuts at characters that may stand inside a name.
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            fields = json.loads(line)
            if "made" in fields:
                made.setdefault(str(fields.pop("made")), []).append(fields)
            else:
                outcome = Outcome.from_fields(fields)
                outcomes.setdefault(outcome.key, outcome)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            raise DataError(
                f"line {number} of {name} is not a result of an experiment. Give a file that an earlier run wrote, "
                "or a new one."
            ) from None
    return outcomes, made


def select(outcomes: Mapping[Key, Outcome], keys: Iterable[Key]) -> tuple[Outcome, ...]:
    """Return the outcomes under the keys that are there, in the keys' order."""
    return tuple(outcomes[key] for key in keys if key in outcomes)
