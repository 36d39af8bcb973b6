"""Schools that predict grades: a task from real pupils on which sharing pays, and the settings to start it with."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from privbo_core.about import SAMPLE_DATA
from privbo_core.federated.problem import FederatedProblem, PublicModel, from_table
from privbo_core.federated.settings import Settings

GRADES = SAMPLE_DATA / "grades.npz"
NAMES = ("log10_gamma_gcse", "log10_gamma_sex_age", "log10_ridge")
OUTPUT = "grades"
"""The mean error of a prediction, which is to be small, is counted in grades."""


@dataclass(frozen=True)
class Recommended:
    """The settings of DP-FTS-DE that a task is to be started with; each has the name that it has in `Settings`."""

    initial: int
    iterations: int
    features: int
    q: float
    z: float
    S: float
    P: int
    decay: float

    def settings(self, problem: FederatedProblem) -> Settings:
        """Return them with the model of a problem."""
        return Settings(
            problem.kernel, problem.noise_variance, self.iterations, self.initial, self.features, self.q, self.z,
            self.S, self.P, decay=self.decay,
        )  # fmt: skip


GRADES_START = Recommended(initial=5, iterations=15, features=30, q=0.25, z=1.65, S=5.5, P=1, decay=0.5)
"""What to start `grades` with: five trials before the first round and fifteen rounds, since a trial is expensive; few
features, so that vectors are short and noise small; S near the median norm √M; z for ε ≤ 3 by the paper's accountant
too. The features were chosen on the smaller schools that take no part; results/schools.json has other choices."""


@lru_cache(maxsize=1)
def grades() -> FederatedProblem:
    """Return 237 schools, each tuning three parameters of a model of its own pupils' grades (sample_data/GRADES.md).

    Their model was fitted to other, smaller schools, which take no part, so what is promised is not conditional on it.
    """
    with np.load(GRADES, allow_pickle=False) as file:
        schools, grid, errors = file["schools"], file["grid"], file["errors"] * float(file["step"])
        elsewhere = int(file["elsewhere"])
        public = PublicModel(
            unit=float(file["unit"]),
            noise=float(file["noise"]),
            lengthscales=tuple(file["lengthscales"].tolist()),
            known_from=f"it was fitted to {elsewhere} smaller schools, which take no part",
        )
    table = pd.DataFrame(np.tile(grid, (len(schools), 1)), columns=list(NAMES))
    table["school"], table[OUTPUT] = np.repeat(schools, len(grid)).astype(str), errors.ravel()
    problem = from_table(table, "school", NAMES, OUTPUT, maximize=False, public=public)
    return replace(problem, title="Schools predicting grades", identity="grades")
