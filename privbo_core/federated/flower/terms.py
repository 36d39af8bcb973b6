"""The settings file of a federation, federation.toml: everything that is public to all agents, read strictly."""

import math
import tomllib
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from privbo_core import files
from privbo_core.errors import Array, DataError, probability
from privbo_core.federated.agents import Shared
from privbo_core.federated.run import common
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.gp import Kernel, Matern52, SquaredExponential
from privbo_core.privacy import noise_for

MOST_BYTES = 5_000_000
MOST_ROWS = 20_000
KERNELS: dict[str, type[SquaredExponential] | type[Matern52]] = {
    "squared exponential": SquaredExponential,
    "matern 5/2": Matern52,
}
WRITER = "`python -m privbo_core.federated.flower app FOLDER` writes one to begin with"
PARTS = {
    "model": ("kernel", "lengthscale", "variance", "noise_variance", "centre", "scale"),
    "search": ("rounds", "initial", "features", "feature_seed", "regions", "decay"),
    "privacy": ("agents", "q", "clip", "delta", "epsilon", "z", "budget"),
    "time": ("wait", "round", "steady"),
}
OPTIONAL = {"epsilon", "z", "budget", "decay", "steady"}


@dataclass(frozen=True, eq=False)
class Terms:
    """What the server and all agents of a federation agree on.

    ``names`` and ``table``: the inputs and the n settings that may be asked for (n×d), as people write them.
    ``settings``: the algorithm's; its kernel's length-scale is a share of each input's range. An outcome y counts as
    (y − ``centre``)/``scale``. ``agents`` N, the whole population, whether they take part or not. ``delta``, and the
    ε at which the server stops, ``budget``. ``wait``: seconds for all agents to appear, ``pace``: for their answers;
    ``steady``: a round takes as long when all have answered before, so that its length tells nothing.
    """

    names: tuple[str, ...]
    table: Array
    settings: Settings
    agents: int
    feature_seed: int
    centre: float
    scale: float
    delta: float
    budget: float
    wait: float
    pace: float
    steady: bool = False

    @cached_property
    def points(self) -> Array:
        """The settings with each input's range as the unit interval."""
        low, extent = self.table.min(axis=0), np.ptp(self.table, axis=0)
        return np.asarray((self.table - low) / np.where(extent > 0, extent, 1.0))

    @cached_property
    def shared(self) -> Shared:
        """What the agents and the server compute with. Raises ValueError on a domain that cannot be cut so."""
        return common(self.points, self.settings, self.agents, np.random.default_rng(self.feature_seed))

    @cached_property
    def digest(self) -> str:
        """What this domain is called in an agent's notebook."""
        return files.digest(files.json_bytes([self.names, self.table.tolist(), self.centre, self.scale]))

    def setting(self, row: int) -> dict[str, float]:
        """Return a row as the value of each input."""
        return dict(zip(self.names, map(float, self.table[row]), strict=True))


def read_terms(path: str | Path, noise: bool = True) -> Terms:
    """Return the terms in a federation.toml. Raises DataError, one sentence, for any other file.

    An agent adds no noise and needs not work out how much: without ``noise``, z is 1 where an ε is given.
    """
    what = "federation.toml"
    try:
        text = files.read_bytes(path, what, MOST_BYTES).decode("utf-8-sig")
        found = tomllib.loads(text)
    except UnicodeDecodeError:
        raise DataError(f"{what} is not a text in UTF-8; {WRITER}.") from None
    except tomllib.TOMLDecodeError as fault:
        raise DataError(f"{what} is not a TOML file that can be read: {fault}.") from None
    files.keys(what, found, tuple(PARTS), (*PARTS, "inputs", "points"))
    names, table = _domain(found)
    said = {name: files.keys(f"[{name}] of {what}", found[name], _required(name), PARTS[name]) for name in PARTS}
    try:
        return _terms(names, table, said, noise)
    except DataError:
        raise
    except ValueError as fault:
        raise DataError(f"{what}: {fault}") from None


def _required(part: str) -> tuple[str, ...]:
    return tuple(key for key in PARTS[part] if key not in OPTIONAL)


def _terms(names: tuple[str, ...], table: Array, said: dict[str, dict[str, Any]], noise: bool) -> Terms:
    model, search, privacy, time = (said[part] for part in PARTS)
    q, delta = files.number("q", privacy["q"]), probability("delta", files.number("delta", privacy["delta"]))
    rounds = files.whole_number("rounds", search["rounds"], 1, 10_000)
    budget = _or_infinite("budget", privacy["budget"]) if "budget" in privacy else math.inf
    settings = Settings(
        _kernel(model),
        files.number("noise_variance", model["noise_variance"]),
        iterations=rounds,
        initial=files.whole_number("initial", search["initial"], 1, MOST_ROWS),
        features=files.whole_number("features", search["features"], 1, 10_000),
        q=q,
        z=_noise(privacy, q, rounds, delta) if noise or "z" in privacy else 1.0,
        S=files.number("clip", privacy["clip"]),
        P=files.whole_number("regions", search["regions"], 1, 64),
        decay=files.number("decay", search.get("decay", 0.5)),
        calibration="exact",
    )
    seconds = {key: files.number(f"{key} of [time]", time[key]) for key in ("wait", "round")}
    if min(seconds.values()) <= 0:
        raise ValueError("wait and round of [time] are seconds; both must be above 0.")
    scale = files.number("scale", model["scale"])
    if scale <= 0:
        raise ValueError(f"scale is {scale!r}; it must be above 0.")
    if not budget > 0:
        raise ValueError(f"budget is {budget!r}; it must be above 0.")
    return Terms(
        names=names,
        table=table,
        settings=settings,
        agents=check_agents(files.whole_number("agents", privacy["agents"], 0, 1_000_000)),
        feature_seed=files.whole_number("feature_seed", search["feature_seed"], 0, 2**63),
        centre=files.number("centre", model["centre"]),
        scale=scale,
        delta=delta,
        budget=budget,
        wait=seconds["wait"],
        pace=seconds["round"],
        steady=files.truth("steady", time.get("steady", False)),
    )


def _kernel(model: dict[str, Any]) -> Kernel:
    if model["kernel"] not in KERNELS:
        allowed = " or ".join(map(repr, KERNELS))
        raise DataError(f"kernel is {files.short(model['kernel'])}; it must be {allowed}.")
    return KERNELS[model["kernel"]](
        files.number("lengthscale", model["lengthscale"]), files.number("variance", model["variance"])
    )


def _noise(privacy: dict[str, Any], q: float, rounds: int, delta: float) -> float:
    """Return z as it is said, or the least with which all rounds keep the ε that is said."""
    if ("z" in privacy) == ("epsilon" in privacy):
        raise DataError("[privacy] of federation.toml must have either epsilon (for all rounds together) or z.")
    if "z" in privacy:
        return files.number("z", privacy["z"])
    return noise_for(files.number("epsilon", privacy["epsilon"]), q, rounds, delta, "pld")


def _or_infinite(name: str, value: object) -> float:
    return math.inf if value == math.inf else files.number(name, value)


def _domain(found: dict[str, Any]) -> tuple[tuple[str, ...], Array]:
    """Return the names of the inputs and the settings: all combinations of the levels, or those listed."""
    what = "[[inputs]] of federation.toml"
    inputs = files.entries(what, found.get("inputs"))
    names, levels = [], []
    for entry in inputs:
        listed = "points" in found
        said = files.keys(what, entry, ("name",) if listed else ("name", "low", "high", "levels"))
        names.append(files.name("name", said["name"]))
        if not listed:
            low, high = files.number("low", said["low"]), files.number("high", said["high"])
            if not low < high:
                raise DataError(f"Input {files.short(names[-1])} goes from {low} to {high}; low must be below high.")
            levels.append(np.linspace(low, high, files.whole_number("levels", said["levels"], 2, MOST_ROWS)))
    if not names or len(set(names)) < len(names):
        raise DataError(f"{what} must be one or more inputs with different names.")
    if "points" in found:
        return tuple(names), _listed(files.entries("points", found["points"]), len(names))
    if math.prod(len(each) for each in levels) > MOST_ROWS:
        raise DataError(f"The inputs have more than {MOST_ROWS:,} combinations; take fewer levels.")
    return tuple(names), np.array(list(product(*levels)))


def _listed(rows: list[Any], width: int) -> Array:
    if not 2 <= len(rows) <= MOST_ROWS:
        raise DataError(f"points holds {len(rows):,} settings; it must hold from 2 to {MOST_ROWS:,}.")
    table = []
    for number, row in enumerate(rows, start=1):
        values = files.entries(f"Setting {number} of points", row)
        if len(values) != width:
            raise DataError(f"Setting {number} of points has {len(values)} numbers; there are {width} inputs.")
        table.append([files.number(f"Setting {number} of points", value) for value in values])
    found = np.array(table)
    if len(np.unique(found, axis=0)) < len(found):
        raise DataError("points holds the same setting twice; each may be there once.")
    return found
