"""Which search beats chance on which sample: every search, with and without `once`, with and without privacy."""

from privbo_core.experiments.searches.measure import Found, among_best, found, tables

__all__ = ["Found", "among_best", "found", "tables"]
