"""Releases and answers with noise of either shape: what goes out, what it is said to be, and what the ledger counts."""

import math
from dataclasses import astuple, replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from privbo_core.audit.lower_bound import epsilon_lower_bound
from privbo_core.data import Frame, FrameColumn
from privbo_core.outsourced import Modeler, answers_guarantee, read_package
from privbo_core.privacy import Status, epsilon_of_losses, gaussian_sigma, simulate
from tests.helpers.holding import FRAME, OUTCOME, PRIVATE, held, in_file, people, released, sentence

LAPLACE = replace(PRIVATE, delta=0.0, noise="laplace")


def test_inputs_go_out_with_noise_of_the_l2_shape_and_come_back_as_such(tmp_path):
    """The package says so, its reader fits it, and the ledger counts it without a δ."""
    curator = in_file(tmp_path / "ledger.json", people(400))
    package = released(curator, 2.0, 0.0, noise="laplace", private=LAPLACE)
    read = read_package(package.to_bytes())
    assert (read.noise, read.delta, read.sigma) == ("laplace", 0.0, pytest.approx(math.sqrt(3) / 2))
    exact = FRAME.place(people(400)[["age", "height"]].to_numpy()[curator.ledger.released().order])
    lengths = 2 * np.linalg.norm(read.Z - exact, axis=1)
    assert [stats.kstest(lengths * share, stats.gamma(2).cdf).pvalue > 1e-6 for share in (1.0, 1.6)] == [True, False]
    curator.answer(3, 130.0)
    assert astuple(curator.ledger.cost()) == pytest.approx((2.0, LAPLACE.epsilon, 2.0 + LAPLACE.epsilon, 0.0))
    assert Status.PROVED in {read.guarantee.status, answers_guarantee(LAPLACE, OUTCOME).status}
    assert Modeler(read).ask()[0].row in range(1, 401)
    assert "delta of the release is 1e-05; with Laplace noise" in sentence(lambda: released(held(), noise="laplace"))
    assert "noise of private answers is 'round'" in sentence(lambda: replace(LAPLACE, noise="round"))


def test_noise_of_both_shapes_composes_and_a_recipient_sees_no_more_than_the_ledger_says():
    """Who has two releases, one of each shape, and an answer with Laplace noise tells two neighbours by all of them."""
    curator = held()
    released(curator, 1.5, private=LAPLACE)
    released(curator, 1.0, 0.0, noise="laplace", again=True)
    curator.answer(3, 130.0, release=1)
    releases, cost = curator.ledger.releases, curator.ledger.cost()
    mu = 1.0 / gaussian_sigma(1.5, 1e-5, 1.0)
    assert cost.delta == 1e-5
    assert cost.inputs == pytest.approx(epsilon_of_losses(1e-5, mu=mu, pure=[1.0]), rel=1e-6)
    assert 1.5 < cost.inputs < cost.both == pytest.approx(epsilon_of_losses(1e-5, mu=mu, pure=[1.0], laplace=[1.0]))
    shift = np.array([1.0, 0.0])

    def seen(there, trials, rng):
        """The log-likelihood ratio of all that comes in; in units of the hidden change."""
        at = shift * there
        normal = at + releases[0].sigma * rng.standard_normal((trials, 2))
        radial = at + simulate.radial(trials, 2, rng)
        answer = there + simulate.laplace(trials, rng)
        gained = (normal @ shift - 0.5) / releases[0].sigma ** 2
        nearer = np.linalg.norm(radial, axis=1) - np.linalg.norm(radial - shift, axis=1)
        return gained + nearer + np.abs(answer) - np.abs(answer - 1.0)

    found = epsilon_lower_bound(seen, 0, 1, 1e-5, 40_000, 0.95, np.random.default_rng(4)).epsilon
    assert 1.2 < found < cost.both


def test_what_cannot_be_drawn_is_refused_before_it_counts():
    frame = Frame(tuple(FrameColumn(f"c{j}", "", 0, 1, 0.1, known_from="the protocol") for j in range(21)))
    curator = held(pd.DataFrame(np.full((3, 21), 0.5), columns=frame.names).assign(glucose=1.0))
    how = {"outcome": OUTCOME, "noise": "laplace"}
    assert "at most 20" in sentence(lambda: curator.release_whole(frame, 1.0, 0.0, **how))
    assert not curator.ledger.releases
