"""What an ε means, on every page that states one."""

import math
import re

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from pages.parts.live.meaning import HELD, Tests, belief_picture, trade_off_of
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.views import AUDIENCES
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Guarantee, Status, TradeOff
from tests.helpers.opening import open_page
from tests.helpers.readability import words_of
from tests.helpers.reading import plotly_takes, said

SMALL = {"T": "10", "runs": "5", "trials": "1000", "N": "20", "pairs": "10", "federated_runs": "5"}


def panel(page, state=None, **address):
    return said(open_page(page, state, **SMALL | {"meaning": "true"} | address))


def promised(status, epsilon=1.0):
    return Guarantee("a", "b", "c", epsilon, 1e-5, (), status, "d")


def test_a_refuted_promise_is_crossed_out_a_proved_one_limits_belief_and_noisy_releases_are_counted_together():
    text = panel("outsourced", epsilon="1")
    assert "somebody can be certain that a record is the real one: the promise, at most 73.1 %, is refuted" in text
    assert re.search(r"twice the distance would cost ε = 2 at δ = 3\.7e-05", text)
    text = panel("outsourced", release="noisy", epsilon="1", delta="0.00001", prior="20")
    assert f"can become at most {100 / (1 + 4 * math.exp(-1)):.1f} % sure" in text
    assert "by guessing in 20.0 %" in text
    assert "\\\\" not in text  # a sign is escaped once
    text = panel("outsourced", release="noisy", epsilon="1", delta="0.00001", times="4")
    together = pb.privacy.gaussian_epsilon(1e-5, pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0), 2.0)
    assert f"counted together; adding up would give {4:.3g}" in text
    assert f"{together:.3g}" in text


@pytest.mark.parametrize(
    ("page", "address", "words"),
    [
        ("release", {"epsilon": "0.5", "times": "3"}, "3 × 0.5, added up"),
        ("federated", {"z": "2", "times": "2"}, "counted together"),
        ("federated", {"z": "0"}, ""),
        ("audit", {"trials": "60"}, "is refuted"),
        ("audit", {"audited": "noisy", "attack-noisy": "sharpest"}, "sure"),
        ("audit", {"audited": "choice", "attack-choice": "prior"}, "if the claim holds"),
        ("audit", {"audited": "canary", "attack-canary": "one"}, "that an agent took part"),
        ("audit", {"audited": "textbook", "attack-textbook": "laplace"}, "that the number is 1"),
    ],
)
def test_every_page_with_an_epsilon_says_what_it_means(page, address, words):
    assert words in panel(page, **address)


@pytest.mark.parametrize(("page", "right", "word"), [("outsourced", 55, "strong"), ("release", 73, "moderate")])
def test_a_simple_page_counts_guesses_and_its_fold_joins_them_to_the_certainty(page, right, word):
    shut = " ".join(words_of(open_page(page, **SMALL, view="simple", epsilon=1).main))
    assert f"{right} of 100 guess right" in shut
    assert word in shut.lower()
    assert "% sure" not in shut
    text = panel(page, view="simple", epsilon="1")
    assert f"The page counts guesses: over many releases the best attacker is right {right} times in 100." in text
    assert "somebody who was 50 % sure is at most 73.1 % sure" in text
    # Why one ε is strong on one page and moderate on another, with the figures of both.
    assert f"{word} where it hides" in text
    assert "right 73 times in 100, not 55" in text


@pytest.mark.parametrize("status", list(Status))
def test_pictures_badge_and_note_are_those_of_the_promise(status):
    refuted = status is Status.REFUTED
    tests = Tests(promised(status), "that x", 0.5, TradeOff.of(1.0, 1e-5)).figure("slot")
    for picture in (belief_picture(promised(status, 3.0), 0.5, 9.0, 3), tests.picture):
        names = {trace.name for trace in plotly_takes(picture).data}
        assert ("what Audit shows" in names) == refuted
    assert ("errs least" in names) == (not refuted)
    expected = {Status.REFUTED: "released, not protected", Status.CONDITIONAL: "released, promise conditional"}
    assert AUDIENCES[tests.finding.audience][0] == expected.get(status, "released, under the promise")
    assert ("Here somebody does, so it is not kept" in tests.finding.note) == refuted
    if status in (Status.CLAIMED, Status.CONDITIONAL):
        assert HELD[status].removeprefix(",") in tests.finding.note


@pytest.mark.parametrize(
    ("prior", "algorithm", "epsilon", "delta"),
    [("20", "1 noisy", 1.0, 0.002), ("50", "selection", 0.5, 0.0), ("90", "1 noisy", 1.0, 0.002)],
)
def test_the_least_error_is_the_closed_form_where_only_the_pair_is_known(prior, algorithm, epsilon, delta):
    # The first publishes setting and score, at ε = 1 and twice δ together; the second the setting alone.
    text = panel("release", epsilon="0.5", prior=prior, algorithm=algorithm)
    least = pb.privacy.least_error(int(prior) / 100, epsilon, delta)
    assert f"The best attacker errs in {100 * least:.1f} %" in text


@pytest.mark.parametrize("prior", [0.01, 0.2, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("line", [TradeOff.of(1.0, 1e-5), TradeOff.of(3.0, 0.01), TradeOff.gaussian(0.8)])
def test_the_point_on_the_line_is_the_test_that_errs_least(prior, line):
    tests = Tests(promised(Status.PROVED), "that x", prior, line)
    figure = tests.figure("slot")
    (point,) = [trace for trace in figure.picture.data if trace.get("name") == "errs least"]
    (alarms,), (misses,) = point["x"], point["y"]
    assert misses == pytest.approx(float(line(alarms)), abs=1e-9)
    every = np.linspace(0, 1, 20_001)
    least = ((1 - prior) * every + prior * line(every)).min()
    assert (1 - prior) * alarms + prior * misses <= least + 1e-12
    assert tests.least_error == pytest.approx(least, abs=1e-4)
    title = figure.finding.title.replace("than a guess: ", "in ")
    shown = re.search(r"errs? (?:much less|in).*?([\d.]+) %", title)
    assert float(shown[1]) == pytest.approx(100 * tests.least_error, abs=0.06)


def test_what_is_known_of_the_tests_counts_before_the_pair():
    gaussian = TradeOff.gaussian(0.5)
    assert trade_off_of(gaussian, 1, 2.0, 1e-5) is gaussian
    assert trade_off_of(gaussian, 9, 2.0, 1e-5).mu == pytest.approx(1.5)
    polygon = TradeOff.of(0.3)
    assert trade_off_of(polygon, 1, 2.0, 1e-5) is polygon
    assert trade_off_of(lambda times: TradeOff.gaussian(times), 3, 2.0, 1e-5).mu == 3
    for known, times in ((polygon, 2), (lambda times: None, 3)):
        added = trade_off_of(known, times, 2.0, 1e-5)
        assert added.least_error(0.3) == pytest.approx(pb.privacy.least_error(0.3, 2.0, 1e-5))


def test_a_belief_under_a_condition_says_so_in_its_badges():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(60, 2)), columns=["dose", "age"])
    cleaned = pb.data.clean(table.assign(response=table["dose"]), ("dose", "age"), "response")
    problem = pb.data.finish(cleaned, pb.data.rule_of_thumb(cleaned))  # its frame is read off the data
    own = {OWN_TABLE: OwnTable(simulation=Simulation(problem)), "data": "own"}
    text = panel("outsourced", own, release="noisy", epsilon=1)
    title = "Only if its condition holds: after one release, .{,200}? % sure released, promise conditional"
    assert re.search(title, text)
    tiles = text[text.index("50 % sure becomes") : text.index("δ, the chance of no promise")]
    assert tiles.count("released, promise conditional") == 3
    assert "released, under the promise" not in tiles


@pytest.mark.parametrize("times", [1, 3])
def test_federated_runs_are_tested_together_by_the_exact_count(times):
    text = panel("federated", z="1.5", q="0.4", P="4", times=times, prior="40")
    settings = pb.federated.Settings(pb.gp.SquaredExponential(0.15), 0.01, 10, q=0.4, z=1.5, S=11.0, P=4)
    told = pb.federated.trade_off(settings, 20, "exact", times)
    assert f"The best attacker errs in {100 * told.least_error(0.4):.1f} %" in text
    exact = pb.federated.losses(settings, 20, "pld", "exact")[-1]
    loss = exact if times == 1 else told.epsilon(20**-1.1)
    assert f"{loss:.3g}" in text
    assert told.least_error(0.4) >= pb.privacy.least_error(0.4, loss, 20**-1.1) - 1e-6
