"""What a person may do with a file, end to end, and what must hold if it ends in a problem."""

import numpy as np

import privbo_core as pb


def problem_from(data, *, log_output=False, maximize=True):
    """Load, take every column that can be an input, and normalise with rule-of-thumb hyperparameters."""
    table = pb.data.load_table(data)
    columns = pb.data.describe(table)
    usable = [c for c in columns if 2 * c.usable >= len(table)]
    numeric = [c.name for c in usable if c.kind == "number"]
    if not numeric:
        raise pb.DataError("No column is numeric.")
    *inputs, output = numeric[:4]
    encode = {c.name: c.kind for c in usable if c.kind in ("date", "category")}
    inputs += list(encode)[:3]
    encode = {name: encode[name] for name in inputs if name in encode}
    cleaned = pb.data.clean(table, inputs, output, log_output=log_output, maximize=maximize, encode=encode)
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned))


def problem_as_proposed(table):
    """Return the problem of a table with every first choice taken as it stands, as on Data."""
    first = pb.data.propose(table)
    if first.outcome is None or not first.inputs:
        raise pb.DataError(f"No column is a sensible input. {first.left_out_note()}")
    encode = {name: first.encode[name] for name in first.inputs if name in first.encode}
    options = {"encode": encode, "maximize": first.maximize, "log_output": bool(first.log_output)}
    cleaned = pb.data.clean(table, first.inputs, first.outcome, **options)
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned))


def check(problem):
    assert np.isfinite(problem.points).all()
    assert np.isfinite(problem.objective).all()
    assert np.isfinite(problem.original).all()
    np.testing.assert_allclose(np.linalg.norm(problem.points, axis=1).max(), 25.0)
    np.testing.assert_allclose(problem.points.mean(axis=0), 0.0, atol=1e-8)
    assert np.linalg.svd(problem.points, compute_uv=False)[-1] > 0
    assert 0 < problem.kernel.variance <= 1
    assert abs(problem.objective.mean()) < 1e-6
    assert problem.objective.std() <= 1 + 1e-9
    assert (problem.unit_distance > 0).all()
    # One kept row stays one row: nothing was dropped without a word.
    preparation = problem.preparation
    gone = preparation.table_rows - len(preparation.rows)
    assert problem.n == len(preparation.rows)
    assert gone <= sum(dropped.count for dropped in preparation.dropped)
    size = np.abs(problem.original).max(axis=0)
    np.testing.assert_allclose(preparation.to_original(problem.points) / size, problem.original / size, atol=1e-9)
