"""Every explanation of the Release page is shown at some setting, with a value for each of its names."""

import re

import pandas as pd
import pytest

from pages import ui
from pages.ui.explanations import FOLDER, explanation
from pages.ui.tuning import SCORES
from tests.helpers.released import brought, come, scored
from tests.helpers.shown import open_sections

VISITS = [
    {"way": "permute-and-flip", "publish": "setting and score"},
    {"way": "exponential"},
    {"algorithm": "1 noisy", "T": "8", "delta": "0.1"},
    {"algorithm": "1 noisy", "T": "8", "paper": "workshop", "task": "prior"},
    {"algorithm": "2 exact", "task": "svm"},
    {"algorithm": "2 exact", "T": "8", "paper": "workshop"},
    {"algorithm": "3 Lipschitz"},
    {"algorithm": "3 Lipschitz", "lambda_min": "0.4"},
    {"algorithm": "3 Lipschitz", "L": "0.1"},
    {"algorithm": "3 Lipschitz", "task": "svm"},
    {"task": "prior"},
]


@pytest.fixture
def shown(monkeypatch):
    """Return the texts that were shown, by section."""
    texts = {}

    def show(page, name, **values):
        texts[name] = explanation(page, name, **values)
        return texts[name]

    monkeypatch.setattr(ui, "explanation", show)
    monkeypatch.setattr("streamlit.download_button", lambda label, data, *_, **__: data())
    return texts


def test_every_section_is_shown_and_no_name_is_left_in_it(shown):
    for query in VISITS:
        open_sections(come(**query))
    open_sections(come(brought(pd.DataFrame(scored()), SCORES), algorithm="1 noisy", T="8"))
    written = {
        part.partition("\n")[0].strip() for part in (FOLDER / "release.md").read_text("utf-8").split("\n## ")[1:]
    }
    assert written == set(shown)
    assert [name for name, text in shown.items() if re.search(r"\[\[|\]\]|_\{f\}", text)] == []
