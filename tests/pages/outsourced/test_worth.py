"""Whether a table can carry an answer: the right sentence, and no page that speaks of a cost where it cannot."""

import re
from dataclasses import replace

import pytest

import privbo_core as pb
from pages.parts.table import diagnostics as judging
from pages.parts.table.diagnostics import verdict_of, which
from pages.parts.views.templates import render
from privbo_core.diagnostics import Diagnosis, Input, Learned, Searched, Shuffled
from privbo_core.outsourced import Difference, Simulation
from tests.helpers.numbers import numbers, tells

CLEAR, NOT = Difference(0.5, 0.1, 0.3, 0.7, 40), Difference(0.1, 0.2, -0.3, 0.5, 40)
LEARNED = Learned(0.231, 0.028, (Input("age", 0.15, 0.02), Input("weight", 0.0, 0.01), Input("dose", 0.3, 0.02)), 240)
CARRIES = Diagnosis("carries", 240, 30, Shuffled(0.3, 0.0, 0, 199, 240), LEARNED, Searched(CLEAR, 1.0, 12.0, 30, 240))
WEAK = replace(CARRIES, verdict="weak", searched=Searched(NOT, 7.0, 8.0, 30, 240))
NOTHING = replace(WEAK, verdict="nothing", shuffled=Shuffled(0.01, 0.0, 63, 199, 240))
TOO_FEW = Diagnosis("too few", 12, 30)


def text(worth):
    found = verdict_of(worth)
    return f"{found.sentence} {found.why} {found.do}"


def test_a_table_that_carries_an_answer_is_said_to_in_a_quiet_line():
    said = text(CARRIES)
    assert numbers(said) == [23, 3, 30, 240, 12]  # explained in %, tests, rows, and the rank that chance finds
    assert said.index("dose") < said.index("age") < said.index("weight")
    assert "<aside" not in render("worth.html", said=verdict_of(CARRIES), calm=True)


@pytest.mark.parametrize("worth", [NOTHING, WEAK, TOO_FEW])
def test_one_that_does_not_is_warned_of_with_what_to_do(worth):
    found = verdict_of(worth)
    assert found.do
    shown = render("worth.html", said=found, calm=False)
    assert "<aside" in shown
    assert "pb-curator" in shown


def learned(*inputs):
    return replace(CARRIES, learned=replace(LEARNED, inputs=inputs))


POOR = replace(WEAK, learned=replace(LEARNED, share=-0.07, standard_error=0.11))
EASY = replace(WEAK, searched=Searched(NOT, 1.0, 1.0, 30, 240))


@pytest.mark.parametrize(
    ("worth", "told"),
    [
        (NOTHING, [32, 100]),
        (replace(NOTHING, rows=45), [45]),
        (WEAK, [30, 7, 240, 8]),
        (POOR, [-0.07, 0.11]),
        (EASY, [30, 240]),
        (TOO_FEW, [12, 30]),
        (replace(TOO_FEW, needed=80), [12, 80]),
    ],
)
def test_the_numbers_behind_it_are_said(worth, told):
    assert tells(text(worth), *told)


@pytest.mark.parametrize(
    ("worth", "named", "more"),
    [
        (learned(*(Input(f"x{i}", 0.1 * (i < 5), 0.01) for i in range(12))), "x0 x1 x2 x5 x6 x7", [4]),
        (learned(Input("age", 0.4, 0.02)), "", []),
        (learned(Input("age", 0.01, 0.02), Input("dose", 0.0, 0.02)), "", []),
    ],
)
def test_inputs_that_tell_and_inputs_that_do_not_are_named_up_to_three(worth, named, more):
    said = which(worth)
    assert re.findall(r"\bx\d+|\bage\b|\bdose\b", said) == named.split()
    assert numbers(said) == more


def test_somebody_s_own_table_is_judged_once_for_a_session_and_a_sample_once_for_all(monkeypatch):
    calls, session = [], {}
    monkeypatch.setattr(judging, "judge", lambda problem, **_: calls.append(problem) or CARRIES)
    monkeypatch.setattr(judging.st, "session_state", session)
    own = replace(pb.data.synthetic(side=15), identity=None)
    assert judging.already(Simulation(own)) is None
    assert not calls, "what is drawn first does not wait for it"
    assert judging.judged(Simulation(own)) is judging.already(Simulation(own)) is CARRIES
    framed = replace(own, known_frame=own.frame)
    assert judging.judged(Simulation(framed)) is CARRIES
    assert len(calls) == 1
    assert all(key.startswith("own data/") for key in session)  # all of which *Clear my data* takes away
    other = replace(own, objective=own.objective[::-1].copy())
    judging.judged(Simulation(other))
    assert len(calls) == 2
    sample = Simulation(pb.data.synthetic(side=14))
    assert judging.waited_for(lambda: judging.judged(sample)) is CARRIES
    judging.judged(Simulation(pb.data.synthetic(side=14)))
    assert len(calls) == 3
    assert len(session) == 1
