"""The Trade-off page without a browser: three tasks, both answers, what an address may ask."""

import dataclasses
import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.export.offer import Recipe
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.tradeoff.figures import SIGNS
from pages.parts.tradeoff.states import State
from pages.parts.views.text import as_html
from pages.ui.agents import family_simulation as family
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Status
from privbo_core.tradeoff import measure, outsourced_question, released_question
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, html, record, said, traces

QUICK = {"T": 10, "runs": 4, "from": 1, "to": 100}
SMALL = {"T": 2, "runs": 2, "N": 20, "from": 2, "to": 20}
RELEASE = {"tradeoff_task": "Release", "T": 5, "runs": 4, "from": 1, "to": 30}
LIVE = "own data/live/tradeoff"
EXACT = "Exact (this project’s)"
LAST = {"tradeoff_task": "Federated", "tradeoff_measure": "Best found"}


def opened(state=None, **query):
    return open_page("tradeoff", state, **query)


def answers(app):
    """The two answers by mechanism: what ε costs, which ε is needed."""
    assert not app.error
    costs, epsilons = ({line.key: line for line in answer.lines} for answer in record(app).answers.values())
    assert list(costs) == list(epsilons)
    for line in (*costs.values(), *epsilons.values()):
        assert numbers(line.text)
        assert "…" not in line.text
        assert as_html(line.text) in html(app)
    return costs, epsilons


def test_the_cost_is_a_real_run_at_exactly_that_epsilon_and_a_refuted_one_is_said_to_be():
    app = opened(**QUICK, epsilon=2, budget=1.5, meaning="true")
    costs, epsilons = answers(app)
    simulation = Simulation(pb.data.sample("synthetic"))
    setting = Setting(1.0, 1e-5, 10, 10, search=pb.data.suited_search(simulation.problem), once=True)
    asked = outsourced_question(simulation, setting)
    *_, plain = asked.plain.costs(4)
    assert list(costs) == [curve.name for curve in asked.curves] == ["projection", "noisy release"]
    for curve in asked.curves:
        *_, mark = measure(curve, 2.0, 4)
        extra = mark.above(plain)
        assert tells(costs[curve.name].text, extra.mean, extra.standard_error)
    for answer in (costs, epsilons):
        assert (answer["projection"].refuted, answer["noisy release"].refuted) == (True, False)
    assert "88.1 %" in said(app)  # what half sure becomes at ε = 2: e²/(1 + e²)
    assert numbers(record(app).figures["tradeoff"].finding.note)[0] == 4  # runs


@pytest.mark.parametrize(("published", "first"), [("Both", []), ("Score", ["Algorithm 3"])])
def test_release_is_swept_by_those_mechanisms_that_can_publish_it(published, first):
    app = opened(**RELEASE, tradeoff_published=published, epsilon=2, meaning="true")
    costs, _ = answers(app)
    assert list(costs) == ["Algorithm 1", "Algorithm 2", *first, "private selection"]
    assert "88.1 %" in said(app)
    assert tells(said(app), 5, 400)  # private selection draws here among so few of all


def test_algorithm_3_publishes_no_score_where_there_is_no_lipschitz_bound():
    curves = released_question(pb.data.tuning_task("svm"), published="score").curves
    assert "Algorithm 3" not in [curve.name for curve in curves]


def test_what_an_epsilon_counts_decides_how_much_noise_it_takes():
    simulation = family(0.1)
    settings = pb.federated.Settings(simulation.problem(0).kernel, 0.01, 2, 10, 50, q=0.25, z=1.0, S=11.0, P=2)
    free = np.array([simulation.run(pb.federated.variants(settings)["FTS-DE"], 20, run).simple[-1] for run in (0, 1)])
    needed = {}
    for accountant, sensitivity in (("Loss distributions", "paper"), (EXACT, "exact")):
        alone = SMALL | {"from": 1, "to": 1, "epsilon": 1, "meaning": "true"}
        app = opened(tradeoff_accountant=accountant, **LAST, **alone)
        costs, _ = answers(app)
        z = needed[accountant] = pb.federated.noise_needed(settings, 20, 1.0, "pld", sensitivity)
        cost = [simulation.run(dataclasses.replace(settings, z=z), 20, run).simple[-1] for run in (0, 1)]
        above = 100 * (np.array(cost) - free)  # in % of the usual spread
        assert list(costs) == ["by noise z", "by rate q"]
        assert tells(costs["by noise z"].text, above.mean(), above.std(ddof=1) / math.sqrt(2))
        assert "73.1 %" in said(app)  # e/(1 + e)
        assert numbers(record(app).figures["tradeoff"].finding.title)[0] == 1
    assert needed[EXACT] < 0.8 * needed["Loss distributions"]


def test_federated_is_swept_by_noise_and_by_rate():
    app = opened(**SMALL | {"to": 9}, tradeoff_task="Federated", tradeoff_accountant="Moments (the paper’s)")
    assert list(answers(app)[1]) == ["by noise z", "by rate q"]
    assert numbers(record(app).figures["tradeoff"].finding.note)[0] == 2


@pytest.mark.parametrize("task", ["Outsourced", "Release"])
def test_a_range_of_one_value_gets_a_sentence_instead_of_a_front(task):
    app = opened(tradeoff_task=task, **SMALL | {"T": 3, "from": 4, "to": 4})
    assert numbers(record(app).figures["tradeoff"].finding.title)[0] == 4
    assert address(app)["from"] == "4"
    assert all(tells(line.text, 4) for line in answers(app)[1].values())


def test_an_address_that_cannot_be_used_is_answered_and_leaves_the_page_as_it_is():
    choices = ["tradeoff_task", "tradeoff_measure", "tradeoff_r", "tradeoff_unit", "data"]
    wrong = {"epsilon": "-1", "budget": "nan", "r": "2.5"} | dict.fromkeys(choices, "'; drop")
    app = opened(**QUICK | {"from": 50, "to": 5} | wrong)
    found = asked_in_vain(app)
    assert tells(found, -1, 2.5)
    assert "nan" in found
    assert list(answers(app)[0]) == ["projection", "noisy release"]
    assert (address(app)["from"], address(app)["to"]) == ("50", "5")
    assert min(mark.epsilon for mark in app.session_state[LIVE].kept["state"].sweep.marks["noisy release"]) == 5


def test_a_budget_is_asked_for_in_original_units_and_forgotten_with_them():
    app = opened(**QUICK, data="hospital", tradeoff_unit="mg/dL", budget=1.5)
    assert len(numbers(answers(app)[0]["noisy release"].text)) == 5  # with its error, a factor, and from where to where
    assert address(app)["budget"] == "1.5"
    app.session_state["tradeoff_unit"] = "σ_y"
    app.run()
    assert address(app)["budget"] == "0.1"  # the default of the new unit
    assert address(app)["T"] == "10"


def test_another_task_or_a_link_comes_without_a_trace_of_what_was_asked_before():
    app = opened({"tradeoff-release/last": {"T": 5, "runs": 4, "from": 1, "to": 30}}, **QUICK, r=7)
    app.session_state["tradeoff_task"] = "Release"
    app.run()
    assert not app.info
    assert "r" not in address(app)
    asked = {"T": "11", "runs": "3", "budget": "0.031", "epsilon": "2"}
    app.switch_page("pages/papers.py").run()
    app.switch_page("pages/tradeoff.py")
    for name, value in asked.items():
        app.query_params[name] = value
    app.run()
    assert asked.items() <= address(app).items()


def test_stop_keeps_what_is_there_and_go_on_finishes():
    app = opened(**RELEASE)
    memory = app.session_state[LIVE]
    kept = {**memory.kept, "state": State()}
    app.session_state[LIVE] = replace(memory, kept=kept, stopped=(kept["of"],))
    app.run()
    assert not numbers(record(app).figures["tradeoff"].finding.title)
    app.button(key="tradeoff_go").click().run()
    assert app.session_state[LIVE].kept["state"].sweep.complete


def test_on_a_table_of_ones_own_the_noisy_release_is_conditional():
    own = replace(pb.data.sample("homes"), identity=None, known_frame=None)
    recipe = Recipe(own.names, "y", True, False, {}, None)
    app = opened({OWN_TABLE: OwnTable(simulation=Simulation(own), recipe=recipe), "data": "own"}, **QUICK)
    drawn = traces(app, "tradeoff")
    assert "front" not in drawn
    assert drawn["noisy release: not met"]["marker"]["symbol"] == "line-ew-open"
    for answer in answers(app):
        assert SIGNS[Status.UNMET] in answer["noisy release"].name


def test_simple_shows_a_search_on_a_table_without_a_trace_of_another_task(monkeypatch):
    monkeypatch.setattr("pages.parts.outsourced.afford.ORDER", ())  # the ε that is set alone
    app = opened(**SMALL | {"T": 15}, tradeoff_task="Federated", view="simple")
    assert not {"tradeoff_task", "N"} & address(app).keys()
    assert (address(app)["T"], address(app)["runs"]) == ("30", "40")


def test_switching_the_depth_loses_neither_epsilon_nor_the_task(monkeypatch):
    monkeypatch.setattr("pages.parts.outsourced.afford.ORDER", ())

    def at(depth, **state):
        for key, value in ({"view": depth} | state).items():
            app.session_state[key] = value
        app.run()
        return address(app)["epsilon"]

    app = opened({"outsourced/last": {"epsilon": 2.0}}, **QUICK)
    assert address(app)["epsilon"] == "2", "where Outsourced stands"
    set_here = {"tradeoff-epsilon/Outsourced": {"controls": {"values": {"epsilon": 0.5}, "number": 1}}}
    assert [at("expert", **set_here), at("simple")] == ["0.5", "0.5"]
    dragged = {"outsourced": {"controls": {"values": {"epsilon": 4}, "number": 1}}}
    assert [at("simple", **dragged), at("expert"), at("simple")] == ["4", "4", "4"]
    at("expert")
    at("expert", tradeoff_task="Release")
    assert at("simple") == "4", "another task’s ε is another one"
    at("expert")
    assert address(app)["tradeoff_task"] == "Release"
    assert not {"data", "distance"} & address(app).keys()
