"""Two sets of recorded numbers beside each other: what differs, and which runs parted at one decision."""

import math
from dataclasses import dataclass, field

RELATIVE = 1e-9
FLOOR = 1e-12
"""Floats are equal to RELATIVE of the larger one, or to FLOOR: what is 0 up to rounding has no relative error."""


@dataclass
class Found:
    """``differences``: where, recorded, now. ``parted``: runs with the step. ``left_out``: what rests on these."""

    differences: list[tuple[str, object, object]] = field(default_factory=list)
    parted: list[tuple[str, int]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    compared: int = 0


def compare(recorded, now):
    """Compare two dictionaries of entries, by name."""
    found = Found()
    for name, value in recorded.items():
        if name in now and is_run(value) and is_run(now[name]):
            step = parts(value["choices"], now[name]["choices"])
            if step is not None:
                found.parted.append((name, step))
    gone = {name for name, _ in found.parted}
    for name in [*recorded, *(name for name in now if name not in recorded)]:
        if name not in now or name not in recorded:
            where = ("recorded", "nothing") if name in recorded else ("nothing", "computed")
            found.differences.append((name, *where))
        elif rests_on(recorded[name], gone):
            found.left_out.append(name)
        elif name not in gone:
            found.compared += 1
            found.differences += differences(name, recorded[name], now[name])
    return found


def is_run(value):
    return isinstance(value, dict) and "choices" in value


def rests_on(value, parted):
    """Return whether an entry was computed from a run that parted."""
    groups = value.get("of runs", []) if isinstance(value, dict) else []
    return any(name == group or name.startswith(group + "/") for group in groups for name in parted)


def parts(recorded, now):
    """Return the first step, counted from 1, at which two sequences of choices differ; None if they do not."""
    for step, (one, other) in enumerate(zip(recorded, now, strict=False), start=1):
        if one != other:
            return step
    return None if len(recorded) == len(now) else min(len(recorded), len(now)) + 1


def differences(where, recorded, now):
    """Yield each place at which two values differ."""
    if isinstance(recorded, dict) and isinstance(now, dict) and recorded.keys() == now.keys():
        for key, value in recorded.items():
            yield from differences(f"{where} [{key}]", value, now[key])
    elif isinstance(recorded, list) and isinstance(now, list) and len(recorded) == len(now):
        for number, pair in enumerate(zip(recorded, now, strict=True)):
            yield from differences(f"{where} [{number}]", *pair)
    elif not equal(recorded, now):
        yield where, recorded, now


def equal(recorded, now):
    """Return whether two single values are equal: floats closely, all else exactly and in kind."""
    if type(recorded) is not type(now):
        return False
    if not isinstance(recorded, float):
        return bool(recorded == now)
    if math.isnan(recorded) or math.isnan(now):
        return math.isnan(recorded) and math.isnan(now)
    return math.isclose(recorded, now, rel_tol=RELATIVE, abs_tol=FLOOR)
