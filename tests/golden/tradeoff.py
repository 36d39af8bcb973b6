"""Cost against ε for every mechanism of the three systems: marks, sweeps, and both ways to solve."""

from dataclasses import replace

import numpy as np

import privbo_core as pb
from privbo_core import tradeoff
from privbo_core.federated import Settings
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import Mark
from tests.golden.kinds import Run, checksum, few, guarantee, of_runs, traced

SETTING = Setting(epsilon=1.0, delta=1e-5, r=5, iterations=10, search="ucb/5")
EPSILONS = (0.3, 2.0, 20.0)
RUNS = 3
FEDERATION = Settings(pb.gp.SquaredExponential(0.2), 0.01, iterations=8, initial=3, features=15, q=0.4, z=1.0, S=6.0)
AGENTS = 20


def entries():
    yield from solving()
    yield from outsourced()
    yield from released()
    yield from federated()


def answered(found):
    return [found.epsilon, found.low, found.high, found.cost, found.error, found.reach, found.level, *found.swept]


def solving():
    """Curves through given marks, and the answers that they give to a budget."""
    rng = np.random.default_rng(0)
    marks = [Mark(float(each), 1.0 / each + 0.3 * rng.random(12)) for each in np.geomspace(0.2, 20.0, 6)]
    fit = tradeoff.monotone_fit(marks)
    yield "tradeoff/fit", [few(fit.costs, 6), fit.at(1.0), fit.smallest(0.9)]
    for budget in (0.05, 0.4, 1.0, 90.0):
        yield f"tradeoff/solve/{budget}", answered(tradeoff.solve(marks, budget))
    yield "tradeoff/solve/few resamples", answered(tradeoff.solve(marks, 0.8, level=0.8, resamples=50, seed=3))
    yield "tradeoff/next", tradeoff.next_epsilon(marks)
    yield "tradeoff/grid", tradeoff.grid(0.1, 30.0, 5)
    marks_of = {"one": marks[:3], "other": marks[3:]}
    curves = [tradeoff.Curve(name, pb.privacy.Status.PROVED, lambda epsilon, runs: iter([])) for name in marks_of]
    yield "tradeoff/front", [[name, mark.epsilon] for name, mark in tradeoff.front(curves, marks_of)]


def last(steps):
    *_, found = steps
    return found


def measured(where, question, epsilons, runs, *behind):
    """Yield the costs of each mechanism at given ε, of its references, and the extra cost."""
    for reference in (question.plain, *question.others):
        yield f"{where}/reference/{reference.name}", of_runs(last(reference.costs(runs)), *behind)
    plain = last(question.plain.costs(runs))
    for curve in question.curves:
        yield f"{where}/curve/{curve.name}", [curve.status.name, curve.low, curve.high, curve.against, curve.counts]
        for epsilon in epsilons:
            if curve.low <= epsilon <= curve.high:
                mark = last(tradeoff.measure(curve, epsilon, runs))
                numbers = [mark.costs, mark.standard_error, mark.above(plain).mean]
                yield f"{where}/mark/{curve.name}/{epsilon}", of_runs(numbers, *behind)


def swept(where, question, low, high, runs, budget, *behind):
    """Yield a whole sweep, and what it says of a budget."""
    found = last(tradeoff.sweep(question, low=low, high=high, runs=runs, grid_size=3, most=5, first=2))
    for name, marks in found.marks.items():
        numbers = [[mark.epsilon, mark.mean, mark.runs] for mark in marks]
        yield f"{where}/sweep/{name}", of_runs([numbers, found.complete, found.runs], *behind)
        plain = found.references[question.plain.name]
        extra = [mark.above(plain) for mark in marks]
        yield f"{where}/sweep, solved/{name}", of_runs(answered(tradeoff.solve(extra, budget)), *behind)
    curve = question.curves[0]
    settled, rests = last(tradeoff.settle(curve, found.marks[curve.name], plain, budget, most=2))
    yield f"{where}/settled", of_runs([answered(settled), [mark.epsilon for mark in rests]], *behind)


def outsourced():
    simulation = Simulation(pb.data.synthetic(side=20, seed=2))
    where = "tradeoff/outsourced"
    for policy in ("private", "noisy"):
        for epsilon in np.geomspace(0.3, 20.0, 3):
            at = replace(SETTING, epsilon=float(epsilon))
            for run in range(RUNS):
                yield f"{where}/runs/{policy}/{epsilon:.3g}/{run}", traced(simulation.run(policy, at, run))
    question = tradeoff.outsourced_question(simulation, SETTING)
    yield from measured(where, question, EPSILONS, RUNS, f"{where}/runs")
    yield from swept(where, question, 0.3, 20.0, RUNS, 0.4, f"{where}/runs")
    for measure, best_r in (("cumulative", True), ("rank", False)):
        other = tradeoff.outsourced_question(simulation, SETTING, measure=measure, best_r=best_r)
        yield from measured(f"{where}, {measure}", other, EPSILONS[1:], RUNS, f"{where}/runs")
    for epsilon in EPSILONS:
        at = tradeoff.setting_at(simulation, SETTING, 100 * epsilon, best_r=True)
        yield f"{where}/best r/{100 * epsilon}", at.r


def released():
    for name in pb.data.TASKS:
        task = pb.data.tuning_task(name)
        for published in ("setting", "score", "both"):
            question = tradeoff.released_question(task, published=published, iterations=10)
            yield from measured(f"tradeoff/release/{name}, {published}", question, EPSILONS[1:], 2)
        workshop = tradeoff.released_question(task, iterations=10, variant="workshop", k1=0.9)
        yield from swept(f"tradeoff/release/{name}, workshop", workshop, 0.5, 50.0, 2, 0.02)
        for way in tradeoff.ways_lost(task, 2.0, [10, 60]):
            score = "with score" if way.score else "setting"
            yield f"tradeoff/ways lost/{name}/{way.name}, {score}", [*way.losses, guarantee(way.guarantee)]


def federated():
    simulation = pb.federated.Simulation(lambda run: pb.federated.synthetic(agents=AGENTS, side=10, seed=run))
    where = "tradeoff/federated"
    for run in range(2):
        rounds = list(simulation.rounds(FEDERATION, AGENTS, run))
        simple = rounds[-1].simple_regret.mean()
        yield f"{where}/runs/{run}", Run([checksum(each.queries) for each in rounds], [simple])
    for method in ("moments", "pld"):
        for dial in ("z", "q"):
            found = tradeoff.dial_at(dial, 3.0, FEDERATION, AGENTS, method)
            yield f"{where}/dial/{method}/{dial}", found
    for measure in ("simple", "early"):
        question = tradeoff.federated_question(simulation, FEDERATION, AGENTS, measure=measure)
        yield from measured(f"{where}, {measure}", question, EPSILONS[1:], 2, f"{where}/runs")
