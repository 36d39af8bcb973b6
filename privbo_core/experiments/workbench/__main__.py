"""`python -m privbo_core.experiments.workbench`: what two parties find on the samples."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from privbo_core.arithmetic import made_with
from privbo_core.experiments.workbench.measure import OUTCOMES, WAYS, Found, chance, found, table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, and keep the numbers if a file is named; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m privbo_core.experiments.workbench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SAMPLE", help=f"all if left out: {', '.join(OUTCOMES)}")
    parser.add_argument("--repetitions", type=int, default=20, metavar="N", help="searches of each kind (20)")
    parser.add_argument("--json", metavar="FILE", help="where the numbers are kept")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(OUTCOMES):
        sys.stderr.write(f"{min(unknown)!r} is no sample to search; there are {', '.join(map(repr, OUTCOMES))}.\n")
        return 2
    if options.repetitions < 2:
        sys.stderr.write(f"repetitions is {options.repetitions}; a standard error needs at least 2.\n")
        return 2
    results: list[Found] = []
    for name in options.names or OUTCOMES:
        ways = [way for way in WAYS if way.sample == name]
        results += (found(way, options.repetitions) for way in tqdm(ways, desc=name, disable=None, leave=False))
        results.append(chance(name, options.repetitions))
    sys.stdout.write(table(results))
    if options.json:
        words = ["python -m privbo_core.experiments.workbench", *options.names, f"--repetitions {options.repetitions}"]
        made = {
            "command": " ".join(words),
            "made_with": made_with(),
            "noise": "Seeded: noise and the order of the rows are those of the repetition's number, so that the "
            "figures come out again; all else is as in a real release. Operating system: real releases and real "
            "answers by the holder's program, whose figures come out again within their errors.",
        }
        text = json.dumps({**made, "results": [asdict(each) for each in results]}, ensure_ascii=False, indent=1)
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
