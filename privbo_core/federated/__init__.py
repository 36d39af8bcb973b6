"""DP-FTS-DE: federated Thompson sampling that hides who took part (Dai, Low, Jaillet, NeurIPS 2021)."""

from privbo_core.federated.beliefs import Beliefs
from privbo_core.federated.problem import FederatedProblem, from_table, schools, synthetic
from privbo_core.federated.regions import possible_sub_regions, sub_regions
from privbo_core.federated.run import Round, run
from privbo_core.federated.server import Broadcast, aggregate, region_weights, temperature
from privbo_core.federated.settings import Settings, cautions, delta_for, guarantee, losses, variants
from privbo_core.federated.simulation import Progress, Record, Simulation

__all__ = [
    "Beliefs",
    "Broadcast",
    "FederatedProblem",
    "Progress",
    "Record",
    "Round",
    "Settings",
    "Simulation",
    "aggregate",
    "cautions",
    "delta_for",
    "from_table",
    "guarantee",
    "losses",
    "possible_sub_regions",
    "region_weights",
    "run",
    "schools",
    "sub_regions",
    "synthetic",
    "temperature",
    "variants",
]
