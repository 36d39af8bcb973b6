"""Where long computations of a page are done: in this server, or on the cluster that whoever serves has named."""

import os
import threading
import time
from collections.abc import MutableMapping
from dataclasses import dataclass

from privbo_core.arithmetic import elsewhere
from privbo_core.experiments.cluster import Cluster, ClusterAwayError

SCHEDULER, UPLOADS = "PRIVBO_SCHEDULER", "PRIVBO_SCHEDULER_UPLOADS"
"""The variables that name the cluster, and that let uploaded data go there (1)."""
PATIENCE = 3.0
"""Seconds in which a scheduler must answer, while a visitor waits."""
AGAIN = 60.0
"""Seconds after which a cluster that was away is tried again."""
HERE = "it is computed in this server instead."


@dataclass(frozen=True)
class Where:
    """Where it is computed: the cluster, or None for this server; and a sentence, empty where no cluster was named."""

    cluster: Cluster | None = None
    note: str = ""


class Connection:
    """The one connection of this process to its cluster, made when it is first needed. Thread-safe."""

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._cluster: Cluster | None = None
        self._problem, self._tried = "", -AGAIN

    def where(self, own: bool) -> Where:
        """Return where to compute; ``own``: on a visitor's own data."""
        address = self._environment.get(SCHEDULER, "").strip()
        if not address:
            return Where()
        uploads = self._environment.get(UPLOADS, "").strip() == "1"
        if own and not uploads:
            return Where(note="Computed in this server: your own data do not go to the cluster.")
        cluster = self._connected(address)
        if cluster is None:
            return Where(note=f"The cluster is away; {HERE} {self._problem}".strip())
        if not cluster.threads:
            return Where(note=f"The cluster has no worker at the moment; {HERE}")
        said = f"Computed on the cluster at {address}{', your own data too' if own else ''}."
        return Where(cluster, f"{said} {elsewhere(cluster.arithmetics)}".rstrip())

    def lost(self, problem: BaseException) -> None:
        """Note that the cluster could not finish something; it is left alone for a while."""
        with self._lock:
            gone, self._cluster = self._cluster, None
            self._problem, self._tried = str(problem), time.monotonic()
        if gone is not None:
            gone.shutdown()

    def _connected(self, address: str) -> Cluster | None:
        # Whoever comes while somebody else is knocking does not wait as well.
        if not self._lock.acquire(blocking=False):
            return self._cluster
        try:
            if self._cluster is not None and self._cluster.connected:
                return self._cluster
            self._cluster = None
            if time.monotonic() - self._tried >= AGAIN:
                try:
                    self._cluster, self._problem = Cluster(address, timeout=PATIENCE), ""
                except ClusterAwayError as problem:
                    self._problem, self._tried = str(problem), time.monotonic()
            return self._cluster
        finally:
            self._lock.release()


CONNECTION = Connection()
"""That of this process."""
