"""Gaussian noise and noise of the L2 shape on the five samples: at the same ε, and for the same attacker.

    PYTHONPATH=. python tests/benchmarks/noise_shapes.py results/noise_shapes.json

Simple regret (in σ_y) after T = 30 tests of the noisy release, in each sample's own frame and with its own search, the
same sixty runs for all. "same ε": ε without a δ against (ε, δ = 1e-6). "same attacker": of two records one hidden
change apart, the best attacker is right as often as with the Gaussian; the ε that then holds without a δ is given. Half
a minute.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import same_attacker
from tests.benchmarks.keeping import keep, mean_and_error

SAMPLES = ("synthetic", "branin", "loans", "homes", "hospital")
RUNS, T, DELTA, EPSILONS = 60, 30, 1e-6, (0.5, 1.0, 2.0)


def summary(values: np.ndarray) -> list[float]:
    return [round(each, 4) for each in mean_and_error(values)]


def measured(name: str) -> list[dict[str, object]]:
    """Return one entry for each ε: regrets with either shape, and what the L2 shape changes, run by run."""
    simulation = Simulation(pb.data.sample(name))
    frame = simulation.problem.frame
    entries = []
    for epsilon in EPSILONS:
        fair = same_attacker(epsilon, DELTA, frame.d)
        gaussian = Setting(epsilon, DELTA, 10, T, search=pb.data.SEARCHES[name])
        settings = {
            "gaussian": gaussian,
            "same_epsilon": replace(gaussian, shape="laplace"),
            "same_attacker": replace(gaussian, epsilon=fair, shape="laplace"),
        }
        regret = {
            key: np.array([trace.simple_regret[-1] for trace in simulation.stream("noisy", setting, RUNS)])
            / simulation.problem.sigma_y
            for key, setting in settings.items()
        }
        entry: dict[str, object] = {"sample": name, "d": frame.d, "epsilon": epsilon, "fair_epsilon": round(fair, 4)}
        for key, values in regret.items():
            entry[key] = summary(values)
            entry[f"sigma_{key}"] = round(settings[key].noise(frame), 4)
            if key != "gaussian":
                entry[f"{key}_less"] = summary(regret["gaussian"] - values)
        entries.append(entry)
        print(json.dumps(entry), flush=True)
    return entries


def main(target: Path) -> None:
    found = [entry for name in SAMPLES for entry in measured(name)]
    keep(target, command=f"PYTHONPATH=. python {sys.argv[0]} {target}", runs=RUNS, T=T, delta=DELTA, results=found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
