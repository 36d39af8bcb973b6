"""Nothing says "proved" of what comes from the data it protects, and what comes of a refuted promise is stamped."""

from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from pages.parts.export.offer import Recipe
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.views.card import OF_DATA, guarantee_card
from pages.parts.views.templates import STYLE, render
from pages.parts.views.views import KEY
from privbo_core.data import Frame, FrameColumn, frame_from, normalise
from privbo_core.outsourced import Setting, Simulation, belief
from privbo_core.privacy import Status
from privbo_core.tradeoff import outsourced_question
from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.reading import html, record

FEW = {"T": "10", "runs": "5", "trials": "60", "pairs": "10", "N": "20"}
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


def on_data(page, problem=None, data=None, **widgets):
    if problem is not None and problem.identity is None:
        recipe = Recipe(problem.names, "y", True, False, {}, None)
        widgets |= {OWN_TABLE: OwnTable(simulation=Simulation(problem), recipe=recipe)}
    app = open_page(page, widgets | ({"data": data} if data else {}), **FEW)
    return app


def cards(*asked, **widgets):
    return list(record(on_data(*asked, **widgets)).cards)


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


def test_a_conditional_card_says_what_was_read_off_and_what_the_true_epsilon_is():
    simulation = Simulation(own())
    promise = simulation.noisy_guarantee(SETTING, "n")
    true = simulation.true_epsilon(SETTING)
    assert true > 3 * SETTING.epsilon
    card = guarantee_card(promise, conditions="Rests on", becomes=true)
    rows = dict(card.rows)
    assert card.status is Status.UNMET
    _, truly, condition = (rows[name] for name in OF_DATA)
    assert tells(" ".join(rows.values()), 50, 95.3)  # % sure, before and at most afterwards
    assert tells(truly, true)
    for name in simulation.problem.names:
        assert name in condition
    assert "pb-is-unmet" in render("card.html", card=card)
    assert ".pb-is-unmet" in STYLE
    # What tells of the data stays out of a report for others.
    assert not {*OF_DATA} & dict(card.shared().rows).keys()
    assert card.shared().status is Status.UNMET
    known = guarantee_card(Simulation(own(typed())).noisy_guarantee(SETTING, "n"), conditions="Rests on")
    assert known.status is Status.PROVED
    assert not {*OF_DATA[1:]} & dict(known.rows).keys()


def opened(page, **query):
    app = open_page(page, view="expert", runs=5, T=10, trials=60, **query)
    return app.session_state[KEY], html(app)
