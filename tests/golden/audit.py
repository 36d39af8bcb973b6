"""Each attack with a fixed seed, and the lower bounds on ε that it gives."""

from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core import audit
from privbo_core.audit.least_error import least_error
from privbo_core.audit.lower_bound import move_one, strongest_bound, strongest_gaussian_bound
from privbo_core.federated import Settings
from privbo_core.outsourced import curate, noisy_release
from privbo_core.privacy.tries import PoissonTries
from privbo_core.release import Tuning
from tests.golden.kinds import Run, sketch

TRIALS, DELTA, CONFIDENCE = 200, 1e-5, 0.95
BOUNDS = [[-30.0, 30.0]] * 3


def entries():
    for trials, delta in ((100, 1e-5), (20_000, 1e-5), (1000, 0.01)):
        strongest = [each(trials, delta, CONFIDENCE) for each in (strongest_bound, strongest_gaussian_bound)]
        yield f"audit/strongest/{trials} {delta}", strongest
    yield from column_space()
    yield from reconstruction()
    yield from noisy()
    yield from scores()
    yield from selections()
    yield from canaries()


def lower(found):
    """Return the numbers of a lower bound on ε."""
    numbers = [found.epsilon, found.strongest, found.threshold, found.false_alarms, found.misses]
    return [*numbers, found.observed_alarms, found.observed_misses, found.side, found.tested, found.verdict(1.0)]


def attacked(where, attack, x, neighbour, *, gaussian=False):
    """Yield what an attack's outputs say: both lower bounds, and the least error of a test."""
    bounds = {"any": audit.epsilon_lower_bound} | ({"gaussian": audit.gaussian_lower_bound} if gaussian else {})
    for name, lower_bound in bounds.items():
        found = lower_bound(attack, x, neighbour, DELTA, TRIALS, CONFIDENCE, np.random.default_rng(1))
        yield f"{where}/{name}", lower(found)
    rng = np.random.default_rng(2)
    found = least_error(attack(x, TRIALS, rng), attack(neighbour, TRIALS, rng))
    yield f"{where}/least error", [found.error, found.at_most, found.threshold, found.side, found.tested, found.tried]


def rows():
    """Return 60 records of three numbers, and the same with one moved by 1."""
    x = 20.0 * np.random.default_rng(0).normal(size=(60, 3)).clip(-1.4, 1.4)
    neighbour, row, direction = move_one(x, np.random.default_rng(5))
    return x, neighbour, row, direction


def project(data, rng):
    return curate(data, 3.0, DELTA, 4, rng)


def add_noise(data, rng):
    return noisy_release(data, 3.0, DELTA, bounds=BOUNDS, rng=rng)


def column_space():
    x, neighbour, row, direction = rows()
    yield "audit/moved", [row, *direction]
    outside = audit.column_space_test(project(x, np.random.default_rng(0)), neighbour)
    yield "audit/column space/neighbour", outside
    inside = audit.column_space_test(project(x, np.random.default_rng(0)), x)
    yield "audit/column space/itself is inside", inside < 1e-12
    yield "audit/column space/noisy release", audit.column_space_test(add_noise(x, np.random.default_rng(0)), x)
    attack = audit.column_space_attack(project, x)
    found = audit.epsilon_lower_bound(attack, x, neighbour, DELTA, TRIALS, CONFIDENCE, np.random.default_rng(1))
    # Under x itself the outputs are rounding error, and with them where the threshold lies.
    yield "audit/column space/bound", [found.epsilon, found.strongest, found.side, found.observed_alarms]
    noisily = audit.column_space_attack(add_noise, x)
    yield from attacked("audit/column space, noisy", noisily, x, neighbour)


def reconstruction():
    x, neighbour, row, _ = rows()
    known = [each for each in range(6) if each != row]
    for r in (2, 4):
        found = audit.reconstruct(curate(x, 3.0, DELTA, r, np.random.default_rng(0)), known, x[known])
        yield f"audit/reconstruction/{r}", [found.learned, sketch(found.points), sketch(np.abs(found.map))]
    noisy = audit.reconstruct(add_noise(x, np.random.default_rng(0)), known, x[known])
    yield "audit/reconstruction/noisy", [noisy.learned, sketch(noisy.points)]
    attack = audit.membership_attack(add_noise, x, neighbour, row, known)
    yield from attacked("audit/membership", attack, x, neighbour, gaussian=True)


def noisy():
    x, neighbour, _, _ = rows()
    attack = audit.likelihood_ratio_attack(add_noise, x, neighbour)
    yield from attacked("audit/noisy release", attack, x, neighbour, gaussian=True)
    frame = pb.data.frame_from(x)
    for follows in (True, False):
        framed, here, there = audit.frame_attack(x, frame, 3.0, DELTA, follows=follows)
        yield from attacked(f"audit/frame, follows {follows}", framed, here, there, gaussian=True)


def scores():
    task = pb.data.tuning_task("logistic")
    for variant in ("icml", "workshop"):
        tuning = Tuning(k1=0.99, sigma=0.0, iterations=10, delta=1e-3, variant=variant, A=1.0, tau=0.1)
        changes = list(audit.score_changes(task, tuning, 1.0, records=range(4), replacements=[0]))
        for change in changes:
            where = f"audit/score/{variant}/{change.record} {change.by}"
            steps = [*change.here.search.rows.tolist(), *change.there.search.rows.tolist()]
            yield where, Run(steps, [change.epsilon, change.here.best, change.there.best])
        worst = max(changes, key=lambda change: change.epsilon)
        yield from attacked(f"audit/score/{variant}", audit.published_score(worst.here, worst.there), 0, 1)
    lipschitz = list(audit.lipschitz_changes(task, tuning, 1.0, records=range(3)))
    yield "audit/score/Algorithm 3", [change.epsilon for change in lipschitz]
    for strength in (0.4, 2.0):
        pair = audit.ramp_pair(strength, 50, 1.0)
        yield from attacked(f"audit/ramp/{strength}", audit.published_score(*pair), 0, 1)
    noisily = replace(tuning, sigma=0.1)
    for record, loss in audit.task_losses(task, range(2), noisily, 1.0, np.random.default_rng(0)):
        yield f"audit/setting/{record}", [loss.epsilon, loss.delta, loss.refutes(1.0, 1e-3)]


def selections():
    here, there = audit.adversarial_scores(12, 40)
    for way in ("exponential", "permute-and-flip"):
        plans = [pb.release.selection(each, records=40, epsilon=1.0, way=way) for each in (here, there)]
        loss = audit.selection_loss(*plans)
        yield f"audit/selection/{way}", [loss.epsilon, loss.delta, *loss.here[:2], loss.refutes(1.0, 0.0)]
        yield from attacked(f"audit/selection/{way}", audit.selected(*plans), 0, 1)
    tried = [pb.release.best_of_tries(each, records=40, epsilon=2.0, tries=PoissonTries(6.0)) for each in (here, there)]
    for name, told in (("untold", None), ("told", [0.0, 0.0, 0.0, 1.0])):
        loss = audit.tries_loss(*tried, told=told)
        yield f"audit/tries/{name}", [loss.delta(1.0), loss.epsilon(1e-5), loss.epsilon(1e-3)]


def canaries():
    for q, z, steps in ((1.0, 1.0, 1), (0.3, 0.5, 10), (0.1, 2.0, 30)):
        yield from attacked(f"audit/canary/{q} {z} {steps}", audit.canary(q, z, steps), False, True)
    base = Settings(pb.gp.SquaredExponential(0.2), 0.01, iterations=8, q=0.4, z=1.0, S=6.0, P=4, hold=3, fade=6)
    for name, changes in {"Poisson": {}, "fixed": {"sampling": "fixed"}, "exact": {"calibration": "exact"}}.items():
        attack = audit.server_canary(replace(base, **changes), 20)
        yield from attacked(f"audit/server canary/{name}", attack, False, True, gaussian=name == "Poisson")
