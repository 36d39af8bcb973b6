"""The noisy release: what it depends on, how much noise, and what a modeler makes of it."""

import json
from fractions import Fraction

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.data import Frame, FrameColumn
from privbo_core.outsourced import Setting, Simulation, noise_aware
from privbo_core.privacy import release
from tests.helpers.amounts import few
from tests.helpers.numbers import tells
from tests.helpers.paths import RESULTS
from tests.helpers.refusing import refusals

STORED = RESULTS
RESULTS = json.loads((RESULTS / "noisy_release.json").read_text(encoding="utf-8"))
POINTS = np.random.default_rng(0).uniform(-10, 10, (60, 3))


def noisy(points, epsilon=1.0, delta=1e-5, *, seed=0, **options):
    options = {"bounds": (-25, 25)} | options
    return pb.outsourced.noisy_release(points, epsilon, delta, rng=np.random.default_rng(seed), **options)


def test_a_kernel_without_a_closed_form_is_left_unchanged():
    assert noise_aware(pb.gp.Matern52(2.0), 1.5, 2) == (pb.gp.Matern52(2.0), 0.0)


@pytest.mark.parametrize(("epsilon", "sigma"), [(1.0, 3.7306), (np.exp(1.1), 1.3889), (np.exp(2.0), 0.64115)])
def test_the_checked_noise(epsilon, sigma):
    assert noisy(POINTS, epsilon).sigma == pytest.approx(sigma, abs=6e-5)
    assert noisy(POINTS, epsilon, protected_distance=3.0).sigma == pytest.approx(3 * sigma, rel=1e-4)


def test_the_release_is_the_clipped_points_plus_noise():
    many = np.random.default_rng(1).uniform(-40, 40, (20_000, 2))
    bounds = [(-25.0, 25.0), (0.0, 10.0)]
    released = noisy(many, 2.0, bounds=bounds)
    noise = released.Z - (np.clip(many, [-25, 0], [25, 10]) - [0, 5])
    assert noise.std() == pytest.approx(released.sigma, rel=0.02)
    assert abs(noise.mean()) < 0.05


def test_a_row_of_the_release_depends_on_its_own_clipped_record():
    outside = POINTS.copy()
    outside[3] = [1e9, -1e9, 0.0]
    inside = outside.copy()
    inside[3] = [25.0, -25.0, 0.0]
    first, second = noisy(outside), noisy(inside)
    np.testing.assert_array_equal(first.Z, second.Z)
    # Moving one row moves that row of Z and no other.
    moved = noisy(outside).Z - noisy(POINTS).Z
    assert np.flatnonzero(np.abs(moved).max(axis=1)).tolist() == [3]


def test_the_sensitivity_is_the_stretched_distance():
    a = np.random.default_rng(2).standard_normal((3, 5))
    released = noisy(POINTS, projection=a, protected_distance=2.0)
    assert released.r == 5
    assert released.sigma == pytest.approx(pb.privacy.gaussian_sigma(1.0, 1e-5, 2 * np.linalg.norm(a, 2)))
    # No two rows lie farther apart than the diagonal of the bounds: that protects whole rows.
    whole = noisy(POINTS, protected_distance=np.inf)
    assert whole.sigma == pytest.approx(pb.privacy.gaussian_sigma(1.0, 1e-5, 50 * np.sqrt(3)))


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_larger_differences_have_the_epsilon_of_a_group(epsilon):
    twice, ten = (pb.privacy.group_epsilon(epsilon, 1e-6, times) for times in (2, 10))
    assert tells(pb.outsourced.larger_differences(epsilon, 1e-6), twice, ten)


def test_a_real_release_cannot_be_repeated():
    first, second = (pb.outsourced.publish_noisy(POINTS, 1.0, 1e-5, bounds=(-25, 25)) for _ in range(2))
    noise = first.Z - POINTS
    assert (first.Z.shape, first.delta) == (POINTS.shape, 1e-5)
    assert 0.6 * first.sigma < noise.std() < 1.5 * first.sigma
    assert not np.allclose(first.Z, second.Z)


def in_frame(rows, low, high, hide):
    columns = (FrameColumn("a", "", low, high, hide), FrameColumn("b", "", -high, -low, hide))
    pb.outsourced.publish(rows, Frame(columns), 1.0, 1e-5, accept_read_off=True)


def in_bounds(rows, low, high, hide, **options):
    bounds = [(low, high), (-high, -low)]
    pb.outsourced.publish_noisy(rows, 1.0, 1e-5, bounds=bounds, protected_distance=hide, **options)


def turned(rows, *given):
    in_bounds(rows, *given, projection=[[0.6, 0.8], [-0.8, 0.6]])


def without_slack(made):
    wide = np.linalg.norm(made.bounds[:, 1] - made.bounds[:, 0])
    return float(np.linalg.norm(made.projection, 2)) * min(made.protected_distance, float(wide))


@pytest.mark.parametrize("door", [in_frame, in_bounds, turned])
def test_no_neighbours_are_farther_apart_than_the_sensitivity(door, monkeypatch):
    """In exact arithmetic, of the doubles that noise is added to; as it was without slack for rounding, they do."""

    def farthest():
        rng, most = np.random.default_rng(5), Fraction(0)
        for _ in range(few(150, 2000)):
            noted = []
            low, width, turn = rng.uniform(-1e6, 1e6), 10.0 ** rng.uniform(-3, 6), rng.uniform(0, 2 * np.pi)
            high, hide = low + width, width * 10.0 ** rng.uniform(-8.5, 0.5)
            here = np.array([low, -high]) + rng.random(2) * width
            there = here + hide * np.array([np.cos(turn), np.sin(turn)])
            while sum((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(here, there, strict=True)) > Fraction(hide) ** 2:
                there = np.nextafter(there, here)
            with monkeypatch.context() as patched:
                given = lambda exact, mechanism, noted=noted: noted.append((exact, mechanism)) or iter([(2, exact)])  # noqa: E731
                patched.setattr(release, "gaussian", given)
                door([here, there], low, high, hide)
            [((one, other), mechanism)] = noted
            apart = sum((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(one, other, strict=True))
            most = max(most, apart / Fraction(mechanism.sensitivity) ** 2)
        return most

    assert 0.99 < farthest() <= 1
    monkeypatch.setattr("privbo_core.outsourced.noisy._rounded_sensitivity", without_slack)
    assert farthest() > 1


def test_runs_share_their_dice_and_depend_on_what_they_should():
    simulation = Simulation(pb.data.synthetic(side=20))
    setting = Setting(8.0, 1e-5, 10, 15)
    near, far = (simulation.noisy_release(Setting(e, 1e-5, 10, 15), 0) for e in (1.0, 8.0))
    points = simulation.problem.points
    np.testing.assert_allclose((near.Z - points) / near.sigma, (far.Z - points) / far.sigma, atol=1e-9)
    *_, comparison = simulation.compare(setting, 3, ("private", "noisy"))
    assert (comparison.mechanisms, comparison.runs) == (("private", "noisy"), 3)
    for a, b in zip(comparison.noisy, comparison.plain, strict=True):
        np.testing.assert_array_equal(a.rows[:5], b.rows[:5])
    *_, alone = simulation.compare(setting, 3, ("noisy",))
    assert (alone.mechanisms, alone.private) == (("noisy",), ())
    np.testing.assert_array_equal(alone.noisy[0].rows, comparison.noisy[0].rows)
    # r belongs to the paper's projection: another one is not another noisy run.
    assert simulation.finished("noisy", Setting(8.0, 1e-5, 30, 15), 5) == 3
    assert simulation.finished("noisy", Setting(7.0, 1e-5, 10, 15), 5) == 0


def test_stored_results_have_the_order_of_the_noise():
    """Less ε, more regret; and a modeler who reckons with the noise does better at each ε, so that is the default."""
    regret = {name: result["S_50"] for name, result in RESULTS["results"].items()}
    for how in ("aware of the noise", "kernel as it is"):
        rising = [regret[f"ε = {epsilon}, {how}"] for epsilon in (8, 3, 1)]
        assert rising == sorted(rising)
    assert all(regret[f"ε = {e}, aware of the noise"] < regret[f"ε = {e}, kernel as it is"] for e in (8, 3, 1))
    assert regret["ε = 1, aware of the noise"] < regret["random search"]
    assert regret["non-private"] < regret["ε = 8, kernel as it is"]
    assert Setting(1.0, 1e-5, 10, 10).aware
    assert RESULTS["command"].endswith("results/noisy_release.json")


def test_the_stored_order_comes_out_again():
    simulations = [Simulation(pb.data.synthetic(lengthscale=1.0, seed=seed), seed=seed) for seed in range(100, 110)]

    def mean(policy, epsilon, aware=True):
        setting = Setting(epsilon, 1e-5, 10, 50, aware=aware)
        return np.mean([t.simple_regret[-1] for s in simulations for t in s.stream(policy, setting, few(5, 10))])

    assert mean("noisy", 8.0) < mean("noisy", 3.0) < mean("noisy", 1.0)
    assert mean("noisy", 3.0) < mean("noisy", 3.0, aware=False) < mean("random", 1.0)


test_unusable_input_is_refused = refusals(
    (lambda: noisy(POINTS, bounds=[(-1, 1), (0, 0), (0, 1)]), "bounds of column 1 are \\(0, 0\\)"),
    (lambda: noisy(POINTS, bounds=[(-1, 1), (0, 1)]), "bounds has shape \\(2, 2\\).*each of the 3"),
    (lambda: noisy(POINTS, bounds=(0, np.inf)), "bounds holds inf"),
    (lambda: noisy(POINTS, protected_distance=0.0), "protected_distance is 0.0"),
    (lambda: noisy(POINTS, protected_distance=float("nan")), "protected_distance is nan"),
    (lambda: noisy(POINTS, projection=np.ones((2, 4))), "must have 3 rows"),
    (lambda: noisy(POINTS, 0.0), "epsilon is 0.0"),
    (lambda: noisy(POINTS, delta=1.0), "delta is 1.0"),
    (lambda: noisy(POINTS, delta=0.0), "delta"),
)
