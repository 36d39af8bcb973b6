"""docs/tuning.md does what it says: its code is run, its outputs are compared."""

import re

from privbo_core.optuna import UNADAPTIVE
from privbo_core.release.scores import Kind
from privbo_core.sklearn import PrivateSearchCV
from tests.helpers.guides import blocks, run
from tests.helpers.paths import ROOT

GUIDE = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_the_guide_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, ran = run(blocks(GUIDE), "docs/tuning.md")
    assert ran == 7
    assert names["search"].best_params_["logistic__C"] in (1e-6, 1e-2, 1.0)
    assert names["scores"].kind == "folds"
    assert not hasattr(names["search"], "best_estimator_")


def test_it_names_what_there_is():
    parameters = set(PrivateSearchCV(None, {}, epsilon=1.0).get_params(deep=False))
    for name in re.findall(r"`(\w+)=", GUIDE):
        assert name in parameters, name
    assert all(f"`{sampler.__name__}`" in GUIDE for sampler in UNADAPTIVE)
    assert all(word in GUIDE for word in Kind.__args__)
