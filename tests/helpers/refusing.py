"""Calls that are refused, as a table."""

import pytest


def refusals(*cases, error=ValueError):
    """Return a test that each call is refused in one sentence that has these words."""

    @pytest.mark.parametrize(("call", "words"), cases)
    def test(call, words):
        with pytest.raises(error, match=words) as caught:
            call()
        assert "\n" not in str(caught.value)

    return test
