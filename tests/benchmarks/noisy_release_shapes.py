"""What the noisy release costs on the grid, and whether the modeler should reckon with the noise.

    PYTHONPATH=. python tests/benchmarks/noisy_release_shapes.py results/noisy_release.json

Simple regret after T = 50 on functions drawn from a Gaussian process with ℓ = 4.4 in the frame of radius 25, for the
plain search, the noisy release at ε = 8, 3 and 1 (δ = 1e-5, protected distance 1; kernel as it is, and aware of the
noise), and random search. All share initial points and dice. Standard errors are over functions, each a mean over runs.
About a minute on two cores.
"""

import sys
from pathlib import Path

import numpy as np

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from privbo_core.outsourced.comparison import Policy
from tests.benchmarks.keeping import keep, mean_and_error

FUNCTIONS, RUNS, T, DELTA = 40, 20, 50, 1e-5
EPSILONS = (8.0, 3.0, 1.0)


def arms() -> dict[str, tuple[Policy, Setting]]:
    found: dict[str, tuple[Policy, Setting]] = {
        "non-private": ("plain", Setting(1.0, DELTA, 10, T)),
        "random search": ("random", Setting(1.0, DELTA, 10, T)),
    }
    for epsilon in EPSILONS:
        for aware in (True, False):
            name = f"ε = {epsilon:g}, {'aware of the noise' if aware else 'kernel as it is'}"
            found[name] = ("noisy", Setting(epsilon, DELTA, 10, T, aware=aware))
    return found


def main(target: Path) -> None:
    simulations = [Simulation(pb.data.synthetic(lengthscale=1.0, seed=seed), seed=seed) for seed in range(FUNCTIONS)]
    results = {}
    for name, (policy, setting) in arms().items():
        each = [np.mean([t.simple_regret[-1] for t in s.stream(policy, setting, RUNS)]) for s in simulations]
        mean, error = mean_and_error(each)
        results[name] = {"S_50": round(mean, 4), "standard_error": round(error, 4)}
        print(f"{name:32} S_50 = {mean:.3f} ± {error:.3f}")
    stored = {
        "command": f"PYTHONPATH=. python {sys.argv[0]} {target}",
        "functions": FUNCTIONS,
        "runs": RUNS,
        "T": T,
        "delta": DELTA,
        "protected_distance": 1.0,
        "lengthscale": round(simulations[0].problem.kernel.lengthscale, 4),
        "sigma": {f"{e:g}": round(Setting(e, DELTA, 10, T).noise(simulations[0].problem.frame), 5) for e in EPSILONS},
        "results": results,
    }
    keep(target, **stored)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
