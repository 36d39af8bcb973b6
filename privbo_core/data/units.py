"""Recognise units of measurement and money in the names of columns."""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
CURRENCIES = frozenset(WORDS["currencies"].split())
_UNITS = CURRENCIES | set(WORDS["measures"].split())
_NO_UNITS = set(WORDS["no_units"].split())
_IN_ANY_CASE = {unit.lower() for unit in _UNITS} - _NO_UNITS - set(WORDS["not_behind"].split())
_POWER = re.compile(r"(?:\^?[-−]?[0-9]|[²³⁻¹]+)$")
_IN_BRACKETS = re.compile(r"(.*\S)\s*(?:\[([^\[\]()]{1,20})\]|\(([^\[\]()]{1,20})\))")
_AFTER_SLASH = re.compile(r"(.*\S)\s+/\s+(\S{1,12})")
_AFTER_UNDERSCORE = re.compile(r"(\w*[^\W_]{3})_(?:in_)?([^\W_]{2,}|[^\W_]+_[^\W_]+)")


def is_unit(text: str) -> bool:
    """Return whether a text is a unit of measurement or money, such as mg/dL, € per m² or °C."""
    parts = re.split(r"\s*(?:/|·|\*|\bper\b)\s*", text.strip())
    return len(parts) <= 3 and all({part, part.lower(), _POWER.sub("", part)} & _UNITS for part in parts)


def name_and_unit(name: str) -> tuple[str, str]:
    """Return the name and the unit in a column's name, such as “age [years]”. The unit is empty if there is none.

    A unit after an underscore stays in the name, because “price_eur” is an identifier.
    """
    if found := _IN_BRACKETS.fullmatch(name):
        square, unit = bool(found[2]), (found[2] or found[3]).strip().removeprefix("in ")
        likely = square and unit.lower() not in _NO_UNITS and not re.search(r"[\d=<>,;]|^$", unit)
        if is_unit(unit) or likely:
            return found[1], unit
    elif (found := _AFTER_SLASH.fullmatch(name)) and is_unit(found[2]):
        return found[1], found[2]
    elif found := _AFTER_UNDERSCORE.fullmatch(name):
        parts = found[2].split("_")
        before = found[1].lower()
        counts = before in _NO_UNITS or before.endswith("_per") or before.startswith(("log_", "ln_", "log10_", "log2_"))
        if not counts and all(part.lower() in _IN_ANY_CASE for part in parts):
            return name, "/".join(part.upper() if part.upper() in CURRENCIES else part for part in parts)
    return name, ""


def names_and_units(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names without units, and the units by name. Names that would become equal keep theirs."""
    split = [name_and_unit(name) for name in names]
    count = Counter(short for short, _ in split)
    made, units = [], {}
    for name, (short, unit) in zip(names, split, strict=True):
        made.append(short if count[short] == 1 else name)
        if unit and count[short] == 1:
            units[short] = unit
    return made, units
