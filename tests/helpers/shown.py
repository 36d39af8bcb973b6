"""What a page in the new form shows, read without a browser: headline, tiles, titles, sliders, figures, sections."""

import re
from html import unescape

from tests.helpers.charts import strict
from tests.helpers.reading import html


def plain(body):
    """Return a piece of HTML as text."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", body))).strip()


def headline(app):
    """Return the finding of a page, and the sentences below it with their badge."""
    (found,) = re.findall(r'<h1 class="pb-headline[^>]*>(.*?)</h1><p class="pb-lead[^>]*>(.*?)</p>', html(app))
    return tuple(map(plain, found))


def tiles(app):
    """Return name, value and remark of each tile. None of them may belong to an earlier setting."""
    found = re.findall(r'class="pb-name">(.*?)</div><div class="pb-value(.*?)">(.*?)</div>'
                       r'<div class="pb-remark">(.*?)</div>', html(app))  # fmt: skip
    assert [old for _, old, *_ in found if old] == []
    return [(plain(name), plain(value), plain(remark)) for name, _, value, remark in found]


def facts(app):
    """Return name, value and sentence of each card of a fact. None of them may belong to an earlier setting."""
    found = re.findall(
        r'class="pb-name">(.*?)</div><div class="pb-strong(.*?)">(.*?)</div>.*?<p class="pb-note.*?>(.*?)</p>',
        html(app),
    )
    assert [old for _, old, *_ in found if old] == []
    return [(plain(name), plain(value), plain(text)) for name, _, value, text in found]


def titles(app):
    """Return the titles of the figures with their notes."""
    found = re.findall(r'<h3 class="pb-title[^>]*>(.*?)</h3><p class="pb-note">(.*?)</p>', html(app))
    return [tuple(map(plain, each)) for each in found]


def tables(app):
    """Return each table as rows of cells, its head first."""
    found = re.findall(r'<table class="pb-table">(.*?)</table>', html(app))
    rows = [re.findall(r"<tr>(.*?)</tr>", table) for table in found]
    return [[[plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in each] for each in rows]


def guarantee(app):
    """Return the card of the guarantee as HTML."""
    (card,) = re.findall(r'<section class="pb-guarantee.*?</section>', html(app), re.DOTALL)
    return card


def sliders(app):
    """Return every slider as the browser gets it, by its key."""
    panels = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("ui_sliders")]
    return {slider["key"]: slider for panel in panels for slider in strict(panel.json)["sliders"]}


def values(app):
    return {key: slider["value"] for key, slider in sliders(app).items()}


def errors(app):
    panels = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("ui_sliders")]
    return {key: text for panel in panels for key, text in strict(panel.json)["errors"].items()}


def move(app, panel, number=1, **moved):
    """Report values of a panel's sliders, as the browser does when the thumb rests."""
    (found,) = [strict(each.proto.json) for each in app.get("bidi_component") if each.proto.id.endswith(f"-{panel}")]
    report = {"values": moved, "number": number, "dragging": False, "epoch": found["epoch"]}
    app.session_state[panel] = {"report": report}
    return app.run()


def sections(app):
    """Return the names of the sections that can be opened, in their order."""
    return [each.label for each in app.expander]


def open_more(app):
    """Open the settings that are rarely needed."""
    for key in [name for name, _ in app.session_state.items() if name.startswith("section/more/")]:
        app.session_state[key] = True
    return app.run()


def open_sections(app):
    """Open all that lies below the first screen."""
    for key in [name for name, _ in app.session_state.items() if name.startswith("section/")]:
        app.session_state[key] = True
    return app.run()
