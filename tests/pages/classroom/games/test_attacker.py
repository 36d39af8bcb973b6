"""“Be the attacker” on the projector and on phones: what each sentence and picture says, and what none tells."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from pages.parts.classroom.games import attacker as desk_module
from pages.parts.classroom.games import attacker_words as words
from pages.parts.classroom.games.attacker import against, running, screen, show
from pages.parts.views.picture import LIGHT
from pages.parts.views.views import REFUTED_STAMP
from privbo_core.classroom.games.attacker import (
    EPSILONS,
    PROMISED,
    TESTS,
    TRIES,
    Attacker,
    Pair,
    Share,
    Stage,
    key,
    most,
)
from tests.helpers.games import attack, less, nearest
from tests.helpers.reading import plotly_takes


def begun(envelope=0, pupils=5, seed=1, until=()):
    """Return an experiment that has begun; ``until``: what else was done."""
    found = Attacker(words.problem(), np.random.default_rng(seed))
    for pupil in range(1, pupils + 1):
        found.enter(pupil)
    found.seal(envelope)
    found.begin()
    for act in until:
        getattr(found, act)()
    return found


def refuting():
    return begun(until=("reveal", "project"))


def play(found, choose, tries=TRIES):
    for pupil in range(1, 6):
        attack(found, pupil, choose, tries)


def title(found):
    return words.title(found.seen())


def stages():
    """An experiment at each of its stages, played in between."""
    found = Attacker(words.problem(), np.random.default_rng(1))
    for pupil in range(1, 6):
        found.enter(pupil)
    yield found
    for act in (lambda: found.seal(2), found.begin, lambda: play(found, nearest, 3), found.reveal, found.project,
                lambda: play(found, less), found.end):  # fmt: skip
        act()
        yield found


def said(view):
    texts = [text for tile in view.tiles for text in (tile.name, tile.value, tile.remark)]
    for figure in view.figures:
        texts += [figure.finding.title, figure.finding.note, figure.picture.as_json(LIGHT), figure.alt]
    return " ".join(texts)


@pytest.mark.parametrize("seed", range(4))
def test_before_the_reveal_the_projector_is_the_same_whatever_is_in_the_envelope(seed):
    """Two rooms with the same guesses and other ε show the same, to the letter."""
    found = begun(1, seed=seed)
    seen = replace(found.seen(), guesses=(True, False, True))
    closed = set()
    for epsilon in EPSILONS:
        found._order = [epsilon] * 4
        found.seen = lambda: seen
        closed.add(said(show(found)))
        del found.seen
        assert found.seen().epsilon is None
    assert len(closed) == 1


def test_at_each_stage_title_stamps_picture_and_phones_follow_the_state():
    """The projection is stamped once this class has refuted it, and at the end."""
    titles = []
    for found in stages():
        view, seen = show(found), found.seen()
        (figure,) = view.figures
        plotly_takes(figure.picture)
        titles.append(figure.finding.title)
        refuted = seen.tested.of > 0 and seen.tested.interval[0] > most(PROMISED).any
        assert refuted == (found.stage >= Stage.TESTING and bool(seen.tested.of))
        assert figure.finding.stamp == (REFUTED_STAMP if refuted else "")
        assert [tile.stamp for tile in view.tiles if tile.stamp] == [REFUTED_STAMP] * refuted
        for pupil in range(1, 6):
            shown = screen(found, pupil)
            assert json.loads(json.dumps(asdict(shown), allow_nan=False))["title"]
            assert not found.question(pupil) or shown.key == key(found.question(pupil))
    assert len(set(titles)) == 7  # the last two stages show the same
    assert titles[1].startswith("Envelope 3 it is")
    assert "3 tries" not in titles[2]
    assert f"of {3 * 5}" in titles[3]
    assert titles[4].startswith("ε was ")
    assert titles[5].endswith("Try again, with one line of arithmetic in hand")
    ended = begun(until=("reveal", "project", "end"))
    assert show(ended).figures[0].finding.stamp == REFUTED_STAMP
    assert "does not keep it" in title(ended)


@pytest.mark.parametrize("envelope", range(4))
def test_the_reveal_tells_the_most_that_anybody_could(envelope):
    found = begun(envelope)
    play(found, nearest)
    found.reveal()
    seen, view = found.seen(), show(found)
    bound, told = words.of_hundred(most(seen.epsilon).gaussian), view.figures[0].finding.title
    assert told.startswith(f"ε was {seen.epsilon:g}: the class was right in {seen.guessed.right} of 100")
    assert bound in told
    assert view.tiles[1].value == bound
    # One bound of the noise is drawn, and later the promise of the projection at its own ε alone.
    assert {trace.get("name") for trace in against(seen).data} == {"this noise", "the class"}
    # The stamp stands beside its own point and clear of the curves: left of the promise’s ε neither comes near it.
    found.project()
    play(found, less)
    (figure,) = show(found).figures
    (stamp,) = [each for each in figure.picture.layout["annotations"] if each.get("name") == "stamp"]
    assert (stamp["x"], stamp["y"], stamp["xanchor"]) == (np.log10(PROMISED), found.seen().tested.value, "right")
    assert stamp["xshift"] < 0
    assert stamp["y"] - most(PROMISED).any > 0.3


@pytest.mark.parametrize(
    ("right", "said"), [(50, "in the long run no attacker"), (56, "the rest is luck"), (100, "more than luck explains")]
)
def test_a_lucky_class_is_told_so_and_one_that_did_not_try_the_bound(right, said):
    seen = begun(until=["reveal"]).seen()
    assert said in words.title(replace(seen, epsilon=0.5, guesses=(True,) * right + (False,) * (100 - right)))
    assert "Nobody tried" in words.title(seen)
    assert against(seen).data


def test_before_the_class_has_refuted_it_nothing_is_given_away():
    found = refuting()
    for _ in range(2):
        text = said(show(found))
        assert "refuted" not in text
        assert "left over" not in text
        assert "0 of 0" not in text.split("Paper’s projection")[1]
        found.answer(1, key(found.question(1)), less(found.question(1)))
    play(found, less)
    assert "left over" in show(found).figures[0].finding.note


@pytest.mark.parametrize("right", [0, 48, 50, 52, 100])
def test_the_name_of_the_class_is_not_on_its_line_s_way_nor_on_the_coin_s_name(right):
    drawn = running((True,) * right + (False,) * (100 - right))
    coin, named = (
        next(each for each in drawn.layout["annotations"] if each["text"] == text) for text in ("a coin", "the class")
    )
    line = next(trace for trace in drawn.data if trace.get("name") == "the class")
    assert (named["x"], named.get("xanchor", "left")) == (line["x"][-1], "left")
    assert named["xshift"] > 0
    assert abs(named["y"] - coin["y"]) >= 0.07


def test_a_class_refutes_the_promise_if_its_own_interval_does():
    found = refuting()
    assert "refuted" not in title(found)
    play(found, less, 1)
    assert found.seen().tested == Share(5, 5)
    # Five of five could be luck at the promise's 62 of 100: the interval reaches below.
    assert "refuted" not in title(found)
    play(found, less)
    for part in ("25 of 25", ": refuted", words.of_hundred(most(PROMISED).any)):
        assert part in title(found)
    stubborn = refuting()
    play(stubborn, lambda asked: "a")  # who does not follow the test does not change what it shows
    assert "25 of 25" in title(stubborn)
    assert "Phones tapped what it names in" in words.note(stubborn.seen())


def test_a_phone_does_not_learn_which_is_real_before_it_answers():
    """Both answers being real gives the same screen: the same noise, with the other record in the table."""
    found = begun(3)
    for pupil in range(1, 6):
        screens = set()
        for real in "ab":
            found._sheets[pupil].real = real
            screens.add(json.dumps(asdict(screen(found, pupil))))
        assert len(screens) == 1


@pytest.mark.parametrize("envelope", range(4))
def test_what_is_nearer_in_the_table_is_nearer_in_the_picture_too_and_no_order_tells_which_is_real(envelope):
    found, right = begun(envelope, 5, 4), []
    for pupil in range(1, 6):
        while asked := found.question(pupil):
            data = screen(found, pupil).data
            assert list(data) == ["points", "released", "a", "b", "range", "axes"]
            low, high = np.array(data["range"]).reshape(2, 2).T
            for point in (data["released"], data["a"], data["b"], *data["points"]):
                assert (low <= np.array(point) + 1e-9).all()
                assert (np.array(point) - 1e-9 <= high).all()
            drawn = Pair(asked.number, data["released"], asked.a, asked.b)
            gap = abs(np.diff([np.hypot(*np.subtract(asked.released, each)) for each in (asked.a, asked.b)]))
            if gap > 0.02:  # digits that no screen shows may turn a tie
                assert nearest(drawn) == nearest(asked)
            assert high[0] - low[0] <= 8.9
            found.answer(pupil, key(asked), "a")
            right.append(found.last(pupil))
    assert 0.3 * len(right) < sum(right) < 0.7 * len(right)


def test_a_phone_tells_its_own_score_alone_and_at_the_end_the_tries_first_and_the_test_after_them():
    found = begun()
    play(found, nearest)
    own = screen(found, 1)
    assert own.data["big"] == f"{found.score(1).right} of {TRIES}"
    for other in range(2, 6):
        found.leave(other)
        assert screen(found, 1) == own
    found = begun()
    play(found, nearest)
    found.reveal()
    found.project()
    play(found, less)
    for _ in range(2):
        shown, score = screen(found, 1), found.score(1)
        assert shown.data["big"] == f"{score.right} of {TRIES}"
        assert shown.data["lines"][0].startswith(f"You were right in {score.right} of {TRIES} tries")
        assert shown.data["lines"][1].endswith(f"names in {TESTS} of {TESTS} tries.")
        found.end()


def test_a_late_phone_is_told_to_look():
    found = begun(until=["reveal"])
    found.enter(9)
    shown = screen(found, 9)
    assert shown.kind == "tell"
    assert "big" not in shown.data
    assert shown.data["lines"][0] == "You came after the tries; watch the screen in front."
    assert screen(found, 1).data["lines"][0] == "You did not try."
    found.project()
    while asked := found.question(9):
        found.answer(9, key(asked), less(asked))
    found.end()
    assert screen(found, 9).data["lines"][1].endswith(f" in {TESTS} of {TESTS} tries.")
    assert "big" not in screen(found, 9).data


def test_the_projector_says_what_is_known_of_the_envelopes():
    found = begun(2)
    found._order = [30.0, 10.0, 3.0, 0.5]
    play(found, nearest, 2)
    for act in (found.reveal, found.project, found.end, found.again):
        act()
    view = show(found)
    assert view.figures[0].finding.title.startswith("Three closed envelopes, three amounts of noise")
    assert "In them: ε = 0.5, 10 and 30." in view.figures[0].finding.note
    assert "most through" not in said(view), "what can be reached stands on no screen before it was tried"
    assert "one of 3" in view.tiles[0].remark


def test_the_desk_offers_what_can_be_done_next(monkeypatch):
    buttons = {}
    monkeypatch.setattr(desk_module, "act", lambda _, label, *how, can=True, **given: buttons.update({label: can}))
    monkeypatch.setattr(desk_module, "note", lambda text: None)
    found = Attacker(words.problem(), np.random.default_rng(4))

    def offered():
        buttons.clear()
        desk_module.desk(None, found)
        return dict(buttons)

    found.enter(1)
    envelopes = dict.fromkeys((f"Envelope {name}" for name in "1234"), True)
    assert offered() == {**envelopes, "Begin": False}
    found.seal(1)
    assert offered() == {**envelopes, "Begin": True}
    found.begin()
    assert offered() == {"Open envelope 2": False}
    found.answer(1, "guess/1", "a")
    assert offered() == {"Open envelope 2": True}
    found.reveal()
    assert offered() == {"Now the paper’s projection": True, "Another envelope": True}
    for act in (found.project, found.end):
        act()
    assert offered() == {"Another envelope": True}
    opened = f"Envelope 2: ε = {found.seen().epsilon:g}"
    found.again()
    del envelopes["Envelope 2"]
    assert offered() == {**envelopes, opened: False, "Begin": False}


def test_with_the_test_one_of_the_two_leaves_nothing_over():
    found = refuting()
    for pupil in range(1, 6):
        one, other = screen(found, pupil).data["options"]
        assert sorted(option["note"] == "left over: 0.000" for option in (one, other)) == [False, True]
        assert one["text"].startswith("A: ")
        assert "years" in one["text"]
        assert one["text"][3:] != other["text"][3:]
    assert screen(found, 1).title == f"1 of {TESTS}: which one is real?"
    texts = [screen(found, 1).text]  # the first is a guess: what tells the real one is said after it
    found.answer(1, key(found.question(1)), "a")
    texts.append(screen(found, 1).text)
    assert ["leaves nothing over" in text for text in texts] == [False, True]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.5, "50 of 100"), (0.528, "53 of 100"), (1.0, "100 of 100"), (0.9999546, "99.9 of 100"), (0.996, "99.6 of 100")],
)
def test_a_share_below_all_is_not_told_as_all(share, text):
    assert words.of_hundred(share) == text
