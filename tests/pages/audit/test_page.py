"""The Audit page, run without a browser, and the pictures and words of its attacks."""

import contextlib
import io
import json
import re
from dataclasses import replace

import pandas as pd
import pytest

from pages.parts.outsourced.attacks import CHECK
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.picture import LIGHT, REFUTED
from pages.parts.views.templates import render
from pages.parts.views.text import as_html
from privbo_core.data import make_problem, synthetic
from privbo_core.outsourced import Simulation
from tests.helpers.attacked import ATTACKS, AUDITED, FEW, few_trials, find, quick_view
from tests.helpers.opening import open_page
from tests.helpers.reading import address, choose, html, marked, plotly_takes, record

EXACT = ["projection/rebuild", "noisy/rebuild", "choice/prior", "choice/task", "score/lipschitz", "selection/setting",
         "selection/exponential"]  # fmt: skip
"""What is computed without trials, and so has no third figure."""


def titles(view):
    left, right, *_ = view.figures
    return left.finding.title, right.finding.title


def tiles(view):
    return render("tiles.html", tiles=view.tiles)


def test_the_attacks_keep_the_addresses_under_which_people_know_them():
    known = {
        "projection": "tell rebuild", "noisy": "tell rebuild sharpest frame-follows frame-public",
        "laplace": "sharpest",
        "choice": "prior task", "score": "noisy exact ramp lipschitz", "selection": "setting both drawn exponential",
        "canary": "all one model", "textbook": "laplace gaussian",
    }  # fmt: skip
    assert [(mechanism, attack) for mechanism, attacks in known.items() for attack in attacks.split()] == ATTACKS
    assert all(AUDITED[mechanism].data or find(mechanism, attack).data for mechanism, attack in ATTACKS)


@pytest.mark.parametrize(("mechanism", "attack"), ATTACKS)
def test_the_page_runs_each_attack_with_pictures_for_plotly_and_words_for_those_who_cannot_see_them(mechanism, attack):
    asked = {"audited": mechanism, f"attack-{mechanism}": attack, "trials": few_trials(mechanism, attack), **FEW}
    app = open_page("audit", **asked)
    lead, shown = find(mechanism, attack).lead, record(app)
    assert lead
    assert as_html(lead) in html(app)
    assert app.radio(key=f"attack-{mechanism}").value == attack
    sides = ("left", "right") if f"{mechanism}/{attack}" in EXACT else ("left", "right", "testing")
    assert list(shown.figures) == [f"audit-{mechanism}-{attack}-{side}" for side in sides]
    assert len(shown.tiles) == 4
    ((heading, text),) = shown.explanations.items()
    assert heading
    assert len(text) > 200
    for figure in shown.figures.values():
        assert figure.finding.title
        assert figure.table or figure.picture
        if figure.picture:
            plotly_takes(figure.picture)
            assert len(figure.alt) > 20


@pytest.mark.parametrize(("epsilon", "r"), [(0.4, 10.0), (2.0, 2.0)])
def test_the_paper_s_projection_is_refuted_in_words_and_colours(epsilon, r):
    view, _ = quick_view("projection", "tell", epsilon=epsilon, r=r)
    left, right = titles(view)
    assert "is refuted" in right
    assert "Told apart every time" in left
    assert "<s " in tiles(view)
    claimed = view.figures[1].picture.data[1]
    assert claimed["marker"]["pattern"]["shape"] == "x"
    assert claimed["marker"]["line"]["color"] == REFUTED
    view, _ = quick_view("projection", "rebuild", epsilon=epsilon, r=r)
    assert "reveal all the others" in titles(view)[0]
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
    assert "3 known records of 5 reveal all the others" in titles(view)[0]
    assert len(view.figures[0].table.body) == 2


def test_with_one_dimension_less_only_combinations_are_revealed():
    view, _ = quick_view("projection", "rebuild", r=1.0)
    assert "1 of 2 numbers about each record are revealed" in titles(view)[0]
    # This attack alone does not refute the promise; it is refuted all the same, and stamped.
    assert "<s " in tiles(view)
    assert view.tiles[0].remark.startswith("refuted by the other attack")


def test_bars_have_plain_names_and_labels_that_break():
    picture = quick_view("canary", "one")[0].figures[1].picture
    labels = ["this audit shows<br>at least", "moments (paper)", "loss distributions<br>(paper)",
              "claimed:<br>counted exactly"]  # fmt: skip
    names = [label.replace("<br>", " ") for label in labels]
    assert [trace["name"] for trace in picture.data] == names
    assert [trace["y"] for trace in picture.data] == [[name] for name in names]
    axis = json.loads(picture.as_json(LIGHT))["layout"]["yaxis"]
    assert (axis["tickvals"], axis["ticktext"]) == (names, labels)


@pytest.mark.parametrize(("mechanism", "attack"), [pair for pair in ATTACKS if pair[0] in ("projection", "noisy")])
def test_names_from_a_file_stay_text(mechanism, attack):
    table = synthetic(side=20)
    name = "<b>*a-b*</b>"
    # Without what was known of the columns, whose names would be others.
    named = replace(table, names=(name, *table.names[1:]), units=("<i>", *table.units[1:]), known_frame=None)
    view, scene = quick_view(mechanism, attack, named)
    shown = [render("finding.html", finding=figure.finding) for figure in view.figures]
    shown += [render("table.html", table=figure.table) for figure in view.figures if figure.table]
    drawn = [figure.picture.as_json(LIGHT) for figure in view.figures if figure.picture]
    everything = [*shown, *drawn, tiles(view), find(mechanism, attack).explain(scene)[1]]
    assert not re.search(r"<b>\*|<i>", " ".join(everything))
    assert as_html(name) in "".join(shown)
    guarantee, _ = find(mechanism, attack).claim(scene)
    assert name in guarantee.neighbours


def test_the_five_lines_do_what_they_say():
    assert len(CHECK.strip().splitlines()) == 5
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(CHECK, {})
    here, there = map(float, printed.getvalue().split())
    assert here < 1e-13
    assert 1e-3 < there < 1e-1


def test_the_page_runs_from_its_own_address_and_states_the_finding():
    app = open_page("audit", trials="60", epsilon="100")
    assert app.selectbox(key="audited").value == "projection"
    assert record(app).settings["ε"].value == "100"
    words = " ".join(marked(app))
    for part in ("What is shown", "Under which conditions", "more than d + 1 records", "What is not said", "utility"):
        assert part in words
    assert app.code[0].value.strip() == CHECK.strip()
    app.radio(key="attack-projection").set_value("rebuild").run()
    # Another mechanism does not take over settings that mean something else.
    app.selectbox(key="audited").set_value("textbook").run()
    assert not app.info
    assert record(app).settings["ε"].value == "1"
    assert "What is shown" not in " ".join(marked(app))


@pytest.mark.parametrize("mechanism", ["projection", "noisy"])
def test_tables_of_no_more_than_d_plus_one_rows_get_a_sentence(mechanism):
    simulation = Simulation(table_of([0, 57, 190]))  # fewer cannot be prepared
    own = {OWN_TABLE: OwnTable(simulation=simulation), "data": "own"}
    app = open_page("audit", own, audited=mechanism)
    for attack in ("tell", "rebuild"):
        choose(app, **{f"attack-{mechanism}": attack})
        assert "d + 1 = 3 records, and there are 3" in app.info[0].value
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
