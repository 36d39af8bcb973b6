"""The same work on a Dask cluster: pieces go out as plain values, and their results come back.

    from privbo_core import experiments
    from privbo_core.experiments.cluster import Cluster
    with Cluster("tcp://127.0.0.1:8786") as cluster:
        *_, last = experiments.run(experiments.find("table-1"), executor=cluster)

Workers have the same sources and versions, or are refused in a sentence. It needs the package distributed; without it,
a sentence names the line that installs it.
"""

from privbo_core.experiments.cluster.executor import (
    Cluster,
    ClusterAwayError,
    ClusterLostError,
    Engine,
    OtherEngineError,
    local_cluster,
    this_engine,
)

__all__ = ["Cluster", "ClusterAwayError", "ClusterLostError", "Engine", "OtherEngineError"]
__all__ += ["local_cluster", "this_engine"]
