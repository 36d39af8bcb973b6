"""The figures of the Outsourced page as values: Plotly accepts them, they follow the engine, and labels have room."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.figures import outsourced as figures
from pages.ui.figure import LABEL_HEIGHT, NON_PRIVATE, PRIVATE, RANDOM, SECOND_PRIVATE
from privbo_core.outsourced import Distortion, Setting, Simulation, largest_r, omega, smallest_epsilon
from privbo_core.privacy import gaussian_sigma
from tests.helpers.charts import accepted

SETTING = Setting(3.0, 1e-5, 10, 10, search="ucb/5", once=True)
EXTREMES = [
    Setting(epsilon, delta, r, 10)
    for epsilon, delta, r in itertools.product((0.01, 3.0, 1000.0), (1e-9, 0.1), (1, 100))
]


def compared(mechanisms=("private", "noisy"), runs=4, **setting):
    *_, found = Simulation(pb.data.synthetic(side=15)).compare(replace(SETTING, **setting), runs, mechanisms)
    return found


def end_labels(figure):
    inside = figure.height - figure.layout["margin"]["t"] - figure.layout["margin"]["b"]
    found = [each for each in figure.layout["annotations"] if each.get("name") == "end"]
    for x in {each["x"] for each in found}:
        yield sorted(inside * each["y"] for each in found if each["x"] == x), inside


def assert_labels_have_room(figure):
    for places, inside in end_labels(figure):
        assert all(high - low >= LABEL_HEIGHT - 1e-6 for low, high in itertools.pairwise(places))
        assert -1e-6 <= places[0] <= places[-1] <= inside + 1e-6


@pytest.mark.parametrize("sigma_min", [0.5, 88.0, 1030.9, 1e6])
@pytest.mark.parametrize("setting", EXTREMES, ids=lambda each: f"{each.epsilon:g}-{each.delta:g}-{each.r}")
def test_the_condition_is_drawn_at_every_setting(sigma_min, setting):
    figure = figures.condition(sigma_min, setting)
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    by_epsilon, by_r, *levels = drawn.data
    assert list(by_epsilon.y) == sorted(by_epsilon.y, reverse=True)
    assert list(by_r.y) == sorted(by_r.y)
    assert all(level.y == pytest.approx((sigma_min, sigma_min)) for level in levels)
    low, high = (10**end for end in drawn.layout.yaxis.range)
    assert low < sigma_min < high
    assert tuple(drawn.layout.yaxis.range) == tuple(drawn.layout.yaxis2.range), "both are read beside each other"


def test_the_tint_turns_where_the_condition_begins_to_hold():
    figure = figures.condition(1030.9, SETTING)
    shapes = [each for each in figure.layout["shapes"] if each["type"] == "rect"]
    turns = {each["xref"]: each["x0"] for each in shapes if each["x0"] not in (figures.EPSILONS[0], 1.0)}
    assert turns["x"] == pytest.approx(smallest_epsilon(1030.9, 1e-5, 10))
    assert turns["x2"] == largest_r(1030.9, 3.0, 1e-5)
    (met,) = [each["fillcolor"] for each in shapes if each["xref"] == "x" and each["x0"] == turns["x"]]
    assert met.startswith(PRIVATE)


def test_axes_do_not_move_with_a_setting():
    """Where an axis moves while a thumb is held, nobody sees what the curve does."""
    ranges = {
        tuple(figures.condition(1030.9, each).layout[axis]["range"])
        for each in (SETTING, *EXTREMES)
        for axis in ("yaxis", "yaxis2")
    }
    assert len(ranges) == 1
    lengths = np.array([3.75, 9.75])
    noises = {
        tuple(figures.noise(gaussian_sigma(each.epsilon, each.delta, 1.0), each, lengths).layout["yaxis"]["range"])
        for each in (SETTING, *EXTREMES)
    }
    assert len(noises) == 1


@pytest.mark.parametrize("setting", [SETTING, *EXTREMES], ids=lambda each: f"{each.epsilon:g}-{each.delta:g}-{each.r}")
@pytest.mark.parametrize("lengths", [[5.0], [3.75, 9.75], [0.01, 100.0]])
def test_the_noise_falls_with_epsilon_and_is_the_engine_s(setting, lengths):
    sigma = 2 * gaussian_sigma(setting.epsilon, setting.delta, 1.0)
    figure = figures.noise(sigma, setting, np.array(lengths))
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    curve = drawn.data[0]
    assert list(curve.y) == sorted(curve.y, reverse=True)
    for x, y in list(zip(curve.x, curve.y, strict=True))[::20]:
        assert y == pytest.approx(2 * gaussian_sigma(x, setting.delta, 1.0), rel=1e-4)
    assert len(drawn.data) == 1 + len(lengths)


@pytest.mark.parametrize("mechanisms", [("private",), ("noisy",), ("private", "noisy")])
@pytest.mark.parametrize("measure", ["simple", "cumulative"])
@pytest.mark.parametrize("single", [None, 0, 3])
def test_regret_is_drawn_in_each_method_s_colour(mechanisms, measure, single):
    found = compared(mechanisms)
    policies = ("random", *found.references, *mechanisms)
    top = figures.regret_top(found, policies, measure)
    figure = figures.regret(found, policies, measure, top, found, single)
    accepted(figure)
    assert_labels_have_room(figure)
    colours = {"private": PRIVATE, "noisy": SECOND_PRIVATE, "random": RANDOM}
    used = {trace["line"]["color"].split("@")[0] for trace in figure.data if "color" in trace["line"]}
    assert used == {NON_PRIVATE, *(colours[each] for each in ("random", *mechanisms))}
    for each in policies:
        late = found.band(each, measure).mean[-1]
        assert late <= top, "the comparison at the end lies in the figure"
    assert not [text for text in figure.layout["annotations"] if text["font"]["size"] < 12]


def test_the_line_style_doubles_the_colour():
    styles = {}
    for stroke in figures.STROKES.values():
        styles.setdefault(stroke.dash, set()).add(stroke.colour)
    assert all(len(colours) == 1 for colours in styles.values())
    assert len(styles) == len({stroke.colour for stroke in figures.STROKES.values()}) == 4


@pytest.mark.parametrize("size", [1e-6, 0.003, 0.19, 1.0, 7.3, 1e6])
def test_the_axis_of_regret_ends_just_above_what_it_holds(size):
    found = compared(("private",))
    largest = max(found.band(policy).mean[1] for policy in ("random", "plain", "private"))
    scaled = replace(found, sigma_y=found.sigma_y * largest / size)
    top = figures.regret_top(scaled, ("random", "plain", "private"), "simple")
    assert max(size, 1e-3) < top < 2.2 * max(size, 1e-3)


@pytest.mark.parametrize("bounds", [None, (0.4, 1.9), (-0.2, 300.0)])
@pytest.mark.parametrize("spread", [1e-9, 0.05, 3.0])
def test_distances_and_their_bounds_lie_in_the_figure(spread, bounds):
    ratios = np.sort(np.exp(spread * np.linspace(-1, 1, 500)) * 1.3)
    figure = figures.distances(Distortion(ratios, 500), bounds)
    drawn = accepted(figure)
    low, high = drawn.layout.xaxis.range
    places = [float(x) for x in drawn.data[0].x] + [1.0] + [each for each in bounds or () if each > 0]
    assert all(low <= math.log10(place) <= high for place in places)
    assert sum(drawn.data[0].y) == pytest.approx(100)
    ticks = [tick for tick in drawn.layout.xaxis.tickvals if low <= math.log10(tick) <= high]
    assert len(ticks) >= 1


@pytest.mark.parametrize("mu", [1e-6, 0.36, 1.0, 8.0, 1e3])
def test_the_best_attacker_is_right_more_often_about_larger_differences(mu):
    curve, dot = accepted(figures.accuracy(mu)).data
    assert list(curve.y) == sorted(curve.y)
    assert 50 <= min(curve.y) <= max(curve.y) <= 100
    assert dot.y[0] == pytest.approx(np.interp(1.0, curve.x, curve.y), abs=0.2)


def test_the_omitted_and_the_extreme_of_a_sweep_are_drawn():
    means, errors = np.array([0.5, 0.2, 0.1]), np.array([0.1, 0.05, 0.0])
    for upto in (1, 2, 3):
        figure = figures.sweep((1, 10, 100), means[:upto], errors[:upto], 0.05, "r", 10)
        assert list(accepted(figure).data[1].x) == [1, 10, 100][:upto]
        assert_labels_have_room(figure)
    assert accepted(figures.sweep((1, 10, 100), 0 * means, 0 * errors, 0.0, "r", 10)).layout.yaxis.range[1] > 0


def test_the_maps_mark_the_newest_row():
    rng = np.random.default_rng(0)
    original, released = rng.normal(size=(50, 2)), rng.normal(size=(50, 3))
    figure = figures.maps(original, released, [3, 7, 5], ("a <b>", "b"), np.arange(20))
    drawn = accepted(figure)
    newest = [each for each in drawn.data if each.name == "newest row"]
    assert [each.x[0] for each in newest] == pytest.approx([original[5, 0], released[5, 0]], rel=1e-5)
    assert len(next(each for each in drawn.data if each.name == "evaluated rows").x) == 3


def test_omega_at_a_dot_is_that_of_the_tile():
    for setting in (SETTING, Setting(0.5, 1e-3, 37, 10)):
        dots = {each.slider: each for each in figures.condition(1030.9, setting).handles}
        needed = omega(setting.epsilon, setting.delta, setting.r)
        for slider, value in (("epsilon", setting.epsilon), ("r", setting.r)):
            dot = dots[slider]
            at = np.exp(np.interp(math.log(value), np.log(dot.x), np.log(dot.y)))
            assert at == pytest.approx(needed, rel=0.02)
