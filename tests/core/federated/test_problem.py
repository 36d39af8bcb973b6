"""The data that a federation runs on."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.federated import from_table, synthetic
from tests.helpers.amounts import few
from tests.helpers.numbers import numbers
from tests.helpers.refusing import refusals


def test_agents_are_as_alike_as_they_are_said_to_be():
    count = few(1000, 4000)
    for heterogeneity in (0.0, 0.5, 1.0):
        drawn = (synthetic(agents=2, side=3, heterogeneity=heterogeneity, seed=seed) for seed in range(count))
        pairs = np.array([each.objectives[:, 4] for each in drawn])
        # Standard errors of a variance and a covariance of unit normals are at most √(2/count).
        allowed = 5 * math.sqrt(2 / count)
        np.testing.assert_allclose(pairs.var(axis=0), 1.0, atol=allowed)
        assert np.cov(pairs.T)[0, 1] == pytest.approx(1 - heterogeneity**2, abs=allowed)
    three, six = (synthetic(agents=agents, side=5).objectives for agents in (3, 6))
    np.testing.assert_allclose(three, six[:3], atol=1e-12)


def long_table():
    grid = [(x, y) for x in (0.0, 1.0, 2.0, 4.0) for y in (10.0, 20.0, 30.0)]
    rows = [
        {"who": who, "x": x, "y": y, "loss": 5.0 + shift + math.sin(x + shift) + y / 30 + 0.1 * x * y}
        for shift, who in enumerate(["b", "a", "c"])
        for x, y in grid
    ]
    return pd.DataFrame(rows)


def test_a_table_becomes_objectives_whatever_its_order():
    table = long_table()
    problem = from_table(table, "who", ["x", "y"], "loss", maximize=False)
    assert (problem.agents, problem.objectives.shape) == (("b", "a", "c"), (3, 12))
    np.testing.assert_allclose(problem.objectives.mean(axis=1), 0.0, atol=1e-12)
    assert problem.objectives.std() == pytest.approx(1.0)
    own = table[table.who == "a"].sort_values(["x", "y"])
    np.testing.assert_allclose(-problem.objectives[1] * problem.unit, own["loss"] - own["loss"].mean())
    np.testing.assert_array_equal(problem.original, own[["x", "y"]])
    shuffled = table.sample(frac=1.0, random_state=1)
    again = from_table(shuffled, "who", ["x", "y"], "loss", maximize=False)
    for n, agent in enumerate(again.agents):
        np.testing.assert_allclose(again.objectives[n], problem.objectives[problem.agents.index(agent)])


def changed(row, column, value):
    table = long_table().astype({column: object})
    table.loc[row, column] = value
    return table


def used(table, **how):
    return from_table(table, "who", ["x", "y"], "loss", **how)


test_tables_that_cannot_be_used_are_explained = refusals(
    (lambda: used(long_table().drop(columns="x")), "No column is called 'x'. The columns are 'who', 'y', 'loss'"),
    (lambda: used(long_table().assign(loss=np.inf)), "'loss' has 36 unusable cells of 36"),
    (lambda: used(changed(7, "x", "low").assign(y=None)), "'y' has 36 unusable cells"),
    (lambda: used(long_table().query("x == 0 and y < 25").drop(index=[12, 13, 24])), "0 of 2 agents at 3 or more"),
    (lambda: used(long_table().query("who == 'a'")), "names 1 agent"),
    (lambda: used(long_table().query("x == 0 and y == 10")), "single point"),
    (lambda: used(long_table().assign(loss=2.0)), "column 'loss' is the same at every point"),
    (lambda: used(long_table().query("x == 1")), "column 0 is constant"),
    error=pb.DataError,
)


def test_gaps_drop_rows_and_repeats_are_averaged():
    table = pd.concat([long_table()] * 3, ignore_index=True)
    table["loss"] += 0.3 * np.random.default_rng(0).standard_normal(len(table))
    table.loc[4, "loss"] = np.nan
    problem = from_table(table, "who", ["x", "y"], "loss")
    assert not problem.modelled
    assert [numbers(note) for note in problem.notes[:2]] == [[107, 108, 1], [1, 5]]
    assert numbers(problem.notes[2])[:3] == [36, 36, 107]
    groups = table.dropna().groupby(["who", "x", "y"])["loss"]
    pooled = (groups.var() * (groups.count() - 1)).sum() / (107 - 36)
    assert problem.noise_variance == pytest.approx(pooled / problem.unit**2)


def scattered(agents=6, each=25, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(agents):
        at = rng.uniform(0, 10, each)
        rows += [(f"site {n}", x, 10 * n + np.sin(x + 0.1 * n) + 0.05 * rng.standard_normal()) for x in at]
    return pd.DataFrame(rows, columns=["who", "x", "effect"])


def test_agents_measured_at_different_points_are_modelled():
    problem = from_table(scattered(), "who", ["x"], "effect")
    assert problem.modelled
    assert "The search optimises this model, not the measurements" in problem.notes[-1]
    assert any("measured at different points" in each for each in problem.read_off)
    assert problem.objectives.shape == (6, 150)
    inner = (problem.original[:, 0] > 1) & (problem.original[:, 0] < 9)
    for n in range(6):
        truth = np.sin(problem.original[:, 0] + 0.1 * n)
        found = problem.objectives[n] * problem.unit
        assert np.abs((found - found[inner].mean()) - (truth - truth[inner].mean()))[inner].max() < 0.25
    assert from_table(scattered(each=80), "who", ["x"], "effect").objectives.shape == (6, 300)


def test_agents_with_fewer_than_three_points_are_left_out():
    table = pd.concat([scattered(), pd.DataFrame({"who": ["new"] * 2, "x": [1.0, 2.0], "effect": [3.0, 4.0]})])
    problem = from_table(table, "who", ["x"], "effect")
    assert len(problem.agents) == 6
    assert any(numbers(note) == [1, 3] for note in problem.notes)


def test_the_schools_are_there():
    problem = pb.federated.schools()
    assert problem.objectives.shape == (len(problem.agents), 256)
    assert len(set(problem.agents)) == len(problem.agents) >= 80
    # They resemble each other, and not too much: the average surface explains a good part of the variation.
    shared = problem.objectives.mean(axis=0).var() / problem.objectives.var()
    assert 0.3 < shared < 0.9
    assert 4 in pb.federated.possible_sub_regions(problem.points, least_points=10)


KNOWN = pb.federated.PublicModel(unit=2.0, noise=0.1, lengthscales=(1.5, 8.0))


def test_with_a_public_model_agents_do_not_affect_each_other():
    table = long_table()
    changed_agent = table.assign(loss=table.loss.where(table.who != "c", table.loss * 50 + table.x))
    first, second = (from_table(each, "who", ["x", "y"], "loss", public=KNOWN) for each in (table, changed_agent))
    np.testing.assert_array_equal(first.objectives[:2], second.objectives[:2])
    np.testing.assert_array_equal(first.points, second.points)
    assert (first.unit, first.noise_variance, first.kernel) == (second.unit, second.noise_variance, second.kernel)
    np.testing.assert_allclose(first.points, first.original / [1.5, 8.0])
    assert first.noise_variance == pytest.approx(0.05**2)
    assert first.read_off == ()
    fitted = [from_table(each, "who", ["x", "y"], "loss") for each in (table, changed_agent)]
    assert fitted[0].read_off
    assert not np.allclose(fitted[0].objectives[:2], fitted[1].objectives[:2])
    table = scattered()
    known = replace(KNOWN, lengthscales=(1.5,))
    other = table.assign(effect=table.effect.where(table.who != "site 3", -7 * table.effect))
    first, second = (from_table(each, "who", ["x"], "effect", public=known) for each in (table, other))
    np.testing.assert_array_equal(first.objectives[[0, 1, 2, 4, 5]], second.objectives[[0, 1, 2, 4, 5]])
    assert not np.allclose(first.objectives[3], second.objectives[3])
    assert first.read_off == (pb.federated.problem.GRID,)  # where they were measured, and nothing else


test_a_model_that_cannot_be_used_is_refused = refusals(
    (lambda: replace(KNOWN, unit=0.0), "unit of the model is 0.0"),
    (lambda: replace(KNOWN, noise=math.nan), "noise of the model is nan"),
    (lambda: replace(KNOWN, lengthscales=(1.0, -2.0)), "a length-scale of the model is -2.0"),
    (lambda: used(long_table(), public=replace(KNOWN, lengthscales=(1.0,))), "the model has 1 length-scales. Each of"),
    error=pb.DataError,
)


def test_a_cell_of_one_agent_moves_no_other_agent():
    cells = long_table().assign(loss=lambda t: t["loss"].map("{:.3f}".format))
    odd = cells.assign(loss=cells["loss"].where(cells.who != "c", "1,5"))
    plain, changed = (from_table(each, "who", ["x", "y"], "loss", public=KNOWN) for each in (cells, odd))
    assert plain.read_off == changed.read_off == ()
    np.testing.assert_array_equal(plain.objectives[:2], changed.objectives[:2])
    assert not np.allclose(plain.objectives[2], changed.objectives[2])
