"""Settings of the Release page, and a table of one's own brought there."""

from pages.parts.table.own_table import OWN_TABLE, OwnTable

VALUES = {"epsilon": 3.0, "delta": 1e-3, "k1": 0.99, "sigma": 0.1, "T": 50.0, "a": 3.0, "A": 1.0, "tau": 0.1}
LIPSCHITZ = {"epsilon": 3.0, "T": 50.0, "a": 3.0, "L": 0.25, "g": 1.0, "lambda_min": 1e-6, "lambda_max": 1.0,
             "m": 250.0}  # fmt: skip


def brought(table, kind, name="mine.csv"):
    """Return what a session holds in which such a file was chosen."""
    content = table.to_csv(index=False).encode()
    return {OWN_TABLE: OwnTable(table, name, content), "task": kind}
