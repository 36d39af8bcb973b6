"""The interactive report states the numbers of the page, at every setting, and keeps what is the data holder's."""

import pytest

from pages.ui.export import Made
from pages.ui.report import MIN_FRAMES
from tests.helpers.charts import charts
from tests.helpers.opening import open_page
from tests.helpers.own_tables import FRAME, made, open_own, small
from tests.helpers.reports import ask_for_report, checked, plain
from tests.helpers.shown import facts, headline, tiles, titles

SLIDERS = {"outsourced": "epsilon", "release": "epsilon", "federated": "z", "tradeoff": "epsilon"}
FEW = {"runs": "5", "T": "6", "N": "30"}
LINKS = [
    ("outsourced", {"T": "10", "runs": "6", "epsilon": "2.3"}),
    ("outsourced", {"T": "8", "runs": "5", "data": "hospital", "release": "noisy", "measure": "cumulative"}),
    ("outsourced", {"T": "8", "runs": "5", "release": "both", "r": "4"}),
    ("release", {"epsilon": "0.7"}),
    ("release", {"algorithm": "1 noisy", "task": "svm", "epsilon": "3", "T": "10", "publish": "setting"}),
    ("release", {"algorithm": "2 exact", "T": "10", "epsilon": "2"}),
    ("release", {"algorithm": "3 Lipschitz", "lambda_min": "0.4", "T": "10"}),
    ("federated", {**FEW, "z": "1.2"}),
    ("federated", {**FEW, "agents": "schools", "gain": "noise", "P": "4"}),
    ("tradeoff", {"story": "hospital", "epsilon": "0.7"}),
    ("tradeoff", {"story": "team", "epsilon": "0.1"}),
]


def spaced(text):
    return " ".join(plain(text.replace("</h1>", " ").replace("</h3>", " ").replace("</div>", " ")).split())


def agrees(frame, app):
    """Fail unless a frame of a report shows what the page shows."""
    assert spaced(frame["headline"]) == " ".join(headline(app))
    told = [" ".join(filter(None, each)) for each in tiles(app)]
    if told:
        assert list(map(spaced, frame["tiles"])) == told
    else:  # a page with cards, of which the report has some, each with its badge
        found = [
            each for each in map(" ".join, facts(app)) if any(spaced(tile).startswith(each) for tile in frame["tiles"])
        ]
        assert len(found) == len(frame["tiles"]) >= 1
    drawn, known = charts(app), titles(app)
    for card in frame["figures"]:
        if card["slot"] not in drawn:
            continue
        assert spaced(card["heading"]) in [" ".join(each) for each in known]
        page = drawn[card["slot"]]
        assert card["alt"] == page["alt"]
        for trace, shown in zip(card["figure"]["data"], page["data"], strict=True):
            assert trace.get("name") == shown.get("name")
            assert trace["y"] == pytest.approx(shown["y"], rel=1e-4)


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_the_report_states_the_numbers_of_the_page(page, link, monkeypatch):
    app = open_page(page, **link)
    data = checked(ask_for_report(app, monkeypatch))
    assert len(data["frames"]) >= MIN_FRAMES
    agrees(data["frames"][data["now"]], app)
    other = next(value for value in data["values"] if value > 1.5 * data["now"])
    agrees(data["frames"][other], open_page(page, **{**link, SLIDERS[page]: f"{other:g}"}))


def test_a_report_that_was_stopped_early_goes_on_where_it_was(monkeypatch):
    app = open_page("outsourced", T="8", runs="5")
    assert ask_for_report(app, monkeypatch) is not None
    kept = app.session_state["outsourced/report"]
    app.session_state["outsourced/report"] = Made(kept.question, kept.frames[:5])
    app.run()
    assert not [each for each in app.get("download_button") if each.label == "Download the report"]
    (button,) = [each for each in app.button if each.label == "Continue"]
    button.click().run()
    assert app.session_state["outsourced/report"].frames == kept.frames


def test_another_setting_asks_for_another_report(monkeypatch):
    app = open_page("outsourced", T="8", runs="5")
    ask_for_report(app, monkeypatch)
    app.query_params["T"] = "9"
    app.run()
    assert [each for each in app.button if each.label == "Make the report"]


def test_a_report_of_an_own_table_has_only_what_is_covered(monkeypatch):
    problem = made(small(), "response", frame=FRAME)
    app = open_own(problem, T="8", runs="5", release="noisy")
    text = ask_for_report(app, monkeypatch)
    data = checked(text)
    assert {card["slot"] for frame in data["frames"].values() for card in frame["figures"]} == {"meaning"}
    assert all(len(frame["tiles"]) == 1 and not frame["headline"] for frame in data["frames"].values())
    assert "mine.csv" not in text
    (box,) = [each for each in app.checkbox if each.key.endswith("report/all")]
    assert not box.value


@pytest.mark.parametrize("frame", [None, FRAME])
def test_nothing_covers_a_projection_or_settings_that_were_read_off(frame, monkeypatch):
    problem = made(small(), "response", frame=frame)
    app = open_own(problem, T="8", runs="5", release="projection" if frame else "noisy")
    assert ask_for_report(app, monkeypatch) is None
    (box,) = [each for each in app.checkbox if each.key.endswith("report/all")]
    box.check().run()
    assert [each for each in app.get("download_button") if each.label == "Download the report"]
