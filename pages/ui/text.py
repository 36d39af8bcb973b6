"""Write texts once, in plain strings with a little markup, for HTML, Plotly and Markdown.

`_{min}` and `^{−5}` are subscripts and superscripts, and `**bold**` is bold. Everything else is plain text, so a name
from a visitor's table can hold no markup.
"""

import html
import re
from collections.abc import Sequence

_SUB = re.compile(r"_\{([^{}]*)\}")
_SUP = re.compile(r"\^\{([^{}]*)\}")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+.!|~$:=-])")
_ADDRESS = re.compile(r"https?(?=://)|www(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
_SIGN = re.compile(r"[*_^]")
_NO_MARKUP = "\u2063"
"""Invisible. It follows a sign of a name that isn't markup, until the text becomes HTML or plain."""
_WORD_JOINER = "\u2060"
"""Invisible, and no place for a line break. Within an address, it keeps Markdown from making a link."""

SIGMA_MIN = "σ_{min}"
SIGMA_Y = "σ_{y}"


_NAMED = re.compile(r"σ_(min|y|f)\b")
_POWER = re.compile(r"\be\^(-?[0-9]+(?:\.[0-9]+)?|[a-z]\b)")


def marked(text: str) -> str:
    """Return a plain text with markup for its powers of e and for σ_min, σ_y and σ_f."""
    return _POWER.sub(r"e^{\1}", _NAMED.sub(r"σ_{\1}", text))


def verbatim(name: str) -> str:
    """Return a name from a visitor's table for use in a text, where it is shown as it is and never as markup."""
    return _SIGN.sub(rf"\g<0>{_NO_MARKUP}", name.replace(_NO_MARKUP, ""))


def to_html(text: str) -> str:
    """Return a text as HTML. Plotly's own texts take the same."""
    safe = html.escape(text)
    safe = _SUP.sub(r"<sup>\1</sup>", _SUB.sub(r"<sub>\1</sub>", safe))
    return _BOLD.sub(r"<b>\1</b>", safe).replace(_NO_MARKUP, "")


def to_plain(text: str) -> str:
    """Return a text without markup, for screen readers and the names of widgets."""
    return _BOLD.sub(r"\1", _SUP.sub(r"^\1", _SUB.sub(r"_\1", text))).replace(_NO_MARKUP, "")


def to_markdown(text: str) -> str:
    """Return a text that Streamlit's Markdown shows as it is, on one line."""
    words = _ADDRESS.sub(rf"\g<0>{_WORD_JOINER}", " ".join(to_plain(text).split()))
    return _MARKDOWN.sub(r"\\\1", words)


def joined(names: Sequence[str]) -> str:
    """Return names as people list them: one, two and three."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
