"""Which engine computes: results are the same to the digit only where the sources and the numeric packages are."""

import hashlib
import platform
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from privbo_core.data.samples import FOLDER

PACKAGES = ("numpy", "scipy", "pandas", "dp-accounting")
"""What numbers come from, besides the engine's own sources."""


class OtherEngineError(RuntimeError):
    """A worker has another engine than whoever sent it work. The sentence says in what they differ."""


@dataclass(frozen=True)
class Engine:
    """An engine: its sources and sample tables (``digest``), its Python, and the ``packages`` that it computes with."""

    digest: str
    python: str
    packages: tuple[tuple[str, str], ...]

    def differences(self, other: "Engine") -> list[str]:
        """Return in what another engine is not this one, in words; nothing where they are the same."""
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
    for folder, endings in ((Path(__file__).parents[2], "*.py"), (FOLDER, "*")):
        for path in sorted(each for each in folder.rglob(endings) if each.is_file()):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return Engine(
        digest.hexdigest()[:16], platform.python_version(), tuple((name, _version(name)) for name in PACKAGES)
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
