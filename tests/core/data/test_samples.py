"""The problems that come with PrivBO: real tables, and those made by a formula."""

import importlib.util

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data.samples import branin_values
from tests.helpers.amounts import few
from tests.helpers.paths import SAMPLES
from tests.helpers.refusing import refusals

OUTCOMES = {"loans": "roi", "homes": "price_per_area", "hospital": "free_light_chain"}
REAL = list(OUTCOMES)


def test_the_script_makes_the_committed_files(tmp_path):
    spec = importlib.util.spec_from_file_location("make_samples", SAMPLES / "make_samples.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{name}.csv" for name in REAL)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (SAMPLES / path.name).read_bytes(), path.name
    assert sum(path.stat().st_size for path in SAMPLES.iterdir() if path.is_file()) < 3_000_000


@pytest.mark.parametrize("name", [*REAL, "schools"])
def test_shipped_tables_are_read_as_pandas_reads_them(name):
    table, expected = pb.data.load_table(SAMPLES / f"{name}.csv"), pd.read_csv(SAMPLES / f"{name}.csv")
    assert list(table.columns) == list(expected.columns)
    for column in expected:
        if expected[column].dtype.kind in "if":
            np.testing.assert_array_equal(table[column].to_numpy(float), expected[column].to_numpy(float))
        else:
            assert table[column].tolist() == expected[column].tolist()


@pytest.mark.parametrize(
    ("name", "inputs", "outcome", "logarithm"),
    [
        ("homes", ("longitude", "latitude", "living_area", "price_per_area"), "price", False),
        ("loans", ("amount", "interest_rate", "annual_income"), "roi", False),
        ("hospital", ("age", "sex", "creatinine", "log_creatinine", "kappa", "lambda"), "free_light_chain", True),
        ("schools", ("school", "log10_C", "log10_gamma"), "accuracy", False),
    ],
)
def test_the_first_choices_for_shipped_tables(name, inputs, outcome, logarithm):
    first = pb.data.propose(pb.data.load_table(SAMPLES / f"{name}.csv"))
    assert (first.inputs, first.outcome, bool(first.log_output)) == (inputs, outcome, logarithm)


@pytest.mark.parametrize(
    ("name", "outcome"), [("loans", "roi"), ("homes", "price_per_area"), ("hospital", "free_light_chain")]
)
def test_samples_are_their_tables_normalised_by_their_lengthscales(name, outcome):
    problem = pb.data.sample(name)
    table = pd.read_csv(SAMPLES / f"{name}.csv").dropna()
    outcomes = np.log(table[outcome].where(lambda each: each > 0)).dropna()
    inputs = table.loc[outcomes.index, list(problem.names)].to_numpy(float)
    np.testing.assert_array_equal(problem.original, inputs)
    scaled = (inputs - inputs.mean(axis=0)) / problem.preparation.lengthscales
    factor = 25.0 / np.linalg.norm(scaled, axis=1).max()
    np.testing.assert_allclose(problem.points, factor * scaled, atol=1e-9)
    assert problem.kernel.lengthscale == pytest.approx(factor)
    sign = -1.0 if name == "homes" else 1.0
    scale, fitted = problem.preparation.output_scale, problem.sigma_y * problem.preparation.output_scale
    assert scale == pytest.approx(max(outcomes.std(ddof=0), fitted))
    np.testing.assert_allclose(problem.objective, sign * (outcomes - outcomes.mean()) / scale, atol=1e-9)


@pytest.mark.parametrize("name", REAL)
def test_samples_have_units_and_documented_public_frames(name):
    problem = pb.data.sample(name)
    assert (problem.identity, problem.maximize) == (f"sample/{name}", name != "homes")
    assert all([*problem.units, problem.preparation.output_unit])
    assert problem.frame.public
    assert [column.unit for column in problem.frame.columns] == list(problem.units)
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for column in problem.frame.columns:
        assert f"| `{column.name}` | {column.low:.10g} | {column.high:.10g} | {column.hide:.10g} |" in readme
    outside = (problem.original < problem.frame.limits[:, 0]) | (problem.original > problem.frame.limits[:, 1])
    assert outside.mean() < 0.001


@pytest.mark.parametrize("name", few(["homes"], REAL))
def test_the_stored_hyperparameters_are_those_of_a_fit(name):
    # The same rows and the same start, so only rounding and the libraries differ.
    problem = pb.data.sample(name)
    preparation = problem.preparation
    sign = 1.0 if problem.maximize else -1.0
    outcome = sign * problem.objective * preparation.output_scale + preparation.output_centre
    cleaned = pb.data.Cleaned(
        problem.original, outcome, problem.names, problem.units, problem.output, "", problem.maximize, True,
        preparation.table_rows, preparation.rows, (), (), (),
    )  # fmt: skip
    *_, last = pb.data.fitting(cleaned, restarts=few(1, 2), subset=1000)
    refitted = pb.data.finish(cleaned, last.best)
    np.testing.assert_allclose(preparation.lengthscales, refitted.preparation.lengthscales, rtol=0.1)
    assert refitted.kernel.variance == pytest.approx(problem.kernel.variance, rel=0.2)
    assert refitted.noise_variance == pytest.approx(problem.noise_variance, rel=0.2)


def test_the_loans_have_the_documented_outcome():
    table = pb.data.load_table(SAMPLES / "loans.csv")
    assert len(table) == 9691
    assert table["annual_income"].between(1, 200_000).all()
    assert int((table["roi"] <= 0).sum()) == 22
    # A loan in good standing earns about its rate, less what was repaid so far.
    ratio = (table["roi"] / table["interest_rate"]).median()
    assert 0.7 < ratio < 1.1


def test_the_default_grid_is_the_papers():
    problem = pb.data.sample("synthetic")
    assert (problem.n, problem.d) == (10_000, 2)
    assert np.sqrt((problem.points**2).sum(axis=1)).max() == pytest.approx(25.0)
    np.testing.assert_allclose(problem.points.mean(axis=0), 0.0, atol=1e-12)
    # One unit of protected distance leads back to the grid's own units.
    moved = problem.original[0] + np.array([problem.unit_distance[0], 0.0])
    scale = 1.0 / problem.unit_distance
    assert np.linalg.norm((moved - problem.original[0]) * scale) == pytest.approx(1.0)
    np.testing.assert_allclose(problem.original * scale, problem.points, atol=1e-9)


def test_draws_have_the_covariance_that_they_claim():
    draws = np.array([pb.data.synthetic(side=8, seed=seed).objective for seed in range(few(1000, 4000))])
    problem = pb.data.synthetic(side=8)
    distance = ((problem.points[:, None] - problem.points[None]) ** 2).sum(-1)
    expected = np.exp(-distance / (2 * problem.kernel.lengthscale**2))
    # The standard error of a covariance of unit normals is at most √2/√draws.
    assert np.abs(np.cov(draws.T) - expected).max() < 5 * np.sqrt(2 / len(draws))
    assert np.abs(draws.mean(axis=0)).max() < 5 / np.sqrt(len(draws))


def test_branin_has_its_three_known_minima():
    minima = np.array([[-np.pi, 12.275], [np.pi, 2.275], [9.42478, 2.475]])
    np.testing.assert_allclose(branin_values(minima), 0.397887, atol=1e-6)
    problem = pb.data.sample("branin")
    logarithm = -np.log1p(branin_values(problem.original))
    np.testing.assert_allclose(problem.objective, (logarithm - logarithm.mean()) / logarithm.std())
    assert not problem.maximize
    best = problem.original[problem.objective.argmax()]
    assert np.linalg.norm(minima - best, axis=1).min() < 0.3


def test_branin_keeps_the_hyperparameters_that_a_fit_finds():
    problem = pb.data.sample("branin")
    kernel, noise, lengthscales = pb.gp.fit(problem.points, problem.objective, restarts=few(1, 3))
    np.testing.assert_allclose(lengthscales, problem.kernel.lengthscale, rtol=0.1)
    assert kernel.variance == pytest.approx(problem.kernel.variance, rel=0.3)
    assert 0.1 < noise / problem.noise_variance < 10


test_unusable_input_is_refused = refusals(
    (lambda: pb.data.sample("nothing"), "'synthetic', 'branin'"),
    (lambda: pb.data.synthetic(side=1), "side is 1"),
    (lambda: pb.data.normalise(np.ones((3, 2))), "all rows are equal"),
)
