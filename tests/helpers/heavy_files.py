"""Files that would make as much work as they can for their size, and what reads each kind on a page.

As a program it reads each, of a megabyte unless another size is given, in a process of its own, and prints what that
took: `python -m tests.helpers.heavy_files [SIZE]`.
"""

import gzip
import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

from privbo_core.data import load_table
from privbo_core.errors import DataError

READERS = {
    "table": load_table,
}
"""What opens a file of each kind."""


def outcome(kind, data):
    """Return "read", or the sentence that says why the file is not."""
    try:
        READERS[kind](data)
    except DataError as fault:
        return str(fault)
    return "read"


def repeated(piece, size, head="", tail=""):
    """Return a text of a size in which a piece stands over and over; a # in it is another number each time."""
    count = (size - len(head) - len(tail)) // (len(piece) + 5 * piece.count("#"))
    body = "".join(piece.replace("#", str(k)) for k in range(1, count + 1)) if "#" in piece else piece * count
    return (head + body.removesuffix(",") + tail).encode()


def packed(text):
    return gzip.compress(text, 6, mtime=0)


def tables(size):
    """Return tables that are slow to read in their cells, names and lines, packed and not."""
    wide, many = ",".join(f"c{k}" for k in range(1000)) + "\n", 180 * size
    rng = np.random.default_rng(0)
    units = "".join(f"{k % 97} kg,{each}\n" for k, each in enumerate(rng.integers(0, 999, 6 * size // 10)))
    return {
        "words": repeated("x,y\n", size, "a,b\n"),
        "percentages": repeated("5 %,6 %\n", size, "a,b\n"),
        "many columns of words": repeated("x," * 999 + "y\n", size, wide),
        "many columns of commas": repeated("1,5;" * 999 + "2,5\n", size, wide.replace(",", ";")),
        "many columns of units": repeated("1 %," * 999 + "2 %\n", size, wide),
        "many columns of dates": repeated("1/2/2020," * 999 + "3/4/2021\n", size, wide),
        "one name for all": repeated("1," * 999 + "2\n", size, "a," * 999 + "a\n"),
        "names alone": repeated("a,", size),
        "blank lines": repeated("\n", size, "a,b\n1,2\n3,4\n"),
        "remarks": repeated("x\n", size, "a,b\n1,2\n3,4\n"),
        "names again": repeated("a,b\n", size, "a,b\n1,2\n3,4\n"),
        "quotation marks": repeated('""', size, 'a,b\n1,2\n3,4\n"'),
        "packed units": packed(b"a,b\n" + units.encode()),
        "packed into nothing": packed(b"") * (size // 20),
        **{
            f"packed {piece!r}": packed(repeated(piece, many, "a,b\n1,2\n3,4\n"))
            for piece in ("x\n", "x,y\n", ",", "\n")
        },
    }  # fmt: skip


HEAVY = {"table": tables}
"""The files of each kind, by name, of about a size."""


def measured(kind, data, most=400 * 2**20):
    """Read a file in a process of its own, which may take ``most`` bytes more; return seconds, MB, and the outcome.

    That is empty if the process was ended: by a minute of work, or by a fault.
    """
    from_child, to_parent = os.pipe()
    child = os.fork()
    if not child:
        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + most, held + most))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        said = outcome(kind, data)
        taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        os.write(to_parent, json.dumps([time.process_time() - began, taken, said]).encode())
        os._exit(0)
    os.close(to_parent)
    with os.fdopen(from_child, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else [60.0, most / 2**20, ""]


if __name__ == "__main__":
    outcome("table", b"a,b\n1,2\n3,4\n")  # what is loaded once
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for kind, made in HEAVY.items():
        for name, data in made(size).items():
            seconds, megabytes, said = measured(kind, data)
            line = f"{kind:10} {name:32} {len(data) / 1e3:6.0f} kB {seconds:6.2f} s {megabytes:5.0f} MB  {said[:60]}"
            print(line, flush=True)  # noqa: T201
