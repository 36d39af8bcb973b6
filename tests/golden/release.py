"""DP-BO: Algorithms 1 to 3 in both papers' versions, private selection, the best of tries, and the theorems."""

import itertools
from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core.privacy.tries import PoissonTries, TruncatedNegativeBinomial
from privbo_core.release import Premises, Tuning
from tests.golden.kinds import Run, few, guarantee, of_runs, sketch

VARIANTS = ("icml", "workshop")
STEPS = 12
NOISES = (0.05, 0.3)
SEEDS = range(3)


def entries():
    yield from theorems()
    for name in pb.data.TASKS:
        task = pb.data.tuning_task(name)
        yield from searches(f"release/{name}", task)
        yield from first(f"release/{name}", task)
        yield from second(f"release/{name}", task)
        if task.loss is not None:
            yield from third(f"release/{name}", task)
        yield from selections(f"release/{name}", task)
        yield from tries(f"release/{name}", task)
        yield from neighbours(f"release/{name}", task)
    yield from coverages()


def bound(found):
    """Return a theorem's bound with its terms."""
    return [found.theorem, found.value, found.probability, [term.value for term in found.terms]]


def theorems():
    theory, exact = pb.release, {"d": 3, "A": 0.9, "tau": 0.15}
    loss = {"slope": 0.25, "largest": 1.0, "records": 40, "lambda_min": 0.02}
    for variant in VARIANTS:
        given, where = Premises(150, 12, 0.08, 0.85, variant), f"release/theory/{variant}"
        yield f"{where}/1", bound(theory.theorem_1(given))
        yield f"{where}/2", bound(theory.theorem_2(given, epsilon=1.7, a=2.2, sigma=0.3))
        yield f"{where}/3", bound(theory.theorem_3(given, sigma=0.3, gamma=4.5))
        fourth = theory.theorem_4(given, sigma=0.3, gamma=4.5, epsilon=1.7, a=2.2)
        yield f"{where}/4", [*bound(fourth), fourth.smallest_epsilon(40.0), fourth.vacuous(5.0)]
        yield f"{where}/5", bound(theory.theorem_5(given, **exact))
        yield f"{where}/6", bound(theory.theorem_6(given, epsilon=1.7, a=2.2, **exact))
        yield f"{where}/noise", theory.noise_term(0.3, 0.08, variant)
        yield f"{where}/exact regret", theory.exact_regret(2, 30, 1.1, 0.2, variant)
        yield f"{where}/posterior", given.posterior_term
    yield "release/theory/7", bound(theory.theorem_7(lambda_max=0.5, **loss))
    yield "release/theory/8", bound(theory.theorem_8(lambda_max=0.5, epsilon=1.7, a=2.2, **loss))
    yield "release/theory/record, printed or not", [theory.record_term(**loss, printed=each) for each in (True, False)]
    yield "release/theory/range", theory.range_term(slope=0.25, lambda_min=0.02, lambda_max=0.5)
    yield "release/theory/data set", [theory.dataset_term(0.9, 200, 0.01, each) for each in (2, 3)]
    yield "release/theory/regret", [theory.regret_constant(0.3), theory.mean_regret(150, 12, 0.08, 0.3, 4.5)]


def searched(task, sigma, seed=0):
    rng = np.random.default_rng(seed)
    return pb.release.optimise(
        task.points, task.objective, kernel=task.kernel, sigma=sigma, iterations=STEPS, delta=1e-3, rng=rng
    )


def searches(where, task):
    for sigma, seed in [(0.0, 0), *itertools.product(NOISES, SEEDS)]:
        found = searched(task, sigma, seed)
        values = [few(found.observed), sketch(found.mean, 2), sketch(found.variance, 1)]
        yield f"{where}/search/{sigma}/{seed}", Run(found.rows.tolist(), values)
        yield f"{where}/gamma/{sigma}/{seed}", of_runs([found.gamma_greedy, found.gamma_upper], f"{where}/search")


def planned(plan, a):
    """Return the numbers of Algorithm 1, 2 or 3."""
    numbers = {"scale": plan.value.scale, "delta": plan.delta, "bounds": [each.value for each in plan.bounds(a)]}
    if plan.choice is not None:
        choice = plan.choice
        numbers["choice"] = [choice.sensitivity, choice.scale, choice.entropy, choice.expected_loss]
        numbers["probabilities"] = [choice.probabilities[0], choice.probabilities.max()]
    constants = ("beta_T", "beta_next", "c", "q", "C1", "gamma", "omega", "best", "sound", "informative")
    numbers["constants"] = {name: getattr(plan, name) for name in constants if hasattr(plan, name)}
    numbers["guarantee"] = guarantee(plan.guarantee())
    return numbers


def first(where, task):
    for variant, gamma in itertools.product(VARIANTS, ("upper", "greedy")):
        for epsilon, sigma, k1 in ((0.5, 0.05, 0.99), (5.0, 0.3, 0.9)):
            search = searched(task, sigma)
            plan = pb.release.noisy(search, epsilon=epsilon, k1=k1, variant=variant, gamma=gamma)
            at = f"{where}/Algorithm 1/{variant} {gamma} {epsilon} {sigma} {k1}"
            yield at, of_runs(planned(plan, 3.0), f"{where}/search/{sigma}/0")
    simulated = pb.release.simulated_releases(
        plan, [1.0, 30.0], draws=20, objective=task.objective, rng=np.random.default_rng(3)
    )
    numbers = [sketch(simulated.values), simulated.rows[:, :6], simulated.expected_choice_loss, simulated.effective]
    yield f"{where}/Algorithm 1, simulated", of_runs(numbers, f"{where}/search")


def second(where, task):
    search = searched(task, 0.0)
    for variant in VARIANTS:
        for epsilon, k1, A, tau in ((0.5, 0.99, 1.0, 0.1), (5.0, 0.8, 3.0, 0.5), (2.0, 0.95, 1.0, 0.5)):
            plan = pb.release.noise_free(search, epsilon=epsilon, k1=k1, A=A, tau=tau, variant=variant)
            at = f"{where}/Algorithm 2/{variant} {epsilon} {k1} {A} {tau}"
            yield at, of_runs(planned(plan, 3.0), f"{where}/search/0.0/0")


def third(where, task):
    search = searched(task, 0.0)
    losses = {"own": task.loss, "narrow": replace(task.loss, lambda_min=0.01), "steep": replace(task.loss, slope=1.0)}
    for epsilon, (name, loss), records in itertools.product((0.5, 5.0), losses.items(), (50, 250)):
        plan = pb.release.lipschitz(task.scores[search.rows], loss=loss, records=records, epsilon=epsilon)
        yield f"{where}/Algorithm 3/{epsilon} {name} {records}", of_runs(planned(plan, 3.0), f"{where}/search/0.0/0")


def selections(where, task):
    for way, epsilon, offered in itertools.product(("exponential", "permute-and-flip"), (0.5, 5.0), (10, 100)):
        rows = pb.release.random_rows(task.n, offered, np.random.default_rng(2)).tolist()
        plan = pb.release.selection(task.scores, records=250, epsilon=epsilon, rows=rows, way=way)
        numbers = [few(plan.rows), few(plan.choice.probabilities), plan.choice.expected_loss, plan.choice.entropy]
        (score,) = plan.bounds(3.0)
        more = [plan.value.scale, bound(score), guarantee(plan.guarantee()), guarantee(plan.guarantee(1))]
        yield f"{where}/selection/{way} {epsilon} {offered}", [*numbers, *more]


def tries(where, task):
    kinds = {"Poisson": PoissonTries(20.0), "eta 1": TruncatedNegativeBinomial.of_mean(1.0, 20.0)}
    for (name, kind), epsilon, delta in itertools.product(kinds.items(), (0.5, 5.0), (1e-5, 1e-3)):
        plan = pb.release.best_of_tries(task.scores, records=250, epsilon=epsilon, tries=kind, delta=delta)
        numbers = [plan.multiplier, plan.sigma, plan.expected_loss, sketch(plan.probabilities)]
        yield f"{where}/best of tries/{name} {epsilon} {delta}", [*numbers, guarantee(plan.guarantee())]


def neighbours(where, task):
    for sigma in (0.0, 0.1):
        tuning = Tuning(k1=0.95, sigma=sigma, iterations=8, delta=1e-3, A=1.0, tau=0.1)
        if task.losses is None:
            continue
        for record, moved in pb.release.removals(task, range(4), tuning, np.random.default_rng(1)):
            values = [moved.score_moved, moved.score_limit, moved.mean_moved, moved.best_moved, moved.best_score_moved]
            rows = [*moved.before.rows.tolist(), *moved.after.rows.tolist()]
            more = [moved.matching_k1, moved.same_path, bound(moved.theorem_1)]
            yield f"{where}/without a record/{sigma}/{record}", Run(rows, [*values, *more])


def coverages():
    points, kernel = np.linspace(0.0, 8.0, 50)[:, None], pb.gp.SquaredExponential(1.0)
    for sigma, variant in itertools.product((0.0, 0.2), VARIANTS):
        tuning = Tuning(k1=0.9, sigma=sigma, iterations=8, delta=0.1, variant=variant, A=1.0, tau=0.2)
        *_, found = pb.release.coverage(points, tuning, kernel=kernel, pairs=10, rng=np.random.default_rng(0))
        shares = [found.share(each) for each in (1, 5 if sigma == 0 else 3)]
        numbers = [[each.held, each.cases, each.promised, each.low, each.high, each.verdict] for each in shares]
        yield f"release/coverage/{sigma} {variant}", [numbers, few(found.mean_moved), few(found.best_moved)]
