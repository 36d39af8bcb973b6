"""The seat of who holds the data: what a release hands out and keeps, and that none is made by accident."""

import math
import re

import numpy as np
import pytest

from pages.parts.shell.session import HERE
from pages.parts.table.upload import chosen, unnamed
from pages.parts.workbench.holder.table import LATER, of_sample
from pages.parts.workbench.holder.words import LOST, SAVED, UNSAVED, counted_twice
from pages.parts.workbench.seats import mine
from privbo_core.data import FrameColumn, sample
from privbo_core.outsourced import SEEN
from privbo_core.outsourced.parties.exchange import answers_csv
from privbo_core.outsourced.parties.ledger import Ledger
from privbo_core.outsourced.parties.package import Package
from privbo_core.privacy import gaussian_epsilon, gaussian_sigma
from tests.helpers.bench import (
    accept,
    ask_for,
    bring,
    bring_table,
    choose,
    csv,
    errors,
    fill,
    kept,
    plain,
    press,
    release,
    released_own,
    said,
    sit,
    small,
)
from tests.helpers.reading import answer, labels, owned


@pytest.fixture
def released():
    return press(sit("holder", epsilon=1), "Release")


def test_before_a_release_it_says_what_leaves_and_what_stays():
    app = sit("holder")
    text = said(app)
    assert "Leaves: age and log_creatinine of each patient, with noise, in new order." in text
    assert "Stays: the table, the outcomes, the order." in text
    assert 'aria-current="step">Release<' in text
    assert "Find them" not in labels(app)
    assert "Download the ledger, to be kept" not in labels(app)


@pytest.mark.parametrize(("noise", "delta", "sigma"), [("gaussian", 1e-5, 3.73), ("laplace", 0.0, math.sqrt(3))])
def test_what_is_handed_out_opens_and_has_no_outcome(noise, delta, sigma):
    released = press(sit("holder", epsilon=1, noise=noise), "Release")
    problem, now = sample("hospital"), kept(released)
    package = Package.from_bytes(now.zipped)
    assert (package.rows, package.epsilon, package.delta, package.noise) == (problem.n, 1.0, delta, noise)
    assert package.sigma == pytest.approx(sigma, rel=1e-3)
    assert package.frame == problem.frame
    assert package.values.shape == (problem.n, 2)
    ledger = Ledger.from_bytes(now.store.data)
    assert [each.csv for each in ledger.releases] == [package.digest]
    order = ledger.releases[0].order
    table = of_sample("hospital").table[list(package.frame.names)].to_numpy(dtype=float)
    noise = (package.values - table[order]) / package.frame.hide
    assert np.std(noise) == pytest.approx(package.sigma, rel=0.05)  # 13 048 numbers: 8 standard errors
    assert "Download the ZIP, to be sent" in labels(released)


def test_it_says_whether_the_ledger_was_downloaded_as_it_is(released):
    assert LOST in said(released)
    next(each for each in released.get("download_button") if each.label.startswith("Download the ledger")).click().run()
    assert SAVED in said(released)
    ask_for(released, [1])
    press(released, "Answer 1 patient")
    assert UNSAVED in said(released)
    # What it has cost is the holder's own, and needs no doubt where ranges were known.
    (tiles,) = [each.proto.body for each in released.get("html") if 'class="pb-tiles"' in each.proto.body]
    spent = [part for part in tiles.split('class="pb-tile"') if "cost: ε" in part or "together: ε" in part]
    assert len(spent) == 3
    assert all("the holder’s own" in each for each in spent)
    assert "What it has cost holds only if" not in said(released)


def test_a_second_release_says_what_both_cost_and_asks_and_rows_are_of_the_last(released):
    """The same number in another release is another record: what was answered must not be handed on as its answer."""
    ask_for(released, [1, 2])
    press(released, "Answer 2 patients")
    first = dict(kept(released).given)
    sigma = gaussian_sigma(1.0, 1e-5, 1.0)
    both = gaussian_epsilon(1e-5, sigma, math.sqrt(2))
    assert f"both together cost ε = {both:.3g}." in said(released)
    (again,) = [button for button in released.button if button.label == "Release again"]
    assert again.disabled
    next(box for box in released.checkbox if box.label.startswith("Release it once more")).check().run()
    press(released, "Release again")
    now = kept(released)
    assert [each.finished for each in now.ledger.releases] == [True, True]
    assert now.ledger.cost().inputs == pytest.approx(both)
    assert f'<div class="pb-value">{both:.3g}</div>' in said(released)
    assert "Another release with other noise tells more: all together cost" in said(released)
    assert (now.of, now.given) == (2, {})
    choose(released, "Rows are of release", 1)
    assert kept(released).given == first


def own(app):
    return next(of for name, of in reversed(app.session_state[mine("held")].items()) if name.startswith("own/"))


def test_the_button_that_releases_one_table_is_not_that_of_another():
    app = sit("holder", data="hospital")
    before = next(each.key for each in app.button if each.label == "Release")
    bring_table(app, "trial.csv", csv(small()))
    assert before != next(each.key for each in app.button if each.label == "Release")


def test_a_frame_that_was_read_off_has_to_be_accepted_and_an_epsilon_beside_searches_on_the_table_is_conditional():
    app = sit("holder", data="hospital")
    assert SEEN not in said(app)
    bring_table(app, "trial.csv", csv(small()))
    assert SEEN in said(app)
    (button,) = [each for each in app.button if each.label == "Release"]
    assert button.disabled
    accept(app)
    press(app, "Release")
    identity = next(name for name in app.session_state[mine("held")] if name.startswith("own/"))
    package = kept(app, identity).package
    assert package.frame.names == ("dose", "age")
    assert package.frame.read_off
    assert "What it has cost holds only if dose, age and how the table is written was known before" in said(app)
    assert kept(app, identity).ledger.releases[0].looked
    assert "ε was chosen after searches on the data; what that tells is not counted" in said(app)


def test_rows_outside_the_frame_are_counted_before_they_are_moved_to_its_edge():
    app = sit("holder", data="hospital")
    bring_table(app, "trial.csv", csv(small()))
    assert "and counts as" not in said(app)
    ages = small()["age"].sort_values().to_list()
    owned(app).columns["age"] = FrameColumn("age", "", ages[1], 200, 2, known_from="the study's rule")
    app.run()
    assert f"age: 1 of 40 rows is below {ages[1]:g} and counts as {ages[1]:g}." in said(app)


def test_a_range_that_the_data_fill_is_asked_about_once():
    app = sit("holder", data="hospital")
    bring_table(app, "trial.csv", csv(small()))
    fields = [f"own data/made/frame/0/{unnamed('age')}/{part}" for part in ("high", "hide", "known_from")]
    app.text_input(key=fields[0]).set_value("200")
    app.text_input(key=fields[1]).set_value("2")
    answer(app.selectbox(key=fields[2]), "the study's rule")
    app.run()
    for _ in range(2):  # once it is in use, the release asks for it, too
        (sure,) = [box for box in app.checkbox if box.label == "It was known without looking"]
        sure.check()
        press(app, "Use this frame")
    accept(app)
    press(app, "Release")
    assert own(app).ledger.releases[0].frame.columns[1].public


def test_what_was_chosen_outlives_a_later_word_on_codes():
    app = sit("holder", data="hospital")
    lines = [f"{30 + i},{i % 10},{i % 7}" for i in range(39)]
    bring_table(app, "own.csv", "\n".join(["age,dose,days", *lines, "99999,5,3"]).encode())
    app.selectbox(key=chosen("workbench/output")).set_value(LATER).run()
    app.text_input(key=chosen("workbench/name")).set_value("marker").run()
    (columns,) = app.multiselect
    columns.set_value(["days", "age"]).run()
    press(app, "Yes, no value")
    assert app.multiselect[0].value == ["days", "age"]
    assert app.text_input(key=chosen("workbench/name")).value == "marker"


@pytest.mark.parametrize("gaps", [0, 7])
def test_records_with_gaps_are_counted_where_the_rows_are(gaps):
    table = small()
    table.loc[range(0, 5 * gaps, 5), "age"] = math.nan
    app = released_own(table)
    assert f"{40 - gaps} noisy rows in a new order." in said(app)
    assert ("Left out, for gaps: 7 records." in said(app)) == ("Left out" in said(app)) == bool(gaps)
    assert f"<td>{40 - gaps} of 40</td><td>handed out</td>" in said(app)
    other = sit("holder")
    bring_table(other, "trial.csv", csv(table))
    bring(other, "Bring back your ledger", "ledger.json", own(app).store.data).run()
    assert ("Left out" in said(other)) == bool(gaps)


@pytest.mark.parametrize(("without", "words"), [(0, ""), (1, "1 of which has")])
def test_records_without_an_outcome_go_out_and_are_said_to_be_missing_in_the_simulated_searches(
    as_often, without, words
):
    table = small()
    table.loc[[2], "age"] = math.nan
    table.loc[range(10, 10 + without), "response"] = math.nan
    sentence = (
        f"39 rows go out, {words} no response that a simulated search can use: what it will cost is simulated on the "
        f"other {39 - without}."
    )
    app = sit("holder", data="hospital")
    bring_table(app, "trial.csv", csv(table))
    assert (sentence in said(app)) == ("rows go out" in said(app)) == bool(without)
    assert f"the best of {39 - without} records" in said(app)
    accept(app)
    press(app, "Release")
    assert "39 noisy rows in a new order." in said(app)
    assert (sentence in said(app)) == ("rows go out" in said(app)) == bool(without)


def test_a_sample_of_which_some_outcomes_have_no_logarithm_says_so_too():
    lacking = "9,691 rows go out, 22 of which have no roi that a simulated search can use"
    assert counted_twice(of_sample("loans")).startswith(lacking)
    assert counted_twice(of_sample("homes")) == ""


def test_a_ledger_that_was_kept_goes_on_elsewhere(released):
    ask_for(released, [7, 9])
    press(released, "Answer 2 patients")
    given, data = dict(kept(released).given), kept(released).store.data
    went_out = "release 1 went out at ε = 1.00"
    assert went_out not in said(released)
    other = sit("holder", epsilon=3)
    bring(other, "Bring back your ledger", "ledger.json", data).run()
    assert went_out in said(other)  # settings of another release are said to be that
    assert kept(other).given == given
    assert "This table was released elsewhere, as your ledger says." in said(other)
    assert not any("ZIP" in label for label in labels(other))
    ask_for(other, [9, 11])
    press(other, "Answer 2 patients")
    assert kept(other).given[9] == given[9]
    assert len(kept(other).ledger.answers) == 3  # 9 was answered before
    assert answers_csv(kept(other).given).startswith("row,outcome")


def test_a_ledger_that_is_none_or_another_table_s_gets_a_sentence_and_only_the_latest_fault_is_said(released):
    before = kept(released).store.data
    for content, words in (
        (b'{"format": "privbo ledger", "version": 9}', "version"),
        (before[: len(before) // 2], "The ledger"),
        (release()[0].ledger.to_bytes(), "the ledger is for one of 40"),
        (b"{}", "The ledger lacks the key 'format'"),
    ):
        bring(released, "Bring back your ledger", "ledger.json", content).run()
        (refused,) = errors(released)
        assert words in refused
        assert kept(released).store.data == before
    ask_for(released, ["seven"])
    (latest,) = errors(released)
    assert "seven" in latest
    bring(released, "Bring back your ledger", "again.json", b"[]").run()
    (latest,) = errors(released)
    assert "ledger" in latest
    ask_for(released, [3])
    assert errors(released) == []


def test_a_table_with_outcomes_filled_in_has_the_ledger_it_had_though_no_search_can_be_simulated_at_first():
    app, table = sit("holder"), small(outcome=False)

    def bring_it(name, table):
        bring_table(app, name, table.to_csv(sep=";", decimal=",", index=False).encode())
        assert errors(app) == []

    bring_it("trial.csv", table)
    choose(app, "Outcome", "measured later, not in the table")
    fill(app, "What will be measured", "response").run()
    accept(app)
    press(app, "Release")
    ask_for(app, [3])
    fill(app, next(field.label for field in app.text_input if field.label.startswith("response")), "3,125")
    press(app, "Answer")  # in a table with decimal commas
    records = {row: own(app).ledger.releases[0].record(row) for row in (4, 5, 6)}
    for row, response in ((4, 4.25), (6, 2.0)):  # two that differ are numbers to look at, and too few to simulate
        table.loc[records[row], "response"] = response
    bring_it("trial2.csv", table)
    assert own(app).given == {3: 3.125}
    ask_for(app, [4])
    press(app, "Answer 1 record")
    bring_it("trial3.csv", small())
    ask_for(app, [5])
    press(app, "Answer 1 record")
    assert own(app).given == {3: 3.125, 4: 4.25, 5: small()["response"][records[5]]}


def test_an_outcome_is_read_as_its_own_column_is_written_and_asked_for_where_it_has_none():
    app = sit("holder")
    stay = ["-9" if i % 7 == 3 else f"{10 * (1 + i % 5) + i}.5 EUR" for i in range(60)]
    lines = [f"{20 + (7 * i) % 50};{i % 11 + (3 * i) % 9};{cost}" for i, cost in enumerate(stay)]
    bring_table(app, "own.csv", "\n".join(["age;dose;cost", *lines]).encode())
    press(app, "Yes, no value")
    choose(app, "Outcome", "cost")
    accept(app)
    press(app, "Release")
    records = {own(app).ledger.releases[0].record(row): row for row in range(1, 61)}
    has, lacks = records[5], records[10]
    ask_for(app, [has, lacks])
    assert "Their cost is in your table, but for 1." in said(app)
    fill(app, next(field.label for field in app.text_input if field.label.startswith("cost")), "2500")
    press(app, "Answer")
    assert own(app).given == {has: 15.5, lacks: 2500.0}


@pytest.mark.parametrize(("answers", "missing"), [("exact", ("-9",)), ("private", ())])
def test_how_outcomes_are_written_is_read_off_them_only_where_they_are_told_exactly(answers, missing):
    app = sit("holder", answers=answers)
    lines = [f"{20 + (7 * i) % 50};{i % 11};{'-9' if i % 7 == 3 else f'{10 * (1 + i % 5) + i}.5'}" for i in range(60)]
    bring_table(app, "own.csv", "\n".join(["age;dose;cost", *lines]).encode())
    press(app, "Yes, no value")
    choose(app, "Outcome", "cost")
    if answers == "private":
        for part, text in {"low": "0", "high": "100", "hide": "10", "known_from": "the bill's form"}.items():
            (field,) = [each for each in app.text_input if re.search(f"answers/.*/{part}$", each.key or "")]
            field.set_value(text)
        app.run()
    accept(app)
    press(app, "Release")
    marks = own(app).ledger.outcome.marks
    assert (marks.missing if marks else ()) == missing


def test_what_the_first_release_has_fixed_is_read_and_no_longer_asked():
    app = sit("holder")
    bring_table(app, "trial.csv", csv(small()))
    fill(app, "Unit of the outcome", "mmHg").run()
    choose(app, "Look for the", "lowest")
    accept(app)
    asked = {each.label for each in (*app.selectbox, *app.text_input, *app.segmented_control)}
    assert asked >= {"Outcome", "Unit of the outcome", "Look for the"}
    press(app, "Release")
    fixed = "Looked for: the lowest response (mmHg), as the first release said."
    assert fixed in said(app)
    left = {each.label for each in (*app.selectbox, *app.text_input, *app.segmented_control)}
    assert not left & {"Outcome", "What will be measured", "Unit of the outcome", "Look for the"}
    (columns,) = app.multiselect
    columns.set_value(["dose"]).run()
    assert [name for release in own(app).ledger.releases for name in release.frame.names] == ["dose", "age"]
    assert "Columns and frame count for another release alone." in said(app)
    other = sit("holder")
    bring_table(other, "trial.csv", csv(small()))
    bring(other, "Bring back your ledger", "ledger.json", own(app).store.data).run()
    assert fixed in said(other)
    ask_for(other, [1])
    press(other, "Answer 1 record")
    assert len(own(other).given) == 1


def test_the_unit_that_the_file_names_stands_with_the_outcome_and_follows_it():
    app = sit("holder")
    lines = "\n".join(f"{40 + i};{i % 7},5;{i % 9},25" for i in range(40))
    table = f"Alter [Jahre];Dosis (mg);FLC [mg/l]\n{lines}\n".encode()
    bring_table(app, "ward.csv", table)
    (unit,) = [each for each in app.text_input if each.label == "Unit of the outcome"]
    assert unit.value == "mg/l"
    choose(app, "Outcome", "Dosis")
    (unit,) = [each for each in app.text_input if each.label == "Unit of the outcome"]
    assert unit.value == "mg"
    unit.set_value("g").run()
    choose(app, "Outcome", "FLC")
    assert [each.value for each in app.text_input if each.label == "Unit of the outcome"] == ["mg/l"]
    choose(app, "Outcome", "Dosis")
    assert [each.value for each in app.text_input if each.label == "Unit of the outcome"] == ["g"]


def test_forgetting_the_data_forgets_ledger_and_answers():
    app = released_own()
    press(press(app, "Forget my data"), "Forget all the same")
    title = sample("hospital").title
    assert [plain(box) for box in app.info][-1] == f"Your table was forgotten. In use now is a sample: {title}."
    (toast,) = app.toast
    assert len(toast.value) < 90  # more would be cut
    assert HERE.startswith(toast.value)
    app.run()
    assert "Your table was forgotten." in said(app)
    assert not app.toast
    app.selectbox(key="data").set_value("homes").run()
    assert "Your table was forgotten." not in said(app)
    app.selectbox(key="data").set_value("hospital").run()
    bring_table(app, "trial.csv", csv(small()))
    app.selectbox(key="data").set_value("hospital").run()
    assert "Your table was forgotten." not in said(app)
    press(app, "Forget my data")
    assert [name for name in app.session_state[mine("held")] if name.startswith("own/")] == []
    assert "dose" not in said(app)
