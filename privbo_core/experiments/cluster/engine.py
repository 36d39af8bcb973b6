"""Which engine computes: sources and versions must be the same; how a machine rounds is told apart besides."""

import hashlib
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
