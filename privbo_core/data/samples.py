"""The problems that come with PrivBO, by name: two made by a formula, three from the tables in sample_data/."""

from functools import lru_cache
from typing import Literal

import numpy as np

from privbo_core.about import SAMPLE_DATA
from privbo_core.data.frame import read_frame
from privbo_core.data.make import Cleaned, clean, finish
from privbo_core.data.problem import Problem
from privbo_core.data.synthetic import branin, synthetic
from privbo_core.data.table import load_table
from privbo_core.gp import Fit, SquaredExponential

FOLDER = SAMPLE_DATA
"""Its README says where each table comes from, under which licence, and what its columns mean."""

# The hyperparameters are those of `fitting(cleaned, subset=1000)`, kept as numbers so that a sample opens at once.


def loans() -> Problem:
    """Return the task of finding the loan with the highest return: amount, rate and income of 9 691 real loans."""
    cleaned = clean(
        load_table(FOLDER / "loans.csv"),
        ["amount", "interest_rate", "annual_income"],
        "roi",
        log_output=True,
        units={"amount": "USD", "interest_rate": "% a year", "annual_income": "USD a year", "roi": "% a year"},
    )
    fit = Fit(SquaredExponential(1.0, 0.271), 0.243, np.array([101900.0, 8.67, 371600.0]))
    return _finished("loans", cleaned, fit, "Loans: the highest return")


def homes() -> Problem:
    """Return the task of finding the home with the lowest price per square metre: where 2 413 real homes stand."""
    cleaned = clean(
        load_table(FOLDER / "homes.csv"),
        ["longitude", "latitude"],
        "price_per_area",
        maximize=False,
        log_output=True,
        units={"longitude": "° east", "latitude": "° north", "price_per_area": "USD per m²"},
    )
    fit = Fit(SquaredExponential(1.0, 0.0425), 0.0367, np.array([0.01116, 0.004586]))
    return _finished("homes", cleaned, fit, "Homes: the lowest price per square metre")


def hospital() -> Problem:
    """Return the task of finding whom to test: the highest free light chain, given age and kidney function."""
    cleaned = clean(
        load_table(FOLDER / "hospital.csv"),
        ["age", "log_creatinine"],
        "free_light_chain",
        log_output=True,
        units={"age": "years", "log_creatinine": "log mg/dL", "free_light_chain": "mg/dL"},
    )
    fit = Fit(SquaredExponential(1.0, 0.517), 0.1485, np.array([32.14, 0.7416]))
    return _finished("hospital", cleaned, fit, "Hospital: the highest free light chain")


def _finished(name: str, cleaned: Cleaned, fit: Fit, title: str) -> Problem:
    """Return the problem with the frame that lies beside its table."""
    frame = read_frame(FOLDER / f"{name}.frame.json")
    return finish(cleaned, fit, title=title, identity=f"sample/{name}", frame=frame)


SAMPLES = {"synthetic": synthetic, "branin": branin, "loans": loans, "homes": homes, "hospital": hospital}
"""The samples that come with PrivBO, by name."""


SEARCHES: dict[str, Literal["ucb", "ucb/5", "ei", "thompson"]] = {
    "synthetic": "ucb/5",
    "branin": "ucb/5",
    "loans": "ucb",
    "homes": "ucb",
    "hospital": "ucb",
}
"""The search that each sample starts with: one that beats chance clearly (docs/searches.md says what was measured)."""


@lru_cache(maxsize=len(SAMPLES))
def sample(name: str) -> Problem:
    """Return the sample problem of that name. Raises ValueError, listing the names, for an unknown one."""
    if name not in SAMPLES:
        raise ValueError(f"name is {name!r}; the samples are {', '.join(map(repr, SAMPLES))}.")
    return SAMPLES[name]()
