"""The one list of promises: README's table word for word, and the statuses that the code and the cards give."""

import math
import re

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import privbo_core as pb
from pages.ui.cards import guarantee_card, level_sentence, status_words
from pages.ui.text import to_html
from privbo_core import outsourced, release
from privbo_core.data import Frame, FrameColumn, sample, tuning_task
from privbo_core.federated import Settings, guarantee, variants
from privbo_core.privacy import Status
from privbo_core.promises import PROMISES, WORDS, promise
from privbo_core.release import Scores, Unscored, tries_guarantee
from tests.helpers.numbers import numbers, value_of, written
from tests.helpers.paths import ROOT


def test_readme_gives_each_promise_the_status_that_the_code_gives():
    rows = re.findall(r"^\|.+\|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    given = [each for row in rows if (each := re.search(r"\*\*(.+?)\*\*", row.split(" | ")[-1]))]
    assert [each[1] for each in given if each[1] in WORDS.values()] == [WORDS[each.status] for each in PROMISES]


def guarantees(epsilon=1.0, delta=1e-5, agents=20):
    problem = sample("synthetic")
    points, truth = np.linspace(0, 1, 20)[:, None], np.sin(np.linspace(0, 6, 20))
    how = {"kernel": pb.gp.SquaredExponential(0.2), "iterations": 5, "delta": 0.05}
    search, exact = (
        release.optimise(points, truth, sigma=sigma, **how, rng=np.random.default_rng(0)) for sigma in (0.1, 0.0)
    )
    task = tuning_task("logistic")
    strict = release.lipschitz([0.1, 0.2], loss=task.loss, records=task.records, epsilon=epsilon)
    unscored = Unscored([{"C": 1}, {"C": 2}], lambda setting: 0.5, (0.0, 1.0), shares=20, decimals="exact")
    private = variants(Settings(pb.gp.SquaredExponential(0.1), 1e-2, q=0.25, z=1.0, S=11.0, P=2, iterations=2))
    return {
        "projection": outsourced.guarantee(epsilon, delta, "two"),
        "noisy, public frame": outsourced.noisy_guarantee(epsilon, delta, "two", problem.frame),
        "noisy, frame read off": outsourced.noisy_guarantee(epsilon, delta, "two"),
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
    return Scores(({"C": 1}, {"C": 2}), np.full((2, 5), 0.5), (0.0, 1.0), kind, records=20, decimals="exact")


def test_the_promises_have_the_statuses_that_the_code_and_the_cards_give():
    found = guarantees()
    assert list(found) == [each.key for each in PROMISES]
    for each in PROMISES:
        given = found[each.key]
        assert given.status is each.status, each.key
        card, level = guarantee_card(given, "It hides that it took part.", ""), level_sentence(given, "δ")
        assert status_words(given) in card
        assert (level == "") == (given.status is Status.REFUTED), "nothing follows from a claim that is refuted"
        assert ("protection" in level) == (given.status in (Status.PROVED, Status.CLAIMED))
        if each.status in (Status.PROVED, Status.UNMET):
            # No proof stands without its conditions, neither in the list nor on a card.
            assert given.conditions
            assert all(to_html(text) in card for text in given.in_full)
            assert (given.status is Status.UNMET) == any(each.unmet for each in given.conditions)
        assert each.condition
    assert {each.status for each in PROMISES} == set(Status)


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("provided", ["", "x", "xy", "xyz"])
def test_how_far_a_promise_holds_is_never_said_without_what_is_open(status, provided):
    conditions = tuple(pb.privacy.Condition(words * 3, f"{words * 3} at length") for words in provided)
    given = pb.privacy.Guarantee("a", "b", "c", 1.0, 0.0, (), status, "d", conditions)
    if status in (Status.PROVED, Status.UNMET):
        assert all(each.words in given.standing() for each in conditions)
    # As many in full as in short, with a number each.
    assert [numbers(text) for text in given.in_full] == [[at + 1] * (len(provided) > 1) for at in range(len(provided))]
    assert all(words * 3 in text for words, text in zip(provided, given.in_full, strict=True))


def excess(epsilon, mu, delta):
    first, second = norm.logcdf(mu / 2 - epsilon / mu), epsilon + norm.logcdf(-mu / 2 - epsilon / mu)
    return first + math.log1p(-math.exp(min(second - first, -1e-15))) - math.log(delta)


def shift(said):
    """Return μ = Δ/σ of the Gaussian noise that keeps this (ε, δ), by bisection."""
    return brentq(lambda mu: excess(said.epsilon, mu, said.delta), 1e-4, 1e3, xtol=1e-12)


def costs(said, times):
    """Return the ε of a difference so many times as large as the one that Gaussian noise hides, by bisection.

    Without a δ, by the triangle inequality.
    """
    if not said.delta:
        return times * said.epsilon
    mu = times * shift(said)
    return brentq(lambda epsilon: excess(epsilon, mu, said.delta), said.epsilon, 1e7)


def right(said):
    """Return how many of 100 guesses of the best attacker are right: through Gaussian noise where that is known."""
    if said.curve is not None:
        return 100 * norm.cdf(shift(said) / 2)
    return 100 - 100 * (1 - said.delta) / (1 + math.exp(said.epsilon))


def twice(said):
    """Return the δ of two steps: e^ε times that of one, and that of the other."""
    return (1 + math.exp(said.epsilon)) * said.delta


def sure(said):
    """Return how sure, in %, somebody can become at most who was half sure; more is said to be more than 99.9 %."""
    belief = 100 / (1 + math.exp(-said.epsilon))
    return belief if belief < 99.9 else 99.9


TRUE = {
    "ε": lambda said: said.epsilon,
    "δ": lambda said: said.delta,
    "the belief that it allows, in %": sure,
    "right guesses of 100": right,
    "right guesses of 100 that ε and δ alone allow": lambda said: (
        100 - 100 * (1 - said.delta) / (1 + math.exp(said.epsilon))
    ),
    "one in so many": lambda said: math.floor(1 / said.delta) if said.delta > 1e-3 else math.nan,
    "μ": lambda said: shift(said) if said.delta else 2 * norm.isf(1 / (1 + math.exp(said.epsilon))),
    "two steps": lambda said: 2 * said.epsilon,
    "δ of two steps": twice,
    "what a frame that was read off leaves": lambda said: 7 * said.epsilon,
    "5 folds of 20 records": lambda said: 100 * said.epsilon,
    "twice the change": lambda said: costs(said, 2),
    "ten times the change": lambda said: costs(said, 10),
}
"""What a guarantee and its card may say in numbers."""
PLAIN = {0, 1, 2, 3, 4, 5, 10, 50, 99, 100, 2012}  # conditions, theorems, a paper, half sure, guesses of a hundred


def within(number, name, true):
    value = value_of(number)
    if "%" in name:
        return abs(value - true) <= 0.051
    if "of 100" in name:
        return "." not in number and abs(value - true) <= 0.5001
    return value == true or abs(value - true) <= (0.06 if "δ" in name else 0.006) * true


EPSILONS = [0.35, 1.0, 3.0, 12.0, 150.0]


def without_delta(epsilon):
    frame = sample("synthetic").frame
    return {
        "public": outsourced.noisy_guarantee(epsilon, 0.0, "two", frame),
        "read off": outsourced.noisy_guarantee(epsilon, 0.0, "two", true_epsilon=7 * epsilon),
    }


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", [0.0, 1e-12, 1e-5, 2e-3, 0.1])
def test_every_number_that_a_guarantee_says_is_true_at_every_level(epsilon, delta):
    met = set()
    agents = round(min(delta ** (-1 / 1.1), 2000)) if delta else 0
    found = guarantees(epsilon, delta, agents) if delta else without_delta(epsilon)
    for said in found.values():
        for text in (*said.in_full, *said.assumptions, said.exposes, level_sentence(said, f"{said.delta:.3g}")):
            for number in written(text):
                name = next((name for name, true in TRUE.items() if within(number, name, true(said))), "")
                assert name or value_of(number) in PLAIN, (number, text)
                met.add(name)
        assert (said.delta > 1e-3) == bool(said.exposes)
    assert len(met) >= (5 if delta else 3)


@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_what_is_said_of_the_noise_is_true_at_every_level(epsilon, delta):
    """The best attacker of the noise, in one column and in twenty."""
    for d in (1, 20):
        frame = Frame(tuple(FrameColumn(f"c{j}", "", 0, 100, 1) for j in range(d)))
        promise = outsourced.noisy_guarantee(epsilon, delta, "two", frame)
        share = 100 * norm.cdf(shift(promise) / 2)
        said = level_sentence(promise, f"{delta:.3g}")
        assert any(number == pytest.approx(share, abs=0.51) for number in numbers(said))


def test_unknown_promises_are_named():
    with pytest.raises(ValueError, match="The promises are 'projection'"):
        promise("nothing")
    assert promise("federated").key == "federated"
