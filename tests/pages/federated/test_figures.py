"""The figures of the Federated page as values: Plotly accepts them, they follow the engine, and labels have room."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.figures import federated as figures
from pages.ui.figure import LABEL_HEIGHT, NON_PRIVATE, PRIVATE, RANDOM, SECOND_PRIVATE
from tests.helpers.charts import accepted
from tests.helpers.together import settings_of, simulation, together


def assert_labels_have_room(figure):
    inside = figure.height - figure.layout["margin"]["t"] - figure.layout["margin"]["b"]
    found = [each for each in figure.layout["annotations"] if each.get("name") == "end"]
    places = sorted(inside * each["y"] for each in found)
    assert all(high - low >= LABEL_HEIGHT - 1e-6 for low, high in itertools.pairwise(places))
    assert all(-1e-6 <= place <= inside + 1e-6 for place in places)


@pytest.mark.parametrize("rounds", [2, 40, 100])
@pytest.mark.parametrize("size", [1e-9, 0.01, 9.9, 5e4])
def test_epsilon_is_drawn_at_every_size(rounds, size):
    paper = size * np.sqrt(np.arange(1, 101))
    tight = {1: 0.5 * paper[0], rounds: 0.5 * paper[rounds - 1]}
    top = figures.epsilon_top(paper.tolist(), rounds, None)
    assert paper[rounds - 1] < top < 3 * max(paper[rounds - 1], 1e-9)
    figure = figures.privacy(paper.tolist(), tight, rounds, top)
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    assert tuple(drawn.layout.xaxis.range) == (0, figures.LONGEST), "it stays where it is while T is dragged"
    (dot,) = figure.handles
    assert (dot.x[0], dot.x[-1]) == (2, 100)


def test_a_held_axis_stays_unless_the_curve_leaves_it_or_vanishes():
    assert figures.epsilon_top([1, 9.0], 2, 50.0) == 50
    assert figures.epsilon_top([1, 9.0], 2, 12.0) == 12
    assert figures.epsilon_top([1, 90.0], 2, 50.0) > 90
    assert figures.epsilon_top([1, 0.9], 2, 50.0) < 5


@pytest.mark.parametrize("measure", ["simple", "cumulative"])
@pytest.mark.parametrize("runs", [1, 6])
def test_regret_is_drawn_in_each_method_s_colour(measure, runs):
    progress, names = together(runs=runs), ("TS", "FTS", "FTS-DE", "DP-FTS", "DP-FTS-DE")
    top = figures.regret_top(progress, names, measure, 2.0)
    figure = figures.regret(progress, names, measure, 2.0, ("a <b> unit", top))
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    assert "<b>" not in drawn.layout.yaxis.title.text
    for name in names:
        mean = 2.0 * progress.band(name, measure).mean
        (curve,) = [each for each in drawn.data if each.name == name]
        assert curve.y == pytest.approx(tuple(mean), rel=1e-4)
        assert mean.max() <= top
    used = {trace["line"]["color"].split("@")[0] for trace in figure.data if "color" in trace["line"]}
    assert used == {PRIVATE, SECOND_PRIVATE, NON_PRIVATE, RANDOM}
    assert not [text for text in figure.layout["annotations"] if text["font"]["size"] < 12]


def test_the_line_style_doubles_the_colour():
    looks = {(stroke.dash, stroke.width) for stroke in figures.STROKES.values()}
    assert len(looks) == len(figures.STROKES)


@pytest.mark.parametrize("symbol", ["z", "S"])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_sweep_is_drawn_from_its_first_point_on(symbol, count):
    points = [figures.Point(float(k), 4.0 / k, 2.0 / k, 0.1 * k, 0.01) for k in range(1, count + 1)]
    figure = figures.sweep(points, {"TS": 0.5, "FTS-DE": 0.05}, symbol, 2.0, "regret, <b>")
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    assert "<b>" not in drawn.layout.yaxis.title.text
    rings = [each for each in drawn.data if each.name == "present setting"]
    assert len(rings) == (count >= 2)
    low, high = drawn.layout.xaxis.range
    for point in points:
        assert low < math.log10(point.value if symbol == "S" else point.tight) < high


def test_an_epsilon_of_zero_has_no_place_on_a_logarithmic_axis():
    points = [figures.Point(1.0, 1.0, 0.5, 0.2, 0.01), figures.Point(900.0, 0.1, 0.0, 0.3, 0.01)]
    assert len(accepted(figures.sweep(points, {}, "z", 1.0, "regret")).data[1].x) == 1


@pytest.mark.parametrize("P", [1, 2, 8])
def test_the_weights_of_a_sub_region_are_the_engine_s(P):
    settings = replace(settings_of(P=P), iterations=60)
    own = figures.own_shares(settings, 24)
    for t in (1, 25, 60):
        heat = pb.federated.temperature(t, settings.hold, settings.fade)
        weights = pb.federated.region_weights(np.arange(24) % P, P, settings.a, heat)
        assert own[t - 1] == pytest.approx(weights[0, ::P].sum())
    assert own[-1] == pytest.approx(1 / P)
    figure = figures.weights(own)
    accepted(figure)
    assert_labels_have_room(figure)


@pytest.mark.parametrize("kind", ["family", "grades", "schools"])
@pytest.mark.parametrize("start", [True, False])
def test_the_map_is_drawn_on_every_domain(kind, start):
    problem = simulation(kind).problem(0)
    (first, *_) = simulation(kind).rounds(settings_of(kind, iterations=2), 24, 0)
    drawn = accepted(figures.sub_regions(problem, problem.objectives.mean(axis=0), first, start=start))
    assert drawn.data[0].type == "heatmap", "the domain is a grid"
    asked = [each for each in drawn.data[1:] if each.mode == "markers"]
    rows = np.unique(first.initial if start else first.queries)
    assert sum(len(each.x) for each in asked) >= len(rows)


def test_a_domain_with_one_parameter_or_without_a_grid_is_drawn_too():
    (first, *_) = simulation().rounds(settings_of(iterations=2), 24, 0)
    problem = simulation().problem(0)
    mean = problem.objectives.mean(axis=0)
    scattered = replace(problem, original=np.random.default_rng(0).random(problem.points.shape))
    line = replace(problem, original=np.linspace(0, 1, len(mean))[:, None], names=("x",))
    for each in (scattered, line):
        assert accepted(figures.sub_regions(each, mean, first, start=True)).data


@pytest.mark.parametrize("noise", [0.0, 5.0])
def test_clipping_and_noise_are_drawn(noise):
    progress = together(z=noise) if noise else together()
    bands = [progress.band("DP-FTS-DE", name) for name in ("clipped", "signal", "noise")]
    figure = figures.broadcasts(*bands)
    drawn = accepted(figure)
    assert_labels_have_room(figure)
    assert drawn.data[0].y == pytest.approx(tuple(100 * bands[0].mean), rel=1e-4)


def test_further_runs_with_the_same_agents_are_drawn():
    assert accepted(figures.repeated((1, 2, 4), (60.0, 70.0, 99.9))).data[0].y == (60.0, 70.0, 99.9)
