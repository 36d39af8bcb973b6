"""The search that a problem starts with."""

from privbo_core.bo import Search
from privbo_core.data import SEARCHES, Problem

UNKNOWN: Search = "ucb/5"
"""For a table of which nothing has been measured."""


def suited(problem: Problem) -> Search:
    """Return the search that a problem starts with: for a sample, one that was measured to beat chance clearly."""
    kind, _, rest = (problem.identity or "").partition("/")
    found: Search = SEARCHES.get(rest if kind == "sample" else kind, UNKNOWN)
    return found
