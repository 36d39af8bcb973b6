"""The Tour without a browser: a question comes before its figure, and the text is the case of the number."""

import math
import re
import tomllib

import numpy as np
import pytest
from scipy.stats import norm

import privbo_core as pb
from privbo_core.data import TASKS, rank_sought, suited_search, tuning_task
from privbo_core.federated import GRADES_START, grades, trade_off
from privbo_core.outsourced import Setting, Simulation
from privbo_core.privacy import TradeOff, gaussian_sigma, worst_case_belief
from privbo_core.release import selection
from privbo_core.tradeoff import expected_loss
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.paths import ROOT
from tests.helpers.reading import address, press, said
from tests.helpers.shown import headline, move, sliders, titles, values

LESSONS = {
    name: (ROOT / "pages" / "content" / "lessons" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("outsourced", "release", "federated", "epsilon")
}
FRONTS = {name: tomllib.loads(text.split("+++\n")[1])["steps"] for name, text in LESSONS.items()}
STEPS = [(name, number) for name, steps in FRONTS.items() for number in range(1, len(steps) + 1)]
WAY = "permute-and-flip"
EXTREMES = {
    "epsilon": (0.01, 1000.0), "tests": (0, 20), "tried": (2, 400), "loss": (0.05, 10.0), "z": (0.3, 10.0),
    "S": (1.0, 60.0), "N": (2, 237), "T": (2, 25), "times": (2, 100), "right": (51, 99),
}  # fmt: skip


def opened(name, number, seen=1, **query):
    return open_page("tour", lesson=name, step=number, seen=seen, **query)


def front(name, number):
    return FRONTS[name][number - 1]


def parts(name, number):
    """Return the options of a step, each with its finding."""
    text = LESSONS[name].partition(f"\n## {front(name, number)['name']}\n")[2].partition("\n## ")[0]
    found = [part.strip().split("\n\n") for part in text.split("\n### ")[1:]]
    return {option: " ".join(finding.split()) for option, finding, *_ in found}


def pattern(finding):
    """Return what a finding looks like with any values."""
    plain = re.sub(r"_\{(.*?)\}|\^\{(.*?)\}", r"\1\2", finding.removesuffix("."))
    return ".+".join(map(re.escape, re.split(r"\[\[\w+\]\]", plain)))


def case_shown(app, name, number):
    """Return the options whose finding the headline is."""
    title = headline(app)[0]
    return [option for option, finding in parts(name, number).items() if re.fullmatch(pattern(finding), title)]


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_a_step_asks_before_it_shows(name, number):
    app = opened(name, number, seen=0)
    assert headline(app)[0].count("?") >= 1
    assert "[[" not in " ".join(headline(app))
    drawn = charts(app)["tour"]
    assert [each["text"] for each in drawn["layout"]["annotations"]][:1] == ["?"]
    assert not drawn["data"], "nothing of the figure is in the browser yet"
    assert not sliders(app)
    offered = {each.label for each in app.button}
    if "guess" in front(name, number):
        assert app.slider
    else:
        assert {*parts(name, number)} <= offered
    assert "seen" not in address(app)


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_an_answered_step_shows_its_figure_and_a_case(name, number):
    app = opened(name, number)
    assert case_shown(app, name, number), headline(app)
    assert "[[" not in said(app)
    assert charts(app)["tour"]["data"]
    assert {*sliders(app)} == {*front(name, number).get("sliders", ())}
    assert {key: values(app)[key] for key in values(app)} == pytest.approx(front(name, number).get("settings", {}))
    assert not headline(app)[1].startswith("You said"), "nobody has guessed"


@pytest.mark.parametrize(("name", "number"), [
    each for each in STEPS if front(*each).get("sliders") and front(*each)["figure"] != "with_noise"
])  # fmt: skip
def test_the_text_fits_at_the_ends_of_every_slider(name, number):
    for key in front(name, number)["sliders"]:
        for value in EXTREMES[key]:
            app = opened(name, number, **{key: value})
            assert case_shown(app, name, number), (key, value, headline(app))
            assert "[[" not in said(app)
            assert not re.search(r"\bnan\b|\binf\b", said(app))


@pytest.mark.parametrize(("name", "number"), [each for each in STEPS if "guess" not in front(*each)])
def test_an_answer_is_answered(name, number):
    if front(name, number)["figure"] in ("together", "with_noise", "choice") and (name, number) != ("federated", 1):
        return  # the runs take a while, and one step of this kind is enough
    verdicts = {}
    for option in parts(name, number):
        app = press(opened(name, number, seen=0), option)
        lead = headline(app)[1]
        assert f"“{option}”" in lead
        (verdicts[option],) = re.findall(r"and (that is right|the answer is “.*?”)\.", lead)
    right = [option for option, told in verdicts.items() if told == "that is right"]
    assert len(right) == 1
    assert {told for option, told in verdicts.items() if option not in right} == {f"the answer is “{right[0]}”"}
    assert right[0] in case_shown(app, name, number)


@pytest.mark.parametrize(("name", "number"), [each for each in STEPS if "guess" in front(*each)])
def test_a_number_that_was_guessed_is_answered_with_the_number(name, number):
    app = opened(name, number, seen=0)
    app.slider[0].set_value(85)
    press(app, "That is my guess")
    guessed, found = numbers(headline(app)[1])[:2]
    assert guessed == 85
    assert tells(headline(app)[0], found)
    again = opened(name, number, seen=0)
    again.slider[0].set_value(int(found))
    press(again, "That is my guess")
    assert re.match(rf"You said {found:.0f}, and that is right", headline(again)[1])


def test_skipping_shows_the_figure_without_a_verdict():
    app = press(opened("epsilon", 1, seen=0), "Show me without guessing")
    assert charts(app)["tour"]["data"]
    assert "You said" not in headline(app)[1]


def test_an_answer_stays_with_its_step():
    app = press(opened("release", 2, seen=0), "Fewer than 10 times")
    press(app, "Next")
    assert address(app)["step"] == "3"
    assert "seen" not in address(app), "the next step asks"
    press(app, "Previous")
    assert "“Fewer than 10 times”" in headline(app)[1]


def test_next_leads_through_all_lessons():
    app, seen = opened("outsourced", 1, seen=0), []
    for _ in STEPS:
        seen.append((address(app).get("lesson", "outsourced"), int(address(app).get("step", 1))))
        app.button(key="next").click().run()
    assert seen == STEPS
    assert (address(app).get("lesson", "outsourced"), address(app).get("step", "1")) == ("outsourced", "1")


def test_another_lesson_begins_with_its_first_step():
    app = opened("release", 6, seen=0)
    app.radio(key="lesson").set_value("epsilon").run()
    assert "step" not in address(app)
    assert titles(app)
    assert app.radio(key="step").value == "1"


def test_sliders_of_another_step_leave_the_address():
    app = opened("release", 1, tried=50)
    assert address(app)["tried"] == "50"
    press(app, "Next")
    assert "tried" not in address(app)


@pytest.mark.parametrize(("name", "bad"), [
    ("lesson", "<b>x</b>"), ("step", "99"), ("step", "x"), ("lesson", ""), ("epsilon", "nan"), ("seen", "<b>"),
])  # fmt: skip
def test_a_bad_address_shows_a_step(name, bad):
    app = open_page("tour", **{"lesson": "epsilon", "step": "1", "seen": "1", name: bad})
    assert headline(app)
    assert len(app.info) <= 1
    assert all("<" not in each.value.replace("\\<", "") for each in app.info)


# The numbers


def test_the_hospital_s_numbers_are_the_engine_s():
    problem = pb.data.sample("hospital")
    simulation = Simulation(problem)
    for epsilon in (0.5, 1.0, 3.0):
        setting = Setting(epsilon, 1e-5, 10, 30, search=suited_search(problem), once=True)
        assert tells(headline(opened("outsourced", 1, epsilon=epsilon))[0], setting.noise(problem.frame) * 4)
        *_, found = simulation.compare(setting, 40, ("noisy",))
        extra = found.extra_evaluations("noisy", rank_sought(problem))
        told = numbers(headline(opened("outsourced", 3, epsilon=epsilon))[0])
        assert told[-2:] == [extra.private if extra.private_reached else extra.limit, extra.plain]
        right = 100 * norm.cdf(1 / gaussian_sigma(epsilon, 1e-5, 1.0) / 2)
        assert numbers(headline(opened("outsourced", 5, epsilon=epsilon))[0])[1] == pytest.approx(right, abs=0.51)


def test_the_projection_is_refuted_by_reconstruction():
    app = opened("outsourced", 4)
    (found,) = numbers(headline(app)[0])
    problem = pb.data.sample("hospital")
    assert found == problem.n - problem.d - 1
    assert "refuted" in headline(app)[1]
    points = next(trace for trace in charts(app)["tour"]["data"] if trace.get("name") == "patients")
    assert points["x"] == pytest.approx(points["y"], abs=1e-3)
    assert {*map(round, points["x"])} <= {*map(round, problem.original[:, 0].tolist())}


def test_the_least_epsilon_keeps_to_the_accepted_tests():
    problem = pb.data.sample("hospital")
    simulation = Simulation(problem)
    app = opened("outsourced", 6, tests=10)
    least, cost = numbers(headline(app)[0])[:2]
    assert cost <= 10
    setting = Setting(least, 1e-5, 10, 30, search=suited_search(problem), once=True)
    *_, found = simulation.compare(setting, 40, ("noisy",))
    assert found.extra_evaluations("noisy", rank_sought(problem)).extra == cost
    costs = next(trace["y"] for trace in charts(app)["tour"]["data"] if trace.get("name") == "extra tests")
    assert costs == sorted(costs, reverse=True), "a cost never rises as privacy falls"
    other = numbers(headline(opened("outsourced", 6, tests=3))[0])[0]
    assert other > least


def test_the_team_s_numbers_are_the_engine_s():
    task = tuning_task(TASKS[0])
    assert numbers(LESSONS["release"].partition("[[steps]]")[0])[:2] == [task.n, task.records]
    plan = selection(task.scores, records=task.records, epsilon=2.0, largest_loss=task.largest_loss, way=WAY)
    lost = 100 * expected_loss(task, plan)
    assert tells(headline(opened("release", 3, epsilon=2))[0], lost)
    best = np.argsort(-task.scores)[:20]
    chance = 100 * plan.choice.probabilities[best].sum()
    assert numbers(headline(opened("release", 2, epsilon=2))[0])[2] == pytest.approx(chance, abs=0.51)
    width = 100 * task.largest_loss / task.records / 2.0 * math.log(20)
    assert tells(headline(opened("release", 5, epsilon=2))[0], width)
    least = numbers(headline(opened("release", 6, loss=1))[0])[0]
    at = [
        100
        * expected_loss(
            task, selection(task.scores, records=250, epsilon=epsilon, largest_loss=task.largest_loss, way=WAY)
        )
        for epsilon in (0.9 * least, 1.1 * least)
    ]
    assert at[0] > 1 > at[1]


def test_who_decides_is_counted_by_leaving_each_patient_out():
    task = tuning_task(TASKS[0])
    total = task.losses.sum(axis=0)
    winners = [int((total - record).argmin()) for record in task.losses]
    deciders = sum(winner != total.argmin() for winner in winners)
    assert numbers(headline(opened("release", 1, tried=400))[0])[:2] == [deciders, task.records]
    assert 0 < deciders < task.records


def test_the_schools_numbers_are_the_engine_s():
    problem = grades()
    settings, agents = GRADES_START.settings(problem), len(problem.agents)
    assert numbers(LESSONS["federated"].partition("[[steps]]")[0])[0] == agents
    right = 100 * (1 - trade_off(settings, agents).least_error(0.5))
    assert numbers(headline(opened("federated", 5))[0])[0] == pytest.approx(right, abs=0.51)
    epsilons = [pb.privacy.epsilon(settings.q, settings.z, rounds, agents**-1.1, "pld") for rounds in (15, 60)]
    assert tells(headline(opened("federated", 6))[0], epsilons[1] / epsilons[0], *epsilons)


def test_the_numbers_about_epsilon_are_the_engine_s():
    for epsilon in (0.2, 1.0, 3.0):
        right = 100 * math.exp(epsilon) / (1 + math.exp(epsilon))
        assert numbers(headline(opened("epsilon", 1, epsilon=epsilon))[0])[1] == pytest.approx(right, abs=0.51)
        sure = 100 * worst_case_belief(0.1, epsilon)
        assert numbers(headline(opened("epsilon", 2, epsilon=epsilon))[0])[2] == pytest.approx(sure, abs=0.51)
    app = opened("epsilon", 4)
    one = TradeOff.gaussian(1 / gaussian_sigma(0.1, 1e-5, 1.0)).repeated(10)
    assert numbers(headline(app)[0])[1] == pytest.approx(100 * (1 - one.least_error(0.5)), abs=0.51)
    assert tells(headline(app)[1], one.epsilon(1e-5))
    most, least = numbers(headline(opened("epsilon", 5))[0])
    assert most == pytest.approx(math.log(60 / 40), abs=0.01)
    assert numbers(headline(opened("release", 6, loss=1))[0])[0] == least


def test_a_slider_reaches_the_figure_and_the_text():
    app = opened("epsilon", 1)
    before = headline(app)
    move(app, "tour/epsilon/1", epsilon=3.0)
    assert headline(app) != before
    assert address(app)["epsilon"] == "3"
    (dot,) = [trace for trace in charts(app)["tour"]["data"] if trace.get("name") == "now"]
    assert dot["x"] == [3.0]
    assert tells(headline(app)[0], 3, dot["y"][0]) or tells(headline(app)[0], round(dot["y"][0]))


def test_the_chosen_epsilon_of_other_pages_stays_their_own():
    app = open_page("outsourced", epsilon="5", T="10", runs="5")
    app.query_params.clear()
    app.switch_page("pages/tour.py")
    for key, value in {"lesson": "epsilon", "step": "1", "seen": "1", "epsilon": "0.5"}.items():
        app.query_params[key] = value
    app.run()
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert values(app)["epsilon"] == 5
