"""The measurements of how to search: what is kept of a comparison, and that what is stored is what was chosen by."""

import json
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.outsourced import Setting, Simulation
from tests.benchmarks.searches import Found, among_best, found, main, tables
from tests.helpers.amounts import few
from tests.helpers.paths import RESULTS

STORED = [Found(**each) for each in json.loads((RESULTS / "searches.json").read_text(encoding="utf-8"))["results"]]


def test_the_best_in_a_thousand_are_counted():
    assert (among_best(np.array([1.0, 7.0, 8.0, 40.0]), 6524), among_best(np.array([1.0, 2.0]), 500)) == (2, 1)


def test_the_command_names_an_unknown_sample(capsys):
    assert main(["nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_what_is_found_is_what_a_simulation_says():
    problem = pb.data.synthetic(side=12)
    results = list(found("small", problem, 3))
    simulation = Simulation(problem)
    assert {each.policy for each in results} == {"plain", "noisy", "local", "neighbour", "random"}
    wanted = ("noisy", "ei", True, 3.0)
    one = next(each for each in results if (each.policy, each.search, each.once, each.epsilon) == wanted)
    setting = Setting(3.0, 1e-5, 10, 30, search="ei", once=True)
    *_, compared = simulation.compare(setting, 3, ("noisy",))
    band = compared.band("noisy")
    assert ((one.regret, one.early), one.lead) == ((band.mean[-1], band.mean[9]), compared.lead("noisy").mean)
    assert (one.cost, one.rank) == (compared.cost("noisy").mean, compared.typical_rank("noisy").median)
    text = tables(results)
    assert text.count("\n### ") + text.startswith("### ") == 1
    assert len([line for line in text.splitlines() if line.startswith("|")]) == 2 + len(results)


@pytest.mark.parametrize("name", list(pb.data.SAMPLES))
def test_the_first_search_of_a_sample_beats_random_search(name):
    """Without privacy and with the noisy release at ε = 3, whether or not a row may come twice, as measured."""
    Setting(1.0, 1e-5, 1, 1, search=pb.data.SEARCHES[name])  # there is one
    chosen = [each for each in STORED if each.sample == name and each.search == pb.data.SEARCHES[name]]
    held = [each for each in chosen if each.policy == "plain" or (each.policy == "noisy" and each.epsilon == 3.0)]
    assert {(each.policy, each.once) for each in held} == {(p, o) for p in ("plain", "noisy") for o in (False, True)}
    assert all(each.lead_low > 0 for each in held)
    assert all(each.runs >= 40 for each in held)


def test_other_tables_have_a_rule_and_rank_by_their_size():
    own = replace(pb.data.sample("homes"), identity=None)
    assert (pb.data.suited_search(own), pb.data.rank_sought(own)) == ("ucb/5", 20)
    for n, rank in ((12, 1), (199, 1), (250, 2), (6524, 20)):
        rows = replace(own, points=np.zeros((n, 2)), objective=np.zeros(n), original=np.zeros((n, 2)))
        assert pb.data.rank_sought(rows) == rank
    for name in pb.data.SAMPLES:
        problem = pb.data.sample(name)
        assert pb.data.suited_search(problem) == pb.data.SEARCHES[name]
        assert pb.data.rank_sought(problem) == pb.data.RANKS_SOUGHT[name]


@pytest.mark.parametrize("name", few(["hospital"], list(pb.data.SAMPLES)))
def test_the_rank_sought_is_reached_by_nine_in_ten_searches(name):
    simulation = Simulation(pb.data.sample(name), seed=2)
    setting = Setting(1.0, 1e-5, 10, 30, search=pb.data.SEARCHES[name], once=True)
    *_, compared = simulation.compare(setting, 100, ("noisy",))
    last = compared.ranks(compared.reference("noisy"))[:, -1]
    assert pb.data.RANKS_SOUGHT[name] == next(k for k in (1, 2, 5, 10, 20, 50) if (last <= k).mean() >= 0.9)
