"""What these tests share: the wheel, built once."""

import pytest

from tests.helpers.environments import build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    (built,) = build(tmp_path_factory.mktemp("built"))
    return built
