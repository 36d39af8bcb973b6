"""The versions of PrivBO, Python, and the packages that a view depends on."""

import platform
from functools import cache
from importlib.metadata import version

from privbo_core.about import VERSION

PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly")


@cache
def versions() -> dict[str, str]:
    """Return each version by name."""
    return {
        "PrivBO": VERSION,
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
