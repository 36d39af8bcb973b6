"""The figures of the federated paper's synthetic section, in shape (Dai, Low, Jaillet 2021, Figure 2).

    PYTHONPATH=. python tests/benchmarks/federated_shapes.py results/federated_synthetic.json

Every run has its own function, its own perturbations and its own dice, which all settings share; a curve is a mean over
runs (each a mean over the agents), and its standard error is over runs. Prints what was found and what was not. A few
minutes on two cores.

What does not come out: that a small S is worse. It cannot, in the algorithm as printed: once every vector is clipped,
S multiplies signal and noise alike, and the queries are those of any smaller S. Clipping can hurt only by forgetting
the lengths of the vectors, and those hardly differ, as most of each is the √M of the prior's randomness.
"""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

import privbo_core as pb
from privbo_core.bo.parallel import in_order
from privbo_core.federated import Settings, variants

RUNS, AGENTS = 30, 200
DOMAIN = {"side": 1000, "dimensions": 1, "lengthscale": 0.03, "heterogeneity": 0.1, "noise_variance": 1e-2}
BASE = Settings(pb.gp.SquaredExponential(0.03), 1e-2, iterations=40, features=50, q=0.25, z=1.0, S=11.0, P=2)


def arms() -> dict[str, Settings]:
    """Return every setting that is run, by name."""
    by_name = variants(BASE)
    by_name |= {f"FTS-DE, P = {P}": replace(by_name["FTS-DE"], P=P) for P in (4, 8)}
    by_name |= {f"S = {S:g}": replace(BASE, S=S) for S in (1.0, 3.0, 5.0, 8.0, 11.0, 22.0, 44.0)}
    by_name |= {f"q = {q:g}": replace(BASE, q=q) for q in (0.15, 0.25, 0.5)}
    by_name |= {f"z = {z:g}": replace(BASE, z=z) for z in (1.0, 1.2, 1.5, 3.0)}
    return by_name


def one_run(seed: int) -> dict[str, tuple[np.ndarray, float]]:
    """Return, for each setting, the simple regret averaged over agents at t = 1 … T, and the share clipped."""
    problem = pb.federated.synthetic(agents=AGENTS, seed=seed, **DOMAIN)
    done: dict[Settings, tuple[np.ndarray, float]] = {}
    for setting in arms().values():
        if setting not in done:
            rounds = list(
                pb.federated.run(problem.objectives, problem.points, setting, np.random.default_rng([7, seed]))
            )
            clipped = [each.broadcast.clipped for each in rounds if each.broadcast]
            regret = np.array([each.simple_regret.mean() for each in rounds])
            done[setting] = regret, float(np.mean(clipped)) if clipped else 0.0
    return {name: done[setting] for name, setting in arms().items()}


def summary(values: np.ndarray) -> dict[str, object]:
    """Return mean and standard error over runs (the first axis), rounded for storing."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return {"mean": np.round(values.mean(axis=0), 5).tolist(), "standard_error": np.round(error, 5).tolist()}


def main(target: Path) -> None:
    """Run everything, judge it, store it."""
    runs = list(in_order(lambda seed, stop: one_run(seed), range(RUNS)))
    curves = {name: np.array([run[name][0] for run in runs]) for name in arms()}
    early = {name: curve[:, :10].mean(axis=1) for name, curve in curves.items()}
    whole = {name: curve.mean(axis=1) for name, curve in curves.items()}
    for name in curves:
        a, b = summary(early[name]), summary(whole[name])
        clipped = np.mean([run[name][1] for run in runs])
        print(
            f"{name:<14} t ≤ 10: {a['mean']:.3f} ± {a['standard_error']:.3f}   "
            f"t ≤ 40: {b['mean']:.3f} ± {b['standard_error']:.3f}   clipped {clipped:6.1%}"
        )

    def apart(better: str, worse: str) -> bool:
        """Whether the standard errors do not overlap at any of the first ten iterations."""
        gap = curves[worse][:, :10].mean(axis=0) - curves[better][:, :10].mean(axis=0)
        errors = sum(curves[name][:, :10].std(axis=0, ddof=1) / np.sqrt(RUNS) for name in (better, worse))
        return bool((gap > errors).all())

    def above(worse: str, better: str) -> dict[str, float]:
        """The paired difference over the first ten iterations: same functions, same dice."""
        difference = early[worse] - early[better]
        return {
            "mean": round(float(difference.mean()), 5),
            "standard_error": round(float(difference.std(ddof=1) / np.sqrt(RUNS)), 5),
        }

    found = {
        "FTS below TS at each of t = 1..10, standard errors apart": apart("FTS", "TS"),
        "FTS-DE below TS at each of t = 1..10, standard errors apart": apart("FTS-DE", "TS"),
        "FTS minus FTS-DE": above("FTS", "FTS-DE"),
        "FTS-DE P = 2 minus P = 4": above("FTS-DE", "FTS-DE, P = 4"),
        "DP-FTS minus DP-FTS-DE": above("DP-FTS", "DP-FTS-DE"),
        "q = 0.15 minus q = 0.25": above("q = 0.15", "q = 0.25"),
        "q = 0.25 minus q = 0.5": above("q = 0.25", "q = 0.5"),
        "z = 1.2 minus z = 1": above("z = 1.2", "z = 1"),
        "z = 1.5 minus z = 1.2": above("z = 1.5", "z = 1.2"),
        "best S": min((name for name in early if name.startswith("S =")), key=lambda name: early[name].mean()),
    }
    found["S = 1 minus the best S"] = above("S = 1", str(found["best S"]))
    found["S = 44 minus the best S"] = above("S = 44", str(found["best S"]))
    # Once every vector is clipped, signal and noise are both proportional to S, and no argmax depends on it.
    found["S = 1, 3 and 5 have the same regrets"] = all(
        bool((curves[name] == curves["S = 1"]).all()) for name in ("S = 3", "S = 5")
    )
    for what, value in found.items():
        print(f"  {what}: {value}")
    target.parent.mkdir(exist_ok=True)
    stored = {
        "command": f"PYTHONPATH=. python tests/benchmarks/federated_shapes.py {target.as_posix()}",
        "runs": RUNS,
        "agents": AGENTS,
        "domain": DOMAIN,
        "base": {k: v for k, v in asdict(BASE).items() if k != "kernel"},
        "found": found,
        "epsilon": {name: round(pb.federated.losses(setting, AGENTS)[-1], 2) for name, setting in arms().items()},
        "simple_regret": {name: summary(curve) for name, curve in curves.items()},
    }
    target.write_text(json.dumps(stored, indent=1).replace("Infinity", "null") + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
