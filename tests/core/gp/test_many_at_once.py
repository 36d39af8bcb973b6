"""Many observations taken in at once: what one after the other makes of them, and as good to go on from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.gp import posterior as module
from tests.helpers.amounts import few

KERNELS = st.one_of(
    *(st.builds(family, st.floats(0.1, 20), st.just(1.3)) for family in (pb.gp.SquaredExponential, pb.gp.Matern52))
)


def one_by_one(posterior, rows, ys):
    for row, y in zip(rows, ys, strict=True):
        posterior.observe(int(row), float(y))


def same(one, other, tolerance):
    assert (one.t, one.rows) == (other.t, other.rows)
    np.testing.assert_allclose(one.mean, other.mean, atol=tolerance, rtol=1e-9)
    np.testing.assert_allclose(one.variance, other.variance, atol=tolerance)
    draw = np.sin(np.arange(one.n))
    ours, theirs = (each.conditioned(draw, np.random.default_rng(1)) for each in (one, other))
    np.testing.assert_allclose(ours, theirs, atol=10 * tolerance, rtol=1e-8)


@settings(max_examples=few(50, 400))
@given(
    seed=st.integers(0, 2**32 - 1),
    kernel=KERNELS,
    shape=st.tuples(st.integers(2, 80), st.integers(1, 6)),
    noise=st.floats(1e-2, 2),
    nugget=st.sampled_from([0.0, 0.3]),
    parts=st.tuples(st.integers(0, 8), st.integers(0, 30), st.integers(0, 8)),
    piece=st.sampled_from([1, 7, 1024]),
)
def test_all_at_once_is_one_after_the_other(seed, kernel, shape, noise, nugget, parts, piece):
    rng, n = np.random.default_rng(seed), shape[0]
    points = rng.normal(size=shape) * 5
    points[n // 2] = points[0]  # two rows at one place
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE", piece)
        one = pb.gp.Posterior(points, kernel, noise, capacity=2, nugget=nugget)
    other = pb.gp.Posterior(points, kernel, noise, capacity=2, nugget=nugget)
    before = rng.integers(n, size=parts[0])
    rows = rng.integers(n, size=parts[1])  # the same row more than once, in any order
    after = rng.integers(n, size=parts[2])
    ys = [rng.normal(size=count) * 3 for count in parts]
    # Distances are differences of squares: they round with |x|²/ℓ², and little noise makes more of that.
    tolerance = 1e-9 + 1e-14 * np.square(points).sum(axis=1).max() / kernel.lengthscale**2 / noise
    for each in (one, other):
        one_by_one(each, before, ys[0])
    one.observe_all(rows, ys[1])
    one_by_one(other, rows, ys[1])
    same(one, other, tolerance)
    for each in (one, other):
        one_by_one(each, after, ys[2])
    same(one, other, tolerance)


def test_rows_that_lie_together_under_hardly_any_noise_are_taken_in_all_the_same():
    points = np.array([[0.0], [0.0], [1e-9], [3.0]])
    posterior = pb.gp.Posterior(points, pb.gp.SquaredExponential(1.0), 1e-18)
    posterior.observe_all([0, 1, 2, 0], [1.0, 1.0, 1.0, 1.0])
    assert posterior.rows == [0, 1, 2, 0]
    np.testing.assert_allclose(posterior.mean[:3], 1.0, atol=1e-6)
    assert posterior.variance[3] > 0.9


@pytest.mark.parametrize(
    ("rows", "ys", "words"),
    [([0, 3], [1.0, 2.0], "0 to 2"), ([0, 0.5], [1.0, 2.0], "0 to 2"), ([0, 1], [1.0, np.nan], "nan in row 1"),
     ([0, 1], [1.0], "each of the 2 rows"), ([0], ["much"], "not a number")],
)  # fmt: skip
def test_what_cannot_be_taken_in_leaves_everything_as_it_was(rows, ys, words):
    posterior = pb.gp.Posterior([[0.0], [1.0], [2.0]], pb.gp.SquaredExponential(1.0), 0.1)
    posterior.observe(1, 2.0)
    mean, variance = posterior.mean.copy(), posterior.variance.copy()
    with pytest.raises(ValueError, match=words):
        posterior.observe_all(rows, ys)
    assert posterior.rows == [1]
    np.testing.assert_array_equal(posterior.mean, mean)
    np.testing.assert_array_equal(posterior.variance, variance)
