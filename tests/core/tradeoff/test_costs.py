"""Candidates, their costs, and the rule that recommends one of them."""

from dataclasses import replace

import numpy as np
import pytest

from privbo_core.data import rank_sought, sample
from privbo_core.errors import DataError
from privbo_core.outsourced import Difference, Setting, Simulation, Typical
from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_sigma, strength
from privbo_core.tradeoff import DEFAULT_LEVEL, EPSILONS, Weighed, lost, recommend, weigh
from privbo_core.tradeoff import read_candidates as read
from tests.helpers.refusing import refusals

SETTING = Setting(1.0, 1e-5, 10, 12, search="ucb/5", once=True)


@pytest.fixture(scope="module")
def homes():
    return Simulation(sample("homes"))


def weighed(epsilon, costs):
    return Weighed(epsilon, np.asarray(costs, dtype=float), Typical(1, 1, 1), None)


def protects(epsilon):
    line = TradeOff.gaussian(1 / gaussian_sigma(epsilon, 1e-5, 1.0))
    return strength(Guarantee("", "", "", epsilon, 1e-5, (), Status.PROVED, "", curve=line))


def anything(epsilon):
    return protects(0.1)


def test_a_text_becomes_candidates_each_once_and_in_order():
    assert read("2, 0.5;1 2", 0.1, 100) == (0.5, 1.0, 2.0)
    assert read(", ".join(map(str, EPSILONS)), 0.35, 150) == EPSILONS


@pytest.mark.parametrize(
    "text",
    ["0,5; 1; 2", "0,5;1;2", "0,5 1 2", "0,5 ; 1, 2", ",5; 1,0; 2", "0.5; 1; 2", "0.5,1,2", "0.5,1, 2", "0.5, 1, 2,"],
)  # fmt: skip
def test_a_comma_is_decimal_where_something_else_separates(text):
    assert read(text, 0.1, 100) == (0.5, 1.0, 2.0)


TWO_WAYS = r"two ways"
test_a_text_without_candidates_gets_a_sentence_and_one_of_two_readings_is_not_guessed = refusals(
    *((lambda text=text: read(text, 0.1, 100), words) for text, words in (
        ("", "is empty"), (";", "is empty"), ("a,b", "'a'"), ("0,5; two", "'two'"), ("1;2;0,01", "0.01 is out"),
        ("1, two", "'two'"), ("0.01", "out of range"), ("nan", "out of range"), ("1e999", "out of range"),
        (" ".join(str(1 + k / 10) for k in range(9)), "at most 8"),
        *((text, TWO_WAYS) for text in ("0,5, 1", "0,5,1", "0,5 , 1", "1,2,5", "1,2", "0.5, 1,5")),
    )),
    error=DataError,
)  # fmt: skip


def test_a_cost_is_above_nought_where_privacy_finds_worse_whether_high_or_low_is_wanted(homes):
    problem = homes.problem
    assert not problem.maximize
    *_, comparison = homes.compare(SETTING, 20, ("noisy",))
    costs = lost(problem, comparison, "random", comparison.reference("noisy"))
    assert costs.mean() > 0
    prepared = replace(problem.preparation, maximize=True, output_scale=-problem.preparation.output_scale)
    turned = replace(problem, maximize=True, preparation=prepared)
    assert lost(turned, comparison, "random", comparison.reference("noisy")) == pytest.approx(-costs)


def test_candidates_are_weighed_with_the_same_dice(homes):
    steps = list(weigh(homes, SETTING, (5.0, 1.0), 25))
    assert [len(step.known) for step in steps] == [0, 1, 2, 2, 2]
    last = steps[-1]
    assert last.complete
    assert not steps[-2].complete
    assert [each.epsilon for each in last.known] == [1.0, 5.0]
    for each in last.known:
        *_, comparison = homes.compare(replace(SETTING, epsilon=each.epsilon), 25, ("noisy",))
        again = lost(homes.problem, comparison, "noisy", comparison.reference("noisy"))
        assert (each.costs == again).all()
        assert (steps[2].of(each.epsilon).costs == again[:20]).all()
    assert last.of(3.0) is None


def test_the_strongest_protection_below_the_limit_is_recommended_and_none_beyond_the_first_that_fails():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=100)
    known = [weighed(epsilon, mean + noise) for epsilon, mean in ((0.5, 0.0), (1.0, 3.0), (2.0, 1.0), (5.0, 0.2))]
    found = recommend(known, 2.0, anything)
    assert found.chosen.epsilon == 2.0
    assert found.failed.epsilon == 1.0  # and 0.5, luckily below, is not asked
    assert recommend(known, 0.1, anything).chosen is None
    assert recommend(known, 0.1, anything).failed.epsilon == 5.0
    assert recommend(known, 10.0, anything).chosen.epsilon == 0.5
    assert recommend(known, 10.0, anything).failed is None
    with pytest.raises(ValueError, match="limit"):
        recommend(known, 0.0, anything)


def test_what_hardly_protects_anyone_is_not_recommended_however_little_it_costs():
    noise = np.random.default_rng(0).normal(size=100)
    known = [weighed(epsilon, mean + noise) for epsilon, mean in ((1.0, 9.0), (5.0, 3.0), (20.0, 0.2), (30.0, 0.1))]
    found = recommend(known, 1.0, protects)
    assert (found.within.epsilon, found.protects.word, found.failed.epsilon) == (20.0, "very weak", 5.0)
    assert found.chosen is None
    found = recommend(known, 4.0, protects)
    assert (found.chosen, found.least) == (found.within, DEFAULT_LEVEL)
    assert (found.chosen.epsilon, found.protects.word) == (5.0, "moderate")
    assert recommend(known, 4.0, protects, 4).chosen is None  # strong is asked for
    assert recommend(known, 1.0, protects, 1).chosen.epsilon == 20.0
    assert recommend(known, 0.01, protects).protects is None
    for least in (0, 6):
        with pytest.raises(ValueError, match="least"):
            recommend(known, 1.0, protects, least)


def test_ranks_and_tests_are_read_off_as_many_runs_as_elsewhere(homes):
    *_, last = weigh(homes, SETTING, (1.0,), 25, counted=10)
    *_, comparison = homes.compare(SETTING, 10, ("noisy",))
    (found,) = last.known
    assert (len(found.costs), found.needed.runs) == (25, 10)
    needed = comparison.extra_evaluations("noisy", rank_sought(homes.problem))
    assert (found.needed, found.rank) == (needed, comparison.typical_rank("noisy"))
    assert last.plain_rank == comparison.typical_rank(comparison.reference("noisy"))


def test_a_cost_that_may_lie_above_the_limit_is_not_recommended():
    costs = np.array([0.0, 4.0] * 10)  # mean 2, 95 % interval about 1 to 3
    assert Difference.of(costs).high == pytest.approx(2.96, abs=0.01)
    assert recommend([weighed(1.0, costs)], 2.5, anything).chosen is None
    assert recommend([weighed(1.0, costs)], 3.0, anything).chosen is not None


def test_what_costs_the_limit_is_recommended_no_more_often_than_once_in_forty():
    """All cost the limit, the hardest case: the first that is asked decides whether any is recommended."""
    rng, trials = np.random.default_rng(1), 2000
    wrong = sum(Difference.of(2.0 + rng.normal(size=(2, 40)).sum(axis=0)).high < 2.0 for _ in range(trials))
    assert wrong / trials < 0.025 + 3 * np.sqrt(0.025 * 0.975 / trials)


@pytest.mark.parametrize(
    ("over", "kept"), [({}, 1.0), ({"alone": -1.0}, 1.0), ({"alone": -0.2}, 2.0), ({"alone": 1.0}, 2.0)]
)
def test_what_gains_nothing_over_another_way_to_search_is_not_recommended(over, kept):
    around = np.array([-0.3, 0.3, -0.2, 0.2])
    beside = {name: mean + around for name, mean in over.items()}
    known = [weighed(1.0, 1 + around), weighed(2.0, 0.5 + around)]
    known = [replace(known[0], over=beside), replace(known[1], over=dict.fromkeys(over, -2 + around))]
    found = recommend(known, 3.0, anything)
    assert (found.within.epsilon, found.failed.epsilon if found.failed else None) == (
        kept,
        None if kept == 1 else 1.0,
    )
