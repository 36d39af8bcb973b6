"""`python -m privbo_core.experiments.choosing`: what each way to publish a tuned setting loses."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from privbo_core.arithmetic import made_with
from privbo_core.data import TASKS, tuning_task
from privbo_core.experiments.choosing import trained
from privbo_core.experiments.choosing.measure import Lost, lost, table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and keep the numbers if a file is named; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m privbo_core.experiments.choosing", description=__doc__)
    parser.add_argument("--runs", type=int, default=200, metavar="N", help="runs of each way (200)")
    parser.add_argument("--json", metavar="FILE", help="where the numbers are kept")
    options = parser.parse_args(arguments)
    if options.runs < 2:
        sys.stderr.write(f"runs is {options.runs}; a standard error needs at least 2.\n")
        return 2
    results: list[Lost] = []
    for name in TASKS:
        results += tqdm(lost(name, tuning_task(name), options.runs), desc=name, disable=None, leave=False)
        sys.stdout.write(f"{name}\n\n{table(results, name)}\n")
    found = list(tqdm(trained.reached(options.runs), desc="private training", disable=None, leave=False))
    sys.stdout.write(f"private training\n\n{trained.table(found)}")
    if options.json:
        command = f"python -m privbo_core.experiments.choosing --runs {options.runs}"
        kept = {"results": [asdict(each) for each in results], "trained": [asdict(each) for each in found]}
        text = json.dumps({"command": command, "made_with": made_with(), **kept}, ensure_ascii=False, indent=1)
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
