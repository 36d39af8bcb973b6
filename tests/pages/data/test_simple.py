"""The Simple page of Data: what will be hidden, to scale, and the way in for a table of one's own."""

import io
import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.data.details import hidden_change, in_frame, middle_one, two_columns
from pages.parts.data.page import SLOT
from pages.parts.data.view import SAY_THERE, STEPS, Condition, View
from pages.parts.live.desk import START
from pages.parts.table.framing import unnamed
from pages.parts.views.content import of_table
from pages.parts.views.text import as_plain
from pages.parts.views.views import KEY, Fact
from privbo_core.diagnostics import judge
from tests.helpers.bench import bring_table
from tests.helpers.opening import open_page
from tests.helpers.reading import answer, html, owned, plotly_takes, press

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
    assert all(each in all_of(brief) for each in said)
    assert len(brief.answer) <= 150  # two lines
    assert brief.answer.endswith(f", but not which {of_table(problem).many} are in the table.")
    assert [fact.about for fact in brief.facts] == ["What is hidden", "From whom", "How strongly", "What it costs"]
    at_once = replace(brief, promise=(), facts=tuple(replace(f, remark=f.split[0]) for f in brief.facts))
    assert len(all_of(at_once).split()) <= 100
    assert "proved" in all_of(brief)


def test_a_visitor_first_sees_the_hospital():
    app, record = page()
    assert app.selectbox(key="data").value == "hospital"
    assert SLOT in record.figures
    assert record.brief.facts[2].remark.startswith(f"at ε = {START:g}.")
    assert record.brief.answer.startswith("Of each patient, noise hides the age to within 4 years, or ")


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
    problem = own_problem()
    brief = words_of(problem).brief
    assert "Read off the data: the range of age, weight" in all_of(brief)
    assert "conditional" in brief.facts[2].remark
    assert "proved" not in all_of(brief)
    assert SAY_THERE in brief.promise[0]
    # A sample has no form to say it in.
    sample = replace(pb.data.sample("hospital"), known_frame=None)
    assert "Read off the data: the range of age, log_creatinine" in all_of(words_of(sample).brief)
    assert SAY_THERE not in words_of(sample).brief.promise[0]


def test_a_map_has_its_east_on_the_right():
    problem = pb.data.sample("homes")
    across, up = two_columns(problem, of_table(problem))
    assert (problem.names[across], problem.names[up]) == ("longitude", "latitude")


def test_of_many_columns_the_first_are_named():
    problem = own_problem(tuple("abcdef"))
    assert words_of(problem).hides[-1] == "so much of 3 other columns"
    assert "c" in problem.names
    assert "d to within" not in words_of(problem).brief.answer


def test_how_strongly_follows_what_is_set_on_the_next_page():
    problem = pb.data.sample("hospital")
    small, usual = words_of(problem, Condition(0.5, 1e-5, 10)).brief.facts[2], words_of(problem).brief.facts[2]
    assert "at ε = 0.5. The smaller, the stronger." in small.remark
    assert "at ε = 3. The" in usual.remark
    assert small.level > usual.level


def test_one_column_is_drawn_beside_the_outcome_which_is_not_hidden():
    problem = own_problem(("age",))
    picture = hidden_change(problem, of_table(problem), words_of(problem).hides)
    assert picture.layout["yaxis"]["title"]["text"].endswith("not hidden")
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
    """Return what is said of each column that is left out."""
    (box,) = [each for each in app.expander if each.label.startswith("Left out")]
    lines = [line for each in box.markdown for line in each.value.replace("\\", "").split("  \n")]
    return {line.split("**")[1]: line.split("**: ")[1] for line in lines}, box.label


def choose(app, output=None, inputs=None):
    """Choose what is looked for and by what: row by row on Simple, with pickers on Expert."""
    pickers = [each for each in app.multiselect if each.label == "Inputs"]
    if output:
        (box,) = [each for each in app.selectbox if each.label in ("Output to optimise", f"**{output}**")]
        box.set_value("highest" if box.label.startswith("*") else output).run()
    if inputs and pickers:
        pickers[0].set_value(inputs).run()
    elif inputs:
        for name in inputs:
            for each in app.button:
                if each.label == f"Add {name}":
                    each.click().run()
        for box in [each for each in app.selectbox if "not used" in each.options]:
            if box.label.strip("*") not in inputs:
                app.selectbox(key=box.key).set_value("not used").run()


def asked(app):
    """Return the button that agrees to the proposed outcome, None if it is not asked for."""
    return next((each for each in app.button if each.label.startswith("Yes: look for")), None)


def upload(app, name, table):
    app.get("file_uploader")[0].upload(name, table, "text/csv").run()


def test_a_column_of_words_is_said_not_to_go_out_where_it_is_added():
    app, _ = page(bring="table")
    upload(app, "ward.csv", WARD)
    assert "are made here" not in html(app)
    press(app, "Add Station")
    assert "those of &#x27;Station&#x27; are made here: of a date or of words" in html(app)


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_nothing_is_computed_before_a_person_has_agreed_to_the_outcome_or_has_chosen_another(view):
    app, _ = page(view=view, bring="table")
    upload(app, "ward.csv", WARD)
    assert asked(app).label == "Yes: look for the highest FLC"
    assert "No search is simulated on your table before you agree" in html(app)
    assert not [box for box in app.selectbox if box.key == "data" and "Your data" in " ".join(box.options)]
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


def test_a_table_of_two_inputs_is_one_screen_of_fifteen_controls_and_says_what_each_hides():
    """Six of them are typed. What is typed is drawn before it is used."""
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    kinds = (app.selectbox, app.multiselect, app.checkbox, app.button, app.text_input)  # another file is in a fold
    assert len(app.text_input) == 6
    assert sum(map(len, kinds)) <= 15
    assert not [each for each in app.text_input if each.label in ("unit", "length-scale")]
    for part, text in {"low": "-6", "high": "6", "hide": "0.5"}.items():
        app.text_input(key=f"own data/made/frame/0/{unnamed('age')}/{part}").set_value(text)
    app.run()
    (middle, other) = re.search(r"Hides whether it is (\S+) or (\S+)\. At ε = 1 that takes noise", html(app)).groups()
    assert float(other.replace("−", "-")) - float(middle.replace("−", "-")) == pytest.approx(0.5, abs=2e-3)
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
    boxes = [each for each in app.checkbox if each.label == "as its logarithm"]
    assert len(boxes) == 2
    for box in boxes:
        assert "times the middle one" in box.help
        box.uncheck()
    app.run()
    problem = owned(app).simulation.problem
    assert (problem.names, problem.output) == (("dose", "weight"), "y")


def test_of_whole_numbers_two_whole_ones_are_told_apart():
    app, _ = page(bring="table")
    rows = (f"{30 + i},{30 + i // 4},{np.sin(i)}" for i in range(60))
    bring_table(app, "mine.csv", "\n".join(["age,visits,y", *rows]).encode())
    assert "Hides whether it is 60 or 61. " in html(app)
    assert "Does not even hide whether it is 37 or 38. " in html(app)


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_every_column_of_a_table_is_accounted_for(view):
    app, _ = page(view=view, bring="table")
    upload(app, "ward.csv", WARD)
    out, label = left_out(app)
    assert label == "Left out: 5 columns"
    assert set(out) == {"Nr", "Patient ID", "Aufnahme", "Station", "Nummer"}
    assert out["Nr"] == "it counts the rows"
    assert out["Patient ID"] == "it names the records"
    assert out["Nummer"] == "it has the same value everywhere"
    assert out["Aufnahme"] == "not chosen; you can add it to the inputs: a date counts as its days since 1970"
    assert out["Station"].startswith("not chosen; you can add it to the inputs: each of its 3 values but")
    # What is chosen is no longer left out, and what is taken out again is.
    choose(app, inputs=["Alter", "Station"])
    out, label = left_out(app)
    assert label == "Left out: 5 columns"
    assert "Station" not in out
    assert out["Kreatinin"] == "not chosen; you can add it to the inputs"
    if view == "expert":  # where a column is offered only once somebody asks for it
        (back,) = [each for each in app.multiselect if each.label == "Offer these all the same"]
        back.set_value(["Nr"]).run()
    choose(app, inputs=["Alter", "Nr"])
    assert "Nr" not in left_out(app)[0]
    asked(app).click().run()
    assert owned(app).simulation.problem.names == ("Alter", "Nr")


def test_it_is_said_why_rows_are_not_used():
    app, _ = page()
    assert "of the others, log_creatinine is missing in 1,350.</p>" in html(app)  # in a fold
    app, _ = page(bring="table")
    bring_table(app, "ward.csv", WARD)
    assert "86 of the 90 rows are used; of the others, Kreatinin is missing in 3" in html(app)
    assert " and FLC is missing in 1. Somebody else" in html(app)
    loans = pb.data.sample("loans")
    assert "within 1,000 USD, or a little of one other column, but not which loans" in words_of(loans).answer
    assert "; of the others, roi is not above 0, so without a logarithm, in 22" in words_of(loans).unused
    assert words_of(own_problem()).unused == ""


def test_what_it_costs_agrees_with_whether_the_table_carries_an_answer():
    problem = own_problem()  # of noise
    noise = judge(problem)
    assert noise.verdict == "nothing"
    carries = replace(words_of(problem), worth=replace(noise, verdict="carries"))
    assert "that may take more tests" in all_of(carries.brief)
    assert "that may take more tests" in all_of(words_of(problem).brief)  # as long as it is not known
    said = replace(words_of(problem), worth=noise)
    assert said.cost == Fact("What it costs", "Nothing to gain", "These inputs do not explain the outcome: see above.")
    assert said.cost in said.brief.facts
    few = replace(said, worth=replace(noise, verdict="too few", rows=12))
    assert few.cost.text == "Cannot be told"
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    text = html(app)
    assert "These inputs do not explain the outcome: a search has nothing to go by" in text
    assert "These inputs do not explain the outcome: see above." in text
    assert "may take more" not in text


def order_of(app, *marks):
    """Return the places of what is called so, from the top of the page to its end."""
    protos = [getattr(each, "proto", None) for each in app.main]
    names = [getattr(proto, "label", "") or getattr(proto, "body", "") for proto in protos]
    return [next(place for place, name in enumerate(names) if mark in name) for mark in marks]


def test_the_door_leads_to_the_place_for_the_file_and_on_to_frame_and_decide():
    app, _ = page()
    (link,) = [each for each in app.get("page_link") if each.proto.label == "I have a table of my own"]
    assert link.proto.query_string == "bring=table"
    app, _ = page(bring="table")
    assert STEPS in html(app)
    assert "patients" not in html(app)
    bring_table(app, "ward.csv", WARD)
    places = order_of(
        app, "Forget my data", "Add Nr", "Use this frame", "Decide on an ε", "see what it costs: Outsourced"
    )
    assert places == sorted(places)


def test_a_table_of_ones_own_is_brought_framed_and_forgotten_in_simple():
    app, _ = page(bring="table")
    bring_table(app, "mine.csv", own_table())
    record = app.session_state[KEY]
    assert app.selectbox(key="data").value == "own"
    assert record.brief.answer.startswith("Of each row, ")
    assert "Read off the data" in all_of(record.brief)
    assert record.figures[SLOT].finding.audience == "curator"
    fields = {field.key: field for field in (*app.text_input, *app.selectbox)}
    for name in ("age", "weight"):
        for part, value in {"low": "-6", "high": "6", "hide": "0.5", "known_from": "a law or standard"}.items():
            fields[f"own data/made/frame/0/{unnamed(name)}/{part}"].set_value(value)
    app.run()
    # What is said follows what is typed; elsewhere that is not in use yet, and it is said.
    assert "age to within 0.5" in app.session_state[KEY].brief.answer
    assert not any("not in use yet" in warning.value for warning in app.warning)
    app.query_params |= {"T": "10", "runs": "5"}
    app.switch_page("pages/outsourced.py").run()
    assert any("not in use yet" in warning.value for warning in app.warning)
    app.switch_page("pages/data.py").run()
    (written,) = [field for field in app.selectbox if field.key.endswith("/written_from")]
    answer(written, "the settings of the export")
    press(app, "Use this frame")
    (hide,) = (each for each in app.text_input if each.key.endswith(f"/{unnamed('age')}/hide"))
    hide.set_value("0,50").run()  # the same number
    assert not owned(app).pending
    record = app.session_state[KEY]
    assert "Known beforehand" in all_of(record.brief)
    assert "age to within 0.5" in record.brief.answer
    for label in ("Forget my data", "Forget all the same"):  # the frame would be lost
        press(app, label)
    assert owned(app).table is None
    assert STEPS in html(app)
