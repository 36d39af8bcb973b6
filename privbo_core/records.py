"""Records decoded by type: a dataclass says what an object in a file may be, and what may be given by hand.

Whatever does not fit is a DataError: one sentence that names the field, its value and what it must be.
"""

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
from msgspec import Meta

from privbo_core.budget import look
from privbo_core.errors import DataError
from privbo_core.files import LARGEST, lower, short
from privbo_core.terminal import CONTROL

FAR = Meta(ge=-LARGEST, le=LARGEST)
Finite = Annotated[float, FAR]
_HALVES = r"\ud800-\udfff"
UpToInfinity = Annotated[float, Meta(ge=-LARGEST)]
Text = Annotated[str, Meta(pattern=rf"\A[^{_HALVES}]*\Z")]  # A text that a file can hold: without halves of characters.
Line = Annotated[str, Meta(pattern=rf"\A[^{CONTROL.pattern[1:-1]}{_HALVES}]*\Z")]
"""A text that can be printed anywhere: a name or a unit, in one line."""
Digest = Annotated[str, Meta(pattern=r"\A(sha256:[0-9a-f]{64})?\Z", description="a digest (sha256:…)")]

_PLAIN: dict[object, object] = {float: Finite, str: Text}
_AT = re.compile(r" - at `\$(.*)`$")
_LEAVES = (float, int, str, bool)
T = TypeVar("T")


def decoded(what: str, found: object, kind: type[T]) -> T:
    """Return the record of this ``kind`` that an object of a file holds, by the names and types of its fields.

    There must be no other keys, and all of them, but those that nothing is said by, None or an empty text. ``what``
    begins the sentences: "The frame".
    """
    _check_keys(what, found, kind)
    try:
        return msgspec.convert(found, kind, strict=True)
    except msgspec.ValidationError as fault:
        if isinstance(fault.__cause__, DataError):
            raise fault.__cause__ from None
        at = _AT.search(str(fault))
        name, value, hint = what, found, kind
        for key, place in re.findall(r"\.(\w+)|\[(\d+)\]", at[1] if at else ""):
            hint = _inside(hint, key)
            if key:
                name, value = f"{key} of {lower(name)}", value[key]  # type: ignore[index]
            else:
                name, value = _one(name, int(place)), value[int(place)]  # type: ignore[index]
        raise DataError(_refusal(name, value, hint)) from None


def checked(what: str, record: object) -> None:
    """Raise DataError unless a dataclass's numbers, texts and truths are of their fields' types; make numbers floats.

    ``what`` ends the names: "private answers", as in low of private answers.
    """
    kind: Any = type(record)
    for name, hint in _leaves(kind):
        value = getattr(record, name)
        plain = value.item() if isinstance(value, np.integer | np.floating) else value
        try:
            right = msgspec.convert(plain, hint, strict=True)
        except msgspec.ValidationError:
            raise DataError(_refusal(f"{name} of {what}", value, hint)) from None
        object.__setattr__(record, name, right)


@cache
def _hints(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    hints = get_type_hints(kind, include_extras=True)
    return {part.name: _PLAIN.get(hints[part.name], hints[part.name]) for part in fields(kind) if part.init}


@cache
def _leaves(kind: Any) -> tuple[tuple[str, Any], ...]:  # noqa: ANN401
    return tuple((name, hint) for name, hint in _hints(kind).items() if _leaf(hint))


@cache
def _leaf(hint: Any) -> bool:  # noqa: ANN401 - a type, whatever its kind
    """Return whether a type is one number, text or truth, or one of some values, or none of them."""
    parts = _parts(hint)
    return all(part in (*_LEAVES, type(None)) or get_origin(part) is Literal for part in parts)


@cache
def _parts(hint: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """Return the types that a type allows, without what is said about them."""
    if get_origin(hint) is Annotated:
        return _parts(get_args(hint)[0])
    if get_origin(hint) in (None, Literal, tuple, list, dict):
        return (hint,)
    return tuple(part for each in get_args(hint) for part in _parts(each))


def _inside(hint: Any, key: str) -> Any:  # noqa: ANN401
    """Return the type of what stands under a key, or of an entry of a list."""
    for part in _parts(hint):
        if key and is_dataclass(part):
            return _hints(part)[key]  # type: ignore[arg-type]
        if not key and get_origin(part) in (tuple, list):
            return _PLAIN.get(get_args(part)[0], get_args(part)[0])
    return hint


def _check_keys(what: str, found: object, hint: Any) -> None:  # noqa: ANN401
    for kind in _parts(hint):
        if is_dataclass(kind) and (isinstance(found, dict) or kind is hint):
            record: Any = kind
            known = ", ".join(_hints(record))
            if not isinstance(found, dict):
                raise DataError(f"{what} must be an object with the keys {known}.")
            for key in found:
                if key not in _hints(record):
                    raise DataError(f"{what} has the key {short(key)}; it may have {known}.")
            for key in _needed(record):
                if key not in found:
                    raise DataError(f"{what} lacks the key {key!r}.")
            for key, value in found.items():
                if key in _branches(record):
                    _check_keys(f"{key} of {lower(what)}", value, _hints(record)[key])
        elif get_origin(kind) in (tuple, list) and isinstance(found, list) and not _leaf(get_args(kind)[0]):
            for place, each in enumerate(found):
                look()
                _check_keys(_one(what, place), each, get_args(kind)[0])


@cache
def _needed(kind: Any) -> tuple[str, ...]:  # noqa: ANN401
    asked = (part for part in fields(kind) if part.init)
    return tuple(part.name for part in asked if part.default is MISSING or part.default not in (None, ""))


@cache
def _branches(kind: Any) -> frozenset[str]:  # noqa: ANN401
    """Return the fields of a record in which there may be other records."""
    return frozenset(name for name, hint in _hints(kind).items() if not _leaf(hint))


def _refusal(name: str, value: object, hint: Any) -> str:  # noqa: ANN401
    if isinstance(value, str) and hint in (Text, Line):
        wrong = "half of a character" if re.search(f"[{_HALVES}]", value) else "a character that terminals obey"
        return f"{name} is {short(value)}, which has {wrong}; write it anew."
    return f"{name} is {short(value)}; it must be {' or '.join(_allowed(hint, value))}."


def _allowed(hint: Any, value: object) -> Iterator[str]:  # noqa: ANN401
    limits = [each for each in get_args(hint)[1:] if isinstance(each, Meta)] if get_origin(hint) is Annotated else []
    for part in _parts(hint):
        if part is int and limits:
            yield f"a whole number from {limits[0].ge:,} to {limits[0].le:,}"
        elif get_origin(part) is Literal:
            yield f"one of {', '.join(map(repr, get_args(part)))}"
        elif part is float and isinstance(value, int | float | np.number) and not isinstance(value, bool):
            yield f"a number {_range(*limits)}"
        elif part is str and any(each.description for each in limits):
            yield str(limits[0].description)
        else:
            names = {float: "a number", int: "a whole number", str: "a text", bool: "true or false", type(None): "null"}
            yield names.get(part) or ("a list" if get_origin(part) in (tuple, list) else "an object")


def _range(limits: Meta = FAR) -> str:
    ends = {"above": limits.gt, "at least": limits.ge, "below": limits.lt, "at most": limits.le}
    said = [f"{word} {end:g}" for word, end in ends.items() if end is not None and abs(end) < LARGEST]
    return " and ".join(said) or "between ±1e100"


def _one(many: str, place: int) -> str:
    """Return what the entry in this place, from 0, of a list is called: ``answer 3 of the file``."""
    names, _, rest = many.partition(" of ")
    singular = {"people": "person", "entries": "entry"}.get(names, names.removesuffix("s"))
    return f"{singular.capitalize()} {place + 1:,}{rest and f' of {rest}'}"
