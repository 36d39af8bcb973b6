"""The Simple page of Release: what publishing the setting by private selection, which is proved, costs."""

import streamlit as st

from pages.parts.frame.live import Live
from pages.parts.release.plain.picture import chances
from pages.parts.release.plain.words import NO_RECORDS, QUESTION, Words
from pages.parts.release.script import release_script
from pages.parts.release.setup import set_up
from pages.parts.release.sliders import sliders
from pages.parts.release.tasks import pick_task, spoken_of
from pages.parts.release.words import SECRET, TITLE, prior_from
from pages.parts.show.meaning import show_meaning
from pages.parts.show.sheet import Sheet, plain
from pages.parts.take_away.offer import take_away
from pages.parts.take_away.report import About
from pages.parts.values.views import Figure

SLOT = "chances"


def run() -> None:
    """Draw the page."""
    sheet = Sheet(SLOT)
    with sheet.picker:
        task = pick_task()
    if task is None or task.records is None:
        sheet.open(QUESTION, "There is nothing to tune yet: choose a file, or one of the built-in tasks.")
        if task is not None:
            sheet.rest.info(NO_RECORDS)
        return
    panel = [plain(slider) for slider in sliders(task, 0)]
    controls = sheet.read("release", panel, ["epsilon"])
    setup = set_up(task, 0, "icml", controls.values)
    words = Words(setup, spoken_of(task))
    live = Live("release simple", task.title, held=controls.dragging)
    sheet.open(QUESTION, words.story)
    sheet.say(words.brief())
    sheet.place.draw(Figure(SLOT, words.finding, chances(setup, words.told), words.alt))
    sheet.close_panel()
    with sheet.rest:
        about = About(TITLE, task.title, task.identity is None, (prior_from(task),))
        take_away(about, lambda: release_script(st.session_state["task"], setup, controls.values))
        show_meaning(setup.guarantee(1), SECRET)
        st.page_link("pages/audit.py", label="Does it hold? Audit", icon=":material/fact_check:")
    live.rest()
