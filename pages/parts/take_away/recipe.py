"""How somebody's own problem was made of a table, so that a script can make it again."""

from dataclasses import dataclass

from privbo_core.data.make import STARTS
from privbo_core.gp import Fit


@dataclass(frozen=True)
class Recipe:
    """The arguments of `make_problem`; ``fit`` where a fit was stopped early, after so many ``starts``."""

    inputs: tuple[str, ...]
    output: str
    maximize: bool
    log_output: bool
    encode: dict[str, str]
    fit: Fit | None
    starts: int = STARTS
