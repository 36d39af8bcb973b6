"""The Audit page, run without a browser, and the pictures of its attacks."""

import contextlib
import io
import re
from dataclasses import replace

import pandas as pd
import pytest

from pages.parts.outsourced.attacks import CHECK
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.picture import LIGHT, REFUTED
from pages.parts.views.templates import render
from pages.parts.views.text import as_html
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.data import make_problem, synthetic
from privbo_core.outsourced import Simulation
from tests.helpers.attacked import ATTACKS, AUDITED, FEW, few_trials, find, quick_view
from tests.helpers.opening import open_page
from tests.helpers.reading import address, choose, numbers, plotly_takes, record

EXACT = ["projection/rebuild", "noisy/rebuild", "choice/prior", "choice/task", "score/lipschitz", "selection/setting",
         "selection/exponential"]  # fmt: skip
"""What is computed without trials, and so has no third figure."""


def tiles(view):
    return render("tiles.html", tiles=view.tiles)


def test_the_attacks_keep_the_addresses_under_which_people_know_them():
    known = {
        "projection": "tell rebuild", "noisy": "tell rebuild sharpest frame-follows frame-public",
        "choice": "prior task", "score": "noisy exact ramp lipschitz", "selection": "setting both drawn exponential",
        "canary": "all one model", "textbook": "laplace gaussian",
    }  # fmt: skip
    assert [(mechanism, attack) for mechanism, attacks in known.items() for attack in attacks.split()] == ATTACKS
    assert all(AUDITED[mechanism].data or find(mechanism, attack).data for mechanism, attack in ATTACKS)


@pytest.mark.parametrize(("mechanism", "attack"), ATTACKS)
def test_the_page_runs_each_attack_with_pictures_for_plotly_and_for_those_who_cannot_see_them(mechanism, attack):
    asked = {"audited": mechanism, f"attack-{mechanism}": attack, "trials": few_trials(mechanism, attack), **FEW}
    app = open_page("audit", **asked)
    shown = record(app)
    assert app.radio(key=f"attack-{mechanism}").value == attack
    sides = ("left", "right") if f"{mechanism}/{attack}" in EXACT else ("left", "right", "testing")
    assert list(shown.figures) == [f"audit-{mechanism}-{attack}-{side}" for side in sides]
    assert len(shown.tiles) == 4
    assert len(shown.explanations) == 1
    for figure in shown.figures.values():
        assert figure.finding.title
        assert figure.table or figure.picture
        if figure.picture:
            plotly_takes(figure.picture)
            assert figure.alt


@pytest.mark.parametrize(("epsilon", "r"), [(0.4, 10.0), (2.0, 2.0)])
def test_the_paper_s_projection_is_refuted_and_struck_out(epsilon, r):
    view, _ = quick_view("projection", "tell", epsilon=epsilon, r=r)
    assert view.shown.refuted(view.trial.claim)
    assert view.shown.flawless, "told apart every time"
    assert "<s " in tiles(view)
    claimed = view.figures[1].picture.data[1]
    assert claimed["marker"]["pattern"]["shape"] == "x"
    assert claimed["marker"]["line"]["color"] == REFUTED
    view, _ = quick_view("projection", "rebuild", epsilon=epsilon, r=r)
    assert view.rebuilt.whole
    assert view.rebuilt.errors.max() < 1e-3
    assert view.tiles[0].audience == "refuted"
    table = view.figures[0].table
    assert render("table.html", table=table).count("<tr>") == 10
    widths = {sum(cell.wide for cell in row.cells) for row in table.body}
    assert widths == {sum(cell.wide for cell in table.head[0].cells)}
    assert len(table.head[1].cells) + 1 == len(table.body[0].cells)


def table_of(rows):
    few = synthetic(side=20)
    table = pd.DataFrame(few.original[rows], columns=["a", "b"]).assign(y=few.objective[rows])
    return make_problem(table, ["a", "b"], "y", maximize=True)


def test_few_records_are_rebuilt_too():
    view, _ = quick_view("projection", "rebuild", table_of([0, 57, 190, 333, 399]))
    assert view.rebuilt.whole
    assert numbers(view.figures[0].finding.title)[:2] == [3, 5], "so many known, of all"
    assert len(view.figures[0].table.body) == 2


def test_with_one_dimension_less_only_combinations_are_revealed():
    view, _ = quick_view("projection", "rebuild", r=1.0)
    assert not view.rebuilt.whole
    assert view.rebuilt.learned == 1
    assert {1, 2} <= {*numbers(view.figures[0].finding.title)}
    # This attack alone does not refute the promise; it is refuted all the same, and stamped.
    assert "<s " in tiles(view)
    assert view.tiles[0].audience == "refuted"


@pytest.mark.parametrize(("mechanism", "attack"), [pair for pair in ATTACKS if pair[0] in ("projection", "noisy")])
def test_names_from_a_file_stay_text(mechanism, attack):
    table = synthetic(side=20)
    name = "<b>*a-b*</b>"
    # Without what was known of the columns, whose names would be others.
    named = replace(table, names=(name, *table.names[1:]), units=("<i>", *table.units[1:]), known_frame=None)
    view, aim = quick_view(mechanism, attack, named)
    shown = [render("finding.html", finding=figure.finding) for figure in view.figures]
    shown += [render("table.html", table=figure.table) for figure in view.figures if figure.table]
    drawn = [figure.picture.as_json(LIGHT) for figure in view.figures if figure.picture]
    everything = [*shown, *drawn, tiles(view), find(mechanism, attack).explain(aim)[1]]
    assert not re.search(r"<b>\*|<i>", " ".join(everything))
    assert as_html(name) in "".join(shown)
    guarantee, _ = find(mechanism, attack).claim(aim)
    assert name in guarantee.neighbours


def test_the_five_lines_do_what_they_say():
    assert len(CHECK.strip().splitlines()) == 5
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(CHECK, {})
    here, there = map(float, printed.getvalue().split())
    assert here < 1e-13
    assert 1e-3 < there < 1e-1


def test_the_page_runs_from_its_own_address():
    app = open_page("audit", trials="60", epsilon="100")
    assert app.selectbox(key="audited").value == "projection"
    assert record(app).settings["ε"].value == "100"
    assert {figure.finding.stamp for figure in record(app).figures.values()} == {REFUTED_STAMP}
    assert app.code[0].value.strip() == CHECK.strip()
    app.radio(key="attack-projection").set_value("rebuild").run()
    # Another mechanism does not take over settings that mean something else.
    app.selectbox(key="audited").set_value("textbook").run()
    assert not app.info
    assert record(app).settings["ε"].value == "1"
    assert {figure.finding.stamp for figure in record(app).figures.values()} == {""}
    assert CHECK.strip() not in [code.value.strip() for code in app.code], "it is about the projection alone"


@pytest.mark.parametrize("mechanism", ["projection", "noisy"])
def test_tables_of_no_more_than_d_plus_one_rows_are_refused(mechanism):
    simulation = Simulation(table_of([0, 57, 190]))  # fewer cannot be prepared
    own = {OWN_TABLE: OwnTable(simulation=simulation), "data": "own"}
    app = open_page("audit", own, audited=mechanism)
    for attack in ("tell", "rebuild"):
        choose(app, **{f"attack-{mechanism}": attack})
        assert numbers(app.info[0].value)[-2:] == [3, 3], "so many records are known, and so many there are"
        assert not record(app).figures


def test_a_link_keeps_its_epsilon_wherever_somebody_was_before():
    app = open_page("audit", trials=60)
    app.switch_page("pages/start.py").run()
    app.switch_page("pages/audit.py")
    for name, value in {"audited": "textbook", "epsilon": "6", "trials": "1000"}.items():
        app.query_params[name] = value
    app.run()
    assert record(app).settings["ε"].value == "6"
    assert app.query_params["epsilon"] == "6"


def test_what_is_set_stays_with_another_attack_on_the_same_and_at_another_depth():
    app = open_page("audit", audited="projection", epsilon="24", trials="50", **{"attack-projection": "tell"})
    for state in (
        {"attack-projection": "rebuild"},
        {"attack-projection": "tell"},
        {"view": "simple"},
        {"view": "expert"},
    ):
        assert address(choose(app, **state))["epsilon"] == "24"
    assert app.radio(key="attack-projection").value == "tell"
    assert address(choose(app, audited="noisy"))["epsilon"] != "24", "another mechanism’s is another one"
