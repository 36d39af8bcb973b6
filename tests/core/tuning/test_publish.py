"""What is drawn for real: within ε, from the operating system, and nothing besides."""

import numpy as np
import pytest

from privbo_core.privacy import Laplace, PermuteAndFlip, release
from privbo_core.tuning import Scores, publish


def scores(parts=40):
    values = np.tile([[0.2], [0.9], [0.5]], parts)
    return Scores(({"C": 1}, {"C": 2}, {"C": 3}), values, (0.0, 1.0), "parts", known_from="a plan")


@pytest.fixture
def asked(monkeypatch):
    """Return what was asked of the door for real releases."""
    noted = []

    def select(choice):
        noted.append(choice)
        return 1

    def laplace(value, mechanism):
        noted.append((value, mechanism))
        return value

    monkeypatch.setattr(release, "select", select)
    monkeypatch.setattr(release, "laplace", laplace)
    return noted


@pytest.mark.parametrize("share", [0.0, 0.2, 0.75])
def test_setting_and_score_cost_epsilon_together(asked, share):
    found = publish(scores(), 2.0, score_share=share)
    assert (found.row, found.setting, found.guarantee.epsilon) == (1, {"C": 2}, 2.0)
    choice, *rest = asked
    assert isinstance(choice, PermuteAndFlip)
    assert (choice.sensitivity, choice.epsilon) == (pytest.approx(1 / 40), pytest.approx(2.0 * (1 - share)))
    if share:
        [(value, noise)] = rest
        assert (value, noise) == (pytest.approx(0.9), Laplace(1 / 40, 2.0 * share))
        assert choice.epsilon + noise.epsilon == pytest.approx(2.0)
        assert found.half_width == pytest.approx(noise.half_width(0.95))
    else:
        assert (found.score, found.half_width, rest) == (None, None, [])


@pytest.mark.statistical
def test_draws_follow_the_exact_probabilities_and_scores_their_noise():
    table = scores(4)
    found = [publish(table, 2.0, score_share=0.5) for _ in range(1500)]
    shares = np.bincount([each.row for each in found], minlength=3) / 1500
    assert shares == pytest.approx(table.choice(1.0).probabilities, abs=5 * 0.5 / np.sqrt(1500))
    noise = [each.score - table.means[each.row] for each in found]
    assert np.mean(np.abs(noise)) == pytest.approx(0.25, abs=5 * 0.25 / np.sqrt(1500))
    assert len({each.score for each in found}) == 1500


def test_what_is_published_is_a_copy_and_says_nothing_of_other_scores():
    table = scores()
    found = publish(table, 1e6)
    found.setting["C"] = "changed"
    assert table.settings[found.row] == {"C": 2}
    assert set(vars(found)) == {"setting", "row", "score", "half_width", "guarantee"}


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_a_share_leaves_something_for_the_setting(share):
    with pytest.raises(ValueError, match="score_share is"):
        publish(scores(), 1.0, score_share=share)


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("inf"), float("nan")])
def test_epsilon_is_a_finite_number_above_0(epsilon):
    with pytest.raises(ValueError, match="epsilon is"):
        publish(scores(), epsilon)
