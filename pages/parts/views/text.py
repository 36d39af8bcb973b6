"""Text as people read it: escaped, marked, and numbers as they are written."""

import math
import re
from functools import partial
from html import escape
from typing import Literal

from markupsafe import Markup

Tone = Literal["met", "unmet", "refuted", "old"]

_FIRST = 0xE000
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_MARKS = {  # name: HTML tag with its attributes, Plotly's tag, Markdown, plain text
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


sub, sup, strong, slanted, struck = (partial(_mark, name) for name in ("sub", "sup", "strong", "slanted", "struck"))
"""Text as an index (σ and `sub` of y), as an exponent, that stands out, in italics, and struck: what does not hold."""


def toned(tone: Tone, text: str) -> str:
    return _mark(tone, text)


SIGMA_Y = f"σ{sub('y')}"
SIGMA_F = f"σ{sub('f')}"
SIGMA_MIN = f"σ{sub('min')}"


def unmarked(text: str) -> str:
    """Return text from outside (an address, a file's name) without anything that could be taken for a mark."""
    return _PRIVATE_USE.sub("", text)


def minus(text: str) -> str:
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


_HTML, _PLOTLY, _MARKDOWN, _PLAIN = (_table(kind) for kind in range(4))
_IN_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!|<>$~:-])")
_ADDRESS = re.compile(r"https?(?=://)|www(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
_JOINED = "\u2060"
"""Nothing to be seen, and no place to break a line.

In an address, it makes no link of it where links are made of text.
"""


def as_html(text: str) -> Markup:
    return Markup(escape(text).translate(_HTML).replace("\n", "<br>"))


def as_plotly(text: str) -> str:
    return escape(text, quote=False).translate(_PLOTLY).replace("\n", "<br>")


def as_hover(text: str) -> str:
    """Return text as Plotly reads it where the mouse is, without the trace's name beside it."""
    return f"{as_plotly(text)}<extra></extra>"


def as_markdown(text: str) -> str:
    """Return text as Markdown that shows just this text: no mark in it is one, and no address a link."""
    apart = _ADDRESS.sub(rf"\g<0>{_JOINED}", text)
    return _IN_MARKDOWN.sub(r"\\\1", apart).translate(_MARKDOWN)


def as_plain(text: str) -> str:
    return text.translate(_PLAIN)


_RISEN = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def whole_text(value: float) -> str:
    """Return a number as a whole one, as numbers are written everywhere: 88, 1,031, −4,711."""
    return minus(f"{round(value):,}")


def in_formula(value: float, digits: int = 1) -> str:
    """Return a number for a formula in LaTeX: 1{,}030.9 keeps its digits together there."""
    return f"{value:,.{digits}f}".replace(",", "{,}")


def scientific(value: float) -> str:
    """Return a small number as people write it: 2.5e-4 as 2.5·10⁻⁴; others with three digits: 0.742, 8,720."""
    rounded = float(f"{value:.3g}")
    if value == 0 or 1e-3 <= abs(rounded) < 1e6:
        return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    power = "10" + str(int(exponent)).translate(_RISEN)
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"


def epsilon_text(value: float) -> str:
    if math.isinf(value):
        return "∞"
    if value >= 1000:
        return scientific(value) if value >= 1e6 else f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def rounded_up(value: float) -> float:
    """Return a number above 0 to two digits, never less than it is: for what is said to be at most so much."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return step * math.ceil(value / step - 1e-9)


def first_hidden(hides: tuple[str, ...], most: int = 3) -> tuple[str, ...]:
    """Return how much of each column is hidden, and of how many others where that is said of the first ones alone."""
    more = len(hides) - most
    others = "one other column" if more == 1 else f"{more} other columns"
    return (*hides[:most], f"so much of {others}") if more > 0 else hides


def two_digits(value: float) -> str:
    """Return a number with the two digits it deserves: 0.093, 7.7, 130, 1.2·10⁶."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "∞"
    rounded = float(f"{value:.2g}")
    if 1e-3 <= abs(rounded) < 1e4:
        text = f"{rounded:.0f}" if abs(rounded) >= 10 else f"{rounded:#.2g}"
    else:
        mantissa, exponent = f"{value:.1e}".split("e")
        text = f"{mantissa.removesuffix('.0')}·10{str(int(exponent)).translate(_RISEN)}"
    return minus(text)


def to_its_error(value: float, error: float, signed: bool = False) -> str:
    """Return a number to two decimals, or to the first digit of its standard error if that is finer."""
    digits = min(5, max(2, -math.floor(math.log10(error)))) if math.isfinite(error) and error > 0 else 2
    return minus(f"{value:{'+' if signed else ''}.{digits}f}")


def cost_text(value: float, error: float, signed: bool = True) -> str:
    """Return a cost with as many digits as its error deserves: two decimals at least, or three digits above 100."""
    if abs(value) >= 100:
        return minus(f"{float(f'{value:.3g}'):{'+' if signed else ''},.0f}")
    return to_its_error(value, error / 10, signed)


def best(rank: float) -> str:
    return "the best" if rank < 1.5 else f"one of the best {rank:,.0f}"
