"""Slides: everything that belongs to a picture is on them, as text that can be edited."""

import struct
import zlib
from io import BytesIO
from itertools import pairwise

import pytest
from pptx import Presentation

from pages.parts.export.scenes import Shot, Snapshot
from pages.parts.export.slides import PICTURE, deck, dimensions, document, slides
from tests.helpers.scenes import PAGES, a_scene

ADDRESS = "http://127.0.0.1:8501"
HOSTILE = '</script><img src=x onerror="alert(1)">'


def png(width, height):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\0" * -(-width // 8)) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def read(content):
    return Presentation(BytesIO(content)).slides


def texts(slide):
    return {shape.name: shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}


def test_a_slide_has_title_note_stamp_promise_and_source_as_text_and_an_undistorted_picture():
    made = slides([a_scene(), a_scene("2", title="My title", note="")], PAGES, ADDRESS)
    first, second = read(deck(made, {"1": png(2600, round(2600 * PICTURE[1] / PICTURE[0]))}))
    assert first.shapes.title.text_frame.text == "Privacy costs 0.12"
    assert first.notes_slide.notes_text_frame.text == "Say hello"
    said = texts(first)
    assert (said["Note"], said["Who may see it"]) == ("Say hello", "✗ promise refuted   ·   simulation")
    assert said["Guarantee"] == "Guarantee: refuted. It does not hold."
    for part in ("Outsourced · Homes", "Made with PrivBO", "1 May 2026", f"{ADDRESS}/outsourced?epsilon=3&data=homes"):
        assert part in said["Where it came from"]
    (picture,) = [shape for shape in first.shapes if shape.shape_type == 13]
    assert picture.image.size[0] >= 2000
    assert picture.width / picture.height == pytest.approx(picture.image.size[0] / picture.image.size[1], rel=0.005)
    assert picture._element.nvPicPr.cNvPr.get("descr") == "Three curves."
    assert second.shapes.title.text_frame.text == "My title"
    assert not second.has_notes_slide


def test_nothing_on_a_slide_covers_something_else_or_leaves_it_and_a_table_is_a_table_on_its_slide():
    scene = a_scene(note="A note\n" * 2)
    (slide,) = read(deck(slides([scene], PAGES, ADDRESS), {"1": png(2600, 941)}))
    boxes = sorted((shape.top, shape.top + shape.height) for shape in slide.shapes)
    assert all(above[1] <= below[0] for above, below in pairwise(boxes))
    assert boxes[-1][1] <= 720 * 9525
    snapshot = Snapshot((Shot("t", "Numbers", "share", rows=(("r", "paper"), ("3", "0.07"))),))
    scene = a_scene(snapshot=snapshot)
    (slide,) = read(deck(slides([scene], PAGES, ADDRESS), {}))
    (table,) = [shape.table for shape in slide.shapes if shape.has_table]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["r", "paper"], ["3", "0.07"]]
    assert "<td>0.07</td>" in document(slides([scene], PAGES, ADDRESS))


@pytest.mark.parametrize(("own", "words"), [(False, "open it once"), (True, "own data")])
def test_a_scene_without_a_picture_says_why(own, words):
    (slide,) = slides([a_scene(own=own, snapshot=None)], PAGES, ADDRESS)
    assert words in slide.missing
    assert slide.title == "Outsourced"
    assert words in texts(read(deck([slide], {}))[0])["Missing"]
    if own:
        assert "http" not in slide.source


def test_a_picture_that_could_not_be_drawn_is_said_to_be_missing():
    (slide,) = read(deck(slides([a_scene()], PAGES, ADDRESS), {}))
    assert texts(slide)["Missing"] == "This picture could not be drawn."


def test_hostile_words_are_text_on_every_slide():
    shot = Shot('"><b>', HOSTILE, "simulation", *[HOSTILE] * 3, a_scene().snapshot.shots[0].picture)
    scene = a_scene(
        title=HOSTILE, note=HOSTILE, snapshot=Snapshot((shot,), (HOSTILE,), data=HOSTILE), settings={HOSTILE: HOSTILE}
    )
    made = slides([scene], PAGES, ADDRESS)
    text = document(made)
    assert "<img" not in text.split("<script>")[0]
    assert text.count("<script>") == text.count("</script>") == 2
    (slide,) = read(deck(made, {}))
    assert slide.shapes.title.text_frame.text == HOSTILE


def test_a_picture_that_a_browser_sends_must_be_one_of_a_slide():
    assert dimensions(png(2600, 941)) == (2600, 941)
    for wrong in (b"", b"GIF89a", png(2600, 2600), png(20_000, 7237), png(2600, 941)[:20]):
        assert dimensions(wrong) is None
