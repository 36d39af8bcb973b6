"""How what a system gives out is spoken of where somebody has to decide about it and sign."""

from collections.abc import Callable
from dataclasses import dataclass

from privbo_core.decision.resolution import Model, Product
from privbo_core.privacy import TradeOff


@dataclass(frozen=True, eq=False)
class Decided:
    """What is decided, beside what is asked. All but the first may be left out; the promise then speaks for itself.

    ``story``: who is to give out what, to whom, in a sentence; ``goes_out``: the same in a few words, after "to".
    ``costs_of`` ends "It costs 2 …" (``exactly`` writes a cost that was computed), ``alone`` "it still gains 2 …" over
    the last other way to search. ``unit``: whose data the promise is about, ``guess``: what an attacker guesses, after
    "guesses". ``actors``: who is trusted with what; ``unprotected``: what is not hidden, a sentence each; ``fixed``:
    what else is fixed, by name, and ``fixed_at`` what follows from an ε. ``line``: the trade-off function of what is
    promised at an ε, if it is known. ``bound``: what an ε costs at most whatever the data, in the unit; a
    recommendation by it keeps to ``limit``. ``public``: what is simulated is nobody's secret, so a choice by it tells
    nothing.
    """

    story: str
    goes_out: str = ""
    costs_of: str = ""
    exactly: Callable[[float], str] | None = None
    alone: str = ""
    unit: str = ""
    guess: str = ""
    actors: str = ""
    unprotected: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    fixed_at: Callable[[float], tuple[tuple[str, str], ...]] = lambda epsilon: ()
    product: Product = "Summary statistics"
    model: Model = "Central"
    line: Callable[[float], TradeOff] | None = None
    bound: Callable[[float], float] | None = None
    limit: float | None = None
    public: bool = False
