"""Several functions beside one: the same choice on Outsourced, on Trade-off and in their scripts."""

import privbo_core as pb
from pages.parts.outsourced.maps import Film
from pages.parts.views.text import cost_text
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.compared import compared
from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.reading import record

FEW = {"view": "expert", "runs": "5", "T": "10"}


def opened(page, **query):
    app = open_page(page, {"take-away": True}, **FEW | query)
    return record(app), "\n".join(block.value for block in app.get("code"))


def test_the_cost_is_that_of_so_many_functions():
    simulation, search = Simulation(pb.data.sample("synthetic"), functions=True), pb.data.SEARCHES["synthetic"]
    cost = compared(simulation, T=10, runs=5, search=search).comparison.cost("noisy")
    shown, script = opened("outsourced", functions="several", release="noisy")
    tile = shown.tiles[-1]
    assert tile.value.startswith(cost_text(cost.mean, cost.standard_error))
    assert tells(tile.remark, 5)
    assert tells(shown.figures["regret"].finding.note, 5)
    assert "functions=True" in script


def test_trade_off_counts_the_same():
    shown, script = opened("tradeoff", functions="several", **{"from": "1", "to": "5"})
    assert tells(shown.figures["tradeoff"].finding.note, 5)
    assert "functions=True" in script


def test_where_there_is_no_formula_there_is_no_choice():
    _, script = opened("outsourced", data="homes", functions="several")
    assert "functions=True" not in script


def test_the_curator_s_map_is_of_the_run_s_own_function():
    simulation = Simulation(pb.data.synthetic(side=15), functions=True)
    film = Film(simulation, Setting(3.0, 1e-5, 10, 10), "private", 1)
    assert (film.objective == simulation.objective(1)).all()
    assert (film.objective != simulation.problem.objective).any()
