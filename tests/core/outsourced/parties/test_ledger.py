"""What one person's record has cost: exact composition, at the strictest δ, of every release that has begun."""

import math
from dataclasses import astuple, replace

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy.stats import norm

from privbo_core.data import Frame
from privbo_core.errors import DataError
from privbo_core.outsourced import Answered, Ledger, Released
from privbo_core.outsourced.parties.people import People
from privbo_core.privacy import gaussian_sigma
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, people

DIGEST = "sha256:" + "0" * 64
PEOPLE = People.of(people(10), OUTCOME.name)
NOW = "2026-01-01T00:00:00+00:00"


def a_release(number, epsilon, delta=1e-5, *, csv=DIGEST, **other):
    order = np.arange(10) if "order" not in other else np.array(other.pop("order"))
    given = {"frame": FRAME, "protected_distance": 1.0} | other
    return Released(epsilon=epsilon, delta=delta, release=number, made=NOW, order=order, csv=csv, **given)


def a_ledger(*releases, private=None, answered=()):
    answers = tuple(
        Answered(record=r, row=r + 1, release=1, when=NOW, value=1.0, exact=private is None) for r in answered
    )
    return Ledger(PEOPLE, OUTCOME, private, tuple(releases), answers)


def delta_of(epsilon, mu):
    """δ(ε) of Gaussian noise whose neighbours lie μ deviations apart, in closed form."""
    return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)


def mu_of(epsilon, delta=1e-5):
    return 1.0 / gaussian_sigma(epsilon, delta, 1.0)


@pytest.mark.parametrize("epsilons", [(0.1,), (20.0,), (0.3, 2.0, 5.0), (1.0,) * 4])
def test_releases_compose_exactly_and_one_costs_what_it_says(epsilons):
    mu = math.sqrt(sum(mu_of(epsilon) ** 2 for epsilon in epsilons))
    for distance in (1.0, math.inf):
        numbered = enumerate(epsilons, start=1)
        cost = a_ledger(*(a_release(i, epsilon, protected_distance=distance) for i, epsilon in numbered)).cost()
        assert delta_of(cost.inputs, mu) == pytest.approx(1e-5, rel=1e-6)
        assert max(epsilons) * (1 - 1e-9) <= cost.inputs <= sum(epsilons) * (1 + 1e-9)
        assert (cost.both, cost.outcome) == (cost.inputs, 0)
    # Another accountant, which knows nothing of the closed form.
    losses = [privacy_loss_distribution.from_gaussian_mechanism(1.0 / mu_of(epsilon)) for epsilon in epsilons]
    together = losses[0]
    for loss in losses[1:]:
        together = together.compose(loss)
    assert cost.inputs == pytest.approx(together.get_epsilon_for_delta(1e-5), rel=1e-4)


def test_inputs_and_outcome_of_one_record_compose():
    ledger = a_ledger(a_release(1, 1.0), private=PRIVATE, answered=(3,))
    asked, spared = ledger.cost(3), ledger.cost(4)
    assert asked.inputs == pytest.approx(1.0)
    assert asked.outcome == pytest.approx(PRIVATE.epsilon)
    assert delta_of(asked.both, math.hypot(mu_of(1.0), mu_of(PRIVATE.epsilon))) == pytest.approx(1e-5, rel=1e-6)
    assert (spared.outcome, spared.both) == (0, pytest.approx(1.0))
    assert ledger.cost() == asked


def test_however_many_are_asked_one_outcome_is_one_answer_and_the_range_is_the_most_that_it_can_move():
    once = a_ledger(a_release(1, 1.0), private=PRIVATE, answered=(0,)).cost()
    assert a_ledger(a_release(1, 1.0), private=PRIVATE, answered=range(10)).cost() == once
    wide = replace(PRIVATE, hide=1000.0)
    assert wide.sensitivity == 140
    assert a_ledger(a_release(1, 1.0), private=wide, answered=(0,)).cost().outcome == pytest.approx(1.0)


def test_exact_answers_tell_everything_of_those_who_were_asked():
    ledger = a_ledger(a_release(1, 1.0), answered=(3,))
    for cost in (ledger.cost(), ledger.cost(3)):
        assert (cost.inputs, cost.outcome, cost.both) == (pytest.approx(1.0), math.inf, math.inf)
    assert (ledger.cost(4).outcome, ledger.cost(4).both) == (0, pytest.approx(1.0))


def test_a_release_counts_from_its_beginning():
    begun = a_ledger(a_release(1, 1.0), a_release(2, 1.0, csv=""))
    assert [each.finished for each in begun.releases] == [True, False]
    assert begun.cost() == begun.finish(2, DIGEST).cost()
    assert begun.cost().inputs > 1.4
    assert begun.cost() == a_ledger(a_release(1, 1.0)).after_release(1.0, 1e-5)


def test_the_cost_is_told_at_the_strictest_delta():
    ledger = a_ledger(a_release(1, 1.0, 1e-4), a_release(2, 1.0, 1e-6))
    assert ledger.cost().delta == 1e-6
    assert delta_of(ledger.cost().inputs, math.hypot(mu_of(1.0, 1e-4), mu_of(1.0, 1e-6))) == pytest.approx(1e-6)
    strict = replace(PRIVATE, delta=1e-9)
    assert a_ledger(a_release(1, 1.0), private=strict).cost().delta == 1e-9
    assert ledger.after_release(1.0, 1e-8).delta == 1e-8


def test_a_record_that_was_left_out_of_a_release_has_nothing_to_pay_for_it():
    ledger = a_ledger(a_release(1, 1.0), a_release(2, 2.0, order=range(5)))
    assert ledger.cost(7).inputs == pytest.approx(1.0)
    assert ledger.cost(2).inputs == ledger.cost().inputs > 2.0


def test_the_total_hides_whatever_any_release_was_to_hide():
    """A second release that hides less tells more about the wider change, and the total says so."""
    finer = Frame(tuple(replace(column, hide=column.hide / 4) for column in FRAME.columns))
    ledger = a_ledger(a_release(1, 1.0), a_release(2, 1.0, frame=finer))
    # Four of its own hidden changes: as far as one of the first's.
    mu = math.hypot(mu_of(1.0), 4 * mu_of(1.0))
    assert delta_of(ledger.cost().inputs, mu) == pytest.approx(1e-5, rel=1e-6)
    other_way = a_ledger(a_release(1, 1.0, frame=finer), a_release(2, 1.0))
    assert other_way.cost().inputs == pytest.approx(ledger.cost().inputs)
    wider = a_ledger(a_release(1, 1.0), a_release(2, 1.0, protected_distance=4.0))
    assert wider.cost().inputs == pytest.approx(ledger.cost().inputs)
    # Of different columns each tells of the record, as two of the same do.
    apart = a_ledger(*(a_release(i, 1.0, frame=Frame((each,))) for i, each in enumerate(FRAME.columns, start=1)))
    assert apart.cost().inputs == pytest.approx(a_ledger(a_release(1, 1.0), a_release(2, 1.0)).cost().inputs)


def test_no_release_ever_makes_the_total_less():
    rng = np.random.default_rng(5)
    for _ in range(50):
        ledger, before = Ledger(PEOPLE, OUTCOME), 0.0
        for number in range(1, 5):
            columns = rng.permutation(2)[: rng.integers(1, 3)]
            frame = Frame(tuple(replace(FRAME.columns[j], hide=float(rng.uniform(1, 20))) for j in columns))
            distance = float(rng.choice([0.5, 1.0, 3.0, np.inf]))
            epsilon = float(10 ** rng.uniform(-1, 1))
            after = ledger.after_release(epsilon, 1e-5, frame, distance)
            release = a_release(number, epsilon, frame=frame, protected_distance=distance)
            ledger = ledger.begin(release, PEOPLE, OUTCOME, None)
            assert ledger.cost() == after
            assert after.inputs >= max(before, epsilon) * (1 - 1e-9)
            before = after.inputs


def test_nothing_costs_nothing_and_what_a_first_release_will_cost_depends_on_its_frame():
    assert astuple(Ledger().cost()) == (0, 0, 0, 0)
    with pytest.raises(DataError, match="say in which frame"):
        Ledger().after_release(1.0, 1e-5)
    assert Ledger().after_release(1.0, 1e-5, FRAME).inputs == pytest.approx(1.0)
    with pytest.raises(DataError, match="epsilon of the release is 0"):
        Ledger().after_release(0.0, 1e-5, FRAME)


def test_a_ledger_comes_back_as_it_was():
    ledger = a_ledger(
        a_release(1, 1.0, order=[4, 0, 9, 1, 2, 3, 5, 6, 7, 8]),
        a_release(2, 0.1 + 0.2, protected_distance=math.inf, order=[3, 1], csv=""),
        private=PRIVATE,
    ).answer(Answered(0, 2, 1, NOW, 0.1 + 0.7, exact=False))
    back = Ledger.from_bytes(ledger.to_bytes())
    assert back.to_bytes() == ledger.to_bytes()
    assert back.answers == ledger.answers
    assert (back.outcome, back.private, back.rows) == (ledger.outcome, ledger.private, ledger.rows)
    assert [each.order.tolist() for each in back.releases] == [each.order.tolist() for each in ledger.releases]
    assert back.cost() == ledger.cost()
    assert Ledger.from_bytes(Ledger().to_bytes()).to_bytes() == Ledger().to_bytes()


def test_a_correction_takes_the_place_of_what_it_corrects():
    ledger = a_ledger(a_release(1, 1.0), answered=(3,))
    corrected = ledger.answer(replace(ledger.answers[0], value=2.0, corrects=True))
    assert corrected.current[3].value == 2.0
    assert Ledger.from_bytes(corrected.to_bytes()).current == corrected.current
