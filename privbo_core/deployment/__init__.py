"""Registered deployments of differential privacy, each with its ε and its unit.

>>> import privbo_core as pb
>>> known = pb.deployment.registry()
>>> len(known.with_epsilon) > 10
True
"""

from privbo_core.deployment.registry import Kind, Registered, Registry, registry

__all__ = ["Kind", "Registered", "Registry", "registry"]
