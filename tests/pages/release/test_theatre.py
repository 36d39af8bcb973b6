"""Rehearsed releases that fall into the figures, and what the Expert page is drawn with."""

from functools import partial

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live import work
from pages.parts.release import theatre, words
from pages.parts.release.setup import START
from pages.parts.views.drawing import Place
from tests.helpers.numbers import tells
from tests.helpers.reading import button, html, press, record
from tests.helpers.released import come, viewed

opened = partial(come, algorithm="selection")


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    """Let what falls fall at once."""
    monkeypatch.setattr(theatre, "wait", lambda seconds: work.give_way())


def marks(app, slot, name="rehearsed"):
    return [trace for trace in record(app).figures[slot].picture.data if trace.get("name") == name]


@pytest.mark.parametrize("algorithm", ["selection", "3 Lipschitz"])
def test_rehearsals_fall_into_the_figures_and_cost_nothing(algorithm, monkeypatch):
    app = opened(algorithm=algorithm)
    for door in ("select", "laplace"):  # of real draws, which take no seed
        monkeypatch.setattr(pb.privacy.release, door, None)
    for label, count in (("Rehearse a release", 1), ("Rehearse 20", 21), ("Rehearse 20", 41)):
        press(app, label)
        (scores,) = marks(app, "score")
        assert len(scores["x"]) == count
        assert (len(marks(app, "setting")) == 1) == (algorithm != "3 Lipschitz")
        assert tells(html(app), count)
        assert max(scores["y"]) < record(app).figures["score"].picture.layout["yaxis"]["range"][1]
    low, high = record(app).figures["score"].picture.layout["xaxis"]["range"]
    bins = np.clip(((scores["x"] - low) / (high - low) * theatre.BINS).astype(int), 0, theatre.BINS - 1)
    for each in set(bins.tolist()):
        steps = np.diff(np.sort(scores["y"][bins == each]))
        assert (steps > 0).all(), "the piles are a histogram"
        assert np.allclose(steps, steps[:1])
    assert button(app, "Rehearse 20").disabled, "the stage is full"
    press(app, "Clear the stage")
    assert not marks(app, "score")


def test_each_of_twenty_is_seen_falling(monkeypatch):
    drawn, draw = [], Place.draw

    def watch(place, figure):
        if figure.slot == "score":
            drawn.append([t for t in figure.picture.data if t.get("name") == "rehearsed"])
        draw(place, figure)

    monkeypatch.setattr(Place, "draw", watch)
    app = opened()
    drawn.clear()
    press(app, "Rehearse 20")
    heights = [float(traces[0]["y"][-1]) for traces in drawn if traces]
    counts = [len(traces[0]["x"]) for traces in drawn if traces]
    assert counts == [*range(1, 21), 20], "each once in the air, then all on the pile, none before it falls"
    assert len(set(heights[:20])) == 1
    assert heights[-1] < heights[0] / 2
    drawn.clear()
    app.run()
    assert len(drawn) == 1, "what has landed stays where it is"


def test_rehearsals_are_draws_of_the_plan_and_only_epsilon_moves_them():
    view, near = viewed(0), viewed(0, epsilon=3.001)
    theatre.st.session_state[theatre.REHEARSED] = theatre.Stage(theatre.kind(view), 60, 5)
    first, again, moved = theatre.rehearsed(view), theatre.rehearsed(view), theatre.rehearsed(near)
    assert (first.scores == again.scores).all()
    assert np.abs(first.scores - moved.scores).max() < view.spread
    off = first.scores - view.task.scores[first.rows]
    # Laplace noise has mean |x| = scale, and 60 of them have a standard error of scale/√60.
    assert abs(np.abs(off).mean() - view.scale) < 5 * view.scale / np.sqrt(60)
    del theatre.st.session_state[theatre.REHEARSED]


@pytest.mark.parametrize(
    ("algorithm", "constants", "stamped"),
    [(0, {}, False), (1, {}, True), (2, {}, True), (3, {}, False), (3, {"L": 0.1}, True)],
)
def test_what_is_not_proved_carries_a_stamp(algorithm, constants, stamped):
    view = viewed(algorithm, **constants)
    assert bool(words.setting_finding(view).stamp) == bool(words.score_finding(view).stamp) == stamped
    tiles = words.headline(view)
    assert tiles[2 if algorithm != 3 else 1].stamp == words.score_finding(view).stamp
    if constants:
        assert all(tile.audience != "share" for tile in tiles)
        assert words.setting_finding(view).audience == "refuted"


@pytest.mark.parametrize(("algorithm", "below"), [(0, False), (1, True), (2, True)])
def test_the_blind_region_is_where_nine_in_ten_are_in_effect(algorithm, below):
    view = viewed(algorithm)
    edge = view.blind_below
    assert bool(edge) == below
    if below:
        lower, upper = (view.plan.at(share * edge).choice.effective_candidates for share in (0.9, 1.1))
        assert lower > 0.9 * 400 > upper


def test_the_page_starts_where_dragging_shows_something():
    candidates = [viewed(0, epsilon=each).plan.choice.effective_candidates for each in (0.3, START, 3.0)]
    assert 0.02 * 400 < candidates[1] < 0.5 * 400
    assert candidates[0] > 2 * candidates[2]
