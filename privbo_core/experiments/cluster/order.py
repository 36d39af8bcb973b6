"""How work travels: as bytes that only a worker opens, which looks first whether its engine is the sender's."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from privbo_core.arithmetic import UNKNOWN
from privbo_core.experiments.cluster.engine import Engine, OtherEngineError, this_engine

open_order = pickle.loads
"""What a worker is asked to call. It is Python's own, so that a scheduler needs nothing of ours."""


class _Order:
    """A call whose opening is its carrying out."""

    def __init__(self, sender: Engine, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = sender, function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return carry_out, self._call


def order(function: Callable[..., Any], arguments: tuple[Any, ...], same_digits: bool = False) -> bytes:
    """Return the bytes that `open_order` makes into what `carry_out` returns, on any machine with the same engine.

    ``same_digits``: a machine with other arithmetic will not do.
    """
    sender = this_engine()
    return pickle.dumps(_Order(sender if same_digits else replace(sender, arithmetic=UNKNOWN), function, arguments))


def carry_out(sender: Engine, function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    """Return the fingerprint of the arithmetic here, and the result of a call.

    Raises OtherEngineError where this engine is not the sender's, or its arithmetic not the one that was asked for.
    """
    here = this_engine()
    if differences := sender.differences(here):
        raise OtherEngineError(
            f"A worker of the cluster has another engine; they differ in {', '.join(differences)}. Install the same on "
            "all machines."
        )
    if sender.arithmetic not in (UNKNOWN, here.arithmetic):
        raise OtherEngineError(
            f"A worker of the cluster has other arithmetic ({sender.arithmetic} here, {here.arithmetic} there), and "
            "the same digits were asked for. End that worker, or do without: numbers then agree within rounding."
        )
    return here.arithmetic, function(*arguments)
