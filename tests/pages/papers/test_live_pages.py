"""The way from a table or figure to its live page: every control of that page is at the published setting."""

from urllib.parse import parse_qsl

import pytest

from pages.ui.agents import sample_agents
from privbo_core.experiments import EXPERIMENTS
from privbo_core.experiments.contents import edge_of
from privbo_core.experiments.tasks import _federated_problem
from tests.helpers.opening import open_page
from tests.helpers.reading import address, press, said
from tests.helpers.shown import values

LINKED = ["table-1", "table-2", "table-3", "table-5", "table-8", "outsourced-fig-2a", "outsourced-fig-2c", "branin"]
PRESETS = {"table-1": "Table 1", "table-2": "Table 2", "table-3": "Table 3", "outsourced-fig-2a": "Figure 2a"}
CHANGED = {
    "data": "homes", "release": "noisy", "search": "ei", "rows": "once", "initial": "9", "delta_ucb": "0.2", "T": "11",
    "lengthscale": "2", "signal": "3", "answer_noise": "4", "epsilon": "7", "delta": "1e-3", "runs": "10",
    "measure": "cumulative",
}  # fmt: skip
"""Settings of the Outsourced page that no paper has."""


def link(name):
    """Return the way that Papers shows: the page and its settings."""
    (found,) = open_page("papers", experiment=name).get("page_link")
    return found.proto.page, dict(parse_qsl(found.proto.query_string))


@pytest.mark.parametrize("name", LINKED)
def test_a_link_has_the_published_setting(name):
    page, query = link(name)
    assert page == "outsourced"
    experiment = EXPERIMENTS[name]
    arm = experiment.arm(f"r = {edge_of(experiment)}" if name.startswith("table") else experiment.curves[2])
    assert int(query["r"]) == arm.settings["r"]
    assert float(query["delta"]) == arm.settings["delta"]
    assert int(query["T"]) == arm.settings["iterations"]
    if "epsilon" in arm.settings:
        assert float(query["epsilon"]) == pytest.approx(arm.settings["epsilon"], rel=1e-5)


@pytest.mark.parametrize("name", ["table-1", "table-5"])
def test_a_link_sets_every_control_whatever_was_set_before(name):
    app = open_page("outsourced", **CHANGED)
    _, query = link(name)
    app.switch_page("pages/start.py").run()
    app.query_params.clear()
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page("pages/outsourced.py").run()
    assert not app.info, "the page knows every key and value of the link"
    fresh = open_page("outsourced", **query)
    assert values(app) == values(fresh)
    assert address(app) == address(fresh)
    assert {*values(app)} <= {*query}, "no slider is left out"


@pytest.mark.parametrize(("name", "preset"), PRESETS.items())
def test_a_link_and_the_preset_of_the_live_page_agree(name, preset):
    _, query = link(name)
    app = press(open_page("outsourced", runs="5", T="10"), preset)
    by_link = open_page("outsourced", **{**query, "runs": "5"})
    assert values(app) == pytest.approx(values(by_link))
    assert address(app) == address(by_link)


@pytest.mark.parametrize("name", ["federated-fig-2c", "federated-fig-3", "table-1"])
def test_a_page_whose_functions_have_other_inputs_is_named(name):
    """The stored runs tune functions of one input, and the agents that Federated draws have two."""
    assert len(_federated_problem("synthetic", 0, 0.1).names) == 1
    assert len(sample_agents("family").simulation(0.1).problem(0).names) == 2
    words = said(open_page("papers", experiment=name))
    assert ("functions of two inputs" in words) == (name == "federated-fig-2c")


@pytest.mark.parametrize("name", ["table-5-made-up", "federated-fig-11"])
def test_data_that_no_page_has_get_no_link(name):
    assert not open_page("papers", experiment=name).get("page_link")


SETTINGS = {
    "z": "z", "q": "q", "S": "S", "P": "P", "N": "agents", "T": "iterations", "M": "features", "epsilon": "epsilon",
    "delta": "delta", "k1": "k1", "sigma": "sigma", "a": "a", "candidates": "candidates",
}  # fmt: skip
"""The settings of an arm by the keys of the Federated and the Release page."""


@pytest.mark.parametrize("name", [
    *(f"federated-fig-{figure}" for figure in ("2a", "2b", "2c", "2d", "3", "6", "8")), "federated-weights",
    *(f"bounds-{varied}" for varied in ("epsilon", "iterations", "candidates")),
])  # fmt: skip
def test_a_link_to_another_system_has_the_setting_of_one_arm(name):
    page, query = link(name)
    assert page == ("federated" if name.startswith("federated") else "release")
    usual = {"a": 15.0} if page == "federated" else {}

    def differs(arm):
        settings = {**usual, **arm.settings}
        return [key for key, own in SETTINGS.items() if own in settings and key in query
                and float(query[key]) != settings[own]]  # fmt: skip

    private = ("DP-FTS-DE", None)
    arms = [arm for arm in EXPERIMENTS[name].arms if arm.settings.get("algorithm") in private and not arm.once]
    assert any(differs(arm) == [] for arm in arms)
    data = EXPERIMENTS[name].arms[0].settings.get("data")
    assert query.get("agents") == {"synthetic": "family", "schools": "schools"}.get(data)
