"""Read the papers' tables and figures from the TOML files in the folder ``papers``.

Each top-level table of a file is an experiment, with the fields of `Experiment` and these abbreviations:

- ``like`` lists tables [like.…] of shared fields. Lists are joined, and other fields are taken from the last table.
- ``task`` is the task of every arm that names no other. The table ``settings.TASK`` is added to the settings of each
  arm with that task.
- A list among an arm's settings makes one arm for each value, which replaces {} in the arm's name. The text "e^1.1"
  stands for the number e^1.1.
- ``printed`` maps several labels to printed numbers. Each label replaces {} in ``label`` and ``arm``.
- ``statements`` maps several claims with the same ``kind`` to their arms.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from privbo_core.experiments.model import Arm, Claim, Experiment, Number, Value

FILES = ("outsourced", "outsourced_tables", "outsourced_figures", "made_up", "federated", "release")
FOLDER = Path(__file__).parent / "papers"


def load(name: str) -> dict[str, Any]:
    """Return the parsed content of a file in the folder ``papers``."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def _experiments() -> Iterator[Experiment]:
    shared: dict[str, dict[str, Any]] = {}
    for file in FILES:
        tables = load(file)
        shared |= tables.pop("like", {})
        for name, table in tables.items():
            parts = [shared[like] for like in table.pop("like")]
            yield _experiment(name, _merge([*parts, table]))


def _merge(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Merge tables: settings by task, lists end to end, and other fields from the last table that has them."""
    settings: dict[str, dict[str, Value]] = {}
    merged: dict[str, Any] = {}
    for part in parts:
        for field, value in part.items():
            if field == "settings":
                for task, own in value.items():
                    settings[task] = settings.get(task, {}) | own
            elif isinstance(value, list):
                merged[field] = [*merged.get(field, []), *value]
            else:
                merged[field] = value
    return merged | {"settings": settings}


def _experiment(name: str, fields: dict[str, Any]) -> Experiment:
    task, settings = fields.pop("task"), fields.pop("settings")
    arms = tuple(arm for entry in fields.pop("arms") for arm in _arms({"task": task} | entry, settings))
    numbers = tuple(number for entry in fields.pop("numbers", []) for number in _numbers(entry))
    claims = tuple(claim for entry in fields.pop("claims", []) for claim in _claims(entry))
    has_curves = fields.get("kind", "curves") == "curves"
    curves = tuple(arm.name for arm in arms if has_curves and not arm.once)
    texts: dict[str, Any] = {
        field: tuple(value) if isinstance(value, list) else value for field, value in fields.items()
    }
    return Experiment(name=name, arms=arms, numbers=numbers, claims=claims, curves=curves, **texts)


def _arms(entry: dict[str, Any], shared: Mapping[str, dict[str, Value]]) -> Iterator[Arm]:
    """Yield the arms of an entry: one, or one for each value in the list that it may contain."""
    name, task, once = entry.pop("name"), entry.pop("task"), entry.pop("once", False)
    varied = next((key for key, value in entry.items() if isinstance(value, list)), None)
    for value in entry[varied] if varied else [None]:
        own = entry | {varied: value} if varied else entry
        settings = shared.get(task, {}) | {key: _number(each) for key, each in own.items()}
        text = value if isinstance(value, str) else f"{value:g}" if varied else ""
        yield Arm(name.replace("{}", text), task, settings, once)


def _number(value: Value) -> Value:
    is_power = isinstance(value, str) and value.startswith("e^")
    return math.exp(float(str(value)[2:])) if is_power else value


def _numbers(entry: dict[str, Any]) -> Iterator[Number]:
    label, arm, printed = entry.pop("label", "{}"), entry.pop("arm", "{}"), entry.pop("printed")
    if not isinstance(printed, dict):
        printed = {"": printed}
    for key, value in printed.items():
        yield Number(label=label.replace("{}", key), arm=arm.replace("{}", key), printed=float(value), **entry)


def _claims(entry: dict[str, Any]) -> Iterator[Claim]:
    kind = entry.pop("kind", "below")
    for text, arms in entry.pop("statements").items():
        yield Claim(text=text, kind=kind, arms=tuple(arms), **entry)


EXPERIMENTS: Mapping[str, Experiment] = {experiment.name: experiment for experiment in _experiments()}
"""All experiments by name, in the order of the papers."""


def find(name: str) -> Experiment:
    """Return the experiment with that name. Raises ValueError with the list of names if there is none."""
    if name not in EXPERIMENTS:
        raise ValueError(f"There is no experiment {name!r}. The experiments are {', '.join(EXPERIMENTS)}.")
    return EXPERIMENTS[name]
