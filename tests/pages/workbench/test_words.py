"""Every seat, in both views: few words before anything is opened, one thing to press, and nothing that breaks."""

import pytest

from tests.helpers.bench import ZIP, ask_for, bring, press, release, rows, said, search, sit
from tests.helpers.readability import MOST, words_of


def primaries(app):
    return [each.label for each in (*app.button, *app.get("download_button")) if each.proto.type == "primary"]


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_the_holder_reads_little_and_knows_what_to_press(view):
    app = sit("holder", view=view)
    assert len(words_of(app.main)) <= MOST, " ".join(words_of(app.main))
    assert primaries(app) == ["Release"]
    press(app, "Release")
    assert len(words_of(app.main)) <= MOST, " ".join(words_of(app.main))
    assert primaries(app) == ["Download the ZIP, to be sent"]
    ask_for(app, [5, 6])
    assert primaries(app) == ["Answer 2 patients"]
    press(app, "Answer 2 patients")
    assert len(words_of(app.main)) <= MOST, " ".join(words_of(app.main))
    assert primaries(app) == ["Download 2 answers, to be sent"]


@pytest.mark.parametrize("view", ["simple", "expert"])
def test_the_modeler_reads_little_and_knows_what_to_press(view):
    app = sit("modeler", view=view)
    assert len(words_of(app.main)) <= MOST
    _, package = release()
    bring(app, ZIP, "release.zip", package.to_bytes()).run()
    assert primaries(app) == ["Ask"]
    rows(app, 3)
    assert len(search(app).modeler.pending) == 3
    assert len(words_of(app.main)) <= MOST, " ".join(words_of(app.main))
    assert set(primaries(app)) == {"Download the questions, to be sent", "Tell the model"}


@pytest.mark.parametrize(("view", "rehearse"), [("simple", "choose"), ("expert", "answer")])
def test_the_rehearsal_is_read_at_a_glance(view, rehearse):
    app = sit("rehearsal", view=view, rehearse=rehearse, tests=5)
    assert len(words_of(app.main)) <= 100, " ".join(words_of(app.main))


def test_an_address_that_asks_for_a_seat_that_there_is_not_gets_a_sentence():
    app = sit("throne", rehearse="<b>", answers="loud", data="nobody")
    assert "is not one of the choices for Your seat" in said(app)
    assert "Release" in [button.label for button in app.button]
