"""The noisy release in its frame: what is proved, what ε can become otherwise, and what the modeler knows."""

import dataclasses
import itertools
import math

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.bo import rule_queries, search
from privbo_core.data import Frame, FrameColumn, frame_from, normalise
from privbo_core.outsourced import Setting, Simulation, belief, following, hardest_move, true_epsilon
from privbo_core.outsourced.noisy import expected_kernel, noise_aware, noisy_guarantee, publish
from privbo_core.outsourced.simulation import PURPOSES
from privbo_core.privacy import Status, gaussian_epsilon, gaussian_sigma
from privbo_core.tradeoff import outsourced_question

DELTA = 1e-5


def marked_as_read_off(problem):
    columns = tuple(dataclasses.replace(column, taken_from_data=True) for column in problem.frame.columns)
    return dataclasses.replace(problem, known_frame=Frame(columns))


def farthest_moves(points, length):
    """Return the displacement of all rows where the farthest moves outwards by ``length``, normalised again."""
    farthest = np.linalg.norm(points, axis=1).argmax()
    moved = points.copy()
    moved[farthest] *= 1 + length / 25
    return np.linalg.norm(normalise(moved)[0] - points)


@pytest.mark.parametrize(
    ("name", "length", "displacement", "becomes"),
    [("synthetic", 1, 56, 984), ("loans", -1, 3.1, 11.6), ("homes", -1, 3.1, 11.3), ("hospital", -1, 9.2, 49.3)],
)
def test_the_checked_displacements_of_normalised_points(name, length, displacement, becomes):
    problem = pb.data.sample(name)
    moved = farthest_moves(problem.points, length)
    assert moved == pytest.approx(displacement, rel=0.015)
    epsilon = gaussian_epsilon(DELTA, gaussian_sigma(3.0, DELTA, 1.0), moved)
    assert epsilon == pytest.approx(becomes, rel=0.005)
    # The hardest move is at least as bad as either direction of the farthest row.
    found = hardest_move(problem.points, lambda points: normalise(points)[0], np.ones(problem.d))
    assert found.displacement >= max(farthest_moves(problem.points, 1), farthest_moves(problem.points, -1)) - 1e-9
    assert np.linalg.norm(found.change) == pytest.approx(1)
    assert true_epsilon(problem, 3.0, DELTA, normalised=True) >= epsilon * (1 - 1e-9)


@pytest.mark.parametrize("end", ["min", "max"])
def test_the_hardest_move_is_that_of_the_record_at_an_end(end):
    data, hide = np.random.default_rng(0).normal(size=(20, 2)), np.array([0.5, 2.0])

    def place(rows):
        return rows / hide - getattr(rows / hide, end)(axis=0)

    tried = []
    for row, change in itertools.product(range(20), np.concatenate([np.diag(hide), -np.diag(hide)])):
        moved = data.copy()
        moved[row] += change
        tried.append(np.linalg.norm(place(moved) - place(data)))
    assert hardest_move(data, place, hide).displacement == pytest.approx(max(tried))


@pytest.mark.parametrize("name", ["loans", "homes", "hospital"])
def test_only_a_public_frame_keeps_its_epsilon(name):
    problem = pb.data.sample(name)
    assert true_epsilon(problem, 3.0, DELTA) == 3.0
    kept = hardest_move(problem.original, problem.frame.place, problem.frame.hide)
    assert kept.displacement <= 1 + 1e-9
    follows = marked_as_read_off(problem)
    assert true_epsilon(follows, 3.0, DELTA) > 100
    # The value is that of the definition: neighbours by one hidden change, each in the frame read off it.
    own = dataclasses.replace(problem, known_frame=None)
    move = hardest_move(own.original, lambda data: frame_from(data).place(data), own.frame.hide)
    assert np.linalg.norm(move.change / own.frame.hide) == pytest.approx(1)
    sigma = gaussian_sigma(3.0, DELTA, 1.0)
    assert true_epsilon(own, 3.0, DELTA) == pytest.approx(gaussian_epsilon(DELTA, sigma, move.displacement), rel=1e-6)
    # More protection asked for is more noise and a longer move.
    assert true_epsilon(own, 3.0, DELTA, protected_distance=2.0) > 100


def test_one_column_taken_from_the_data_is_enough():
    problem = pb.data.sample("hospital")
    age, creatinine = problem.frame.columns
    mixed = Frame((age, dataclasses.replace(creatinine, taken_from_data=True)))
    assert true_epsilon(dataclasses.replace(problem, known_frame=mixed), 3.0, DELTA) > 50
    followed = following(mixed, problem.original)(problem.original + np.array([0.0, 1.0]))
    assert (followed.columns[0], followed.columns[1].low) == (age, pytest.approx(creatinine.low + 1))


def test_a_move_that_makes_an_indicator_constant_has_a_displacement():
    data = np.column_stack([np.arange(30.0), np.eye(30)[:, 0]])
    ranges = (("a", 30), ("b", 1))
    frame = Frame(tuple(FrameColumn(name, "", 0, high, 1, taken_from_data=True) for name, high in ranges))
    read = following(frame, data)
    assert math.isfinite(hardest_move(data, lambda other: read(other).place(other), frame.hide).displacement)


def test_the_guarantee_is_proven_in_a_public_frame_only():
    problem = pb.data.sample("loans")
    assert noisy_guarantee(3.0, DELTA, "n", problem.frame).status is Status.PROVED
    assert noisy_guarantee(3.0, DELTA, "n").status is Status.UNMET
    follows = Simulation(marked_as_read_off(problem))
    setting = Setting(3.0, DELTA, 10, 5)
    given = follows.noisy_guarantee(setting, "n")
    assert given.status is Status.UNMET
    assert "'amount', 'interest_rate', 'annual_income'" in given.in_full[0]
    assert f"{true_epsilon(follows.problem, 3.0, DELTA):,.0f} or more, not 3" in given.in_full[0]
    assert Simulation(problem).noisy_guarantee(setting, "n").status is Status.PROVED
    # On the trade-off it is drawn, and never on the front.
    _, curve = outsourced_question(follows, setting).curves
    assert curve.status is Status.UNMET
    assert not curve.counts


def test_the_expected_kernel_is_a_mean_over_the_noise():
    lengths, sigmas, rng = np.array([2.0, 0.7]), np.array([0.5, 1.5]), np.random.default_rng(3)
    wide, variance, nugget = expected_kernel(lengths, sigmas, 0.7)
    noise = sigmas * rng.standard_normal((2, 400_000, 2))
    apart = np.array([1.0, -0.5]) + noise[0] - noise[1]
    expected = 0.7 * np.exp(-0.5 * ((apart / lengths) ** 2).sum(axis=1)).mean()
    assert variance * np.exp(-0.5 * ((np.array([1.0, -0.5]) / wide) ** 2).sum()) == pytest.approx(expected, rel=0.01)
    assert variance + nugget == pytest.approx(0.7)
    kernel, same = noise_aware(pb.gp.SquaredExponential(2.0, 0.7), 1.5, 3)
    wide, variance, nugget = expected_kernel([2.0] * 3, [1.5] * 3, 0.7)
    assert (kernel.lengthscale, kernel.variance, same) == (wide[0], variance, nugget)


def test_the_belief_depends_on_public_facts_only():
    synthetic = pb.data.sample("synthetic")
    known = belief(synthetic)
    np.testing.assert_allclose(known.lengthscales, synthetic.kernel.lengthscale)
    assert (known.variance, known.noise_variance) == (1.0, 1e-5)
    # Other private inputs, fitted otherwise, in the same public frame: the modeler believes the same.
    loans = pb.data.sample("loans")
    other = dataclasses.replace(
        loans, points=loans.points[::-1], original=loans.original[::-1] / 2, kernel=pb.gp.SquaredExponential(3.0, 0.1),
        noise_variance=0.01,
    )  # fmt: skip
    for part in ("lengthscales", "variance", "noise_variance"):
        np.testing.assert_array_equal(getattr(belief(loans), part), getattr(belief(other), part))
    np.testing.assert_allclose(belief(loans).lengthscales, [39 / 4, 26 / 4, 5])


def test_each_column_is_read_with_its_own_lengthscale():
    prior = pb.outsourced.Belief(np.array([3.0, 1.0, 8.0]), 0.6, 0.1)
    z = np.random.default_rng(5).standard_normal((40, 3)) * 4
    points, kernel, nugget = prior.read(z, 1.3)
    wide, variance, own = expected_kernel(prior.lengthscales, [1.3] * 3, 0.6)
    squared = (((z[:, None] - z[None]) / wide) ** 2).sum(axis=-1)
    found = kernel.profile(((points[:, None] - points[None]) ** 2).sum(axis=-1))
    np.testing.assert_allclose(found, variance * np.exp(-0.5 * squared), rtol=1e-9)
    assert nugget == own


def test_the_rows_asked_for_do_not_depend_on_the_unit_of_the_outcome():
    problem = pb.data.sample("hospital")
    setting = Setting(3.0, DELTA, 10, 10)
    scaled = dataclasses.replace(
        problem, objective=problem.objective * 0.5, noise_variance=problem.noise_variance * 0.25
    )
    one, other = (Simulation(each).run("noisy", setting, 0) for each in (problem, scaled))
    np.testing.assert_array_equal(one.rows, other.rows)


@pytest.mark.parametrize("name", ["loans", "hospital"])
def test_the_noisy_release_beats_random_search(name):
    simulation = Simulation(pb.data.sample(name))
    for epsilon in (1.0, 3.0):
        *_, found = simulation.compare(Setting(epsilon, DELTA, 10, 50), 20, ("noisy",))
        noisy, random = found.band("noisy"), found.band("random")
        apart = random.mean[-1] - noisy.mean[-1]
        assert apart > 3 * math.hypot(noisy.standard_error[-1], random.standard_error[-1])
        cost = found.extra(mechanism="noisy")
        assert name != "loans" or cost.mean[-1] > -2 * cost.standard_error[-1]


def test_a_real_release_is_refused_without_a_public_frame():
    table = pd.DataFrame({"a": [1.0, 2.0, 50.0], "b": [3.0, 4.0, 5.0]})
    known = Frame(
        (
            FrameColumn("b", "", 0, 10, 2),
            FrameColumn("a", "", 0, 10, 1),
        )
    )
    released = publish(table, known, 1e6, DELTA)
    assert released.sigma < 0.01
    np.testing.assert_allclose(released.Z, [[-1, -4], [-0.5, -3], [0, 5]], atol=6 * released.sigma)
    with pytest.raises(pb.DataError, match=r"of 'a', 'b' was taken from the data.*accept_read_off"):
        publish(table, frame_from(table), 1.0, DELTA)
    accepted = publish(table, frame_from(table), 1.0, DELTA, accept_read_off=True)
    assert accepted.sigma == pytest.approx(gaussian_sigma(1.0, DELTA, 1.0))
    assert publish(table, known, 1.0, DELTA, protected_distance=3.0).sigma == pytest.approx(3 * accepted.sigma)
    with pytest.raises(pb.DataError, match="'a' is not in the table"):
        publish(table[["b"]], known, 1.0, DELTA)


@pytest.mark.parametrize("name", list(pb.data.SAMPLES))
def test_the_search_without_noise_has_the_analyst_s_model(name):
    """So that what is left between the two is privacy: as ε grows, the release's runs become those without noise."""
    problem = pb.data.sample(name)
    simulation, setting = Simulation(problem), Setting(3.0, DELTA, 10, 12)
    prior = belief(problem)
    points, kernel, nugget = prior.read(problem.frame.place(problem.original), 0.0)
    assert (nugget, kernel.variance) == (0.0, prior.variance)
    model = {"kernel": kernel, "noise_variance": prior.noise_variance, "iterations": 12}
    queries = rule_queries(points, **model, initial_rows=simulation.run("plain", setting, 1).rows[:5])
    noise, deviation = np.random.default_rng([1, 1, PURPOSES.index("noise")]), np.sqrt(problem.noise_variance)
    rows, _ = search(queries, lambda row: problem.objective[row] + deviation * noise.standard_normal())
    np.testing.assert_array_equal(simulation.run("noiseless", setting, 1).rows, rows)


def test_each_release_is_compared_with_a_search_of_its_model():
    problem = pb.data.sample("hospital")
    simulation, setting = Simulation(problem), Setting(3.0, DELTA, 10, 8)
    *_, found = simulation.compare(setting, 3, ("private", "noisy"))
    assert found.references == ("plain", "noiseless")
    for mechanism, reference in (("private", "plain"), ("noisy", "noiseless")):
        assert found.reference(mechanism) == reference
        pairs = zip(getattr(found, mechanism), getattr(found, reference), strict=True)
        apart = [(a.simple_regret[-1] - b.simple_regret[-1]) / problem.sigma_y for a, b in pairs]
        assert found.extra(mechanism=mechanism).mean[-1] == pytest.approx(np.mean(apart))
    *_, alone = simulation.compare(setting, 3, ("noisy",))
    assert (alone.runs, alone.plain, alone.references) == (3, (), ("noiseless",))
    *_, none = simulation.compare(setting, 3, ())
    assert none.references == ("plain",)
    # Noise, ε and r are not its business.
    assert simulation.finished("noiseless", Setting(9.0, 1e-3, 4, 8, protected_distance=5.0), 3) == 3
    # In another frame of the grid's the formula's own search is another search.
    synthetic = pb.data.sample("synthetic")
    assert Simulation(synthetic).policies(("private", "noisy")) == ("private", "noisy", "plain", "random")
    narrow = Frame(tuple(dataclasses.replace(column, high=0.0) for column in synthetic.frame.columns))
    assert Simulation(dataclasses.replace(synthetic, known_frame=narrow)).reference("noisy") == "noiseless"


def test_the_cached_true_epsilon_is_the_true_epsilon():
    follows = Simulation(marked_as_read_off(pb.data.sample("homes")))
    for epsilon, distance in ((1.0, 1.0), (3.0, 1.0), (3.0, 2.5)):
        setting = Setting(epsilon, DELTA, 10, 5, protected_distance=distance)
        expected = true_epsilon(follows.problem, epsilon, DELTA, protected_distance=distance)
        assert follows.true_epsilon(setting) == pytest.approx(expected)
    assert Simulation(pb.data.sample("homes")).true_epsilon(Setting(3.0, DELTA, 10, 5)) is None
