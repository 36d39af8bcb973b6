"""The keys of a study's file, taken one by one: whatever is wrong is a sentence that names the key."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from privbo_core.errors import DataError
from privbo_core.files import read_bytes

MOST_BYTES = 100_000
Word = TypeVar("Word", bound=str)


class Keys:
    """One section of a study's file. Each key is taken once; `done` complains of what nobody took."""

    def __init__(self, section: str, fields: object) -> None:
        if not isinstance(fields, Mapping):
            raise DataError(f"{section} must be a section of its own, as in [{section}].")
        self._where = f" in [{section}]" if section else ""
        self._left = dict(fields)
        self._taken: list[str] = []

    def has(self, key: str) -> bool:
        return key in self._left

    def section(self, key: str) -> "Keys":
        return Keys(key, self._take(key, {}))

    def text(self, key: str, otherwise: str | None = None) -> str:
        """Return a text; ``otherwise`` if left out."""
        kind = Annotated[str, Meta(pattern=r"\S", max_length=300)]
        return str(self._of(key, otherwise, kind, "it must be a text of at most 300 letters"))

    def flag(self, key: str, otherwise: bool) -> bool:
        return bool(self._of(key, otherwise, bool, "it must be true or false"))

    def choice(self, key: str, allowed: Sequence[Word], otherwise: Word | None = None) -> Word:
        value = self._take(key, otherwise)
        if value not in allowed:
            raise self._fault(key, value, f"it must be one of {_listed(allowed)}")
        return allowed[allowed.index(value)]

    def number(self, key: str, otherwise: float | None = None, *, low: float = 0.0, high: float = 1e6) -> float:
        """Return a finite number above ``low`` and at most ``high``."""
        kind = Annotated[float, Meta(gt=low, le=high)]
        return float(self._of(key, otherwise, kind, f"it must be a number above {low:g} and at most {high:g}"))

    def whole(self, key: str, otherwise: int | None = None, *, low: int = 1, high: int = 10_000) -> int:
        """Return a whole number from ``low`` to ``high``."""
        kind = Annotated[int, Meta(ge=low, le=high)]
        return int(self._of(key, otherwise, kind, f"it must be a whole number from {low} to {high}"))

    def numbers(self, key: str, *, most: int = 40) -> list[float]:
        """Return one or several different numbers above 0, in order."""
        one = Annotated[float, Meta(gt=0, le=1e6)]
        kind = Annotated[list[one], Meta(min_length=1)] | one
        found = self._of(key, None, kind, "it must be a number above 0, or a list of them, as in [0.5, 1, 2]")
        numbers = sorted(found if isinstance(found, list) else [found])
        if len(numbers) > most or len(set(numbers)) < len(numbers):
            raise self._fault(key, found, f"it may hold up to {most} numbers, each of them once")
        return numbers

    def names(self, key: str, allowed: Sequence[str] = (), otherwise: Sequence[str] | None = None) -> list[str]:
        """Return different texts, each of them one of those ``allowed`` if any are given."""
        kind = Annotated[list[Annotated[str, Meta(min_length=1)]], Meta(min_length=1)]
        given = None if otherwise is None else list(otherwise)
        value: list[str] = self._of(key, given, kind, 'it must be a list of texts, as in ["one", "another"]')
        if len(set(value)) < len(value):
            raise self._fault(key, value, "it must name each of them once")
        for each in value:
            if allowed and each not in allowed:
                raise self._fault(key, each, f"it may name {_listed(allowed)}")
        return value

    def done(self) -> None:
        """Complain of a key that nobody took."""
        for key in self._left:
            known = f" (known: {_listed(self._taken)})" if self._taken else ""
            raise DataError(f"{key!r}{self._where} is not a key of such a study{known}; correct or remove it.")

    def _take(self, key: str, otherwise: object) -> object:
        self._taken.append(key)
        if key in self._left:
            return self._left.pop(key)
        if otherwise is None:
            raise DataError(f"{key!r}{self._where} is missing; add it.")
        return otherwise

    def _of(self, key: str, otherwise: object, kind: Any, allowed: str) -> Any:  # noqa: ANN401 - of that kind
        value = self._take(key, otherwise)
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            raise self._fault(key, value, allowed) from None

    def _fault(self, key: str, value: object, allowed: str) -> DataError:
        shown = repr(value)
        return DataError(f"{key!r}{self._where} is {shown if len(shown) < 80 else shown[:79] + '…'}; {allowed}.")


def read_toml(path: str | Path) -> Keys:
    """Return what a TOML file holds. Raises DataError, one sentence, if it cannot be read or is no TOML."""
    name = Path(path).name
    try:
        return Keys("", tomllib.loads(read_bytes(path, f"The study {name!r}", MOST_BYTES).decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise DataError(f"The study {name!r} is not a text in UTF-8; save it as one.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise DataError(f"The study {name!r} is not TOML: {problem}. docs/studies.md shows how one looks.") from None


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(repr, words))
