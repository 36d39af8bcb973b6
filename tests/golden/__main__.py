"""Record the engine's results, or compare them with those recorded: ``python -m tests.golden record`` or ``compare``.

What is recorded is in numbers.json beside this file. ``compare`` ends with exit code 1 if anything differs. Results can
differ between processors, and a search can part from the recorded one at one decision and go another way from there:
with ``--other-machine`` such runs are listed and do not count. ``--area NAME`` (again and again) takes some areas only;
``record`` then leaves the others as they were.

Everything is computed with the same kernels of linear algebra and the same instructions of NumPy on every processor
that has AVX2. With other kernels some 800 numbers differ, 95 in 100 of them by less than 1e-5: a sample drawn by
eigenvectors, length-scales that an optimiser stops at. There, record the commit to compare with first.
OPENBLAS_CORETYPE chooses other kernels.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from numpy._core import _multiarray_umath as machine
from threadpoolctl import threadpool_limits

from tests.golden import (
    audit,
    bo,
    costs,
    data,
    diagnostics,
    federated,
    gp,
    outsourced,
    privacy,
    release,
    tradeoff,
    tuning,
)
from tests.golden.comparing import compare
from tests.golden.kinds import plain

AREAS = {
    module.__name__.rsplit(".", 1)[1]: module
    for module in (
        data,
        gp,
        bo,
        privacy,
        outsourced,
        release,
        federated,
        diagnostics,
        tradeoff,
        costs,
        tuning,
        audit,
    )
}
NUMBERS = Path(__file__).with_name("numbers.json")
MOST_BYTES = 300_000
MOST_SHOWN = 100
KERNELS, INSTRUCTIONS = "Haswell", "X86_V3"
"""What OpenBLAS and NumPy call those of AVX2."""


def main(arguments=None):
    """Do what the command line says, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("--other-machine", action="store_true", help="runs that part at one decision do not count")
    parser.add_argument("--area", action="append", choices=[*AREAS], help="compute this area only")
    asked = parser.parse_args(arguments)
    areas = asked.area or [*AREAS]
    known = json.loads(NUMBERS.read_text("utf-8")) if NUMBERS.exists() else {}
    now = {name: computed(name) for name in areas}
    if asked.what == "record":
        return record({name: now.get(name, known.get(name, {})) for name in AREAS})
    return report(*(flat({name: each.get(name, {}) for name in areas}) for each in (known, now)), asked.other_machine)


def computed(area):
    """Compute the entries of one area, on one thread: the order in which threads add up moves the last digits."""
    start, entries = time.perf_counter(), {}
    with threadpool_limits(1):
        for name, value in AREAS[area].entries():
            assert name not in entries, f"{name} comes twice"
            assert name.startswith(f"{area}/"), f"{name} is not of the area {area}"
            # Through JSON, so that what is computed is what would be read.
            entries[name] = json.loads(json.dumps(plain(value)))
    print(f"{area}: {len(entries)} entries in {time.perf_counter() - start:.1f} s", file=sys.stderr)
    return entries


def flat(areas):
    return {name: value for entries in areas.values() for name, value in entries.items()}


def record(areas):
    """Write one line for each entry, so that differences of the file can be read."""
    lines = []
    for area, entries in areas.items():
        inner = (f"  {dumped(name)}: {dumped(value)}" for name, value in entries.items())
        lines.append(f" {dumped(area)}: {{\n" + ",\n".join(inner) + "\n }")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    size = len(text.encode())
    if size > MOST_BYTES:
        print(f"The numbers take {size} bytes; at most {MOST_BYTES} are kept. Nothing was written.")
        return 1
    NUMBERS.write_text(text, "utf-8")
    print(f"{len(flat(areas))} entries recorded, {size} bytes.")
    return 0


def dumped(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def report(recorded, now, other_machine):
    """Print what differs, and return the exit code."""
    found = compare(recorded, now)
    for where, one, other in found.differences[:MOST_SHOWN]:
        print(f"{where}: recorded {one!r}, now {other!r}")
    if len(found.differences) > MOST_SHOWN:
        print(f"… and {len(found.differences) - MOST_SHOWN} more.")
    for name, step in found.parted:
        print(f"{name}: parts at step {step}")
    if found.left_out:
        print(f"Not compared, because a run behind it parted: {', '.join(found.left_out)}")
    print(f"{found.compared} entries compared: {len(found.differences)} differences, {len(found.parted)} runs parted.")
    return int(bool(found.differences or (found.parted and not other_machine)))


def start_alike():
    """Start this program anew with the kernels and instructions that are taken everywhere."""
    newer = [each for each in machine.__cpu_dispatch__ if machine.__cpu_features__.get(each) and each != INSTRUCTIONS]
    given = {"OPENBLAS_CORETYPE": KERNELS} | ({"NPY_DISABLE_CPU_FEATURES": " ".join(newer)} if newer else {})
    os.execve(sys.executable, [sys.executable, "-m", "tests.golden", *sys.argv[1:]], os.environ | given)


if __name__ == "__main__":
    if "OPENBLAS_CORETYPE" not in os.environ:
        start_alike()
    sys.exit(main())
