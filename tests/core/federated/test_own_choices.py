"""The paper's own β_t and λ, and the half of distributed exploration, which the defaults do without."""

import math
from dataclasses import replace

import numpy as np
import pytest

import privbo_core as pb
from privbo_core.federated import Settings, Simulation
from privbo_core.federated.run import FAILURE, deviation_schedule
from tests.helpers.small_federation import PRIVATE, SMALL, queries, rounds


def test_the_defaults_are_what_they_were():
    plain = Settings(PRIVATE.kernel, 1e-2)
    assert (plain.beta, plain.ridge, plain.start) == ("one", "noise", "region")
    assert plain.regularisation == plain.noise_variance
    assert set(deviation_schedule(SMALL.points, plain)) == {1.0}


def test_the_theory_s_beta_is_its_formula_and_far_from_one():
    setting = replace(PRIVATE, beta="theory", norm=3.0)
    found = deviation_schedule(SMALL.points, setting)
    gain = pb.bo.information_gain(SMALL.points, PRIVATE.kernel, PRIVATE.noise_variance, 17).upper
    for t in (1, 7, 14):
        known = gain[PRIVATE.initial + t - 2]
        expected = 3.0 + 0.1 * math.sqrt(2 * (known + 1 + math.log(4 / FAILURE)))
        assert found[t - 1] == pytest.approx(expected)
    assert (np.diff(found) >= 0).all()
    assert found[0] > 3.5
    assert (queries(setting) != queries(PRIVATE)).any()
    # A run of more points than the domain has is bounded by all of them.
    longer = deviation_schedule(SMALL.points, replace(setting, iterations=80))
    assert (len(longer), np.ptp(longer[-10:])) == (80, 0)


def test_the_theory_s_ridge_is_one_and_two_over_t_and_changes_the_run():
    theory = replace(PRIVATE, ridge="theory")
    assert theory.regularisation == 1 + 2 / 14
    assert (queries(theory) != queries(PRIVATE)).any()


def test_initial_points_from_anywhere_leave_the_sub_region_and_the_weights_alone():
    here, anywhere = rounds(PRIVATE)[0], rounds(replace(PRIVATE, start="anywhere"))[0]
    assert (here.regions[here.initial] == here.explores[:, None]).all()
    assert (anywhere.regions[anywhere.initial] != anywhere.explores[:, None]).any()
    np.testing.assert_array_equal(here.weights, anywhere.weights)
    one = replace(PRIVATE, P=1)
    np.testing.assert_array_equal(queries(one), queries(replace(one, start="anywhere")))


def test_runs_by_other_choices_are_not_taken_for_each_other():
    simulation = Simulation(lambda run: SMALL)
    simulation.run(PRIVATE, 12, 0)
    for change in ({"beta": "theory"}, {"ridge": "theory"}, {"start": "anywhere"}):
        assert simulation.finished({"it": replace(PRIVATE, **change)}, 12, 1).runs == 0, change
    # λ = 1 + 2/T: a shorter run is another one.
    theory = replace(PRIVATE, ridge="theory")
    simulation.run(theory, 12, 0)
    assert simulation.finished({"it": replace(theory, iterations=5)}, 12, 1).runs == 0
    longer = replace(PRIVATE, beta="theory")
    known = simulation.run(longer, 12, 0)
    fresh = Simulation(lambda run: SMALL).run(replace(longer, iterations=5), 12, 0)
    np.testing.assert_array_equal(known.first(5).simple, fresh.simple)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"beta": "two"}, "beta is 'two'; it must be one of 'one', 'theory'"),
        ({"ridge": "none"}, "ridge is 'none'; it must be one of 'noise', 'theory'"),
        ({"start": "there"}, "start is 'there'; it must be one of 'region', 'anywhere'"),
        ({"norm": 0.0}, "norm"),
    ],
)
def test_other_words_are_named(change, words):
    with pytest.raises(ValueError, match=words):
        replace(PRIVATE, **change)
