"""The report holds the figures themselves, and text stays text in it."""

import json
import re

from pages.parts.export.offer import About, script_value
from pages.parts.views.picture import PRIVATE, Picture
from pages.parts.views.templates import explained
from pages.parts.views.views import Choice, Figure, Finding, Record, table
from tests.helpers.reading import numbers
from tests.helpers.taken import make


def shown_in(text):
    """Return the figures in a report, read as a browser reads them."""
    return json.loads(re.search(r"<script>const shown = (.*?);\n", text)[1])["pictures"]


def badge(audience):
    return f'class="pb-badge pb-{audience}"'


def notice(text):
    """Return the numbers in what a report says of itself at its top."""
    return numbers(re.search(r'<p class="notice">(.*?)</p>', text)[1])


def scripts(app):
    return [block for block in app.get("code") if "def show(" in block.value]


def share_only_of(app):
    return [box for box in app.checkbox if box.key.startswith("take-away/share only")]


def test_a_report_before_any_figure_has_a_notice_and_no_script():
    text, reader = make(Record(), About("Outsourced optimisation", "Homes"))
    assert 'class="notice"' in text
    assert "script" not in reader.tags


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--"


def test_hostile_names_stay_text():
    picture = Picture()
    picture.line([0, 1], [0, 1], PRIVATE, name=HOSTILE)
    figure = Figure('"><b>', Finding(HOSTILE, "curator", HOSTILE), picture, HOSTILE)
    views = Record({figure.slot: figure}, settings={"x": Choice(HOSTILE, HOSTILE, HOSTILE)})
    about = About(HOSTILE, HOSTILE, own=False, steps=(HOSTILE,), choices=((HOSTILE, HOSTILE),))
    text, reader = make(views, about, made={"link": "javascript:alert(3)", "script": HOSTILE})
    assert reader.tags.count("script") == 2
    assert "img" not in reader.tags
    assert "javascript:" not in text.split("<script>")[0]
    assert shown_in(text)['"><b>']["data"][0]["name"] == HOSTILE
    assert "<" not in script_value({"<": ["</script>", "\u2028"]})
    assert "\u2028" not in script_value("\u2028")


def test_explanations_become_paragraphs_lists_and_formulas():
    html = explained("Say **a** and *b*\\_1 < c:\n\n$x^2$ is \\*not\\* <b>.\n- one\n- two\n\n$\\frac{$")
    assert html.startswith("<p>Say <strong>a</strong> and <em>b</em>_1 &lt; c:</p><p><math")
    assert "is *not* &lt;b&gt;.</p><ul><li>one</li><li>two</li></ul><p><code>\\frac{</code></p>" in html


def test_what_is_promised_on_a_condition_goes_to_others_and_is_named_so():
    audiences = ("share", "unmet", "curator")
    figures = {each: Figure(each, Finding(f"Of {each}", each), table=table(("a",), [("1",)])) for each in audiences}
    text, reader = make(Record(figures), About("Outsourced optimisation", "mine.csv", own=True), share_only=True)
    assert "Of share" in reader.text
    assert "Of unmet" in reader.text
    assert "Of curator" not in reader.text
    assert badge("unmet") in text
    assert notice(text) == [1], "so many were left out"
    text, _ = make(Record({"share": figures["share"]}), About("a", "b", own=True), share_only=True)
    assert badge("unmet") not in text
