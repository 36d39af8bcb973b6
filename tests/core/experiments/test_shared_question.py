"""A question of Trade-off shared out: the same costs to the bit, whoever computes, and here if nobody else does."""

import pickle
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace

import pytest

from privbo_core import federated
from privbo_core.data import sample, tuning_task
from privbo_core.experiments.cluster import question as module
from privbo_core.outsourced import Setting, Simulation
from privbo_core.tradeoff import federated_question, outsourced_question, released_question

SETTING = Setting(3.0, 1e-5, 4, 5)
SOME = federated.synthetic(agents=8, side=8, seed=3)
AGENTS = federated.Settings(SOME.kernel, SOME.noise_variance, 3, 4, 8, q=0.5, z=1.0, S=5.0)


def outsourced(one=True):
    simulation = Simulation(sample("branin"), **({} if one else {"functions": False}))
    options = {"measure": "cumulative", "best_r": True} if one else {}
    return outsourced_question(simulation, SETTING, **options), module.outsourced_recipe(simulation, SETTING, **options)


def released():
    task = tuning_task("logistic")
    return released_question(task, iterations=5), module.released_recipe(task, iterations=5)


def together():
    simulation = federated.Simulation(lambda run: SOME)
    return federated_question(simulation, AGENTS, 8), module.federated_recipe(SOME, AGENTS, 8)


class Gone(Executor):
    """A cluster that was lost."""

    def submit(self, fn, /, *args, **kwargs):
        """Take the work, and lose it."""
        future = Future()
        future.set_exception(BrokenExecutor("It is gone."))
        return future


def last(costs):
    return list(costs)[-1].tolist()


@pytest.mark.parametrize("make", [outsourced, lambda: outsourced(one=False), released, together])
def test_costs_are_those_that_are_computed_here_and_not_asked_for_again(make):
    question, recipe = make()
    known, lost = {}, []
    with ThreadPoolExecutor(2) as executor:
        shared = module.shared_out(question, recipe.packed(), executor, known, lost.append)
        for mine, theirs in zip(question.curves, shared.curves, strict=True):
            epsilon = (mine.low * mine.high) ** 0.5
            assert last(mine.costs(epsilon, 3)) == last(theirs.costs(epsilon, 3))
        for mine, theirs in zip((question.plain, *question.others), (shared.plain, *shared.others), strict=True):
            assert last(mine.costs(3)) == last(theirs.costs(3))
    again = module.shared_out(question, recipe.packed(), Gone(), known, lost.append)
    assert last(again.plain.costs(3)) == last(question.plain.costs(3))
    assert not lost


def test_if_the_cluster_is_lost_it_goes_on_here_and_says_so_once_and_an_unknown_name_is_told():
    question, recipe = outsourced()
    lost = []
    shared = module.shared_out(question, recipe.packed(), Gone(), {}, lost.append)
    assert last(shared.plain.costs(2)) == last(question.plain.costs(2))
    assert (len(last(shared.curves[0].costs(2.0, 2))), [str(each) for each in lost]) == (2, ["It is gone."])
    _, recipe = outsourced()
    with pytest.raises(ValueError, match="no such mechanism"):
        module.cost_of(recipe.packed(), "magic", 1.0, 0)
    assert pickle.loads(recipe.packed()) == recipe


def test_own_data_are_known_as_such_and_samples_go_by_name():
    problem = sample("hospital")
    own = module.outsourced_recipe(Simulation(replace(problem, identity=None)), SETTING)
    one, other = (module.outsourced_recipe(Simulation(problem), Setting(at, 1e-5, 4, 5)) for at in (1.0, 9.0))
    assert (own.own, one.own) == (True, False)
    assert len(own.packed()) > 10_000 > 1000 > len(one.packed())
    assert one.packed() == other.packed()
    assert module.released_recipe(tuning_task("svm")).own is False
    assert [module.federated_recipe(agents, AGENTS, 8).own for agents in (SOME, "schools")] == [True, False]
