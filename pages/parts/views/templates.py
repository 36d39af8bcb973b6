"""The only place where HTML is written: a few templates, and the one function that fills them in.

Whatever a template prints is text with marks (`values.text`): it is escaped, then its marks become elements. Only what
another template made goes in as it is. So nothing that comes from a file or an address can become markup.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from jinja2 import Environment, FunctionLoader, StrictUndefined
from latex2mathml.converter import convert
from markupsafe import Markup, escape

from pages.parts.views.picture import Palette, palette
from pages.parts.views.text import as_html, as_plain, slanted, strong
from pages.parts.views.views import AUDIENCES, keep_explanation

FOLDER = Path(__file__).parent / "html"


_templates = Environment(
    loader=FunctionLoader(lambda name: (FOLDER / name).read_text(encoding="utf-8")),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=lambda value: value if isinstance(value, Markup) else as_html(str(value)),
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_templates.filters["bare"] = as_plain  # in attributes, where no element can stand
_templates.filters["lines"] = escape  # where line breaks are line breaks
_templates.globals["audiences"] = AUDIENCES


def render(name: str | Path, **values: object) -> Markup:
    """Return a template filled in with values; ``name``: in the folder of templates, or a path of its own."""
    return Markup(_templates.get_template(str(name)).render(values))


def image(drawing: str | Path, **values: object) -> str:
    """Return the address of a drawing as an image, in the theme's colours; Streamlit removes drawings from HTML."""
    drawn = render(drawing, colours=palette(), **values)
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"


_templates.globals["image"] = image
STYLE = Markup((Path(__file__).parent / "style.css").read_text(encoding="utf-8"))


def variables(colours: Palette) -> dict[str, str]:
    return {
        "met": colours.met,
        "unmet": colours.unmet,
        "claimed": colours.private,
        "refuted": colours.refuted,
        "paper": colours.paper,
    }


def apply_style() -> None:
    st.html(render("style.html", variables=variables(palette()), css=STYLE))


FORMULA = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
STRONG = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
SLANTED = re.compile(r"(?<!\\)\*(.+?)(?<!\\)\*", re.DOTALL)
LOOSE = re.compile(r"(?<!\\)_|(?<=[^\w*][gεxλ])\*(?!\*)")
"""What is meant as it stands: an underscore, the star of a letter, as in “g* = 1” and “up to g*/L”."""
SIGN = re.compile(r"^(\d*)([.)](?=\s)|[-+#>=](?=\s|$)|#)")
"""What would be a sign of Markdown at the beginning of a paragraph.

A number in a list, a bullet, a heading, a quotation.
"""
LITERAL = re.compile(r"\\([^A-Za-z0-9\s])")
NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # HTML knows the element without it

Piece = str | Markup


@contextmanager
def explaining(heading: str) -> Iterator[Callable[[str], None]]:
    """Open the popover *Explain this*; what it yields shows Markdown there and keeps it for the report."""
    with st.popover(f"Explain this: {heading}"):

        def say(text: str) -> None:
            text = flowing(text)
            st.markdown(text)
            keep_explanation(heading, text)

        yield say


def explain(heading: str, text: str) -> None:
    with explaining(heading) as say:
        say(text)


def explain_beside(*explanations: tuple[str, str]) -> None:
    for place, (heading, text) in zip(st.columns(len(explanations), gap="medium"), explanations, strict=True):
        with place:
            explain(heading, text)


def flowing(text: str) -> str:
    """Return Markdown as the explanations use it, in which no number and no index can be taken for a sign of Markdown.

    Lines of a paragraph are joined, so that none begins with what happens to stand there ("1." would begin a list); an
    underscore is one, not the beginning of italics. Formulas stay as they are.
    """
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip()):
        first, *items = (_joined(item) for item in re.split(r"^- ", block, flags=re.MULTILINE))
        blocks.append("\n".join([*([first] if first else []), *(f"- {item}" for item in items)]))
    return "\n\n".join(blocks)


def _joined(text: str) -> str:
    pieces = FORMULA.split(" ".join(text.split()))
    words = [f"${piece}$" if i % 2 else LOOSE.sub(r"\\\g<0>", piece) for i, piece in enumerate(pieces)]
    return SIGN.sub(r"\1\\\2", "".join(words))


def explained(text: str) -> Markup:
    blocks: list[tuple[str, list[list[Piece]]]] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        items = re.split(r"^- ", block, flags=re.MULTILINE)
        if items[0].strip():
            blocks.append(("paragraph", [_pieces(items[0])]))
        if len(items) > 1:
            blocks.append(("list", [_pieces(item) for item in items[1:]]))
    return render("explained.html", blocks=blocks)


def _pieces(text: str) -> list[Piece]:
    pieces = FORMULA.split(text.strip())
    return [_formula(piece) if i % 2 else _words(piece) for i, piece in enumerate(pieces)]


def _words(text: str) -> str:
    text = STRONG.sub(lambda found: strong(found[1]), " ".join(text.split("\n")))
    return LITERAL.sub(r"\1", SLANTED.sub(lambda found: slanted(found[1]), text))


def _formula(latex: str) -> Markup:
    try:
        return Markup(convert(latex).replace(NAMESPACE, ""))
    except Exception:  # whatever the converter stumbles over: the formula as it was written is better than none
        return render("code.html", text=latex)
