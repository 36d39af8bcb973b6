"""Files that nobody has written for a seat at the Workbench, and words for Decide: a sentence, and the seat stands."""

import json

import pytest

from tests.helpers.heavy_files import zipped
from tests.helpers.named import Named
from tests.helpers.visitor import Visitor

MARKUP = "<script>alert(1)</script><img src=x>"
FORMATS = {"release": "privbo release", "order": "privbo order", "ledger": "privbo ledger", "search": "privbo search"}


def damaged(kind):
    said = (
        {"format": MARKUP, "version": MARKUP},
        {"format": FORMATS[kind], "version": 2 if kind == "ledger" else 1},
        {"format": FORMATS[kind], "version": [[]], MARKUP: 1e308},
    )
    texts = (
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"1" * 100_000,
        b'{"format": NaN}',
        b'{"a": 1, "a": 2}',
    )
    return [*texts, *(json.dumps(each).encode() for each in said)]


ZIPS = [
    b"no ZIP",
    zipped({}),
    zipped({"../../release.json": "{}", "/etc/passwd": "", MARKUP: ""}),
    zipped({"release.json": b" " * 64_000_000, "release.csv": b"1\n" * 1_000_000}),
    zipped({"search.json": "{}", "release.zip": zipped({"search.json": "{}", "release.zip": b""})}),
    *(
        zipped({f"{kind}.json": text, "release.csv": MARKUP, "release.zip": b"x"})
        for kind in ("release", "search")
        for text in damaged(kind)
    ),
]
ORDER, LEDGER, TABLE = "An order from Decide", "Bring back your ledger", "A table of your own"
ZIP = "The ZIP you were sent"
SEATS = {
    "holder": (
        [(ORDER, "order.json", damaged("order")), (LEDGER, "ledger.json", damaged("ledger"))],
        [(ORDER, "order.json"), (TABLE, "table.csv"), (LEDGER, "ledger.json")],
    ),
    "modeler": ([(ZIP, "release.zip", ZIPS)], [(ZIP, "release.zip"), (ZIP, "search.zip")]),
}
"""Each seat's places for files: what nobody has written for them, and then what is right but for its names."""


def no_markup(visitor):
    assert not visitor.errors
    assert not any("<script>alert" in text or "<img src=x" in text for text in visitor.html)


@pytest.mark.parametrize("seat", SEATS)
async def test_a_file_that_nobody_has_written_gets_a_sentence(server, seat):
    odd, right = SEATS[seat]
    good = Named(lambda name: f"{MARKUP}{name}")

    async def bring(visitor, place, name, content):
        await visitor.until(lambda: any(label.startswith(place) for label in visitor.uploaders) and not visitor.running)
        await visitor.after(visitor.upload(name, content, place), lambda: not visitor.running)
        no_markup(visitor)

    visitor = await Visitor.arrive(server.port, "workbench", {"seat": seat, "T": 10})
    for place, name, files in odd:
        for content in files:
            await bring(visitor, place, name, content)
            assert visitor.alerts, content[:80]
    for place, name in right:
        await bring(visitor, place, name, getattr(good, name.partition(".")[0]))
    assert "&lt;script&gt;" in " ".join(visitor.html), "what it is called is shown, as text"
    await visitor.leave()


@pytest.mark.parametrize("view", ["expert", "simple"])
async def test_what_is_written_on_a_decision_stays_text(server, view):
    visitor = await Visitor.arrive(server.port, "decision", {"view": view, "candidates": "1", "T": "10"})
    await visitor.until(lambda: "text_area" in visitor.widgets.values() and not visitor.running)
    message = visitor.request()
    for identity, kind in visitor.widgets.items():
        if kind in ("text_input", "text_area"):
            message.rerun_script.widget_states.widgets.add(id=identity, string_value=MARKUP)
    await visitor.after(visitor.send(message), lambda: not visitor.running)
    no_markup(visitor)
    assert "&lt;script&gt;" in " ".join(visitor.html)
    await visitor.leave()
