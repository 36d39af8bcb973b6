"""What a page says and draws, read without a browser."""

import re
from html import unescape

HOSTILE = "![x](http://x.y/z.png) <b>b</b> **c**"
"""A name from a file that would be a picture, an element and bold type."""


def html(app):
    """Return what the page's own elements are made of, but for their styles."""
    bodies = [element.proto.body for element in app.get("html")]
    return re.sub(r"<style.*?</style>", "", " ".join(bodies), flags=re.DOTALL)


def marked(app):
    boxes = (app.markdown, app.warning, app.info, app.error, app.success, app.caption)
    widgets = (app.button, app.selectbox, app.multiselect, app.toggle, app.radio, app.number_input)
    return [each.value for kind in boxes for each in kind] + [each.label for kind in widgets for each in kind]


def said(app):
    """Return all words on the page, without markup."""
    boxes = (app.markdown, app.warning, app.info, app.error, app.caption)
    texts = " ".join([*(each.value for kind in boxes for each in kind), html(app)])
    plain = unescape(re.sub(r"<style.*?</style>|</?[a-z][^>]*>", " ", texts, flags=re.DOTALL))
    return re.sub(r"\s+", " ", plain.replace("\\", ""))


def numbers(text):
    """Return the numbers in a text, as people write them: 1,234.5 or −0.2."""
    found = re.findall(r"[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?", text)
    return [float(each.replace(",", "").replace("−", "-")) for each in found]


def button(app, label):
    """Return the button that is called so, or the one whose name begins so."""
    (found,) = [each for each in app.button if each.label == label] or [
        each for each in app.button if each.label.startswith(label)
    ]
    return found


def answer(box, text):
    if text not in box.options:
        box.options.append(text)  # as the browser does
    return box.set_value(text)


def labels(app):
    return [each.label for each in (*app.button, *app.get("download_button"))]


def press(app, label):
    found = button(app, label)
    assert not found.disabled
    found.click().run()
    return app


def press_key(app, key):
    """Press the button of a key, whatever it is called."""
    app.button(key=key).click().run()


def choose(app, **state):
    """Set widgets by their keys, all at once, as a person would."""
    for key, value in state.items():
        app.session_state[key] = value
    app.run()
    return app


def address(app):
    return {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}


def asked_in_vain(app):
    """Return what the page says of an address: it is all that stands in a box of information."""
    return " ".join(each.value.replace("\\", "") for each in app.info)
