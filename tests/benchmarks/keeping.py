"""How studies say and keep what they measured."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from privbo_core.about import made_with


def keep(path: str | Path, **stored: object) -> None:
    Path(path).write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def keep_results(options: argparse.Namespace, command: str, **stored: object) -> None:
    """Keep what a module of this folder found, where that was asked for by --json."""
    if options.json:
        keep(options.json, command=f"python -m tests.benchmarks.{command}", made_with=made_with(), **stored)


def parser(name: str, about: str | None, samples: str = "") -> argparse.ArgumentParser:
    """Return what reads the command line of a module of this folder; ``samples``: which names there are, if any."""
    made = argparse.ArgumentParser(prog=f"python -m tests.benchmarks.{name}", description=about)
    if samples:
        made.add_argument("names", nargs="*", metavar="SAMPLE", help=samples)
    made.add_argument("--json", metavar="FILE", help="where the numbers are kept")
    return made


def mean_and_error(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """Return the mean and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
