"""The Simple page of Outsourced: what the release that keeps its promise costs, in the rank of the best record found."""

import streamlit as st

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.bring.worth.shown import warn
from pages.parts.frame.depth import carry
from pages.parts.frame.live import Live
from pages.parts.frame.undocumented import give_way
from pages.parts.outsourced.neighbours import noisy_promise, show_meaning_of
from pages.parts.outsourced.plain.picture import found
from pages.parts.outsourced.plain.words import Words
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.searching import pick_searching
from pages.parts.outsourced.shape import pick_shape
from pages.parts.outsourced.sliders import case_of, sliders
from pages.parts.show.sheet import Sheet, plain
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.samples import of_table
from pages.parts.values.views import Figure
from privbo_core.outsourced import Comparison, Mechanism

MECHANISMS: tuple[Mechanism, ...] = ("noisy",)
PAGE = "Outsourced optimisation"
SLOT = "found"
FIRST_RUNS = 4


def run() -> None:
    """Draw the page."""
    sheet = Sheet(SLOT)
    carry(release="noisy")
    with sheet.picker:
        simulation = pick_problem("hospital")
    shape = pick_shape(simulation.problem.frame, shown=False)
    panel = [plain(slider) for slider in sliders(simulation, MECHANISMS, shape)]
    controls = sheet.read("outsourced", panel, ["epsilon"])
    searching = pick_searching(simulation.problem, shown=False)
    case = case_of(simulation, MECHANISMS, controls, searching, shape=shape)
    words = Words(case, of_table(simulation.problem))
    live = Live("outsourced simple", simulation.problem.title, held=controls.dragging)
    sheet.open(words.question, words.story)
    with sheet.head:
        warn(case.worth)
    sheet.say(words.brief(live.before("comparison")))
    sheet.close_panel()
    with sheet.rest:
        take_away(about_problem(PAGE, simulation.problem), lambda: script_of(case, own_recipe(), "simple"))
        show_meaning_of(noisy_promise(simulation, case.setting), case.setting, simulation.problem, "noisy")
        st.page_link("pages/audit.py", label="Does it hold? Audit", icon=":material/fact_check:")

    def draw(comparison: Comparison) -> None:
        sheet.say(words.brief(comparison))
        picture = found(comparison, simulation.problem.n, (words.told.one, words.told.tests))
        sheet.place.draw(Figure(SLOT, words.finding(comparison), picture, words.alt))

    sheet.place.dim()
    known = simulation.finished("noisy", case.setting, case.runs)
    last = live.follow(
        simulation.compare(case.setting, case.runs, MECHANISMS, give_way), draw,
        ready=lambda now: now.runs >= max(known, FIRST_RUNS), whole=lambda now: now.runs >= case.runs,
    )  # fmt: skip
    live.remember(comparison=last)
    live.rest()
