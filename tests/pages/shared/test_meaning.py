"""What an ε means, on every page that states one."""

from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.meaning import HELD, Tests, belief_picture, trade_off_of
from pages.parts.views.picture import DARK, LIGHT
from pages.parts.views.templates import render
from pages.parts.views.views import Brief, Fact
from privbo_core.privacy import Guarantee, Status, TradeOff
from tests.helpers.numbers import numbers
from tests.helpers.reading import plotly_takes

SMALL = {"T": "10", "runs": "5", "trials": "1000", "N": "20", "pairs": "10"}


def promised(status, epsilon=1.0):
    return Guarantee("a", "b", "c", epsilon, 1e-5, (), status, "d")


@pytest.mark.parametrize("status", list(Status))
def test_pictures_badge_and_note_are_those_of_the_promise(status):
    refuted = status is Status.REFUTED
    tests = Tests(promised(status), "that x", 0.5, TradeOff.of(1.0, 1e-5)).figure("slot")
    for picture in (belief_picture(promised(status, 3.0), 0.5, 9.0, 3), tests.picture):
        names = {trace.name for trace in plotly_takes(picture).data}
        assert ("what Audit shows" in names) == refuted
    assert ("errs least" in names) == (not refuted)
    expected = {Status.REFUTED: "refuted", Status.UNMET: "unmet"}
    assert tests.finding.audience == expected.get(status, "share")
    assert bool(tests.finding.stamp) == (status in expected)
    if status in (Status.CLAIMED, Status.UNMET):
        assert HELD[status].removeprefix(",") in tests.finding.note


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
    errs, guess = numbers(figure.finding.title)
    assert (errs, guess) == pytest.approx((100 * tests.least_error, 100 * tests.blind), abs=0.06)


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


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_so_many_of_a_hundred_heads_are_marked_as_guesses_are_right(theme):
    drawn = render("heads.html", colours=theme, count=55)
    assert [drawn.count(f'<g fill="{colour}"') for colour in (theme.private, theme.random)] == [55, 45]
    fact = Fact("How strongly", "Strong", "ε = 1.", 4, right=55, guess="which record")
    shown = render("facts.html", brief=Brief("", (fact, replace(fact, right=None))))
    assert shown.count("<img") == 1
    assert numbers(shown) == [55, 100, 1, 1]
