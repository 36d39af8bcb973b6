"""Text as people read it. It is plain text until it is drawn; marks in it (an index, a bold word) are no markup.

A mark is a pair of characters from Unicode's private-use area, which no table that is read can hold (`privbo_core.data`
takes them out). Whoever draws turns text into HTML, into what Plotly reads, or into Markdown by one of the functions at
the end; each escapes the text and then puts its own signs in place of the marks. So nothing from a file can become markup.
"""

import re
from html import escape
from typing import Literal

from markupsafe import Markup

Tone = Literal["met", "unmet", "refuted", "old"]

_FIRST = 0xE000
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_MARKS: dict[
    str, tuple[str, str, str, str]
] = {  # name: HTML tag with its attributes, Plotly's tag, Markdown, plain text
    "sub": ("sub", "sub", "", "_"),
    "sup": ("sup", "sup", "", "^"),
    "strong": ("strong", "b", "**", ""),
    "slanted": ("em", "i", "*", ""),
    "struck": ('s class="pb-refuted"', "s", "~~", ""),
    "met": ('span class="pb-met"', "", "", ""),
    "unmet": ('span class="pb-unmet"', "", "", ""),
    "refuted": ('span class="pb-refuted"', "", "", ""),
    "old": ('span class="pb-old"', "", "", ""),
}
_NUMBERS = {name: _FIRST + 2 * number for number, name in enumerate(_MARKS)}


def _mark(name: str, text: str) -> str:
    return f"{chr(_NUMBERS[name])}{text}{chr(_NUMBERS[name] + 1)}"


def sub(text: str) -> str:
    """Return text as an index: σ and `sub` of y."""
    return _mark("sub", text)


def sup(text: str) -> str:
    """Return text as an exponent."""
    return _mark("sup", text)


def strong(text: str) -> str:
    """Return text that stands out."""
    return _mark("strong", text)


def slanted(text: str) -> str:
    """Return text in italics."""
    return _mark("slanted", text)


def struck(text: str) -> str:
    """Return text that is struck through: a promise that does not hold."""
    return _mark("struck", text)


def toned(tone: Tone, text: str) -> str:
    """Return text in the colour of a role: a condition met or not, something refuted, something not up to date."""
    return _mark(tone, text)


SIGMA_Y = f"σ{sub('y')}"
SIGMA_F = f"σ{sub('f')}"
SIGMA_MIN = f"σ{sub('min')}"


def unmarked(text: str) -> str:
    """Return text from outside (an address, a file's name) without anything that could be taken for a mark."""
    return _PRIVATE_USE.sub("", text)


def minus(text: str) -> str:
    """Return numbers with a real minus sign."""
    return text.replace("-", "−")


def _table(kind: int) -> dict[int, str]:
    table = {}
    for name, signs in _MARKS.items():
        sign = signs[kind]
        if kind < 2:
            pair = (f"<{sign}>", f"</{sign.partition(' ')[0]}>") if sign else ("", "")
        else:
            pair = (sign, sign if kind == 2 else "")
        table[_NUMBERS[name]], table[_NUMBERS[name] + 1] = pair
    return table


TAGS = ("br", "extra", *sorted({signs[1] for signs in _MARKS.values()} - {""}))
"""The elements that a text in a figure may have, none of them with attributes."""
_HTML, _PLOTLY, _MARKDOWN, _PLAIN = (_table(kind) for kind in range(4))
_IN_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!|<>$~:-])")
_ADDRESS = re.compile(r"https?(?=://)|www(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
_JOINED = "\u2060"
"""Nothing to be seen, and no place to break a line: in an address, it makes no link of it where links are made of text."""


def as_html(text: str) -> Markup:
    """Return text as HTML; a line break becomes one there."""
    return Markup(escape(text).translate(_HTML).replace("\n", "<br>"))


def as_plotly(text: str) -> str:
    """Return text as Plotly reads it in titles, labels and hover texts; a line break becomes one there."""
    return escape(text, quote=False).translate(_PLOTLY).replace("\n", "<br>")


def as_hover(text: str) -> str:
    """Return text as Plotly reads it where the mouse is, without the trace's name beside it."""
    return f"{as_plotly(text)}<extra></extra>"


def as_markdown(text: str) -> str:
    """Return text as Markdown that shows just this text: no mark in it is one, and no address a link."""
    apart = _ADDRESS.sub(rf"\g<0>{_JOINED}", text)
    return _IN_MARKDOWN.sub(r"\\\1", apart).translate(_MARKDOWN)


def as_plain(text: str) -> str:
    """Return text without marks: σ_y."""
    return text.translate(_PLAIN)
