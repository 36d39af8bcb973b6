"""Which columns go out: every column of a file is an input, the outcome, or left out with its reason, as on Data."""

from tests.helpers.bench import bring, bring_table, choose, csv, errors, press, said, sit, small
from tests.helpers.reading import labels, owned

LINES = [
    f"{i};P{i * 7 % 83:03};{1 + i % 28:02}.01.2025;{20 + i * 37 % 60};{i % 13},5;{'ABC'[i % 3]};7;{i * 11 % 29},5"
    for i in range(1, 61)
]
WARD = "\n".join(["Nr;Patient ID;Aufnahme;Alter;Kreatinin;Station;Nummer;FLC", *LINES]).encode()
COLUMNS = ["Nr", "Patient ID", "Aufnahme", "Alter", "Kreatinin", "Station", "Nummer", "FLC"]


def brought(content=WARD):
    app = sit("holder")
    bring_table(app, "ward.csv", content)
    assert not errors(app)
    return app


def going(app):
    return next(each for each in app.multiselect if each.label == "Columns to release")


def left_out(app):
    (box,) = [each for each in app.expander if each.label.startswith("Left out")]
    lines = [line for each in box.markdown for line in each.value.replace("\\", "").splitlines()]
    return dict(line.strip().removeprefix("**").split("**: ") for line in lines), box.label


def test_every_column_of_a_table_is_accounted_for():
    app = brought()
    out, label = left_out(app)
    assert label == "Left out: 5 columns"
    assert sorted([*going(app).value, "FLC", *out]) == sorted(COLUMNS)
    assert out == {
        "Nr": "it counts the rows",
        "Patient ID": "it names the records",
        "Aufnahme": "it holds dates, and only numbers go out with noise",
        "Station": "it holds words, and only numbers go out with noise",
        "Nummer": "it has the same value everywhere",
    }
    going(app).set_value(["Alter"]).run()
    assert left_out(app)[0]["Kreatinin"] == "not chosen; you can add it to the columns"


def test_a_column_that_had_better_stay_can_be_offered_all_the_same():
    app = brought()
    assert "Nr" not in going(app).options
    next(each for each in app.multiselect if each.label == "Offer these all the same").set_value(["Nr"]).run()
    going(app).set_value(["Alter", "Nr"]).run()
    out, label = left_out(app)
    assert label == "Left out: 5 columns"
    assert "Nr" not in out
    assert "Kreatinin" in out
    assert "Leaves: Alter and Nr of each record" in said(app)


def test_the_account_follows_the_outcome():
    app = brought()
    choose(app, "Outcome", "Kreatinin")
    out, _ = left_out(app)
    assert sorted([*going(app).value, "Kreatinin", *out]) == sorted(COLUMNS)
    choose(app, "Outcome", "measured later, not in the table")
    out, _ = left_out(app)
    assert sorted([*going(app).value, *out]) == sorted(COLUMNS)
    assert going(app).value == ["Alter", "Kreatinin", "FLC"]  # a column like the others then
    going(app).set_value(["Alter"]).run()
    assert left_out(app)[0]["FLC"] == "not chosen; you can add it to the columns"


def test_a_table_of_which_all_is_taken_leaves_nothing_out():
    app = brought(csv(small()))
    assert going(app).value == ["dose", "age"]
    assert not [each for each in app.expander if each.label.startswith("Left out")]


def asked(app):
    return [each.label for each in app.button if each.label.startswith("Yes: look for")]


def test_an_outcome_is_proposed_and_nothing_goes_out_before_a_person_has_agreed():
    app = sit("holder")
    bring(app, "A table of your own", "trial.csv", csv(small())).run()
    assert asked(app) == ["Yes: look for the highest response"]
    assert "nothing can go out, before you agree" in said(app)
    assert not any(label.startswith("Release") for label in labels(app))
    press(app, "Yes: look for")
    assert asked(app) == []
    assert any(label.startswith("Release") for label in labels(app))
    # The other end, or another outcome, is a person's own choice: it is not asked for again.
    choose(app, "Look for the", "lowest")
    assert asked(app) == []
    choose(app, "Outcome", "age")
    assert asked(app) == []
    # What was agreed to here is agreed to on Data.
    app.switch_page("pages/data.py").run()
    assert asked(app) == []
    assert owned(app).simulation.problem.output == "response"


def test_what_is_measured_later_here_is_not_what_data_looks_for():
    app = sit("holder")
    bring(app, "A table of your own", "trial.csv", csv(small())).run()
    choose(app, "Outcome", "measured later, not in the table")
    assert asked(app) == []
    app.switch_page("pages/data.py").run()
    assert asked(app) == ["Yes: look for the highest response"]
    assert owned(app).simulation is None
