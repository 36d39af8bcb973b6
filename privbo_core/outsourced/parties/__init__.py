"""Two parties who optimise together for real: one holds the data, one chooses what to test; files pass between them."""

from privbo_core.outsourced.parties.package import Package, read_package
from privbo_core.outsourced.parties.terms import Outcome, Private, ReleaseTerms, answers_guarantee

__all__ = ["Outcome", "Package", "Private", "ReleaseTerms", "answers_guarantee", "read_package"]
