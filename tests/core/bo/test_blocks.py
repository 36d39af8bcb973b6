"""Rows in blocks: the same rows are asked for as where every row is looked at, for any number of blocks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privbo_core as pb
from privbo_core.bo import block, policies
from privbo_core.bo.block import Block
from privbo_core.bo.blocks import Here, block_queries, edges
from privbo_core.gp.known import Known
from tests.helpers.amounts import few
from tests.helpers.searching import problems


def asked(points, f, model, blocks):
    """Rows that are asked for in ``blocks`` blocks, or row by row where that is None."""
    queries = pb.bo.rule_queries(points, **model)
    if blocks is not None:
        home = Here(points, model["kernel"], model["rule"], nugget=model["nugget"], blocks=blocks)
        queries = block_queries(home, **model)
    rows, _ = pb.bo.search(queries, lambda row: float(f[row]))
    assert rows[: len(model["initial_rows"])] == model["initial_rows"]
    return rows


def same_or_equal(points, f, model, plain, found):
    """Fail unless the rows are the same until two of them have the same upper bound, to nine digits."""
    if plain == found:
        return
    first = next(i for i in range(len(plain)) if plain[i] != found[i])
    posterior = pb.gp.Posterior(points, model["kernel"], model["noise_variance"], nugget=model["nugget"])
    for row in plain[:first]:
        posterior.observe(row, float(f[row]))
    weight = model["rule"].weight(first - len(model["initial_rows"]) + 1, len(points))
    upper = posterior.mean + np.sqrt(weight * posterior.variance)
    a, b = plain[first], found[first]
    assert abs(upper[a] - upper[b]) <= 1e-9 * math.sqrt(weight), (a, b, upper[a] - upper[b])
    if not model["nugget"]:  # where a product of matrices rounds the last few rows otherwise, `Posterior` may ask later
        alike = (points == points[b]).all(axis=1)
        alike[plain[:first]] &= not model["rule"].once
        assert b == alike.argmax()


@settings(max_examples=few(60, 200))
@given(problem=problems(), blocks=st.integers(1, 9))
def test_the_same_rows_are_asked_for_in_any_number_of_blocks(problem, blocks):
    points, (f,), model, (start,) = problem
    model["initial_rows"] = start
    one = asked(points, f, model, 1)
    assert asked(points, f, model, blocks) == one
    same_or_equal(points, f, model, asked(points, f, model, None), one)


@pytest.mark.parametrize(("look", "piece", "stretch"), [(2, 3, 5), (1, 7, 64), (8, 1, 1)])
def test_the_sizes_of_the_pieces_change_nothing(monkeypatch, look, piece, stretch):
    rng = np.random.default_rng(3)
    points = rng.uniform(-4, 4, (700, 2))
    f = np.sin(points[:, 0]) * np.cos(points[:, 1])
    model = {"kernel": pb.gp.SquaredExponential(1.2), "noise_variance": 1e-3, "nugget": 0.0, "iterations": 40}
    model |= {"initial_rows": [5, 600], "rule": pb.bo.UpperBound()}
    plain = asked(points, f, model, None)
    for name, size in (("FIRST_LOOK", look), ("PIECE", piece), ("ENTRIES", piece), ("STRETCH", stretch)):
        monkeypatch.setattr(block, name, size)
    assert asked(points, f, model, 3) == plain


def test_a_large_table_is_searched_in_blocks_with_the_rows_of_one_searched_row_by_row(monkeypatch):
    rng = np.random.default_rng(0)
    points, _ = pb.data.normalise(rng.standard_normal((4000, 3)))
    objective = np.sin(points[:, 0] / 5) + np.cos(points[:, 1] / 7)
    made = []
    take = Block.take
    monkeypatch.setattr(Block, "take", lambda self, *told: made.append(take(self, *told)) or made[-1])

    def run():
        model = {"kernel": pb.gp.SquaredExponential(5.0), "noise_variance": 1e-4}
        return pb.bo.gp_ucb(points, objective, **model, iterations=50, rng=np.random.default_rng(1))

    plain = run()
    assert not made
    monkeypatch.setattr(policies, "BLOCKS_FROM", 4000)
    blocks = run()
    np.testing.assert_array_equal(blocks.rows, plain.rows)
    np.testing.assert_array_equal(blocks.observed, plain.observed)
    looked = [answer.looked for answer in made]
    assert sum(looked) < 0.25 * 50 * 4000  # three of four rows are not looked at: else it would not be worth its while


def test_bad_use_is_refused_in_a_sentence():
    points, kernel, rule = np.arange(10.0)[:, None], pb.gp.SquaredExponential(1.0), pb.bo.UpperBound()
    held = Block(points, kernel, 4.0)
    with pytest.raises(ValueError, match="weights of at least 4"):
        held.take((), 3.0)
    known = Known(kernel, 1)
    first = known.tell(0, points[0], 1.0, 0.1)
    known.add(first)
    second = known.tell(1, points[1], 1.0, 0.1)
    with pytest.raises(ValueError, match="number 1 must be next"):
        held.take((second,), 5.0)
    queries = block_queries(
        Here(points, kernel, rule), kernel=kernel, noise_variance=1.0, iterations=11, initial_rows=[], rule=rule
    )
    with pytest.raises(ValueError, match="must be at most 10"):
        next(queries)
    assert edges(10, 3) == [(0, 3), (3, 6), (6, 10)]
    assert len(edges(2, 5)) == 2
