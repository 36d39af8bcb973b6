"""How work travels: as bytes that only a worker opens, which looks first whether its engine is the sender's."""

import pickle
from collections.abc import Callable
from typing import Any

from privbo_core.experiments.cluster.engine import Engine, OtherEngineError, this_engine

open_order = pickle.loads
"""What a worker is asked to call. It is Python's own, so that a scheduler needs nothing of ours."""


class _Order:
    """A call whose opening is its carrying out."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return carry_out, (this_engine(), *self._call)


def order(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """Return the bytes that `open_order` makes into the result of a call, on any machine with the same engine."""
    return pickle.dumps(_Order(function, arguments))


def carry_out(sender: Engine, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """Return the result of a call; raise OtherEngineError where this engine is not the sender's."""
    if differences := sender.differences(this_engine()):
        raise OtherEngineError(
            f"A worker of the cluster has another engine; they differ in {', '.join(differences)}. Install the same on "
            "all machines: results are the same to the digit only then."
        )
    return function(*arguments)
