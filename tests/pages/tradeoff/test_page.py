"""The Trade-off page without a browser: three tasks, both answers, what an address may ask, pictures Plotly accepts."""

import dataclasses
import math
import re
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.bring.worth.suited import suited
from pages.parts.system.question import Unit
from pages.parts.tradeoff import figures as tradeoff_figures
from pages.parts.tradeoff import words
from pages.parts.tradeoff.figures import Axes
from pages.parts.tradeoff.states import State, Wanted, states
from pages.parts.tradeoff.words import with_error
from pages.parts.values.numbers import cost_text
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.text import toned
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import Status
from privbo_core.tradeoff import (
    Curve,
    Mark,
    Question,
    Reference,
    Sweep,
    front,
    measure,
    monotone_fit,
    outsourced_question,
    released_question,
)
from tests.helpers.paths import APP

QUICK = {"T": "10", "runs": "4", "from": "1", "to": "100"}


def start(query=None):
    app = AppTest.from_file(str(APP), default_timeout=120).run()
    app.switch_page("pages/tradeoff.py")
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return app.run()


def html(app):
    return " ".join(element.proto.body for element in app.get("html"))


def texts(app):
    return " ".join(element.value for element in app.get("markdown"))


def answers(app):
    """The two answers by mechanism: what ε costs, which ε is needed."""
    found = [
        dict(re.findall(r'<div data-mechanism="([^"]+)">(.*?)</div>', element.proto.body))
        for element in app.get("html")
    ]
    costs, epsilons = [each for each in found if each]
    return costs, epsilons


def last(generator):
    return list(generator)[-1]


SMALL = {"T": "2", "runs": "2", "N": "20", "from": "2", "to": "20"}
EXACT = "Exact (this project’s)"
SETTING = ["Algorithm 1", "Algorithm 2", "private selection"]
SCORE = ["Algorithm 1", "Algorithm 2", "Algorithm 3", "private selection"]


@pytest.mark.parametrize(
    ("query", "mechanisms"),
    [
        ({"tradeoff_task": "Outsourced", **QUICK}, ["projection", "noisy release"]),
        ({"tradeoff_task": "Release"}, SETTING),
        ({"tradeoff_task": "Release", "tradeoff_published": "Both"}, SETTING),
        ({"tradeoff_task": "Release", "tradeoff_published": "Score"}, SCORE),
        ({"tradeoff_task": "Federated", **SMALL}, ["by noise z", "by rate q"]),
        (
            {"tradeoff_task": "Federated", "tradeoff_accountant": EXACT, **SMALL, "from": "0.5"},
            ["by noise z", "by rate q"],
        ),
    ],
)
def test_each_task_is_swept_and_solved_both_ways(query, mechanisms):
    app = start(query)
    assert not app.exception
    assert not app.error
    costs, epsilons = answers(app)
    assert list(costs) == list(epsilons) == mechanisms
    assert all(re.search(r"[+−]\d", text) or "cannot be set" in text for text in costs.values())
    assert all("ε =" in text for text in epsilons.values())
    assert "…" not in " ".join([*costs.values(), *epsilons.values()])
    assert "An ε of one task says nothing about another task" in texts(app)
    assert re.search(r"runs at each of \d+ marks", html(app))


def test_what_an_epsilon_counts_decides_how_much_noise_it_takes():
    said = {}
    for accountant in ("Loss distributions", EXACT):
        app = start({"tradeoff_task": "Federated", "tradeoff_accountant": accountant, **SMALL, "epsilon": "2.5"})
        said[accountant] = answers(app)[0]["by noise z"]
    family_of = pb.federated.synthetic(agents=400, lengthscale=0.15, heterogeneity=0.1)
    settings = pb.federated.Settings(family_of.kernel, 0.01, 2, 10, 50, q=0.25, z=1.0, S=11.0, P=2)
    simulation = pb.federated.Simulation(
        lambda run: pb.federated.synthetic(agents=400, lengthscale=0.15, heterogeneity=0.1, seed=run)
    )
    free = np.array([simulation.run(pb.federated.variants(settings)["FTS-DE"], 20, run).simple[-1] for run in (0, 1)])
    needed = {}
    for accountant, sensitivity in (("Loss distributions", "paper"), (EXACT, "exact")):
        z = needed[accountant] = pb.federated.noise_needed(settings, 20, 2.5, "pld", sensitivity)
        costs = [simulation.run(dataclasses.replace(settings, z=z), 20, run).simple[-1] for run in (0, 1)]
        above = np.array(costs) - free
        assert cost_text(above.mean(), above.std(ddof=1) / math.sqrt(2)) in said[accountant]
    assert needed[EXACT] < 0.8 * needed["Loss distributions"]


def test_the_cost_is_a_real_run_at_exactly_that_epsilon():
    app = start({**QUICK, "epsilon": "7.3"})
    simulation = Simulation(pb.data.sample("synthetic"))
    setting = Setting(1.0, 1e-5, 10, 10, search=suited(simulation.problem), once=True)
    asked = outsourced_question(simulation, setting)
    plain = last(asked.plain.costs(4))
    for curve in asked.curves:
        mark = last(measure(curve, 7.3, 4)).above(plain)
        said = with_error(mark.mean, mark.standard_error, "")
        assert said in answers(app)[0][curve.name]


def test_a_refuted_epsilon_is_never_given_without_saying_so():
    costs, epsilons = answers(start({**QUICK, "budget": "1.5"}))
    assert "does not hold: refuted" in costs["projection"]
    assert "does not hold: refuted" in epsilons["projection"]
    assert "refuted" not in costs["noisy release"] + epsilons["noisy release"]


def test_a_budget_that_is_never_kept_gets_an_honest_answer():
    app = start({"tradeoff_task": "Release", "budget": "0.001", "to": "5", "runs": "4"})
    assert "<strong>not reached</strong>: even at ε = 5.00 it costs" in answers(app)[1]["Algorithm 1"]
    app = start({"tradeoff_task": "Release", "budget": "0.4", "runs": "4"})
    assert "is enough, the smallest tried" in answers(app)[1]["Algorithm 1"]


@pytest.mark.parametrize("task", ["Outsourced", "Release", "Federated"])
def test_a_range_of_one_value_gets_a_sentence_instead_of_a_front(task):
    app = start({"tradeoff_task": task, "T": "3", "runs": "2", "from": "4", "to": "4"})
    assert not app.exception
    assert "A single ε, 4.00, costs" in html(app)
    assert app.query_params["from"] == "4"
    assert all("4.00" in text for text in answers(app)[1].values())


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"epsilon": "-1"}, "-1 is out of range; ε takes"),
        ({"budget": "nan"}, "nan is out of range"),
        ({"from": "<b>x</b>"}, "“<b>x</b>” is not a number"),
        ({"runs": "2.5"}, "2.5 is not whole"),
        ({"to": "1e999"}, "inf is out of range"),
    ],
)
def test_an_address_that_cannot_be_used_gets_a_sentence(query, words):
    app = start({**QUICK, **query})
    assert not app.exception
    assert any(words in notice.value.replace("\\", "") for notice in app.info)


@pytest.mark.parametrize("name", ["tradeoff_task", "tradeoff_measure", "tradeoff_r", "tradeoff_unit", "data"])
def test_a_choice_that_does_not_exist_leaves_the_page_as_it_is(name):
    app = start({**QUICK, name: "'; drop"})
    assert not app.exception
    assert list(answers(app)[0]) == ["projection", "noisy release"]


def test_ends_the_wrong_way_round_are_turned():
    app = start({**QUICK, "from": "50", "to": "5"})
    assert not app.exception
    title = html(app)
    assert "ε = 5.00" in title


def test_original_units_are_said_and_can_be_asked_in():
    app = start({**QUICK, "data": "hospital"})
    assert "a factor of" in answers(app)[0]["noisy release"]
    app = start({**QUICK, "data": "hospital", "tradeoff_unit": "mg/dL", "budget": "1.5"})
    assert not app.exception
    assert app.query_params["budget"] == "1.5"


def test_a_link_brings_its_own_settings_whatever_was_asked_before():
    app = start({**QUICK, "r": "7"})
    app.switch_page("pages/reproduce.py").run()
    app.switch_page("pages/tradeoff.py")
    for name, value in {"tradeoff_task": "Release", "T": "11", "runs": "3", "budget": "0.031", "epsilon": "2"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    known = {name: app.query_params[name] for name in ("T", "runs", "budget", "epsilon")}
    assert known == {"T": "11", "runs": "3", "budget": "0.031", "epsilon": "2"}


def test_a_budget_is_forgotten_with_the_unit_that_it_was_meant_in():
    app = start({**QUICK, "data": "hospital", "tradeoff_unit": "mg/dL", "budget": "1.5"})
    app.session_state["tradeoff_unit"] = "σ_y"
    app.run()
    assert not app.exception
    assert app.query_params["budget"] == "0.1"  # the default of the new unit
    assert app.query_params["T"] == QUICK["T"]


def test_the_task_changes_without_a_trace_of_the_other():
    app = start({**QUICK, "r": "7"})
    app.session_state["tradeoff_task"] = "Release"
    app.run()
    assert not app.exception
    assert not app.info
    assert "r" not in app.query_params


def test_stop_keeps_what_is_there_and_go_on_finishes():
    app = start({"tradeoff_task": "Release"})
    memory = app.session_state["own data/live/tradeoff"]
    memory["values"]["state"] = State()
    memory["stopped"] = memory["values"]["of"]
    app.run()
    assert not app.exception
    assert "Stopped before there was anything to compare" in html(app)
    app.button(key="tradeoff_go").click().run()
    assert not app.exception
    assert app.session_state["own data/live/tradeoff"]["values"]["state"].sweep.complete


def wanted(epsilon=3.0, budget=0.03, runs=6):
    """A question about Release, small enough to be answered at once."""
    question = released_question(pb.data.tuning_task("logistic"), published="setting", iterations=5)
    return Wanted(SimpleNamespace(question=question, low=0.1, high=1000.0, runs=runs, instead=None), epsilon, budget)


def test_the_page_gets_from_marks_to_answers_that_rest_on_all_of_them():
    asked = wanted()
    steps = list(states(asked, State(), stopped=False, held=False))
    totals = [step.sweep.total for step in steps]
    assert totals == sorted(totals)
    early = next(step for step in steps if step.measured)
    assert early.sweep.outlined
    assert not early.sweep.complete
    names = {curve.name for curve in asked.asked.question.curves}
    assert set(early.extras) == names
    assert steps[-1].sweep.complete
    assert set(steps[-1].extras) == set(steps[-1].answers) == set(steps[-1].settled) == names
    for curve in asked.asked.question.curves:
        assert steps[-1].extras[curve.name].runs == asked.asked.runs
        assert steps[-1].answers[curve.name].epsilon in {mark.epsilon for mark in steps[-1].shown.marks[curve.name]}


def test_while_a_thumb_is_held_the_sweep_ends_at_its_outline():
    asked = wanted()
    last_one = last(states(asked, State(), stopped=False, held=True))
    assert last_one.sweep.outlined
    assert not last_one.sweep.complete
    assert not last_one.settled
    assert last_one.measured
    assert last_one.answers


def test_what_was_interrupted_goes_on_from_what_it_had_and_what_is_stopped_stays():
    asked = wanted()
    steps = list(states(asked, State(), stopped=False, held=False))
    middle = next(step for step in steps if step.sweep.outlined)
    again = middle.again(same_budget=True)
    assert not again.extras
    assert not again.answers
    assert again.old_answers == middle.answers
    assert all(step.sweep.total >= middle.sweep.total for step in states(asked, again, stopped=False, held=False))
    stopped = last(states(asked, again, stopped=True, held=False))
    assert stopped.sweep is middle.sweep
    assert stopped.measured
    assert set(stopped.settled) == set(stopped.answers) == {curve.name for curve in asked.asked.question.curves}
    assert not steps[-1].again(same_budget=False).settled


def test_an_answer_that_is_not_up_to_date_is_dimmed_and_never_passed_off_as_new():
    asked = wanted()
    asked.asked.units = (Unit("in score", float, float),)
    found = last(states(asked, State(), stopped=False, held=False))
    fresh = words.epsilon_answer(asked.asked, found.answers, {})
    old = found.again(same_budget=False)
    dimmed = words.epsilon_answer(asked.asked, old.answers, old.old_answers)
    assert [line.text for line in dimmed.lines] == [toned("old", line.text) for line in fresh.lines]
    costs = words.cost_answer(asked.asked, 3.0, old.extras, old.old_extras)
    assert all(line.text.startswith(toned("old", "")[0]) for line in costs.lines)
    nothing = words.cost_answer(asked.asked, 3.0, {}, {})
    assert {line.text for line in nothing.lines} == {toned("old", "…")}


def example(runs=3):
    """A question with each kind of guarantee, and marks of it."""
    kinds = (
        ("Algorithm 1", Status.CLAIMED), ("noisy release", Status.PROVED), ("projection", Status.REFUTED),
        ("by rate q", Status.CONDITIONAL),
    )  # fmt: skip
    curves = tuple(Curve(name, status, lambda e, n: iter(())) for name, status in kinds)
    question = Question(
        curves, Reference("non-private", lambda n: iter(())), (Reference("random search", lambda n: iter(())),)
    )
    rng = np.random.default_rng(0)
    marks = {curve.name: tuple(Mark(e, 1 / e + level + 0.1 * rng.random(runs)) for e in (0.5, 2.0, 8.0))
             for curve, level in zip(curves, (0.5, 0.3, 0.0, 0.1), strict=True)}  # fmt: skip
    references = {"non-private": rng.random(runs), "random search": 3 + rng.random(runs)}
    return question, Sweep(references, marks, True, True)


AXES = Axes(3.0, 0.5, 0.4, 10.0, "ε", "regret (σ)")


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_plotly_accepts_every_picture(palette):
    question, full = example()
    _, single = example(runs=1)
    one = Sweep(full.references, {name: marks[:1] for name, marks in full.marks.items()})
    logarithmic = Axes(3.0, 0.5, 0.4, 10.0, "ε", "off by", log=True)
    point = Axes(3.0, 0.5, 2.0, 2.0, "ε", "regret")
    for sweep, axes in (
        (full, AXES),
        (full, logarithmic),
        (single, AXES),
        (one, point),
        (Sweep(), AXES),
        (Sweep(), logarithmic),
    ):
        picture = tradeoff_figures.trade_off(question, sweep, axes)
        figure = plotly.io.from_json(picture.as_json(palette))  # raises on a property that Plotly does not know
        assert isinstance(figure, go.Figure)


def test_the_mark_shows_how_far_its_guarantee_can_be_relied_on():
    question, full = example()
    picture = tradeoff_figures.trade_off(question, full, AXES)
    marks = {trace["name"]: trace["marker"]["symbol"] for trace in picture.data if trace.get("mode") == "markers"}
    assert marks == {
        "Algorithm 1": "circle-open-dot", "noisy release": "circle", "projection": "circle-x-open",
        "by rate q": "square-open", "by rate q: conditional": "line-ew-open",
    }  # fmt: skip
    assert all(sign in words.KEY for sign in tradeoff_figures.SIGNS.values())
    stairs = next(trace for trace in picture.data if trace.get("name") == "front")
    on_front = front(question.curves, full.marks)
    assert stairs["x"] == [mark.epsilon for _, mark in on_front]
    for name in ("projection", "Algorithm 1", "by rate q"):
        assert not {mark.mean for mark in full.marks[name]} & set(stairs["y"])
    fits = [trace for trace in picture.data if str(trace.get("name")).endswith("monotone fit")]
    assert len(fits) == 4
    assert all((np.diff(trace["y"]) <= 0).all() for trace in fits)


def test_numbers_get_the_digits_they_deserve():
    assert cost_text(0.1234, 0.0312) == "+0.123"
    assert cost_text(-0.1234, 0.4) == "−0.12"
    assert cost_text(12345.6, 3) == "+12,300"
    assert with_error(0.5, math.nan, "σ") == "+0.50 σ (one run)"
    assert with_error(0.5, 1e-9, "σ") == "+0.5 σ"


def test_each_published_thing_is_offered_by_those_that_can():
    task = pb.data.tuning_task("svm")
    names = {
        kind: [curve.name for curve in released_question(task, published=kind).curves]
        for kind in ("setting", "score", "both")
    }
    assert names["setting"] == names["both"] == ["Algorithm 1", "Algorithm 2", "private selection"]
    assert "Algorithm 3" not in names["score"]


def test_while_runs_come_in_unevenly_the_fit_stays_with_the_marks():
    question, full = example(runs=8)
    (name, marks), *_ = full.marks.items()
    assert marks[0].runs > 4
    uneven = {**full.marks, name: tuple(Mark(m.epsilon, m.costs[: 3 + i % 2] + 5) for i, m in enumerate(marks))}
    picture = tradeoff_figures.trade_off(question, Sweep(full.references, uneven), AXES)
    line = next(trace for trace in picture.data if trace.get("name") == f"{name}: monotone fit")
    means = [mark.mean for mark in uneven[name]]
    assert (np.diff(line["y"]) <= 0).all()
    assert min(means) - 1e-9 <= min(line["y"]) <= max(line["y"]) <= max(means) + 1e-9
    ended = tradeoff_figures.fits(question, full)[name]
    extra = monotone_fit(full.extra(name, question.plain.name))
    plain = full.references[question.plain.name][: marks[0].runs].mean()
    assert ended.costs == pytest.approx(extra.costs + plain)


@pytest.mark.parametrize(
    ("task", "query", "words"),
    [
        ("Outsourced", {}, "that a record is the real one"),
        ("Release", {}, "that a record is the real one"),
        ("Federated", {"from": "1", "to": "30", "N": "20"}, "that an agent took part"),
    ],
)
def test_what_the_epsilon_means_is_said_for_the_one_asked_about(task, query, words):
    app = start({**QUICK, **query, "tradeoff_task": task, "epsilon": "2", "meaning": "true"})
    assert not app.exception
    said = " ".join(element.proto.body for element in app.get("html"))
    assert words in said
    assert "88.1 %" in said  # e²/(1 + e²): what half sure becomes at ε = 2


@pytest.mark.parametrize(
    ("low", "high", "complete", "said"),
    [
        (0.5, 0.0, True, "At ε = 1.00 proved privacy costs 0.500 σ; at ε = 10.0 it has no clear cost ("),
        (0.5, 0.2, True, "At ε = 1.00 proved privacy costs 0.500 σ; at ε = 10.0 it costs 0.200 σ"),
        (0.02, 0.0, True, "From ε = 1.00 on proved privacy has no clear cost (+0.020 ± 0.0"),
        (0.2, 0.5, True, "Already at ε = 1.00 proved privacy costs 0.200 σ, and more ε buys nothing"),
        (0.5, 0.2, False, "So far: at ε = 1.00 proved privacy costs 0.500 σ; at ε = 10.0 it costs 0.200 σ"),
    ],
)
def test_the_title_says_what_privacy_costs_and_never_more_than_is_known(low, high, complete, said):
    rng = np.random.default_rng(0)
    scatter = rng.standard_normal(8)
    scatter -= scatter.mean()
    plain = np.ones(8)
    curve = Curve("noisy release", Status.PROVED, lambda e, n: iter(()))
    question = Question((curve,), Reference("plain", lambda n: iter(())))
    marks = {"noisy release": (Mark(1.0, plain + low + 0.1 * scatter), Mark(10.0, plain + high + 0.1 * scatter))}
    asked = SimpleNamespace(question=question, units=(Unit("σ", float, float),), runs=8, repeats="runs", instead=None)
    finding = words.title(asked, Sweep({"plain": plain}, marks, True, complete), False)
    assert finding.title.startswith(said)
