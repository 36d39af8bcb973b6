"""“Be the attacker” on the projector and on phones: what each sentence and picture says, and what none tells."""

import json
from dataclasses import asdict, replace

import numpy as np
import plotly.io
import pytest

from pages.parts.experiments.attacker import desk as desk_module
from pages.parts.experiments.attacker import words
from pages.parts.experiments.attacker.phone import screen
from pages.parts.experiments.attacker.projector import against, running, show
from pages.parts.values.palette import DARK, LIGHT
from pages.parts.values.views import REFUTED_STAMP
from privbo_core.classroom.attacker import EPSILONS, PROMISED, TESTS, TRIES, Attacker, Pair, Share, Stage, key, most


def begun(envelope=0, pupils=5, seed=1):
    found = Attacker(words.problem(), np.random.default_rng(seed))
    for pupil in range(1, pupils + 1):
        found.enter(pupil)
    found.seal(envelope)
    found.begin()
    return found


def play(found, choose, tries=TRIES):
    for pupil in range(1, 6):
        for _ in range(tries):
            if asked := found.asked(pupil):
                found.answer(pupil, key(asked), choose(asked))


def nearest(pair):
    return min("ab", key=lambda name: np.hypot(*np.subtract(pair.released, getattr(pair, name))))


def less(remainder):
    return "a" if remainder.over_a < remainder.over_b else "b"


def stages(seed=1):
    """An experiment at each of its stages, played in between."""
    found = Attacker(words.problem(), np.random.default_rng(seed))
    for pupil in range(1, 6):
        found.enter(pupil)
    yield found
    found.seal(2)
    yield found
    found.begin()
    yield found
    play(found, nearest, 3)
    yield found
    found.reveal()
    yield found
    found.project()
    yield found
    play(found, less)
    yield found
    found.end()
    yield found


def said(view):
    """All that a view says."""
    texts = [text for tile in view.tiles for text in (tile.name, tile.value, tile.remark)]
    for figure in view.figures:
        texts += [figure.finding.title, figure.finding.note, figure.picture.as_json(LIGHT), figure.alt]
    return " ".join(texts)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_plotly_accepts_every_picture(colours):
    for found in stages():
        (figure,) = show(found).figures
        plotly.io.from_json(figure.picture.as_json(colours))


@pytest.mark.parametrize("seed", range(4))
def test_before_the_reveal_the_projector_is_the_same_whatever_is_in_the_envelope(seed):
    """Two rooms with the same guesses and other ε show the same, to the letter."""
    found = begun(1, seed=seed)
    seen = replace(found.seen(), guesses=(True, False, True))
    closed = []
    for epsilon in EPSILONS:
        found._order = [epsilon] * 4
        found.seen = lambda: seen
        closed.append(said(show(found)))
        del found.seen
        assert found.seen().epsilon is None
    assert len(set(closed)) == 1


def test_each_title_follows_the_state():
    titles = [show(found).figures[0].finding.title for found in stages()]
    assert len(set(titles)) == 7  # the last two stages show the same
    assert titles[5].endswith("Try again, with one line of arithmetic in hand")
    assert titles[1].startswith("Envelope 3 it is")
    assert "3 tries" not in titles[2]
    assert f"of {3 * 5}" in titles[3]
    assert titles[4].startswith("ε was ")


def test_the_reveal_tells_the_most_that_anybody_could():
    for envelope in range(4):
        found = begun(envelope)
        play(found, nearest)
        found.reveal()
        seen = found.seen()
        bound = words.of_hundred(most(seen.epsilon).gaussian)
        title = show(found).figures[0].finding.title
        assert title.startswith(f"ε was {seen.epsilon:g}: the class was right in {seen.guessed.right} of 100")
        assert bound in title
        assert show(found).tiles[1].value == bound


@pytest.mark.parametrize(
    ("right", "said"), [(50, "no attacker"), (56, "the rest is luck"), (100, "more than luck explains")]
)
def test_a_lucky_class_is_told_so(right, said):
    found = begun()
    found.reveal()
    seen = replace(found.seen(), epsilon=0.5, guesses=(True,) * right + (False,) * (100 - right))
    assert said in words.title(seen)


def test_a_class_that_did_not_try_is_told_the_bound():
    found = begun()
    found.reveal()
    assert "Nobody tried" in words.title(found.seen())
    assert against(found.seen()).data


def test_the_projection_is_stamped_once_this_class_has_refuted_it_and_at_the_end():
    for found in stages():
        view, seen = show(found), found.seen()
        refuted = seen.tested.of > 0 and seen.tested.interval[0] > most(PROMISED).any
        assert refuted == (found.stage >= Stage.TESTING and bool(seen.tested.of))
        assert [figure.finding.stamp for figure in view.figures] == [REFUTED_STAMP if refuted else ""]
        assert [tile.stamp for tile in view.tiles if tile.stamp] == [REFUTED_STAMP] * refuted
    found = begun()
    found.reveal()
    found.project()
    found.end()
    assert show(found).figures[0].finding.stamp == REFUTED_STAMP
    assert "does not keep it" in words.title(found.seen())


def test_before_the_class_has_refuted_it_nothing_is_given_away():
    found = begun()
    found.reveal()
    found.project()
    for _ in range(2):
        text = said(show(found))
        assert "refuted" not in text
        assert "left over" not in text
        assert "0 of 0" not in text.split("Paper’s projection")[1]
        found.answer(1, key(found.asked(1)), less(found.asked(1)))
    play(found, less)
    assert "left over" in show(found).figures[0].finding.note


@pytest.mark.parametrize("envelope", range(4))
def test_the_stamp_stands_beside_its_own_point_and_clear_of_the_curves(envelope):
    found = begun(envelope)
    play(found, nearest)
    found.reveal()
    found.project()
    play(found, less)
    (figure,) = show(found).figures
    (stamp,) = [each for each in figure.picture.layout["annotations"] if each.get("name") == "stamp"]
    assert (stamp["x"], stamp["y"], stamp["xanchor"]) == (np.log10(PROMISED), found.seen().tested.value, "right")
    assert stamp["xshift"] < 0
    # Left of the promise's ε neither curve comes near it.
    assert stamp["y"] - most(PROMISED).any > 0.3


@pytest.mark.parametrize("right", [0, 48, 50, 52, 100])
def test_the_name_of_the_class_is_not_on_its_line_s_way_nor_on_the_coin_s_name(right):
    drawn = running((True,) * right + (False,) * (100 - right))
    (coin,), (named,) = (
        [each for each in drawn.layout["annotations"] if each["text"] == text] for text in ("a coin", "the class")
    )
    line = next(trace for trace in drawn.data if trace.get("name") == "the class")
    assert named["x"] == line["x"][-1]
    assert named["xshift"] > 0
    assert named.get("xanchor", "left") == "left"
    assert abs(named["y"] - coin["y"]) >= 0.07


def test_a_class_refutes_the_promise_if_its_own_interval_does():
    found = begun()
    found.reveal()
    found.project()
    assert "refuted" not in words.title(found.seen())
    play(found, less, 1)
    seen = found.seen()
    assert seen.tested == Share(5, 5)
    # Five of five could be luck at the promise's 62 of 100: the interval reaches below.
    assert "refuted by this class" not in words.title(seen)
    play(found, less)
    assert "25 of 25" in words.title(found.seen())
    assert "refuted by this class" in words.title(found.seen())
    assert words.of_hundred(most(PROMISED).any) in words.title(found.seen())


def test_those_who_do_not_follow_the_test_do_not_change_what_it_shows():
    found = begun()
    found.reveal()
    found.project()
    play(found, lambda asked: "a")
    assert "25 of 25" in words.title(found.seen())
    assert "Phones that followed it" in words.note(found.seen())


def test_every_screen_is_json_and_has_a_key_of_its_own():
    for found in stages():
        for pupil in range(1, 6):
            shown = screen(found, pupil)
            assert json.loads(json.dumps(asdict(shown), allow_nan=False))["title"]
            if found.asked(pupil):
                assert shown.key == key(found.asked(pupil))


def test_a_phone_does_not_learn_which_is_real_before_it_answers():
    """Both answers being real gives the same screen: the same noise, with the other record in the table."""
    found = begun(3)
    for pupil in range(1, 6):
        sheet = found._sheets[pupil]
        screens = []
        for real in "ab":
            sheet.real = real
            screens.append(json.dumps(asdict(screen(found, pupil))))
        assert screens[0] == screens[1]


def test_the_order_of_the_names_does_not_tell_which_is_real():
    found = begun(0, 5, 4)
    right = []
    for pupil in range(1, 6):
        while asked := found.asked(pupil):
            data = screen(found, pupil).data
            assert list(data) == ["points", "released", "a", "b", "range"]
            found.answer(pupil, key(asked), "a")
            right.append(found.last(pupil))
    assert 30 < sum(right) < 70


@pytest.mark.parametrize("envelope", range(4))
def test_what_is_nearer_in_the_table_is_nearer_in_the_picture_too(envelope):
    found = begun(envelope, 5, 7)
    for pupil in range(1, 6):
        while asked := found.asked(pupil):
            data = screen(found, pupil).data
            low, high = np.array(data["range"]).reshape(2, 2).T
            for point in (data["released"], data["a"], data["b"], *data["points"]):
                assert (low <= np.array(point) + 1e-9).all()
                assert (np.array(point) - 1e-9 <= high).all()
            drawn = Pair(asked.number, data["released"], asked.a, asked.b)
            gap = abs(np.diff([np.hypot(*np.subtract(asked.released, each)) for each in (asked.a, asked.b)]))
            if gap > 0.02:  # digits that no screen shows may turn a tie
                assert nearest(drawn) == nearest(asked)
            assert high[0] - low[0] <= 8.9
            found.answer(pupil, key(asked), "b")


def test_a_phone_that_has_finished_tells_its_own_score_and_nobody_else_s():
    found = begun()
    play(found, nearest)
    own = screen(found, 1)
    assert own.data["big"] == f"{found.score(1).right} of {TRIES}"
    for other in range(2, 6):
        found.leave(other)
        assert screen(found, 1) == own


def test_a_late_phone_is_told_to_look():
    found = begun()
    found.reveal()
    found.enter(9)
    shown = screen(found, 9)
    assert shown.kind == "tell"
    assert "big" not in shown.data
    assert shown.data["lines"][0] == "You came after the tries; watch the screen in front."
    assert screen(found, 1).data["lines"][0] == "You did not try."
    found.project()
    while asked := found.asked(9):
        found.answer(9, key(asked), less(asked))
    found.end()
    assert screen(found, 9).data["lines"][1].endswith(f": {TESTS} of {TESTS}.")
    assert "big" not in screen(found, 9).data


def test_a_phone_s_end_tells_the_tries_first_and_the_test_after_them():
    found = begun()
    play(found, nearest)
    found.reveal()
    found.project()
    play(found, less)
    for _ in range(2):
        shown, score = screen(found, 1), found.score(1)
        assert shown.data["big"] == f"{score.right} of {TRIES}"
        assert shown.data["lines"][0].startswith(f"You were right in {score.right} of {TRIES} tries")
        assert shown.data["lines"][1].endswith(f"projection: {TESTS} of {TESTS}.")
        found.end()


def test_the_projector_says_what_is_known_of_the_envelopes():
    found = begun(2)
    found._order = [30.0, 10.0, 3.0, 0.5]
    play(found, nearest, 2)
    for act in (found.reveal, found.project, found.end, found.again):
        act()
    view = show(found)
    assert view.figures[0].finding.title.startswith("Three closed envelopes, three amounts of noise")
    said_beside = {
        round(float(10 ** each["x"]), 6): each["text"]
        for each in view.figures[0].picture.layout["annotations"]
        if each.get("yref") == "paper"
    }
    assert said_beside == {0.5: "1, 2 or 4?", 3.0: "envelope 3", 10.0: "1, 2 or 4?", 30.0: "1, 2 or 4?"}
    assert "one of 3" in view.tiles[0].remark


class Acts:
    """The desk's buttons, as it draws them: whether each may be pressed."""

    def __init__(self, monkeypatch):
        self.buttons = {}
        monkeypatch.setattr(desk_module.st, "button", lambda label, **given: self.buttons.update({label: given}))
        monkeypatch.setattr(desk_module, "note", lambda text: None)

    def drawn(self, found):
        """Return which there are, and which may be pressed."""
        self.buttons.clear()
        desk_module.desk(None, found)
        return {label: not given["disabled"] for label, given in self.buttons.items()}


def test_the_desk_offers_what_can_be_done_next(monkeypatch):
    acts, found = Acts(monkeypatch), Attacker(words.problem(), np.random.default_rng(4))
    found.enter(1)
    names = [f"Envelope {name}" for name in "1234"]
    assert acts.drawn(found) == {**dict.fromkeys(names, True), "Begin": False}
    found.seal(1)
    assert acts.drawn(found) == {**dict.fromkeys(names, True), "Begin": True}
    found.begin()
    assert acts.drawn(found) == {"Open envelope 2": False}
    found.answer(1, "guess/1", "a")
    assert acts.drawn(found) == {"Open envelope 2": True}
    for act in (found.reveal, found.project, found.end):
        act()
    assert acts.drawn(found) == {"Another envelope": True}
    epsilon = found.seen().epsilon
    found.again()
    assert acts.drawn(found) == {
        "Envelope 1": True,
        f"Envelope 2: ε = {epsilon:g}": False,
        "Envelope 3": True,
        "Envelope 4": True,
        "Begin": False,
    }


def test_with_the_test_one_of_the_two_leaves_nothing_over():
    found = begun()
    found.reveal()
    found.project()
    for pupil in range(1, 6):
        notes = [option["note"] for option in screen(found, pupil).data["options"]]
        assert sorted(note == "left over: 0.000" for note in notes) == [False, True]
        texts = [option["text"] for option in screen(found, pupil).data["options"]]
        assert texts[0].startswith("A: ")
        assert "years" in texts[0]
        assert texts[0][3:] != texts[1][3:]
    assert screen(found, 1).title == f"1 of {TESTS}: which one is real?"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.5, "50 of 100"), (0.528, "53 of 100"), (1.0, "100 of 100"), (0.9999546, "99.9 of 100"), (0.996, "99.6 of 100")],
)
def test_a_share_below_all_is_not_told_as_all(share, text):
    assert words.of_hundred(share) == text
