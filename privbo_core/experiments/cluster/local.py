"""A cluster on this machine alone, for as long as it is used."""

from collections.abc import Iterator
from contextlib import contextmanager

from privbo_core.errors import whole
from privbo_core.experiments.cluster.executor import Cluster, distributed_package


@contextmanager
def local_cluster(workers: int) -> Iterator[Cluster]:
    """Start a scheduler and ``workers`` processes of one thread each on loopback; end them on leaving.

    They ignore Ctrl-C, which is the caller's to handle. Raises ClusterAwayError where distributed is not installed.
    """
    whole("local-cluster", workers)
    package = distributed_package()
    with (
        package.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=60,
            preload=["import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"],
        ) as cluster,
        Cluster(cluster.scheduler_address) as executor,
    ):
        yield executor
