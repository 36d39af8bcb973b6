"""What the joint vector's own sensitivity saves: less noise at the same ε, DP-FTS-DE with P = 4 sub-regions.

    PYTHONPATH=. python tests/benchmarks/exact_calibration.py results/exact_calibration.json

N = 200 agents of the synthetic section, q = 0.25, z for ε = 9.9 by moments after T = 40 rounds. Simple regret, averaged
over agents and the first ten rounds; each pair of runs has a function of its own and common dice. About a minute.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import privbo_core as pb
from privbo_core.federated import Settings, Simulation, losses, noise_needed
from tests.benchmarks.keeping import keep, mean_and_error

RUNS, AGENTS, ROUNDS, EARLY, EPSILON = 40, 200, 40, 10, 9.9


def family(run: int) -> pb.federated.FederatedProblem:
    return pb.federated.synthetic(agents=AGENTS, side=1000, dimensions=1, lengthscale=0.03, seed=run)


def main(target: Path) -> None:
    base = Settings(family(0).kernel, 1e-2, iterations=ROUNDS, features=50, q=0.25, z=1.0, S=11.0, P=4)
    base = replace(base, z=noise_needed(base, AGENTS, EPSILON))
    simulation = Simulation(family, seed=7)
    early: dict[str, list[float]] = {"paper": [], "exact": []}
    for run in range(RUNS):
        for calibration in ("paper", "exact"):
            settings = replace(base, calibration=calibration, iterations=EARLY)
            early[calibration].append(float(simulation.run(settings, AGENTS, run).simple.mean()))
    saved = np.subtract(early["paper"], early["exact"])

    def summary(values: np.ndarray | list[float]) -> dict[str, float]:
        mean, error = mean_and_error(values)
        return {"mean": round(mean, 4), "standard_error": round(error, 4)}

    stored = {
        "command": f"PYTHONPATH=. python {sys.argv[0]} {target}",
        "runs": RUNS,
        "agents": AGENTS,
        "P": base.P,
        "q": base.q,
        "z": round(base.z, 4),
        "rounds": EARLY,
        "epsilon": {
            "moments, either calibration": round(losses(base, AGENTS)[-1], 4),
            "pld, exact calibration": round(losses(replace(base, calibration="exact"), AGENTS, "pld", "exact")[-1], 4),
            "pld, paper's calibration, exact sensitivity": round(losses(base, AGENTS, "pld", "exact")[-1], 4),
        },
        "paper": summary(early["paper"]),
        "exact": summary(early["exact"]),
        "saved": summary(saved),
    }
    keep(target, **stored)
    print(target.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
