"""How much of what only volume finds is tried: a share in the gate, all of it in `make test-long`."""

import os

LONG = os.environ.get("PRIVBO_LONG") == "1"


def few(gate, long):
    """Return how many examples, seeds or rounds are tried."""
    return long if LONG else gate
