"""No explanation that a page makes is broken by Markdown: neither on the page nor in the report."""

import pytest

from pages.parts.views.templates import explained, flowing


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
