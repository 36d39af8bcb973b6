"""A holder's process that is killed at every point of an act, for tests; run by itself, it kills its children."""

import json
import os
import shutil
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

from privbo_core import privacy
from tests.helpers.holding import PRIVATE, in_file, released

WHOLE = {"curator.py", "stores.py"}
PARTS = {"write_whole", "remove_unfinished", "alone", "_to_disk", "_mkstemp_inner", "gaussian", "_gaussian"}
"""In the first, every call is a point; elsewhere those in functions of these names."""
ROW = 5
WRONG, RIGHT = 150.0, 120.0

ACTS = {
    "release": lambda curator: ("release", released(curator, private=PRIVATE).digest),
    "another release": lambda curator: ("release", released(curator, again=True).digest),
    "answer": lambda curator: ("answer", curator.answer(ROW, WRONG, release=1).value),
    "exact answer": lambda curator: ("answer", curator.answer(ROW, WRONG, release=1).value),
    "correction": lambda curator: ("answer", curator.correct(ROW, RIGHT, release=1).value),
}
"""What a holder does, and what he has in hand when it is done."""
KILLED = ("release", "answer", "correction")  # The others write a ledger as these do.


def before(act, path):
    """Write the ledger as it is before the act; there is none before the first release."""
    curator = in_file(path)
    if act == "release":
        return
    exact = act in ("exact answer", "correction")
    released(curator, **({} if exact else {"private": PRIVATE}))
    curator.answer(ROW + 1)
    if act == "correction":
        curator.answer(ROW, WRONG)


@contextmanager
def at_point(point, stop):
    """Call ``stop`` at this point of what runs inside, points counted from 1."""
    passed = 0

    def watch(frame, event, arg):
        nonlocal passed
        code = frame.f_code
        # Before every call: between two of them nothing happens that a file could show.
        if event not in ("call", "c_call") or code.co_name.startswith("<"):
            return
        if os.path.basename(code.co_filename) in WHOLE or code.co_name in PARTS:
            passed += 1
            if passed == point:
                stop()

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)


@contextmanager
def drawing(tell):
    real = privacy.release.gaussian

    def gaussian(values, mechanism, **how):
        tell("drawn")
        yield from real(values, mechanism, **how)

    privacy.release.gaussian = gaussian
    try:
        yield
    finally:
        privacy.release.gaussian = real


def killed_at(point, act, path):
    """Do the act in a child that kills itself at this point; return what it told before, and whether it was killed."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(ear)
            tell(act, in_file(path), mouth, point)
            os._exit(0)
        finally:
            os._exit(1)  # it failed
    os.close(mouth)
    with os.fdopen(ear) as told:
        lines = told.read().splitlines()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError(f"The holder failed at point {point} of {act}.")
    return {"point": point, "killed": os.WIFSIGNALED(status), "told": [json.loads(line) for line in lines]}


def tell(act, curator, mouth, point):
    """Do the act, write what it hands out to a pipe, a line each, and die at the point."""

    def say(*words):
        os.write(mouth, (json.dumps(words) + "\n").encode())

    with drawing(say), at_point(point, lambda: os.kill(os.getpid(), signal.SIGKILL)):
        told = ACTS[act](curator)
    say(*told)


def main(folder):
    """For each act, kill a holder at its first point, another at the second, until one comes to the end."""
    for act in KILLED:
        own, do = folder / act, ACTS[act]
        (own / "spare").mkdir()
        before(act, own / "spare" / "ledger.json")
        do(in_file(own / "spare" / "ledger.json"))  # so that the children have everything loaded
        found = []
        while not found or found[-1]["killed"]:
            point = len(found) + 1
            (own / str(point)).mkdir()
            if (own / "ledger.json").exists():
                shutil.copy(own / "ledger.json", own / str(point))
            found.append(killed_at(point, act, own / str(point) / "ledger.json"))
        (own / "told.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
