"""Each solution once more, by another route than the engine's; and each sentence says what was computed."""

import json
import math
import re
from itertools import pairwise

import dp_accounting
import numpy as np
import pandas as pd
import pytest
from dp_accounting import pld
from scipy.optimize import brentq
from scipy.stats import binom, hypergeom, laplace, norm

from pages.parts.kits.games import accept, attacker, favourite, modeler
from pages.parts.kits.lessons import epsilon, federated, outsourced, release
from pages.parts.kits.shelf import KITS
from privbo_core.data import sample
from tests.helpers.paths import SAMPLES

DELTA = 1e-5


def frame(name):
    return {column["name"]: column for column in json.loads((SAMPLES / f"{name}.frame.json").read_text())["columns"]}


def gaussian_noise(eps, delta=DELTA):
    """Return σ for sensitivity 1 from Φ alone (Balle and Wang 2018, Theorem 8)."""

    def excess(sigma):
        return norm.cdf(0.5 / sigma - eps * sigma) - math.exp(eps) * norm.cdf(-0.5 / sigma - eps * sigma) - delta

    return brentq(excess, 0.01, 1000, xtol=1e-13)


def right(eps):
    return math.exp(eps) / (1 + math.exp(eps))


def surer(prior, eps):
    odds = prior / (1 - prior) * math.exp(eps)
    return odds / (1 + odds)


def moments(q, z, rounds, delta):
    """Return ε by the moments accountant: the moments of the privacy loss by summing over x on a fine grid."""
    x = np.linspace(-12 * z, 12 * z + 40, 400_001)
    without, taking_part = norm.logpdf(x, 0, z), np.logaddexp(
        math.log1p(-q) if q < 1 else -np.inf, math.log(q) + norm.logpdf(x, 1, z) - norm.logpdf(x, 0, z)
    )  # fmt: skip
    step, best = x[1] - x[0], math.inf
    for order in range(1, 33):
        terms = without + (order + 1) * taking_part
        moment = terms.max() + math.log(np.exp(terms - terms.max()).sum() * step)
        best = min(best, (rounds * moment + math.log(1 / delta)) / order)
    return best


def loss_distributions(z, agents, rounds=8, q=0.5):
    """Return ε by dp-accounting's own accountant of whole events."""
    event = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(z))
    return pld.PLDAccountant().compose(event, rounds).get_epsilon(agents**-1.1)


def homes_sigma_min():
    points = sample("homes").points
    covariance = np.cov(points.T) * (len(points) - 1)
    return math.sqrt(np.linalg.eigvalsh(covariance)[0])


def omega(eps, r=10):
    return 16 * math.sqrt(r * math.log(2 / DELTA)) / eps * math.log(16 * r / DELTA)


def blind():
    homes = len(pd.read_csv(SAMPLES / "homes.csv"))
    best = round(homes / 100)
    tests = next(t for t in range(1, homes) if hypergeom.sf(0, homes, best, t) >= 0.95)
    return homes, best, tests


def across():
    latitude = frame("homes")["latitude"]
    return latitude["lengthscale"] / latitude["hide"]


def drawn():
    weights = np.array([math.exp(0.5 * score) for score in (90, 88, 80, 60)])
    return weights / weights.sum()


def lost(chances):
    return float(sum(chance * loss for chance, loss in zip(chances, (0, 0.02, 0.10, 0.30), strict=True)))


def epsilon_of(sigma):
    def excess(eps):
        return norm.cdf(0.5 / sigma - eps * sigma) - math.exp(eps + norm.logcdf(-0.5 / sigma - eps * sigma)) - DELTA

    return brentq(excess, 1, 500, xtol=1e-12)


AGAIN = {
    outsourced.metres_of_noise: lambda: (100 * gaussian_noise(1), 100 * gaussian_noise(8)),
    outsourced.condition: lambda: (omega(1), homes_sigma_min(), omega(1) / homes_sigma_min()),
    outsourced.neighbourhood: lambda: (across(), epsilon_of(gaussian_noise(1) / across())),
    outsourced.blind_tests: blind,
    release.draw: lambda: tuple(drawn()),
    release.noise_on_the_score: lambda: tuple(laplace.ppf(0.975, scale=1 / n) for n in (100, 1000)),
    release.both_published: lambda: (2, surer(0.5, 2)),
    release.worth_of_a_draw: lambda: (lost(drawn()), lost([0.25] * 4)),
    federated.by_rounds: lambda: (
        moments(1, 1, 8, 30**-1.1), moments(0.5, 1, 8, 30**-1.1), moments(0.5, 1, 32, 30**-1.1)
    ),
    federated.by_crowd: lambda: (8 / (0.5 * 30), 8 / (0.5 * 60)),
    federated.shortened: lambda: (12 * 8 / 20, 16 * 8 / 20),
    federated.was_it_you: lambda: (right(1), right(4)),
    epsilon.right_guesses: lambda: (right(0.1), right(1), right(3)),
    epsilon.surer: lambda: (surer(0.1, 1), surer(0.1, 3)),
    epsilon.accepted: lambda: (math.log(60 / 40),),
    epsilon.adding_up: lambda: (
        1, right(1), brentq(lambda eps: 1 / gaussian_noise(eps) - ten_times(), 0.01, 30), norm.cdf(ten_times() / 2)
    ),
    epsilon.slipping_through: lambda: (patients(), patients() / 100_000),
    favourite.what_it_cost: lambda: (loss_distributions(1, 30), loss_distributions(2, 30)),
    favourite.was_it_you: lambda: (right(loss_distributions(1, 30)), right(loss_distributions(2, 30))),
    favourite.taking_part: lambda: (binom.mean(30, 0.5), binom.pmf(0, 8, 0.5)),
    attacker.most_right: lambda: tuple(20 * right(eps) for eps in (0.5, 3, 10)),
    attacker.more_noise: lambda: tuple(brentq(lambda eps, s=s: gaussian_noise(eps) - s, 0.01, 30) for s in (1, 10)),
    attacker.by_luck: lambda: (1 / 32, binom.sf(0, 30, 1 / 32)),
    modeler.years_of_noise: lambda: tuple(frame("hospital")["age"]["hide"] * gaussian_noise(eps) for eps in (8, 0.3)),
    modeler.by_chance: lambda: (hypergeom.sf(0, 97, 1, 8), hypergeom.sf(0, 97, 5, 8)),
    accept.right_guesses: lambda: tuple(DELTA + (1 - DELTA) * right(eps) for eps in (0.5, 1, 3)),
    accept.through_noise: lambda: (
        *(gaussian_noise(eps) for eps in (1, 3)), *(norm.cdf(0.5 / gaussian_noise(eps)) for eps in (1, 3))
    ),
    accept.five_of_us: lambda: (binom.pmf(0, 5, 0.5) + binom.pmf(5, 5, 0.5),),
}  # fmt: skip
LOOSER = {
    # Sums on a grid, and an accountant that rounds otherwise.
    federated.by_rounds: 1e-6,
    favourite.what_it_cost: 1e-3,
    favourite.was_it_you: 1e-3,
}
EXERCISES = {f"{kit.name}/{number}": exercise for kit in KITS for number, exercise in enumerate(kit.exercises, start=1)}


def ten_times():
    """Return how far apart, in the noise's σ, ten releases at ε = 0.1 tell two tables: √10 times as far as one."""
    return math.sqrt(10) / gaussian_noise(0.1)


def patients():
    """Return how many patients the sample has: those of whom all that the search needs is known."""
    table = pd.read_csv(SAMPLES / "hospital.csv")
    return len(table.dropna())


def test_each_exercise_is_computed_once_more_and_what_the_sentences_add_is_true():
    assert {exercise.numbers for exercise in EXERCISES.values()} == set(AGAIN)
    everybody, half, longer = federated.by_rounds()
    few, many = federated.by_crowd()
    needed, least, from_there = outsourced.condition()
    assert few == 2 * many
    for odds in (release.draw(), modeler.by_chance()):
        assert all(0 < chance < 1 for chance in odds)
    assert all(first > second for first, second in pairwise(release.draw()))
    smaller = (half, longer, epsilon.slipping_through()[1], least, 1, *accept.through_noise()[2:])
    assert np.less(smaller, (everybody, 4 * half, 1, needed, from_there, *accept.right_guesses()[1:])).all()
    assert modeler.years_of_noise()[1] > frame("hospital")["age"]["hide"] * 10
    assert re.search(r"\d", EXERCISES["outsourced/1"].solved())


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_is_what_another_route_leads_to_and_its_sentence_says_each_number(name):
    exercise = EXERCISES[name]
    numbers = exercise.numbers()
    assert numbers == pytest.approx(AGAIN[exercise.numbers](), rel=LOOSER.get(exercise.numbers, 1e-8))
    before = exercise.solution(*numbers)
    assert before == exercise.solved()
    for place, value in enumerate(numbers):
        moved = [*numbers]
        moved[place] = 3.7 * value + 1
        assert exercise.solution(*moved) != before, f"number {place} is not said"
