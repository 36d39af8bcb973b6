"""Settings of the Federated page: presets, the address, what is asked for in vain, and a change of agents."""

import pytest

import privbo_core as pb
from privbo_core.federated import losses
from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, html, press
from tests.helpers.reproduced import REPORTS
from tests.helpers.shown import errors, headline, move, open_more, tiles, values
from tests.helpers.together import open_few, rounds, settings_of, together

FIGURES = {"Figure 2a": "federated-fig-2a", "2b": "federated-fig-2b", "2c": "federated-fig-2c",
           "2d": "federated-fig-2d", "Figure 3": "federated-fig-3"}  # fmt: skip
CHANGED = {"z": "2", "q": "0.5", "S": "6", "P": "4", "M": "9", "a": "7", "h": "0.5", "gain": "noise",
           "measure": "cumulative"}  # fmt: skip


@pytest.mark.parametrize(("name", "experiment"), FIGURES.items())
def test_a_preset_sets_every_control_as_the_paper_did(name, experiment, monkeypatch):
    monkeypatch.setattr(pb.federated.Simulation, "compare", none_simulated)
    app = press(open_few(**CHANGED), name)
    arms = [arm for arm in REPORTS[experiment].experiment.arms if arm.task == "federated"]
    settings = next(arm.settings for arm in arms if arm.settings["algorithm"] == "DP-FTS-DE")
    now, asked = values(app), address(app)
    for key, of_paper in (("P", "P"), ("S", "S"), ("N", "agents"), ("T", "iterations"), ("M", "features")):
        if key != "S" or name != "2b":
            assert now[key] == settings[of_paper], key
    assert now["a"] == 15
    assert (now["z"], now["q"]) == (1.0, 0.35 if name == "Figure 3" else 0.25)
    assert asked.get("agents", "family") == ("schools" if name == "Figure 3" else "family")
    assert not {"gain", "measure"} & {*asked}
    vary = {"2b": "S", "2c": "q", "2d": "z", "Figure 3": "z"}
    assert ("sweep" in charts(app)) == (name in vary)
    if name in vary:
        assert asked.get("sweep", "z") == vary[name]
        swept = {float(arm.settings[vary[name]]) for arm in arms if vary[name] in arm.name.partition(" = ")[0]}
        shown = {float(value) for value in numbers(" ".join(f"{each} " for each in rows_of(app, vary[name])))}
        assert swept <= shown, "the values that the paper tried are shown"


def rows_of(app, symbol):
    return [cell for row in html(app).split("<tr><td>")[1:] for cell in [row.partition("</td>")[0]] if symbol in cell]


def none_simulated(simulation, settings, agents, runs):
    """Take the place of the simulation, which takes minutes at the paper's settings."""
    few = {name: pb.federated.Settings(each.kernel, each.noise_variance, 2, 1, 2) for name, each in settings.items()}
    records = {name: tuple(simulation.run(each, 2, run) for run in range(5)) for name, each in few.items()}
    yield pb.federated.Progress(records, {})


@pytest.mark.parametrize(("name", "experiment"), [("2c", "federated-fig-2c"), ("2d", "federated-fig-2d")])
def test_a_preset_shows_the_losses_that_the_paper_prints(name, experiment, monkeypatch):
    """Each is on the page after one click: 5.93, 9.91, 20.12, 7.39 and 5.22."""
    monkeypatch.setattr(pb.federated.Simulation, "compare", none_simulated)
    app = press(open_few(), name)
    cells = [row.split("</td><td>") for row in html(app).split("<tr><td>")[1:]]
    by_setting = {row[0].rpartition(" ")[2]: row[1] for row in cells if len(row) == 4}
    losses_printed = {each.label.rpartition(" ")[2]: each.printed for each in REPORTS[experiment].experiment.numbers}
    assert len(losses_printed) == 3
    for value, loss in losses_printed.items():
        assert tells(by_setting[value], loss), (value, by_setting)
    assert tells(tiles(app)[0][2], 9.91)


LINKS = [
    {"agents": "grades", "z": "0.7", "measure": "cumulative", "gain": "noise"},
    {"agents": "schools", "z": "2.5", "P": "4", "S": "22", "N": "30", "a": "9"},
    {"h": "0.4", "q": "0.0345678", "sweep": "q", "when": "last", "accountant": "moments"},
    {"z": "1000", "q": "1", "P": "16", "T": "2", "N": "2"},
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_brings_everything_back(link):
    state = {"section/Privacy against utility": True, "section/Solve for z, q or T": True}
    app = open_few(state, **link)
    assert not app.info
    assert address(app).items() >= {**link}.items()
    again = open_page("federated", state, **address(app))
    assert address(again) == address(app)
    assert values(again) == values(app)
    assert (headline(again), tiles(again)) == (headline(app), tiles(app))
    assert {slot: chart["data"] for slot, chart in charts(again).items()} == {
        slot: chart["data"] for slot, chart in charts(app).items()
    }


@pytest.mark.parametrize("symbol", ["z", "q", "S"])
def test_a_link_to_a_sweep_opens_it(symbol):
    assert "sweep" in charts(open_few(sweep=symbol))
    assert "sweep" not in charts(open_few())


def test_every_control_is_in_the_address_and_reaches_the_engine():
    app = open_more(open_few())
    moved = {"z": 2.0, "q": 0.6, "S": 5.0, "P": 4, "N": 30, "T": 6}
    move(app, "federated/family", **moved)
    more = {"M": 12, "a": 7.5, "h": 0.3, "runs": 5}
    move(app, "federated/family/more", **more)
    app.selectbox(key="gain").set_value("noise").run()
    app.button_group(key="measure").set_value("cumulative").run()
    asked = address(app)
    assert {key: float(asked[key]) for key in (*moved, *more)} == {**moved, **more}
    assert (asked["gain"], asked["measure"]) == ("noise", "cumulative")
    changed = {"iterations": 6, "features": 12, "q": 0.6, "z": 2.0, "S": 5.0, "P": 4, "a": 7.5, "calibration": "exact"}
    progress = together(N=30, runs=5, heterogeneity=0.3, **changed)
    drawn = traces(charts(app)["regret"])["DP-FTS-DE"]
    assert drawn["y"] == pytest.approx(list(progress.band("DP-FTS-DE", "cumulative").mean), rel=1e-4)
    assert tells(tiles(app)[0][1], losses(settings_of(**changed), 30, "pld", "exact")[-1])
    found = rounds(progress)
    assert tells(tiles(app)[1][2], found.extra.low, found.extra.high)
    press(app, "Reset")
    assert (values(app)["z"], values(app)["T"], values(app)["runs"]) == (1, 40, 40)


def test_each_kind_of_agents_has_its_own_start_and_keeps_its_settings():
    app = open_few(agents="grades", z="2.5")
    start = pb.federated.GRADES_START
    now = values(app)
    assert (now["z"], now["q"], now["S"], now["P"]) == (2.5, start.q, start.S, start.P)
    app.selectbox(key="agents").set_value("schools").run()
    now = values(app)
    assert (now["z"], now["S"], now["P"], now["N"]) == (1, 11, 2, 98)
    move(app, "federated/schools", T=3, N=5)
    app.selectbox(key="agents").set_value("grades").run()
    assert values(app)["z"] == 2.5
    app.selectbox(key="agents").set_value("schools").run()
    assert (values(app)["T"], values(app)["N"]) == (3, 5)
    assert address(app)["T"] == "3"


def test_the_schools_that_predict_grades_open_at_what_start_shows():
    app = open_page("federated", {"federated/grades/more/held": None}, agents="grades", runs="5")
    start = pb.federated.GRADES_START
    now = values(app)
    assert (now["T"], now["M"], now["N"]) == (start.iterations, start.features, 237)
    found = pb.federated.losses(start.settings(pb.federated.grades()), 237, "pld", "exact")[-1]
    assert tells(tiles(app)[0][1], found)


VAIN = [("z", "0"), ("z", "nan"), ("q", "1.5"), ("S", "-1"), ("P", "3"), ("P", "1e9"), ("N", "1"), ("T", "2.5"),
        ("agents", "a&b"), ("gain", "x"), ("M", "0"), ("h", "2")]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), VAIN)
def test_a_value_that_cannot_be_shown_is_named_and_not_computed_with(key, value):
    app = open_few(**{key: value})
    assert asked_in_vain(app)
    usual = open_few()
    expected = values(usual) | ({} if key not in ("N", "T", "M") else {key: values(app)[key]})
    assert values(app) == expected
    assert values(app).get(key, 1) != value


def test_a_number_that_is_typed_and_impossible_is_refused_beside_its_slider():
    app = open_few()
    move(app, "federated/family", P="3", z="-1", q="two")
    assert set(errors(app)) == {"P", "z", "q"}
    assert (values(app)["P"], values(app)["z"], values(app)["q"]) == (2, 1, 0.25)


def test_few_agents_and_more_sub_regions_than_agents_are_named():
    app = open_few(N="2", P="8")
    notes = [each for each in html(app).split("<p") if "pb-foot" in each]
    assert any(tells(each, 2, 8) for each in notes), "P is 2 instead of 8"
    assert any(tells(each, 2**-1.1) for each in notes), "δ is too large to mean anything"
    assert tells(tiles(app)[3][0], 2)
