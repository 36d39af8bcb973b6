"""The engine's tests as other machines would run them: `make test-machines`.

A machine is made another by what the libraries read from the environment: the kernels that linear algebra takes, the
instructions that NumPy dispatches, threads, time zone, the locale's decimal mark, the hashing of texts, the order of
the tests. What this processor cannot run is said and left out; what it takes by itself, the gate has run.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from numpy._core import _multiarray_umath as machine

from tests.helpers.paths import ROOT

ROOMS = """bo data/test_reading.py data/test_samples.py data/test_table.py experiments/test_reports.py
  federated/test_problem.py federated/test_rounds.py gp outsourced/test_*.py
  privacy/test_[!t]*.py release tradeoff"""
TESTS = [str(path.relative_to(ROOT)) for room in ROOMS.split() for path in (ROOT / "tests" / "core").glob(room)]
"""Where numbers are computed, and where files are read."""
COMMA = "de_DE.UTF-8"
OTHER_NAMES = {"Zen": ["haswell"]}
"""What some kernels are called by libraries that have none of their own for that processor."""
KERNELS = """import numpy, scipy.linalg, threadpoolctl
numpy.ones((99, 99)) @ numpy.ones((99, 99))  # ends with an illegal instruction where the processor cannot
print(*{each['architecture'] for each in threadpoolctl.threadpool_info()})"""


def kernels(name):
    """Return the kernels that linear algebra takes where some are asked for, in lower case."""
    asked = {**os.environ, "OPENBLAS_CORETYPE": name}
    done = subprocess.run([sys.executable, "-c", KERNELS], env=asked, capture_output=True, text=True)
    return done.stdout.lower().split()


def dispatched():
    """Return what NumPy takes on this processor beyond what every processor has."""
    return " ".join(name for name in machine.__cpu_dispatch__ if machine.__cpu_features__.get(name))


def with_comma(folder):
    """Return the variables of a locale that writes 0,5; none where it cannot be made."""
    made = shutil.which("localedef") and subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/{COMMA}"], capture_output=True
    )
    if not made or made.returncode > 1:  # 1: made, with remarks
        print("left out: a locale with a decimal comma (Debian: apt-get install locales)")
        return {}
    return {"LOCPATH": folder, "LC_ALL": COMMA, "PRIVBO_LOCALE": COMMA}


def machines(folder):
    kinds = {
        "Haswell": {"OPENBLAS_NUM_THREADS": "1", "TZ": "Pacific/Auckland", **with_comma(folder)},
        "Zen": {"OPENBLAS_NUM_THREADS": "2", "NPY_DISABLE_CPU_FEATURES": dispatched(), "TZ": "America/St_Johns"},
    }
    for number, (name, given) in enumerate(kinds.items(), 1):
        taken = kernels(name)
        if taken not in ([name.lower()], OTHER_NAMES.get(name)):
            print(f"left out: {name}, whose kernels this processor cannot run; it takes {' '.join(taken) or 'none'}")
            continue
        order = {"OPENBLAS_CORETYPE": name, "PYTHONHASHSEED": str(number), "PRIVBO_ORDER": str(number)}
        yield name, {**order, **{key: value for key, value in given.items() if value}}


def main(paths):
    red = []
    with tempfile.TemporaryDirectory() as folder:
        for name, given in machines(folder):
            print(f"\n{' '.join(f'{key}={value!r}' for key, value in given.items())}", flush=True)
            command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *(paths or TESTS)]
            if subprocess.run(command, env={**os.environ, **given}).returncode:
                red.append(name)
    print(f"\nNumPy {np.__version__}:", f"red on {', '.join(red)}" if red else "green on each")
    return len(red)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
