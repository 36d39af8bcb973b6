"""The attacks of the Audit page, run apart from it."""

import numpy as np

import privbo_core as pb
from privbo_core.federated import Settings
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced import Simulation
from privbo_core.release import Tuning
from tests.helpers.opening import open_page

A = pb.audit
SEED = 4
FEW = {"reconstruction": 60, "columns": 60, "noisy": 5000, "score": 5000, "canary": 1000}
"""Few trials of each attack."""
ATTACKS = tuple(FEW)
ON_DATA = ("reconstruction", "columns", "noisy")


def open_audit(attack="reconstruction", state=None, **query):
    """Open the page at an attack with few trials."""
    return open_page("audit", state, **{"attack": attack, "trials": FEW[attack]} | query)


def set_up(attack, problem=None, epsilon=3.0, delta=1e-5, r=10):
    """Return an attack as it is set up without the page."""
    rng = np.random.default_rng(SEED)
    if attack == "score":
        tuning = Tuning(0.99, 0.0, 50, 1e-3, A=1.0, tau=0.1)
        task = pb.data.tuning_task("svm")
        record = A.most_telling_record(task, tuning).record
        (change,) = A.score_changes(task, tuning, epsilon, records=[record])
        return A.attack_score(change)
    if attack == "canary":
        return A.attack_broadcasts(Settings(SquaredExponential(1.0), 1.0, 40, q=0.25, z=1.0, S=1.0, P=2), 200)
    problem = problem or pb.data.sample("synthetic")
    if attack == "noisy":
        rows = Simulation(problem).placed
        moved, row, _ = A.move_inwards(rows, rng)
        return A.attack_noisy_release(rows[row], moved[row], epsilon=epsilon, delta=delta, bounds=problem.frame.bounds)
    neighbour, row, _ = A.move_one(problem.points, rng)
    release = A.Projection(epsilon, delta, r)
    if attack == "columns":
        return A.attack_column_space(problem.points, neighbour, release)
    known = A.known_rows(problem.points, row, np.random.default_rng(SEED))
    return A.attack_by_reconstruction(problem.points, neighbour, row, known, release)


def attacked(attack, problem=None, trials=None, **settings):
    """Return what so many trials of an attack show."""
    *_, found = A.run(set_up(attack, problem, **settings), trials or FEW[attack], seed=SEED)
    return found
