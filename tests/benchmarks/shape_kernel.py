"""How the modeler reads noise of the L2 shape: by its own expected kernel, or by that of a Gaussian with its σ.

    PYTHONPATH=. python tests/benchmarks/shape_kernel.py

Simple regret (in σ_y) after 5 rows by lot and 30 tests by GP-UCB (√β = 2) on the samples with two inputs, in their own
frames, the same 200 releases for both. Three minutes.
"""

import numpy as np
from scipy.ndimage import map_coordinates

import privbo_core as pb
from privbo_core.outsourced.noisy import expected_kernel

RUNS, FIRST, T, ROOT_BETA, NOISE = 200, 5, 30, 2.0, 0.01
DRAWS, SIDE, FARTHEST = 20_000, 161, 6.0


def noise(rng, epsilon, rows):
    """Return noise of the L2 shape in two columns, in hidden changes."""
    directions = rng.normal(size=(rows, 2))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True) * rng.gamma(2, 1 / epsilon, (rows, 1))


def own_kernel(lengths, epsilon, sigma, rng):
    """Return E k(h + n − n′) as a function of h: a table from draws and their mirror images, interpolated."""
    apart = noise(rng, epsilon, DRAWS) - noise(rng, epsilon, DRAWS)
    apart = np.vstack([apart * signs for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1))])
    top = FARTHEST * np.sqrt(lengths**2 + 2 * sigma**2)
    across, along = (
        np.exp(-0.5 * ((np.linspace(0, top[j], SIDE)[:, None] + apart[None, :, j]) / lengths[j]) ** 2) for j in (0, 1)
    )
    table = across @ along.T / len(apart)
    return lambda h: map_coordinates(table, (np.abs(h) * (SIDE - 1) / top).T, order=1, mode="nearest")


def regret(kernel, z, y, first):
    """Return how far the best of the rows that a search asks for lies below the best of all."""
    one = kernel(np.zeros((1, 2)))[0]
    mean, variance, known, rows = np.zeros(len(z)), np.ones(len(z)), np.zeros((FIRST + T, len(z))), []
    for t in range(FIRST + T):
        upper = mean + ROOT_BETA * np.sqrt(np.maximum(variance, 0))
        upper[rows] = -np.inf
        row = int(first[t]) if t < FIRST else int(np.argmax(upper))
        column = kernel(z - z[row])
        column[row] += 1 - one  # what the noise hides of f is each row's own
        known[t] = (column - known[:t].T @ known[:t, row]) / np.sqrt(max(variance[row], 1e-12) + NOISE)
        mean = mean + known[t] * (y[row] - mean[row]) / np.sqrt(max(variance[row], 1e-12) + NOISE)
        variance = variance - known[t] ** 2
        rows.append(row)
    return y.max() - y[rows].max()


def main():
    """Print the regret by either kernel, and how much less by its own, run by run."""
    for name in ("branin", "hospital", "homes"):
        problem = pb.data.sample(name)
        frame, rng = problem.frame, np.random.default_rng(7)
        placed, y = frame.place(problem.original), problem.objective / problem.sigma_y
        y = y - y.mean()
        lengths = np.array([(each.lengthscale or (each.high - each.low) / 4) / each.hide for each in frame.columns])
        for epsilon in (0.5, 1.0, 2.0):
            sigma = np.sqrt(3) / epsilon
            wide, amplitude, _ = expected_kernel(lengths, [sigma] * 2)
            own = own_kernel(lengths, epsilon, sigma, rng)

            def matched(h, wide=wide, amplitude=amplitude):
                return amplitude * np.exp(-0.5 * ((h / wide) ** 2).sum(axis=1))

            found = []
            for _ in range(RUNS):
                z = placed + noise(rng, epsilon, len(placed))
                first = rng.choice(len(z), FIRST, replace=False)
                found.append((regret(own, z, y, first), regret(matched, z, y, first)))
            by_own, by_matched = np.mean(found, axis=0)
            less = np.subtract(*np.transpose(found)[::-1])
            error = less.std(ddof=1) / np.sqrt(RUNS)
            said = f"{by_own:.3f} by its own, {by_matched:.3f} by the matched Gaussian's"
            print(f"{name} ε = {epsilon}: {said}; {less.mean():+.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
