"""Every text of pages/content/explain is said somewhere, and is given the names that it has, no fewer and no more."""

import ast
from functools import cache

from pages.parts.views.content import FOLDER, facts, names_in, sections
from tests.helpers.paths import ROOT


@cache
def calls():
    """Return every call in the code of the pages, but for what reads the texts."""
    paths = [path for path in (ROOT / "pages").rglob("*.py") if path.name != "content.py"]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_each_text_that_a_writer_finds_is_given_its_names_where_it_is_said():
    """Read off the calls, so that it holds of every text in every branch, whichever a page happens to show."""
    written = {
        (path.stem, heading): names_in(text)
        for path in sorted((FOLDER / "explain").glob("*.md"))
        for heading, text in sections(path.read_text(encoding="utf-8"))[1].items()
    }
    said = [
        (tuple(map(ast.literal_eval, call.args)), {given.arg for given in call.keywords})
        for call in calls()
        if getattr(call.func, "id", "") in ("prose", "explanation")
    ]
    assert {text for text, _ in said} == set(written)
    assert [(text, names) for text, names in said if names != written[text]] == []


def test_each_slider_that_a_writer_finds_is_on_a_page_and_each_on_a_page_is_found():
    written = {f"{room}.{name}" for room, sliders in facts("sliders.toml").items() for name in sliders}
    shown = [ast.literal_eval(call.args[0]) for call in calls() if ast.unparse(call.func) == "Slider.of"]
    assert set(shown) == written
