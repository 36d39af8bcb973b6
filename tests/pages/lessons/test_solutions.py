"""Each solution once more, by another route than the engine's; and each sentence says what was computed."""

import math
import tomllib
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from jinja2 import UndefinedError
from scipy.optimize import brentq
from scipy.stats import hypergeom, laplace, norm

from pages.parts.lessons.kits import read_kit
from pages.parts.views.content import names_in
from pages.parts.views.text import SIGMA_MIN
from privbo_core.data import sample
from tests.helpers.kits import SOURCES
from tests.helpers.paths import SAMPLES

DELTA = 1e-5


def frame(name):
    return {
        column["name"]: column
        for column in tomllib.loads((SAMPLES / f"{name}.toml").read_text(encoding="utf-8"))["columns"]
    }


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


def hospital_sigma_min():
    points = sample("hospital").points
    covariance = np.cov(points.T) * (len(points) - 1)
    return math.sqrt(np.linalg.eigvalsh(covariance)[0])


def omega(eps, r=10):
    return 16 * math.sqrt(r * math.log(2 / DELTA)) / eps * math.log(16 * r / DELTA)


def blind():
    best = round(patients() / 100)
    tests = next(t for t in range(1, patients()) if hypergeom.sf(0, patients(), best, t) >= 0.95)
    return patients(), best, tests


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
    "outsourced": lambda: {
        "years_at_1": years() * gaussian_noise(1), "years_at_8": years() * gaussian_noise(8),
        "part": gaussian_noise(8) / gaussian_noise(1),
        "omega": omega(1), "least": hospital_sigma_min(), "enough": omega(1) / hospital_sigma_min(),
        "years": 20, "changes": 20 / years(), "across": epsilon_of(gaussian_noise(1) * years() / 20),
        **dict(zip(("patients", "best", "tests"), blind(), strict=True)),
    },
    "release": lambda: {
        **dict(zip(("first", "second", "third", "last"), drawn(), strict=True)), "e": 2.718281828459045,
        "off_few": 100 * laplace.ppf(0.975, scale=1 / 100), "off_many": 100 * laplace.ppf(0.975, scale=1 / 1000),
        "together": 2, "sure": surer(0.5, 2), "loss": 100 * lost(drawn()), "blind_loss": 100 * lost([0.25] * 4),
    },
    "federated": lambda: {
        "schools": 30, "rounds": 8, "more_rounds": 32, "everybody": moments(1, 1, 8, 30**-1.1),
        "half": moments(0.5, 1, 8, 30**-1.1), "longer": moments(0.5, 1, 32, 30**-1.1),
        "noise_few": 8 / (0.5 * 30), "noise_many": 8 / (0.5 * 60), "one": 12 * 8 / 20, "other": 16 * 8 / 20,
        "right_at_1": right(1), "right_at_4": right(4),
    },
    "epsilon": lambda: {
        "right_at_01": right(0.1), "right_at_1": right(1), "right_at_3": right(3),
        "sure_at_1": surer(0.1, 1), "sure_at_3": surer(0.1, 3), "accepted": math.log(60 / 40),
        "added": 1, "added_right": right(1), "together_right": norm.cdf(ten_times() / 2),
        "together": brentq(lambda eps: 1 / gaussian_noise(eps) - ten_times(), 0.01, 30),
        "patients": patients(), "through": patients() / 100_000,
    },
}  # fmt: skip
"""By the name of the kit and of the number."""
LOOSER = {"federated": 1e-6}  # Sums on a grid.


def years():
    return frame("hospital")["age"]["hide"]


def ten_times():
    """Return how far apart, in the noise's σ, ten releases at ε = 0.1 tell two tables: √10 times as far as one."""
    return math.sqrt(10) / gaussian_noise(0.1)


@cache
def patients():
    """Return how many patients the sample has: those of whom all that the search needs is known."""
    table = pd.read_csv(SAMPLES / "hospital.csv")
    return len(table.dropna())


@pytest.mark.parametrize("name", SOURCES)
def test_each_number_is_what_another_route_leads_to_and_its_kit_says_it(name):
    source = SOURCES[name]
    numbers = source.numbers()
    assert names_in(source.text) == set(numbers), "named in the text and never computed, or the other way round"
    assert numbers.pop("sigma_min", SIGMA_MIN) == SIGMA_MIN
    assert numbers == pytest.approx(AGAIN[name](), rel=LOOSER.get(name, 1e-8))
    exercises = read_kit(source).exercises
    for moved, value in numbers.items():
        other = read_kit(source, {"sigma_min": SIGMA_MIN, **numbers, moved: 3.7 * value + 1})
        assert other.exercises != exercises, f"{moved} is not said"


def test_what_the_sentences_add_is_true():
    federated, outsourced, release, choosing = (
        SOURCES[name].numbers() for name in ("federated", "outsourced", "release", "epsilon")
    )
    assert federated["noise_few"] == pytest.approx(2 * federated["noise_many"])
    chances = [release[name] for name in ("first", "second", "third", "last")]
    assert all(first > second > 0 for first, second in pairwise(chances))
    assert federated["half"] < federated["everybody"]
    assert federated["longer"] < 4 * federated["half"]
    assert choosing["through"] < 1 < outsourced["enough"]
    assert outsourced["least"] < outsourced["omega"]


def test_a_name_that_nobody_gives_is_an_error():
    with pytest.raises(UndefinedError, match="schools"):
        read_kit(SOURCES["federated"], {})
