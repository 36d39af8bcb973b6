"""Training that says nothing, to people or to the next training: estimators print losses, warn, log and throw dice."""

import contextlib
import io
import logging
import secrets
import warnings
from collections.abc import Iterator

import numpy as np


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let nothing that is printed, warned or logged in here come out; what was set before is set again at the end.

    Standard output and warnings are the whole process's: enter it once, around the threads and not in them.
    """
    logged = logging.root.manager.disable
    nowhere = io.StringIO()
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(logged)


@contextlib.contextmanager
def own_dice() -> Iterator[None]:
    """Let NumPy's global generator start anew in here, from the system's entropy, and be as it was before at the end.

    Estimators without a ``random_state`` share it. How many numbers one of them takes may depend on its records; in a
    program that has seeded it, those records would move the scores of all parts that come after theirs.
    """
    before = np.random.get_state()  # noqa: NPY002 - the global one is meant
    np.random.seed(secrets.randbits(32))  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002
