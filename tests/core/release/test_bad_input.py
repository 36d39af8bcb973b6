"""Input that cannot be used is named."""

import math
from dataclasses import replace

import numpy as np

import privbo_core as pb
from tests.helpers.refusing import refusals
from tests.helpers.worked_example import EXACT, GIVEN, LOSS, WIDE, R, grid

POINTS, KERNEL = grid(20)
ONES, RAMP = np.linspace(0, 1, 20), pb.data.LipschitzLoss(1, 1, 1, 2)


def run(**changed):
    given = {"kernel": KERNEL, "sigma": 0.1, "iterations": 5, "delta": 0.1, "rng": np.random.default_rng(0), **changed}
    return R.optimise(given.pop("points", POINTS), given.pop("objective", ONES), **given)


test_unusable_input_is_refused = refusals(
    (lambda: replace(GIVEN, k1=1.1), r"k1 is 1.1. It must lie between 0 .* and 1"),
    (lambda: replace(GIVEN, k1=math.nan), "k1 is nan"),
    (lambda: R.noisy(run(), epsilon=1, k1=-0.1), "k1 is -0.1"),
    (lambda: R.theorem_3(GIVEN, sigma=0.0, gamma=1.0), "sigma is 0.0. Algorithm 1 needs .* Algorithm 2"),
    (lambda: R.noisy(run(sigma=0), epsilon=1, k1=0.5), "sigma is 0.0. Algorithm 1 needs .* Algorithm 2"),
    (lambda: R.noise_free(run(), epsilon=1, k1=0.5, A=1, tau=1), "Algorithm 2 needs exact observations"),
    (lambda: run(sigma=-1.0), "sigma is -1.0"),
    (lambda: run(sigma=math.inf), "sigma is inf"),
    (lambda: run(iterations=1), r"iterations \(T\) is 1\. .* at least 2"),
    (lambda: run(iterations=21), "at most 20"),
    (lambda: run(delta=0.0), "delta is 0.0"),
    (lambda: run(delta=1.0), "delta is 1.0"),
    (lambda: run(points=POINTS[:1], objective=[1.0]), "at least 2"),
    (lambda: run(objective=[*ONES[1:], math.nan]), "nan in row 19"),
    (lambda: run(kernel=pb.gp.Matern52(1.0, 2.0)), r"kernel.variance is 2.0\. .* = 1"),
    (lambda: run(rng=None), "rng is None"),
    (lambda: R.noisy(run(), epsilon=0, k1=0.5), "epsilon is 0"),
    (lambda: R.noisy(run(), epsilon=1, k1=0.5, variant="arxiv"), r"variant is 'arxiv'\. .* 'icml' or 'workshop'"),
    (lambda: R.noisy(run(), epsilon=1, k1=0.5, gamma="mean"), "gamma is 'mean'"),
    (lambda: replace(GIVEN, n=1), r"n \(\|Λ\|\) is 1\. .* at least 2"),
    (lambda: replace(GIVEN, iterations=1), r"iterations \(T\) is 1"),
    (lambda: R.theorem_2(GIVEN, epsilon=1, a=0), "a is 0"),
    (lambda: R.theorem_5(GIVEN, **{**EXACT, "tau": 0.0}), "tau is 0.0"),
    (lambda: R.theorem_5(GIVEN, **{**EXACT, "A": -1.0}), "A is -1.0"),
    (lambda: R.theorem_7(**{**LOSS, "records": 0}, **WIDE), r"records \(m\) is 0"),
    (lambda: R.theorem_7(**LOSS, lambda_min=0.0, lambda_max=1.0), "lambda_min is 0.0"),
    (lambda: R.theorem_7(**LOSS, lambda_min=2.0, lambda_max=1.0), "at least lambda_min = 2.0"),
    (lambda: R.lipschitz([-0.1], loss=RAMP, records=0, epsilon=1), r"\(m\) is 0"),
    (lambda: R.lipschitz([math.inf], loss=RAMP, records=5, epsilon=1), "inf in row 0"),
    (lambda: R.selection(ONES, records=0, epsilon=1), r"records \(m\) is 0"),
    (lambda: R.selection(ONES, records=5, epsilon=1, rows=[3]), "at least 2"),
    (lambda: R.selection(ONES, records=5, epsilon=1, way="flip"), "'exponential', 'permute-and-flip'"),
    (lambda: R.selection(ONES, records=5, epsilon=1, rows=[3, 3]), "twice"),
    (lambda: R.selection(ONES, records=5, epsilon=1, rows=[3, 20]), "rows contains 20"),
    (lambda: R.random_rows(5, 6, np.random.default_rng(0)), "at most 5"),
    (lambda: R.draw(R.noisy(run(), epsilon=1, k1=0.5), choice=False, value=False), "Ask for at least one"),
    (lambda: R.draw(R.selection(ONES, records=5, epsilon=1), choice=False), "belongs to its setting"),
    (lambda: R.draw(R.lipschitz([0.0], loss=RAMP, records=5, epsilon=1), value=False), "value is False"),
    (lambda: R.noisy(run(), epsilon=1, k1=0.5).guarantee(3), "released is 3"),
)
