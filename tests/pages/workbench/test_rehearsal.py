"""The rehearsal: the same tests for both, what both have found after each, and a verdict in the outcome's unit."""

from itertools import permutations

import numpy as np
import pytest

from pages.parts.views.views import KEY
from pages.parts.workbench.holder.table import of_sample
from pages.parts.workbench.rehearsal import game
from pages.parts.workbench.rehearsal.game import COLUMNS, RACE, Game, Rules
from pages.parts.workbench.seats import mine
from tests.helpers.bench import errors, fill, press, said, sit


def current(app):
    return app.session_state[mine("game")]


def point(app, *place):
    for column, value in zip(current(app).package.frame.columns, place, strict=False):
        fill(app, f"{column.name} of about", str(value))
    press(app, "Choose the nearest row")
    return press(app, "Test row")


def curves(app):
    return {trace["name"]: np.asarray(trace["y"]) for trace in app.session_state[KEY].figures[RACE].picture.data}


@pytest.mark.parametrize(("name", "places"), [
    ("hospital", [(60, 0), (90, 2), (80, 2.2), (100, 1), (30, -1)]),
    ("homes", [(121.54, 24.97), (121.5, 24.95), (121.55, 25.0), (121.6, 24.9), (121.52, 24.96)]),
])  # fmt: skip
def test_a_game_from_the_first_test_to_the_verdict(name, places):
    app = sit("rehearsal", tests=5, data=name)
    assert "5 " in said(app)
    assert set(curves(app)) == {"chance"}
    for done, place in enumerate(places, start=1):
        point(app, *place)
        drawn = curves(app)
        assert len(drawn["you"]) == len(drawn["GP-UCB"]) == done
        assert len(drawn["chance"]) == 5
    now = current(app)
    better = max if now.held.outcome.larger_is_better else min
    for tests, curve in ((now.mine, drawn["you"]), (now.theirs, drawn["GP-UCB"])):
        values = [test.value for test in tests]
        assert curve.tolist() == [better(values[: k + 1]) for k in range(5)]
        order = now.curator.ledger.releases[0].order
        assert [test.record for test in tests] == [order[test.row - 1] for test in tests]
        assert len({test.row for test in tests}) == 5
    ours, theirs = (better(test.value for test in tests) for tests in (now.mine, now.theirs))
    unit = now.held.outcome.unit
    verdict = game.standing(now)
    assert f"{ours:,.4g} {unit}" in verdict
    assert verdict.startswith(
        "A draw" if ours == theirs else "You win" if better(ours, theirs) == ours else "GP-UCB wins"
    )
    assert verdict in said(app)
    assert not [button for button in app.button if button.label.startswith("Test row")]
    ended = app.session_state[mine("games ended")]
    assert sum(ended) == 1
    assert f"Games so far: you {ended[0]}, GP-UCB {ended[1]}" in said(app)


def test_chance_is_what_drawing_without_looking_finds_on_average():
    held = of_sample("homes")
    few = held.table.iloc[[3, 50, 700, 1500, 2000]].reset_index(drop=True)
    played = Game.begin(type(held)(**{**vars(held), "table": few}), Rules("homes", 1.0, 4, by_hand=True))
    drawn = np.array([np.minimum.accumulate(each) for each in permutations(few[held.outcome.name])])
    np.testing.assert_allclose(played.chance(), drawn.mean(axis=0)[:4], rtol=1e-12)


def test_a_row_is_tested_once_and_the_nearest_is_another_then():
    played = Game.begin(of_sample("homes"), Rules("homes", 1.0, 3, by_hand=True))
    place = played.package.values[40]
    assert played.nearest(place, COLUMNS) == 41
    played.choose(41)
    assert played.nearest(place, COLUMNS) != 41
    with pytest.raises(ValueError, match="Row 41 was tested already"):
        played.choose(41)
    with pytest.raises(ValueError, match="There is no row 9999"):
        played.choose(9999)
    assert played.done == 1


def test_a_place_that_is_no_number_gets_a_sentence():
    app = sit("rehearsal", tests=5)
    fill(app, "age of about", "old")
    press(app, "Choose the nearest row")
    (sentence,) = errors(app)
    assert sentence.startswith("age is 'old' and log_creatinine is empty; each must be a number")
    assert current(app).done == 0
    fill(app, "age of about", "70")
    fill(app, "log_creatinine of about", "0,1")
    press(app, "Choose the nearest row")
    assert not errors(app)


def test_who_holds_the_data_finds_each_record_and_answers():
    app = sit("rehearsal", tests=6, rehearse="answer")
    now = current(app)
    asked, record = now.suggested, now.curator.find(now.suggested).record
    assert f"They ask for row {asked}. Your ledger says: patient {record + 1:,}," in said(app)
    press(app, "Answer")
    assert now.theirs[0].record == record
    press(app, "Answer the rest")
    assert now.over
    assert len(curves(app)["GP-UCB"]) == 6
    assert game.standing(now) in said(app)


def test_what_is_set_counts_from_the_next_game_on():
    app = sit("rehearsal", tests=5)
    first = current(app)
    app.selectbox(key="data").set_value("homes").run()
    assert current(app).held.identity == "sample/homes"  # nothing was tested: it begins anew at once
    point(app, 121.54, 24.97)
    app.selectbox(key="data").set_value("hospital").run()
    assert current(app).held.identity == "sample/homes"
    assert "Start anew to play with what is set here." in said(app)
    press(app, "Start anew")
    assert current(app).held.identity == "sample/hospital"
    assert current(app).done == 0
    assert not np.array_equal(current(app).package.values, first.package.values)  # other noise, and another order
