"""The one-page brief: it states the numbers of the page, and holds no markup but its own."""

import re
from dataclasses import replace

import pytest
import streamlit as st

from pages.ui.brief import Assumption, Brief, Picture, brief_html
from privbo_core.privacy import registry
from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import FRAME, made, open_own, small
from tests.helpers.reading import HOSTILE
from tests.helpers.reports import Reader
from tests.helpers.shown import headline


@pytest.fixture
def briefs(monkeypatch):
    """What the button of the brief hands out, one for each time that it is drawn."""
    given = []
    offer = st.download_button

    def noted(label, data, *how, **more):
        if label == "One-page brief" and not more["disabled"]:
            given.append(data)
        return offer(label, data, *how, **more)

    monkeypatch.setattr(st, "download_button", noted)
    return given


def text_of(page):
    found = Reader(page)
    assert found.loaded == []
    assert "script" not in found.tags
    return re.sub(r"\s+", " ", found.text)


@pytest.mark.parametrize("story", ["hospital", "team", "schools"])
def test_the_brief_states_the_numbers_of_the_page(briefs, story):
    app = open_page("tradeoff", story=story, epsilon="2")
    text = text_of(briefs[-1]())
    title, lead = headline(app)
    assert title in text
    assert lead in text
    conditions = len(re.findall(r"Vouched for by", text))
    assert conditions == {"hospital": 3, "team": 2, "schools": 3}[story]
    larger = sum(each > 2 for each, _ in registry().with_epsilon)
    assert tells(text, len(registry().with_epsilon), larger)
    assert "Not met" not in text
    assert text.count("Place and date") == 3


def test_a_chosen_epsilon_counts_as_not_met_on_a_table_of_ones_own(briefs):
    open_own(replace(made(small(60), "response", frame=FRAME), identity=None), "tradeoff", epsilon="2")
    text = text_of(briefs[-1]())
    assert briefs[-1]().count('class="unmet"') == 1
    assert "chosen after simulations on this table" in text
    assert "would be 2" in text
    assert not re.search(r"Strength (Very )?(Strong|Moderate|Weak|None)", text)


def test_a_frame_that_was_read_off_is_not_met_either(briefs):
    open_own(replace(made(small(60), "response"), identity=None), "tradeoff", epsilon="2")
    assert briefs[-1]().count('class="unmet"') == 2


def test_a_hostile_name_is_no_markup(briefs):
    table = small(60).rename(columns={"dose": HOSTILE, "age": '"><script>alert(1)</script>'})
    open_own(replace(made(table, "response", title=f"{HOSTILE}.csv"), identity=None), "tradeoff", epsilon="2")
    page = briefs[-1]()
    found = Reader(page)
    assert "script" not in found.tags
    assert "img" not in found.tags
    assert "http://x.y" not in re.sub(r">[^<]*<", "><", page)


def picture(**changes):
    values = {
        "epsilons": [0.1, 1.0, 10.0], "costs": [22.0, 8.0, 0.0], "low": [20.0, 3.0, -1.0], "high": [24.0, 12.0, 2.0],
        "found": 1, "zones": [(1.0, "strong", 4), (10.0, "weak", 2)], "epsilon": 1.0, "cost": 8.0,
        "label": "8 extra tests", "axis": "extra tests", "reference": "without privacy",
    }  # fmt: skip
    return Picture(**values | changes)


def test_no_text_of_a_brief_is_markup():
    named = picture(zones=[(10.0, "<i>", 2)], label=HOSTILE, axis=HOSTILE, reference=HOSTILE)
    one = (HOSTILE,)
    assumptions = (Assumption(HOSTILE, HOSTILE), Assumption(HOSTILE, "", unmet=True))
    hostile = Brief(HOSTILE, HOSTILE, HOSTILE, named, HOSTILE, [one * 2], assumptions, one, HOSTILE, one, HOSTILE)
    plain = Brief("q", "a", "l", picture(zones=[(10.0, "w", 2)]), "c", [("n", "v")], [Assumption("t", "b")] * 2,
                  ["x"], "r", ["s"], "m")  # fmt: skip
    assert set(Reader(brief_html(hostile)).tags) <= {*Reader(brief_html(plain)).tags, "b"}


@pytest.mark.parametrize(
    "changes",
    [{}, {"found": 3}, {"found": 0}, {"costs": [0.0] * 3, "low": [0.0] * 3, "high": [0.0] * 3, "cost": 0.0},
     {"epsilon": 1000.0}, {"epsilon": 0.01}, {"zones": []}, {"costs": [0.02, 0.01, 0.001], "cost": 0.01}],
)  # fmt: skip
def test_all_of_a_picture_lies_within_it(changes):
    brief = Brief("q", "a", "l", picture(**changes), "c", [("n", "v")], [Assumption("t", "b")], ["x"], "r", ["s"], "m")
    page = brief_html(brief)
    text_of(page)
    drawing = re.search(r"<svg.*?</svg>", page, re.DOTALL)[0]
    for x in re.findall(r'\b(?:x|x1|x2|cx)="([-\d.]+)"', drawing):
        assert 0 <= float(x) <= 720
    for y in re.findall(r'\b(?:y|y1|y2|cy)="([-\d.]+)"', drawing):
        assert 0 <= float(y) <= 250
    assert "nan" not in drawing
    assert "inf" not in drawing


def test_the_font_is_in_the_file():
    page = brief_html(Brief("q", "a", "l", picture(), "c", [], [], [], "r", [], "m"))
    assert re.search(r"@font-face \{[^}]*url\(data:font/woff2;base64,[A-Za-z0-9+/=]{50000,}\)", page)


def test_the_curve_of_the_picture_falls_with_its_costs():
    drawing = brief_html(Brief("q", "a", "l", picture(found=0), "c", [], [], [], "r", [], "m"))
    (points,) = re.findall(r'<polyline class="curve" points="([^"]*)"', drawing)
    y = [float(point.split(",")[1]) for point in points.split()]
    assert y == sorted(y)
