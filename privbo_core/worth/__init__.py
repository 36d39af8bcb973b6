"""Whether a table can carry an answer, before anybody looks at a curve."""

from privbo_core.worth.judge import Verdict, Worth, judge, rows_needed
from privbo_core.worth.learned import Input, Learned, learned
from privbo_core.worth.searched import Searched, searched
from privbo_core.worth.shuffled import Shuffled, shuffled

__all__ = [
    "Input",
    "Learned",
    "Searched",
    "Shuffled",
    "Verdict",
    "Worth",
    "judge",
    "learned",
    "rows_needed",
    "searched",
    "shuffled",
]
