"""The Simple page of Federated: what it says follows from the numbers, on each of the samples."""

import math
import re
import time
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.parts.federated.agents import FAMILY, GRADES, SCHOOLS, Agents
from pages.parts.federated.count import Counting
from pages.parts.federated.plain.told import told
from pages.parts.federated.plain.words import ALONE, PLAIN, PRIVATE, Words, amount
from pages.parts.federated.setup import Setup
from pages.parts.frame.record import KEY
from privbo_core.federated import Progress, Record
from tests.helpers.paths import APP

SMALL = {"T": "4", "M": "10", "federated_runs": "5"}


def page(**address):
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in (SMALL | {"view": "simple"} | address).items():
        app.query_params[name] = value
    return app.switch_page(str(APP.parent / "pages" / "federated.py")).run()


def said(app):
    assert not app.exception
    texts = [each.value for each in (*app.markdown, *app.warning, *app.info)]
    texts += [each.proto.body for each in app.get("html")]
    return unescape(re.sub(r"<style.*?</style>|</?[a-z][^>]*>", " ", " ".join(texts), flags=re.DOTALL)).replace(
        "\\", ""
    )


@pytest.mark.parametrize(("name", "many"), [(GRADES, "237 schools"), (SCHOOLS, "98 schools"), (FAMILY, "12 agents")])
def test_it_answers_on_every_sample_and_says_what_is_hidden_from_whom(name, many):
    address = {"agents": name, "N": many.split()[0]} if name == FAMILY else {"agents": name}
    app = page(**address)
    text = re.sub(r"\s+", " ", said(app))
    assert f"Each of {many} tunes" in text
    assert re.search(r"Whether an? (school|agent) took part at all", text)
    assert "Not from the server: it is trusted" in text
    assert re.search(r"[Tt]uning together (reaches in|pays|does not pay)", text)
    brief = app.session_state[KEY].brief
    assert [fact.about for fact in brief.facts] == ["What is hidden", "From whom", "How strongly", "What it costs"]
    assert "privacy saves" not in text.lower()


def test_somebody_who_arrives_bare_sees_the_schools_that_gain_at_the_settings_recommended_for_them():
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["view"] = "simple"
    app.query_params["federated_runs"] = "5"
    app.query_params["M"] = "10"
    app = app.switch_page(str(APP.parent / "pages" / "federated.py")).run()
    assert not app.exception
    start, last = pb.federated.GRADES_START, app.session_state["federated/last"]
    assert {**last, "M": 30} == {
        "z": start.z, "q": start.q, "S": start.S, "P": start.P, "N": 237, "M": start.features,
        "T": start.iterations, "a": 15,
    }  # fmt: skip
    problem = pb.federated.grades()
    exact = pb.federated.losses(start.settings(problem), 237, "pld", "exact")[-1]
    assert f"ε = {exact:.3g}, proved" in said(app)


def test_other_data_move_what_nobody_has_set_and_a_link_wins():
    app = page(agents=GRADES, z="2.5")
    assert app.session_state["federated/last"]["S"] == 5.5
    app.selectbox(key="agents").set_value(SCHOOLS).run()
    assert not app.exception
    last = app.session_state["federated/last"]
    assert (last["S"], last["P"], last["N"]) == (11, 2, 98)
    assert (last["z"], last["T"], last["M"]) == (2.5, 4, 10)
    app.selectbox(key="agents").set_value(GRADES).run()
    last = app.session_state["federated/last"]
    assert (last["S"], last["P"], last["N"], last["z"]) == (5.5, 1, 237, 2.5)


def test_without_noise_nothing_is_promised_and_the_picture_says_so_wherever_it_goes():
    app = page(agents=SCHOOLS, z="0")
    text = said(app)
    assert "Nothing is promised" in text
    assert "Without noise, what the server sends can give anybody away" in text
    assert "with privacy, tuning" not in text.lower()
    assert "nothing promised" in app.session_state[KEY].figures["federated-simple"].finding.stamp


def words(alone, private, plain, z=1.0, T=20):
    """Return the words for runs with these regrets, which fall by the round."""
    problem = pb.federated.synthetic(agents=6, side=8)
    settings = pb.federated.Settings(problem.kernel, 0.01, iterations=T, initial=3, features=10, q=0.5, z=z, S=5.0)
    simulation = pb.federated.Simulation(lambda run: problem)
    agents = replace(Agents("toy", problem, lambda h: simulation, "f", 1.0, 0.5))
    setup = Setup(agents, simulation, settings, 6, 0.0)

    def records(level):
        dice = np.random.default_rng(1)
        curve = np.linspace(1.0, 0.5, T)
        return tuple(Record(*[level * curve + 0.001 * dice.standard_normal()] * 5) for _ in range(10))

    progress = Progress({ALONE: records(alone), PRIVATE: records(private), PLAIN: records(plain)}, {})
    return Words(setup, told(agents), Counting(setup), 10), progress


def test_the_sentence_follows_the_numbers():
    ahead, progress = words(1.0, 0.8, 0.7)
    assert re.fullmatch(
        r"With privacy, tuning together reaches in 1[0-9] rounds what each participant alone reaches in 20, "
        r"and in the first 10 each participant is better by 0\.1[78]\d* f\.",
        ahead.answer(progress),
    )
    cost = ahead.cost(progress)
    assert cost.text.startswith("0.0")
    assert "Against sharing without privacy" in cost.remark
    behind, progress = words(1.0, 1.2, 1.1)
    assert behind.answer(progress).startswith("Here tuning together does not pay: with privacy, in the first 10 rounds")
    same, progress = words(1.0, 1.0, 0.8)
    assert "does not show here" in same.answer(progress)
    noiseless, progress = words(1.0, 0.8, 0.7, z=0.0)
    assert noiseless.answer(progress).startswith("Without any noise,")


def test_that_the_private_curve_lies_lower_is_never_told_as_a_gain_of_privacy():
    lower, progress = words(1.0, 0.7, 0.8)
    assert lower.answer(progress).endswith(" f. “With privacy” lying below “without” is no gain of privacy.")
    assert lower.finding(progress).title == lower.answer(progress)
    for alone, private, plain, z in ((1.0, 0.8, 0.7, 1.0), (1.0, 0.7, 0.8, 0.0)):
        other, progress = words(alone, private, plain, z=z)
        assert "no gain" not in other.answer(progress)


def test_a_cost_that_is_not_known_yet_says_how_far_the_runs_are():
    spoken, progress = words(1.0, 0.8, 0.7)
    fewer = Progress({name: records[:3] for name, records in progress.finished.items()}, {})
    assert spoken.cost(None).remark == "0 of 10 runs are done; it is said from 8 on."
    assert spoken.cost(fewer).remark == "3 of 10 runs are done; it is said from 8 on."
    assert spoken.cost(fewer).text == "Being simulated"


def test_how_strongly_is_at_least_so_until_it_is_counted_exactly():
    spoken, _ = words(1.0, 0.8, 0.7, z=1.37)
    counting, rough = spoken.counting, "At least so strong: it is being counted exactly."
    steps = set()
    for _ in range(3000):
        if counting.line is not None:
            break
        assert rough in spoken.strength().remark
        steps.add(counting.counted.complete)
        time.sleep(0.01)
        counting.look()
    assert steps == {False, True}, "ε is known before the rest is"
    line = pb.federated.trade_off(spoken.setup.settings, 6)
    assert f"right {100 * (1 - line.least_error(0.5)):.0f} times in 100" in spoken.strength().remark
    assert rough not in spoken.strength().remark


def test_that_privacy_would_gain_is_never_said():
    better, progress = words(1.0, 0.6, 0.8)
    assert better.cost(progress).text == "Nothing that shows"
    useless, progress = words(1.0, 1.1, 1.2)
    assert useless.cost(progress).text == "Nothing to gain"


def test_rounds_saved_are_those_that_the_slower_one_needs_more():
    fast, slow = np.array([1.0, 0.5, 0.2, 0.1]), np.array([1.2, 0.9, 0.6, 0.5])

    def runs(curve):
        return tuple(Record(*[curve] * 5) for _ in range(6))

    progress = Progress({"fast": runs(fast), "slow": runs(slow)}, {})
    assert pb.federated.rounds_saved(progress, "fast", "slow") == (2, 2, 2)
    assert pb.federated.rounds_saved(progress, "slow", "fast") == (0, 0, 0)
    gained = pb.federated.saving(progress, "fast", "slow", 4)
    assert gained.mean == pytest.approx((slow - fast).mean())
    assert gained.clear
    one = pb.federated.saving(Progress({"a": runs(fast)[:1], "b": runs(slow)[:1]}, {}), "a", "b", 4)
    assert math.isnan(one.low)
    assert not one.clear


def test_numbers_have_the_digits_of_their_errors():
    assert [amount(0.0229, 0.0049), amount(28.06, 7.2), amount(-0.2, 4.0), amount(-0.103, 0.03)] == [
        "0.023", "28", "0", "−0.10",
    ]  # fmt: skip
