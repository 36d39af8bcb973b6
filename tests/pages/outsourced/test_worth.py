"""Whether a table can carry an answer: the right sentence, and no page that speaks of a cost where it cannot."""

import re
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.outsourced.afford import Afford
from pages.parts.outsourced.figures import ranks
from pages.parts.outsourced.setup import Searching, case_of, leads, sliders
from pages.parts.system.question import Unit
from pages.parts.table import diagnostics as judging
from pages.parts.table.diagnostics import instead, verdict_of, which
from pages.parts.tradeoff import words as tradeoff
from pages.parts.views.picture import STAMP
from pages.parts.views.templates import render
from pages.parts.views.views import LUCK_STAMP, Figure, Finding
from privbo_core.diagnostics import Diagnosis, Input, Learned, Searched, Shuffled
from privbo_core.outsourced import Difference, Simulation
from privbo_core.privacy import Status
from privbo_core.tradeoff import Curve, Mark, Question, Reference, Sweep
from tests.helpers.compared import compared
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


@pytest.fixture(scope="module")
def lucky():
    """Outcomes of pure chance on which the search is ahead of it, and privacy costs: luck with this table."""
    problem = pb.data.synthetic(side=15)
    for seed in range(3, 40):
        noise = replace(problem, objective=np.random.default_rng(seed).standard_normal(problem.n), identity=None)
        view = compared(noise, epsilon=1.0, T=20, runs=30)
        if leads(view.comparison, view.comparison.reference("noisy"), "rank"):
            return view
    raise AssertionError("luck is rarer than that")


@pytest.mark.parametrize("worth", [NOTHING, TOO_FEW])
def test_no_sentence_speaks_of_a_cost_where_the_table_carries_none_whatever_the_curves_say(lucky, worth):
    assert all(numbers(each) for each in sentences(lucky))
    for each in sentences(judged(lucky, worth)):
        assert {*numbers(each)} <= {12}, "the rows that are too few, and no cost"


def judged(view, worth):
    return replace(view, case=replace(view.case, worth=lambda: worth))


def sentences(view):
    """Return all that Trade-off and the tour say of a cost."""
    afford = Afford(view, {1.0: view.comparison})
    return [f"{view.cost.text}: {view.cost.remark}", view.answer, afford.answer]


@pytest.mark.parametrize("worth", [NOTHING, TOO_FEW, CARRIES])
def test_a_lead_is_drawn_as_luck_where_the_table_carries_no_answer(lucky, worth):
    view = judged(lucky, worth)
    drawn = Figure("", Finding("", "simulation", "", view.luck), ranks(view))
    for picture in (drawn.picture, Afford(view, {1.0: view.comparison}).figure("").picture):
        colours = {trace["line"]["color"].role for trace in picture.data if "color" in trace["line"]}
        stamps = [each["text"] for each in picture.layout["annotations"] if each.get("name") == STAMP]
        assert (colours == {"random"}, stamps == [LUCK_STAMP]) == (worth is not CARRIES,) * 2
    assert (view.luck == LUCK_STAMP) == (worth is not CARRIES)


@pytest.mark.parametrize(
    ("two", "three", "five", "least"), [(6, 9, 6, 5.0), (6, 6, 9, None), (9, 6.4, 6, 3.0), (6, 6, 6, 2.0)]
)
def test_trade_off_names_no_epsilon_as_enough_below_one_that_is_shown_not_to_be(two, three, five, least):
    found = {
        rank: SimpleNamespace(typical_rank=lambda _, rank=rank: SimpleNamespace(median=rank)) for rank in (6, 6.4, 9)
    }
    set_here = SimpleNamespace(setting=SimpleNamespace(epsilon=3.0))
    afford = Afford(SimpleNamespace(comparison=found[three], case=set_here), {2.0: found[two], 5.0: found[five]})
    with patch.object(Afford, "good", 6):
        assert afford.least == least


def test_a_search_that_is_behind_chance_has_nothing_to_lose_either():
    """Chance ahead for certain is no lead."""
    problem = pb.data.synthetic(side=15)
    away = np.linalg.norm(problem.points, axis=1)
    # The search tries the far ends first, where the outcome is worst.
    worse = replace(problem, objective=np.random.default_rng(0).standard_normal(225) - 3 * (away > 18))
    view = compared(worse, epsilon=1.0, T=8, runs=40)
    lead = view.comparison.lead(view.comparison.reference("noisy"), "rank")
    assert lead.clear
    assert lead.mean < 0
    assert view.cost.text == judging.NOTHING
    assert numbers(view.answer) == numbers(Afford(view, {}).answer) == [8, 225]


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


def test_a_small_table_has_room_for_its_initial_evaluations():
    problem = pb.data.synthetic(side=15)
    for n in (3, 4, 6, 7, 12, 40):
        rows = np.random.default_rng(n).choice(problem.n, n, replace=False)
        small = replace(problem, points=problem.points[rows], objective=problem.objective[rows], identity=None,
                        original=problem.original[rows])  # fmt: skip
        (slider,) = [each for each in sliders(Simulation(small), ("noisy",)) if each.key == "T"]
        assert 1 <= slider.min <= slider.value <= slider.max
        controls = Controls({"epsilon": 1.0, "delta": 1e-5, "T": slider.max, "runs": 2, "delta_ucb": 0.05})
        case = case_of(Simulation(small), ("noisy",), controls, Searching("ucb/5", once=True))
        *_, comparison = case.simulation.compare(case.setting, 2, ("noisy",))
        assert comparison.runs == 2


@pytest.mark.parametrize("status", [Status.PROVED, Status.UNMET])
@pytest.mark.parametrize("worth", [NOTHING, TOO_FEW, CARRIES])
def test_trade_off_speaks_of_no_cost_where_there_is_nothing_to_lose(worth, status):
    plain = np.ones(8)
    curve = Curve("noisy release", status, lambda e, n: iter(()))
    asked = SimpleNamespace(
        question=Question((curve,), Reference("plain", lambda n: iter(()))), units=(Unit("σ", float, float),),
        runs=8, repeats="runs", instead=instead(worth),
    )  # fmt: skip
    marks = {"noisy release": tuple(Mark(e, plain + np.linspace(-0.1, 0.1, 8)) for e in (1.0, 10.0))}
    title = tradeoff.title(asked, Sweep({"plain": plain}, marks, True, True), False).title
    note = tradeoff.cost_answer(asked, 50.0, {}, {}).note
    assert (numbers(title) != [12] * (worth is TOO_FEW)) == (worth is CARRIES), "a cost where there may be one"
    assert bool(note) == (worth is not CARRIES)
