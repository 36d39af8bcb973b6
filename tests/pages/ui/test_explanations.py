"""Every explanation is shown somewhere, with a value for each of its names and no others."""

import ast
import re

import pytest

from pages.ui.explanations import FOLDER, explanation
from tests.helpers.paths import ROOT

NAME = re.compile(r"\[\[(\w+)\]\]")


BY_NAME = ("release",)
"""Pages that put the name of a section together. Their own tests see each section shown, and no name left in it."""


def calls():
    """Return the arguments of every call that shows an explanation, with the names of its values."""
    scripts = [path for path in (ROOT / "pages").glob("*.py") if path.stem not in BY_NAME]
    for path in [*scripts, *(ROOT / "pages" / "ui").glob("*.py")]:
        tree = ast.parse(path.read_text("utf-8"))
        for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
            nodes = list(ast.walk(function))
            kept = {
                node.targets[0].id: {key.value for key in node.value.keys}
                for node in nodes
                if isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Dict)
                and hasattr(node.targets[0], "id")
                and all(isinstance(key, ast.Constant) for key in node.value.keys)
            }
            for node in nodes:
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("ui.explanation", "explanation"):
                    given = [{each.arg} if each.arg else kept[each.value.id] for each in node.keywords]
                    yield tuple(ast.literal_eval(each) for each in node.args), set().union(*given)


def written():
    for path in [path for path in FOLDER.glob("*.md") if path.stem not in BY_NAME]:
        for part in path.read_text("utf-8").split("\n## ")[1:]:
            yield (path.stem, part.partition("\n")[0].strip()), set(NAME.findall(part))


def test_each_explanation_is_shown_with_its_values():
    shown = list(calls())
    texts = dict(written())
    assert texts
    assert {text for text, _ in shown} == set(texts)
    assert [(text, names) for text, names in shown if names != texts[text]] == []


def test_values_are_filled_in():
    text = explanation("outsourced", "condition", omega="977", sigma_min="1,031")
    assert "977" in text
    assert "1,031" in text
    assert not NAME.search(text)
    with pytest.raises(KeyError):
        explanation("outsourced", "nothing of the kind")
