"""From a signed decision to the holder's seat: with one button, or as a file; a hostile one gets a sentence."""

import io
import json
import math
import re
from dataclasses import replace

import pytest

from pages.parts.system import system
from pages.parts.table.upload import chosen, unnamed
from privbo_core.data import load_table, sample, with_marks
from privbo_core.decision import Decision, Person, order_bytes
from privbo_core.outsourced import Outcome, Private
from tests.helpers.bench import ask_for, bring, bring_table, errors, plain, press, said, sit
from tests.helpers.deciding import FRAME, a_table, button, come, fill, head, seen, sign, simulation_of
from tests.helpers.reading import owned

HOSPITAL = Decision(
    sample("hospital").frame, Outcome("free_light_chain", "mg/dL"), 2.0, 1e-7, 44, (Person("A. Muster"),), "2026-03-31"
)  # fmt: skip


def ordered(content=None, data="hospital", **changed):
    """Return the holder's seat after an order's file was brought: that of the hospital, perhaps changed."""
    app = sit("holder", data=data)
    bring(app, "An order from Decide", "order.json", content or order_bytes(replace(HOSPITAL, **changed))).run()
    return app


def test_a_signed_decision_is_taken_to_the_workbench_with_one_button():
    table = a_table()
    app = sign(fill(come(simulation_of(table), table, delta="1e-6"), "Decide for", "5"))
    button(app, "to-workbench").click().run()
    assert app.session_state["seat"] == "holder"
    last = app.session_state["workbench/last"]
    assert (last["epsilon"], last["delta"], last["T"]) == (5.0, 1e-6, 10)
    assert app.session_state[chosen("workbench/output")] == "marker"
    assert app.session_state[chosen(f"workbench/inputs/{unnamed('marker')}")] == ["age", "dose"]
    assert owned(app).columns["age"] == FRAME.columns[0]
    assert "By the order of" in said(app)
    assert "signed by A. Muster: ε = 5 (hardly any protection)" in said(app)
    assert "Not as in the order" not in said(app)


def test_answers_that_were_decided_to_be_private_are_so_on_the_workbench_and_on_every_page():
    table = a_table()
    app = come(simulation_of(table), table, decided="1", answers="private", view="simple")
    fill(app, "Who decides", "A. Muster")
    assert button(app, "sign").disabled  # the range is still to be said
    assert "answered in a way that is still to be said" in head(app)
    assert "costs" not in head(app)
    assert not app.error  # nothing was typed yet
    for label, text in {"from": "0", "to": "2.5", "hide ±": "0.25", "range known from": "The device’s scale."}.items():
        fill(app, label, text)
    button(app, "sign").click().run()
    order = app.session_state["own data/decision/signed"]
    assert order.private == Private(0, 2.5, 0.25, 1.0, order.private.delta, "The device’s scale.")
    noise = f"noise of ± {order.private.sigma:.3g}"
    assert re.search(rf"are answered with {noise}[ \w/]* \(private answers, ε = 1 each\)", head(app))
    sheet = seen(app)
    assert "in full" not in sheet
    assert "noise hides ± 0.25 (ε = 1.00)" in sheet
    assert f"Decided: ε = 1 ({order.cost.both:.2f} with its answer), by" in head(app)
    assert "Private answers’ noise is in it" in sheet
    sure = f"{100 / (1 + math.exp(-order.cost.both)):.0f} %"  # of inputs and answer, not of the inputs alone
    assert sure in sheet
    button(app, "to-workbench").click().run()
    assert "private answers at ε = 1 (digest" in said(app)
    assert f"ε = {order.cost.both:.3g}," in said(app)
    assert "simulated with private answers" in said(app)
    assert not app.warning


@pytest.mark.parametrize("answers", ["exact", "private"])
def test_the_workbench_counts_tests_as_the_decision_does(answers):
    table = a_table()
    app = come(simulation_of(table), table, view="simple", answers=answers)
    if answers == "private":
        for label, text in {"from": "-9", "to": "9", "hide ±": "0.05", "range known from": "The scale."}.items():
            fill(app, label, text)
    app = sign(fill(app, "Decide for", "0.5"))
    more, span = re.search(r"\+(\d+) \(([\w ]+)\)", seen(app)).groups()
    button(app, "to-workbench").click().run()
    shown = said(app)
    assert f"{more} more tests" in shown
    assert f"95 % interval: {span} more; {system.RUNS} simulated searches." in shown
    assert answers == "private" or "ε = 0.5 (very strong protection)" in shown


def test_an_order_fits_a_table_with_decimal_commas_of_which_a_cell_is_no_number():
    lines = [f"{30 + i % 50};{'<0,5' if i == 3 else f'{i % 20},25'};{i % 7},5" for i in range(80)]
    app = sit("holder")
    bring_table(app, "ward.csv", "\n".join(["age;dose;marker", *lines]).encode())
    order = Decision(FRAME, Outcome("marker", "mg/l"), 5.0, 1e-6, 10, (Person("A. Muster"),), "2026-03-31")
    bring(app, "An order from Decide", "order.json", order_bytes(order)).run()
    assert not errors(app)
    assert app.session_state[chosen("workbench/output")] == "marker"
    assert [each.value for each in app.text_input if each.label == "Unit of the outcome"] == ["mg/l"]
    assert owned(app).columns["dose"] == FRAME.columns[1]
    assert app.session_state["workbench/last"]["epsilon"] == 5.0


@pytest.mark.parametrize(("codes", "left"), [([-9.0], 71), ([], 80)])
def test_an_order_says_which_numbers_mean_that_there_is_no_value(codes, left):
    ages = ["-9" if i % 9 == 3 else str(30 + i % 50) for i in range(80)]
    lines = [f"{age},{i % 20},{i % 7}" for i, age in enumerate(ages)]
    file = "\n".join(["age,dose,marker", *lines]).encode()
    app = sit("holder")
    bring_table(app, "ward.csv", file)
    assert "Does it mean that there is no value?" in " ".join(map(plain, app.warning))
    frame = replace(with_marks(FRAME, load_table(io.BytesIO(file), {"age": codes})), written_from="As wards export it.")
    order = Decision(frame, Outcome("marker", "mg/l"), 5.0, 1e-6, 10, (Person("A. Muster"),), "2026-03-31")
    bring(app, "An order from Decide", "order.json", order_bytes(order)).run()
    assert not errors(app)
    assert "Does it mean" not in " ".join(map(plain, app.warning))
    assert owned(app).missing == {"age": codes}
    assert owned(app).columns["age"] == frame.columns[0]
    assert owned(app).table["age"].notna().sum() == left


@pytest.mark.parametrize(("delta", "noise", "words"), [(1e-7, "gaussian", "δ = 10⁻⁷"), (0.0, "laplace", "without a δ")])
def test_an_order_s_file_sets_the_seat_of_a_sample(delta, noise, words):
    app = ordered(delta=delta)
    assert not errors(app)
    last = app.session_state["workbench/last"]
    assert (last["epsilon"], last["delta"], last["T"]) == (2.0, delta or system.DELTA, 44)
    assert app.session_state["noise"] == noise
    shown = said(app)
    assert "By the order of 2026-03-31, signed by A. Muster" in shown
    assert words in shown
    assert "Not as in the order" not in shown


def test_more_answers_than_were_signed_for_are_said_to_be_before_they_are_given():
    def beyond(rows):
        ask_for(app, rows)
        return [box.value for box in app.warning if "order is for" in box.value]

    app = press(ordered(first=2, tests=10), "Release")
    assert beyond(range(1, 13)) == []
    press(app, "Answer 12 patients")
    assert beyond([12]) == []  # once more is no other test
    assert beyond([12, 13]) == ["The order is for 12 tests; these answers make it 13. Nobody has signed for that."]


def test_an_order_for_another_table_waits_with_a_sentence_until_its_table_is_chosen():
    app = ordered(data="homes")
    assert "'age'" in errors(app)[0]
    assert "Choose or bring the table" in errors(app)[0]
    assert app.session_state["workbench/last"]["epsilon"] != 2.0
    app.selectbox(key="data").set_value("hospital").run()
    assert not errors(app)
    assert app.session_state["workbench/last"]["epsilon"] == 2.0


def go(app, page):
    """Go to another page by the menu: what the address says of this one stays behind."""
    app.query_params.clear()
    app.switch_page(f"pages/{page}.py").run()


@pytest.mark.parametrize(
    "private", [Private(0, 20, 1, 0.5, 1e-7, "The device."), Private(0, 2, 1, 0.5, 0, "The device.", "laplace")]
)
def test_what_is_not_as_in_the_order_is_a_warning(private):
    app = ordered(private=private)
    assert not app.warning
    fill(app, "hide ±", "2")
    assert "Not as in the order: how outcomes are answered." in app.warning[0].value
    app.selectbox(key="data").set_value("homes").run()
    assert "Not as in the order: the table, its frame, or what is looked for" in app.warning[0].value


def test_a_table_that_was_brought_to_the_workbench_is_missed_on_decide_and_in_use_again_on_coming_back():
    app = sit("holder")
    lines = "\n".join(f"{30 + i % 50},{i % 20},{i % 7}" for i in range(80))
    bring_table(app, "ward.csv", f"age,dose,marker\n{lines}".encode())
    assert app.session_state["data"] == "own"
    go(app, "decision")
    assert "Not shown here yet: your table ward.csv." in said(app)
    go(app, "workbench")
    assert app.session_state["data"] == "own"
    app.selectbox(key="data").set_value("homes").run()  # but not for who has chosen a sample here
    go(app, "decision")
    go(app, "workbench")
    assert app.session_state["data"] != "own"


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"\xff\xfe", b"{}", b"{" * 9000, json.dumps({"format": "privbo order", "version": 9}).encode(),
     order_bytes(HOSPITAL).replace(b'"epsilon": 2.0', b'"epsilon": 20.0'), order_bytes(HOSPITAL)[:300]],
)  # fmt: skip
def test_a_hostile_file_gets_one_sentence_and_changes_nothing(content):
    app = sit("holder", data="hospital")
    before = dict(app.session_state["workbench/last"])
    bring(app, "An order from Decide", "order.json", content).run()
    assert len(errors(app)) == 1
    assert errors(app)[0].endswith(".")
    assert app.session_state["workbench/last"] == before


def test_an_order_out_of_reach_of_the_seat_s_sliders_is_refused_with_their_range():
    assert "out of range" in errors(ordered(epsilon=1000.0))[0]
