"""*Explain this*: a popover on the page, and the same text as plain HTML with MathML for a report."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st
from latex2mathml.converter import convert

from pages.parts.frame.record import keep_explanation

FORMULA = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
WORDS = (
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"<strong>\1</strong>"),
    (re.compile(r"(?<!\\)\*(.+?)(?<!\\)\*", re.DOTALL), r"<em>\1</em>"),
    (re.compile(r"\\([^A-Za-z0-9\s])"), r"\1"),
)
NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # HTML knows <math> without it


@contextmanager
def explaining(heading: str) -> Iterator[Callable[[str], None]]:
    """Open the popover *Explain this*; what it yields shows Markdown there and keeps it for the report."""
    with st.popover(f"Explain this: {heading}"):

        def say(text: str) -> None:
            st.markdown(text)
            keep_explanation(heading, text)

        yield say


def as_html(text: str) -> str:
    """Return Markdown as the explanations use it, as HTML: paragraphs, lists of dashes, emphasis, formulas."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip()):
        items = re.split(r"^- ", block, flags=re.MULTILINE)
        if items[0].strip():
            blocks.append(f"<p>{_line(items[0])}</p>")
        if len(items) > 1:
            blocks.append(f"<ul>{''.join(f'<li>{_line(item)}</li>' for item in items[1:])}</ul>")
    return "".join(blocks)


def _line(text: str) -> str:
    pieces = FORMULA.split(text.strip())
    return "".join(_formula(piece) if i % 2 else _words(piece) for i, piece in enumerate(pieces))


def _words(text: str) -> str:
    html = escape(text)
    for pattern, replacement in WORDS:
        html = pattern.sub(replacement, html)
    return html


def _formula(latex: str) -> str:
    try:
        return str(convert(latex)).replace(NAMESPACE, "")
    except Exception:  # whatever the converter stumbles over: the formula as it was written is better than none
        return f"<code>{escape(latex)}</code>"
