"""The Simple page of Data: what will be hidden, to scale, and the way in for a table of one's own."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.data.details import hidden_change, in_frame, middle_one, two_columns
from pages.parts.data.page import SLOT
from pages.parts.data.view import NAMED, Condition, View
from pages.parts.live.desk import START
from pages.parts.table.upload import INPUTS, chosen, made, unnamed
from pages.parts.views.content import of_table
from pages.parts.views.text import as_plain
from pages.parts.views.views import KEY
from privbo_core.diagnostics import judge
from privbo_core.outsourced import noisy_guarantee
from privbo_core.privacy import Status
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table
from tests.helpers.reading import html, numbers, owned, plotly_takes, press

NOW = Condition(3.0, 1e-5, 10)


def page(**query):
    app = open_page("data", **{"view": "simple"} | query)
    return app, app.session_state[KEY]


def words_of(problem, condition=NOW):
    return View(problem, pb.outsourced.spectrum(problem.points), condition)


def all_of(brief):
    return as_plain(" ".join([brief.answer, *brief.promise, *(f"{f.about} {f.text} {f.remark}" for f in brief.facts)]))


def own_table(columns=("age", "weight")):
    rng = np.random.default_rng(5)
    rows = [",".join(f"{x:.4f}" for x in rng.normal(size=len(columns) + 1)) for _ in range(60)]
    return "\n".join([",".join([*columns, "y"]), *rows]).encode()


def own_problem(columns=("age", "weight")):
    cleaned = pb.data.clean(pb.data.load_table(io.BytesIO(own_table(columns))), columns, "y")
    return pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned), title="mine.csv")


@pytest.mark.parametrize("name", pb.data.SAMPLES)
def test_every_sample_says_what_is_hidden_in_its_own_units(name):
    problem = pb.data.sample(name)
    said, brief = of_table(problem).hides(problem, 1.0), words_of(problem, Condition(START, 1e-5, 10)).brief
    hidden = [number for each in said for number in numbers(each)]
    assert hidden
    assert {*hidden} <= {*numbers(all_of(brief))}
    assert noisy_guarantee(START, 1e-5, "", problem.frame).status is Status.PROVED


def test_a_visitor_first_sees_the_hospital():
    app, record = page()
    assert app.selectbox(key="data").value == "hospital"
    assert SLOT in record.figures
    assert START in numbers(record.brief.facts[2].remark)
    assert pb.data.sample("hospital").frame.hide[0] in numbers(record.brief.answer)


def test_what_is_drawn_is_to_scale():
    problem = pb.data.sample("hospital")
    speech = of_table(problem)
    across, up = two_columns(problem, speech)
    picture = hidden_change(problem, speech, speech.hides(problem, 1.0))
    _, outline, level, upright = picture.data[:4]
    assert np.ptp(outline["x"]) == pytest.approx(2 * problem.frame.hide[across])
    assert np.ptp(outline["y"]) == pytest.approx(2 * problem.frame.hide[up])
    assert np.ptp(level["x"]) == pytest.approx(2 * problem.frame.hide[across])
    assert np.ptp(upright["y"]) == pytest.approx(2 * problem.frame.hide[up])
    # The outline is what is hidden if both change: one hidden change away in all.
    away = np.column_stack([outline["x"] - level["x"][0], outline["y"] - level["y"][0]])
    away[:, 0] -= problem.frame.hide[across]
    np.testing.assert_allclose(np.hypot(*(away / problem.frame.hide[[across, up]]).T), 1.0, rtol=1e-9)
    assert plotly_takes(picture).data


def test_a_point_outside_of_the_frame_is_drawn_where_it_will_be_released():
    problem = own_problem()
    column = replace(problem.frame.columns[0], low=-0.5, high=0.5, hide=0.1)
    framed = replace(problem, known_frame=pb.data.Frame((column, problem.frame.columns[1])))
    values = in_frame(framed, 0)
    assert values.min() == -0.5
    assert values.max() == 0.5
    placed = framed.frame.to_original(framed.frame.place(framed.original))
    np.testing.assert_allclose(values, placed[:, 0])
    assert middle_one(np.array([[0.0, 0.0], [1.0, 1.0], [9.0, 9.0]]), np.ones(2)) == 1


def test_a_frame_that_was_read_off_the_data_is_said_and_makes_the_promise_conditional():
    hospital = pb.data.sample("hospital")
    for problem in (own_problem(), replace(hospital, known_frame=None)):
        brief = words_of(problem).brief
        assert noisy_guarantee(3.0, 1e-5, "", problem.frame).status is Status.UNMET
        assert all(name in as_plain(brief.promise[0]) for name in problem.names), "whose range was read off"
        assert not any(name in as_plain(words_of(hospital).brief.promise[0]) for name in problem.names)


def test_a_map_has_its_east_on_the_right():
    problem = pb.data.sample("homes")
    across, up = two_columns(problem, of_table(problem))
    assert (problem.names[across], problem.names[up]) == ("longitude", "latitude")


def test_of_many_columns_the_first_are_named():
    problem = own_problem(tuple("abcdef"))
    *first, others = words_of(problem).hides
    assert numbers(others) == [6 - len(first)]
    assert len(first) <= NAMED


def test_how_strongly_follows_what_is_set_on_the_next_page():
    problem = pb.data.sample("hospital")
    small, usual = words_of(problem, Condition(0.5, 1e-5, 10)).brief.facts[2], words_of(problem).brief.facts[2]
    assert 0.5 in numbers(small.remark)
    assert 3 in numbers(usual.remark)
    assert small.level > usual.level


def test_one_column_is_drawn_beside_the_outcome_which_is_not_hidden():
    problem = own_problem(("age",))
    picture = hidden_change(problem, of_table(problem), words_of(problem).hides)
    assert np.ptp(picture.data[1]["y"]) == 0
    assert np.ptp(picture.data[1]["x"]) == pytest.approx(2 * problem.frame.hide[0])


WARD = "\n".join(
    [
        "Nr;Patient ID;Aufnahme;Alter [Jahre];Kreatinin (mg/dl);Station;Nummer;FLC [mg/l]",
        *(
            f"{i + 1};P{100 + 7 * i};{1 + i % 28:02d}.03.2025;{40 + i % 31};"
            f"{'n/a' if i in (3, 40, 60) else f'{1 + i % 9},{i % 7}'};"
            f"{'ABC'[i % 3]};7;{'' if i == 50 else f'{20 + (i * 37) % 100},5'}"
            for i in range(90)
        ),
    ]
).encode()


def left_out(app):
    """Return the columns that are left out, each of which has a reason, and how many the list says there are."""
    named = r"\*\*(.+)\*\*: \S+"
    for box in app.expander:
        lines = [line for each in box.markdown for line in each.value.replace("\\", "").split("  \n")]
        if lines and all(re.match(named, line) for line in lines):
            return {re.match(named, line)[1] for line in lines}, *numbers(box.label)
    return set(), 0


def of(part, name):
    return made(f"{part}/{unnamed(name)}")


def choose(app, output=None, inputs=None):
    """Choose what is looked for and by what: row by row on Simple, with pickers on Expert."""
    pickers = [each for each in app.multiselect if each.key == INPUTS]
    if output and pickers:
        app.selectbox(key=chosen("output")).set_value(output).run()
    elif output:
        app.selectbox(key=of("role", output)).set_value("highest").run()
    if inputs and pickers:
        pickers[0].set_value(inputs).run()
    elif inputs:
        for name in inputs:
            if [each for each in app.button if each.key == of("add", name)]:
                app.button(key=of("add", name)).click().run()
        for box in [each for each in app.selectbox if (each.key or "").startswith(made("role/"))]:
            if box.value == "input" and box.key not in {of("role", name) for name in inputs}:
                app.selectbox(key=box.key).set_value("not used").run()


def asked(app):
    """Return the button that agrees to the proposed outcome, None if it is not asked for."""
    return next((each for each in app.button if each.key == "outcome-meant"), None)


def upload(app, name, table):
    app.get("file_uploader")[0].upload(name, table, "text/csv").run()


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_nothing_is_computed_before_a_person_has_agreed_to_the_outcome_or_has_chosen_another(view):
    app, _ = page(view=view, bring="table")
    upload(app, "ward.csv", WARD)
    assert "FLC" in asked(app).label
    assert not [box for box in app.selectbox if box.key == "data" and box.value == "own"]
    assert view == "expert" or not app.session_state[KEY].figures, "no sample stands beside it"
    assert owned(app).simulation is None
    app.run()
    assert owned(app).simulation is None, "asking is not agreeing"
    choose(app, inputs=["Alter", "Kreatinin"])
    assert owned(app).simulation is None
    choose(app, "Kreatinin")
    assert asked(app) is None
    assert owned(app).recipe.output == "Kreatinin"
    # Another table ends what was made of the last, and asks anew.
    upload(app, "mine.csv", own_table())
    assert asked(app) is not None
    assert owned(app).simulation is None
    assert not [box for box in app.selectbox if box.key == "data" and box.value == "own"]
    asked(app).click().run()
    assert asked(app) is None
    assert owned(app).simulation.problem.title == "mine.csv"
    # It goes along to the next page.
    app.query_params = {"T": "10", "runs": "5"}
    app.switch_page("pages/outsourced.py").run()
    assert app.selectbox(key="data").value == "own"


def rows_of(app):
    """Return the numbers that are said of each column in its row."""
    rows = [element.proto.body for element in app.get("html") if 'class="pb-frame-row"' in element.proto.body]
    return [numbers(re.sub(r"<[^>]*>", " ", row)) for row in rows]


def test_a_table_of_two_inputs_is_one_screen_of_fifteen_controls_and_says_what_each_hides():
    """Six of them are typed. What is typed is drawn before it is used."""
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    kinds = (app.selectbox, app.multiselect, app.checkbox, app.button, app.text_input)  # another file is in a fold
    assert len(app.text_input) == 6
    assert sum(map(len, kinds)) <= 15
    assert not [each for each in app.text_input if each.key.endswith(("/unit", "/lengthscale"))]
    for part, text in {"low": "-6", "high": "6", "hide": "0.5"}.items():
        app.text_input(key=f"own data/made/frame/0/{unnamed('age')}/{part}").set_value(text)
    app.run()
    (middle, other, epsilon, *_), _ = rows_of(app)
    assert (other - middle, epsilon) == (pytest.approx(0.5, abs=2e-3), 1)
    outline = app.session_state[KEY].figures[SLOT].picture.data[1]
    assert np.ptp(outline["x"]) == pytest.approx(1.0)  # the ellipse follows
    assert owned(app).simulation.problem.known_frame is None  # and nothing is used yet


def test_a_logarithm_that_is_proposed_can_be_left_out():
    rng = np.random.default_rng(2)
    rows = (f"{np.exp(2 * x):.4f},{w:.4f},{np.exp(2 * (x + w)):.4f}" for x, w in rng.normal(size=(60, 2)))
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", "\n".join(["dose,weight,y", *rows]).encode())
    problem = owned(app).simulation.problem
    assert (problem.names, problem.output) == (("log10 dose", "weight"), "log y")
    boxes = [each for each in app.checkbox if "/log" in each.key]
    assert len(boxes) == 2
    for box in boxes:
        box.uncheck()
    app.run()
    problem = owned(app).simulation.problem
    assert (problem.names, problem.output) == (("dose", "weight"), "y")


def test_of_whole_numbers_two_whole_ones_are_told_apart():
    app, _ = page(bring="table")
    rows = (f"{30 + i},{30 + i // 4},{np.sin(i)}" for i in range(60))
    bring_table(app, "mine.csv", "\n".join(["age,visits,y", *rows]).encode())
    assert [row[:2] for row in rows_of(app)] == [[60, 61], [37, 38]]


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_every_column_of_a_table_is_accounted_for(view):
    app, _ = page(view=view, bring="table")
    upload(app, "ward.csv", WARD)
    assert left_out(app) == ({"Nr", "Patient ID", "Aufnahme", "Station", "Nummer"}, 5)
    # What is chosen is no longer left out, and what is taken out again is.
    choose(app, inputs=["Alter", "Station"])
    assert left_out(app) == ({"Nr", "Patient ID", "Aufnahme", "Kreatinin", "Nummer"}, 5)
    if view == "expert":  # where a column is offered only once somebody asks for it
        back = app.multiselect(key=chosen("inputs/taken back"))
        back.set_value(["Nr"]).run()
    choose(app, inputs=["Alter", "Nr"])
    assert "Nr" not in left_out(app)[0]
    asked(app).click().run()
    assert owned(app).simulation.problem.names == ("Alter", "Nr")


def test_it_is_said_why_rows_are_not_used():
    app, _ = page()
    assert 1350 in numbers(html(app))
    app, _ = page(bring="table")
    bring_table(app, "ward.csv", WARD)
    problem = owned(app).simulation.problem
    counts = {each.column: each.count for each in problem.preparation.dropped}
    assert counts == {"Kreatinin": 3, "FLC": 1}
    assert numbers(words_of(problem).story) == [86, 90, 3, 1]
    assert as_plain(words_of(problem).story) in as_plain(html(app))
    loans = pb.data.sample("loans")
    assert 1000 in numbers(words_of(loans).answer)
    assert numbers(words_of(loans).unused)[-1] == 22
    assert words_of(own_problem()).unused == ""


def test_what_it_costs_agrees_with_whether_the_table_carries_an_answer():
    problem = own_problem()  # of noise
    noise = judge(problem)
    assert noise.verdict == "nothing"
    unknown = words_of(problem)
    carries = replace(unknown, worth=replace(noise, verdict="carries"))
    assert carries.cost == unknown.cost, "as long as it is not known"
    said = replace(unknown, worth=noise)
    assert said.cost in said.brief.facts
    few = replace(said, worth=replace(noise, verdict="too few", rows=12))
    assert 12 in numbers(few.cost.remark)
    assert len({carries.cost, said.cost, few.cost}) == 3
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    assert app.session_state[KEY].brief.facts[3] == said.cost


def test_the_door_leads_to_the_place_for_the_file_and_on_to_the_frame():
    app, _ = page()
    assert [each for each in app.get("page_link") if each.proto.query_string == "bring=table"]
    app, _ = page(bring="table")
    assert not app.session_state[KEY].figures, "no sample stands beside it"
    bring_table(app, "ward.csv", WARD)
    keys = [getattr(each, "key", None) for each in app.main]
    assert keys.index(of("add", "Nr")) < keys.index(made("use"))
    assert [each for each in app.get("page_link") if each.proto.page == "outsourced"]


def test_a_table_of_ones_own_is_brought_framed_and_forgotten_in_simple():
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    record = app.session_state[KEY]
    assert app.selectbox(key="data").value == "own"
    assert not owned(app).simulation.problem.frame.public
    assert record.figures[SLOT].finding.audience == "curator"
    fields = {field.key: field for field in (*app.text_input, *app.selectbox)}
    for name in ("age", "weight"):
        for part, value in {"low": "-6", "high": "6", "hide": "0.5"}.items():
            fields[f"own data/made/frame/0/{unnamed(name)}/{part}"].set_value(value)
    app.run()
    # What is said follows what is typed; elsewhere that is not in use yet, and it is said.
    assert 0.5 in numbers(app.session_state[KEY].brief.answer)
    assert owned(app).pending
    app.button(key=made("use")).click().run()
    (hide,) = (each for each in app.text_input if each.key.endswith(f"/{unnamed('age')}/hide"))
    hide.set_value("0,50").run()  # the same number
    assert not owned(app).pending
    record = app.session_state[KEY]
    assert owned(app).simulation.problem.frame.public
    assert 0.5 in numbers(record.brief.answer)
    press(app, "Clear my data")
    assert owned(app).table is None
    assert app.get("file_uploader")
