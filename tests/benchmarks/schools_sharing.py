"""What a school gains by tuning together, on both tasks that schools have here, and at which ε.

    PYTHONPATH=. python tests/benchmarks/schools_sharing.py results/schools.json

Simple regret, averaged over schools and the first ten rounds: tuning alone (TS) less federated (FTS-DE) or private
(DP-FTS-DE); runs are paired by common dice. "accuracy" is the older task (SCHOOLS.md), in percentage points; "grades"
is the one on which sharing pays (GRADES.md), in grades. A few minutes.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import privbo_core as pb
from privbo_core.federated import FederatedProblem, Settings, Simulation, losses, variants
from tests.benchmarks.keeping import keep, mean_and_error

RUNS, EARLY, LONGEST, SEED = 40, 10, 15, 7
GRADES = pb.federated.GRADES_START
ACCURACY = Settings(pb.gp.SquaredExponential(1.0), 1.0, initial=10, features=50, q=0.25, z=1.0, S=11.0, P=2)
"""The settings that the page starts with where a task has none of its own."""
SHOWN = {"initial": "initial", "M": "features", "S": "S", "P": "P", "q": "q", "z": "z", "T": "iterations"}


def summary(values: np.ndarray) -> dict[str, float]:
    mean, error = mean_and_error(values)
    return {"mean": float(f"{mean:.4g}"), "standard_error": float(f"{error:.2g}")}


def measured(simulation: Simulation, settings: Settings, unit: float, agents: int | None) -> dict[str, object]:
    """Return the regret alone and what the other two save, in units of the output times ``unit``, and ε."""
    N, scale = agents or len(simulation.problem(0).agents), unit * simulation.problem(0).unit
    # A shorter run is the beginning of a longer one.
    named = variants(replace(settings, iterations=min(settings.iterations, LONGEST)))
    simple: dict[str, np.ndarray] = {}
    asked: dict[str, np.ndarray] = {}
    for name in ("TS", "FTS-DE", "DP-FTS-DE"):
        records = [simulation.run(named[name], N, run) for run in range(RUNS)]
        simple[name] = scale * np.array([record.simple for record in records])
        asked[name] = scale * np.array([record.cumulative[EARLY - 1] / EARLY for record in records])
    early = {name: values[:, :EARLY].mean(axis=1) for name, values in simple.items()}
    return {
        "agents": N,
        **{name: getattr(settings, part) for name, part in SHOWN.items()},
        "epsilon": {
            "moments": round(losses(settings, N)[-1], 3),
            "exact": round(losses(settings, N, "pld", "exact")[-1], 3),
        },
        "alone": summary(early["TS"]),
        "saved without privacy": summary(early["TS"] - early["FTS-DE"]),
        "saved privately": summary(early["TS"] - early["DP-FTS-DE"]),
        "saved per trial, without privacy": summary(asked["TS"] - asked["FTS-DE"]),
        "saved per trial, privately": summary(asked["TS"] - asked["DP-FTS-DE"]),
        "after each round, alone": [round(float(x), 4) for x in simple["TS"].mean(axis=0)],
        "after each round, privately": [round(float(x), 4) for x in simple["DP-FTS-DE"].mean(axis=0)],
    }


def likeness(problem: FederatedProblem, unit: float) -> dict[str, float]:
    """Return how far a school is from its own best, at the setting best for all and at the best of some random ones."""
    rng, scale = np.random.default_rng(SEED), unit * problem.unit
    regret = scale * (problem.objectives.max(axis=1, keepdims=True) - problem.objectives)
    found = {"at the setting best for all": float(regret.mean(axis=0).min())}
    for count in (3, 10):
        draws = [rng.permutation(regret.shape[1])[:count] for _ in range(400)]
        best = [regret[:, rows].min(axis=1).mean() for rows in draws]
        found[f"at the best of {count} random ones"] = float(np.mean(best))
    return {name: round(value, 4) for name, value in found.items()}


def main(target: Path) -> None:
    schools, grades = pb.federated.schools(), pb.federated.grades()
    older = replace(ACCURACY, kernel=schools.kernel, noise_variance=schools.noise_variance)
    few = replace(older, initial=3, P=1)
    alike = replace(schools, objectives=np.tile(schools.objectives.mean(axis=0), (len(schools.agents), 1)))
    start = GRADES.settings(grades)
    stored: dict[str, object] = {
        "command": f"PYTHONPATH=. python {sys.argv[0]} {target}",
        "runs": RUNS,
        "rounds": EARLY,
        "accuracy": {"unit": "percentage points", "likeness": likeness(schools, 100.0)},
        "grades": {"unit": "grades", "likeness": likeness(grades, 1.0)},
    }
    # Cases of one simulation share what they have in common.
    apart, same, graded = (Simulation(lambda _, p=each: p, seed=SEED) for each in (schools, alike, grades))
    cases = {
        "accuracy": {
            "page": (apart, older),
            "page, P = 1": (apart, replace(older, P=1)),
            "page, P = 4": (apart, replace(older, P=4)),
            "3 initial": (apart, few),
            "3 initial, M = 20": (apart, replace(few, features=20, S=4.5)),
            "3 initial, M = 200": (apart, replace(few, features=200, S=15.0)),
            "3 initial, all schools alike": (same, few),
        },
        "grades": {
            "recommended": (graded, start),
            "less noise": (graded, replace(start, z=1.25)),
            "more noise": (graded, replace(start, z=2.6)),
            "2 initial": (graded, replace(start, initial=2)),
            "3 initial": (graded, replace(start, initial=3)),
            "10 initial": (graded, replace(start, initial=10)),
            "M = 20": (graded, replace(start, features=20, S=4.5)),
            "P = 2": (graded, replace(start, P=2, calibration="exact")),
            "98 schools": (graded, start),
        },
    }
    for task, unit in (("accuracy", 100.0), ("grades", 1.0)):
        found = stored[task]
        assert isinstance(found, dict)
        for name, (simulation, settings) in cases[task].items():
            found[name] = measured(simulation, settings, unit, 98 if name == "98 schools" else None)
            print(task, name, found[name], flush=True)
    keep(target, **stored)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
