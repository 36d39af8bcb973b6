"""What two parties find on the samples: a whole search, from the release to the best record that was tested."""

from privbo_core.experiments.workbench.measure import Found, Way, chance, found, table

__all__ = ["Found", "Way", "chance", "found", "table"]
