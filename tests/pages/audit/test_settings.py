"""Settings of the Audit page: the address, what is asked for in vain, other pages in between, and trials that stop."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.ui.own_table import OWN_TABLE
from pages.ui.sliders import OWN_DATA
from privbo_core.data import Frame, FrameColumn, frame_from, make_problem, normalise
from privbo_core.outsourced import Simulation
from tests.helpers.attacked import ATTACKS, FEW, ON_DATA, attacked, open_audit
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import made, open_own, random_table
from tests.helpers.reading import HOSTILE, address, asked_in_vain, button, html, marked, press
from tests.helpers.reproduced import REPORTS
from tests.helpers.scripts import printed
from tests.helpers.shown import guarantee, headline, move, open_more, open_sections, sliders, tiles, values

LINKS = [
    {"attack": "columns", "data": "branin", "epsilon": "1.23457", "delta": "2.5e-07", "r": "3", "trials": "60"},
    {"attack": "noisy", "data": "homes", "epsilon": "0.01", "delta": "0.001", "trials": "2000", "noise": "gaussian"},
    {"attack": "score", "epsilon": "1000", "A": "3.5", "tau": "0.02", "k1": "0.8", "trials": "3000"},
    {"attack": "canary", "q": "0.4", "z": "2", "P": "4", "N": "30", "T": "7", "a": "5", "hold": "2", "fade": "9",
     "trials": "600"},
    {"data": "loans", "r": "100", "trials": "50"},
]  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_a_link_brings_everything_back(link):
    app = open_sections(open_page("audit", **link))
    assert not app.info
    assert address(app).items() >= link.items()
    again = open_sections(open_page("audit", **address(app)))
    assert address(again) == address(app)
    assert values(again) == values(app)
    assert (headline(again), tiles(again)) == (headline(app), tiles(app))
    assert {slot: chart["data"] for slot, chart in charts(again).items()} == {
        slot: chart["data"] for slot, chart in charts(app).items()
    }


BAD = [
    ("attack", "🦊"), ("attack", "<b>x</b>"), ("epsilon", "-1e999"), ("epsilon", "nan"), ("r", "2.5"), ("delta", "0"),
    ("trials", "![](//a.bc/d)"), ("trials", "9" * 5000), ("data", "x" * 10_000), ("data", "../../etc/passwd"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bad"), BAD, ids=[f"{name}={bad[:9]}" for name, bad in BAD])
def test_a_bad_address_gets_a_sentence_and_the_rest_counts(name, bad):
    rest = {"trials": "60", "r": "7"} | {name: bad}
    app = open_page("audit", **rest)
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    for sign in "[]()<>":
        assert notice.count(sign) == notice.count(f"\\{sign}")
    assert bad[:20] in asked_in_vain(app)
    assert address(app).get(name) != bad
    assert all(address(app)[key] == value for key, value in rest.items() if key != name)
    assert headline(app)


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_slider_reaches_the_attack(attack):
    """Moving any slider changes what is claimed, shown or drawn."""
    app = open_audit(attack)
    panel, found = f"audit/{attack}", {}

    def seen():
        return tiles(app), charts(app)["attack"]["data"], headline(app)

    before = seen()
    for number, (key, slider) in enumerate(sliders(app).items(), 1):
        where = "audit/more" if key in ("a", "hold", "fade") else panel
        times = {"trials": 2.0, "P": 2.0, "r": 0.1}.get(key, 0.6)
        to = round(times * slider["value"]) if slider["whole"] else times * slider["value"]
        move(app, where, number, **{key: to})
        assert float(address(app)[key]) == pytest.approx(to, rel=1e-5)
        found[key], before = seen() != before, seen()
    unmoved = {key for key, changed in found.items() if not changed}
    assert not unmoved


def test_epsilon_is_kept_from_page_to_page_and_an_attack_without_it_keeps_it():
    app = open_page("outsourced", epsilon="5.5", T="10", runs="5")
    for attack in ("canary", "noisy"):
        app.query_params.clear()
        app.query_params["attack"], app.query_params["trials"] = attack, str(FEW[attack])
        app.switch_page("pages/audit.py").run()
        assert ("epsilon" in values(app)) == (attack == "noisy")
    assert values(app)["epsilon"] == 5.5
    assert tells(tiles(app)[0][1], 5.5)


def test_the_way_from_outsourced_leads_to_the_reconstruction_of_the_same_table():
    app = open_page("outsourced", data="homes", epsilon="7", T="10", runs="5")
    (way,) = [each for each in re.findall(r'href="([^"]*)"', guarantee(app)) if each.startswith("audit")]
    assert way == "audit?attack=reconstruction"
    app.query_params.clear()
    app.query_params["attack"] = "reconstruction"
    app.switch_page("pages/audit.py").run()
    assert tells(headline(app)[0], pb.data.sample("homes").n - 3)
    assert values(app)["epsilon"] == 7


TABLES = {"Table 1": ("table-1", 10), "Table 2": ("table-2", 15), "Table 3": ("table-3", 20)}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("attack", ["reconstruction", "columns"])
def test_a_preset_is_the_paper_s_setting(name, attack):
    experiment, r = TABLES[name]
    (arm,) = [each for each in REPORTS[experiment].experiment.arms if each.name == f"r = {r}"]
    app = press(open_audit(attack, data="homes", epsilon="7", delta="1e-3", r="3"), name)
    assert values(app)["epsilon"] == pytest.approx(arm.settings["epsilon"], rel=1e-5)
    assert (values(app)["delta"], values(app)["r"]) == (arm.settings["delta"], arm.settings["r"])
    assert tells(headline(app)[0], 9997) or attack == "columns"
    assert "data" not in address(app), "the synthetic sample is the first choice"


@pytest.mark.parametrize("attack", ATTACKS)
def test_reset_brings_the_first_values_back(attack):
    changed = {"epsilon": "2", "delta": "1e-3", "r": "3", "q": "0.5", "hold": "3"}
    app = press(open_audit(attack, **changed), "Reset")
    first = open_more(open_page("audit", attack=attack))
    assert values(open_more(app)) == values(first)


def test_trials_can_be_stopped_and_go_on_where_they_were(monkeypatch):
    """The first look comes in, then the visitor stops the trials."""
    run = pb.audit.run
    monkeypatch.setattr(pb.audit, "run", lambda *how, **more: [next(run(*how, **more))].__iter__())
    app = open_audit("noisy")
    assert numbers(tiles(app)[3][1]) == [1000]
    monkeypatch.setattr(pb.audit, "run", run)
    app = press(app, "Stop")
    assert numbers(tiles(app)[3][1]) == [1000], "nothing more comes in"
    assert not button(app, "Continue").disabled
    assert numbers(tiles(app.run())[3][1]) == [1000]
    app = press(app, "Continue")
    assert numbers(tiles(app)[3][1]) == [FEW["noisy"]]
    assert button(app, "Stop").disabled
    assert tiles(app) == tiles(open_audit("noisy"))


def test_another_setting_ends_a_stop():
    app = open_audit("noisy")
    app.session_state["audit/noisy/remembered/stopped"] = "another question"
    move(app, "audit/noisy", epsilon=2.0)
    assert numbers(tiles(app)[3][1]) == [FEW["noisy"]]
    found = attacked("noisy", epsilon=2.0)
    assert numbers(tiles(app)[1][1])[0] == pytest.approx(found.epsilon, abs=0.0051)


def test_trials_in_memory_are_not_run_again(monkeypatch):
    app = open_audit("noisy")
    before = tiles(app)
    monkeypatch.setattr(pb.audit, "run", lambda *how, **more: pytest.fail("it ran again"))
    assert tiles(app.run()) == before


def own(problem, attack, **query):
    return open_own(problem, "audit", attack=attack, trials=FEW[attack], **query)


@pytest.mark.parametrize("attack", ON_DATA)
def test_every_number_is_that_of_the_visitor_s_table_and_nothing_of_it_is_in_the_address(attack):
    problem = made(random_table(60, 4))
    app = open_sections(own(problem, attack))
    found = attacked(attack, problem)
    assert numbers(tiles(app)[1][1])[0] == pytest.approx(found.epsilon, abs=0.0051)
    if attack == "reconstruction":
        assert numbers(headline(app)[0]) == [5, 55]
    words = " ".join(address(app).values())
    assert not any(private in words for private in ("mine", "x0", "x1"))
    kept = [name for name, _ in app.session_state.items() if "/remembered/" in name]
    assert kept
    assert all(name.startswith(OWN_DATA) for name in kept if "audit" in name), "it is dropped with the table"


def test_a_link_to_a_table_that_is_not_here_asks_for_it():
    app = open_audit(data="own")
    assert app.warning
    assert not charts(app)
    assert not open_audit("score", data="own", epsilon="1").warning, "this attack needs no table"


def few_rows(count, columns=2):
    few = pb.data.synthetic(side=20)
    chosen = [0, 57, 190, 333, 399][:count]
    table = pd.DataFrame(few.original[chosen], columns=["a", "b"]).assign(y=few.objective[chosen])
    return make_problem(table, ["a", "b"][:columns], "y", maximize=True)


@pytest.mark.parametrize("attack", ["reconstruction", "columns"])
def test_a_table_of_no_more_than_d_plus_one_rows_is_refused_in_a_sentence(attack):
    app = own(few_rows(3), attack)
    assert not charts(app)
    assert tells(headline(app)[1], 3)
    assert "pb-proven" not in html(app)
    assert values(app)["epsilon"] == 3


@pytest.mark.parametrize("rows", [4, 5])
def test_few_records_are_rebuilt_too(rows):
    app = own(few_rows(rows), "reconstruction")
    assert numbers(headline(app)[0]) == [3, rows - 3]


def test_a_table_of_one_column_is_attacked():
    problem = made(random_table(30, 1))
    for attack in ON_DATA:
        app = open_sections(own(problem, attack))
        assert charts(app)["attack"]


@pytest.mark.parametrize("attack", ON_DATA)
def test_names_from_a_file_stay_text(attack):
    table = random_table(40, 2).rename(columns={"x0": HOSTILE, "x1": "<script>alert(1)</script>"})
    app = open_sections(own(made(table, title=HOSTILE), attack))
    assert "<script>alert" not in html(app)
    assert "<b>b</b>" not in html(app)
    assert not any("![x](" in text.replace("\\", "#") for text in marked(app))
    for chart in charts(app).values():
        assert "<b>b</b>" not in str(chart["layout"])


def homes(frame=None):
    problem = pb.data.sample("homes")
    original = problem.original[:80]
    points, factor = normalise(original)
    fitted = {"unit_distance": np.full(2, 1 / factor), "kernel": pb.gp.SquaredExponential(float(np.std(points)))}
    rows = {"original": original, "points": points, "objective": problem.objective[:80], "known_frame": frame}
    return replace(problem, title="mine.csv", identity=None, **rows, **fitted)


TYPED = Frame(tuple(FrameColumn(name, "°", -180, 180, 0.01) for name in pb.data.sample("homes").names))
FRAMES = {
    "read off": (None, False),
    "read off and kept": (frame_from(homes().original, homes().names), False),
    "one column public": (Frame((TYPED.columns[0], homes().frame.columns[1])), False),
    "typed and public": (TYPED, True),
}


@pytest.mark.parametrize("name", FRAMES)
def test_only_a_table_whose_settings_were_known_beforehand_is_proven(name):
    frame, public = FRAMES[name]
    app = own(homes(frame), "noisy")
    card = guarantee(app)
    assert ("pb-proven" in card, "pb-caution" in card) == (public, not public)
    assert (" protection." in card) == public
    assert ("pb-badge pb-proven" in html(app)) == public


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_script_prints_the_numbers_of_the_page(attack, scripts, tmp_path):
    link = {"epsilon": "1.7", "data": "homes", "r": "3", "k1": "0.97", "z": "1.2", "P": "4", "N": "40", "T": "9"}
    app = open_audit(attack, **link)
    found = printed(scripts[-1], tmp_path)
    claimed, shown, right, _ = tiles(app)
    assert numbers(shown[1])[0] == pytest.approx(float(found["epsilon is at least"]), abs=0.0051)
    assert numbers(claimed[1])[0] == pytest.approx(float(found["claimed epsilon"]), rel=6e-3)
    assert numbers(right[1])[0] == pytest.approx(float(found["right answers in 100"]), abs=1.01)
    if attack == "reconstruction":
        assert float(found["numbers learned about each record"]) == 2
    if attack == "score":
        assert tells(headline(app)[1], float(f"{float(found['exact epsilon of this pair']):.3g}"))


def test_the_script_of_an_own_table_names_no_data(scripts):
    own(made(random_table(40, 2)), "noisy")
    assert "load_table" in scripts[-1]
    assert not any(private in scripts[-1] for private in ("x0", "x1", "mine.csv"))


def test_a_simulation_of_another_table_answers_no_old_question():
    """Two tables may have the same name and the same settings."""
    one, two = (made(random_table(60, 2, seed)) for seed in (0, 1))
    app = own(one, "noisy")
    first = tiles(app)
    app.session_state[OWN_TABLE] = replace(app.session_state[OWN_TABLE], simulation=Simulation(two))
    again = app.run()
    assert headline(again)
    assert charts(own(two, "noisy"))["attack"]["data"] == charts(again)["attack"]["data"]
    assert first
