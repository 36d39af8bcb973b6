"""The tour: each sentence states what was computed, and another one where the data make it untrue; in Simple too."""

import re
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.outsourced.lesson_searches import SWEPT_R, choice_words
from pages.parts.outsourced.lesson_steps import DELTA, SearchSituation
from pages.parts.outsourced.setup import cost_words
from pages.parts.outsourced.system import LESSON
from pages.parts.system import system
from pages.parts.views.text import two_digits
from privbo_core.data import synthetic
from privbo_core.outsourced import Setting, Simulation, distance_distortion, omega
from tests.helpers.opening import open_page
from tests.helpers.reading import address, asked_in_vain, choose, html, record, said

STEPS = LESSON.steps
T, RUNS = 15, 6


@pytest.fixture(scope="module")
def small():
    return Simulation(synthetic(side=25))


def last(simulation, number, **changes):
    step = STEPS[number - 1]
    quick = {"T": float(T), "runs": float(RUNS), "trials": 200.0} | changes
    values = {slider.key: quick.get(slider.key, slider.value) for slider in step.sliders(simulation)}
    *_, view = step.run(SearchSituation(simulation, Controls(values)))
    (figure,) = view.figures
    return figure


def title_of(figure):
    return figure.finding.title


def numbers(text):
    return [float(number.replace(",", "").replace("−", "-")) for number in re.findall(r"[−+]?\d[\d,]*\.?\d*", text)]


def flat_problem():
    """Outcomes of pure chance: no search can be better than any other."""
    problem = synthetic(side=25)
    return Simulation(replace(problem, objective=np.random.default_rng(0).standard_normal(problem.n)))


@pytest.mark.parametrize("number", [2, 4, 7])
def test_a_held_thumb_leaves_the_axis_where_it_is(small, number):
    values = {slider.key: slider.value for slider in STEPS[number - 1].sliders(small)} | {"T": 15.0, "runs": 6.0}
    for view in STEPS[number - 1].run(SearchSituation(small, Controls(values), put_axis=lambda top: 7.5)):
        assert view.figures[0].picture.layout["yaxis"]["range"][1] == 7.5


def test_1_says_who_gets_what_and_6_refutes_where_enough_trials_can(small):
    assert numbers(title_of(last(small, 1, r=7)))[:2] == [625, 7]
    assert "1 number for each" in title_of(last(small, 1, r=1))
    figure = last(small, 6, epsilon=1.0)
    assert "Told apart every time" in title_of(figure)
    assert "the claim of 1 is refuted" in figure.finding.note
    assert "is refuted" not in str(last(small, 6, epsilon=140.0).finding)


def test_2_states_both_regrets_and_who_is_ahead(small):
    variants = set()
    for simulation in (small, flat_problem()):
        for iterations in (5, 15, 40):
            *_, comparison = simulation.compare(Setting(3.0, DELTA, 10, iterations), RUNS, ())
            plain, chance = (float(comparison.band(policy).mean[-1]) for policy in ("plain", "random"))
            clear = comparison.lead("plain").clear
            words = ("the search is" if plain < chance else "chance is ahead") if clear else "no clear lead"
            said = title_of(last(simulation, 2, T=float(iterations)))
            for part in (words, f"{plain:.2f}", f"{chance:.2f}"):
                assert part in said
            variants.add(words)
    assert {"the search is", "no clear lead"} <= variants


@pytest.mark.parametrize(("epsilon", "words"), [(140.0, "projected as they are"), (0.5, "inflated first")])
def test_3_follows_the_condition(small, epsilon, words):
    said = title_of(last(small, 3, epsilon=epsilon))
    sigma_min, threshold = small.spectrum.sigma_min, omega(epsilon, DELTA, 10)
    assert (words == "projected as they are") == (sigma_min >= threshold)
    for part in (words, f"σ_min = {sigma_min:,.0f}", f"ω = {threshold:,.0f}"):
        assert part in said
    z = small.release(Setting(epsilon, DELTA, 10, T), 0).Z
    ratios = distance_distortion(small.problem.points, z, 20_000, np.random.default_rng(0)).ratios
    assert said.endswith(f"× {two_digits(np.quantile(ratios, 0.05))} to {two_digits(np.quantile(ratios, 0.95))}")


@pytest.mark.parametrize("epsilon", [0.5, 20.0])
def test_4_states_the_cost_or_that_it_is_not_clear(small, epsilon):
    *_, comparison = small.compare(Setting(epsilon, DELTA, 10, T), RUNS)
    cost = comparison.cost("private")
    said = title_of(last(small, 4, epsilon=epsilon))
    lead = comparison.lead("plain")
    if not (lead.clear and lead.mean > 0):
        assert "has nothing to cost: without privacy the search is no better than chance" in said
        return
    assert ("no clear cost" in said) == (not cost.clear)
    assert cost_words(cost) in said
    assert ("shows no cost" in said) == (cost.clear and cost.mean < 0)


def test_5_names_the_best_r(small):
    ends = {
        r: np.mean([t.simple_regret[-1] for t in small.stream("private", Setting(3.0, DELTA, r, system.STEPS), RUNS)])
        for r in SWEPT_R
    }
    best = min(ends, key=ends.get)
    said = title_of(last(small, 5, epsilon=3.0))
    assert f"r = {best} leaves least regret, {ends[best]:.2f}" in said
    for r in {1, 100} - {best}:
        assert f"r = {r} leaves {ends[r] - ends[best]:.2f} more" in said or f"r = {r} not clearly more" in said


def test_7_states_both_costs_and_the_noise(small):
    setting = Setting(3.0, DELTA, 10, system.STEPS, protected_distance=2.0)
    *_, comparison = small.compare(setting, RUNS, ("private", "noisy"))
    figure = last(small, 7, epsilon=3.0, distance=2.0)
    for mechanism in ("noisy", "private"):
        assert cost_words(comparison.cost(mechanism)) in title_of(figure)
    assert f"σ = {setting.noise(small.problem.frame):.3g}" in figure.finding.note


def test_8_answers_as_trade_off_does(small):
    """The same sweep and the same answer as on the Trade-off page, mark for mark."""
    loss, setting = 0.3, Setting(3.0, DELTA, 10, system.STEPS)
    question = pb.tradeoff.outsourced_question(small, setting)
    *_, swept = pb.tradeoff.sweep(question, low=system.EPSILONS[0], high=system.EPSILONS[1], runs=RUNS)
    curve = next(curve for curve in question.curves if curve.name == "noisy release")
    plain = swept.references[question.reference(curve).name]
    *_, (answer, _) = pb.tradeoff.settle(curve, swept.marks[curve.name], plain, loss)
    assert title_of(last(small, 8, loss=loss)) == choice_words(answer, loss)[0]


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ([0.5, 0.2, 0.05], "asks for ε = "),
        ([0.5, 0.4, 0.3], "Even at ε = 10"),
        ([0.0, 0.0, 0.0], "Even ε = 1.00, the smallest tried"),
    ],
)
def test_8_says_the_least_or_that_none_is_enough(means, words):
    noise = 0.01 * np.random.default_rng(0).standard_normal(20)
    marks = [pb.tradeoff.Mark(e, m + noise) for e, m in zip((1.0, 5.0, 10.0), means, strict=True)]
    said, note = choice_words(pb.tradeoff.solve(marks, 0.1), 0.1)
    assert words in said
    assert "100.0" not in note


def test_the_page_shows_each_step_of_both_data_sets():
    app = open_page("tour")
    for data in ("synthetic", "homes"):
        choose(app, tour_data=data)
        for number in (1, 2, 3, 6):
            choose(app, step=str(number))
            assert f"{number} / 8" in html(app)
            assert address(app)["step"] == str(number)
    app.button(key="tour-next").click().run()
    assert app.session_state["step"] == "7"


@pytest.mark.parametrize("step", ["0", "9", "²"])
def test_an_address_with_an_impossible_step_shows_a_step(step):
    app = open_page("tour", step=step, tour_data="<b>")
    assert app.session_state["step"] == "1"
    said = asked_in_vain(app).replace("&lt;", "<").replace("&gt;", ">")
    for words in (f"“{step}” is not one of the choices for Step", "“<b>” is not one of the choices for Data"):
        assert words in said


def step(number, **address):
    """Return a step's text and its figure."""
    app = open_page("tour", view="simple", lesson=number, **address)
    return said(app), record(app).figures["tour"]


def test_a_refuted_promise_is_never_called_strong():
    text, figure = step(4, told_with="homes")
    assert "How strongly Not at all ○○○○○" in text
    assert "●" not in text
    assert "promise refuted" in figure.finding.stamp
    assert "What was to be hidden Place to within 220 m" in text
    assert not re.search("What is hidden|What it costs", text)
    words = [each["text"] for each in figure.picture.layout["annotations"]]
    words.append(figure.picture.layout["xaxis"]["title"]["text"])
    assert "made of the real table" in words
    assert "with one record changed" in words
    assert not [each for each in words if re.search(r"\bX\b|\bX′|\bZ\b", each)]


def test_a_promise_kept_has_one_number_for_its_strength():
    text, figure = step(5, epsilon="2")
    (said,) = re.findall(r"the best attacker is right (\d+) times in 100", figure.finding.title)
    assert set(re.findall(r"the best attacker is right (\d+) times in 100 \(blind guessing: 50\)", text)) == {said}
    assert "%" not in figure.finding.title
    assert "Whatever the method, ε = 2 alone allows 88:" in figure.finding.note
    (bars,) = figure.picture.data
    assert [f"{each:.0f}" for each in bars["y"]] == ["50", said, "88"]
