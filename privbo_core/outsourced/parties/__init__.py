"""Two parties who optimise together for real: one holds the data, one chooses what to test; files pass between them."""

from privbo_core.outsourced.parties.curator import AgainError, Answer, Curator, Lookup, Step
from privbo_core.outsourced.parties.exchange import (
    answers_csv,
    read_answers,
    read_outcomes,
    read_questions,
    write_questions,
)
from privbo_core.outsourced.parties.ledger import Answered, Cost, Ledger, Released
from privbo_core.outsourced.parties.modeler import Advice, Best, Map, Model, Modeler, Suggestion
from privbo_core.outsourced.parties.package import Package, read_package
from privbo_core.outsourced.parties.stores import FileStore, MemoryStore, Store
from privbo_core.outsourced.parties.terms import Outcome, Private, ReleaseTerms, answers_guarantee

__all__ = [
    "Advice",
    "AgainError",
    "Answer",
    "Answered",
    "Best",
    "Cost",
    "Curator",
    "FileStore",
    "Ledger",
    "Lookup",
    "Map",
    "MemoryStore",
    "Model",
    "Modeler",
    "Outcome",
    "Package",
    "Private",
    "ReleaseTerms",
    "Released",
    "Step",
    "Store",
    "Suggestion",
    "answers_csv",
    "answers_guarantee",
    "read_answers",
    "read_outcomes",
    "read_package",
    "read_questions",
    "write_questions",
]
