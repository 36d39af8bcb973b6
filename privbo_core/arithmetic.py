"""What numbers are made with: the versions of what computes them, and how this machine's arithmetic rounds.

With the same versions and the same fingerprint, what is computed in one thread comes out to the digit. With another
fingerprint (another kind of processor, another mathematical library) it agrees within rounding, and where rounding
decides, a search may ask for another row. That two fingerprints differ proves that two machines round differently; that
they are the same shows that they round alike in what it is made of.

>>> from privbo_core import arithmetic
>>> len(arithmetic.fingerprint()), arithmetic.elsewhere([arithmetic.fingerprint(), arithmetic.UNKNOWN])
(8, '')
"""

import hashlib
import math
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg, special
from threadpoolctl import threadpool_limits

from privbo_core.about import VERSION

__all__ = ["UNKNOWN", "as_made", "elsewhere", "fingerprint", "made_with", "versions"]

PACKAGES = ("numpy", "scipy", "pandas", "dp-accounting")  # What numbers come from, besides the engine's own sources.
UNKNOWN = ""
"""In place of a fingerprint, where none was kept."""
ARITHMETIC = "arithmetic"
SIDE, FACTORED, LONG = 16, 48, 700
"""Of the matrices in a fingerprint: small enough for one thread, with sums longer than one stretch of a kernel."""
NAMED = 3  # Fingerprints that are named in a sentence.
OF_ONE = (math.exp, math.expm1, math.log, math.log1p, math.sin, math.cos, math.erf, math.erfc, math.lgamma)
OF_MANY = (np.exp, np.expm1, np.exp2, np.log, np.log1p, np.sin, np.cos, np.tanh, np.arctan, np.cbrt)
SPECIAL = (special.ndtr, special.ndtri, special.log_ndtr, special.erfcx, special.gammaln)


@cache
def fingerprint() -> str:
    """Return eight letters and digits that two machines share if they round alike: some 5 ms, once.

    It stands for BLAS and LAPACK, NumPy's and SciPy's functions, the mathematical library, the order that sorting
    gives equals, and draws at random; not for how many threads there are, nor for versions (`made_with`).
    """
    digest = hashlib.sha256()
    for each in _computed():
        digest.update(np.asarray(each, dtype="<f8").tobytes())
    return digest.hexdigest()[:8]


def _computed() -> Iterator[ArrayLike]:
    x = np.arange(1, SIDE * LONG + 1) * 40503 % 65537 / 65537.0  # in (0, 1), the same bits everywhere
    yield from _linear(x.reshape(SIDE, LONG))
    yield from _linear(x.reshape(SIDE, LONG).astype(np.float32))
    yield from (function(x[:LONG]) for function in SPECIAL)
    yield [function(value) for function in OF_ONE for value in x[:64].tolist()]
    equals = np.arange(1000) * 37.0 % 11
    yield from (np.argsort(equals), np.argpartition(equals, 300))
    dice = np.random.default_rng(0)
    yield from (dice.standard_normal(LONG), dice.standard_exponential(LONG), dice.gamma(0.7, size=LONG))
    yield dice.laplace(size=LONG)


def _linear(wide: NDArray[Any]) -> Iterator[ArrayLike]:
    # None is so large, nor a large product of a matrix with itself, that it would be shared out among threads.
    square = np.ascontiguousarray(wide[:, :SIDE])
    yield from (wide @ wide[::-1].T, square @ square, square @ square[0], wide[0] @ wide[1])
    yield from (wide.sum(axis=0), wide.sum(axis=1), wide.std())
    kernel = wide.T[:FACTORED] @ wide[:, :FACTORED].copy() + np.eye(FACTORED, dtype=wide.dtype)
    roots = np.linalg.cholesky(kernel), linalg.cholesky(kernel, lower=True)
    yield from (*roots, linalg.get_blas_funcs("trsm", roots)(1.0, roots[0], kernel[:, :SIDE], lower=1))
    yield from (np.linalg.solve(kernel, kernel[0]), np.linalg.eigh(square @ square.T)[0], np.linalg.svd(square)[1])
    yield from (function(wide[:2]) for function in OF_MANY)
    yield wide[:2] ** wide.dtype.type(1.7)


def versions() -> dict[str, str]:
    """Return by name which packages numbers come from here; "none" for one that is not installed."""
    return {name: _version(name) for name in PACKAGES}


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def made_with() -> dict[str, str]:
    """Return by name all that numbers made here depend on: versions, and the fingerprint."""
    return {"PrivBO": VERSION, "Python": platform.python_version(), **versions(), ARITHMETIC: fingerprint()}


def elsewhere(fingerprints: Iterable[str]) -> str:
    """Return in a sentence that some of these are not this machine's, and what that means; nothing if none is."""
    others = sorted(set(fingerprints) - {fingerprint(), UNKNOWN})
    if not others:
        return ""
    named = ", ".join(others[:NAMED]) + ("" if len(others) <= NAMED else f" and {len(others) - NAMED} more")
    return (
        f"Computed with other {ARITHMETIC} ({named}; here {fingerprint()}): numbers agree within rounding, and where "
        "that decides, a search may ask for another row."
    )


def as_made(made: Mapping[str, str]) -> None:
    """Compute from here on in one thread of linear algebra, as the app does, and say where this machine differs.

    ``made``: what `made_with` returned elsewhere. If versions or arithmetic are others here, a sentence goes to
    standard error. Of Python's version the first two numbers count.
    """
    threadpool_limits(limits=1, user_api="blas")
    own = made_with()
    other = [
        f"{name} {number} (here {own.get(name, 'none')})"
        for name, number in made.items()
        if name != ARITHMETIC and _counted(name, number) != _counted(name, own.get(name, ""))
    ]
    said = (
        f"Made with {', '.join(other)}: numbers may be others." if other else elsewhere([made.get(ARITHMETIC, UNKNOWN)])
    )
    if said:
        sys.stderr.write(f"{said}\n")


def _counted(name: str, number: str) -> str:
    return number.rpartition(".")[0] if name == "Python" else number
