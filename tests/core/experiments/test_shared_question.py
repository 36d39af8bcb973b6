"""A question of Trade-off shared out: the same costs to the bit, whoever computes, and here if nobody else does."""

import pickle
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

from privbo_core import federated
from privbo_core.data import sample, tuning_task
from privbo_core.experiments.cluster.question import (
    cost_of,
    federated_recipe,
    outsourced_recipe,
    released_recipe,
    shared_out,
)
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import federated_question, outsourced_question, released_question, sweep

SETTING = Setting(3.0, 1e-5, 4, 5)
SOME = federated.synthetic(agents=8, side=8, seed=3)
AGENTS = federated.Settings(SOME.kernel, SOME.noise_variance, 3, 4, 8, q=0.5, z=1.0, S=5.0)


def outsourced():
    simulation = Simulation(sample("branin"))
    options = {"measure": "cumulative", "best_r": True}
    return outsourced_question(simulation, SETTING, **options), outsourced_recipe(simulation, SETTING, **options)


def several():
    simulation = Simulation(sample("branin"), functions=False)
    return outsourced_question(simulation, SETTING), outsourced_recipe(simulation, SETTING)


def released():
    task = tuning_task("logistic")
    return released_question(task, iterations=5), released_recipe(task, iterations=5)


def together():
    simulation = federated.Simulation(lambda run: SOME)
    return federated_question(simulation, AGENTS, 8), federated_recipe(SOME, AGENTS, 8)


@pytest.mark.parametrize("make", [outsourced, several, released, together])
def test_costs_are_those_that_are_computed_here(make):
    question, recipe = make()
    known, lost = {}, []
    with ThreadPoolExecutor(2) as executor:
        shared = shared_out(question, recipe.packed(), executor, known, lost.append)
        for mine, theirs in zip(question.curves, shared.curves, strict=True):
            epsilon = float(np.sqrt(mine.low * mine.high))
            assert list(mine.costs(epsilon, 3))[-1].tolist() == list(theirs.costs(epsilon, 3))[-1].tolist()
        for mine, theirs in zip((question.plain, *question.others), (shared.plain, *shared.others), strict=True):
            assert list(mine.costs(3))[-1].tolist() == list(theirs.costs(3))[-1].tolist()
    assert not lost
    assert known


def test_a_whole_sweep_is_the_same():
    question, recipe = outsourced()
    options = {"low": 1.0, "high": 10.0, "runs": 3, "grid_size": 2, "most": 3, "first": 2}
    *_, here = sweep(question, **options)
    with ThreadPoolExecutor(2) as executor:
        *_, there = sweep(shared_out(question, recipe.packed(), executor, {}, print), **options)
    assert marks_of(here) == marks_of(there)


def marks_of(found):
    return {name: [(mark.epsilon, mark.costs.tolist()) for mark in marks] for name, marks in found.marks.items()}


def test_what_was_heard_before_is_not_asked_again():
    question, recipe = outsourced()
    known = {}
    with ThreadPoolExecutor(2) as executor:
        list(shared_out(question, recipe.packed(), executor, known, print).plain.costs(3))
    again = shared_out(question, recipe.packed(), Gone(), known, print)
    assert len(list(again.plain.costs(3))[-1]) == 3


class Gone(Executor):
    """A cluster that was lost."""

    def submit(self, fn, /, *args, **kwargs):
        """Take the work, and lose it."""
        future = Future()
        future.set_exception(BrokenExecutor("It is gone."))
        return future


def test_if_the_cluster_is_lost_it_goes_on_here_and_says_so_once():
    question, recipe = outsourced()
    lost = []
    shared = shared_out(question, recipe.packed(), Gone(), {}, lost.append)
    assert list(shared.plain.costs(2))[-1].tolist() == list(question.plain.costs(2))[-1].tolist()
    assert len(list(shared.curves[0].costs(2.0, 2))[-1]) == 2
    assert [str(each) for each in lost] == ["It is gone."]


def test_own_data_are_known_as_such_and_samples_go_by_name():
    problem = sample("hospital")
    own = Simulation(type(problem)(**{**vars_of(problem), "identity": None}))
    assert outsourced_recipe(own, SETTING).own
    assert len(outsourced_recipe(own, SETTING).packed()) > 10_000
    assert not outsourced_recipe(Simulation(problem), SETTING).own
    assert len(outsourced_recipe(Simulation(problem), SETTING).packed()) < 1000
    assert released_recipe(tuning_task("svm")).own is False
    assert federated_recipe(SOME, AGENTS, 8).own
    assert not federated_recipe("schools", AGENTS, 8).own
    one, other = (outsourced_recipe(Simulation(problem), Setting(at, 1e-5, 4, 5)).packed() for at in (1.0, 9.0))
    assert one == other


def vars_of(problem):
    return {name: getattr(problem, name) for name in problem.__dataclass_fields__}


def test_a_name_that_a_question_does_not_have_is_told():
    _, recipe = several()
    with pytest.raises(ValueError, match="no such mechanism"):
        cost_of(recipe.packed(), "magic", 1.0, 0)
    assert pickle.loads(recipe.packed()) == recipe
