"""The report holds the figures themselves, and text stays text in it."""

import json
import re

from pages.parts.export.offer import About, script_value
from pages.parts.views.picture import LIGHT, PRIVATE, Picture
from pages.parts.views.templates import explained, render
from pages.parts.views.text import as_html
from pages.parts.views.views import KEY, Choice, Figure, Finding, Record, table
from tests.helpers.reading import numbers
from tests.helpers.taken import make, upload, visit


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


def test_the_report_holds_the_figures_of_the_page():
    _, views = visit("tradeoff", {"T": "10", "runs": "5", "data": "loans", "from": "1", "to": "3"})
    text, reader = make(views, About("Trade-off", "Loans", steps=("9,669 rows are used.",)))
    assert "tradeoff" in views.figures
    assert shown_in(text) == {slot: json.loads(figure.picture.as_json(LIGHT)) for slot, figure in views.figures.items()}
    for figure in views.figures.values():
        assert f"<h2>{as_html(figure.finding.title)}</h2>" in text
        assert f'role="figure" aria-label="{figure.alt}"' in text
        assert badge(figure.finding.audience) in text
    assert views.settings
    shown = [each for setting in views.settings.values() for each in (setting.name, setting.value)]
    for each in (*shown, "9,669 rows are used.", "2026", "03:04", "plotly 7.1.0",
                 "print('</script><b>')"):  # fmt: skip
        assert each in reader.text
    assert "http://127.0.0.1:8501/outsourced?T=10&data=synthetic" in reader.text


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


def test_a_page_without_a_task_offers_nothing_and_says_why():
    app, views = visit("tradeoff", {"tradeoff_task": "Release"}, {"task": "my scores"})
    assert views.figures == {}
    assert not scripts(app)
    assert app.info


def test_the_report_has_a_heading_for_each_figure():
    app, views = visit("tradeoff", {"view": "simple", "T": "6", "runs": "4"})
    assert views.figures
    assert share_only_of(app)
    text, _ = make(views, About("Trade-off", "data"))
    assert all(f"<h2>{as_html(figure.finding.title)}</h2>" in text for figure in views.figures.values())


def test_the_report_of_trade_off_has_the_answers_and_who_neighbours_are():
    _, views = visit("tradeoff", {"T": "6", "runs": "4", "from": "2", "to": "9", "epsilon": "3"})
    assert len(views.answers) == 2
    assert 3 in numbers(next(iter(views.answers)))
    assert len(views.explanations) == 3
    assert not any("<sub>" in explanation for explanation in views.explanations.values())
    text, reader = make(views, About("Trade-off", "data"))
    for question, answer in views.answers.items():
        assert question in reader.text
        assert render("answer.html", answer=answer) in text
    without, _ = make(views, About("Trade-off", "data"), share_only=True)
    assert not any(render("answer.html", answer=answer) in without for answer in views.answers.values())


def test_names_of_one_s_own_columns_stay_text_on_trade_off():
    app, _ = upload(200, ["![x](//a.bc/p.png)", "<b>b</b>", "**y**"], "tradeoff", stop=True)
    shown = [element.value for element in app.get("markdown")]
    named = [text for text in shown if r"\!\[x\]\(//a\.bc/p\.png\)" in text]
    assert named
    for text in named:
        assert "](" not in text
        assert "<b>" not in text
    make(app.session_state[KEY], About("Trade-off", "mine.csv", own=True))
