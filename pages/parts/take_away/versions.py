"""The versions of PrivBO, Python, and the packages that a view depends on."""

import platform
import tomllib
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly")
PROJECT = Path(__file__).parents[3] / "pyproject.toml"


@cache
def versions() -> dict[str, str]:
    """Return each version by name."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    return {
        "PrivBO": project["version"],
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
