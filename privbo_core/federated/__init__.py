"""DP-FTS-DE: federated Thompson sampling that hides who took part (Dai, Low, Jaillet, NeurIPS 2021).

>>> import numpy as np
>>> import privbo_core as pb
>>> points = np.linspace(0, 1, 51)[:, None]
>>> objectives = np.sin(6 * points[:, 0] + np.linspace(0, 0.5, 100)[:, None])  # one for each of 100 agents
>>> kernel = pb.gp.SquaredExponential(0.2)
>>> settings = pb.federated.Settings(kernel, 0.01, iterations=10, initial=5, q=0.25, z=2.0, S=5.5)
>>> rounds = list(pb.federated.run(objectives, points, settings, np.random.default_rng(0)))
>>> print(len(rounds), rounds[-1].queries.shape, rounds[-1].simple_regret.mean() < 0.1)
10 (100,) True

This is a simulation. `privbo_core.federated.flower` runs the same agents and server between real machines.

The privacy loss of an agent after all rounds, by two accountants:

>>> for method in ("moments", "pld"):
...     print(method, round(pb.federated.losses(settings, agents=100, method=method)[-1], 2))
moments 1.69
pld 0.89
"""

from privbo_core.federated.accounting import (
    EveryAgent,
    ask_every_agent,
    guarantee,
    losses,
    multipliers,
    noise_needed,
    rate_allowed,
    rounds_allowed,
    total_loss,
    total_losses,
    trade_off,
)
from privbo_core.federated.agents import Beliefs
from privbo_core.federated.problem import (
    GRADES_START,
    FederatedProblem,
    PublicModel,
    Recommended,
    from_table,
    grades,
    schools,
    synthetic,
)
from privbo_core.federated.run import Round, run
from privbo_core.federated.server import Broadcast, aggregate
from privbo_core.federated.settings import Beta, Ridge, Sensitivity, Settings, Start, cautions, delta_for, variants
from privbo_core.federated.simulation import Progress, Record, RoundsNeeded, Simulation, rounds_needed, saving
from privbo_core.federated.sub_regions import gain, possible_sub_regions, region_weights, sub_regions, temperature

__all__ = [
    "GRADES_START",
    "Beliefs",
    "Beta",
    "Broadcast",
    "EveryAgent",
    "FederatedProblem",
    "Progress",
    "PublicModel",
    "Recommended",
    "Record",
    "Ridge",
    "Round",
    "RoundsNeeded",
    "Sensitivity",
    "Settings",
    "Simulation",
    "Start",
    "aggregate",
    "ask_every_agent",
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
    "rate_allowed",
    "region_weights",
    "rounds_allowed",
    "rounds_needed",
    "run",
    "saving",
    "schools",
    "sub_regions",
    "synthetic",
    "temperature",
    "total_loss",
    "total_losses",
    "trade_off",
    "variants",
]
