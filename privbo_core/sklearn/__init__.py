"""Private tuning with the interface of scikit-learn's searches: `PrivateSearchCV`. Needs scikit-learn."""

try:
    import sklearn  # noqa: F401
except ImportError as missing:
    raise ImportError("privbo_core.sklearn needs scikit-learn, which is not installed: pip install scikit-learn") from (
        missing
    )

from privbo_core.sklearn.search import PrivateSearchCV

__all__ = ["PrivateSearchCV"]
