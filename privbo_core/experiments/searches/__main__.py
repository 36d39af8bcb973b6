"""`python -m privbo_core.experiments.searches`: measure every search on every sample."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from privbo_core.arithmetic import made_with
from privbo_core.data import SAMPLES, sample
from privbo_core.experiments.searches.measure import DELTA, EARLY, Found, T, found, tables


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and keep the numbers if a file is named; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m privbo_core.experiments.searches", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SAMPLE", help="all of them if left out")
    parser.add_argument("--runs", type=int, default=40, metavar="N", help="runs of each policy (40)")
    parser.add_argument("--json", metavar="FILE", help="where the numbers are kept")
    options = parser.parse_args(arguments)
    try:
        problems = {name: sample(name) for name in options.names or SAMPLES}
        results: list[Found] = []
        for name, problem in problems.items():
            results += tqdm(found(name, problem, options.runs), desc=name, disable=None, leave=False)
    except ValueError as problem_with_it:
        sys.stderr.write(f"{problem_with_it}\n")
        return 2
    sys.stdout.write(tables(results))
    if options.json:
        made = {
            "command": " ".join(
                ["python -m privbo_core.experiments.searches", *options.names, f"--runs {options.runs}"]
            ),
            "made_with": made_with(),
            "T": T,
            "early": EARLY,
            "initial": 5,
            "delta": DELTA,
            "unit": "σ_y",
        }
        text = json.dumps({**made, "results": [asdict(each) for each in results]}, ensure_ascii=False, indent=1)
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
