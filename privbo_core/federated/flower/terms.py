"""The settings file of a federation, federation.toml: everything that is public to all agents, read strictly."""

import math
import tomllib
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from privbo_core import files
from privbo_core.errors import Array, DataError
from privbo_core.federated.agents import Shared
from privbo_core.federated.run import common
from privbo_core.federated.settings import Settings, check_agents
from privbo_core.gp import Matern52, SquaredExponential
from privbo_core.privacy import noise_for
from privbo_core.records import Finite, Line, decoded

MOST_BYTES = 5_000_000
MOST_ROWS = 20_000
KERNELS: dict[str, type[SquaredExponential] | type[Matern52]] = {
    "squared exponential": SquaredExponential,
    "matern 5/2": Matern52,
}
WRITER = "`python -m privbo_core.federated.flower app FOLDER` writes one to begin with"
Above0 = Annotated[float, Meta(gt=0, le=files.LARGEST)]


@dataclass(frozen=True)
class _Input:
    name: Line


@dataclass(frozen=True)
class _Range(_Input):
    low: Finite
    high: Finite
    levels: Annotated[int, Meta(ge=2, le=MOST_ROWS)]

    @property
    def values(self) -> Array:
        if not self.low < self.high:
            raise DataError(
                f"Input {files.short(self.name)} goes from {self.low} to {self.high}; low must be below high."
            )
        return np.linspace(self.low, self.high, self.levels)


@dataclass(frozen=True)
class _Model:
    kernel: Literal["squared exponential", "matern 5/2"]
    lengthscale: Finite
    variance: Finite
    noise_variance: Finite
    centre: Finite
    scale: Above0


@dataclass(frozen=True)
class _Search:
    rounds: Annotated[int, Meta(ge=1, le=10_000)]
    initial: Annotated[int, Meta(ge=1, le=MOST_ROWS)]
    features: Annotated[int, Meta(ge=1, le=10_000)]
    feature_seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    regions: Annotated[int, Meta(ge=1, le=64)]
    decay: Finite | None = None


@dataclass(frozen=True)
class _Privacy:
    agents: Annotated[int, Meta(ge=0, le=1_000_000)]
    q: Finite
    clip: Finite
    delta: Annotated[float, Meta(gt=0, lt=1)]
    epsilon: Finite | None = None
    z: Finite | None = None
    budget: Annotated[float, Meta(gt=0)] | None = None


@dataclass(frozen=True)
class _Time:
    wait: Above0
    round: Above0
    steady: bool | None = None


@dataclass(frozen=True)
class _Settings:
    model: _Model
    search: _Search
    privacy: _Privacy
    time: _Time


@dataclass(frozen=True)
class _Grid(_Settings):
    inputs: list[_Range]

    @property
    def table(self) -> Array:
        levels = [each.values for each in self.inputs]
        if math.prod(map(len, levels)) > MOST_ROWS:
            raise DataError(f"The inputs have more than {MOST_ROWS:,} combinations; take fewer levels.")
        return np.array(list(product(*levels)))


@dataclass(frozen=True)
class _Listed(_Settings):
    inputs: list[_Input]
    points: list[tuple[Finite, ...]]

    @property
    def table(self) -> Array:
        if not 2 <= len(self.points) <= MOST_ROWS:
            raise DataError(f"points holds {len(self.points):,} settings; it must hold from 2 to {MOST_ROWS:,}.")
        for number, values in enumerate(self.points, start=1):
            if len(values) != len(self.inputs):
                raise DataError(
                    f"Setting {number} of points has {len(values)} numbers; there are {len(self.inputs)} inputs."
                )
        if len(set(self.points)) < len(self.points):
            raise DataError("points holds the same setting twice; each may be there once.")
        return np.array(self.points)


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
    said: _Grid | _Listed = decoded(what, found, _Listed) if "points" in found else decoded(what, found, _Grid)
    names = tuple(each.name for each in said.inputs)
    if not names or len(set(names)) < len(names):
        raise DataError(f"[[inputs]] of {what} must be one or more inputs with different names.")
    try:
        return _terms(names, said, noise)
    except DataError:
        raise
    except ValueError as fault:
        raise DataError(f"{what}: {fault}") from None


def _terms(names: tuple[str, ...], said: _Grid | _Listed, noise: bool) -> Terms:
    model, search, privacy, time = said.model, said.search, said.privacy, said.time
    settings = Settings(
        KERNELS[model.kernel](model.lengthscale, model.variance),
        model.noise_variance,
        iterations=search.rounds,
        initial=search.initial,
        features=search.features,
        q=privacy.q,
        z=1.0 if not noise and privacy.z is None else _noise(privacy, search.rounds),
        S=privacy.clip,
        P=search.regions,
        decay=0.5 if search.decay is None else search.decay,
        calibration="exact",
    )
    return Terms(
        names=names,
        table=said.table,
        settings=settings,
        agents=check_agents(privacy.agents),
        feature_seed=search.feature_seed,
        centre=model.centre,
        scale=model.scale,
        delta=privacy.delta,
        budget=math.inf if privacy.budget is None else privacy.budget,
        wait=time.wait,
        pace=time.round,
        steady=bool(time.steady),
    )


def _noise(privacy: _Privacy, rounds: int) -> float:
    """Return z as it is said, or the least with which all rounds keep the ε that is said."""
    if (privacy.z is None) == (privacy.epsilon is None):
        raise DataError("[privacy] of federation.toml must have either epsilon (for all rounds together) or z.")
    if privacy.epsilon is None:
        assert privacy.z is not None  # as was just seen
        return privacy.z
    return noise_for(privacy.epsilon, privacy.q, rounds, privacy.delta, "pld")
