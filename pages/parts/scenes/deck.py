"""Scenes as a PowerPoint file: titles, notes and stamps are text that can be edited, pictures are drawn finely."""

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from pages.parts.scenes.slides import PICTURE, Slide
from pages.parts.values.palette import LIGHT

PIXEL = 9525  # a 96th of an inch, in the unit that the format counts in
WIDTH, HEIGHT, EDGE = 1280, 720, 32
TITLE_ONLY = 5  # the layout of the library's own template that has a title and nothing else
COLOURS = {"curator": LIGHT.unmet, "conditional": LIGHT.unmet, "share": LIGHT.met, "refuted": LIGHT.refuted}
UNDRAWN = "This picture could not be drawn."
ROW, MOST_ROWS = 26, 15


def deck(slides: Sequence[Slide], pictures: Mapping[str, bytes]) -> bytes:
    """Return the file; ``pictures``: PNG by the scene’s id."""
    made = Presentation()
    made.slide_width, made.slide_height = _px(WIDTH), _px(HEIGHT)
    made.core_properties.title, made.core_properties.author = "PrivBO: scenes", "PrivBO"
    for slide in slides:
        _add(made, slide, pictures.get(slide.scene.id))
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def _add(made: Any, slide: Slide, picture: bytes | None) -> None:
    page = made.slides.add_slide(made.slide_layouts[TITLE_ONLY])
    title = page.shapes.title
    title.left, title.top, title.width, title.height = (_px(each) for each in (EDGE, 16, WIDTH - 2 * EDGE, 84))
    long = len(slide.title) > 110
    _write(title.text_frame, slide.title, 24 if long else 28, bold=True)
    marks = [text for text in (slide.stamp, slide.badge) if text]
    if marks:
        shot = slide.shot
        colour = COLOURS.get(shot.audience, LIGHT.text) if shot else LIGHT.text
        _text(page, (EDGE, 100, WIDTH - 2 * EDGE, 34), "   ·   ".join(marks), 14, name="Who may see it", bold=True,
              colour=LIGHT.refuted if slide.stamp else colour)  # fmt: skip
    top = 138
    shot = slide.shot
    if picture and shot:
        shape = page.shapes.add_picture(BytesIO(picture), *(_px(each) for each in (EDGE, top, *PICTURE)))
        shape.name = "Picture"
        shape._element.nvPicPr.cNvPr.set("descr", shot.alt)  # the library has no other way to say what a picture shows
    elif shot and shot.rows:
        _table(page, shot.rows, top)
    else:
        _text(page, (EDGE, top, WIDTH - 2 * EDGE, 60), slide.missing or UNDRAWN, 16, name="Missing")
    if slide.note:
        page.notes_slide.notes_text_frame.text = slide.note
        _text(page, (EDGE, 582, WIDTH - 2 * EDGE, 50), slide.note, 14, name="Note")
    if slide.promise:
        _text(page, (EDGE, 634, WIDTH - 2 * EDGE, 44), slide.promise, 11, name="Guarantee")
    _text(page, (EDGE, 680, WIDTH - 2 * EDGE, 34), slide.source, 9, name="Where it came from")


def _table(page: Any, rows: Sequence[Sequence[str]], top: int) -> None:
    shown = rows[:MOST_ROWS]
    place = (EDGE, top, PICTURE[0], ROW * len(shown))
    table = page.shapes.add_table(len(shown), len(shown[0]), *(_px(each) for each in place)).table
    for i, row in enumerate(shown):
        for j, text in enumerate(row):
            _write(table.cell(i, j).text_frame, text, 11, bold=not i)


def _text(
    page: Any, place: tuple[int, int, int, int], text: str, size: int, *, name: str, bold: bool = False, colour: str = LIGHT.text,
) -> None:  # fmt: skip
    box = page.shapes.add_textbox(*(_px(each) for each in place))
    box.name = name
    _write(box.text_frame, text, size, bold=bold, colour=colour)


def _write(frame: Any, text: str, size: int, *, bold: bool = False, colour: str = LIGHT.text) -> None:
    frame.word_wrap = True
    frame.text = re.sub(r"\s*\n\s*", "\n", text)
    for paragraph in frame.paragraphs:
        paragraph.alignment = 1  # left
        for run in paragraph.runs:
            run.font.size, run.font.bold = Pt(size), bold
            run.font.color.rgb = RGBColor.from_string(colour[1:])


def _px(pixels: float) -> Any:
    return Emu(round(pixels * PIXEL))
