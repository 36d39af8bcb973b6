"""ε counted beside the script: by the paper's accountant at once, more tightly and exactly as soon as it is there.

"Exactly" is this project's count: one agent's share of all P vectors of a round as one vector, rounds composed by loss
distributions (`privbo_core.federated.losses`).
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pages.parts.federated.setup import Setup
from pages.parts.frame.later import later
from pages.parts.frame.live import wait
from privbo_core.federated import guarantee, losses, multipliers, trade_off
from privbo_core.privacy import Guarantee, TradeOff, epsilon

PATIENCE = 20.0
"""Seconds for which a page at rest waits for a slow accountant; at the far end of the settings they give up."""


@dataclass(frozen=True)
class Counted:
    """ε after each round: by moments for all rounds of the axis; up to T more tightly ("rdp", "pld") and exactly ("exact").

    Unless ``fresh``, the tighter ones are those of an earlier setting, or none.
    """

    moments: Sequence[float]
    tighter: Mapping[str, Sequence[float]] = field(default_factory=dict)
    fresh: bool = False

    @property
    def noiseless(self) -> bool:
        """Whether there is no noise, and so no guarantee."""
        return math.isinf(self.moments[0])

    @property
    def complete(self) -> bool:
        """Whether nothing is to come from the tighter accountants."""
        return self.fresh or self.noiseless

    @property
    def exact(self) -> float | None:
        """ε after the last round, counted exactly; None until it has been computed."""
        return self.tighter["exact"][-1] if self.fresh else None

    @property
    def by_losses(self) -> float | None:
        """ε after the last round by the paper's sensitivity and loss distributions; None until it has been computed."""
        return self.tighter["pld"][-1] if self.fresh else None


def counted_more_tightly(counted: Counted, setup: Setup, begin: bool) -> Counted:
    """Return the same with the tighter accountants if they are there; else ``begin`` with them in the background."""
    settings, N = setup.settings, setup.N

    def compute() -> dict[str, list[float]]:
        return {
            "rdp": losses(settings, N, "rdp"),
            "pld": losses(settings, N, "pld"),
            "exact": losses(settings, N, "pld", "exact"),
        }

    if counted.complete:
        return counted
    key = ("curves", *_counts(setup))
    found = later().ask(key, compute) if begin else later().known(key)
    return replace(counted, tighter=found, fresh=True) if isinstance(found, dict) else counted


def promised(setup: Setup, counted: Counted) -> Guarantee:
    """Return what is promised: by the exact count as soon as it is there, by the paper's accountant until then."""
    settings, N, problem = setup.settings, setup.N, setup.simulation.first
    if counted.exact is None:
        return guarantee(settings, N, problem=problem)
    return guarantee(settings, N, "pld", "exact", problem=problem, counted=counted.exact)


def most_saved(setup: Setup) -> float:
    """Return how many times less noise the exact calibration adds than the paper's, in the round where it saves most."""
    papers = replace(setup.settings, z=1.0, calibration="paper")
    return float(multipliers(papers, setup.N, "exact").max())


class Told:
    """What all broadcasts of some whole runs tell about an agent, as a trade-off function, when it has been computed.

    Call it with the number of runs; None until it is there. What was asked for in vain is begun by `wait`.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._missing: int | None = None

    def __call__(self, times: int) -> TradeOff | None:
        """Return the trade-off function of so many runs if it is known."""
        found = later().known(self._key(times))
        if isinstance(found, TradeOff):
            return found
        self._missing = times if found is None else None
        return None

    def begin(self, times: int) -> None:
        """Begin with it in the background, unless it is there or something else is under way."""
        settings, N = self._setup.settings, self._setup.N
        if settings.z > 0:
            later().ask(self._key(times), lambda: trade_off(settings, N, "exact", times))

    def wait(self) -> bool:
        """Compute what was missing; return whether there is anything new to be seen."""
        if self._missing is None or self._setup.settings.z == 0:
            return False
        settings, N, times = self._setup.settings, self._setup.N, self._missing
        for _ in range(int(PATIENCE / 0.1)):
            if later().ask(self._key(times), lambda: trade_off(settings, N, "exact", times)) is not None:
                return True
            wait(0.1)
        return False

    def _key(self, times: int) -> Hashable:
        return ("trade-off", times, *_counts(self._setup))


class Counting:
    """What is promised as far as it is counted: by the paper's accountant at once, exactly as soon as that is there."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.counted = Counted(losses(setup.settings, setup.N))
        self.told = Told(setup)
        self.look()

    def look(self) -> None:
        """Take what has been counted since; then go on with what one run tells."""
        self.counted = counted_more_tightly(self.counted, self._setup, begin=True)
        if self.counted.complete:
            self.told.begin(1)

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, by the best count that is there."""
        return promised(self._setup, self.counted)

    @property
    def line(self) -> TradeOff | None:
        """What one run tells, exactly, if that is there."""
        return self.told(1)

    @property
    def settled(self) -> bool:
        """Whether how strongly it protects is counted as exactly as it will be, or nothing is promised."""
        return self.counted.noiseless or (self.counted.complete and self.line is not None)

    def wait(self) -> bool:
        """Wait for the exact count, as long as patience lasts; return whether there is anything new to be seen."""
        known = self.counted.complete
        for _ in range(int(PATIENCE / 0.1)):
            if self.counted.complete:
                break
            wait(0.1)
            self.look()
        return self.told.wait() or known != self.counted.complete


def together_of(setup: Setup, told: Told, delta: float) -> Callable[[int], float]:
    """Return ε of so many whole runs with the same agents, exactly as soon as it is known, until then by moments."""
    settings = setup.settings

    def together(times: int) -> float:
        known = told(times)
        return known.epsilon(delta) if known else epsilon(settings.q, settings.z, settings.iterations * times, delta)

    return together


def _counts(setup: Setup) -> tuple[Hashable, ...]:
    """Return all that ε depends on: nothing of it is anybody's data."""
    s = setup.settings
    return s.q, s.z, s.iterations, s.P, s.a, s.hold, s.fade, s.calibration, s.sampling, setup.N
