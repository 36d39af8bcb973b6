"""The numbers of the experiments' kits: by their names in pages/content/kits, computed when a kit is made."""

from collections.abc import Callable

from pages.parts.federated.lesson import RATE, ROUNDS, SCHOOLS
from pages.parts.system.lesson import Values
from privbo_core.classroom.ground import COLUMNS, FIRST, RECORDS
from privbo_core.data import sample
from privbo_core.federated import delta_for
from privbo_core.outsourced import noise_deviation
from privbo_core.privacy import TradeOff, epsilon, gaussian_epsilon, gaussian_sigma, least_error, worst_case_belief

DELTA = 1e-5
TRIES, TAPS = 20, 8


def right(epsilon: float, delta: float = 0.0) -> float:
    """Return how often the best guess may be right."""
    return 1 - least_error(0.5, epsilon, delta)


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


EXPERIMENTS: dict[str, Callable[[], Values]] = {
    "favourite": favourite,
    "attacker": attacker,
    "modeler": modeler,
    "accept": accept,
}
"""By the name of the experiment, which is that of its kit."""
