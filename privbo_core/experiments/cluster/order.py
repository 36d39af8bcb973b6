"""How work travels: as bytes that only a worker opens, which looks first whether its engine is the sender's."""

import hashlib
import pickle
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from privbo_core.arithmetic import UNKNOWN, fingerprint, versions
from privbo_core.data.samples import FOLDER


class OtherEngineError(RuntimeError):
    """A worker has another engine than whoever sent it work. The sentence says in what they differ."""


@dataclass(frozen=True)
class Engine:
    """An engine: its sources and sample tables (``digest``), its Python, and the ``packages`` that it computes with.

    ``arithmetic``: the fingerprint of how it rounds; UNKNOWN in what is asked of another where any will do.
    """

    digest: str
    python: str
    packages: tuple[tuple[str, str], ...]
    arithmetic: str = UNKNOWN

    def differences(self, other: "Engine") -> list[str]:
        """Return in what sources and versions of another engine are not these, in words; nothing where they are."""
        found = []
        if self.digest != other.digest:
            found.append("the sources of privbo_core")
        if self.python != other.python:
            found.append(f"Python ({self.python} here, {other.python} there)")
        theirs = dict(other.packages)
        for name, own in self.packages:
            if theirs.get(name) != own:
                found.append(f"{name} ({own} here, {theirs.get(name, 'none')} there)")
        return found


@cache
def this_engine() -> Engine:
    """Return the engine of this process. Reads the sources and the sample tables once."""
    digest = hashlib.sha256()
    for folder, endings in ((Path(__file__).parents[2], "*.py"), (Path(__file__).parents[1], "*.toml"), (FOLDER, "*")):
        for path in sorted(each for each in folder.rglob(endings) if each.is_file()):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Engine(digest.hexdigest()[:16], platform.python_version(), tuple(versions().items()), fingerprint())


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
