"""How fast the search is: against scikit-learn refitted each step, and as n grows. Run by `make bench`.

Both do the same runs from the same initial rows and the same noise, in turns on one machine, so the ratio is what to
quote. scikit-learn has a process of its own, one with one thread and one with all. Much of its time goes into fresh
memory, which it need not ask for where larger arrays were freed before it (MALLOC_TRIM_THRESHOLD_ of the C library
does the same); that of privbo_core does not depend on it. A figure of time against n goes to the folder given as the
first argument.
"""

import multiprocessing
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import privbo_core as pb
from privbo_core.bo import beta, policies
from privbo_core.bo.block import Best, Block
from privbo_core.bo.parallel import abreast, cores, in_order, one_thread_each
from privbo_core.errors import Array
from privbo_core.gp.known import Told

T, INITIAL, RUNS, REFERENCE_RUNS = 50, 5, 50, 10
REST = 0.5
"""Seconds after a reference run: the threads of its linear algebra go on looking for work for a while."""


def reference_rows(problem: pb.data.Problem, run: int) -> list[int]:
    """GP-UCB by scikit-learn: fixed hyperparameters, refit and predicted over all rows at each step."""
    rng = np.random.default_rng(run)
    rows = pb.bo.initial_rows(INITIAL, problem.n, rng)
    noise = float(np.sqrt(problem.noise_variance))
    y = [float(problem.objective[row] + noise * rng.standard_normal()) for row in rows]
    kernel = RBF(problem.kernel.lengthscale, length_scale_bounds="fixed")
    for t in range(1, T + 1):
        model = GaussianProcessRegressor(kernel, alpha=problem.noise_variance, optimizer=None)
        model.fit(problem.points[rows], y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mean, deviation = model.predict(problem.points, return_std=True)
        rows.append(int(np.argmax(mean + np.sqrt(beta(t, problem.n, 0.05)) * deviation)))
        y.append(float(problem.objective[rows[-1]] + noise * rng.standard_normal()))
    return rows


def reference_run(run: int) -> tuple[list[int], float]:
    """Return the rows of a run by scikit-learn and the seconds that it took."""
    problem = pb.data.synthetic(seed=1)
    return timed(partial(reference_rows, problem, run))


def our_rows(problem: pb.data.Problem, run: int) -> list[int]:
    """The same run by privbo_core."""
    trace = pb.bo.gp_ucb(
        problem.points,
        problem.objective,
        kernel=problem.kernel,
        noise_variance=problem.noise_variance,
        iterations=T,
        initial=INITIAL,
        rng=np.random.default_rng(run),
    )
    return [int(row) for row in trace.rows]


def our_runs(problem: pb.data.Problem, runs: int) -> list[list[int]]:
    """So many of these runs by privbo_core, in one call."""
    traces = pb.bo.gp_ucb_runs(
        problem.points,
        problem.objective,
        kernel=problem.kernel,
        noise_variance=problem.noise_variance,
        iterations=T,
        initial=INITIAL,
        rngs=[np.random.default_rng(run) for run in range(runs)],
    )
    return [trace.rows.tolist() for trace in traces]


def timed(work: Callable[[], list]) -> tuple[list, float]:
    """Return what ``work`` returns and the seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def against_scikit_learn() -> None:
    """Print the ratio over the runs, and how many runs asked for the same rows."""
    problem = pb.data.synthetic(seed=1)
    alone = multiprocessing.get_context("spawn")
    ours, threads, single, theirs, all_cores = [], [], [], [], []
    with (
        ProcessPoolExecutor(1, alone, initializer=one_thread_each) as one_core,
        ProcessPoolExecutor(1, alone) as every_core,
    ):
        for pool in (one_core, every_core):
            pool.submit(reference_run, 0).result()
        reference = []
        for run in range(REFERENCE_RUNS):  # interleaved, so that a slow spell of the machine meets all
            batch, seconds = timed(partial(our_runs, problem, RUNS))
            ours.append(seconds / RUNS)
            each_alone, seconds = timed(
                lambda: list(in_order(lambda number, stop: our_rows(problem, number), range(RUNS)))
            )
            threads.append(seconds / RUNS)
            if each_alone != batch:
                raise AssertionError("Runs that advance together asked for other rows than each alone.")
            single.append(timed(partial(our_rows, problem, run))[1])
            theirs.append(one_core.submit(reference_run, run).result()[1])
            rows, seconds = every_core.submit(reference_run, run).result()
            reference.append(rows)
            all_cores.append(seconds)
            time.sleep(REST)
    same = sum(a == b for a, b in zip(reference, batch, strict=False))
    each = min(float(np.median(theirs)), float(np.median(all_cores)))
    print(f"n = {problem.n}, d = 2, T = {T}")
    print(
        f"  scikit-learn, one run          {each:8.4f} s   (median of {REFERENCE_RUNS}, the better of one core and all)"
    )
    print(f"  privbo_core, one run alone     {np.median(single):8.4f} s   ratio {each / np.median(single):5.0f}")
    print(f"  privbo_core, {RUNS} runs in one call {np.median(ours):8.4f} s   ratio {each / np.median(ours):5.0f}")
    print(f"    one by one on all cores      {np.median(threads):8.4f} s   ratio {each / np.median(threads):5.0f}")
    print(f"  same rows queried in {same} of {REFERENCE_RUNS} runs")
    for run, (a, b) in enumerate(zip(reference, batch, strict=False)):
        if a != b:
            first = next(i for i in range(len(a)) if a[i] != b[i])
            print(f"  run {run} parts at evaluation {first + 1}: rows {a[first]} and {b[first]}")


def read_once(n: int) -> float:
    """Return the seconds that reading n·T²/2 doubles takes on all cores: what a step-by-step recursion must read."""
    held = np.ones((cores(), 2_000_000))

    def read(part: Array) -> float:
        return float(part.sum())

    times = n * T * T / 2 / held.size
    return min(timed(lambda: abreast([partial(read, part) for part in held]))[1] for _ in range(5)) * times


def one_size(n: int) -> None:
    """Print time, memory and the rows looked at of one run on n rows, d = 3, in the process that this is."""
    rng = np.random.default_rng(0)
    points, _ = pb.data.normalise(rng.standard_normal((n, 3)))
    objective = np.sin(points[:, 0] / 5) + np.cos(points[:, 1] / 7)
    looked: list[int] = []
    take = Block.take

    def counted(self: Block, told: Sequence[Told], weight: float) -> Best:
        best = take(self, told, weight)
        looked.append(best.looked)
        return best

    Block.take = counted  # type: ignore[method-assign]

    def run() -> list:
        return [
            pb.bo.gp_ucb(
                points,
                objective,
                kernel=pb.gp.SquaredExponential(5.0),
                noise_variance=1e-4,
                iterations=T,
                rng=np.random.default_rng(1),
            )
        ]

    reads, seconds = [], []
    for _ in range(3):  # interleaved, so that a slow spell of the machine meets all
        reads.append(read_once(n))
        seconds.append(timed(run)[1])
    share = sum(looked) / len(seconds) / n / T
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    policies.BLOCKS_FROM = n + 1
    every = [timed(run)[1] for _ in range(2)]
    print(
        f"  n = {n:>9,}: {min(seconds):7.3f} s a run; every row at each step {min(every):7.3f} s; "
        f"n·T²/2 doubles read in {min(reads):6.3f} s, ratio {min(seconds) / min(reads):5.2f}; "
        f"looked at {share:.1%} of the rows a step; peak {peak:.2f} GB",
        flush=True,
    )
    print(f"RESULT {min(seconds)}")


def scaling(folder: Path) -> None:
    """Print the time of one run for growing n (d = 3), each size in a process of its own, and draw it."""
    sizes, seconds = [10_000, 100_000, 1_000_000], []
    for n in sizes:
        done = subprocess.run([sys.executable, __file__, "--size", str(n)], capture_output=True, text=True, check=True)
        print(done.stdout.split("RESULT")[0], end="")
        seconds.append(float(done.stdout.split("RESULT")[1]))
    figure = go.Figure(go.Scatter(x=sizes, y=seconds, mode="lines+markers", line_color="#0072B2"))
    figure.update_xaxes(type="log", title="rows n")
    figure.update_yaxes(type="log", title=f"seconds for one run of T = {T}")
    target = folder / "search_speed.html"
    figure.write_html(target, include_plotlyjs=True)
    print(f"  figure: {target}")


if __name__ == "__main__":
    if sys.argv[1] == "--size":
        one_thread_each()
        one_size(int(sys.argv[2]))
        sys.exit()
    against_scikit_learn()
    scaling(Path(sys.argv[1]))
