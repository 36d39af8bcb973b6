"""What candidates of ε cost, which is recommended, and the public registry of deployments."""

from dataclasses import replace

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import registry
from privbo_core.tradeoff.candidates import weigh, weigh_question
from privbo_core.tradeoff.recommendation import DEFAULT_LEVEL, EPSILONS, MAX_CANDIDATES, read_candidates, recommend
from tests.golden.kinds import difference, few, of_runs, traced
from tests.golden.tradeoff import answered

SETTING = Setting(epsilon=1.0, delta=1e-5, r=5, iterations=10, once=True)
CANDIDATES = (0.5, 5.0, 50.0)
RUNS = 8


def entries():
    yield "costs/constants", [*EPSILONS, DEFAULT_LEVEL, MAX_CANDIDATES]
    for text in ("0.5, 1, 2", "0,5; 1; 2", "3 1 1 2", "10"):
        yield f"costs/read/{text}", read_candidates(text, 0.1, 20.0)
    problems = {"homes": pb.data.sample("homes"), "synthetic": pb.data.synthetic(side=20), "branin": pb.data.branin()}
    for name, problem in problems.items():
        yield from searches(f"costs/{name}", Simulation(problem))
    yield from questions()
    yield from deployments()


def protects(epsilon):
    promise = pb.privacy.Guarantee("", "", "", epsilon, 1e-5, (), pb.privacy.Status.PROVED, "")
    return pb.privacy.strength(promise)


def recommended(found):
    chosen, within, failed = (each and each.epsilon for each in (found.chosen, found.within, found.failed))
    level = found.protects and found.protects.level
    return [chosen, within, failed, level, answered(found.smallest)]


def searches(where, simulation):
    *_, weighing = weigh(simulation, SETTING, CANDIDATES, RUNS, counted=6)
    for epsilon in CANDIDATES:
        at = replace(SETTING, epsilon=epsilon)
        for run in range(2):
            yield f"{where}/runs/{epsilon}/{run}", traced(simulation.run("noisy", at, run), simulation.problem.sigma_y)
        each = weighing.of(epsilon)
        needed = each.needed
        numbers = [difference(each.cost), list(each.rank), few(each.costs)]
        tests = [needed.private, needed.plain, needed.low, needed.high, needed.runs]
        yield f"{where}/weighed/{epsilon}", of_runs([*numbers, tests], f"{where}/runs")
    totals = [weighing.complete, difference(weighing.gain), list(weighing.plain_rank)]
    yield f"{where}/weighing", of_runs(totals, f"{where}/runs")
    largest = max(each.cost.high for each in weighing.known)
    for share, least in ((0.5, 3), (0.9, 1), (1.5, 1)):
        found = recommend(weighing.known, abs(largest) * share, protects, least)
        yield f"{where}/recommended/{share} {least}", of_runs(recommended(found), f"{where}/runs")


def questions():
    task = pb.data.tuning_task("logistic")
    question = pb.tradeoff.released_question(task, iterations=10)
    for curve in question.curves:
        *_, weighing = weigh_question(question, curve, CANDIDATES, 3, write=lambda cost: 100.0 * cost)
        where = f"costs/release/{curve.name}"
        for each in weighing.known:
            yield f"{where}/{each.epsilon}", [difference(each.cost), difference(each.gain), each.gains]
        yield f"{where}/recommended", recommended(recommend(weighing.known, 5.0, protects, 1))


def deployments():
    found = registry()
    yield "costs/registry", [len(found.records), found.approved, len(found.with_epsilon)]
    for epsilon, each in found.with_epsilon:
        yield f"costs/registry/{each.name}, {each.curator}", [epsilon, each.delta, each.kind, each.year]
