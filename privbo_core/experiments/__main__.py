"""The command `python -m privbo_core.experiments`, which reproduces a table or figure and compares it."""

import argparse
import platform
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, closing

from tqdm import tqdm

from privbo_core.about import versions
from privbo_core.experiments.catalogue import EXPERIMENTS, find
from privbo_core.experiments.cluster import DaskExecutor
from privbo_core.experiments.model import Experiment
from privbo_core.experiments.report import report
from privbo_core.experiments.runner import RunStep, process_pool, run
from privbo_core.experiments.store import Provenance, Store
from privbo_core.experiments.text import lines
from privbo_core.terminal import STOPPED, Parser, complain, ended, say, visible

ALL = "all"
CLUSTER_AHEAD = 64  # Pieces that a cluster is given at a time.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return ended(lambda: _main(_parser().parse_args(arguments)), "Stopped.")


def _main(options: argparse.Namespace) -> int:
    try:
        if options.name is None:
            _list_experiments()
            return 0
        return _reproduce(options)
    except (ValueError, BrokenExecutor) as error:
        complain(" ".join(str(error).split()))
    except OSError as error:
        complain(f"The results could not be written: {error.strerror or error}.")
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m privbo_core.experiments",
        description="Reproduce a table or figure of the papers and compare the numbers. Without NAME, list them.",
        epilog="Results are appended to FILE as they are finished. After a stop, the same command goes on from there.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"an experiment, or {ALL!r}")
    parser.add_argument("--runs", type=int, metavar="N", help="number of replicates (the experiment's own if left out)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=1, metavar="K", help="number of processes (1)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="use the Dask cluster there, such as tcp://host:8786")
    parser.add_argument("--json", metavar="FILE", help="keep the results in this file, and reuse those that it has")
    return parser


def _list_experiments() -> None:
    width = max(map(len, EXPERIMENTS))
    for experiment in EXPERIMENTS.values():
        say(f"{experiment.name:<{width}}  {experiment.title} ({experiment.runs} {experiment.unit})")


def _reproduce(options: argparse.Namespace) -> int:
    chosen = list(EXPERIMENTS.values()) if options.name == ALL else [find(options.name)]
    for experiment in chosen:
        experiment.pieces(options.runs)  # Raises ValueError before anything has begun.
    with ExitStack() as stack:
        store = stack.enter_context(Store(options.json)) if options.json else None
        executor = _executor(options)
        if executor is not None:
            stack.enter_context(executor)
        for experiment in chosen:
            if store is not None:
                store.note(experiment.name, _provenance(experiment, options))
            try:
                outcomes = _run(experiment, executor, store, options).outcomes
            except KeyboardInterrupt:
                say(
                    "Stopped. Nothing was kept. Add --json FILE to keep results."
                    if store is None
                    else f"Stopped. Finished results are in {options.json}, and the same command goes on from there."
                )
                return STOPPED
            for line in lines(report(experiment, outcomes)):
                say(line)
        if store is not None:
            store.settle()
    return 0


def _executor(options: argparse.Namespace) -> Executor | None:
    """Return the executor that the options choose, or None for this process alone."""
    if options.workers < 1:
        raise ValueError(f"workers is {options.workers}. It must be at least 1.")
    if options.scheduler is not None:
        cluster = DaskExecutor(options.scheduler)
        if not cluster.client.nthreads():
            complain("The cluster has no workers yet. The run waits until one joins.")
        return cluster
    return process_pool(options.workers) if options.workers > 1 else None


def _run(
    experiment: Experiment, executor: Executor | None, store: Store | None, options: argparse.Namespace
) -> RunStep:
    """Run an experiment with a progress bar and return its last step."""
    ahead = CLUSTER_AHEAD if options.scheduler else 2 * options.workers
    with (
        closing(run(experiment, executor=executor, store=store, runs=options.runs, ahead=ahead)) as steps,
        tqdm(desc=visible(experiment.name), unit="piece", disable=None, leave=False) as bar,
    ):
        step = next(steps)
        bar.total = step.total
        bar.update(step.done)
        for step in steps:
            bar.update(step.done - bar.n)
    return step


def _provenance(experiment: Experiment, options: argparse.Namespace) -> Provenance:
    """Return how the results are computed, without anything that differs between machines or days."""
    command = f"python -m privbo_core.experiments {options.name}"
    if options.runs is not None:
        command += f" --runs {options.runs}"
    runs = options.runs or experiment.runs
    return {
        "command": command,
        "runs": runs,
        "unit": experiment.unit,
        "seeds": f"0 … {runs - 1}",
        "python": platform.python_version(),
        **versions(),
    }


if __name__ == "__main__":
    sys.exit(main())
