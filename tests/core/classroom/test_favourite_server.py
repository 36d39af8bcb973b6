"""The server of a class is federated's own, and what an observer infers from it is what it tells."""

import math
from dataclasses import replace

import numpy as np
import pytest

from privbo_core.classroom import crowd
from privbo_core.classroom.crowd import Crowd, points
from privbo_core.classroom.games import favourite
from privbo_core.classroom.games.favourite import Favourite, Phase
from privbo_core.federated import aggregate, region_weights, run
from privbo_core.federated.run import Streams
from tests.benchmarks import class_size
from tests.helpers.paths import DOCS

SEED = 11


class Exact(Crowd):
    """A crowd with given tastes, whose answers are those of federated's simulated agents: not rounded."""

    def __init__(self, tastes, rng):
        self.tastes, self._noise = tastes, Streams.of(rng).noise
        self.own_rows, self.own_ratings = None, None

    def grow(self, rows):
        """Rate these colours at first."""
        self.own_rows = rows
        self.own_ratings = np.array([self.rate(np.arange(len(rows)), column) for column in rows.T]).T

    def rate(self, who, rows):
        """Return answers that are not rounded."""
        slips = math.sqrt(crowd.settings(0.0).noise_variance) * self._noise.standard_normal(len(who))
        return crowd.MIDDLE + crowd.UNIT * (self.tastes[who, rows] + slips)


@pytest.mark.parametrize(
    ("agents", "changes"),
    [(30, {"z": 0.0, "q": 1.0, "S": math.inf}), (30, {"z": 1.0}), (24, {"z": 2.0}), (30, {"z": 0.0})],
)
def test_a_class_asks_and_is_told_what_federated_s_own_run_asks_and_tells(agents, changes, monkeypatch):
    """The same dice, the same tastes: the same draws of agents, broadcasts and colours, round after round."""
    settings = replace(crowd.settings(0.0), **changes)
    monkeypatch.setattr(favourite, "settings", lambda z: settings)
    tastes = Crowd(np.random.default_rng(3))
    tastes.grow(np.zeros((agents, crowd.OWN), dtype=np.int64))
    played = Favourite(np.random.default_rng(SEED), crowd=Exact(tastes.tastes, np.random.default_rng(SEED)))
    played.begin(agents, settings.z or 1.0, noise=settings.z > 0)
    named = 0
    for expected in run(tastes.tastes, points(), settings, np.random.default_rng(SEED)):
        played.go_on()
        asked = played._run.round
        assert (played._crowd.own_rows == expected.initial).all()
        assert (asked.selected == expected.selected).all()
        assert (asked.follows == expected.followed).all()
        np.testing.assert_allclose(asked.broadcast.vectors, expected.broadcast.vectors, atol=1e-9)
        assert asked.broadcast.noise_deviation == expected.broadcast.noise_deviation
        assert (asked.rows == expected.queries).all()
        named += 1
    assert named == crowd.ROUNDS
    assert played.go_on()
    assert played.seen().phase is Phase.END


def test_the_colour_named_is_where_the_average_of_the_broadcasts_is_highest():
    played = Favourite(np.random.default_rng(SEED))
    played.begin(30, 1.0)
    sent = []
    for _ in range(crowd.ROUNDS):
        played.go_on()
        sent.append(played._run.round.broadcast.vectors[0])
        believed = played._run.rounds.agents.phi @ np.mean(sent, axis=0)
        assert played.seen().course.named[-1] == believed.argmax()
    assert played.seen().course.belief.argmax() in np.argsort(believed)[-40:]


def one_round(present, rng, *, z, q=0.5, agents=8):
    """Return the evidence about agent 0 by one round in which it takes part or stays away, all else being the same."""
    settings = replace(crowd.settings(z), q=q, S=3.0)
    sent = 0.6 * rng.standard_normal((agents, 12))
    weights = region_weights(np.zeros(agents, dtype=np.int64), 1, 1.0, 1.0)
    selected = rng.random(agents) < q
    taken = selected.copy()
    taken[0] &= present
    broadcast = aggregate(sent, taken, weights, rate=q, S=3.0, z=z, normals=rng.standard_normal((1, 12)))
    return crowd.evidence(sent, taken, weights, broadcast, settings)[0]


def test_an_observer_is_as_often_right_as_sure():
    """A coin decides whether an agent takes part in four rounds. So many do as an observer is sure of."""
    rng = np.random.default_rng(5)
    present = rng.random(3000) < 0.5
    belief = np.array([crowd.sure(sum(one_round(here, rng, z=0.4, agents=3) for _ in range(4))) for here in present])
    assert belief.std() > 0.1
    for low in np.arange(0.0, 1.0, 0.2):
        among = (belief >= low) & (belief < low + 0.2)
        if among.sum() >= 100:
            expected, spread = belief[among].mean(), math.sqrt((belief[among] * (1 - belief[among])).sum())
            assert abs(present[among].sum() - among.sum() * expected) < 4.0 * spread
    # Better than any other: the mean log score of what is right is above that of the same, more or less sharp.
    odds = np.log(belief / (1 - belief))

    def score(sharpness):
        return np.log1p(np.exp(-np.where(present, 1, -1) * sharpness * odds)).mean()

    assert score(1.0) < min(score(0.6), score(1.6))


def test_without_noise_an_observer_is_certain_of_whoever_was_drawn_and_sent_something():
    rng = np.random.default_rng(0)
    found = [one_round(True, rng, z=0.0) for _ in range(40)]
    assert (set(found), crowd.sure(math.inf)) == ({math.inf, math.log(0.5)}, 1.0)
    assert crowd.sure(8 * math.log(0.5)) == pytest.approx(1 / 257)
    assert [one_round(True, rng, z=0.0, q=1.0)] == [math.inf]
    settings = crowd.settings(1.0)
    sent = np.vstack([np.zeros(50), np.ones((4, 50))])
    weights, selected = np.full((1, 5), 0.2), np.array([True, False, True, False, True])
    for z in (0.0, 1.0):
        broadcast = aggregate(sent, selected, weights, rate=0.5, S=8.0, z=z, normals=np.ones((1, 50)))
        found = crowd.evidence(sent, selected, weights, broadcast, settings)
        assert found[0] == 0.0
        assert (found[1:] != 0.0).all()


def test_the_believed_favourite_is_as_likely_as_it_is_said_to_be():
    """Where the class's weights are what they are assumed to be, and nobody differs, shares of belief are right."""
    rng, excess = np.random.default_rng(2), []
    phi = crowd.Dice(np.random.default_rng(1)).features(crowd.settings(1.0))
    for variance in np.tile([0.02, 0.2, 1.0], 300):
        w = rng.standard_normal(50)
        belief = crowd.believed(w + math.sqrt(variance) * rng.standard_normal(50), variance, phi)
        assert belief.sum() == pytest.approx(1.0)
        # Belief in the truth is on average Σ p², of which that of shares of draws is an estimate: too large by 1/draws.
        repeats = (crowd.DRAWS * belief**2 - belief).sum() / (crowd.DRAWS - 1)
        excess.append(belief[(phi @ w).argmax()] - repeats)
    assert abs(np.mean(excess)) < 4.0 * np.std(excess) / math.sqrt(len(excess))
    assert np.std(excess) > 0.01


def test_noise_costs_regret_a_crowd_saves_it_and_what_is_documented_of_it_is_what_is_measured():
    """And the average of all broadcasts is worth more than the last one."""
    small = class_size.measure(30, 2.0)
    bare, large = class_size.measure(30, 0.0, classes=8), class_size.measure(200, 2.0, classes=6)

    def clearly(less, more):
        return less.mean[0] + 2.0 * math.hypot(less.standard_error[0], more.standard_error[0]) < more.mean[0]

    assert clearly(bare.average, small.average)
    assert clearly(large.average, small.last)
    assert clearly(small.average, small.last)
    assert clearly(small.average, small.chance)
    assert math.isinf(bare.epsilon)
    documented = (DOCS / "class.md").read_text()
    assert class_size.table([small]).splitlines()[-1] in documented
    assert [f"| {size} | {z:g} |" in documented for size, z in class_size.MEASURED] == [True] * len(class_size.MEASURED)
