"""docs/tuning.md does what it says: its code is run, its outputs are compared."""

import contextlib
import io
import re

import pytest

from privbo_core.optuna import UNADAPTIVE
from privbo_core.sklearn import PrivateSearchCV
from privbo_core.tuning.scores import Kind
from tests.core.workbench.test_documented import check
from tests.helpers.paths import ROOT

GUIDE = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def run(text, names):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, "docs/tuning.md", "exec"), names)
    return out.getvalue()


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Run the guide from top to bottom, and return what its names stand for at the end."""
    with contextlib.chdir(tmp_path_factory.mktemp("guide")):
        blocks = [block.group("language", "text") for block in BLOCK.finditer(GUIDE)]
        assert GUIDE.count("```") == 2 * len(blocks), "every block has a language"
        printed, found, ran = "", {}, 0
        for language, text in blocks:
            if language == "text":
                check(printed, text)
                printed = ""
                continue
            assert language == "python"
            assert not printed, "what a block prints is documented"
            printed, ran = run(text, found), ran + 1
        assert not printed
        assert ran == 8
        yield found


def test_the_guide_does_what_it_says(names):
    assert names["search"].best_params_["logistic__C"] in (1e-6, 1e-2, 1.0)
    assert names["scores"].kind == "folds"
    assert not hasattr(names["search"], "best_estimator_")


def test_it_names_what_there_is():
    parameters = set(PrivateSearchCV(None, {}, epsilon=1.0).get_params(deep=False))
    for name in re.findall(r"`(\w+)=", GUIDE):
        assert name in parameters, name
    assert all(f"`{sampler.__name__}`" in GUIDE for sampler in UNADAPTIVE)
    assert all(word in GUIDE for word in Kind.__args__)
