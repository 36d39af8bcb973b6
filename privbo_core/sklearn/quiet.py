"""Training that says nothing: estimators print losses, warn of classes and log, all of it about the records."""

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator


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
