"""Statements that a reader once found false, or two of which contradicted each other. Each is held by its number."""

import math
import re

import numpy as np
import pytest

import privbo_core as pb
from pages.ui.cards import level_sentence
from pages.ui.numbers import in_100
from privbo_core.bo import ExtraSteps
from privbo_core.privacy import Guarantee, Status, TradeOff, strength
from privbo_core.privacy.guarantee import WORDS
from tests.helpers.attacked import attacked, open_audit
from tests.helpers.charts import charts, traces
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.reading import said
from tests.helpers.released import come, designed, losses_of, task_of
from tests.helpers.shown import guarantee, headline, open_sections, plain, tables, tiles, titles
from tests.helpers.together import open_few, settings_of

CERTAIN = re.compile(r"\b100 (times )?in 100\b|\b100 of 100\b")


def promise(epsilon, delta=1e-5, curve=None, status=Status.PROVED):
    return Guarantee("a", "b", "c", epsilon, delta, (), status, "d", curve=curve)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 4.0, 4.595, 5.3, 6.0, 40.0, 1000.0])
@pytest.mark.parametrize("status", [Status.PROVED, Status.CLAIMED])
def test_no_finite_epsilon_makes_an_attacker_certain(epsilon, status):
    """The accuracy is 1 − (1 − δ)/(1 + e^ε), which is below 1. Its word is that of the number beside it."""
    given = promise(epsilon, 0.0, status=status)
    sentence, found = level_sentence(given, "0"), strength(given)
    assert not CERTAIN.search(sentence)
    right = 100 * (1 - 1 / (1 + math.exp(min(epsilon, 700))))
    if right >= 99.5:
        assert "more than 99 times" in sentence
        assert found.word == WORDS[0], "more than 99 is no protection"
    else:
        assert tells(sentence, round(right))


@pytest.mark.parametrize(
    ("share", "text"), [(0.5, "50"), (0.9949, "99"), (0.9951, "more than 99"), (1.0, "more than 99")]
)
def test_rounding_makes_nothing_certain(share, text):
    assert in_100(share) == text


@pytest.mark.parametrize(("page", "query"), [
    ("release", {"algorithm": "1 noisy", "epsilon": "3"}), ("release", {"epsilon": "1000", "publish": "setting"}),
    ("outsourced", {"release": "noisy", "epsilon": "100", "T": "5", "runs": "5"}),
    ("audit", {"attack": "noisy", "epsilon": "40", "trials": "20000"}), ("start", {"epsilon": "1000"}),
    ("tour", {"lesson": "epsilon", "step": "1", "seen": "1", "epsilon": "1000"}),
    ("tour", {"lesson": "epsilon", "step": "3", "seen": "1", "epsilon": "1000"}),
    ("tour", {"lesson": "outsourced", "step": "5", "seen": "1", "epsilon": "1000"}),
])  # fmt: skip
def test_no_page_calls_an_attacker_certain_at_a_finite_epsilon(page, query):
    app = open_page(page, **query)
    if page in ("release", "outsourced"):
        open_sections(app)
    words = f"{said(app)} {[(chart['alt'], chart['data']) for chart in charts(app).values()]}"
    assert not CERTAIN.search(words)
    assert "more than 99" in words.lower()


@pytest.mark.parametrize(("algorithm", "published", "pieces"), [
    ("selection", "setting", 1), ("selection", "setting and score", 2), ("1 noisy", "setting and score", 2),
    ("1 noisy", "score", 1), ("2 exact", "setting", 1), ("3 Lipschitz", "score", 1),
])  # fmt: skip
def test_release_names_the_total_epsilon_wherever_it_names_an_epsilon(algorithm, published, pieces):
    app = open_sections(come(algorithm=algorithm, publish=published, epsilon="3"))
    title, lead = headline(app)
    card = guarantee(app)
    assert tells(card, 3.0 * pieces)
    assert re.search(rf"ε = {3 * pieces}\b", title)
    if pieces == 2:
        assert "in total" in title
        assert re.search(r"ε = 3 each\b", lead)
    for text, note in titles(app):
        for shown in re.findall(r"ε = [\d.]+[^,.]*", f"{text} {note}"):
            assert pieces == 1 or "6 in total" in shown, shown


@pytest.mark.parametrize("published", ["setting", "setting and score"])
def test_release_has_one_number_for_the_loss_of_algorithm_1(published):
    app = open_sections(come(task="svm", algorithm="1 noisy", epsilon="40", publish=published))
    lost = float(np.mean(losses_of(designed("1 noisy", 40.0, published), task_of("svm"))))
    assert tells(headline(app)[0], round(100 * lost, 2))
    assert numbers(tiles(app)[0][1])[0] == pytest.approx(100 * lost, abs=0.0051)
    (text,) = [text for text, _ in titles(app) if "the loss of the configuration is" in text]
    assert numbers(text)[-1] == pytest.approx(100 * lost, abs=0.0051)
    curve = traces(charts(app)["losses-loss"])["Algorithm 1"]
    drawn = np.exp(np.interp(math.log(40.0), np.log(curve["x"]), np.log(curve["y"])))
    assert drawn == pytest.approx(100 * lost, rel=0.02)
    if published == "setting":
        (row,) = [row for table in tables(app) for row in table if row[0] == "Algorithm 1 of DP-BO"]
        assert numbers(row[2])[0] == pytest.approx(100 * lost, abs=0.0051), "after 50 evaluations, as on the page"


@pytest.mark.parametrize("epsilon", ["0.3", "1", "30"])
def test_ways_that_lose_the_same_are_named_together(epsilon):
    app = open_sections(come(task="svm", epsilon=epsilon))
    (title,) = [text for text, _ in titles(app) if "lose" in text and "evaluated" in text]
    (ways,) = [table for table in tables(app) if table[0][0] == "Way"]
    losses = {row[0]: row[3] for row in ways[1:] if "not computed" not in row[3]}
    least = min(losses.values(), key=lambda text: numbers(text)[0])
    listed = re.split(" loses? ", title.split("evaluated, ")[1])[0]
    named = {name.removeprefix("the ") for name in re.split(", | and ", listed)}
    assert named == {name for name, text in losses.items() if text == least}
    assert least in title


@pytest.mark.parametrize(("algorithm", "published"), [
    ("selection", "setting"), ("selection", "setting and score"), ("1 noisy", "setting"), ("2 exact", "score"),
    ("3 Lipschitz", "score"),
])  # fmt: skip
def test_every_assumption_of_a_release_is_numbered(algorithm, published):
    app = come(algorithm=algorithm, publish=published)
    card = guarantee(app)
    (listed,) = re.findall(r"<h4>Assumptions</h4><ol>(.*?)</ol>", card)
    given = designed(algorithm, 1.0, published).publication(task_of()).guarantee
    assert [plain(each) for each in re.findall("<li>(.*?)</li>", listed)] == list(given.in_full)
    assert len(given.conditions) >= 2
    if given.status is Status.PROVED:
        assert f"(1)–({len(given.conditions)})" in card
    scope = " ".join(given.assumptions)
    assert not re.search(r"is a mean|lies in \[|one draw from", scope), "an assumption is no remark on the scope"


@pytest.mark.parametrize(("page", "query"), [
    ("release", {}), ("release", {"algorithm": "1 noisy"}), ("outsourced", {"release": "noisy", "T": "5", "runs": "5"}),
    ("outsourced", {"T": "5", "runs": "5"}), ("audit", {"attack": "noisy", "trials": "500"}),
])  # fmt: skip
def test_the_badge_beside_a_finding_says_that_privacy_is_proven_and_not_the_finding(page, query):
    _, lead = headline(open_page(page, **query))
    assert lead.startswith(("Privacy: ", "Privacy claim "))


def test_an_accuracy_below_that_of_the_pair_names_its_source():
    """At ε = 4.1 the pair (ε, δ) allows 98 right guesses. The exact distribution of the loss allows 72."""
    app = open_few(N="200", T="40", M="10")
    settings = settings_of(iterations=40)
    epsilon, delta = pb.federated.total_loss(settings, 200, "pld", "exact"), 200**-1.1
    exact = 1 - pb.federated.trade_off(settings, 200).least_error(0.5)
    alone = 1 - pb.privacy.least_error(0.5, epsilon, delta)
    assert (round(100 * exact), round(100 * alone)) == (72, 98)
    assert tells(guarantee(app), epsilon, 72, 98)
    known = TradeOff.gaussian(1.0)
    assert tells(level_sentence(promise(known.epsilon(1e-5), curve=known), "10⁻⁵"), 69, 99)
    assert tells(level_sentence(promise(1.0, 0.0), "0"), 73)
    assert level_sentence(promise(1.0, 0.0), "0").count("73") == 1, "without an exact curve there is nothing beside it"


def steps(private, plain, low, high, **ends):
    return ExtraSteps(private, plain, 40, low, high, 40, **ends)


@pytest.mark.parametrize("extra", [
    steps(21, 24, -12, 3), steps(21, 24, -7, 0), steps(24, 21, 0, 7), steps(24, 24, 0, 0), steps(41, 24, 3, 17),
    steps(30, 24, 2, 9), steps(20, 30, -14, -3), steps(20, 41, -30, -3, low_open=True),
    steps(41, 41, -9, 9, low_open=True, high_open=True),
], ids=str)  # fmt: skip
def test_a_difference_is_measurable_only_if_its_interval_excludes_zero(extra):
    zero = extra.low <= 0 <= extra.high or (extra.low > 0 and extra.low_open) or (extra.high < 0 and extra.high_open)
    assert extra.significant == (not zero and extra.low > 0)
    assert extra.saves == (not zero and extra.high < 0)


@pytest.mark.parametrize("query", [{}, {"z": "4", "T": "15"}, {"agents": "grades", "T": "15", "N": "237"}])
def test_federated_s_tile_says_what_its_interval_shows(query):
    app = open_few(**query)
    _, value, remark = tiles(app)[1]
    low, high = numbers(remark)[-2:]
    assert ("measurable" in remark) == (low <= 0 <= high)
    assert (value == "None") == (low <= 0)
    assert ("no measurable difference" in headline(app)[0]) == (low <= 0 <= high)


@pytest.mark.parametrize("attack", ["reconstruction", "columns"])
def test_audit_says_which_statement_rests_on_algebra_and_which_on_trials(attack):
    """Every finite ε is ruled out, because an event has probability 1 on one side and 0 on the other."""
    app, found = open_audit(attack), attacked(attack)
    _, lead = headline(app)
    finite, trials = lead.index("every finite ε"), lead.index("trials")
    assert finite < trials
    assert tells(lead[trials:], found.epsilon, 95)
    assert not tells(lead[:finite], found.epsilon)
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    moved = X.copy()
    moved[0] += 0.5
    for _ in range(20):
        Z = pb.outsourced.curate(X, 1.0, 1e-5, 10, rng).Z
        outside = [np.linalg.norm(Z - C @ np.linalg.lstsq(C, Z)[0]) / np.linalg.norm(Z)
                   for C in (X - X.mean(0), moved - moved.mean(0))]  # fmt: skip
        assert outside[0] < 1e-9 < 1e-4 < outside[1]


def test_the_box_of_the_audit_names_the_trials_that_it_is_from():
    app, found = open_sections(open_audit("noisy")), attacked("noisy")
    (note,) = [note for _, note in titles(app) if "error rates" in note]
    bound = found.most if found.most.tested in numbers(note) else found.last
    assert tells(note, bound.tested, 95)
    assert bound.tested == bound.trials - round(bound.trials / 10), "a tenth of the trials chooses the threshold"


def test_the_tour_says_all_where_all_are_found():
    title, _ = headline(open_page("tour", lesson="outsourced", step="4", seen="1"))
    problem = pb.data.sample("hospital")
    assert numbers(title) == [problem.n - problem.d - 1]
    assert re.search(r"\ball [\d,]+ other\b", title)


@pytest.mark.parametrize(("page", "query"), [
    ("outsourced", {"data": "hospital", "release": "noisy", "epsilon": "1", "T": "30"}), ("start", {}),
    ("tour", {"lesson": "outsourced", "step": "3", "seen": "1"}),
])  # fmt: skip
def test_a_number_of_tests_says_that_the_first_random_ones_are_not_among_them(page, query):
    """A search of T tests asks for n₀ + T outcomes, the first n₀ of which are the same with privacy and without."""
    simulation = pb.outsourced.Simulation(pb.data.sample("hospital"))
    setting = pb.outsourced.Setting(1.0, 1e-5, 10, 30, once=True)
    traces_of = [simulation.run(name, setting, 0) for name in ("noisy", "plain")]
    assert [len(trace.rows) for trace in traces_of] == [setting.initial + 30] * 2
    assert len({tuple(trace.rows[: setting.initial]) for trace in traces_of}) == 1
    assert re.search(rf"\b{setting.initial} (initial points|random tests)", said(open_page(page, **query)))
