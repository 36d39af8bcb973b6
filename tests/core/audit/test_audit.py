"""The audit: attacks that succeed where they must, fail where they must, and bounds that hold as often as they say."""

import math

import numpy as np
import pytest
from scipy.stats import beta, norm

import privbo_core as pb
from privbo_core.audit import epsilon_lower_bound, frame_attack, gaussian_lower_bound, likelihood_ratio_attack
from privbo_core.privacy import gaussian_sigma
from tests.helpers.amounts import few
from tests.helpers.refusing import refusals

GRID = pb.data.sample("synthetic")
DELTA = 1e-5


@pytest.mark.parametrize("branch", ["projected", "amplified"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 100.0])
def test_the_column_space_test_is_certain_in_both_branches(epsilon, branch):
    """Meeting σ_min ≥ ω at ε = 0.01 takes data so wide that a move of 1 is 1/20 000 of it."""
    rng = np.random.default_rng(0)
    for _ in range(few(30, 100)):
        d, r, delta = 1, 2, 0.1
        if branch == "amplified":
            d, r, delta = int(rng.integers(1, 5)), int(rng.integers(1, 13)), DELTA
        points, _ = pb.data.normalise(rng.standard_normal((int(rng.integers(20, 300)), d)))
        share = pb.outsourced.omega(epsilon, delta, r) / pb.outsourced.spectrum(points).sigma_min
        points *= 1.01 * share if branch == "projected" else min(1.0, 0.99 * share)
        release = pb.outsourced.curate(points, epsilon, delta, r, rng)
        assert release.amplified == (branch == "amplified")
        assert pb.audit.column_space_test(release, points) < 1e-10
        assert pb.audit.column_space_test(release, pb.audit.move_one(points, rng)[0]) > 1e-5


def test_the_checked_numbers_of_the_grid():
    rng = np.random.default_rng(1)
    release = pb.outsourced.curate(GRID.points, 0.01, DELTA, 10, rng)
    assert pb.audit.column_space_test(release, GRID.points) < 1e-14
    assert 1e-4 < pb.audit.column_space_test(release, pb.audit.move_one(GRID.points, rng)[0]) < 2e-3
    known = [0, 99, 5050]
    rebuilt = pb.audit.reconstruct(release, known, GRID.points[known])
    assert np.abs(rebuilt.points - GRID.points).max() < 1e-10


@pytest.mark.parametrize("epsilon", [0.01, 1e5])
@pytest.mark.parametrize(("d", "r"), [(1, 1), (2, 2), (2, 10), (3, 4), (5, 8), (2, 1), (3, 1), (3, 2), (6, 4)])
def test_d_plus_1_records_reveal_the_others(epsilon, d, r):
    rng = np.random.default_rng([d, r])
    for _ in range(few(3, 20)):
        points, _ = pb.data.normalise(rng.standard_normal((500, d)))
        release = pb.outsourced.curate(points, epsilon, DELTA, r, rng)
        rows = pb.audit.spread_rows(points, rng)
        rebuilt = pb.audit.reconstruct(release, rows, points[rows])
        wrong = rebuilt.points - points
        assert rebuilt.learned == min(d, r)
        assert np.abs(wrong @ rebuilt.directions).max() < 1e-8
        assert (np.abs(wrong).max() > 1) == (r < d)
        assert r < d or np.abs(wrong).max() < 1e-8


@pytest.mark.parametrize(("attack", "epsilon"), [("column space", 2.0), ("reconstruction", 0.5)])
def test_the_same_attacks_fail_against_the_noisy_release(attack, epsilon):
    rng = np.random.default_rng(5)
    points, _ = pb.data.normalise(rng.standard_normal((12, 2)))
    points *= 20 / 25  # so that no move leaves the bounds
    other = points.copy()
    other[0] += [0.6, 0.8]
    delta, trials = 0.01, few(1000, 4000)

    def noisy(data, rng):
        return pb.outsourced.noisy_release(data, epsilon, delta, bounds=(-25, 25), rng=rng)

    def paper(data, rng):
        return pb.outsourced.curate(data, epsilon, delta, 3, rng)

    def audit(release):
        mechanism = pb.audit.membership_attack(release, points, other, 0, [3, 5, 8])
        if attack == "column space":
            mechanism = pb.audit.column_space_attack(release, points)
        return pb.audit.epsilon_lower_bound(mechanism, points, other, delta, trials, 0.999, rng)

    assert audit(noisy).verdict(epsilon) == "not refuted"
    caught = audit(paper)
    assert caught.verdict(epsilon) == "refuted"
    assert caught.observed_alarms == caught.observed_misses == 0
    assert caught.epsilon == pytest.approx(caught.strongest)


def laplace(scale):
    return lambda x, trials, rng: x + rng.laplace(0.0, scale, trials)


def of(kind, epsilon, share, trials, confidence, rng):
    """Return what an audit between 0 and 1 finds of noise that is ``share`` of what ε takes."""
    if kind == "laplace":
        noise = laplace(share / epsilon)
        return pb.audit.epsilon_lower_bound(noise, 0.0, 1.0, 0.0, trials, confidence, rng)
    sigma = share * pb.privacy.gaussian_sigma(epsilon, DELTA, 1.0)
    noise = lambda x, trials, rng: x + sigma * rng.standard_normal(trials)  # noqa: E731
    return pb.audit.gaussian_lower_bound(noise, 0.0, 1.0, DELTA, trials, confidence, rng)


TEETH = [*(("laplace", 0.9, e) for e in (0.5, 1.0, 2.0, 4.0)), *(("gaussian", 0.85, e) for e in (1.0, 2.0, 4.0, 8.0))]


@pytest.mark.parametrize(("kind", "most", "epsilon"), TEETH)
@pytest.mark.parametrize("seed", range(few(2, 5)))
def test_the_audit_has_teeth(kind, most, epsilon, seed):
    rng = np.random.default_rng(seed)
    assert of(kind, epsilon, 1.0, 100_000, 0.95, rng).epsilon > most * epsilon
    assert of(kind, epsilon, 0.8, 100_000, 0.95, rng).verdict(epsilon) == "refuted"


@pytest.mark.parametrize("delta", [1e-3, 0.1])
@pytest.mark.parametrize("gaussian", [False, True])
def test_the_bound_follows_from_clopper_pearson_limits_of_both_rates(gaussian, delta):
    rng, audit = np.random.default_rng(0), gaussian_lower_bound if gaussian else epsilon_lower_bound
    found = audit(lambda x, trials, rng: x + rng.standard_normal(trials), 0.0, 1.0, delta, 1000, 0.9, rng)
    limits = []
    for rate in (found.observed_alarms, found.observed_misses):
        errors = round(rate * found.tested)
        limits.append(beta.ppf(0.95, errors + 1, found.tested - errors))
    assert found.tested == 900
    assert (found.false_alarms, found.misses) == pytest.approx(limits)
    one, other = limits
    expected = max(math.log((1 - delta - one) / other), math.log((1 - delta - other) / one), 0.0)
    if gaussian:
        expected = pb.privacy.gaussian_epsilon(delta, 1.0, norm.isf(one) - norm.ppf(other))
    assert found.epsilon == pytest.approx(expected)


@pytest.mark.parametrize("gaussian", [False, True])
def test_the_strongest_bound_is_that_of_a_test_without_errors(gaussian):
    rng, delta = np.random.default_rng(0), 1e-3
    audit, strongest = epsilon_lower_bound, pb.audit.strongest_bound
    if gaussian:
        audit, strongest = gaussian_lower_bound, pb.audit.strongest_gaussian_bound
    found = audit(lambda x, trials, rng: x + 0.01 * rng.standard_normal(trials), 0.0, 1.0, delta, 500, 0.95, rng)
    assert found.observed_alarms == found.observed_misses == 0
    assert found.epsilon == found.strongest == strongest(500, delta, 0.95)


def test_equal_and_separate_datasets_give_the_extreme_bounds():
    rng = np.random.default_rng(0)
    same = pb.audit.epsilon_lower_bound(laplace(1.0), 0.0, 0.0, 0.0, 10_000, 0.95, rng)
    assert same.epsilon < 0.05
    for there, side in ((1.0, "above"), (-1.0, "below")):
        apart = pb.audit.epsilon_lower_bound(laplace(1e-6), 0.0, there, 1e-3, 10_000, 0.95, rng)
        assert apart.side == side
        assert apart.epsilon == pytest.approx(apart.strongest)
        assert apart.strongest == pytest.approx(pb.audit.strongest_bound(10_000, 1e-3, 0.95))
    # With no error in m trials the limit of a rate is 1 − ((1 − confidence)/2)^{1/m}.
    limit = 1 - 0.025 ** (1 / 9000)
    assert apart.strongest == pytest.approx(math.log((1 - 1e-3 - limit) / limit))
    assert not apart.could_refute(apart.strongest)
    assert apart.verdict(1.0) == "refuted"


def test_choice_losses_are_exact():
    here = pb.privacy.Exponential(np.array([0.0, 1.0, 2.0]), 1.0, 2.0)
    there = pb.privacy.Exponential(np.array([1.0, 1.0, 1.0]), 1.0, 2.0)
    found = pb.audit.ChoiceLoss.of(here, there, 0.5)
    p = np.exp([0.0, 1, 2]) / np.exp([0.0, 1, 2]).sum()
    assert found.epsilon == pytest.approx(np.abs(np.log(3 * p)).max())
    one = np.maximum(p - math.exp(0.5) / 3, 0).sum()
    other = np.maximum(1 / 3 - math.exp(0.5) * p, 0).sum()
    assert found.delta == pytest.approx(max(one, other))
    assert found.refutes(0.5, 0.05)
    assert not found.refutes(found.epsilon + 1e-9, 0.0)


def test_dp_bo_holds_on_prior_draws_and_on_a_real_task():
    task, rng = pb.data.tuning_task("logistic"), np.random.default_rng(0)
    tuning = pb.release.Tuning(k1=0.5, sigma=0.1, iterations=20, delta=0.05)
    given = {"kernel": task.kernel, "k1": 0.5, "tuning": tuning, "epsilon": 5.0, "rng": rng}
    prior = list(pb.audit.prior_losses(task.points, **given, pairs=40))
    assert len(prior) == 40
    # At most δ of the pairs may exceed it; none comes near, since Theorem 1 is far from tight.
    assert 0 < max(loss.epsilon for loss in prior) < 5.0
    real = dict(pb.audit.task_losses(task, range(10), tuning, 5.0, rng))
    assert sorted(real) == list(range(10))
    assert max(loss.epsilon for loss in real.values()) < 0.5


def audited(mechanism=None, delta=0.0, trials=100, confidence=0.9, audit=pb.audit.epsilon_lower_bound):
    return audit(mechanism or laplace(1.0), 0, 1, delta, trials, confidence, np.random.default_rng(0))


def rebuilt(rows, points):
    everybody, rng = np.random.default_rng(0).standard_normal((100, 2)), np.random.default_rng(0)
    return pb.audit.reconstruct(pb.outsourced.curate(everybody, 1.0, DELTA, 3, rng), rows, points)


test_unusable_input_is_refused = refusals(
    (lambda: pb.audit.column_space(np.zeros((3, 2))), "More than d \\+ 1 = 3 rows"),
    (lambda: audited(delta=1.0), "delta is 1.0"),
    (lambda: audited(trials=9), "trials is 9"),
    (lambda: audited(confidence=1.0), "confidence is 1"),
    (lambda: audited(audit=pb.audit.gaussian_lower_bound), "delta is 0"),
    (lambda: audited(lambda x, trials, rng: np.zeros(3)), "trials = 100 finite numbers"),
    (lambda: audited(lambda x, trials, rng: np.full(trials, np.nan)), "trials = 100 finite numbers"),
    (lambda: rebuilt([0, 1], [[0.0, 0], [1, 1]]), "at least d \\+ 1 = 3 are needed"),
    (lambda: rebuilt([0, 1, 1], [[0.0, 0], [1, 1], [1, 1]]), "2 different rows"),
    (lambda: rebuilt([0, 1, 2], [[0.0, 0], [1, 1], [2, 2]]), "lie in one plane"),
    (lambda: rebuilt([0, 1, 5000], [[0.0, 0], [1, 1], [2, 3]]), "0 to 99"),
)


@pytest.mark.parametrize(("name", "epsilon"), [("homes", 1.0), ("hospital", 3.0)])
def test_a_move_refutes_settings_taken_from_the_data(name, epsilon):
    problem = pb.data.sample(name)
    found = {}
    for follows in (True, False):
        attack, x, neighbour = frame_attack(problem.original, problem.frame, epsilon, DELTA, follows=follows)
        changed = np.flatnonzero((x != neighbour).any(axis=1))
        assert len(changed) == 1
        assert np.linalg.norm((neighbour - x)[changed] / problem.frame.hide) == pytest.approx(1)
        found[follows] = gaussian_lower_bound(
            attack, x, neighbour, DELTA, few(150, 400), 0.999, np.random.default_rng(1)
        )
    assert found[True].verdict(epsilon) == "refuted"
    assert found[True].epsilon > 5 * epsilon
    assert found[False].verdict(epsilon) == "not refuted"


def test_the_likelihood_ratio_sees_as_much_as_there_is():
    rng = np.random.default_rng(2)
    here = rng.uniform(-5, 5, (30, 2))
    there = here.copy()
    there[4] += [0.6, 0.8]

    def release(data, rng):
        return pb.outsourced.noisy_release(data, 2.0, DELTA, bounds=(-25, 25), rng=rng)

    attack = likelihood_ratio_attack(release, here, there)
    trials, sigma = few(1000, 3000), gaussian_sigma(2.0, DELTA, 1.0)
    for data, centre in ((here, -0.5), (there, 0.5)):
        values = attack(data, trials, rng)
        assert values.mean() == pytest.approx(centre, abs=5 * sigma / np.sqrt(trials))
        assert values.std() == pytest.approx(sigma, rel=0.1)
    assert np.isfinite(likelihood_ratio_attack(release, here, here)(here, 50, rng)).all()
    with pytest.raises(pb.DataError, match="must have the same"):
        likelihood_ratio_attack(release, here, here[:5])


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    "outputs",
    [
        (0.0, 1.0),
        (7.0, np.nextafter(7.0, 8.0)),
        # Half-way between these lies the larger one, after rounding.
        (np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)),
        (1.6e308, 1.7e308),
        (-1.0, -1.0 + 1e-300),
    ],
)
def test_ties_hide_nothing_in_either_direction(outputs, swapped):
    """Randomised response of ε = 3: a threshold lay on an output and was counted in two ways, so nothing was found."""
    truth = math.exp(3.0) / (1.0 + math.exp(3.0))

    def respond(data, trials, rng):
        return np.where(rng.random(trials) < truth, outputs[data], outputs[1 - data])

    datasets = (1, 0) if swapped else (0, 1)
    found = epsilon_lower_bound(respond, *datasets, 0.0, 20_000, 0.95, np.random.default_rng(0))
    if outputs[0] == outputs[1]:  # no number tells them apart
        assert found.epsilon == 0.0
    else:
        assert 2.5 < found.epsilon <= 3.0
        assert found.verdict(0.5) == "refuted"


@pytest.mark.parametrize("gaussian", [False, True])
def test_a_threshold_is_chosen_on_trials_that_do_not_count(gaussian):
    rng = np.random.default_rng(0)
    here, there = rng.standard_normal(1000), 2.0 + rng.standard_normal(1000)
    first = pb.audit.judged(here, there, 1e-3, gaussian=gaussian)
    chosen = first.trials - first.tested
    here[chosen:] += 3.0
    later = pb.audit.judged(here, there, 1e-3, gaussian=gaussian)
    assert later.threshold == first.threshold
    assert later.observed_alarms == pytest.approx(np.mean(here[chosen:] > first.threshold))
    assert later.observed_alarms > first.observed_alarms


def always(data, trials, rng):
    return np.ones(trials)


def test_one_output_for_all_shows_nothing():
    found = epsilon_lower_bound(
        lambda data, trials, rng: np.ones(trials), 0, 1, 0.0, 100, 0.95, np.random.default_rng(0)
    )
    assert found.epsilon == 0.0
