"""The data that a federation runs on."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb


@pytest.mark.statistical
def test_agents_are_as_alike_as_they_are_said_to_be():
    for heterogeneity in (0.0, 0.5, 1.0):
        pairs = np.array(
            [
                pb.federated.synthetic(agents=2, side=3, heterogeneity=heterogeneity, seed=seed).objectives[:, 4]
                for seed in range(4000)
            ]
        )
        # Standard errors of a variance and a covariance of unit normals are at most √(2/4000) = 0.022.
        np.testing.assert_allclose(pairs.var(axis=0), 1.0, atol=0.11)
        assert np.cov(pairs.T)[0, 1] == pytest.approx(1 - heterogeneity**2, abs=0.11)
    few, many = (pb.federated.synthetic(agents=agents, side=5).objectives for agents in (3, 6))
    np.testing.assert_allclose(few, many[:3], atol=1e-12)


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
    problem = pb.federated.from_table(table, "who", ["x", "y"], "loss", maximize=False)
    assert problem.agents == ("b", "a", "c")
    assert problem.objectives.shape == (3, 12)
    np.testing.assert_allclose(problem.objectives.mean(axis=1), 0.0, atol=1e-12)
    assert problem.objectives.std() == pytest.approx(1.0)
    own = table[table.who == "a"].sort_values(["x", "y"])["loss"].to_numpy()
    np.testing.assert_allclose(-problem.objectives[1] * problem.unit, own - own.mean())
    np.testing.assert_array_equal(problem.original, table[table.who == "a"].sort_values(["x", "y"])[["x", "y"]])
    shuffled = table.sample(frac=1.0, random_state=1)
    again = pb.federated.from_table(shuffled, "who", ["x", "y"], "loss", maximize=False)
    for n, agent in enumerate(again.agents):
        np.testing.assert_allclose(again.objectives[n], problem.objectives[problem.agents.index(agent)])


def changed(row, column, value):
    table = long_table().astype({column: object})
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (long_table().drop(columns="x"), "there is no column 'x'; the columns are 'who', 'y', 'loss'"),
        (changed(4, "loss", None), "column 'loss' is empty in row 5"),
        (changed(4, "loss", np.inf), "column 'loss' holds 'inf' in row 5"),
        (changed(7, "x", "low"), "column 'x' holds 'low' in row 8"),
        (changed(2, "who", None), "column 'who' is empty in row 3"),
        (long_table().drop(index=14), "agent a has no row for x = 0, y = 30"),
        (pd.concat([long_table(), long_table().iloc[[3]]]), "agent b has more than one row for x = 1, y = 10"),
        (long_table().query("who == 'a'"), "names 1 agent"),
        (long_table().query("x == 0 and y == 10"), "single point"),
        (long_table().assign(loss=2.0), "column 'loss' is the same at every point"),
        (long_table().query("x == 1"), "column 0 is constant"),
    ],
)
def test_tables_that_cannot_be_used_are_explained(table, words):
    with pytest.raises(pb.DataError, match=words):
        pb.federated.from_table(table, "who", ["x", "y"], "loss")


def test_the_schools_are_there():
    problem = pb.federated.schools()
    assert problem.objectives.shape == (len(problem.agents), 256)
    assert len(set(problem.agents)) == len(problem.agents) >= 80
    # They resemble each other, and not too much: the average surface explains a good part of the variation.
    shared = problem.objectives.mean(axis=0).var() / problem.objectives.var()
    assert 0.3 < shared < 0.9
    assert 4 in pb.federated.possible_sub_regions(problem.points, least_points=10)


KNOWN = pb.federated.PublicModel(unit=2.0, noise=0.1, lengthscales=(1.5, 8.0), known_from="last year's trial")


def test_with_a_public_model_an_agent_does_not_depend_on_the_others_values():
    table = long_table()
    changed_agent = table.assign(loss=table.loss.where(table.who != "c", table.loss * 50 + table.x))
    first, second = (
        pb.federated.from_table(each, "who", ["x", "y"], "loss", public=KNOWN) for each in (table, changed_agent)
    )
    np.testing.assert_array_equal(first.objectives[:2], second.objectives[:2])
    np.testing.assert_array_equal(first.points, second.points)
    assert (first.unit, first.noise_variance, first.kernel) == (second.unit, second.noise_variance, second.kernel)
    np.testing.assert_allclose(first.points, first.original / [1.5, 8.0])
    assert first.noise_variance == pytest.approx(0.05**2)
    assert (first.read_off, first.known_from) == ((), "last year's trial")
    fitted = [pb.federated.from_table(each, "who", ["x", "y"], "loss") for each in (table, changed_agent)]
    assert fitted[0].read_off
    assert not np.allclose(fitted[0].objectives[:2], fitted[1].objectives[:2])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"unit": 0.0}, "unit of the model is 0.0"),
        ({"noise": math.nan}, "noise of the model is nan"),
        ({"lengthscales": (1.0, -2.0)}, "a length-scale of the model is -2.0"),
        ({"known_from": " "}, "known_from is empty"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused(change, says):
    with pytest.raises(pb.errors.DataError, match=says):
        replace(KNOWN, **change)
    with pytest.raises(pb.errors.DataError, match="the model has 1 length-scales; each of the 2"):
        pb.federated.from_table(long_table(), "who", ["x", "y"], "loss", public=replace(KNOWN, lengthscales=(1.0,)))
