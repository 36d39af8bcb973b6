"""Nothing is called proven that was computed from the data that it protects."""

from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.ui.cards import guarantee_card, level_sentence
from privbo_core.data import Frame, FrameColumn, frame_from, normalise
from privbo_core.outsourced import Setting, Simulation, belief
from privbo_core.privacy import Status
from privbo_core.tradeoff import outsourced_question
from tests.helpers.numbers import tells

SETTING = Setting(3.0, 1e-5, 10, 10)


def own(frame=None):
    problem = pb.data.sample("homes")
    original = problem.original[:80]
    points, factor = normalise(original)
    made = {"original": original, "points": points, "objective": problem.objective[:80], "known_frame": frame}
    fitted = {"unit_distance": np.full(2, 1 / factor), "kernel": pb.gp.SquaredExponential(float(np.std(points)))}
    return replace(problem, title="mine.csv", identity=None, **made, **fitted)


def typed():
    names = pb.data.sample("homes").names
    return Frame(tuple(FrameColumn(name, "°", -180, 180, 0.01) for name in names))


PROBLEMS = {
    **{name: pb.data.sample(name) for name in pb.data.SAMPLES},
    "own, read off": own(),
    "own, read off and kept": own(frame_from(own().original, own().names)),
    "own, one column public": own(Frame((typed().columns[0], own().frame.columns[1]))),
    "own, typed and public": own(typed()),
}


def computed_from_the_data(problem):
    """Whether frame, kernel or noise of the noisy release change with the records, or a row with another record."""
    row = int(problem.original[:, 0].argmax())
    other = problem.original.copy()
    other[row] += 3 * problem.frame.hide
    points, factor = normalise(other)
    kernel = pb.gp.SquaredExponential(problem.kernel.lengthscale * factor, problem.kernel.variance)
    far = problem.unit_distance * 1.5
    changed = replace(problem, original=other, points=points, unit_distance=far, kernel=kernel)
    placed, again = (np.delete(Simulation(each).placed, row, axis=0) for each in (problem, changed))
    return not (
        changed.frame == problem.frame
        and SETTING.noise(changed.frame) == SETTING.noise(problem.frame)
        and np.array_equal(belief(changed).lengthscales, belief(problem).lengthscales)
        and np.array_equal(placed, again)
    )


def is_public(name):
    return not name.startswith("own") or name == "own, typed and public"


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_curve_is_proven_only_where_nothing_was_computed_from_the_data(name):
    problem = PROBLEMS[name]
    follows = computed_from_the_data(problem)
    assert follows == (name in ("own, read off",))  # a kept frame stays, and was taken from the data all the same
    projection, noisy = outsourced_question(Simulation(problem), SETTING).curves
    assert projection.status is Status.REFUTED
    assert noisy.status is (Status.PROVED if is_public(name) else Status.UNMET)
    assert noisy.counts == is_public(name)


def test_a_conditional_card_names_what_was_read_off_and_the_true_epsilon():
    simulation = Simulation(own())
    promise = simulation.noisy_guarantee(SETTING, "n")
    true = simulation.true_epsilon(SETTING)
    assert true > 3 * SETTING.epsilon
    card = guarantee_card(promise, "It hides a record.", level_sentence(promise, "δ"))
    assert promise.status is Status.UNMET
    assert "pb-is-caution" in card
    assert "protection" not in level_sentence(promise, "δ"), "no word for its strength"
    assert tells(card, true)
    for name in simulation.problem.names:
        assert name in card
    known = Simulation(own(typed())).noisy_guarantee(SETTING, "n")
    assert known.status is Status.PROVED
    assert "pb-is-caution" not in guarantee_card(known, "It hides a record.", "")
