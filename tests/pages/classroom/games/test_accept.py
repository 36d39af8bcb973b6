"""“What would you accept?” on the projector and on phones: counts only, and the numbers of the hospital's pages."""

import json
import re
from dataclasses import asdict, replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.classroom.games import accept
from pages.parts.classroom.games.accept import SAMPLE, curve, height, screen, show, usual_setting
from pages.parts.classroom.kits import EXPERIMENTS_KITS, read_kit
from pages.parts.outsourced.promise import noisy_promise
from pages.parts.outsourced.setup import Case
from pages.parts.outsourced.shape import noisy_line
from pages.parts.outsourced.view import View
from pages.parts.system import system
from pages.parts.table.own_table import public_simulation
from pages.parts.views.card import strength_fact
from pages.parts.views.picture import LIGHT
from privbo_core.classroom.games.accept import COSTS, EPSILONS, FEW, QUESTION
from tests.helpers.games import CURVE, NOW, answered, closed
from tests.helpers.reading import plotly_takes

ALL = [(3, 4), (4, 4), (3, 5), (2, 5), (5, 1)]


@pytest.mark.parametrize(
    ("found", "title", "remark"),
    [
        (answered([]), f"{accept.HEADLINE} All are shown together", "still open"),
        (answered(ALL), "5 of 6 have answered. All are shown together once they are closed", "still open"),
        (closed(ALL, curve=None), "5 answers are in; the searches", "closed"),
        (closed(ALL), "They meet at ε = 1 with 7 more tests: 3 of 5 would accept it", "closed"),
        (closed([(3, 4), (3, 4), (0, 5), (0, 0), (1, 1)]), "They do not meet: no ε is accepted by more than", "closed"),
        (closed(ALL[:2]), "Closed with 2 answers", "closed"),
        (closed(ALL, 3), "Decided: ε = 1 with 7 more tests; 3 of 5 would accept it", "closed"),
        (closed(ALL, 4), "Recorded without a majority: ε = 2 with 6 more tests; few would accept it", "closed"),
        (closed(ALL, 0), "Recorded without a majority: ε = 0.1 with 21 more tests; none would", "closed"),
    ],
)  # fmt: skip
def test_each_picture_is_one_for_plotly_and_its_title_follows_the_state(found, title, remark):
    (figure,) = show(found).figures
    plotly_takes(figure.picture)
    assert figure.finding.title.startswith(title)
    assert show(found).tiles[0].remark == remark


def shown(found):
    """Return what a projector shows of a game, and how long each of its bars is."""
    view = show(found)
    picture = view.figures[0].picture
    boxes = [shape for shape in picture.layout["shapes"] if shape["type"] == "rect"]
    lengths = [box["y1"] if box["yref"] == "y2" else box["x1"] for box in boxes]
    return (str(view.tiles), view.figures[0].finding.title, picture.as_json(LIGHT)), lengths


@pytest.mark.parametrize("many", [5, 6, 9, 10, 23])
def test_no_answer_can_be_told_from_what_the_projector_shows(many):
    """Nothing moves before all are shown together; then no bar stands for fewer than five, and no number says so."""
    wishes = [(k * 3 % len(EPSILONS), k * 5 % len(COSTS)) for k in range(many)]
    assert shown(answered(wishes, many)) == shown(answered([(0, 0)] * many, many))
    (tiles, title, picture), lengths = shown(closed(wishes, pupils=many))
    assert min(lengths) >= FEW
    assert sum(lengths) == 2 * many
    assert not re.search(rf"\b[1-{min(FEW - 1, many // 2)}] of {many}", f"{tiles} {title} {picture}")


def test_a_decision_is_called_one_and_marked_only_with_a_majority(monkeypatch):
    chosen = {}
    monkeypatch.setattr(accept.st, "session_state", chosen)
    monkeypatch.setattr(accept.st, "segmented_control", lambda *_, **given: None)
    for name in ("act", "take_away"):
        monkeypatch.setattr(accept, name, lambda *_, **given: None)
    for wishes, offered in ((ALL, 1.0), ([(0, 0)] * 5, None)):
        chosen.clear()
        accept.desk(None, closed(wishes))
        assert chosen.get(accept.CHOSEN) == offered
    names = [show(closed(ALL, place)).tiles[1].name for place in (3, 4)]
    assert names == ["The decision", "Recorded, no majority"]
    assert "simulation" not in {show(closed(ALL, 3)).figures[0].finding.audience}
    marked = show(closed(ALL, 4)).figures[0].picture.data
    assert [trace["x"] for trace in marked if trace.get("name") == "chosen"] == [[EPSILONS[4]]]


def test_the_curve_has_the_numbers_of_the_pages_about_the_hospital_and_says_why_more_noise_may_count_fewer_tests():
    simulation = public_simulation(SAMPLE)
    setting = usual_setting(simulation)
    offers, goals = curve(simulation, setting), []
    assert [offer.epsilon for offer in offers] == list(EPSILONS)
    assert [offer.epsilon for offer in offers if offer.open] == [0.2]
    for offer in offers:
        at = replace(setting, epsilon=offer.epsilon)
        *_, found = simulation.compare(at, system.RUNS, ("noisy",))
        fact = View(Case(simulation, at, ("noisy",), system.RUNS), found).cost
        assert offer.more == 0 or fact.text.lower().removeprefix("perhaps ").startswith(f"{offer.more} more test")
        assert offer.low <= offer.more <= offer.high
        goals.append(found.tests_needed("noisy").rank)
        # What an ε means is the number of the card.
        line = noisy_line(at, simulation.problem.frame.d)
        strength, stop = strength_fact(noisy_promise(simulation, at), line), accept.epsilon_stop(offer.epsilon)
        assert f", {strength.text.lower()} protection:" in stop
        assert f"right {stop.split('right in ')[1].split()[0]} times in 100" in strength.remark
    # There is something to decide: privacy costs much at one end, and perhaps nothing at the other.
    assert offers[0].more > COSTS[-1] > offers[-1].more
    assert offers[-1].low <= 0
    # The count goes to what the private search ends with: at the strictest ε that is a worse rank.
    assert goals[0] == max(goals) > goals[-1]
    assert offers[0].more < offers[1].more
    assert "neither finds much, and the difference shrinks" in show(answered(ALL)).figures[0].finding.note


def test_the_page_starts_from_the_same_setting():
    def page():
        import streamlit as st

        from pages.parts.live.sliders import read_controls
        from pages.parts.outsourced.setup import case_of, pick_searching, sliders
        from pages.parts.table.own_table import public_simulation

        simulation = public_simulation("hospital")
        controls = read_controls("outsourced", sliders(simulation, ("noisy",)))
        searching = pick_searching(simulation.problem, shown=False)
        st.session_state["case"] = case_of(simulation, ("noisy",), controls, searching)

    case = AppTest.from_function(page).run().session_state["case"]
    assert (case.setting, case.runs) == (usual_setting(public_simulation(SAMPLE)), system.RUNS)


def test_the_first_tests_are_as_far_apart_as_the_last_and_the_tiles_tell_the_decision_with_its_time():
    assert height(0) == height(-3) == 0
    assert [height(each) for each in COSTS] == sorted(height(each) for each in COSTS)
    tile = next(tile for tile in show(closed(ALL, 3)).tiles if tile.name == "The decision")
    assert tile.value == "ε = 1"
    assert "3 of 5" in tile.remark
    assert "04 March 2026 at 12:30" in tile.remark


def test_an_interval_that_only_ends_where_the_searches_end_has_no_top_and_few_is_explained():
    found = closed(ALL, 3, curve=tuple(replace(offer, open=offer.epsilon == 1) for offer in CURVE))
    costs = [
        next(tile for tile in show(each).tiles if tile.name == "What it costs").remark
        for each in (closed(ALL, 3), found)
    ]
    assert costs == ["95 % interval: 6 to 9", "95 % interval: at least 6"]
    assert f"{FEW} answers at least, and “few” for fewer" in show(found).figures[0].finding.note
    assert "it says “few”" in read_kit(EXPERIMENTS_KITS["accept"]).last


@pytest.mark.parametrize(
    ("found", "offered", "remark"),
    [
        (answered(ALL[:4]), {"Close the answers": False}, f"from {FEW} answers on"),
        (answered(ALL), {"Close the answers": True}, ""),
        (closed(ALL[:4]), {"Open again": True}, "nothing to decide on"),
    ],
)
def test_the_teacher_closes_enough_answers_and_opens_too_few_again(monkeypatch, found, offered, remark):
    buttons, remarks = {}, []
    monkeypatch.setattr(accept, "act", lambda _, label, *how, can=True: buttons.update({label: can}))
    monkeypatch.setattr(accept, "note", remarks.append)
    accept.desk(None, found)
    assert (buttons, bool(remarks)) == (offered, bool(remark))
    assert remark in "".join(remarks)


def test_a_phone_has_two_sliders_with_stops_in_words():
    shown = screen(answered([]), 1)
    epsilon, cost = shown.data["sliders"]
    assert (shown.key, shown.kind, shown.answer) == (QUESTION, "scales", None)
    assert epsilon["unmoved"] == cost["unmoved"] == "Move this"
    assert [len(slider["stops"]) for slider in (epsilon, cost)] == [len(EPSILONS), len(COSTS)]
    assert cost["stops"][:3] == ["no more tests", "1 more test", "2 more tests"]
    assert [accept.wish_text((0, k)).split(", and ")[1] for k in (0, 1)] == ["not one more test.", "up to 1 more test."]
    json.dumps(asdict(shown), allow_nan=False)


def test_a_phone_shows_its_own_answer_and_how_it_ended():
    found = answered(ALL)
    assert [screen(found, pupil).answer for pupil in (2, 6)] == [{"epsilon": 4, "cost": 4}, None]
    found.close()
    assert "ε up to 2, and up to 10 more tests" in screen(found, 2).data["lines"][0]
    assert "did not answer" in screen(found, 6).data["lines"][0]
    found.record(3, NOW)
    assert screen(found, 2).data["lines"][1] == "It suits you."
    leaks, costs = accept.FURTHER
    assert [screen(found, pupil).data["lines"][1:] for pupil in (4, 5)] == [[leaks], [costs]]
    assert [screen(closed([(0, 0)] * 5, 3), 1).data["lines"][1:]] == [[leaks, costs]]
    assert len(screen(found, 6).data["lines"]) == 1
    for pupil in range(1, 7):
        json.dumps(asdict(screen(found, pupil)), allow_nan=False)
