"""Forget my data: at once where the table is all there is, else once more asked, naming what would be lost with it."""

import pytest

from tests.helpers.bench import kept, plain, press, released_own
from tests.helpers.deciding import a_table, button, come, fill, sign, simulation_of
from tests.helpers.reading import owned

LEDGER = "a ledger that you have not downloaded since it changed"


def asked(app):
    return [plain(box) for box in app.warning if "With the table you would lose" in box.value]


def labels(app):
    return [each.label for each in app.button]


def go(app, page):
    app.query_params.clear()
    app.switch_page(f"pages/{page}.py").run()
    return app


def test_a_table_alone_is_forgotten_at_once():
    table = a_table()
    app = press(go(come(simulation_of(table), table), "data"), "Forget my data")
    assert not asked(app)
    assert owned(app).table is None


def test_a_signed_decision_is_named_and_kept_or_forgotten_as_one_says():
    table = a_table()
    app = sign(come(simulation_of(table), table, decided="5"))
    press(go(app, "data"), "Forget my data")
    assert asked(app) == ["With the table you would lose for good: the decision that you signed."]
    assert "Forget my data" not in labels(app)
    press(app, "Keep")
    assert not asked(app)
    assert "own data/decision/signed" in app.session_state
    assert owned(app).table is not None
    press(press(app, "Forget my data"), "Forget all the same")
    assert not asked(app)
    assert "own data/decision/signed" not in app.session_state
    assert owned(app).table is None
    assert "Forget my data" not in labels(app)


def test_what_was_only_typed_on_decide_is_named_too():
    table = a_table()
    app = fill(come(simulation_of(table), table), "Notes", "A long thought.")
    press(go(app, "data"), "Forget my data")
    assert asked(app) == ["With the table you would lose for good: what you typed on Decide."]


def test_an_order_and_its_frame_are_named_with_the_decision():
    table = a_table()
    app = sign(come(simulation_of(table), table, decided="5"))
    button(app, "to-workbench").click().run()
    (said,) = asked(press(go(app, "workbench"), "Forget my data"))
    for lost in ("the frame that you gave it", "the order in use", "the decision that you signed"):
        assert lost in said
    assert " and " in said
    assert "ledger" not in said  # nothing was released


@pytest.mark.parametrize("page", ["data", pytest.param("workbench", marks=pytest.mark.long)])
def test_a_ledger_is_named_until_it_is_downloaded(page):
    app = press(released_own(), "Forget my data")
    assert asked(app) == [f"With the table you would lose for good: {LEDGER}."]
    go(go(app, "decision"), page)
    assert not asked(app)  # the question is gone, the data are not
    assert LEDGER in asked(press(app, "Forget my data"))[0]
    identity = next(name for name in app.session_state["own data/workbench/held"] if name.startswith("own/"))
    kept(app, identity).save()  # as its button does
    app.run()
    assert not asked(app)
    assert owned(app).table is not None
    press(app, "Forget my data")
    assert not asked(app)
    assert owned(app).table is None
