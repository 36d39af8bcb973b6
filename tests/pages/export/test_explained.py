"""No explanation that a page makes is broken by Markdown: neither on the page nor in the report."""

import re
from html import unescape

import pytest

from pages.parts.views.templates import FORMULA, explained, flowing
from tests.helpers.taken import visit

QUICK = {"T": "10", "runs": "5", "view": "expert"}
PAGES = [
    ("tradeoff", {**QUICK, "from": "1", "to": "10"}, {}),
]


def whole(text):
    """Check an explanation in Markdown and in the report's HTML."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        assert all(line.startswith("- ") for line in lines[1:]), f"a paragraph of several lines: {block}"
        for line in lines:
            start = line.removeprefix("- ")
            assert not re.match(r"\d+[.)]\s|[-+*#>=](\s|$)|\|", start), (
                f"Markdown takes the beginning for a sign: {line}"
            )
    words = FORMULA.sub("", text)
    assert not re.search(r"(?<!\\)_", words), f"Markdown takes an underscore for italics: {words}"
    slanted = re.sub(r"\*\*[^*]+\*\*|(?<![\w\\])\*[^*]+\*", "", words)
    assert not re.search(r"(?<!\\)\*", slanted), f"Markdown takes a star for emphasis: {slanted}"
    html = str(explained(text))
    plain = unescape(re.sub(r"<math.*?</math>|<[^>]+>", "", html, flags=re.DOTALL))
    assert not re.search(r"[\\$]|\*\*", plain), f"the report shows a sign of Markdown: {plain}"
    assert plain.count("_") == words.count("_")


@pytest.mark.parametrize(("page", "query", "widgets"), PAGES)
def test_explanations_of_pages_are_whole(page, query, widgets):
    _, record = visit(page, query, widgets)
    assert record.explanations
    for text in record.explanations.values():
        whole(text)


@pytest.mark.parametrize(
    ("text", "shown", "html"),
    [
        ("The best is ε =\n1. Then\nall.", "The best is ε = 1. Then all.", "<p>The best is ε = 1. Then all.</p>"),
        ("1. of May", "1\\. of May", "<p>1. of May</p>"),
        ("_a_ and σ_y", "\\_a\\_ and σ\\_y", "<p>_a_ and σ_y</p>"),
        ("if g* = 1 *and* g*/L", "if g\\* = 1 *and* g\\*/L", "<p>if g* = 1 <em>and</em> g*/L</p>"),
        ("$x_1$ is\n- one_a\n  more\n- two", "$x_1$ is\n- one\\_a more\n- two", "one_a more</li><li>two</li></ul>"),
    ],
)
def test_numbers_and_underscores_stay_what_they_are(text, shown, html):
    assert flowing(text) == shown
    assert html in explained(flowing(text))
