"""What the attacks show and say: looks, the promise as a curve, and what a broken pair does not refute."""

import json

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.live.sliders import Controls
from pages.parts.release.setting_attacks import Pairs, compare
from pages.parts.system.system import Scene
from pages.parts.system.trials import Seen, Trial, by_trials
from pages.parts.views.picture import LIGHT, MET
from pages.parts.views.views import PROMISED
from tests.helpers.amounts import few
from tests.helpers.attacked import views


def shown(view):
    """Return the ε that a view shows."""
    return float(view.tiles[1].value.removeprefix("ε ≥ "))


def refuted(view):
    found = view.tiles[0].remark != "not refuted (which proves nothing)"
    assert (view.tiles[0].audience == "refuted") == found
    assert not found or all(each.finding.audience not in PROMISED for each in view.figures)
    return found


def named(figure, name):
    return next(trace for trace in figure.picture.data if trace.get("name") == name)


def test_what_one_look_refuted_stays_refuted_and_the_page_says_how_often_it_looked():
    seen = views("textbook", "laplace", epsilon=1.0, noise=0.6, trials=20_000.0)
    states = [refuted(view) for view in seen]
    assert states == sorted(states)
    assert states[-1]
    bounds = [shown(view) for view in seen]
    assert bounds == sorted(bounds)
    for view in seen:
        said = f"Judged {len(seen)} times while one looks; the error is spent over all looks, 5 % in all."
        assert said in view.figures[1].finding.note


def test_a_last_look_that_shows_less_takes_nothing_back():
    """Outputs that can be told apart at first, and not at all later on."""
    made = []

    def mechanism(which, trials, rng):
        made.append(trials)
        return rng.normal(size=trials) + (9.0 * which if len(made) <= 2 else 0.0)

    seen = Seen(("a", "b"), "x", lambda here, there, found: "title", "", "share")
    *_, last = by_trials(Trial("toy-toy", mechanism, (0, 1), 0.0, (("claimed", 0.5),), seen, pace=(200, 4.0)), 20_000)
    assert refuted(last)
    assert "is refuted" in last.figures[1].finding.title


def test_a_single_look_says_so():
    (only,) = views("textbook", "laplace", trials=1000.0)
    assert "Judged once: 95 % confidence." in only.figures[1].finding.note


@pytest.mark.parametrize(("noise", "attack"), [(0.6, "laplace"), (1.0, "laplace"), (1.0, "gaussian")])
def test_the_box_lies_below_the_curve_exactly_where_the_claim_is_refuted(noise, attack):
    last = views("textbook", attack, epsilon=1.0, noise=noise, trials=20_000.0)[-1]
    figure = last.figures[2]
    assert refuted(last) == (noise < 1)
    assert ("is not refuted" in last.figures[1].finding.title) == (noise == 1)
    assert ("is refuted" in last.figures[1].finding.title) == (noise < 1)
    assert ("lies below the curve" in figure.finding.title) == refuted(last)
    point, curve = named(figure, "shows the largest ε"), named(figure, "the promise")
    (box,) = [shape for shape in figure.picture.layout["shapes"] if shape["type"] == "rect"]
    assert box["x0"] < point["x"][0] < box["x1"]
    assert box["y0"] < point["y"][0] < box["y1"]
    sigma = pb.privacy.gaussian_sigma(1.0, 1e-5, 1.0)
    promise = pb.privacy.TradeOff.of(1.0) if attack == "laplace" else pb.privacy.TradeOff.gaussian(1 / sigma)
    np.testing.assert_allclose(curve["y"], promise(curve["x"]))


def test_a_frame_that_follows_is_refuted_and_one_known_before_is_not():
    frames = "frame-follows", "frame-public"
    follows, public = (views("noisy", frame, epsilon=1.0, trials=1000.0)[-1] for frame in frames)
    assert "is refuted" in follows.figures[1].finding.title
    assert shown(follows) > 2
    assert not refuted(public)
    assert "The two clouds" in public.figures[0].finding.title
    notes = [view.figures[0].finding.note.partition(". ")[2] for view in (follows, public)]
    assert notes[0] == notes[1], "the same record moves by the same change"


def test_algorithm_2_breaks_its_claim_fourfold_on_a_real_neighbour_and_no_more_is_said():
    *_, last = views("score", "exact", epsilon=1.0, trials=20_000.0)
    assert shown(last) > 3.9
    assert last.tiles[0].remark == "not kept on these two datasets"
    finding = last.figures[1].finding
    assert finding.title == f"On these two datasets ε is at least {shown(last):.2f}, where 1 is claimed"
    assert "made over draws of the scores from a prior" in finding.note
    assert "for these two datasets" in last.figures[2].finding.title
    *_, careful = views("score", "exact", epsilon=1.0, A=100.0, tau=0.01, trials=20_000.0)
    assert not refuted(careful)


def test_algorithm_3_is_refuted_exactly_where_its_theorem_fails():
    for strength, broken in ((0.5, False), (2.0, True)):
        *_, last = views("score", "ramp", **{"lambda": strength, "trials": 20_000.0})
        assert refuted(last) == broken
        assert 0.8 < shown(last) < (2.0 if broken else 1.0)
    *_, real = views("score", "lipschitz", records=20.0)
    assert not refuted(real)
    assert real.tiles[1].remark == "exact, no confidence needed"


def test_private_selection_keeps_its_promise_and_uses_it():
    for way in ("setting", "exponential"):
        (exact,) = views("selection", way, epsilon=1.0)
        assert not refuted(exact)
        assert "the claim of 1 is kept, and hardly any of it is wasted" in exact.figures[1].finding.title
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
    assert last.tiles[0].value == f"ε = {exact:.3g}", "the tightest of the three is judged"
    assert not refuted(last)
    assert "does not get below" in last.figures[2].finding.title


def test_the_counts_of_one_experiment_fit_together():
    *_, view = views("noisy", "tell", trials=200.0)
    axis = json.loads(view.figures[0].picture.as_json(LIGHT))["layout"]["xaxis"]
    assert len(axis.get("ticktext", "none are set")) >= 2
    tile, notes = view.tiles[2].remark, [figure.finding.note for figure in view.figures]
    assert "200 trials on each dataset: 20 choose the threshold, 180 are counted." in notes[1]
    assert "how surely 180 trials on each dataset tell" in notes[2]
    assert "chosen on 100 of the trials, counted on the other 100" in tile


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
    scene = Scene(Controls({"epsilon": 1.0, "delta": 0.05}))
    pairs = Pairs("prior", 60, "pairs", "simulation", drawn)
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(few(12, 40)):
        *_, last = compare(scene, iter([(f"pair {k}", Broken(rng.random() < 0.05)) for k in range(60)]), pairs)
        wrong += refuted(last)
    assert wrong <= 2
    *_, last = compare(scene, iter([(f"pair {k}", Broken(k % 4 == 0)) for k in range(60)]), pairs)
    assert refuted(last) == drawn
    found = last.figures[1].finding
    said = "15 of 60 pairs break the promise: it holds in at most" if drawn else "15 of 60 cost more"
    assert said in (found.title if drawn else found.note)


def test_the_least_error_is_that_of_the_best_threshold():
    """Not that of the threshold that shows most about ε, which may err nearly as often as a coin."""
    last = views("textbook", "laplace", epsilon=1.0, trials=20_000.0)[-1]
    tile, best = last.tiles[2], 50 * np.exp(-0.5)  # half way between two Laplace densities that lie 1 apart
    marks = (named(last.figures[2], name) for name in ("errs least", "shows the largest ε"))
    errs, other = (50 * (mark["x"][0] + mark["y"][0]) for mark in marks)
    assert tile.name == "Least error of the attacker"
    assert float(tile.value.removesuffix(" %")) == pytest.approx(errs, abs=0.06) == pytest.approx(best, abs=2)
    assert best - 0.1 <= float(tile.remark.removeprefix("at most ").split(" %")[0]) <= best + 4
    assert other > errs + 1


def test_no_green_mark_where_the_promise_fails():
    """At this ε so few releases refute nothing, but the test never errs, and no number of them would make it."""
    last = views("projection", "tell", epsilon=140.0, trials=60.0)[-1]
    claim = last.tiles[0]
    assert claim.remark.startswith("fails: never wrong")
    assert last.tiles[2].value == "none seen"
    assert "✗" in claim.value
    point = named(last.figures[2], "shows the largest ε")
    assert point["marker"]["color"] != MET
    assert point["marker"]["symbol"] == "x"
    assert "does not get below" not in last.figures[2].finding.title
    finding = last.figures[1].finding
    assert "Never wrong" in finding.title
    assert "this is algebra, not chance" in finding.note
    assert "refuted" not in finding.title
    kept = views("textbook", "laplace", trials=5000.0)[-1]
    assert "✗" not in kept.tiles[0].value
