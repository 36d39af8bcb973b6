"""The tour: each step states the numbers that were computed, and what is right of its question follows them."""

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
from pages.parts.views.text import epsilon_text, two_digits
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.data import synthetic
from privbo_core.outsourced import Setting, Simulation, distance_distortion, omega
from tests.helpers.opening import open_page
from tests.helpers.reading import address, choose, html, numbers, record, said

STEPS = LESSON.steps
T, RUNS = 15, 6
MANY = 20  # Fewer runs hardly ever tell searches apart.


@pytest.fixture(scope="module")
def small():
    return Simulation(synthetic(side=25))


def last(simulation, number, **changes):
    step = STEPS[number - 1]
    quick = {"T": float(T), "runs": float(RUNS), "trials": 200.0} | changes
    values = {slider.key: quick.get(slider.key, slider.value) for slider in step.sliders(simulation)}
    *_, view = step.run(SearchSituation(simulation, Controls(values)))
    return view


def finding_of(view):
    (figure,) = view.figures
    return figure.finding


def title_of(view):
    return finding_of(view).title


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
    assert numbers(title_of(last(small, 1, r=1)))[:2] == [625, 1]
    for epsilon in (1.0, 140.0):
        view = last(small, 6, epsilon=epsilon)
        assert view.right == "always"
        assert finding_of(view).stamp == REFUTED_STAMP
        bound, *claim = numbers(finding_of(view).note)
        assert claim == ([epsilon] if epsilon < bound else []), "no claim is called refuted beyond what is shown"


def test_2_states_both_regrets_and_who_is_ahead(small):
    variants = set()
    for simulation in (small, flat_problem()):
        for iterations in (5, 15, 40):
            *_, comparison = simulation.compare(Setting(3.0, DELTA, 10, iterations), MANY, ())
            plain, chance = (float(comparison.band(policy).mean[-1]) for policy in ("plain", "random"))
            clear = comparison.lead("plain").clear
            ahead = ("search" if plain < chance else "chance") if clear else "neither"
            view = last(simulation, 2, T=float(iterations), runs=float(MANY))
            assert view.right == ahead
            for part in (f"{plain:.2f}", f"{chance:.2f}"):
                assert part in title_of(view)
            variants.add(ahead)
    assert {"search", "neither"} <= variants


@pytest.mark.parametrize(("epsilon", "met"), [(140.0, True), (0.5, False)])
def test_3_follows_the_condition(small, epsilon, met):
    said = title_of(last(small, 3, epsilon=epsilon))
    sigma_min, threshold = small.spectrum.sigma_min, omega(epsilon, DELTA, 10)
    assert (sigma_min >= threshold) == met
    assert ("≥" in said, "<" in said) == (met, not met)
    assert numbers(said)[:2] == [round(sigma_min), round(threshold)]
    z = small.release(Setting(epsilon, DELTA, 10, T), 0).Z
    ratios = distance_distortion(small.problem.points, z, 20_000, np.random.default_rng(0)).ratios
    assert numbers(said)[-2:] == [float(two_digits(np.quantile(ratios, share))) for share in (0.05, 0.95)]


@pytest.mark.parametrize("epsilon", [0.5, 20.0])
def test_4_states_the_cost_or_that_it_is_not_clear(small, epsilon):
    *_, comparison = small.compare(Setting(epsilon, DELTA, 10, T), RUNS)
    cost = comparison.cost("private")
    view, lead = last(small, 4, epsilon=epsilon), comparison.lead("plain")
    assert view.right == (("worse" if cost.mean > 0 else "better") if cost.clear else "same")
    # Where the search is not clearly ahead of chance without privacy, there is nothing to cost.
    assert (cost_words(cost) in title_of(view)) == (lead.clear and lead.mean > 0)


def test_5_names_the_best_r(small):
    ends = {
        r: np.mean([t.simple_regret[-1] for t in small.stream("private", Setting(3.0, DELTA, r, system.STEPS), RUNS)])
        for r in SWEPT_R
    }
    best = min(ends, key=ends.get)
    first, *others = title_of(last(small, 5, epsilon=3.0)).split(";")
    assert numbers(first) == [best, float(f"{ends[best]:.2f}")]
    for r, part in zip(sorted({1, 100} - {best}), others, strict=True):
        assert numbers(part) in ([r], [r, float(f"{ends[r] - ends[best]:.2f}")]), "how much more, or not clearly more"


def test_7_states_both_costs_and_the_noise(small):
    setting = Setting(3.0, DELTA, 10, system.STEPS, protected_distance=2.0)
    *_, comparison = small.compare(setting, MANY, ("private", "noisy"))
    view = last(small, 7, epsilon=3.0, distance=2.0, runs=float(MANY))
    for mechanism in ("noisy", "private"):
        assert cost_words(comparison.cost(mechanism)) in title_of(view)
    assert float(f"{setting.noise(small.problem.frame):.3g}") in numbers(finding_of(view).note)


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
    ("means", "reach"),
    [([0.5, 0.2, 0.05], "inside"), ([0.5, 0.4, 0.3], "never"), ([0.0, 0.0, 0.0], "always")],
)
def test_8_says_the_least_or_that_none_is_enough(means, reach):
    noise = 0.01 * np.random.default_rng(0).standard_normal(20)
    marks = [pb.tradeoff.Mark(e, m + noise) for e, m in zip((1.0, 5.0, 10.0), means, strict=True)]
    answer = pb.tradeoff.solve(marks, 0.1)
    said, note = choice_words(answer, 0.1)
    assert answer.reach == reach
    asked = float(epsilon_text(10.0 if reach == "never" else answer.epsilon))
    assert asked in numbers(said)
    assert bool(note) == (reach != "never"), "what no ε keeps to has no meaning to be told"
    assert "100.0" not in note


def test_the_page_shows_each_step_of_both_data_sets():
    app = open_page("tour")
    for data in ("synthetic", "homes"):
        choose(app, tour_data=data)
        for number in (1, 2, 3, 6):
            choose(app, step=str(number))
            assert re.search(rf'class="pb-step-count"[^>]*>{number} / 8<', html(app))
            assert address(app)["step"] == str(number)
    app.button(key="tour-next").click().run()
    assert app.session_state["step"] == "7"


@pytest.mark.parametrize("step", ["0", "9", "²"])
def test_an_address_with_an_impossible_step_shows_a_step(step):
    app = open_page("tour", step=step, tour_data="<b>")
    assert app.session_state["step"] == "1"
    told = [each.value.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">") for each in app.info]
    assert any(f"“{step}”" in each for each in told)
    assert any("“<b>”" in each for each in told)


def step(number, **address):
    """Return a step's page and its figure."""
    app = open_page("tour", view="simple", lesson=number, **address)
    return app, record(app).figures["tour"]


def test_a_refuted_promise_is_never_called_strong():
    app, figure = step(4, told_with="homes")
    assert re.findall(r"pb-level-(\d)", html(app)) == ["0"]
    assert "●" not in said(app)
    assert figure.finding.stamp == REFUTED_STAMP
    assert 220 in numbers(said(app)), "metres that were to be hidden"


def test_a_promise_kept_has_one_number_for_its_strength():
    app, figure = step(5, epsilon="2")
    epsilon, right, whole, blind = numbers(figure.finding.title)
    assert (epsilon, whole, blind) == (2, 100, 50)
    assert re.findall(r'alt="(\d+) ', "".join(re.findall(r'<img class="pb-heads"[^>]*>', html(app)))) == [
        f"{right:.0f}"
    ]
    allowed = round(100 / (1 + np.exp(-2.0)))
    assert allowed in numbers(figure.finding.note)
    (bars,) = figure.picture.data
    assert [round(each) for each in bars["y"]] == [50, right, allowed]
