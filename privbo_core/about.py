"""The version of PrivBO, those of the packages that numbers come from, and where the samples lie that come with it."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

VERSION = "2.0.0.dev0"  # Said here alone: the package, CITATION.cff, reports and scripts have it from here.
PROGRAM = f"PrivBO {VERSION}"  # What this program writes into its files about itself.

_HERE = Path(__file__).parent
SAMPLE_DATA = next(
    (folder for folder in (_HERE / "sample_data", _HERE.parent / "sample_data") if folder.is_dir()),
    _HERE.parent / "sample_data",
)
"""The folder of the samples: in the engine where it is installed, beside it in the project's own folder."""

PACKAGES = ("numpy", "scipy", "pandas", "dp-accounting")  # What numbers come from, besides the engine's own sources.


def versions() -> dict[str, str]:
    """Return by name which packages numbers come from here; "none" for one that is not installed."""
    return {name: _version(name) for name in PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def made_with() -> dict[str, str]:
    """Return by name the versions of all that numbers made here come from."""
    return {"PrivBO": VERSION, "Python": platform.python_version(), **versions()}
