"""Compute tuning_logistic.npz and tuning_svm.npz from the table that scikit-learn ships.

    PYTHONPATH=. python sample_data/make_tuning.py [folder]

Needs scikit-learn (tests/requirements.txt); takes ten seconds; the result does not depend on the day. The app itself
only reads the two files.

The table is Breast Cancer Wisconsin (Diagnostic), UCI Machine Learning Repository, CC BY 4.0 (Wolberg, Mangasarian,
Street, Street 1995). Its six columns on texture and symmetry are used, so that tuning matters: with all thirty columns
every weak regularisation is about as good. Malignant is +1.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from privbo_core.data.logistic import losses_of_path
from privbo_core.data.tuning import FIXED_POINT
from privbo_core.errors import Array

TRAIN, PUBLIC, VALIDATION, RESERVE = 60, 120, 250, 40
SEED = 4


def table() -> tuple[Array, Array]:
    """Return the features on texture and symmetry (569×6) and the labels (+1 malignant, −1 benign), shuffled."""
    data = load_breast_cancer()
    columns = [i for i, name in enumerate(data.feature_names) if "texture" in name or "symmetry" in name]
    order = np.random.default_rng(SEED).permutation(len(data.data))
    return data.data[order][:, columns], np.where(data.target == 0, 1.0, -1.0)[order]


def logistic() -> tuple[Array, Array]:
    """λ of a logistic regression on the six columns, their squares and products: 400 values from 1e-6 to 1."""
    lambdas = np.geomspace(1e-6, 1.0, 400)
    features, labels = table()
    return lambdas[:, None], losses_of_path(features, labels, lambdas, train=TRAIN, products=True)


def svm() -> tuple[Array, Array]:
    """C (1e-2 … 1e3) and γ (1e-4 … 10) of a support vector machine with Gaussian kernel: a 20×20 grid."""
    grid = np.stack(np.meshgrid(np.geomspace(1e-2, 1e3, 20), np.geomspace(1e-4, 10.0, 20), indexing="ij"), axis=-1)
    parameters = grid.reshape(-1, 2)
    features, labels = table()
    scaled = (features - features[:TRAIN].mean(axis=0)) / features[:TRAIN].std(axis=0)
    margins = np.column_stack(
        [
            SVC(C=c, gamma=gamma, tol=1e-8).fit(scaled[:TRAIN], labels[:TRAIN]).decision_function(scaled[TRAIN:])
            for c, gamma in parameters
        ]
    )
    return parameters, np.asarray(1.0 / (1.0 + np.exp(labels[TRAIN:, None] * margins)))


def save(folder: Path, name: str, parameters: Array, losses: Array) -> None:
    """Split the rows into public, validation and reserve; write what `privbo_core.data.tuning_task` reads."""
    fixed = np.rint(losses * FIXED_POINT).astype(np.uint16)
    end = PUBLIC + VALIDATION
    np.savez_compressed(
        folder / f"tuning_{name}.npz",
        parameters=parameters,
        public_scores=-fixed[:PUBLIC].mean(axis=0) / FIXED_POINT,
        losses=fixed[PUBLIC:end],
        reserve=fixed[end : end + RESERVE],
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    save(folder, "logistic", *logistic())
    save(folder, "svm", *svm())
