"""Two parties who optimise together for real: one holds the data, one chooses what to test; files pass between them."""

from privbo_core.outsourced.parties.terms import Outcome, Private, answers_guarantee

__all__ = ["Outcome", "Private", "answers_guarantee"]
