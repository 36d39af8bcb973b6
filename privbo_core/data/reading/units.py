"""Units apart from what they belong to: from the name of a column, and from the cells of one."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LOOKED_AT = 60
"""So many cells tell whether a column's numbers come with a unit."""

_MONEY = "€ $ £ ¥ ₹ US$ A$ C$ CHF EUR USD GBP JPY CNY INR SEK NOK DKK PLN CZK AUD CAD BRL ZAR k€ k$ T€ M€ Mio€"
_MEASURES = """
years year yrs yr months month weeks week days day hours hour hrs hr minutes minute min seconds second sec ms µs ns s h
m mm cm dm km nm µm um in inch inches ft feet yd mi mile miles m2 m3 cm2 cm3 mm2 km2 ha acre acres sqft sqm
g kg mg µg ug ng lb lbs oz t tonnes l L mL ml dL dl µL cl mol mmol µmol nmol pmol meq mEq U IU mIU kU MU
K °C °F C° degC degF ° deg rad Pa kPa hPa MPa bar mbar mmHg psi atm
V mV kV mA kA W kW MW kWh MWh Wh kJ MJ cal kcal Hz kHz MHz GHz dB N kN Nm
kB MB GB TB bit bits px rpm bpm mph kph kmh mpg pH
count counts pcs units persons people points pts % ‰ ppm ppb percent pct
jahr jahre monat monate woche wochen tage stunde stunden minuten sekunden punkte
ans années mois semaines jour jours heures secondes años meses semanas día días horas minutos segundos anni mesi giorni
"""
_CURRENCIES = set(_MONEY.split())
_UNITS = _CURRENCIES | set(_MEASURES.split())
_POWER = re.compile(r"(?:\^?[-−]?[0-9]|[²³⁻¹]+)$")
_IN_BRACKETS = re.compile(r"(.*\S)\s*(?:\[([^\[\]()]{1,20})\]|\(([^\[\]()]{1,20})\))")
_BEHIND_A_STROKE = re.compile(r"(.*\S)\s+/\s+(\S{1,12})")
_NO_UNITS = {"log", "ln", "log10", "log2", "raw", "old", "new", "mean", "sd", "se", "min", "max", "sum", "median"}
_CELL = re.compile(
    r"(?P<sign>[+−-]?)(?P<before>[^\d\s.,+−-]{0,4})\s?(?P<number>[+−-]?\d[\d.,'’\u00a0\u202f\u2009 ]*)(?P<after>\D*)"
)


class Bare(NamedTuple):
    """Cells without their ``unit``; ``odd``: those that lack a unit which changes what a number is."""

    text: pd.Series
    unit: str
    odd: NDArray[np.bool_]


def is_unit(text: str) -> bool:
    """Return whether a text is a unit of measurement or money: mg/dL, € per m², °C."""
    parts = re.split(r"\s*(?:/|·|\*|\bper\b)\s*", text.strip())
    return 0 < len(parts) <= 3 and all(_one_unit(part) for part in parts)


def _one_unit(text: str) -> bool:
    return text in _UNITS or text.lower() in _UNITS or _POWER.sub("", text) in _UNITS


def name_and_unit(name: str) -> tuple[str, str]:
    """Return a column's name and its unit apart, as in “age [years]”; an empty unit if there is none."""
    if found := _IN_BRACKETS.fullmatch(name):
        square, unit = bool(found[2]), (found[2] or found[3]).strip().removeprefix("in ")
        likely = square and unit.lower() not in _NO_UNITS and not re.search(r"[\d=<>,;]|^$", unit)
        if is_unit(unit) or likely:
            return found[1], unit
    elif (found := _BEHIND_A_STROKE.fullmatch(name)) and is_unit(found[2]):
        return found[1], found[2]
    return name, ""


def names_and_units(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names without units, and the unit of each that had one. Where two would become alike, both stay."""
    apart = [name_and_unit(name) for name in names]
    often = Counter(name for name, _ in apart)
    made, units = [], {}
    for name, (short, unit) in zip(names, apart, strict=True):
        made.append(short if often[short] == 1 else name)
        if unit and often[short] == 1:
            units[short] = unit
    return made, units


def bare(text: pd.Series, present: NDArray[np.bool_]) -> Bare:
    """Return the cells of a column without the one unit that most of those ``present`` carry: € 5, 12 %, 70 kg.

    A number without it is read as one, except beside percentages, where it may be a share. O(n), mostly O(1).
    """
    nothing = np.zeros(len(text), dtype=bool)
    first = text[present].iloc[:LOOKED_AT]
    units = Counter(found[1] for cell in first if (found := _number_and_unit(cell)) and found[1])
    if not units:
        return Bare(text, "", nothing)
    unit, count = units.most_common(1)[0]
    if 2 * count <= len(first):
        return Bare(text, "", nothing)
    cells = text.tolist()
    known = {cell: _number_and_unit(cell) for cell in set(cells)}
    read = [known[cell] for cell in cells]
    made = [found[0] if found and found[1] == unit else cell for cell, found in zip(cells, read, strict=True)]
    odd = nothing
    if unit in ("%", "‰", "percent", "pct"):
        odd = np.array([found is not None and not found[1] and found[0] != "0" for found in read]) & present
    return Bare(pd.Series(made, index=text.index, dtype=text.dtype), unit, odd)


def _number_and_unit(cell: str) -> tuple[str, str] | None:
    found = _CELL.fullmatch(cell)
    if found is None:
        return None
    sign, before, number, after = found.group("sign", "before", "number", "after")
    before, after = before.strip(), after.strip()
    if not before and not after:
        return sign + number.strip(), ""
    if before and after:
        return None
    if (before in _CURRENCIES and before) or (after and is_unit(after)):
        return sign + number.strip(), before or after
    return None
