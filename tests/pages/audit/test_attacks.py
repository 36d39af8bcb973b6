"""What the attacks show: looks, the promise as a curve, and what a broken pair does not refute."""

import json
import re

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.release.setting_attacks import Pairs, compare
from pages.parts.system.system import Aim
from pages.parts.system.trials import Seen, Trial, TrialView, by_trials
from pages.parts.views.picture import LIGHT, MET
from pages.parts.views.text import as_html
from pages.parts.views.views import PROMISED
from tests.helpers.amounts import few
from tests.helpers.attacked import views
from tests.helpers.reading import numbers


def shown(view):
    """Return the ε that a view shows."""
    (bound,) = numbers(view.tiles[1].value)
    return bound


def refuted(view):
    """Return whether the claim is drawn as refuted, which it is exactly where the attack has refuted it."""
    found = view.tiles[0].audience == "refuted"
    assert ("✗" in view.tiles[0].value) == ("<s " in as_html(view.tiles[0].value)) == found
    if isinstance(view, TrialView):
        assert found == view.shown.refuted(view.trial.claim)
        assert f"{shown(view):.2f}" == f"{view.shown.most.epsilon:.2f}"
    assert not found or all(each.finding.audience not in PROMISED for each in view.figures)
    return found


def named(figure, name):
    return next(trace for trace in figure.picture.data if trace.get("name") == name)


def test_what_one_look_refuted_stays_refuted():
    seen = views("textbook", "laplace", epsilon=1.0, noise=0.6, trials=20_000.0)
    states = [refuted(view) for view in seen]
    assert states == sorted(states)
    assert states[-1]
    bounds = [shown(view) for view in seen]
    assert bounds == sorted(bounds)
    for view in seen:
        assert view.shown.looks == len(seen)
        assert shown(view) in numbers(view.figures[1].finding.title)
        assert {len(seen), 5} <= {*numbers(view.figures[1].finding.note)}, "the error is spent over all looks"


def test_a_last_look_that_shows_less_takes_nothing_back():
    """Outputs that can be told apart at first, and not at all later on."""
    made = []

    def mechanism(which, trials, rng):
        made.append(trials)
        return rng.normal(size=trials) + (9.0 * which if len(made) <= 2 else 0.0)

    seen = Seen(("a", "b"), "x", lambda here, there, found: "title", "", "share")
    *_, last = by_trials(Trial("toy-toy", mechanism, (0, 1), 0.0, (("claimed", 0.5),), seen, pace=(200, 4.0)), 20_000)
    assert refuted(last)


def test_few_trials_are_judged_once():
    (only,) = views("textbook", "laplace", trials=1000.0)
    assert only.shown.looks == 1


@pytest.mark.parametrize(("noise", "attack"), [(0.6, "laplace"), (1.0, "laplace"), (1.0, "gaussian")])
def test_the_box_lies_below_the_curve_exactly_where_the_claim_is_refuted(noise, attack):
    last = views("textbook", attack, epsilon=1.0, noise=noise, trials=20_000.0)[-1]
    figure = last.figures[2]
    assert refuted(last) == (noise < 1)
    point, curve = named(figure, "shows the largest ε"), named(figure, "the promise")
    (box,) = [shape for shape in figure.picture.layout["shapes"] if shape["type"] == "rect"]
    assert box["x0"] < point["x"][0] < box["x1"]
    assert box["y0"] < point["y"][0] < box["y1"]
    assert (box["y1"] < np.interp(box["x1"], curve["x"], curve["y"])) == refuted(last)
    sigma = pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0)
    promise = pb.privacy.TradeOff.of(1.0) if attack == "laplace" else pb.privacy.TradeOff.gaussian(1 / sigma)
    np.testing.assert_allclose(curve["y"], promise(curve["x"]))


def test_a_frame_that_follows_is_refuted_and_one_known_before_is_not():
    frames = "frame-follows", "frame-public"
    follows, public = (views("noisy", frame, epsilon=1.0, trials=1000.0)[-1] for frame in frames)
    assert refuted(follows)
    assert shown(follows) > 2
    assert not refuted(public)
    moved = [numbers(view.figures[0].finding.note) for view in (follows, public)]
    assert moved[0] == moved[1] != [], "the same record moves by the same change"


def test_algorithm_2_breaks_its_claim_fourfold_on_a_real_neighbour():
    *_, last = views("score", "exact", epsilon=1.0, trials=20_000.0)
    assert shown(last) > 3.9
    assert refuted(last)
    assert last.trial.pair, "a claim over draws from a prior is judged on these two datasets alone"
    assert last.trial.pair in last.figures[1].finding.note
    assert {shown(last), 1} <= {*numbers(last.figures[1].finding.title)}
    *_, careful = views("score", "exact", epsilon=1.0, A=100.0, tau=0.01, trials=20_000.0)
    assert not refuted(careful)


def test_algorithm_3_is_refuted_exactly_where_its_theorem_fails():
    for strength, broken in ((0.5, False), (2.0, True)):
        *_, last = views("score", "ramp", **{"lambda": strength, "trials": 20_000.0})
        assert refuted(last) == broken
        assert 0.8 < shown(last) < (2.0 if broken else 1.0)
    *_, real = views("score", "lipschitz", records=20.0)
    assert not refuted(real)


def test_private_selection_keeps_its_promise_and_uses_it():
    for way in ("setting", "exponential"):
        (exact,) = views("selection", way, epsilon=1.0)
        assert not refuted(exact)
        assert 0.9 < numbers(exact.tiles[1].value)[0] <= 1, "kept, and hardly any of it is wasted"
    both, alone = (views("selection", attack, epsilon=1.0, trials=20_000.0)[-1] for attack in ("both", "drawn"))
    assert 0.9 < alone.shown.most.epsilon <= alone.trial.claim == pytest.approx(1.0)
    assert not refuted(both)
    assert 1.6 < shown(both) < 2.0


@pytest.mark.parametrize("regions", [1.0, 4.0])
def test_the_canary_goes_through_the_server_and_three_counts_stand_beside_it(regions):
    *_, last = views("canary", "all", P=regions, T=8.0, N=40.0, trials=500.0)
    shown_, moments, pld, exact = (trace["x"][0] for trace in last.figures[1].picture.data)
    assert shown_ < exact <= pld < moments
    assert (exact < 0.6 * pld) == (regions == 4)
    assert numbers(last.tiles[0].value) == [float(f"{exact:.3g}")], "the tightest of the three is judged"
    assert not refuted(last)


def test_the_counts_of_one_experiment_fit_together():
    *_, view = views("noisy", "tell", trials=200.0)
    axis = json.loads(view.figures[0].picture.as_json(LIGHT))["layout"]["xaxis"]
    assert len(axis.get("ticktext", "none are set")) >= 2
    notes = [numbers(figure.finding.note) for figure in view.figures]
    assert notes[1][:3] == [200, 20, 180], "of all trials some choose the threshold, the others are counted"
    assert 180 in notes[2]
    assert numbers(view.tiles[2].remark).count(100) == 2, "half choose the threshold that errs least"


class Broken:
    """A pair's loss that breaks the promise, or not."""

    here = there = np.array([0.5, 0.5])

    def __init__(self, breaks):
        self.epsilon, self.breaks = 2.0 if breaks else 0.1, breaks

    def refutes(self, claim, delta):
        return self.breaks


@pytest.mark.parametrize("drawn", [True, False])
def test_pairs_refute_only_when_the_limit_of_their_share_does(drawn):
    """A true share of exactly 1 − δ is refuted in at most 5 % of audits, however often one looks."""
    aim = Aim(Controls({"epsilon": 1.0, "delta": 0.05}))
    pairs = Pairs("prior", 60, "pairs", "simulation", drawn)
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(few(12, 40)):
        *_, last = compare(aim, iter([(f"pair {k}", Broken(rng.random() < 0.05)) for k in range(60)]), pairs)
        wrong += refuted(last)
    assert wrong <= 2
    *_, last = compare(aim, iter([(f"pair {k}", Broken(k % 4 == 0)) for k in range(60)]), pairs)
    assert refuted(last) == drawn
    found = last.figures[1].finding
    assert re.search(r"\b15\b\D+\b60\b", found.title if drawn else found.note)


def test_the_least_error_is_that_of_the_best_threshold():
    """Not that of the threshold that shows most about ε, which may err nearly as often as a coin."""
    last = views("textbook", "laplace", epsilon=1.0, trials=20_000.0)[-1]
    tile, best = last.tiles[2], 50 * np.exp(-0.5)  # half way between two Laplace densities that lie 1 apart
    marks = (named(last.figures[2], name) for name in ("errs least", "shows the largest ε"))
    errs, other = (50 * (mark["x"][0] + mark["y"][0]) for mark in marks)
    assert numbers(tile.value)[0] == pytest.approx(errs, abs=0.06) == pytest.approx(best, abs=2)
    assert best - 0.1 <= numbers(tile.remark)[0] <= best + 4
    assert other > errs + 1


def test_no_green_mark_where_the_promise_fails():
    """At this ε so few releases refute nothing, but the test never errs, and no number of them would make it."""
    last = views("projection", "tell", epsilon=140.0, trials=60.0)[-1]
    claim = last.tiles[0]
    assert last.shown.flawless
    assert not last.shown.refuted(last.trial.claim)
    assert claim.audience == "refuted"
    assert "✗" in claim.value
    assert not numbers(last.tiles[2].value), "no error was seen"
    point = named(last.figures[2], "shows the largest ε")
    assert point["marker"]["color"] != MET
    assert point["marker"]["symbol"] == "x"
    assert all(each.finding.audience not in PROMISED for each in last.figures)
    kept = views("textbook", "laplace", trials=5000.0)[-1]
    assert "✗" not in kept.tiles[0].value
