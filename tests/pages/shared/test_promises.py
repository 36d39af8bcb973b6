"""The one list of promises: README's table word for word, and the statuses that the code and the cards give."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import privbo_core as pb
from pages.parts.outsourced.shape import SHAPES, compared, noisy_line
from pages.parts.views.card import guarantee_card, strength_fact
from privbo_core import outsourced, release
from privbo_core.data import Frame, FrameColumn, sample, tuning_task
from privbo_core.federated import Settings, guarantee, variants
from privbo_core.outsourced import Setting
from privbo_core.privacy import Status
from privbo_core.promises import PROMISES, WORDS, promise, readme_table
from privbo_core.tuning import Scores, Unscored, tries_guarantee
from tests.helpers.paths import ROOT


def test_readme_holds_the_table_word_for_word():
    assert readme_table() in (ROOT / "README.md").read_text()


def guarantees(epsilon=1.0, delta=1e-5, agents=20):
    problem = sample("synthetic")
    points, truth = np.linspace(0, 1, 20)[:, None], np.sin(np.linspace(0, 6, 20))
    how = {"kernel": pb.gp.SquaredExponential(0.2), "iterations": 5, "delta": 0.05}
    search, exact = (
        release.optimise(points, truth, sigma=sigma, **how, rng=np.random.default_rng(0)) for sigma in (0.1, 0.0)
    )
    task = tuning_task("logistic")
    strict = release.lipschitz([0.1, 0.2], loss=task.loss, records=task.records, epsilon=epsilon)
    unscored = Unscored([{"C": 1}, {"C": 2}], lambda setting: 0.5, (0.0, 1.0), shares=20, known_from="study plan")
    private = variants(Settings(pb.gp.SquaredExponential(0.1), 1e-2, q=0.25, z=1.0, S=11.0, P=2, iterations=2))
    answers = outsourced.Private(60, 200, 10, epsilon, delta, "What the device can show.")
    return {
        "projection": outsourced.guarantee(epsilon, delta, "two"),
        "noisy, public frame": outsourced.noisy_guarantee(epsilon, delta, "two", problem.frame),
        "noisy, frame read off": outsourced.noisy_guarantee(epsilon, delta, "two"),
        "private answers": outsourced.answers_guarantee(answers, outsourced.Outcome("glucose")),
        "dp-bo, algorithm 1": release.noisy(search, epsilon=epsilon, k1=0.9).guarantee(),
        "dp-bo, algorithm 2": release.noise_free(exact, epsilon=epsilon, k1=0.9, A=1.0, tau=0.1).guarantee(),
        "dp-bo, algorithm 3": strict.guarantee(),
        "private selection": release.selection([0.1, 0.9], records=100, epsilon=epsilon).guarantee(),
        "tuning": scores("parts").guarantee(epsilon),
        "tuning, folds": scores("folds").guarantee(epsilon),
        "tuning, tries": tries_guarantee(unscored, epsilon, delta),
        "federated": guarantee(private["DP-FTS-DE"], agents),
    }


def scores(kind):
    return Scores(({"C": 1}, {"C": 2}), np.full((2, 5), 0.5), (0.0, 1.0), kind, records=20, known_from="study plan")


def test_the_promises_have_the_statuses_that_the_code_and_the_cards_give():
    found = guarantees()
    assert list(found) == [each.key for each in PROMISES]
    for each in PROMISES:
        given = found[each.key]
        assert given.status is each.status, each.key
        card = guarantee_card(given, "that it took part")
        assert (given.status is Status.REFUTED) != ("Guessing whether it took part" in str(card.rows))
        assert card.status is each.status
        assert WORDS[each.status] in card.heading
        if each.status in (Status.PROVED, Status.CONDITIONAL):
            # "Proved" never stands alone: not in the list, not on a card, not where its strength is said.
            assert card.heading == f"Guarantee: {given.standing()}"
            assert f", {given.standing()}. " in strength_fact(given).remark
            assert given.conditions
            assert (given.status is Status.CONDITIONAL) == any(each.unmet for each in given.conditions)
        assert (each.status is Status.PROVED) == each.condition.startswith(", if ")
    assert {each.status for each in PROMISES} == set(Status)


@pytest.mark.parametrize(
    ("status", "provided", "word", "said"),
    [
        (Status.PROVED, "", "", "proved"), (Status.PROVED, "a", "", "proved, if a"),
        (Status.PROVED, "a", "as you say", "proved, if a, as you say"), (Status.PROVED, "ab", "", "proved, if a and b"),
        (Status.PROVED, "ab", "as you say", "proved, if a, as you say, and b"),
        (Status.PROVED, "abc", "", "proved, if a, b, and c"), (Status.CONDITIONAL, "", "", "conditional"),
        (Status.CONDITIONAL, "ab", "", "conditional: only if a and b"),
        (Status.CLAIMED, "a", "as you say", "the paper's claim"), (Status.REFUTED, "a", "", "refuted by the audit"),
    ],
)  # fmt: skip
def test_how_far_a_promise_holds_is_never_said_without_what_is_open(status, provided, word, said):
    conditions = tuple(pb.privacy.Condition(words, f"{words} at length") for words in provided)
    given = pb.privacy.Guarantee("a", "b", "c", 1.0, 0.0, (), status, "d", conditions)
    assert given.standing(word) == said
    # As many in full as in short, with a number each.
    numbers = [f"({number + 1}) " if len(provided) > 1 else "" for number in range(len(provided))]
    assert list(given.in_full) == [f"{numbers[at]}{words} at length." for at, words in enumerate(provided)]


def costs(said, times):
    """Return the ε of a difference so many times as large as the one that Gaussian noise hides, by bisection.

    Without a δ, by the triangle inequality.
    """
    if not said.delta:
        return times * said.epsilon

    def excess(epsilon, mu):
        first, second = norm.logcdf(mu / 2 - epsilon / mu), epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
        return first + math.log1p(-math.exp(min(second - first, -1e-15))) - math.log(said.delta)

    mu = brentq(lambda mu: excess(said.epsilon, mu), 1e-4, 1e3, xtol=1e-12)
    return brentq(lambda epsilon: excess(epsilon, times * mu), said.epsilon, 1e7)


def near(text, true):
    return float(text.replace(",", "")) == pytest.approx(true, rel=0.006)


def twice(said):
    """Return the δ of two steps: e^ε times that of one, and that of the other."""
    return (1 + math.exp(said.epsilon)) * said.delta


NUMBER = r"(\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
CLAIMS = {
    f"twice the hidden change at ε = {NUMBER}, ten times at ε = {NUMBER}": lambda said, two, ten: (
        near(two, costs(said, 2)) and near(ten, costs(said, 10))
    ),
    f"twice the distance would cost ε = {NUMBER} at δ = {NUMBER}": lambda said, loss, chance: (
        near(loss, 2 * said.epsilon) and float(chance) == pytest.approx(twice(said), rel=0.06)
    ),
    "twice the distance would cost all": lambda said: twice(said) >= 1,
    f"ε is then {NUMBER} or more, not {NUMBER}": lambda said, becomes, loss: (
        near(loss, said.epsilon) and near(becomes, 7 * said.epsilon)
    ),
    f"only known to keep ε = {NUMBER}": lambda said, loss: near(loss, 100 * said.epsilon),  # 5 folds of 20 records
    f"At worst, all is told of one in {NUMBER}": lambda said, people: (
        int(people.replace(",", "")) == math.floor(1 / said.delta) >= 2 and said.delta > 1e-3
    ),
    "everybody is exposed": lambda said: said.delta > 0.5,
    rf"ε = {NUMBER}, δ = \S+": lambda said, loss: near(loss, said.epsilon),
    f"50 % sure that a record is the real one (?:can|could) become at most {NUMBER} %": lambda said, belief: (
        float(belief) == pytest.approx(100 / (1 + math.exp(-said.epsilon)), abs=0.05)
    ),
    "50 % sure that a record is the real one (?:can|could) become more than 99.9 %": lambda said: said.epsilon > 6.9,
    f"right {NUMBER} times in 100 \\(blind guessing: 50\\)": lambda said, right: (
        float(right) == pytest.approx(100 - 100 * (1 - said.delta) / (1 + math.exp(said.epsilon)), abs=0.5)
    ),
}
"""What a guarantee and its card say in numbers, and whether that is so."""


EPSILONS = [0.35, 1.0, 3.0, 12.0, 150.0]


def without_delta(epsilon):
    answers = outsourced.Private(60, 200, 10, epsilon, 0.0, "What the device can show.", noise="laplace")
    frame = sample("synthetic").frame
    return {
        "public": outsourced.noisy_guarantee(epsilon, 0.0, "two", frame),
        "looked": outsourced.noisy_guarantee(epsilon, 0.0, "two", frame, looked=True),
        "read off": outsourced.noisy_guarantee(epsilon, 0.0, "two", true_epsilon=7 * epsilon),
        "answers": outsourced.answers_guarantee(answers, outsourced.Outcome("glucose")),
    }


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", [0.0, 1e-12, 1e-5, 2e-3, 0.1])
def test_every_number_that_a_guarantee_says_is_true_at_every_level(epsilon, delta):
    met = set()
    agents = round(min(delta ** (-1 / 1.1), 2000)) if delta else 0
    found = guarantees(epsilon, delta, agents) if delta else without_delta(epsilon)
    for said in found.values():
        card = guarantee_card(said)
        for text in (
            *said.in_full,
            *said.assumptions,
            said.exposes,
            *(re.sub("<[^>]*>", "", row[1]) for row in card.rows),
        ):
            rest = text
            for pattern, true in CLAIMS.items():
                for found in re.finditer(pattern, text):
                    assert true(said, *found.groups()), text
                    met.add(pattern)
                rest = re.sub(pattern, "", rest)
            assert not re.search(r"[εδ] = \d|kε|k times|[Tt]wice the|one in \d", rest), text
        assert (said.delta > 1e-3) == bool(said.exposes)
        shown = *(row[1] for row in card.rows), strength_fact(said).remark
        assert said.status is Status.REFUTED or sum(said.exposes in text for text in shown) >= 2
    assert len(met) >= (6 if delta else 4)


@pytest.mark.parametrize(("delta", "distance"), [(1e-12, 0.1), (1e-5, 1.0), (0.1, 2.5)])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_what_is_said_of_the_two_shapes_is_true_at_every_level(epsilon, delta, distance):
    """Noise and attackers of either shape, in one to twenty columns: on the page, and on the cards."""
    for d in (1, 2, 4, 20):
        frame = Frame(tuple(FrameColumn(f"c{j}", "", 0, 100, 1) for j in range(d)))
        settings = [Setting(epsilon, delta, 1, 1, protected_distance=distance, shape=shape) for shape in SHAPES]
        right = [100 * (1 - noisy_line(each, d).least_error(0.5)) for each in settings]
        for setting, share in zip(settings, right, strict=True):
            promise = outsourced.noisy_guarantee(epsilon, setting.noisy_delta, "two", frame)
            said = strength_fact(promise, noisy_line(setting, d)).remark
            surer = 100 * pb.privacy.worst_case_belief(0.5, epsilon) - share
            assert (surer > 0.5) == ("A rare release" in said)
            assert float(re.search(f"right {NUMBER} times in 100", said)[1]) == pytest.approx(share, abs=0.51)
        sigmas = math.sqrt(d + 1) * distance / epsilon, distance * pb.privacy.gaussian_sigma(epsilon, delta, 1.0)
        text = compared(settings[0], frame)
        pattern = f"Laplace noise has σ = {NUMBER} and Gaussian noise .*?\\) {NUMBER}; .* right {NUMBER} and {NUMBER} "
        of = re.search(pattern, text)
        assert [float(of[1]), float(of[2])] == pytest.approx(sigmas, rel=0.006)
        assert [float(of[4]), float(of[3])] == pytest.approx(right, abs=0.51)
        if fair := re.search(f"needs σ = {NUMBER} \\(ε = {NUMBER}\\)", text):
            assert float(fair[1]) * float(fair[2]) == pytest.approx(math.sqrt(d + 1) * distance, rel=0.06)
            alike = replace(settings[1], epsilon=math.sqrt(d + 1) * distance / float(fair[1]))
            assert 100 * noisy_line(alike, d).least_error(0.5) == pytest.approx(100 - right[0], abs=0.5)
        else:
            assert right[0] > 99.4


def test_unknown_promises_are_named():
    with pytest.raises(ValueError, match="the promises are 'projection'"):
        promise("nothing")
    assert promise("federated").line.startswith("| the server's vectors")
