"""The numbers of the kits: by their names in pages/content/kits, computed when a kit is made."""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from pages.parts.views.text import SIGMA_MIN
from privbo_core.classroom.ground import COLUMNS, FIRST, RECORDS
from privbo_core.data import sample
from privbo_core.federated import delta_for
from privbo_core.federated.server import clip
from privbo_core.federated.server import noise_deviation as server_noise
from privbo_core.outsourced import noise_deviation, omega, smallest_epsilon, spectrum
from privbo_core.privacy import (
    Exponential,
    Laplace,
    TradeOff,
    epsilon,
    gaussian_epsilon,
    gaussian_sigma,
    group_epsilon,
    least_error,
    worst_case_belief,
)

Values = dict[str, float | str]
DELTA, R = 1e-5, 10
HIDDEN_METRES = 100.0
"""What one hidden change of the homes’ frame is on the ground, as sample_data/README.md says."""
SCORES, PATIENTS = (0.90, 0.88, 0.80, 0.60), 100
"""Shares of right answers of four settings, and of how many patients."""
SCHOOLS, ROUNDS, RATE, LIMIT = 30, 8, 0.5, 8.0
"""As many pupils are in a class."""
TRIES, TAPS = 20, 8


def right(epsilon: float, delta: float = 0.0) -> float:
    """Return how often the best guess may be right."""
    return 1 - least_error(0.5, epsilon, delta)


def outsourced() -> Values:
    """Return what the noise on the homes’ map is, what the paper asks of them, and how far blind tests come."""
    homes = sample("homes")
    frame, least = homes.frame, spectrum(homes.points).sigma_min
    one, eight = (
        HIDDEN_METRES * noise_deviation(each, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for each in (1.0, 8.0)
    )
    latitude = frame.columns[1]
    assert latitude.lengthscale is not None  # the homes' frame says what a neighbourhood is
    changes, best, missed, tests = latitude.lengthscale / latitude.hide, round(0.01 * homes.n), 1.0, 0
    while missed > 0.05:
        missed *= (homes.n - best - tests) / (homes.n - tests)
        tests += 1
    return {
        "metres_at_1": one,
        "metres_at_8": eight,
        "part": eight / one,
        "sigma_min": SIGMA_MIN,
        "omega": omega(1.0, DELTA, R),
        "least": least,
        "enough": smallest_epsilon(least, DELTA, R),
        "changes": changes,
        "across": group_epsilon(1.0, DELTA, changes),
        "homes": homes.n,
        "best": best,
        "tests": tests,
    }


def release() -> Values:
    """Return the chances of a draw among four settings and its loss, the noise on a score."""
    choice = Exponential(np.array(SCORES), 1 / PATIENTS, 1.0)
    first, second, third, last = map(float, choice.probabilities)
    few, many = (100 * Laplace(1 / patients, 1.0).half_width(0.95) for patients in (PATIENTS, 10 * PATIENTS))
    return {
        "first": first,
        "second": second,
        "third": third,
        "last": last,
        "e": math.e,
        "off_few": few,
        "off_many": many,
        "together": 2.0,
        "sure": worst_case_belief(0.5, 2.0),
        "loss": 100 * choice.expected_loss,
        "blind_loss": 100 * float(max(SCORES) - math.fsum(SCORES) / len(SCORES)),
    }


def federated() -> Values:
    """Return ε after the rounds, the noise in two crowds, a list that is shortened, and how often a guess is right."""
    delta = delta_for(SCHOOLS)
    few, many = (server_noise(np.full((1, each), 1 / each), rate=RATE, S=LIMIT, z=1.0) for each in (30, 60))
    sent, _ = clip(np.array([[12.0, 16.0]]), 1, LIMIT)
    one, other = map(float, sent[0])
    return {
        "schools": SCHOOLS,
        "rounds": ROUNDS,
        "more_rounds": 4 * ROUNDS,
        "everybody": epsilon(1.0, 1.0, ROUNDS, delta),
        "half": epsilon(RATE, 1.0, ROUNDS, delta),
        "longer": epsilon(RATE, 1.0, 4 * ROUNDS, delta),
        "noise_few": few,
        "noise_many": many,
        "one": one,
        "other": other,
        "right_at_1": right(1.0),
        "right_at_4": right(4.0),
    }


def choosing() -> Values:
    """Return what several ε mean in guesses and beliefs, what ten releases come to, and what δ may let through."""
    noise = TradeOff.gaussian(1 / gaussian_sigma(0.1, DELTA, 1.0)).repeated(10)
    patients = sample("hospital").n
    return {
        "right_at_01": right(0.1),
        "right_at_1": right(1.0),
        "right_at_3": right(3.0),
        "sure_at_1": worst_case_belief(0.1, 1.0),
        "sure_at_3": worst_case_belief(0.1, 3.0),
        "accepted": float(brentq(lambda each: right(each) - 0.6, 0.0, 10.0, xtol=1e-12)),
        "added": 10 * 0.1,
        "added_right": right(10 * 0.1),
        "together": noise.epsilon(DELTA),
        "together_right": 1 - noise.least_error(0.5),
        "patients": patients,
        "through": patients * DELTA,
    }


def favourite() -> Values:
    """Return what eight rounds in a class cost, what an observer can tell, and who takes part."""
    weak, strong = (epsilon(RATE, z, ROUNDS, delta_for(SCHOOLS), "pld") for z in (1.0, 2.0))
    return {
        "pupils": SCHOOLS,
        "rounds": ROUNDS,
        "weak": weak,
        "strong": strong,
        "sure_weak": worst_case_belief(0.5, weak),
        "sure_strong": worst_case_belief(0.5, strong),
        "drawn": RATE * SCHOOLS,
        "never": 100 * (1 - RATE) ** ROUNDS,
    }


def attacker() -> Values:
    """Return the most right guesses to expect, the ε of two noises, and how likely somebody is lucky."""
    return {
        "tries": TRIES,
        "coin": TRIES / 2,
        "right_at_05": TRIES * right(0.5),
        "right_at_3": TRIES * right(3.0),
        "right_at_10": TRIES * right(10.0),
        "alike": gaussian_epsilon(DELTA, 1.0, 1.0),
        "ten_times": gaussian_epsilon(DELTA, 10.0, 1.0),
        "alone": 100 * 0.5**5,
        "anybody": 1 - (1 - 0.5**5) ** 30,
    }


def modeler() -> Values:
    """Return the noise on the patients’ ages, in years, and how far blind taps come."""
    frame, left, missed = sample("hospital").frame.chosen(COLUMNS["hospital"]), RECORDS - FIRST, 1.0
    clear, blurred = (
        float(frame.hide[frame.names.index("age")])
        * noise_deviation(each, DELTA, bounds=frame.bounds, protected_distance=1.0, d=frame.d)
        for each in (8.0, 0.3)
    )
    for tap in range(TAPS):
        missed *= (left - 5 - tap) / (left - tap)
    return {
        "years_at_8": clear,
        "years_at_03": blurred,
        "records": RECORDS,
        "known": FIRST,
        "taps": TAPS,
        "best": 100 * TAPS / left,
        "five": 100 * (1 - missed),
    }


def accept() -> Values:
    """Return how often guesses may be right, how often they are through noise, and how likely five are on one side."""
    sigmas = [gaussian_sigma(each, DELTA, 1.0) for each in (1.0, 3.0)]
    through = [1 - TradeOff.gaussian(1 / sigma).least_error(0.5) for sigma in sigmas]
    return {
        "right_at_05": right(0.5, DELTA),
        "right_at_1": right(1.0, DELTA),
        "right_at_3": right(3.0, DELTA),
        "sigma_at_1": sigmas[0],
        "sigma_at_3": sigmas[1],
        "through_at_1": through[0],
        "through_at_3": through[1],
        "one_side": 100 * 2 * 0.5**5,
    }


NUMBERS: dict[str, Callable[[], Values]] = {
    "outsourced": outsourced,
    "release": release,
    "federated": federated,
    "epsilon": choosing,
    "favourite": favourite,
    "attacker": attacker,
    "modeler": modeler,
    "accept": accept,
}
"""By the name of the kit: that of a lesson, or of an experiment."""
