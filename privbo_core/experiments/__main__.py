"""`python -m privbo_core.experiments`: run a table or figure of a paper again, and say how it compares."""

import argparse
import platform
import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing

from tqdm import tqdm

from privbo_core.about import versions
from privbo_core.early import STOPPED
from privbo_core.experiments.cluster import Cluster, ClusterAwayError, OtherEngineError, local_cluster
from privbo_core.experiments.model import Experiment
from privbo_core.experiments.papers import EXPERIMENTS, find
from privbo_core.experiments.report import lines, report
from privbo_core.experiments.runner import RunStep, WorkerDiedError, process_pool, run
from privbo_core.experiments.store import Store
from privbo_core.terminal import Parser, complain, ended, say, visible

ALL = "all"
NOBODY = "no worker at the moment: it waits until one joins"
LEAST_AHEAD = 4  # Pieces are handed in for at least so many threads, as workers may join later.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; return the exit status."""
    return ended(lambda: _ran(_parser().parse_args(arguments)), "Stopped.")


def _ran(options: argparse.Namespace) -> int:
    try:
        if options.name is None:
            width = max(map(len, EXPERIMENTS))
            for each in EXPERIMENTS.values():
                say(f"{each.name:<{width}}  {each.title} ({each.runs} {each.unit})")
            return 0
        chosen = list(EXPERIMENTS.values()) if options.name == ALL else [find(options.name)]
        for experiment in chosen:
            experiment.pieces(options.runs)
        with ExitStack() as stack:
            store = stack.enter_context(Store(options.json)) if options.json else None
            executor = _executor(options, stack)
            for experiment in chosen:
                if store is not None:
                    store.note(experiment.name, _made(experiment, options))
                try:
                    progress = _run(experiment, executor, store, options)
                except KeyboardInterrupt:
                    kept = f"What was finished is in {options.json}; the same command goes on from there."
                    say(f"Stopped. {kept if store else 'Nothing was kept: add --json FILE to keep results.'}")
                    return STOPPED
                for line in lines(report(experiment, progress.outcomes)):
                    say(line)
            if store is not None:
                store.settle()
    except (ValueError, WorkerDiedError, ClusterAwayError, OtherEngineError) as problem:
        complain(" ".join(str(problem).split()))
        return 2
    except OSError as problem:
        complain(f"The results could not be written: {problem.strerror or problem}.")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m privbo_core.experiments",
        description="Run a table or figure of the papers again and compare. No NAME: list.",
        epilog="Results in FILE are kept line by line: after a stop or a kill, the same command goes on.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"an experiment, or {ALL!r}")
    parser.add_argument(
        "--runs", type=int, metavar="N", help="how many replicates (the experiment's own number if left out)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=1, metavar="K", help="how many processes (1)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="compute on the Dask cluster there, as tcp://host:8786")
    where.add_argument("--local-cluster", type=int, metavar="N", help="start a Dask cluster of N processes here")
    parser.add_argument("--json", metavar="FILE", help="where results are kept, and taken from if already there")
    return parser


def _executor(options: argparse.Namespace, stack: ExitStack) -> Executor | None:
    """Return where it is computed: None for this process alone."""
    if options.workers < 1:
        raise ValueError(f"workers is {options.workers}; it must be at least 1.")
    if options.scheduler is not None:
        return stack.enter_context(Cluster(options.scheduler))
    if options.local_cluster is not None:
        return stack.enter_context(local_cluster(options.local_cluster))
    return stack.enter_context(process_pool(options.workers)) if options.workers > 1 else None


def _run(
    experiment: Experiment, executor: Executor | None, store: Store | None, options: argparse.Namespace
) -> RunStep:
    cluster = executor if isinstance(executor, Cluster) else None
    ahead = 2 * options.workers if cluster is None else 2 * max(cluster.threads, LEAST_AHEAD)
    last: RunStep | None = None
    with (
        closing(run(experiment, executor=executor, store=store, runs=options.runs, ahead=ahead)) as steps,
        tqdm(desc=visible(experiment.name), unit="piece", disable=None, leave=False) as bar,
    ):
        for last in steps:
            bar.total = last.total
            if cluster is not None:
                bar.set_postfix_str("" if cluster.threads else NOBODY, refresh=False)
            bar.update(last.done - bar.n)
    assert last is not None
    return last


def _made(experiment: Experiment, options: argparse.Namespace) -> dict[str, object]:
    """Return how results are made, without anything that differs from one machine or day to the next."""
    command = f"python -m privbo_core.experiments {options.name}"
    if options.runs is not None:
        command += f" --runs {options.runs}"
    count = options.runs or experiment.runs
    return {
        "command": command,
        "runs": count,
        "unit": experiment.unit,
        "seeds": f"0 … {count - 1}",
        "python": platform.python_version(),
        **versions(),
    }


if __name__ == "__main__":
    sys.exit(main())
