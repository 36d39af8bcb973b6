"""Faults that would mislead a visitor, each as one change of one file, with the tests that have to notice it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("faults.toml")


@dataclass(frozen=True)
class Fault:
    """A change of ``old`` into ``new`` in a ``file``. ``tests`` are the folders or files of which one test has to fail.

    All paths are relative to the repository.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def implanted(self, text: str) -> str:
        """Return the text of the file with this fault. Raises ValueError unless the old text is there exactly once."""
        if (times := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: the old text is {times} times in {self.file}. It must be there once.")
        return text.replace(self.old, self.new)


def listed() -> tuple[Fault, ...]:
    """Return all faults of the list."""
    entries = tomllib.loads(LIST.read_text("utf-8"))["fault"]
    return tuple(Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries)
