"""A figure ends as what was drawn last, whatever an earlier run of the script had drawn."""

import shutil

from pages.ui.server import LIBRARY
from tests.helpers.serving import ROOT, serving
from tests.helpers.waiting import quiet

APP = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from pages.parts.views.drawing import Chart
from pages.parts.views.picture import PRIVATE
from pages.parts.views.picture import Picture

def flat(level):
    picture = Picture(height=200)
    picture.line([0, 1], [level, level], PRIVATE)
    return picture

number = st.session_state.setdefault("number", 0)
chart = Chart("figure")
for level in ((0, 9), (1, 9), (2, 9), (9,), (3, 1, 9), (9, 3, 9))[number]:
    chart.draw(flat(level), "a line")
st.session_state["number"] += 1
st.button("Again")
st.write(f"Run {{number}} is complete")
"""
LEVEL = "() => document.querySelector('.plot[data-drawn]')?.data?.[0].y[0]"


def test_a_figure_that_was_fed_before_is_drawn_again_over_another(tmp_path, page):
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "app.py").write_text(APP)
    (folder / "static").mkdir()
    shutil.copy(LIBRARY, folder / "static")
    alone = ["--server.enableStaticServing", "true", "--browser.gatherUsageStats", "false"]
    with serving(tmp_path, options=alone, folder_of_app=folder) as server:
        page.goto(server.address)
        for number in range(6):
            page.get_by_text(f"Run {number} is complete").wait_for()
            page.wait_for_function(f"() => ({LEVEL})() === 9")
            quiet(page)
            assert page.evaluate(LEVEL) == 9
            if number < 5:
                page.get_by_role("button", name="Again").click()
