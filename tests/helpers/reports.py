"""The interactive report that a page gives, made without a browser and read as a browser reads it."""

import html
import json
import re
from html.parser import HTMLParser

from streamlit.delta_generator import DeltaGenerator

from pages.ui import export
from pages.ui.report import LIBRARY

EMPTY = ("meta", "link", "br", "hr", "img", "input")


class Reader(HTMLParser):
    """Collects what a browser would load and run, and checks that elements are closed in the order of opening."""

    def __init__(self, text):
        super().__init__()
        self.open, self.loaded, self.tags, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        given = dict(attributes)
        assert not any(name.startswith("on") for name in given)
        self.loaded += [given[name] for name in ("src", "srcset", "data", "poster", "action", "href") if name in given]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data


def data_of(text):
    """Return the data in a report, with each part in the place that refers to it."""
    data = json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL)[1])

    def whole(value):
        if isinstance(value, list):
            return [whole(each) for each in value]
        if isinstance(value, dict):
            if "$" in value:
                return whole(data["pool"][value["$"]])
            return {key: whole(each) for key, each in value.items()}
        return value

    return {**data, "frames": dict(zip(data["values"], map(whole, data["frames"]), strict=True))}


def checked(text):
    """Return the data in a report that loads nothing, runs no other script than its own, and is small enough."""
    read = Reader(text)
    assert read.loaded == []
    assert read.tags.count("script") == 4, "the data, the library, and two of our own"
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', text)[1])
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert policy.count("'sha256-") == 3
    assert not re.search(r"script-src[^;]*unsafe", policy)
    assert len(text.encode()) - LIBRARY.stat().st_size <= 2_000_000
    return data_of(text)


def plain(markup):
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def ask_for_report(app, monkeypatch):
    """Press the button that makes the report of a page, and return the HTML that its download hands out."""
    given = []
    offer = DeltaGenerator.download_button

    def noted(place, label, data, *how, **more):
        given.append(data)
        return offer(place, label, data, *how, **more)

    monkeypatch.setattr(DeltaGenerator, "download_button", noted)
    monkeypatch.setattr(export, "SECONDS", 1e-9)  # so that it has the fewest settings
    (button,) = [each for each in app.button if each.key == "report/Make the report"]
    button.click().run()
    return given[-1]() if given else None
