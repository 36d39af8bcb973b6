"""A refuted promise: nothing that comes of it is called protected, and all of it carries its stamp."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.frame.record import KEY
from pages.parts.values.views import REFUTED_STAMP
from tests.helpers.paths import APP

FEW = {"view": "expert", "runs": "10", "T": "12", "trials": "60"}


def opened(page, **query):
    app = AppTest.from_file(APP, default_timeout=120).run()
    app.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def said(app):
    return " ".join(each.proto.body for each in app.get("html") if "<style" not in each.proto.body)


@pytest.mark.parametrize("attack", ["tell", "rebuild"])
def test_the_audit_of_a_refuted_release_is_stamped_all_over(attack):
    app = opened("audit", **FEW, **{"audited": "projection", "attack-projection": attack, "meaning": "true"})
    record = app.session_state[KEY]
    assert record.tiles
    assert {tile.stamp for tile in record.tiles} == {REFUTED_STAMP}
    assert len(record.figures) > 2
    assert {figure.finding.stamp for figure in record.figures.values()} == {REFUTED_STAMP}
    assert "pb-share" not in said(app)


def test_the_audit_of_a_release_that_keeps_its_promise_is_not_stamped():
    record = opened("audit", **FEW, audited="noisy").session_state[KEY]
    assert not any(tile.stamp for tile in record.tiles)
    assert not any(figure.finding.stamp for figure in record.figures.values())


@pytest.mark.parametrize(("query", "stamped"), [({"release": "projection"}, True), ({"release": "noisy"}, False)])
def test_what_an_epsilon_means_bears_no_badge_of_a_promise_that_is_refuted(query, stamped):
    app = opened("outsourced", **FEW, **query, meaning="true")
    record = app.session_state[KEY]
    for slot in ("meaning", "meaning-testing"):
        finding = record.figures[slot].finding
        assert finding.stamp == (REFUTED_STAMP if stamped else "")
        assert finding.audience == ("refuted" if stamped else "share")
    tiles = [body for body in re.findall(r'<div class="pb-tile">.*?</div></div>', said(app)) if "sure becomes" in body]
    assert len(tiles) == 1
    assert (REFUTED_STAMP in tiles[0]) == stamped
    assert ("pb-share" in tiles[0]) != stamped


@pytest.mark.parametrize("step", ["1", "3", "4", "5", "6"])
def test_the_tour_stamps_what_comes_of_the_projection(step):
    record = opened("tour", **FEW, step=step).session_state[KEY]
    assert record.figures["tour"].finding.stamp == REFUTED_STAMP


@pytest.mark.parametrize("step", ["2", "7"])
def test_the_tour_stamps_nothing_else(step):
    assert not opened("tour", **FEW, step=step).session_state[KEY].figures["tour"].finding.stamp
