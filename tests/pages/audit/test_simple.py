"""The Simple page of Audit: what it says follows what the attack has shown."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pages.parts.audit.setup import choices
from pages.parts.audit.view import SHOWN, SLOT, STAMP, Plainly, side_by_side
from pages.parts.live.sliders import Controls
from pages.parts.system.system import Aim
from pages.parts.views.text import as_plain
from privbo_core.data import sample, synthetic
from privbo_core.outsourced import Simulation
from privbo_core.privacy import Status, strength_at
from tests.helpers.opening import open_page
from tests.helpers.reading import choose, html, numbers, record

BY_KEY = choices()


def page(**query):
    app = open_page("audit", view="simple", **query)
    return app, record(app)


def plainly_of(key, problem=None, **changes):
    choice = BY_KEY[key]
    values = {slider.key: float(slider.value) for slider in choice.attacked.sliders}
    values |= {"trials": 1000.0} if "trials" in values else {}
    simulation = Simulation(problem or synthetic(side=20)) if choice.attacked.data else None
    return Plainly(choice, Aim(Controls(values | changes), simulation))


def attacked(key, problem=None, **changes):
    """Return what the page says of an attack on such an aim, and its last view."""
    plainly = plainly_of(key, problem, **changes)
    *_, view = plainly.choice.attacked.run(plainly.aim)
    return plainly, view


def brief_of(*what, **changes):
    plainly, view = attacked(*what, **changes)
    return plainly.brief(view)


def strength_of(brief):
    """Return the fact that says how strongly the promise protects."""
    (fact,) = [fact for fact in brief.facts if fact.level is not None]
    return fact


def test_a_visitor_first_sees_the_hospital_read_off_and_no_tick():
    app, shown = page()
    assert numbers(as_plain(shown.brief.answer))[:2] == [3, sample("hospital").n]
    strength = strength_of(shown.brief)
    assert (strength.level, strength.tone) == (0, "refuted")
    assert "✓" not in html(app)
    assert shown.figures[SLOT].finding.stamp == STAMP
    levels = [int(found) for found in re.findall(r"<h(\d)", html(app))]
    assert levels[0] == 1
    assert all(after - before <= 1 or after == 3 for before, after in pairwise(levels))


@pytest.mark.parametrize("epsilon", [0.4, 140.0])
def test_the_projection_is_refuted_whatever_epsilon_is(epsilon):
    brief = brief_of("projection", epsilon=epsilon)
    assert numbers(as_plain(brief.answer))[:2] == [3, 400]
    assert "✗" in brief.answer
    assert brief.facts[2].tone == brief.facts[3].tone == "refuted"
    assert "✓" not in f"{brief}"


def test_what_is_hidden_is_what_it_is_wrong_by_and_it_is_the_paper_s_measure():
    _, shown = page(data="homes")
    assert numbers(shown.brief.facts[0].text) == [220], "metres"
    at_once, opened = page()[1].brief.facts[0].split
    assert 9 in numbers(at_once)  # percent: the paper's measure
    assert 10 in numbers(opened)  # that of the noise


def test_who_took_part_is_guessed_by_a_promise_that_is_counted_here_and_a_strength_that_surprises_is_explained():
    assert plainly_of("canary").claimed.status is Status.PROVED
    canary, noisy = (strength_of(brief_of(key, **at)) for key, at in (("canary", {}), ("noisy", {"epsilon": 1.0})))
    assert 70 <= canary.right < 80
    assert {canary.right, 100, 50} <= {*numbers(as_plain(canary.remark))}
    assert (canary.level, noisy.level) == (strength_at(canary.right / 100).level, strength_at(noisy.right / 100).level)


def test_fewer_dimensions_than_columns_reveal_so_many_numbers():
    brief = brief_of("projection", r=1.0)
    assert numbers(as_plain(brief.answer)) == [3, 400, 1, 2, 397]
    assert brief.facts[2].level == 0


def test_the_table_puts_what_is_read_off_beside_what_is_there():
    plainly, view = attacked("projection")
    table, problem = side_by_side(view.rebuilt, plainly.sample), plainly.aim.problem
    assert len(table.body) == SHOWN
    for row in table.body:
        _, *cells = [cell.text for cell in row.cells]
        assert cells[: problem.d] == cells[problem.d : 2 * problem.d]
        number = int(row.cells[0].text.replace(",", "")) - 1
        read = [float(text.replace("−", "-").replace(",", "")) for text in cells[: problem.d]]
        np.testing.assert_allclose(read, problem.original[number], rtol=1e-4, atol=1e-12)


@pytest.mark.parametrize("key", [key for key in BY_KEY if key != "projection"])
def test_a_sound_mechanism_is_not_refuted_and_not_proved_by_it(key):
    plainly, view = attacked(key)
    brief = plainly.brief(view)
    assert "✗" not in brief.answer
    assert numbers(brief.answer) == [view.shown.last.tested]
    got = brief.facts[3]
    assert got.tone == "met"
    shown, promised = float(f"{view.shown.most.epsilon:.2f}"), float(f"{plainly.claimed.epsilon:.3g}")
    assert numbers(got.remark)[-2:] == [shown, promised]
    assert shown <= promised
    drawn = plainly.figure(view, brief)
    assert drawn.picture is view.figures[2].picture
    assert not drawn.finding.stamp


def test_what_is_shown_decides_between_refuted_not_refuted_and_too_few_tries():
    plainly, view = attacked("noisy", epsilon=1.0)
    most = view.shown.most
    beyond = replace(view, shown=replace(view.shown, most=replace(most, epsilon=1.5)))
    brief = plainly.brief(beyond)
    assert "✗" in brief.answer
    assert numbers(as_plain(brief.answer)) == [900, 1.5, 1]
    assert brief.facts[3].tone == "refuted"
    assert plainly.figure(beyond, brief).finding.stamp
    few = replace(view, shown=replace(view.shown, last=replace(view.shown.last, strongest=0.8)))
    assert numbers(plainly.brief(few).answer) == [900, 0.8, 1]
    assert numbers(plainly.brief(view).answer) == [900]


def test_in_a_frame_that_was_read_off_the_data_the_proof_has_a_condition():
    own = replace(synthetic(side=20), known_frame=None, identity=None)
    public, own = plainly_of("noisy", epsilon=1.0), plainly_of("noisy", own, epsilon=1.0)
    assert (public.claimed.status, own.claimed.status) == (Status.PROVED, Status.UNMET)
    assert public.claimed.unmet == ()
    assert own.claimed.unmet
    answers = {brief_of("noisy", each.aim.problem, epsilon=1.0).answer for each in (public, own)}
    assert len(answers) == 2, "a conditional proof is not told as one without a condition"


def test_three_rows_leave_nothing_to_rebuild_and_that_is_no_protection():
    problem = synthetic(side=2)
    three = {name: getattr(problem, name)[:3] for name in ("points", "objective", "original")}
    brief = plainly_of("projection", replace(problem, **three)).too_few
    assert "✗" in brief.answer
    assert numbers(as_plain(brief.answer)) == [3, 3]
    assert brief.facts[2].level == 0


@pytest.mark.parametrize("key", BY_KEY)
def test_every_choice_is_shown_and_can_be_taken_away(key):
    quick = {} if key == "projection" else {"trials": "1000"}
    app, shown = page(audited=key, **{"take-away": "1"}, **quick)
    assert SLOT in shown.figures
    before = app.selectbox(key="audited").value
    choose(app, view="expert")
    assert app.selectbox(key="audited").value == before == key
