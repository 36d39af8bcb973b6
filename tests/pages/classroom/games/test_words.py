"""What a pupil of fifteen reads in the class's games: words that nobody has to ask for."""

import ast
import re

from pages.parts.views.content import facts
from tests.helpers.paths import ROOT

KITS = list((ROOT / "pages/content/kits").glob("*.md"))
SPECIALISTS = r"\b(modelers?|curator|hue|mechanisms?|projected|δ|known to both|regret|neighbours) |\bδ\b"
EXERCISED = r"Φ|N\^|√\(|σ[^_]|moments accountant|mg/dL|modeler|\bhue|known to both"
"""What no exercise takes for known, nor the plan around it."""


def sentences(tree):
    """Return the texts of a module that have a space in them, but for docstrings."""
    remarks = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in remarks]
    return [node.value for node in texts if isinstance(node.value, str) and " " in node.value.strip()]


def test_the_words_of_the_games_need_no_second_reading():
    sources = [file.read_text() for file in (ROOT / "pages/parts/classroom/games").rglob("*.py")]
    read = [text for source in sources for text in sentences(ast.parse(source))]
    read += [text for said in facts("maps.toml").values() for text in said.values()]
    assert len(read) > 100
    assert [text for text in read if re.search(SPECIALISTS, f"{text} ", re.I)] == []


def test_no_kit_asks_for_a_word_of_the_papers():
    assert {file.name: re.findall(EXERCISED, file.read_text()) for file in KITS} == {file.name: [] for file in KITS}
