"""The papers' tables and figures as data: what is run, what is printed, what is claimed.

A file of this folder holds experiments by name: the fields of `Experiment`, with fewer words for what recurs.

- ``like`` names tables [like.…] that have fields in common; lists are joined, other fields are the last one's.
- ``task`` computes the arms that name no other, and ``settings.TASK`` is part of the settings of each of its arms.
- A list among an arm's settings makes an arm of each value, which takes the place of {} in its name. "e^1.1" is e^1.1.
- Numbers under one heading have ``printed`` by what takes the place of {} in their ``label`` and ``arm``.
- Claims of one kind have what each ``says``, and the arms that it is about.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Value

FILES = ("outsourced", "outsourced_tables", "outsourced_figures", "made_up", "federated", "release")
FOLDER = Path(__file__).parent


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def _all() -> Iterator[Experiment]:
    common: dict[str, dict[str, Any]] = {}
    for found in map(load, FILES):
        common |= found.pop("like", {})
        for name, fields in found.items():
            yield _experiment(name, [*(common[each] for each in fields.pop("like")), fields])


def _experiment(name: str, parts: list[dict[str, Any]]) -> Experiment:
    fields: dict[str, Any] = {}
    settings: dict[str, dict[str, Value]] = {}
    for part in parts:
        for key, value in part.items():
            if key == "settings":
                settings = {task: settings.get(task, {}) | value.get(task, {}) for task in settings | value}
            else:
                fields[key] = [*fields.get(key, ()), *value] if isinstance(value, list) else value
    task = fields.pop("task")
    arms = tuple(arm for each in fields.pop("arms") for arm in _arms({"task": task} | each, settings))
    numbers = tuple(number for each in fields.pop("numbers", ()) for number in _numbers(each))
    claims = tuple(claim for each in fields.pop("claims", ()) for claim in _claims(each))
    curves = tuple(arm.name for arm in arms if not arm.once) if fields.get("kind", "curves") == "curves" else ()
    texts: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return Experiment(name=name, arms=arms, numbers=numbers, claims=claims, curves=curves, **texts)


def _arms(fields: dict[str, Any], settings: Mapping[str, dict[str, Value]]) -> Iterator[Arm]:
    head = {key: fields.pop(key) for key in ("name", "task", "once") if key in fields}
    swept = next((key for key, value in fields.items() if isinstance(value, list)), None)
    for value in fields[swept] if swept else [None]:
        own = fields | ({swept: value} if swept else {})
        name = head["name"].replace("{}", value if isinstance(value, str) else f"{value:g}") if swept else head["name"]
        known = settings.get(head["task"], {}) | {key: _number(each) for key, each in own.items()}
        yield msgspec.convert(head | {"name": name, "settings": known}, Arm)


def _number(value: Value) -> Value:
    return math.exp(float(value[2:])) if isinstance(value, str) and value.startswith("e^") else value


def _numbers(fields: dict[str, Any]) -> Iterator[Number]:
    label, arm, printed = fields.get("label", "{}"), fields.get("arm", "{}"), fields["printed"]
    for key, value in printed.items() if isinstance(printed, dict) else [("", printed)]:
        named = {"label": label.replace("{}", key), "arm": arm.replace("{}", key), "printed": value}
        yield msgspec.convert(fields | named, Number)


def _claims(fields: dict[str, Any]) -> Iterator[Claim]:
    common = {"kind": "below"} | {key: value for key, value in fields.items() if key != "says"}
    for text, arms in fields["says"].items():
        yield msgspec.convert(common | {"text": text, "arms": arms}, Claim)


EXPERIMENTS: Mapping[str, Experiment] = {each.name: each for each in _all()}
"""Every table and figure that can be run again, in the papers' order."""


def find(name: str) -> Experiment:
    """Return the experiment of that name. Raises ValueError, listing the names, for an unknown one."""
    if name not in EXPERIMENTS:
        raise ValueError(f"there is no experiment {name!r}; the experiments are {', '.join(EXPERIMENTS)}.")
    return EXPERIMENTS[name]
