"""Arguments that are refused, and how values are quoted in sentences."""

import numpy as np
import pytest

from privbo_core import errors
from privbo_core.errors import DataError


@pytest.mark.parametrize("value", [True, np.True_, "3", None, [3], 1 + 2j, 10**400, float("nan"), 1e101])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(DataError, match=r"^x is .*. It must be a number"):
        errors.number("x", value)


@pytest.mark.parametrize("value", [3, None, "a\x1bb", "a\nb", "\ud800"])
def test_a_name_is_a_text_of_one_printable_line(value):
    with pytest.raises(DataError, match=r"^x is "):
        errors.name("x", value)


def test_items_are_listed_and_many_are_counted():
    assert [errors.listed(range(n)) for n in range(4)] == ["none", "0", "0 and 1", "0, 1 and 2"]
    assert errors.listed(range(2000), 2) == "0, 1 and 1,998 more"
