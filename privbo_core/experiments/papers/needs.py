"""What σ_min each of Tables 1–9 needs: at least the largest ω that is met, less than the smallest that is not."""

import math
from dataclasses import dataclass

from privbo_core.experiments.papers.outsourced_tables import DATA, EDGE, PRINTED
from privbo_core.outsourced import omega


@dataclass(frozen=True)
class Need:
    """At the ``epsilon`` and ``delta`` of ``table``, the condition holds up to r = ``edge`` and fails at ``beyond``."""

    table: int
    data: str
    log_epsilon: float
    delta: float
    edge: int
    beyond: int

    @property
    def least(self) -> float:
        """ω(ε, δ, edge): with a smaller σ_min the condition fails at the r that the paper calls best."""
        return omega(math.exp(self.log_epsilon), self.delta, self.edge)

    @property
    def most(self) -> float:
        """ω(ε, δ, beyond): with this σ_min or more it holds at the next r, too."""
        return omega(math.exp(self.log_epsilon), self.delta, self.beyond)

    def met(self, sigma_min: float) -> bool:
        """Return whether a dataset with this σ_min meets the condition up to the table's r, and no further."""
        return self.least <= sigma_min < self.most


def _need(table: int) -> Need:
    data, log_epsilon, printed = PRINTED[table]
    edge = EDGE[(table - 1) % 3 + 1]
    return Need(table, data, log_epsilon, float(DATA[data]["delta"]), edge, min(r for r in printed if r > edge))


NEEDS = tuple(_need(table) for table in PRINTED)
"""Of each table, in order."""
