"""Guarantees as cards: the badge names what a proof rests on, and only what holds gets a word for its strength."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import privbo_core as pb
from pages.ui.cards import (
    BADGES,
    KINDS,
    Tile,
    guarantee_card,
    headline,
    level_sentence,
    privacy_words,
    status_badge,
    status_kind,
    tiles,
)
from privbo_core import outsourced
from privbo_core.privacy import Condition, Guarantee, Status, strength
from privbo_core.privacy.guarantee import WORDS
from tests.helpers.numbers import numbers, tells

FRAME = pb.data.sample("hospital").frame
PROTECTIONS = {word: f"{'no' if word == 'none' else word} protection" for word in WORDS}
WORD = re.compile("|".join(rf"\b{words}" for words in PROTECTIONS.values()))


def conditions(count, unmet=()):
    return tuple(Condition(f"words {k}", f"In full, {k}", k in unmet) for k in range(1, count + 1))


def guarantee(status, count=0, unmet=(), epsilon=1.0, delta=1e-5):
    return Guarantee("a", "b", "c", epsilon, delta, ("scope",), status, "source", conditions(count, unmet))


def test_every_status_has_a_kind_and_every_kind_a_badge():
    assert set(KINDS) == set(Status)
    assert set(KINDS.values()) <= set(BADGES)
    assert len(set(KINDS.values())) == len(KINDS)


@pytest.mark.parametrize(("count", "named"), [(0, set()), (1, {1}), (2, {1, 2}), (3, {1, 3})])
def test_a_proof_s_badge_names_its_assumptions(count, named):
    shown = status_badge(guarantee(Status.PROVED, count))
    assert set(map(int, numbers(shown))) == named
    assert "pb-proven" in shown


@pytest.mark.parametrize("unmet", [(1,), (2,), (1, 3)])
def test_the_badge_of_an_unmet_guarantee_names_what_is_not_met(unmet):
    shown = status_badge(guarantee(Status.UNMET, 3, unmet))
    assert set(map(int, numbers(shown))) == set(unmet)
    assert "pb-caution" in shown


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0, 100.0])
def test_only_what_holds_gets_a_word_for_its_strength(status, epsilon):
    promise = guarantee(status, 2, (1,) if status is Status.UNMET else (), epsilon)
    sentence = level_sentence(promise, "10⁻⁵")
    if status is Status.REFUTED:
        assert not sentence
        return
    assert tells(sentence, epsilon, 1e-5)
    assert bool(WORD.search(sentence)) == (status in (Status.PROVED, Status.CLAIMED))
    if status is Status.UNMET:
        assert "attacker" not in sentence
    else:
        assert tells(sentence, strength(promise).percent, 50)
        assert PROTECTIONS[strength(promise).word] in sentence


def test_the_level_is_the_engine_s_for_a_real_release():
    noisy = outsourced.noisy_guarantee(2.0, 1e-5, "two", FRAME)
    sentence = level_sentence(noisy, "10⁻⁵")
    assert tells(sentence, 2, 1e-5, noisy.mu, round(100 * noisy.attack_accuracy))
    unmet = outsourced.noisy_guarantee(2.0, 1e-5, "two")
    assert unmet.status is Status.UNMET
    assert not WORD.search(level_sentence(unmet, "10⁻⁵"))
    refuted = outsourced.guarantee(2.0, 1e-5, "two")
    assert not WORD.search(level_sentence(refuted, "10⁻⁵"))


def test_a_delta_that_limits_the_strength_is_named():
    large = replace(outsourced.noisy_guarantee(0.1, 0.05, "two", FRAME))
    assert strength(large).limited_by_delta
    assert "no stronger word" in level_sentence(large, "0.05")
    small = outsourced.noisy_guarantee(0.1, 1e-5, "two", FRAME)
    assert "no stronger word" not in level_sentence(small, "10⁻⁵")


@pytest.mark.parametrize("status", Status)
def test_the_badge_beside_a_finding_is_about_privacy(status):
    shown = privacy_words(guarantee(status, 2, (2,) if status is Status.UNMET else ()))
    assert shown.startswith("Privacy")
    assert set(map(int, numbers(shown))) == {Status.PROVED: {1, 2}, Status.UNMET: {2}}.get(status, set())


@pytest.mark.parametrize("status", Status)
def test_a_card_holds_all_of_a_guarantee(status):
    promise = guarantee(status, 3, (2,) if status is Status.UNMET else ())
    shown = guarantee_card(promise, "A sentence.", "A level.", "<a href='audit'>Audit</a>")
    assert status_badge(promise) in shown
    for text in (*promise.in_full, *promise.assumptions, promise.source, promise.neighbours, "A sentence.", "A level."):
        assert text in shown
    assert ("pb-is-refuted" in shown, "pb-is-caution" in shown) == (status is Status.REFUTED, status is Status.UNMET)


def test_the_badge_of_a_page_is_its_guarantee_s():
    assert status_kind(outsourced.guarantee(1.0, 1e-5, "two")) == "refuted"
    assert status_kind(outsourced.noisy_guarantee(1.0, 1e-5, "two", FRAME)) == "proven"
    assert status_kind(outsourced.noisy_guarantee(1.0, 1e-5, "two")) == "caution"
    assert "pb-refuted" in headline("title", "lead", "refuted")


def test_numbers_of_an_earlier_setting_are_dimmed():
    shown = tiles([Tile("now", "1"), Tile("then", "2", old=True)])
    assert re.findall(r'class="pb-value( pb-old)?">(\d)', shown) == [("", "1"), (" pb-old", "2")]
    assert "pb-old" not in headline("t", "l")
    assert headline("t", "l", old=True).count("pb-old") == 2


DRAWN_OFTEN = """
from pages.ui.cards import Place

place = Place()
for number in range(1500):
    place.html(f"<p>{number}</p>")
"""


def test_a_piece_of_html_can_be_changed_as_often_as_a_long_run_does():
    app = AppTest.from_string(DRAWN_OFTEN).run()
    assert not app.exception
    (shown,) = app.get("html")
    assert shown.proto.body == "<p>1499</p>"
