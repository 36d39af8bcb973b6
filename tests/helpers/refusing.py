"""Calls that are refused, as a table."""

import pytest


def refusals(*cases, act=lambda call: call(), error=ValueError):
    """Return a test that each call, or ``act`` with what is given, is refused in one sentence that has these words."""

    @pytest.mark.parametrize(("given", "words"), cases)
    def test(given, words):
        with pytest.raises(error, match=words) as caught:
            act(given)
        assert "\n" not in str(caught.value)

    return test
