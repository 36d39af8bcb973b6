"""Settings of the visitor's own table that change on Data hold on every page at once, whenever Data is left."""

from dataclasses import replace
from functools import cache

import pytest

from pages.ui.own_table import OWN_TABLE, OwnTable, keep_own_table, own_table, prepare_own_table
from privbo_core.data import TableSettings
from tests.helpers.charts import charts
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table, csv, kept, small
from tests.helpers.reading import html
from tests.helpers.shown import headline

PAGES = {
    "tradeoff": {"story": "table", "data": "own", "epsilon": "2"},
    "outsourced": {"data": "own", "release": "noisy", "T": "5", "runs": "5"},
    "audit": {"data": "own", "attack": "noisy", "trials": "500"},
}


@cache
def brought():
    return kept(bring_table(open_page("data"), "mine.csv", csv(small(60))))


def changed(settings: TableSettings) -> TableSettings:
    """Return settings that have another goal, other limits, and limits that are known."""
    dose = next(column for column in settings.columns if column.name == "dose")
    settings = settings.replaced("dose", high=2.0 * dose.high, hide=5.0 * dose.hide)
    return replace(settings.said_known(True), goal="lowest")


def shown(app):
    return headline(app), html(app)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_present_settings(page):
    own = brought()
    settings = changed(own.settings)
    left = replace(own, settings=settings)  # as it is when Data is left before it has made the problem again
    app = open_page(page, {OWN_TABLE: left}, **PAGES[page])
    now = kept(app)
    assert now.up_to_date
    assert (now.simulation.problem.maximize, now.simulation.problem.frame.public) == (False, True)
    again = replace(left, simulation=None, prepared=None, fitted=None)
    fresh = open_page(page, {OWN_TABLE: again}, **PAGES[page])
    assert shown(app) == shown(fresh)
    before = open_page(page, {OWN_TABLE: own}, **PAGES[page])
    assert shown(app) != shown(before)


def test_settings_that_make_no_problem_show_nothing_of_the_problem_before():
    own = brought()
    broken = own.settings.replaced("response", use="not used")
    app = open_page("outsourced", {OWN_TABLE: replace(own, settings=broken)}, **PAGES["outsourced"])
    assert len(app.warning) == 1
    assert not charts(app)
    assert [each.proto.page for each in app.get("page_link")] == ["data"]
    app.selectbox(key="data").set_value("homes").run()
    assert not app.warning
    assert charts(app)


def test_an_older_run_does_not_write_over_newer_settings(monkeypatch):
    session: dict[str, OwnTable] = {}
    monkeypatch.setattr("streamlit.session_state", session)
    older = replace(brought(), simulation=None, prepared=None, fitted=None)
    keep_own_table(older)
    newer = replace(older, settings=changed(older.settings))

    def meanwhile(_):
        keep_own_table(newer)

    assert prepare_own_table(older, meanwhile).problem.maximize
    assert own_table() is newer
    assert not prepare_own_table(own_table(), lambda _: None).problem.maximize
    assert own_table().up_to_date
