"""What is told and does not hang on a computation: the files of pages/content, and the named values that fill them.

A file is a template of text. A name in it that nobody gives is an error (`StrictUndefined`); `names_in` says which it uses.
"""

import math
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, meta

from pages.parts.values.numbers import epsilon_text, scientific, two_digits, whole_text

FOLDER = Path(__file__).parents[2] / "content"


def number(value: float) -> str:
    """Return a number with three digits, or as a whole one from 100 on."""
    return whole_text(value) if value >= 100 else f"{value:.3g}"


def percent(share: float) -> str:
    """Return a share in whole per cent, or with two digits below one."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{two_digits(100 * share)} %"


def in_100(share: float) -> str:
    """Return a share as so many of 100."""
    return f"{100 * share:.0f}"


def short_epsilon(value: float) -> str:
    """Return ε as it stands in a sentence: no zeros that say nothing, no power of ten."""
    return f"{value:.3g}" if value < 1000 else epsilon_text(value)


def whole(value: float) -> str:
    """Return a number without decimals, its thousands apart."""
    return f"{value:,.0f}"


def growth(logarithm: float) -> str:
    """Return how much more so much more of a logarithm is, in whole per cent."""
    return f"{100 * math.expm1(logarithm):.0f}"


def metres(degrees: float) -> str:
    """Return how far degrees of latitude are on the ground: one is 111.2 km."""
    return scientific(round(degrees * 111_200, -1))


_texts = Environment(autoescape=False, undefined=StrictUndefined, keep_trailing_newline=True)
_texts.filters |= {
    "number": number, "percent": percent, "in_100": in_100, "epsilon": short_epsilon, "whole": whole, "growth": growth,
    "metres": metres,
}  # fmt: skip


@cache
def text_of(name: str) -> str:
    """Return a file as it stands, its names not filled in."""
    return (FOLDER / name).read_text(encoding="utf-8")


def fill(text: str, values: dict[str, Any]) -> str:
    """Return a text with its names filled in."""
    return _template(text).render(values)


@cache
def _template(text: str) -> Template:
    return _texts.from_string(text)


def names_in(text: str) -> set[str]:
    """Return the names that a text wants to be filled."""
    return meta.find_undeclared_variables(_texts.parse(text))


@cache
def facts(name: str) -> dict[str, Any]:
    """Return what stands in a file of facts."""
    return tomllib.loads(text_of(name))


def sections(text: str) -> tuple[str, dict[str, str]]:
    """Return what stands before the first heading of the second order, and by heading what stands below each."""
    before, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return before, dict(zip(parts[::2], parts[1::2], strict=True))


def items(text: str) -> list[str]:
    """Return the items of a list, each as it stands; what stands before the first is left out."""
    return re.split(r"^(?:-|\d+\.) ", text, flags=re.MULTILINE)[1:]


def joined(text: str) -> str:
    """Return text on one line."""
    return re.sub(r"[ \n]+", " ", text).strip()
