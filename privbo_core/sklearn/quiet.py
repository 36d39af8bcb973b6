"""Training that says nothing, to people or to the next training: estimators print losses, warn, log and throw dice."""

import contextlib
import io
import logging
import random
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
    """Leave NumPy's global generator and Python's as they were before, whatever is thrown in here.

    They are the whole process's: enter it once, around the threads and not in them.
    """
    before, plain = np.random.get_state(), random.getstate()  # noqa: NPY002 - the global one is meant
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002
        random.setstate(plain)


def throw_anew() -> None:
    """Start both global generators anew, from the system's entropy.

    Estimators without a ``random_state`` share them. How many numbers one of them takes may depend on its records; in a
    program that has seeded them, those records would move the scores of all parts that come after theirs.
    """
    np.random.seed(secrets.randbits(32))  # noqa: NPY002
    random.seed(secrets.randbits(64))
