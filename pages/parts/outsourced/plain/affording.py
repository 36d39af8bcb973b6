"""What Trade-off shows of Outsourced on its Simple page."""

from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.bring.worth.shown import warn
from pages.parts.frame.live import Live
from pages.parts.outsourced.neighbours import noisy_promise, show_meaning_of
from pages.parts.outsourced.plain.afford import Afford, afford
from pages.parts.outsourced.plain.words import Words
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.searching import pick_searching
from pages.parts.outsourced.shape import pick_shape
from pages.parts.outsourced.sliders import case_of, sliders
from pages.parts.show.sheet import Sheet, plain
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.values.samples import of_table

SLOT = "afford"


def show_afford() -> None:
    """Draw the page: the same sliders, searches and runs as on the Outsourced page."""
    sheet = Sheet(SLOT)
    with sheet.picker:
        simulation = pick_problem("hospital")
    shape = pick_shape(simulation.problem.frame, shown=False)
    panel = [plain(slider) for slider in sliders(simulation, ("noisy",), shape)]
    controls = sheet.read("outsourced", panel, ["epsilon"])
    searching = pick_searching(simulation.problem, shown=False)
    case = case_of(simulation, ("noisy",), controls, searching, shape=shape)
    words = Words(case, of_table(simulation.problem))
    live = Live("afford", simulation.problem.title, held=controls.dragging)
    known: Afford = live.before("afford", Afford(words, {}))
    sheet.open(f"{words.told.holder} asks: how much privacy can we afford?", words.story)
    with sheet.head:
        warn(case.worth)
    sheet.say(Afford(words, known.found).brief())
    sheet.place.draw(Afford(words, known.found).figure(SLOT))
    sheet.close_panel()
    with sheet.rest:
        take_away(
            about_problem("What does privacy cost?", simulation.problem), lambda: script_of(case, own_recipe(), "rank")
        )
        show_meaning_of(noisy_promise(simulation, case.setting), case.setting, simulation.problem, "noisy")

    def draw(now: Afford) -> None:
        sheet.say(now.brief())
        sheet.place.draw(now.figure(SLOT))

    last = live.follow(afford(words, known.found), draw)
    live.remember(afford=last)
    live.rest()
