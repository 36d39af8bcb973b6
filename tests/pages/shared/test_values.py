"""The values that pages are made of: text, numbers, colours by role, pictures, sliders."""

import json
import re
from html import unescape

import numpy as np
import pytest

from pages.parts.live.sliders import Slider
from pages.parts.views.picture import DARK, LIGHT, PRIVATE, Colour, Picture
from pages.parts.views.templates import explained
from pages.parts.views.text import (
    SIGMA_Y,
    as_html,
    as_markdown,
    as_plain,
    as_plotly,
    in_formula,
    scientific,
    strong,
    struck,
    sub,
    toned,
    whole_text,
)


def test_sliders_read_what_people_type():
    slider = Slider("x", "x", 0.5, 20, 1, "", "", "")
    assert (slider.read("3,5"), slider.read(0.5 - 1e-9)) == (3.5, 0.5)
    whole = Slider("k", "k", 1, 9, 1, "", "", "", whole=True)
    assert whole.read("7.0") == 7
    for raw in ("", "abc", None, "0.2", "inf"):
        with pytest.raises(ValueError, match=r"\b0\.5\b.*\b20\b"):
            slider.read(raw)


def contrast(first, second):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_text_colours_have_contrast(colours):
    for name in ("private", "non_private", "random", "met", "unmet", "refuted", "text"):
        assert contrast(getattr(colours, name), colours.paper) >= 4.5, name


def test_numbers_that_are_not_finite_are_left_out_and_colours_are_roles_until_a_picture_is_drawn():
    picture = Picture()
    picture.line(np.array([1.0, 2.0]), np.array([np.nan, 2.0]), PRIVATE)
    assert '"y": [null, 2.0]' in picture.as_json(LIGHT)
    picture = Picture()
    picture.line([0, 1], [0, 1], PRIVATE.faded(0.5))
    picture.label(0, 0, f"<i>{sub('x')}", PRIVATE)
    assert picture.data[0]["line"]["color"] == Colour("private", 0.5)
    for palette in (LIGHT, DARK):
        drawn = json.loads(picture.as_json(palette))
        red, green, blue = (int(palette.private[i : i + 2], 16) for i in (1, 3, 5))
        assert drawn["data"][0]["line"]["color"] == f"rgba({red},{green},{blue},0.5)"
        (label,) = drawn["layout"]["annotations"]
        assert (label["font"]["color"], label["text"]) == (palette.private, "&lt;i&gt;<sub>x</sub>")


def test_small_numbers_are_written_as_people_write_them():
    values = (1e-5, 2.5e-4, 0.05, 1.61e9, 0, 8721.0, 999.6)
    assert [scientific(value) for value in values] == ["10⁻⁵", "2.5·10⁻⁴", "0.05", "1.6·10⁹", "0", "8,720", "1,000"]


HOSTILE = "<b>b</b> ![x](http://x.y/z.png) **c** & $d$"


LINKS = re.compile(r"(https?://|www(?=\.))[-.\w]+|[-.\w+]+@[-\w]+(\.[-\w]+)+", re.IGNORECASE)
"""Where the page makes links of text, once marks are read: as remark-gfm does."""


@pytest.mark.parametrize(
    "address",
    ["http://x.example/a", "HTTPS://x.example", "www.x.example", "WWW.x.example", "me@x.example", "a.b+c-d@x.example"],
)
def test_an_address_in_a_name_is_text_and_no_link(address):
    said = as_markdown(f"({address}) {address}_{address}").replace("\\", "")
    assert LINKS.search(address)
    assert not LINKS.search(said)
    assert said.replace("\u2060", "") == f"({address}) {address}_{address}"


def test_text_from_a_file_is_text_wherever_it_is_shown_and_marks_become_elements_around_it():
    assert as_html(HOSTILE) == "&lt;b&gt;b&lt;/b&gt; ![x](http://x.y/z.png) **c** &amp; $d$"
    assert as_plotly(HOSTILE).startswith("&lt;b&gt;b&lt;/b&gt;")
    plainly = as_markdown(HOSTILE).replace("\u2060", "")
    assert plainly.startswith(r"\<b\>b\</b\> \!\[x\]\(http\://x\.y/z\.png\) \*\*c\*\*")
    assert as_plain(HOSTILE) == HOSTILE
    text = f"{SIGMA_Y} {strong(HOSTILE[:8])} {toned('met', 'ok')} {struck('no')}\nnext"
    html = as_html(text)
    assert html.startswith("σ<sub>y</sub> <strong>&lt;b&gt;b&lt;/b&gt;</strong> ")
    assert html.endswith('<span class="pb-met">ok</span> <s class="pb-refuted">no</s><br>next')
    assert as_plotly(text) == "σ<sub>y</sub> <b>&lt;b&gt;b&lt;/b&gt;</b> ok <s>no</s><br>next"
    assert (as_plain(text), as_markdown(strong("a*b"))) == ("σ_y <b>b</b> ok no\nnext", r"**a\*b**")


def test_whole_numbers_are_written_one_way_and_a_formula_keeps_their_digits_together():
    assert [whole_text(value) for value in (87.6, 1030.9, -4711, 36_000)] == ["88", "1,031", "−4,711", "36,000"]
    assert in_formula(1030.9) == "1{,}030.9"
    html = str(explained(f"$\\omega = {in_formula(1030.9)}$"))
    assert "1,030.9" in unescape(re.sub(r"<[^>]+>", "", html))
