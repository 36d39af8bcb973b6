"""The versions of PrivBO and of the packages that compute its numbers, and the folder of its samples."""

import platform
from pathlib import Path

VERSION = "2.0.0"  # The only place: the package, CITATION.cff, reports and scripts read it from here.
PROGRAM = f"PrivBO {VERSION}"  # The name of this program in the files that it writes.

_HERE = Path(__file__).parent
SAMPLE_DATA = next(
    (folder for folder in (_HERE / "sample_data", _HERE.parent / "sample_data") if folder.is_dir()),
    _HERE.parent / "sample_data",
)
"""The folder of the samples, which is in the installed package, or beside it in the project's own folder."""

PACKAGES = ("numpy", "scipy", "pandas", "dp-accounting")  # The packages that compute numbers.


def versions() -> dict[str, str]:
    """Return the versions of the packages that compute numbers. The version of a missing package is "none"."""
    return {name: _version(name) for name in PACKAGES}


def _version(package: str) -> str:
    from importlib import metadata  # Loading it takes as long as a quarter of importing the engine.

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def made_with() -> dict[str, str]:
    """Return the versions of PrivBO, Python and the packages that compute numbers."""
    return {"PrivBO": VERSION, "Python": platform.python_version(), **versions()}
