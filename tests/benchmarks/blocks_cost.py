"""What a step of a search over blocks of rows costs: its messages, its memory, its time and the choice among answers.

Run by hand: `PYTHONPATH=. .venv/bin/python tests/benchmarks/blocks_cost.py`. docs/scale.md works from these figures.
"""

import pickle
import time
import tracemalloc

import numpy as np

import privbo_core as pb
from privbo_core.bo.blockwise import Here, block_queries
from privbo_core.bo.lazy_block import Block
from privbo_core.bo.parallel import one_thread_each
from privbo_core.gp.sufficient_statistics import SufficientStatistics

N, D, T = 1_000_000, 3, 50


def main() -> None:
    one_thread_each()
    points, _ = pb.data.normalise(np.random.default_rng(0).standard_normal((N, D)))
    f = np.sin(points[:, 0] / 5) + np.cos(points[:, 1] / 7)
    kernel, rule = pb.gp.SquaredExponential(5.0), pb.bo.UpperBound()
    sent, back, spent, looked = [], [], [], []
    take = Block.take

    def measured(self, told, weight):
        start = time.process_time()
        best = take(self, told, weight)
        spent.append(time.process_time() - start)
        looked.append(best.looked)
        sent.append(len(pickle.dumps((told, weight))))
        back.append(len(pickle.dumps(best)))
        return best

    Block.take = measured

    def run():
        home = Here(points, kernel, rule, blocks=1)
        queries = block_queries(
            home, kernel=kernel, noise_variance=1e-4, iterations=T, initial_rows=[0, 1, 2, 3, 4], rule=rule
        )
        return pb.bo.search(queries, lambda row: float(f[row]))[0]

    rows = run()
    print(f"n = {N:,}, d = {D}, T = {T}, one block, one core")
    print(f"  sent to a block in the last step {sent[-1]} bytes, at most {max(sent)}; back {max(back)} bytes at most")
    print(f"  first step {1e9 * spent[0] / N:6.1f} ns a row; the others {1e9 * sum(spent[1:]) / N / (T - 1):6.1f} ns")
    print(f"  rows looked at: all in the first step, then {sum(looked[1:]) / N / (T - 1):.1%} a step")
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    print(f"  memory beside the points at most {peak / N:.0f} bytes a row; the points {points.nbytes / N:.0f}")
    tracemalloc.stop()
    known = SufficientStatistics(kernel, D)
    for row in rows:
        known.add(known.tell(row, points[row], float(f[row]), 1e-4))
    start = time.process_time()
    for row in range(1000):
        known.at(row, points[row])
    print(f"  one row computed by itself at t = {known.t}: {1e3 * (time.process_time() - start):.0f} µs")


if __name__ == "__main__":
    main()
