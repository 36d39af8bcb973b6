"""How fast the search is: against scikit-learn and BoTorch, and as n grows. Run by `make bench`.

All do the same runs from the same initial rows and the same noise, in turns on one machine, so the ratio is what to
quote. Each library has a process of its own with one thread and one with all, and the better counts. Much of
scikit-learn's time goes into fresh memory, which it need not ask for where larger arrays were freed before it
(MALLOC_TRIM_THRESHOLD_ of the C library does the same); that of privbo_core does not depend on it. BoTorch is compared
with where it is installed (`make bench-botorch`). A figure of time against n goes to the folder given as the first
argument.
"""

import math
import multiprocessing
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import privbo_core as pb
from privbo_core.bo import beta
from privbo_core.bo.parallel import cores, in_order, one_thread_each, run_tasks
from privbo_core.errors import Array
from tests.benchmarks.allowed import allow, ended, timed

T, INITIAL = 50, 5
Judge = Callable[[list[int], list[float], int], Array]
"""Of rows asked, what was measured there, and the step: every row's upper bound."""


def scikit_learn(run: int) -> tuple[list[int], float]:
    """GP-UCB by scikit-learn's regressor, fitted and predicted over all rows at each step."""
    problem = pb.data.synthetic(seed=1)
    kernel = RBF(problem.kernel.lengthscale, length_scale_bounds="fixed")

    def judge(rows: list[int], y: list[float], t: int) -> Array:
        model = GaussianProcessRegressor(kernel, alpha=problem.noise_variance, optimizer=None)
        model.fit(problem.points[rows], y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mean, deviation = model.predict(problem.points, return_std=True)
        return np.asarray(mean + np.sqrt(beta(t, problem.n, 0.05)) * deviation)

    return _searched(problem, judge, run)


def botorch(run: int) -> tuple[list[int], float]:
    """GP-UCB by BoTorch's model, conditioned on each new observation, all rows predicted in a batch of single points.

    The fastest of the forms that were tried: fitted anew at each step it takes a fifth longer, and the joint posterior
    of all rows, or of some hundred at once, takes several times as long.
    """
    import torch
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import RBFKernel
    from gpytorch.means import ZeroMean

    warnings.simplefilter("ignore")
    torch.set_default_dtype(torch.float64)
    problem = pb.data.synthetic(seed=1)
    points = torch.tensor(np.ascontiguousarray(problem.points))
    kernel = RBFKernel()
    kernel.lengthscale = problem.kernel.lengthscale
    model = None

    def judge(rows: list[int], y: list[float], t: int) -> Array:
        nonlocal model
        with torch.no_grad():
            new = slice(None) if model is None else slice(-1, None)
            x, seen = points[rows[new]], torch.tensor(y[new]).unsqueeze(-1)
            known = torch.full_like(seen, problem.noise_variance)
            if model is None:
                model = SingleTaskGP(
                    x, seen, known, covar_module=kernel, mean_module=ZeroMean(), outcome_transform=None
                ).eval()
            else:
                model = model.condition_on_observations(x, seen, noise=known)
            posterior = model.posterior(points.unsqueeze(-2))
            weight = float(np.sqrt(beta(t, problem.n, 0.05)))
            return np.asarray((posterior.mean + weight * posterior.variance.sqrt()).reshape(-1))

    return _searched(problem, judge, run)


def others() -> dict[str, Callable[[int], tuple[list[int], float]]]:
    """Return the libraries that are here; BoTorch is optional."""
    return {"scikit-learn": scikit_learn} | ({"BoTorch": botorch} if find_spec("botorch") else {})


def _searched(problem: pb.data.Problem, judge: Judge, run: int) -> tuple[list[int], float]:
    start = time.perf_counter()
    rng = np.random.default_rng(run)
    rows = pb.bo.initial_rows(INITIAL, problem.n, rng)
    noise = float(np.sqrt(problem.noise_variance))
    y = [float(problem.objective[row] + noise * rng.standard_normal()) for row in rows]
    for t in range(1, T + 1):
        rows.append(int(np.argmax(judge(rows, y, t))))
        y.append(float(problem.objective[rows[-1]] + noise * rng.standard_normal()))
    return rows, time.perf_counter() - start


RUNS, REFERENCE_RUNS, ROUNDS = 50, 10, 5
LEAST = {"alone": 12, "together": 18}
"""So many times as fast as any other library a run must be, on whichever processor."""
MOST_READS = 5
"""A run on the largest table may take as long as so many readings of the numbers that a recursion must read."""
REST = 0.5  # Seconds after a reference run: the threads of its linear algebra go on looking for work for a while.


def our_rows(problem: pb.data.Problem, *runs: int) -> list[list[int]]:
    """The rows that each of some runs asks for: of several in one call, which advance together."""
    how = {"kernel": problem.kernel, "noise_variance": problem.noise_variance, "iterations": T, "initial": INITIAL}
    dice = [np.random.default_rng(run) for run in runs]
    if len(runs) == 1:
        return [pb.bo.gp_ucb(problem.points, problem.objective, **how, rng=dice[0]).rows.tolist()]
    return [trace.rows.tolist() for trace in pb.bo.gp_ucb_runs(problem.points, problem.objective, **how, rngs=dice)]


def against_others() -> None:
    """Print the ratio over the runs, and in how many of them the others asked for the same rows."""
    problem = pb.data.synthetic(seed=1)
    alone = multiprocessing.get_context("spawn")
    ours: dict[str, list[float]] = {"alone": [], "together": [], "one by one": []}
    times: dict[tuple[str, str], list[float]] = {}
    same = dict.fromkeys(others(), 0)
    with ExitStack() as open_now:
        pools = {
            (name, threads): open_now.enter_context(ProcessPoolExecutor(1, alone, initializer=limit))
            for name in others()
            for threads, limit in (("one core", one_core), ("all cores", None))
        }
        for (name, _), pool in pools.items():
            pool.submit(others()[name], 0).result()
        for run in range(REFERENCE_RUNS):  # interleaved, so that a slow spell of the machine meets all
            batch, seconds = timed(partial(our_rows, problem, *range(RUNS)))
            ours["together"].append(seconds / RUNS)
            one_by_one = in_order(lambda number, stop: our_rows(problem, number)[0], range(RUNS))
            each_alone, seconds = timed(partial(list, one_by_one))
            ours["one by one"].append(seconds / RUNS)
            if each_alone != batch:
                raise AssertionError("Runs that advance together asked for other rows than each alone.")
            ours["alone"].append(timed(partial(our_rows, problem, run))[1])
            for (name, threads), pool in pools.items():
                rows, seconds = pool.submit(others()[name], run).result()
                times.setdefault((name, threads), []).append(seconds)
                same[name] += threads == "all cores" and rows == batch[run]
                time.sleep(REST)
    print(f"n = {problem.n}, d = 2, T = {T}; medians of {REFERENCE_RUNS} rounds")
    labels = {"alone": "one run alone", "together": f"{RUNS} runs in one call", "one by one": "one by one on all cores"}
    for name in others():
        each, threads = min((float(np.median(times[name, threads])), threads) for threads in ("one core", "all cores"))
        print(
            f"  {name}, one run, better on {threads}: {each:.4f} s; same rows asked in {same[name]} of {REFERENCE_RUNS}"
        )
        for how, label in labels.items():
            took = float(np.median(ours[how]))
            print(f"    privbo_core, {label:<24} {took:8.4f} s   ratio {each / took:5.0f}")
            if how in LEAST:
                allow(f"{label}, beside {name}: each", took, each / LEAST[how])


def one_core() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    one_thread_each()


def read_once(n: int) -> float:
    """Return the seconds that reading n·T²/2 doubles takes on all cores: what a step-by-step recursion must read."""
    held = np.ones((cores(), 2_000_000))
    times = math.ceil(n * T * T / 2 / held.size)

    def read(part: Array) -> float:
        return sum(float(part.sum()) for _ in range(times))

    return timed(lambda: run_tasks([partial(read, part) for part in held]))[1] * n * T * T / 2 / held.size / times


def one_size(n: int) -> None:
    """Print time and memory of one run on n rows, d = 3, in the process that this is."""
    rng = np.random.default_rng(0)
    points, _ = pb.data.normalise(rng.standard_normal((n, 3)))
    objective = np.sin(points[:, 0] / 5) + np.cos(points[:, 1] / 7)

    def run() -> pb.bo.Trace:
        how = {"kernel": pb.gp.SquaredExponential(5.0), "noise_variance": 1e-4, "iterations": T}
        return pb.bo.gp_ucb(points, objective, **how, rng=np.random.default_rng(1))

    # Interleaved, so that a slow spell of the machine meets all.
    both = [(read_once(n), timed(run)[1]) for _ in range(ROUNDS)]
    limit, took = (float(each) for each in np.median(both, axis=0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"  n = {n:>9,}: {took:7.3f} s a run; n·T²/2 doubles read in {limit:6.3f} s, ratio {took / limit:5.2f}; "
        f"peak {peak:.2f} GB",
        flush=True,
    )
    print(f"RESULT {took} {limit}")


def scaling(folder: Path) -> None:
    """Print the time of one run for growing n (d = 3), each size in a process of its own, and draw it."""
    sizes, spent = [10_000, 100_000, 1_000_000], []
    for n in sizes:
        done = subprocess.run([sys.executable, __file__, "--size", str(n)], capture_output=True, text=True, check=True)
        print(done.stdout.split("RESULT")[0], end="")
        took, read = map(float, done.stdout.split("RESULT")[1].split())
        spent.append(took)
    allow(f"a run on {n:,} rows", took, MOST_READS * read)
    figure = go.Figure(go.Scatter(x=sizes, y=spent, mode="lines+markers", line_color="#0072B2"))
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
    against_others()
    scaling(Path(sys.argv[1]))
    sys.exit(ended())
