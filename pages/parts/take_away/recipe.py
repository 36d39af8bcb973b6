"""How somebody's own problem was made of a table, so that a script can make it again."""

from dataclasses import dataclass, field

from privbo_core.data.make import STARTS
from privbo_core.gp import Fit


@dataclass(frozen=True)
class Recipe:
    """The arguments of `make_problem`; ``fit`` where a fit was stopped early, after so many ``starts``.

    ``missing``: which numbers mean that there is no value, by column, where the table is read.
    """

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: dict[str, str]
    fit: Fit | None
    starts: int = STARTS
    missing: dict[str, list[float]] = field(default_factory=dict)
