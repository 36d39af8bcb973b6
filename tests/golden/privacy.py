"""Calibration, mechanisms, trade-off functions, accounting by every method, guarantees, and tries."""

import itertools
from dataclasses import replace

import numpy as np

from privbo_core import privacy
from privbo_core.privacy import accounting, tries
from privbo_core.privacy.calibration import group_epsilon
from privbo_core.privacy.guarantee import compose, least_error, strength, worst_case_belief
from privbo_core.privacy.mechanisms import largest_expected_loss
from tests.golden.kinds import few, guarantee

METHODS = ("moments", "pld")
DELTA = 1e-5
SCORES = [0.3, 0.9, 0.85, 0.2, 0.9, -0.4]


def entries():
    yield from calibration()
    yield from mechanisms()
    yield from simulated()
    yield from trade_offs()
    yield from accounts()
    yield from rounds()
    yield from guarantees()
    yield from numbers_of_tries()


def calibration():
    for epsilon, delta, sensitivity in itertools.product((0.05, 1.0, 10.0), (1e-9, 1e-5, 0.01), (1.0, 3.0)):
        where = f"privacy/calibration/{epsilon} {delta} {sensitivity}"
        sigma = privacy.gaussian_sigma(epsilon, delta, sensitivity)
        back = privacy.gaussian_epsilon(delta, 1.5 * sigma, sensitivity)
        yield where, [sigma, privacy.gaussian_delta(2.0 * epsilon, sigma, sensitivity), back]
    for epsilon, times in itertools.product((0.2, 2.0), (0.5, 2.0, 10.0)):
        yield f"privacy/group/{epsilon} {times}", group_epsilon(epsilon, DELTA, times)


def mechanisms():
    for epsilon in (0.1, 1.0, 20.0):
        for kind in (privacy.Exponential, privacy.PermuteAndFlip):
            choice = kind(np.array(SCORES), 0.25, epsilon)
            where = f"privacy/{kind.__name__}/{epsilon}"
            yield f"{where}/probabilities", choice.probabilities
            yield f"{where}/log probabilities", choice.log_probabilities
            yield where, [choice.scale, choice.entropy, choice.effective_candidates, choice.expected_loss]
        laplace = privacy.Laplace(0.5, epsilon)
        yield f"privacy/Laplace/{epsilon}", [laplace.scale, *laplace.density([0.0, 0.3, -2.0]), laplace.half_width(0.9)]
        gaussian = privacy.Gaussian(2.0, epsilon, DELTA)
        yield f"privacy/Gaussian/{epsilon}", [gaussian.sigma]
    for candidates in (2, 30, 5000):
        yield f"privacy/largest expected loss/{candidates}", largest_expected_loss(candidates, 0.2)


def simulated():
    rng = np.random.default_rng(0)
    yield "privacy/simulate/laplace", privacy.simulate.laplace(4, rng)
    yield "privacy/simulate/gaussian", privacy.simulate.gaussian((2, 2), rng)
    noise = privacy.simulate.gumbel(12, len(SCORES), rng)
    yield "privacy/simulate/select", privacy.simulate.select(privacy.Exponential(np.array(SCORES), 0.25, 2.0), noise)


def trade_offs():
    TradeOff = privacy.TradeOff
    lines = {
        "pure": TradeOff.of(1.0),
        "approximate": TradeOff.of(2.0, 1e-3),
        "gaussian": TradeOff.gaussian(1.2),
        "repeated": TradeOff.gaussian(0.5).repeated(9),
        "from profile": TradeOff.from_profile([0.0, 0.5, 1.0, 3.0], [0.4, 0.2, 0.1, 0.001]),
        "subsampled": privacy.trade_off(0.2, 1.0, 20),
        "fixed sample": privacy.trade_off(0.2, 1.0, 5, "fixed"),
        "rounds": privacy.trade_off_rounds(0.3, [1.0, 1.5, 3.0]),
    }
    for name, line in lines.items():
        where = f"privacy/trade-off/{name}"
        yield f"{where}/curve", [len(line.alarms), few(line.alarms, 5), few(line.misses, 5)]
        yield where, [line.delta(0.7), line.epsilon(1e-3), *line.best_test(0.3), line.least_error(0.5)]


def accounts():
    uses = [(q, z, steps) for q in (0.02, 0.25, 1.0) for z in (0.6, 1.5, 8.0) for steps in (1, 40)]
    for q, z, steps in [*uses, (0.001, 1.1, 5000), (0.1, 100.0, 3)]:
        where = f"privacy/epsilon/{q} {z} {steps}"
        yield where, [privacy.epsilon(q, z, steps, DELTA, method) for method in METHODS]
        if q < 1.0:
            yield f"{where}/fixed", [privacy.epsilon(q, z, steps, DELTA, method, "fixed") for method in METHODS[1:]]
    for method in METHODS:
        yield f"privacy/epsilon curve/{method}", privacy.epsilon_curve(0.2, 1.3, 8, 1e-6, method)
        for epsilon, q, steps in ((0.5, 0.1, 30), (4.0, 0.3, 30), (2.0, 1.0, 1)):
            z = privacy.noise_for(epsilon, q, steps, DELTA, method)
            yield f"privacy/noise for/{method}/{epsilon} {q} {steps}", z
        yield f"privacy/rate for/{method}", accounting.rate_for(2.0, 1.2, 25, DELTA, method)
        yield f"privacy/steps for/{method}", accounting.steps_for(3.0, 0.1, 1.0, DELTA, method)
    yield "privacy/noise for/pld, fixed", privacy.noise_for(2.0, 0.2, 10, DELTA, "pld", "fixed")


def rounds():
    multipliers = [1.0, 1.4, 2.0, 2.0, 5.0]
    for method in METHODS:
        where = f"privacy/rounds/{method}"
        yield f"{where}/each", accounting.epsilon_rounds(0.2, multipliers, DELTA, method)
        yield f"{where}/composed", accounting.composed_epsilon(0.2, multipliers, DELTA, method)
        yield f"{where}/noise", accounting.noise_for_rounds(2.0, 0.3, [1.0, 2.0, 2.0], DELTA, method)
        yield f"{where}/rate", accounting.rate_for_rounds(2.0, multipliers[:3], DELTA, method)


def guarantees():
    for epsilon, delta in ((0.1, 0.0), (1.0, 1e-5), (3.0, 1e-5), (5.0, 0.05), (50.0, 1e-5)):
        promise = privacy.Guarantee("a record", "a reader", "", epsilon, delta, (), privacy.Status.PROVED, "")
        level = strength(promise)
        where = f"privacy/guarantee/{epsilon} {delta}"
        yield where, guarantee(promise)
        yield f"{where}/strength", [level.level, level.word, level.accuracy, level.limited_by_delta, promise.mu]
        yield f"{where}/composed", compose([promise, promise])
        yield f"{where}/belief", [worst_case_belief(0.2, epsilon), least_error(0.4, epsilon, delta)]
        exact = replace(promise, curve=privacy.TradeOff.gaussian(0.8))
        yield f"{where}/strength by a curve", [strength(exact).level, exact.attack_accuracy, exact.mu]


def numbers_of_tries():
    kinds = {
        "geometric": tries.TruncatedNegativeBinomial(1.0, 0.1),
        "logarithmic": tries.TruncatedNegativeBinomial(0.0, 0.05),
        "half": tries.TruncatedNegativeBinomial.of_mean(0.5, 12.0),
        "Poisson": tries.PoissonTries(15.0),
    }
    for name, kind in kinds.items():
        where = f"privacy/tries/{name}"
        yield f"{where}/mean", kind.mean
        yield f"{where}/drawn", kind.draw(8, np.random.default_rng(1))
        yield f"{where}/wins", kind.wins(np.array([0.0, 0.3, 0.9, 1.0]))
        yield f"{where}/epsilon", [tries.tries_epsilon(kind, multiplier, DELTA) for multiplier in (1.0, 6.0)]
        yield f"{where}/noise", [tries.noise_for_tries(kind, epsilon, DELTA) for epsilon in (0.5, 3.0)]
        if name != "Poisson":
            yield f"{where}/pure", kind.pure(0.3)
