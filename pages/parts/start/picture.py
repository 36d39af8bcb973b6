"""Drawings as images, since Streamlit removes drawings from the HTML that it is given."""

from base64 import b64encode

from markupsafe import Markup

from pages.parts.frame.theme import palette
from pages.parts.show.templates import render


def picture(drawing: str) -> Markup:
    """Return the image of a drawing, given by the name of its template, in the theme's colours; ``alt`` is set in there."""
    colours = palette()
    encoded = b64encode(render(drawing, colours=colours).encode()).decode()
    source = f"data:image/svg+xml;base64,{encoded}"
    return render("story_picture.html", drawing=drawing, source=source, colours=colours)
