"""Ways to publish a tuned setting, against each other at the same ε and the same number of evaluations."""

from privbo_core.experiments.choosing.measure import Lost, lost

__all__ = ["Lost", "lost"]
