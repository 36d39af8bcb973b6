"""DP-FTS-DE: federated Thompson sampling that hides who took part (Dai, Low, Jaillet, NeurIPS 2021)."""

from privbo_core.federated.beliefs import Beliefs
from privbo_core.federated.grades import GRADES_START, Recommended, grades
from privbo_core.federated.problem import FederatedProblem, PublicModel, from_table, schools, synthetic
from privbo_core.federated.promise import guarantee, losses, multipliers, noise_needed, trade_off
from privbo_core.federated.regions import possible_sub_regions, sub_regions
from privbo_core.federated.run import Round, run
from privbo_core.federated.savings import Rounds, Saving, rounds_saved, saving
from privbo_core.federated.server import Broadcast, aggregate, gain, region_weights, temperature
from privbo_core.federated.settings import Beta, Ridge, Sensitivity, Settings, Start, cautions, delta_for, variants
from privbo_core.federated.simulation import Progress, Record, Simulation

__all__ = [
    "GRADES_START",
    "Beliefs",
    "Beta",
    "Broadcast",
    "FederatedProblem",
    "Progress",
    "PublicModel",
    "Recommended",
    "Record",
    "Ridge",
    "Round",
    "Rounds",
    "Saving",
    "Sensitivity",
    "Settings",
    "Simulation",
    "Start",
    "aggregate",
    "cautions",
    "delta_for",
    "from_table",
    "gain",
    "grades",
    "guarantee",
    "losses",
    "multipliers",
    "noise_needed",
    "possible_sub_regions",
    "region_weights",
    "rounds_saved",
    "run",
    "saving",
    "schools",
    "sub_regions",
    "synthetic",
    "temperature",
    "trade_off",
    "variants",
]
