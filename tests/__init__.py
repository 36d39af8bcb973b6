"""The tests, as a package, so that they find their helpers; and a helper, too, shows what an assertion found."""

import pytest

pytest.register_assert_rewrite("tests.helpers")
