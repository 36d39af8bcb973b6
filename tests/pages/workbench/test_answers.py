"""Answers: the record behind a row, exact or private, each once; what is wrong gets a sentence and nothing is lost."""

import pytest

from pages.parts.workbench.holder.answering import told_with
from privbo_core.outsourced.parties.curator import Lookup
from privbo_core.outsourced.parties.exchange import answers_csv, read_answers, write_questions
from tests.helpers.bench import ask_for, bring, errors, fill, kept, press, said, sit


@pytest.fixture
def released():
    return press(sit("holder", epsilon=1), "Release")


def private(terms):
    app = sit("holder", epsilon=1, answers="private")
    for label, text in terms.items():
        fill(app, label, text)
    return app.run()


def test_an_exact_answer_is_the_outcome_of_the_record_behind_the_row(released):
    ask_for(released, [17, 4022])
    now = kept(released)
    table, order = now.curator._table, now.ledger.releases[0].order
    for row in (17, 4022):
        record = order[row - 1]
        assert f"<td>{record + 1:,}</td>" in said(released)  # counted from 1, as people do
    press(released, "Answer 2 patients")
    assert now.given == {row: float(table["free_light_chain"][order[row - 1]]) for row in (17, 4022)}
    (button,) = [each for each in released.get("download_button") if "2 answers" in each.label]
    assert button.label == "Download 2 answers, to be sent"
    assert dict(read_answers(answers_csv(now.given))) == now.given
    assert '<div class="pb-value">∞</div>' in said(released)
    assert "nothing hides" not in said(released)


def test_questions_come_in_as_a_file_in_batches_of_five(released):
    for rows in ([1, 2, 3, 4, 5], [11, 12, 13, 14, 15]):
        bring(released, "Or their file of questions", "questions.csv", write_questions(rows).encode())
        press(released, "Find them")
        assert kept(released).waiting == tuple(rows)
        press(released, "Answer 5 patients")
    assert list(kept(released).given) == [1, 2, 3, 4, 5, 11, 12, 13, 14, 15]
    assert kept(released).waiting == ()


def test_a_row_that_may_be_one_of_several_records_is_one_test():
    found = [Lookup(row, 1, records, {}) for row, records in ((1, (3, 7, 8)), (2, (5,)), (4, (6,)))]
    assert told_with(found, {5, 9}) == 2 + 2


def test_a_wrong_answer_is_corrected_and_the_ledger_keeps_both(released):
    ask_for(released, [8])
    press(released, "Answer 1 patient")
    before = kept(released).given[8]
    fill(released, "Its outcome, measured right", "3,145")
    press(released, "Correct it")
    assert any("'3,145', which may be 3145 or 3.145" in sentence for sentence in errors(released))
    assert kept(released).given[8] == before
    fill(released, "Its outcome, measured right", "3,1416")  # which nobody has, whoever stands in row 8
    press(released, "Correct it")
    assert kept(released).given[8] == 3.1416
    assert [(each.value, each.corrects) for each in kept(released).ledger.answers] == [(before, False), (3.1416, True)]


def test_rows_that_there_are_not_get_a_sentence(released):
    for rows, words in {
        "0": "rows count from 1", "6525": "1 to 6,524", "seven": "seven", "": "row", "1.5": "no row number"
    }.items():  # fmt: skip
        fill(released, "Rows asked for", rows)
        press(released, "Find them")
        assert any(words in sentence for sentence in errors(released)), errors(released)
        assert kept(released).waiting == ()


def test_private_answers_need_a_range_and_say_when_it_rests_on_nothing():
    app = private({})
    assert "conditional" in said(app)
    # An answer is as strong as a release of the same promise.
    assert said(app).count("attacker is right 55 times in 100") == 2
    assert "proved" in said(private({"range known from": "what the instrument can measure"}))
    wrong = private({"from": "20", "to": "0"})
    assert wrong.error
    (button,) = [each for each in wrong.button if each.label == "Release"]
    assert button.disabled
    many = private({"from": "", "to": "much", "hide ±": "0,5"})
    said_of_both = "“from” of private answers is empty and “to” of private answers is 'much'; each must be a number"
    assert [sentence.startswith(said_of_both) for sentence in errors(many)] == [True]
    assert not errors(private({"to": "20,5", "hide ±": "0,5"}))


def test_a_private_answer_is_given_once_and_clipped():
    app = private({"to": "0.001", "hide ±": "0.001", "range known from": "a range that nobody is in"})
    assert "A range wider than what is hidden costs nothing: noise follows the smaller." in said(app)
    press(app, "Release")
    ask_for(app, [1, 2])
    press(app, "Answer 2 patients")
    assert "2 outcomes lay outside of the range" in said(app)  # all of them do
    assert "nobody can tell" not in said(app)  # too few
    ask_for(app, [3])
    press(app, "Answer 1 patient")
    now = kept(app)
    first, costs = dict(now.given), now.ledger.cost()
    assert "3 outcomes lay outside of the range" in said(app)
    assert "3 of them count as 0.001: nobody can tell the best of these apart." in said(app)
    assert costs.outcome == pytest.approx(1.0)
    assert 1.0 < costs.both < 2.0
    ask_for(app, [3, 2])
    press(app, "Answer 2 patients")
    assert now.given == first
    assert now.ledger.cost() == costs
    assert "3 outcomes lay outside of the range" in said(app)
    assert "Correct an answer" not in [each.label for each in app.expander]


def test_outcomes_beyond_the_end_that_is_not_looked_for_are_clipped_without_a_word():
    app = private({"from": "900", "to": "1000"})
    press(app, "Release")
    ask_for(app, range(1, 5))
    press(app, "Answer 4 patients")
    assert "4 outcomes lay outside of the range" in said(app)
    assert "nobody can tell the best of these apart" not in said(app)


def test_answers_without_a_delta_say_what_they_gain_and_what_they_tell():
    app = sit("holder", epsilon=1, answers="laplace")
    text = said(app)
    assert "Noise of ± 1.41 mg/dL instead of ± 3.73 mg/dL at this ε" in text
    assert "right 70 times in 100 instead of 55" in text
    assert "attacker is right 70 times in 100" in text  # on the card of the answers, beside 55 on that of the release
    press(app, "Release")
    private = kept(app).ledger.private
    assert (private.noise, private.delta) == ("laplace", 0.0)
