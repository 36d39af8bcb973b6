"""Texts from a visitor's table or address are shown as they are: no markup of theirs survives."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.cards import Tile, axis_name, badge, headline, link, tiles, title
from pages.ui.text import SIGMA_MIN, to_html, to_markdown, to_plain, verbatim

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    '"><b onclick=1>x</b>',
    "</div><h1>x",
    "&lt;b&gt;",
    "<sub onmouseover=1>x</sub>",
    "_{<i>x</i>}",
    "**<i>x</i>**",
    "**a_{b**}",
    "^{^{x}}",
    "a\x00b",
]
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(st.sampled_from("<>&\"'_^{}*ab/= \n"), max_size=40), st.text())


class Elements(HTMLParser):
    """Collects the elements of a text, with their attributes, and what it says."""

    def __init__(self, body):
        super().__init__(convert_charrefs=True)
        self.tags, self.words = [], ""
        self.feed(body)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, *attributes))

    def handle_data(self, data):
        self.words += data

    handle_comment = handle_decl = handle_pi = unknown_decl = handle_data


@given(NAMES)
def test_html_has_subscripts_superscripts_and_bold_only(name):
    found = Elements(to_html(name))
    assert set(found.tags) <= {("sub",), ("sup",), ("b",)}
    assert without_marks(found.words) == without_marks(name)


def without_marks(text):
    """Return a text without the signs of the kit's markup, and with one kind of line end."""
    return re.sub(r"[_^{}*]", "", text).replace("\r\n", "\n").replace("\r", "\n")


@given(NAMES)
def test_what_pages_show_has_the_kit_s_own_elements_only(name):
    for body in (
        headline(name, name),
        title(name, name, "simulated"),
        badge("refuted", name or "x"),
        tiles([Tile(name, name, name, "holder")]),
        axis_name(name, name),
        link(name, "audit"),
    ):
        ours = {"h1", "h3", "p", "div", "span", "a", "sub", "sup", "b"}
        for tag, *attributes in Elements(body).tags:
            assert tag in ours
            assert {key for key, _ in attributes} <= {"class", "href", "target"}
            assert all(value.startswith("pb-") for key, value in attributes if key == "class")


@given(NAMES)
def test_a_name_in_a_text_is_shown_as_it_is(name):
    shown = Elements(to_html(f"**age** {verbatim(name)} at σ_{{y}} **{verbatim(name)}**"))
    assert shown.tags.count(("sub",)) == 1
    assert ("sup",) not in shown.tags
    name = name.replace("\u2063", "").replace("\r\n", "\n").replace("\r", "\n")
    if name and "\n" not in name:
        assert shown.words == f"age {name} at σy {name}"
    assert to_plain(verbatim(name)) == verbatim(name).replace("\u2063", "")


SIGNS = r"[\\`*_{}\[\]<>()#+.!|~$:=-]"


@given(NAMES)
def test_markdown_shows_a_text_as_it_is(text):
    shown = to_markdown(text)
    assert not re.search(SIGNS, re.sub(rf"\\{SIGNS}", "", shown)), "every sign is escaped"
    assert "\n" not in shown
    plain = re.sub(rf"\\({SIGNS})", r"\1", shown)
    assert plain.replace("\u2060", "") == " ".join(to_plain(text).split()).replace("\u2060", "")


@pytest.mark.parametrize("name", ["https://evil.example", "www.evil.example", "HTTP://a.b", "me@evil.example"])
def test_markdown_makes_no_links_of_addresses(name):
    shown = to_markdown(f"“{name}” is not one of the choices.")
    assert not re.search(r"https?://|www\.|\w@", shown, re.IGNORECASE)


def test_markup_is_written_once_for_all_readers():
    assert to_html(f"**{SIGMA_MIN}** at 10^{{−5}}") == "<b>σ<sub>min</sub></b> at 10<sup>−5</sup>"
    assert to_plain(f"**{SIGMA_MIN}** at 10^{{−5}}") == "σ_min at 10^−5"
