"""The version for everybody: nothing on it was computed from the data, and both are one escaped file of their own."""

import json
import re
from dataclasses import replace

import pytest

from pages.parts.decision.case import Drawn, Rule, Signature
from pages.parts.decision.figures import costs
from pages.parts.decision.question import Who
from pages.parts.decision.signing import file_of, rested_bytes, signature_of
from pages.parts.decision.table import case_of, decision_of, for_all, inside, outcome_of
from pages.parts.decision.table_words import sentences
from pages.parts.decision.words import TableBasis
from pages.parts.views.content import of_table
from privbo_core.data import Frame, FrameColumn
from privbo_core.decision import Person, Weighing, order_bytes, recommend, weigh
from privbo_core.diagnostics import judge
from privbo_core.outsourced import Private, Setting
from tests.helpers.deciding import FRAME, a_table, simulation_of, text_of

WHO = Who((Person("A. Muster", "head"),), "2026-03-31", "patients of 2025", "a note", accepted=True)
READ_OFF = Frame((FrameColumn("age", "years", 0, 110, 4), FRAME.columns[1]))


def matter_of(table, frame, title):
    simulation = simulation_of(table, frame, title)
    setting = Setting(1.0, 1e-5, 10, 10, search="ucb/5", once=True)
    return TableBasis(simulation, setting, (1.0, 5.0), outcome_of(simulation.problem), of_table(simulation.problem))


def files_of(basis, monkeypatch, *, looked=True):
    decision = decision_of(basis, 5.0, WHO, looked=looked)
    monkeypatch.setattr("streamlit.session_state", {"own data/decision/signed": decision})
    signature = signature_of(WHO, decision)
    *_, weighing = weigh(basis.simulation, basis.setting, basis.candidates, 30)
    rule = Rule(basis.weighed, weighing, "on these data", recommend(weighing.known, 0.02, basis.protects))
    drawn = Drawn(weighing, judge(basis.problem), rule, 5.0, looked=looked)
    rests = json.loads(rested_bytes(basis.weighed, drawn, decision))
    assert (rests["digest"], rests["epsilon"], rests["limit"]) == (decision.digest, 5.0, 0.02)
    (data,) = rests["costs"].values()
    assert data["unit"] == basis.unit
    costs = [[each["epsilon"], each["mean"], each["low"], each["high"]] for each in data["each"]]
    known = [[each.epsilon, each.cost.mean, each.cost.low, each.cost.high] for each in weighing.known]
    assert costs == [pytest.approx(each) for each in known]
    return (
        file_of(inside(basis, drawn, signature)),
        file_of(for_all(basis, decision, signature)),
        order_bytes(decision),
    )


@pytest.mark.parametrize(("share", "said"), [(0.13, True), (0.23, False), (0.8, False)])
def test_an_own_table_whose_inputs_explain_little_is_said_to_beside_what_is_recommended(share, said):
    basis = matter_of(a_table(1), FRAME, "north.csv")
    worth = judge(basis.problem)
    worth = replace(worth, learned=replace(worth.learned, share=share))
    drawn = Drawn(Weighing(basis.candidates, 30), worth, Rule(basis.weighed, Weighing(basis.candidates, 30), ""), 5.0)
    for text in (" ".join(sentences(basis, drawn)), " ".join(inside(basis, drawn, Signature()).reasons)):
        assert ("explain 13 % of the outcome" in text) == said


@pytest.mark.parametrize("gaps", [0, 7])
def test_records_without_an_outcome_go_out_too_and_are_told_apart_from_those_that_are_counted(gaps):
    table = a_table(1)
    table.loc[: gaps - 1, "marker"] = float("nan")
    basis = matter_of(table, FRAME, "north.csv")
    rule = Rule(basis.weighed, Weighing(basis.candidates, 30), "")
    story = sentences(basis, Drawn(Weighing(basis.candidates, 30), judge(basis.problem), rule, 5.0))[0]
    assert f"noisy inputs of {120 - gaps} " in story
    assert ("and of those whose marker no simulated search can use, to look for" in story) == bool(gaps)


def test_a_range_of_answers_that_may_have_been_read_off_the_outcomes_recommends_nothing_in_public():
    basis = matter_of(a_table(1), FRAME, "north.csv")
    for known_from, public in (("", False), ("What the device can show.", True)):
        private = Private(-9, 9, 0.5, 1.0, 1e-5, known_from)
        asked = replace(basis, setting=replace(basis.setting, private=private))
        case = case_of(asked)
        assert (case.weigh_in_public is not None) == public
        assert ("from where the range of answers was known" in case.refuses(judge(basis.problem))) != public
        order = decision_of(asked, 5.0, WHO)
        assert ("the range of answers, if it was read off" in for_all(asked, order, Signature()).mark) != public


def test_a_picture_of_costs_that_are_not_complete_says_so():
    basis = matter_of(a_table(1), FRAME, "north.csv")
    *_, last = weigh(basis.simulation, basis.setting, basis.candidates, 30)
    drawn = [
        Drawn(each, None, Rule(basis.weighed, each, "on these data"), 5.0) for each in (replace(last, known=()), last)
    ]
    assert [costs(case_of(basis), each).finding.stamp for each in drawn] == ["interim: 0 % simulated", ""]


@pytest.mark.parametrize("frame", [FRAME, READ_OFF])
def test_two_tables_with_the_same_frame_and_choices_give_the_same_bytes_to_everybody(frame, monkeypatch):
    one = files_of(matter_of(a_table(1), frame, "north.csv"), monkeypatch)
    other = files_of(matter_of(a_table(2, rows=90), frame, "south.csv"), monkeypatch)
    assert one[0] != other[0]
    assert one[1:] == other[1:]
    assert "north" not in one[1] + one[2].decode()


def test_another_choice_gives_other_bytes(monkeypatch):
    basis = matter_of(a_table(1), FRAME, "north.csv")
    wide = Frame((FRAME.columns[0], FrameColumn("dose", "mg", 0, 20, 1.0, known_from="the label")))
    assert files_of(basis, monkeypatch)[1] != files_of(matter_of(a_table(1), wide, "north.csv"), monkeypatch)[1]


def test_each_version_says_whose_it_is_and_both_say_what_is_not_protected(monkeypatch):
    mine, public, _ = map(str, files_of(matter_of(a_table(1), FRAME, "north.csv"), monkeypatch))
    assert "for your eyes" in text_of(mine)
    assert "nothing on this page was computed from the data" in text_of(public)
    for page in (mine, public):
        said = text_of(page)
        assert "Who is in the table is not hidden" in said
        assert (
            "learns its marker in full, which may tell of its inputs, too. Nor is it hidden which rows are asked for."
            in said
        )
        assert "The number of rows is public" in said
        assert "A. Muster head" in said
        assert re.search(r"Noise: σ = [\d.]+ years in age, [\d.]+ mg in dose\. Outcomes go out in full", said)
    assert "simulated searches" not in text_of(public)
    read_off = files_of(matter_of(a_table(1), READ_OFF, "north.csv"), monkeypatch)[1]
    assert "computed from the data but the frame, as far as it was read off them" in text_of(read_off)
    assert "(2) ε was chosen after searches on these data" in text_of(public)
    assert "twice the hidden change at ε = 11.5, ten times at ε = 110" in text_of(public)
    unseen = text_of(files_of(matter_of(a_table(1), FRAME, "north.csv"), monkeypatch, looked=False)[1])
    assert "computed from the data, and ε is the one that the frame alone recommends" in unseen
    stands = "Proved, if ranges were known beforehand and ε set without the data. Nobody checked these conditions."
    assert stands in unseen
    assert all("Protection: hardly any, if what it rests on holds." in each for each in (text_of(read_off), unseen))
    assert "120" not in text_of(public)


def test_a_file_needs_nothing_from_anywhere_and_runs_nothing(monkeypatch):
    for page in files_of(matter_of(a_table(1), FRAME, "north.csv"), monkeypatch)[:2]:
        assert "default-src 'none'" in page
        assert not re.search(r"<(script|link|img|iframe|object)|url\(|@import|https?:", page)
