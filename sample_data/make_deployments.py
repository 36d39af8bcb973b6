"""Make deployments.csv: what the records of the public registry of deployments say of their privacy, word for word.

    pip install pyyaml
    git clone https://github.com/opendp/deployments-registry-data
    python sample_data/make_deployments.py deployments-registry-data "15 July 2026"

Nothing is computed. A field that a record leaves out stays empty, and so does a parameter that is no number.
"""

import csv
import sys
from pathlib import Path
from typing import Any

import yaml

HEAD = ["name", "curator", "year", "variant", "unit", "epsilon", "delta", "rho", "model", "releases", "status", "tier"]


def row(record: dict[str, Any]) -> list[object]:
    """Return one record as a row."""
    said = record["deployment"]
    basic, loss = said["basic"], said.get("privacy_loss", {})
    size, model = loss.get("privacy_parameters", {}), said.get("deployment_model", {})
    numbers = [size.get(name, "") for name in ("epsilon", "delta", "rho")]
    return [
        basic["name"],
        "; ".join(basic["data_curators"]),
        str(basic["publication_date"])[:4],
        said.get("dp_variant", {}).get("variant_name", ""),
        loss.get("privacy_unit", "").strip(),
        *(float(each) if isinstance(each, int | float) else "" for each in numbers),
        model.get("model_name", ""),
        model.get("release_type", ""),
        record["status"],
        record["tier"],
    ]


def main(registry: Path, day: str) -> None:
    """Write the file beside this script, from the records in a copy of the registry as of that day."""
    records = [yaml.safe_load(path.read_bytes()) for path in sorted((registry / "deployments").glob("*.yaml"))]
    with Path(__file__).with_name("deployments.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(f"# Differential Privacy Deployments Registry (OpenDP, NIST), as of {day}. MIT licence.\n")
        csv.writer(file, lineterminator="\n").writerows([HEAD, *map(row, records)])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
