"""The Simple page of Audit: its words follow what the attack has shown, and nothing is proved by it."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pages.parts.audit.setup import choices
from pages.parts.audit.view import NOBODY_HIDDEN, SHOWN, SLOT, STAMP, Plainly, side_by_side
from pages.parts.live.sliders import Controls
from pages.parts.system.system import Scene
from pages.parts.views.text import as_plain
from privbo_core.data import sample, synthetic
from privbo_core.outsourced import Simulation
from tests.helpers.opening import open_page
from tests.helpers.reading import choose, html, record

BY_KEY = choices()


def page(**query):
    app = open_page("audit", view="simple", **query)
    return app, record(app)


def plainly_of(key, problem=None, **changes):
    choice = BY_KEY[key]
    values = {slider.key: float(slider.value) for slider in choice.attacked.sliders}
    values |= {"trials": 1000.0} if "trials" in values else {}
    simulation = Simulation(problem or synthetic(side=20)) if choice.attacked.data else None
    return Plainly(choice, Scene(Controls(values | changes), simulation))


def attacked(key, problem=None, **changes):
    """Return what the page says of an attack on such a scene, and its last view."""
    plainly = plainly_of(key, problem, **changes)
    *_, view = plainly.choice.attacked.run(plainly.scene)
    return plainly, view


def brief_of(*what, **changes):
    plainly, view = attacked(*what, **changes)
    return plainly.brief(view)


def all_of(brief):
    return as_plain(" ".join([brief.answer, *brief.promise, *(f"{f.about} {f.text} {f.remark}" for f in brief.facts)]))


def test_a_visitor_first_sees_the_hospital_read_off_and_no_tick():
    app, shown = page()
    known = f"Knowing 3 of {sample('hospital').n:,} patients, the attacker has read off all the others, exactly"
    assert known in as_plain(shown.brief.answer)
    names = [cell.text for cell in shown.figures[SLOT].table.head[1].cells]
    assert names == [*2 * ["age (years)", "kidney value (log mg/dL)"], "mixed numbers"]
    facts = {fact.about: fact for fact in shown.brief.facts}
    assert list(facts) == ["What was to be hidden", "From whom", "How strongly", "What the attack got"]
    assert (facts["How strongly"].level, facts["How strongly"].remark) == (0, NOBODY_HIDDEN)
    assert "✓" not in html(app)
    assert shown.figures[SLOT].finding.stamp == STAMP
    levels = [int(found) for found in re.findall(r"<h(\d)", html(app))]
    assert levels[0] == 1
    assert all(after - before <= 1 or after == 3 for before, after in pairwise(levels))


@pytest.mark.parametrize("epsilon", [0.4, 140.0])
def test_the_projection_is_refuted_whatever_epsilon_is(epsilon):
    brief = brief_of("projection", epsilon=epsilon)
    assert as_plain(brief.answer).startswith("✗ Broken. Knowing 3 of 400")
    assert brief.answer.endswith("whatever ε is.")
    assert brief.facts[2].tone == brief.facts[3].tone == "refuted"
    assert "✓" not in all_of(brief)


def test_what_is_hidden_is_what_it_is_wrong_by_and_it_is_the_paper_s_measure():
    _, shown = page(data="homes")
    hidden, *_, got = shown.brief.facts
    assert hidden.text == "Place to within 220 m"
    assert hidden.remark.startswith("the paper’s measure, a 25th of this table’s reach. Noise has its own: ")
    assert got.remark == "Wrong by less than a billionth of what was to be hidden."
    at_once, opened = page()[1].brief.facts[0].split
    assert "kidney value to within 9 %: the paper’s measure" in at_once
    assert "kidney value to within 10 %" in opened


def test_who_tunes_together_is_guessed_by_whether_they_took_part_and_a_strength_that_surprises_is_explained():
    canary, noisy = brief_of("canary"), brief_of("noisy", epsilon=1.0)
    assert "Guessing who took part, the best attacker is right" in all_of(canary)
    assert "proved, if the server is trusted" in all_of(canary)  # counted here, and not as the paper claims
    assert "the paper’s" not in all_of(canary)
    assert "Guessing which record, the best" in all_of(noisy)
    strength = canary.facts[2]
    assert strength.text == "Hardly any"
    expected = r"right 7\d times in 100 \(blind guessing: 50\)\. A rare release makes .* sure, hence hardly any\."
    assert re.search(expected, as_plain(strength.remark))
    assert "hence" not in noisy.facts[2].remark


def test_fewer_dimensions_than_columns_reveal_so_many_numbers():
    brief = brief_of("projection", r=1.0)
    assert "1 of the 2 numbers of each of the 397 other" in all_of(brief)
    assert "exactly" not in brief.answer
    assert brief.facts[2].level == 0


def test_the_table_puts_what_is_read_off_beside_what_is_there():
    plainly, view = attacked("projection")
    table, problem = side_by_side(view.rebuilt, plainly.sample), plainly.scene.problem
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
    assert brief.answer.startswith("It held: in ")
    assert "alone is no proof" in brief.answer
    assert f"{view.shown.last.tested:,} tries" in brief.answer
    got = brief.facts[3]
    assert (got.text, got.tone) == ("No more than promised", "met")
    assert f"ε ≥ {view.shown.most.epsilon:.2f}; promised: {plainly.claimed.epsilon:.3g}" in got.remark
    drawn = plainly.figure(view, brief)
    assert drawn.picture is view.figures[2].picture
    assert not drawn.finding.stamp


def test_what_is_shown_decides_between_refuted_not_refuted_and_too_few_tries():
    plainly, view = attacked("noisy", epsilon=1.0)
    most = view.shown.most
    beyond = replace(view, shown=replace(view.shown, most=replace(most, epsilon=1.5)))
    brief = plainly.brief(beyond)
    assert as_plain(brief.answer).startswith("✗ Broken. In 900 tries this attack shows that ε is at least 1.50")
    assert brief.facts[3].tone == "refuted"
    assert plainly.figure(beyond, brief).finding.stamp
    few = replace(view, shown=replace(view.shown, last=replace(view.shown.last, strongest=0.8)))
    assert "could not show more than ε = 0.80, and ε = 1 is promised" in plainly.brief(few).answer
    assert "mathematics is." in plainly.brief(view).answer


def test_in_a_frame_that_was_read_off_the_data_the_proof_has_a_condition():
    own = replace(synthetic(side=20), known_frame=None, identity=None)
    brief = brief_of("noisy", own, epsilon=1.0)
    assert "only if the frame was known before anybody looked" in brief.answer
    assert "mathematics is." not in brief.answer
    assert "row" in brief.facts[0].remark


def test_three_rows_leave_nothing_to_rebuild_and_that_is_no_protection():
    problem = synthetic(side=2)
    three = {name: getattr(problem, name)[:3] for name in ("points", "objective", "original")}
    brief = plainly_of("projection", replace(problem, **three)).too_few
    assert as_plain(brief.answer).startswith("✗ Broken; but of 3 rows this attack has to know 3")
    assert brief.facts[2].level == 0


@pytest.mark.parametrize("key", BY_KEY)
def test_every_choice_is_shown_with_one_slider_and_can_be_taken_away(key):
    quick = {} if key == "projection" else {"trials": "1000"}
    app, shown = page(audited=key, **{"take-away": "1"}, **quick)
    assert SLOT in shown.figures
    large = 15 if key == "canary" else 0  # so many words say what its large δ allows
    assert len(all_of(shown.brief).split()) <= 130 + large
    before = app.selectbox(key="audited").value
    choose(app, view="expert")
    assert app.selectbox(key="audited").value == before == key
