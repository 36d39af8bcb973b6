"""The Simple page of Federated: what it says follows from the numbers, on each of the samples."""

import dataclasses
import math

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.federated.agents import FAMILY, GRADES, SCHOOLS, Agents, named
from pages.parts.federated.figures import headline
from pages.parts.federated.setup import ALONE, PLAIN, PRIVATE, Setup, set_up
from pages.parts.federated.view import NO_GAIN, Counting, View, amount
from pages.parts.views.text import epsilon_text, rounded_up, two_digits
from privbo_core.federated import Progress, Record
from tests.helpers.opening import open_page
from tests.helpers.reading import brief, numbers, record, said


def page(**query):
    few = {"view": "simple", "M": "10", "federated_runs": "5"}
    return open_page("federated", **few | query)


@pytest.mark.parametrize(("agents", "many"), [(SCHOOLS, 98), (FAMILY, 12)])
def test_it_answers_on_every_sample(agents, many):
    app = page(agents=agents, T=4, **{"N": 12} if agents == FAMILY else {})
    assert many in numbers(said(app))
    assert brief(app).answer
    assert len(brief(app).facts) == 4
    assert brief(app).facts[0].tone != "refuted"


def test_somebody_who_arrives_bare_sees_the_schools_that_gain_at_the_settings_recommended_for_them():
    start = pb.federated.GRADES_START.settings(pb.federated.grades())
    assert set_up(named(GRADES)).settings == start
    app = page(T=3)
    few = dataclasses.replace(start, features=10, iterations=3)
    assert app.session_state["federated/last"] == {
        "z": few.z, "q": few.q, "S": few.S, "P": few.P, "N": 237, "M": 10, "T": 3, "a": few.a
    }  # fmt: skip
    exact = pb.federated.losses(few, 237, "pld", "exact")[-1]
    assert float(f"{exact:.3g}") in numbers(brief(app).facts[2].remark)
    assert 237 in numbers(said(app))


def test_other_data_move_what_nobody_has_set_and_a_link_wins():
    app = page(agents=GRADES, z="2.5", T=4)
    assert app.session_state["federated/last"]["S"] == 5.5
    for agents, moved in ((SCHOOLS, (11, 2, 98)), (GRADES, (5.5, 1, 237))):
        app.selectbox(key="agents").set_value(agents).run()
        last = app.session_state["federated/last"]
        assert (last["S"], last["P"], last["N"]) == moved
        assert (last["z"], last["T"], last["M"]) == (2.5, 4, 10)


def test_without_noise_nothing_is_promised_and_the_picture_says_so_wherever_it_goes():
    app = page(agents=SCHOOLS, z="0", T=4)
    hidden, _, strength, _ = brief(app).facts
    assert hidden.tone == strength.tone == "refuted"
    assert strength.level == 0
    assert record(app).figures["federated-simple"].finding.stamp


def viewed(alone, private, plain, z=1.0, T=20):
    """Return the view of runs with these regrets, which fall by the round; and what counts for it."""
    problem = pb.federated.synthetic(agents=6, side=8)
    settings = pb.federated.Settings(problem.kernel, 0.01, iterations=T, initial=3, features=10, q=0.5, z=z, S=5.0)
    simulation = pb.federated.Simulation(lambda run: problem)
    setup = Setup(Agents("toy", problem, lambda h: simulation, "f", 1.0, 0.5), simulation, settings, 6, runs=10)

    def records(level):
        dice = np.random.default_rng(1)
        curve = np.linspace(1.0, 0.5, T)
        return tuple(Record(*[level * curve + 0.001 * dice.standard_normal()] * 5) for _ in range(10))

    progress = Progress({ALONE: records(alone), PRIVATE: records(private), PLAIN: records(plain)}, {})
    counting = Counting(setup)
    return View(setup, progress, counting.counted), counting


@pytest.mark.parametrize(
    ("alone", "private", "plain", "z"),
    [
        (1.0, 0.8, 0.7, 1.0),
        (1.0, 1.2, 1.1, 1.0),
        (1.0, 1.0, 0.8, 1.0),
        (1.0, 0.8, 0.7, 0.0),
        # That the private curve lies lower is never told as a gain of privacy.
        (1.0, 0.7, 0.8, 1.0),
        (1.0, 0.7, 0.8, 0.0),
        (1.0, 0.6, 0.8, 1.0),
        (1.0, 1.1, 1.2, 1.0),
    ],
)
def test_the_sentence_and_the_cost_follow_the_numbers(alone, private, plain, z):
    view, _ = viewed(alone, private, plain, z=z)
    needed = 20 - pb.federated.rounds_needed(view.progress, PRIVATE, PLAIN, ALONE).saved
    assert ([needed, 20] == numbers(view.answer)[:2]) == (private < alone)
    assert bool(numbers(view.cost.text)) == (private > plain), "only what is lost for certain is a cost"
    assert view.finding.title == view.answer
    assert view.answer.endswith(NO_GAIN) == (z > 0 and private < plain)


def test_a_cost_that_is_not_known_yet_says_how_far_the_runs_are():
    view, _ = viewed(1.0, 0.8, 0.7)
    for done in (0, 3):
        fewer = Progress({name: records[:done] for name, records in view.progress.finished.items()}, {})
        cost = dataclasses.replace(view, progress=fewer).cost
        assert not numbers(cost.text)
        assert numbers(cost.remark) == [done, 10, 8], "so many of all are done, and from so many on it is said"
    assert numbers(view.cost.text)


@pytest.mark.parametrize(("depth", "z"), [("simple", 1.37), ("expert", 1.41)])
def test_one_count_feeds_all_that_one_run_of_the_page_says(depth, z, monkeypatch):
    monkeypatch.setattr(Counting, "wait", lambda counting: False)  # nothing is drawn a second time
    app = page(agents=FAMILY, view=depth, N=12, T=6, P=4, q=0.25, z=z)
    settings = pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, 6, q=0.25, z=z, S=1.0, P=4)
    exact, line = pb.federated.total_loss(settings, 12, "pld", "exact"), pb.federated.trade_off(settings, 12)
    right, written = round(100 * (1 - line.least_error(0.5))), float(f"{exact:.3g}")
    if depth == "simple":
        strength = brief(app).facts[2]
        assert strength.right == right
        assert {right, written} <= {*numbers(strength.remark)}
        return
    (card,) = record(app).cards
    assert {right, written} <= {*numbers(" ".join(text for _, text in card.rows))}
    assert record(app).tiles[0].value == epsilon_text(exact)


def test_until_it_is_counted_exactly_a_bound_is_stated_as_no_promise(monkeypatch):
    monkeypatch.setattr("pages.parts.federated.view.exactly", lambda *asked: None)
    view, counting = viewed(1.0, 0.8, 0.7, z=1.37)
    papers = pb.federated.losses(view.setup.settings, 6)[-1]
    bound = numbers(epsilon_text(papers))
    assert numbers(view.strength.remark) == [1.37, *bound]
    assert view.strength.level is None
    assert two_digits(rounded_up(math.exp(papers))) not in view.brief.promise[0]
    assert (numbers(headline(view)[0].value), headline(view)[0].audience) == (bound, "share")
    assert headline(view)[0].value != epsilon_text(papers), "a bound is not written as what is counted"
    assert headline(viewed(1.0, 0.8, 0.7, z=0.0)[0])[0].audience == "refuted"
    monkeypatch.undo()
    assert counting.wait()
    settled = dataclasses.replace(view, counted=counting.counted)
    assert settled.guarantee.epsilon < papers
    assert settled.strength.level
    assert two_digits(rounded_up(math.exp(settled.guarantee.epsilon))) in settled.brief.promise[0]


def test_what_sharing_saves_has_an_interval_from_two_runs_on():
    fast, slow = np.array([1.0, 0.5, 0.2, 0.1]), np.array([1.2, 0.9, 0.6, 0.5])
    progress = Progress({name: tuple(Record(*[curve] * 5) for _ in range(6))
                         for name, curve in (("fast", fast), ("slow", slow))}, {})  # fmt: skip
    gained = pb.federated.saving(progress, "fast", "slow", 4)
    assert gained.mean == pytest.approx((slow - fast).mean())
    assert gained.clear
    one = Progress({name: records[:1] for name, records in progress.finished.items()}, {})
    alone = pb.federated.saving(one, "fast", "slow", 4)
    assert math.isnan(alone.low)
    assert not alone.clear


def test_numbers_have_the_digits_of_their_errors():
    given = (0.0229, 0.0049), (28.06, 7.2), (-0.2, 4.0), (-0.103, 0.03)
    assert [amount(*each) for each in given] == ["0.023", "28", "0", "−0.10"]
