"""What is drawn for real: within ε, from the operating system, and nothing besides."""

import numpy as np
import pytest

from privbo_core.privacy import PermuteAndFlip, release
from privbo_core.release import Scores, publish_best
from tests.helpers.refusing import refusals


def scores(parts=40):
    values = np.tile([[0.2], [0.9], [0.5]], parts)
    return Scores(({"C": 1}, {"C": 2}, {"C": 3}), values, (0.0, 1.0), "parts")


@pytest.fixture
def asked(monkeypatch):
    """Return what was asked of the door for real releases."""
    noted = []
    monkeypatch.setattr(release, "select", lambda choice: noted.append(choice) or 1)
    monkeypatch.setattr(release, "laplace", lambda value, mechanism: noted.append((value, mechanism)) or value)
    return noted


@pytest.mark.parametrize("share", [0.0, 0.2, 0.75])
def test_setting_and_score_cost_epsilon_together(asked, share):
    found = publish_best(scores(), 2.0, score_share=share)
    assert (found.setting, found.guarantee.epsilon) == ({"C": 2}, 2.0)
    choice, *rest = asked
    assert isinstance(choice, PermuteAndFlip)
    assert (choice.sensitivity, choice.epsilon) == (pytest.approx(1 / 40), pytest.approx(2.0 * (1 - share)))
    if share:
        [(value, noise)] = rest
        assert (value, noise.sensitivity, noise.epsilon) == pytest.approx((0.9, 1 / 40, 2.0 * share))
        assert choice.epsilon + noise.epsilon == pytest.approx(2.0)
        assert found.half_width == pytest.approx(noise.half_width(0.95))
    else:
        assert (found.score, found.half_width, rest) == (None, None, [])


def test_the_published_setting_is_a_copy():
    table = scores()
    found = publish_best(table, 1e6)
    found.setting["C"] = "changed"
    assert table.settings[1] == {"C": 2}
    assert set(vars(found)) == {"setting", "score", "half_width", "guarantee"}


test_unusable_budgets_are_refused = refusals(
    *(((1.0, share), "score_share is") for share in (-0.1, 1.0, float("nan"))),
    *(((epsilon, 0.0), "epsilon is") for epsilon in (0.0, -1.0, float("inf"), float("nan"))),
    act=lambda spent: publish_best(scores(), spent[0], score_share=spent[1]),
)
