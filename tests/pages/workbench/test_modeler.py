"""The seat of who chooses what to test: a ZIP and nothing else, questions out, answers in, going on elsewhere."""

import pytest

from pages.parts.workbench.modeler.seat import SLOT
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties.exchange import answers_csv, read_questions, write_questions
from privbo_core.privacy import Radial
from tests.helpers.bench import (
    ZIP,
    bring,
    bring_table,
    csv,
    errors,
    fill,
    press,
    release,
    rows,
    said,
    search,
    sit,
    small,
)
from tests.helpers.reading import labels


def opened(package=None, **query):
    app = sit("modeler", **query)
    bring(app, ZIP, "release.zip", (package or release()[1]).to_bytes()).run()
    assert not app.error
    return app


def tell(app, answers):
    bring(app, "The file of answers you were sent", "answers.csv", answers_csv(answers).encode())
    return press(app, "Tell the model")


def told(**how):
    """Return the seat after one row was asked for and its answer told."""
    curator, package = release(**how)
    app = opened(package)
    (row,) = rows(app, 1)
    return tell(app, {row: curator.answer(row).value})


def test_without_a_zip_it_says_what_to_do_and_where_else_to_go():
    app = sit("modeler")
    assert "Open the ZIP that the data holder sent you." in said(app)
    press(app, "Take the rehearsal")
    assert "Can you beat the machine?" in said(app)
    assert app.query_params["seat"] in ("rehearsal", ["rehearsal"])


def test_questions_go_out_and_answers_come_in():
    curator, package = release()
    app = opened(package)
    assert "Tell" not in said(app).split()
    first = rows(app, 5)
    assert len(set(first)) == 5
    assert read_questions(write_questions(first)) == first
    assert "Download the questions, to be sent" in labels(app)
    answers = {row: curator.answer(row).value for row in first}
    tell(app, answers)
    assert search(app).modeler.outcomes == answers
    assert search(app).modeler.pending == ()
    best = max(answers, key=answers.__getitem__)
    assert f"row {best} " in said(app)
    assert not set(rows(app, 5)) & set(first)


def test_noise_whose_promise_has_no_delta_is_read_as_what_it_is():
    private = Private(-5.0, 10.0, 1.0, 2.0, 0.0, known_from="What the scale can show.", noise="laplace")
    curator, package = release(epsilon=2.0, private=private, delta=0.0, noise="laplace")
    right = round(100 * Radial(1.0, 2.0, 2).guessed)
    for view in ("simple", "expert"):
        app = opened(package, view=view)
        tell(app, {row: curator.answer(row).value for row in rows(app, 5)})
        assert f"{right} times in 100" in said(app)
    holder = sit("holder")
    bring_table(holder, "small.csv", csv(small()))
    bring(holder, "Bring back your ledger", "ledger.json", curator._store.data).run()
    assert not errors(holder)


def test_outcomes_are_typed_and_mended():
    app = opened()
    asked = rows(app, 2)
    label = r"response \(mmHg\) of row {}"
    fill(app, label.format(asked[0]), "2.5 or so")
    press(app, "Tell the model")
    assert any("2.5 or so" in sentence for sentence in errors(app))
    fill(app, label.format(asked[1]), "none")
    press(app, "Tell the model")
    assert all(any(text in sentence for sentence in errors(app)) for text in ("2.5 or so", "none", "each must be"))
    fill(app, label.format(asked[1]), "")
    assert search(app).modeler.outcomes == {}
    fill(app, label.format(asked[0]), "2,5")
    press(app, "Tell the model")
    assert search(app).modeler.outcomes == {asked[0]: 2.5}
    assert search(app).modeler.pending == asked[1:]
    fill(app, "What came out in truth", "−3")
    press(app, "Correct it")
    assert search(app).modeler.outcomes == {asked[0]: -3.0}
    press(app, "Take it back")
    assert search(app).modeler.outcomes == {}
    assert set(search(app).modeler.pending) == set(asked)
    before = search(app).modeler.pending
    press(app, "Skip it")
    assert search(app).modeler.skipped == before[:1]
    assert search(app).modeler.pending == before[1:]


def test_nothing_told_is_a_sentence_and_so_are_rows_that_there_are_not():
    app = opened()
    (row,) = rows(app, 1)
    press(app, "Tell the model")
    assert errors(app) == ["Nothing came out yet; type an outcome, or bring a file of answers."]
    tell(app, {row: 1.0, 4000: 2.0})
    assert search(app).modeler.outcomes == {row: 1.0}  # what could be told, was
    assert any("4000" in sentence for sentence in errors(app))


@pytest.mark.parametrize("damage", ["truncated", "text", "changed"])
def test_a_damaged_zip_gets_a_sentence_and_the_search_stays(damage):
    app = told()
    outcomes, content = search(app).modeler.outcomes, search(app).modeler.package.to_bytes()
    broken = {
        "truncated": content[: len(content) // 2],
        "text": b"row,dose\n1,2\n",
        "changed": content.replace(b"rel", b"ler"),
    }
    bring(app, ZIP, "broken.zip", broken[damage]).run()
    (sentence,) = errors(app)
    assert sentence.startswith("broken.zip: ")
    assert search(app).modeler.outcomes == outcomes


def test_only_the_latest_fault_is_said():
    app = opened()
    (row,) = rows(app, 1)
    tell(app, {row: 1.0, 4000: 2.0})
    assert "4000" in "".join(errors(app))
    bring(app, ZIP, "broken.zip", b"nothing").run()
    (latest,) = errors(app)
    assert latest.startswith("broken.zip: ")
    press(app, "Ask")
    assert errors(app) == []
    bring(app, ZIP, "worse.zip", b"less").run()
    press(app, "Tell the model")
    assert errors(app) == ["Nothing came out yet; type an outcome, or bring a file of answers."]


def test_another_browser_goes_on_where_this_one_was():
    curator, package = release()
    app = opened(package)
    asked = rows(app, 4)
    tell(app, {row: curator.answer(row).value for row in asked[:3]})
    file = search(app).file
    there = sit("modeler")
    bring(there, ZIP, "trial-search.zip", file).run()
    assert search(there).modeler.outcomes == search(app).modeler.outcomes
    assert search(there).modeler.pending == asked[3:]
    for each in (app, there):
        next(field for field in each.number_input if field.label == "Rows at once").set_value(2).run()
        press(each, "Ask for more")
    assert search(there).modeler.pending == search(app).modeler.pending


def test_a_search_under_way_is_not_lost_to_another_zip():
    _, package = release()
    app = opened(package)
    asked = rows(app, 1)
    _, other = release(30)
    bring(app, ZIP, "other.zip", other.to_bytes()).run()
    assert search(app).modeler.pending == asked
    press(app, r"Open other\.zip in its place")
    assert search(app).modeler.package.rows == 30


def test_it_says_when_one_may_stop():
    """With all rows told there is nothing left to test; before that, the page says what the engine does."""
    curator, package = release(12)
    app = opened(package)
    for _ in range(2):
        tell(app, {row: curator.answer(row).value for row in rows(app, 6)} | search(app).modeler.outcomes)
        advice = search(app).modeler.advice
        assert advice.sentence in said(app)
        assert ("You may stop" in said(app)) == advice.enough
    assert advice.enough


def test_what_rests_on_exact_answers_is_not_called_released_under_the_promise():
    for private, badge in (
        (None, "told in full"),
        (Private(-5, 10, 1.0, 5.0, 1e-5, "the instrument"), "released, under"),
    ):
        app = told(private=private)
        (tiles,) = [each.proto.body for each in app.get("html") if 'class="pb-tiles"' in each.proto.body]
        assert badge in tiles.partition("Tests told")[0]


def test_the_map_shows_noisy_rows_and_nothing_else():
    _, package = release()
    app = opened(package)
    figure = app.session_state["own data/record"].figures[SLOT]
    assert figure.finding.audience == "share"
    drawn = {(x, y) for trace in figure.picture.data for x, y in zip(trace["x"], trace["y"], strict=True)}
    assert drawn == {tuple(row) for row in package.values[:, :2]}
