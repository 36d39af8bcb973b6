"""The worksheets for teachers: each number in a solution once more, and each address leads to a step of the Tour."""

import math
import re
import tomllib
from functools import cache
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import hypergeom, laplace, norm

from privbo_core.data import sample
from tests.helpers.numbers import numbers, tells
from tests.helpers.paths import ROOT, SAMPLES

FOLDER = ROOT / "docs" / "teaching"
LESSONS = ("outsourced", "release", "federated", "epsilon")
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


def solutions(name):
    """Return the solution of each exercise of a worksheet."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition("## Exercises")[2]
    return [" ".join(part.split()) for part in re.findall(r"\*Solution:\*(.*?)(?=\n\d\. |\Z)", text, re.DOTALL)]


def test_the_solutions_about_the_hospital():
    first, second, third, fourth = solutions("outsourced")
    noise_1, noise_8 = gaussian_noise(1), gaussian_noise(8)
    assert tells(first, years() * noise_1, years() * noise_8, noise_8 / noise_1)
    assert tells(second, omega(1), hospital_sigma_min(), omega(1) / hospital_sigma_min())
    across = epsilon_of(noise_1 * years() / 20)
    assert tells(third, 20 / years(), across)
    assert across > 20 / years()
    number_of_patients, best, tests = blind()
    assert numbers(fourth) == [tests, number_of_patients, best]
    assert hospital_sigma_min() < omega(1)


def test_the_solutions_about_the_team():
    first, second, third, fourth = solutions("release")
    chances = drawn()
    assert tells(first, *(100 * chances[:3]), math.e)
    assert chances[3] < 5e-5
    assert all(a > b > 0 for a, b in pairwise(chances))
    assert tells(second, *(100 * laplace.ppf(0.975, scale=1 / people) for people in (100, 1000)))
    assert tells(third, 2, 100 * surer(0.5, 2))
    assert tells(fourth, 100 * lost(chances), 100 * lost([0.25] * 4))


def test_the_solutions_about_the_schools():
    first, second, third, fourth = solutions("federated")
    delta = 30**-1.1
    counted = [moments(1, 1, 8, delta), moments(0.5, 1, 8, delta), moments(0.5, 1, 32, delta)]
    assert tells(first, *counted)
    assert counted[2] < 4 * counted[1]
    assert tells(second, 8 / (0.5 * 30), 8 / (0.5 * 60))
    assert numbers(third)[:2] == [12 * 8 / 20, 16 * 8 / 20]
    assert tells(fourth, 100 * right(1), 100 * right(4))


def test_the_solutions_about_epsilon():
    first, second, third, fourth, fifth = solutions("epsilon")
    assert tells(first, *(100 * right(eps) for eps in (0.1, 1, 3)))
    assert tells(second, 100 * surer(0.1, 1), 100 * surer(0.1, 3))
    assert tells(third, math.log(60 / 40))
    together = brentq(lambda eps: 1 / gaussian_noise(eps) - ten_times(), 0.01, 30)
    assert tells(fourth, 1, 100 * right(1), together, 100 * norm.cdf(ten_times() / 2))
    assert tells(fifth, patients(), patients() / 100_000)


@pytest.mark.parametrize("name", LESSONS)
def test_a_plan_lasts_as_long_as_it_says_and_leads_to_steps(name):
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    for minutes in (20, 45):
        plan = text.partition(f"## In {minutes} minutes")[2].partition("\n## ")[0]
        rows = [row.split("|")[1:4] for row in plan.splitlines() if re.match(r"\| \d", row)]
        assert sum(int(row[0]) for row in rows) == minutes
        for *_, place in rows:
            if place.strip():
                link = urlsplit(place.strip().strip("`"))
                asked = {key: values[0] for key, values in parse_qs(link.query).items()}
                assert link.path == "tour"
                assert asked["seen"] == "0"
                assert 1 <= int(asked["step"]) <= len(lesson_steps(asked["lesson"]))


@cache
def lesson_steps(name):
    text = (ROOT / "pages" / "content" / "lessons" / f"{name}.md").read_text(encoding="utf-8")
    return tomllib.loads(text.split("+++\n")[1])["steps"]
