"""The only place where HTML is written: a few templates, and the one function that fills them in.

Whatever a template prints is text with marks (`values.text`): it is escaped, then its marks become elements. Only what
another template made goes in as it is. So nothing that comes from a file or an address can become markup.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from pages.parts.values.text import as_html, as_plain
from pages.parts.values.views import AUDIENCES

FOLDER = Path(__file__).parent / "html"


def _printed(value: object) -> Markup:
    return value if isinstance(value, Markup) else as_html(str(value))


_templates = Environment(
    loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, finalize=_printed,
    trim_blocks=True, lstrip_blocks=True, auto_reload=False,
)  # fmt: skip
_templates.filters["bare"] = as_plain  # in attributes, where no element can stand
_templates.filters["lines"] = escape  # where line breaks are line breaks
_templates.globals["audiences"] = AUDIENCES


def render(name: str, **values: object) -> Markup:
    """Return a template filled in with values."""
    return Markup(_templates.get_template(name).render(values))
