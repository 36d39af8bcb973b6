"""Deployments in the form of the public registry: what went out, or is to, as a reviewer asks for it.

>>> import privbo_core as pb
>>> pb.deployment.Curator("Ward 3", region="Bavaria; GDPR").sector is None
True
"""

from privbo_core.deployment.made import planned, published, searched
from privbo_core.deployment.record import Curator, Deployment, Level, Sector

__all__ = ["Curator", "Deployment", "Level", "Sector", "planned", "published", "searched"]
