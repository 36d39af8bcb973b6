"""What is picked and set on Trade-off's Simple page, and what stands around its picture."""

from dataclasses import replace

from pages.parts.export.offer import about_problem, take_away
from pages.parts.live.desk import Sheet, plain
from pages.parts.outsourced import setup
from pages.parts.outsourced.promise import show_meaning_of
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.view import View
from pages.parts.table.diagnostics import WorthShown
from pages.parts.table.own_table import own_recipe, pick_problem
from pages.parts.views.picture import Picture
from privbo_core.outsourced import Measure, Mechanism


class Plain:
    """What is picked and set, and what stands around the picture, on the Simple pages about a noisy table."""

    def __init__(self, slot: str, epsilons: tuple[float, float] | None = None, mechanism: Mechanism = "noisy") -> None:
        """``epsilons``: the ends of the slider, where a picture's axis gives them."""
        self.sheet = Sheet(slot)
        with self.sheet.picker:
            simulation = pick_problem("hospital")
        panel = [plain(slider) for slider in setup.sliders(simulation, (mechanism,))]
        if epsilons is not None:
            panel[0] = replace(panel[0], min=epsilons[0], max=epsilons[1])
        self.controls = self.sheet.read("outsourced", panel, ["epsilon"])
        searching = setup.pick_searching(simulation.problem, shown=False)
        self.case = setup.case_of(simulation, (mechanism,), self.controls, searching)

    def open(self, question: str, view: View) -> None:
        self.sheet.open(question, view.story)
        with self.sheet.head:
            self.worth = WorthShown(self.case.simulation, warning=True)

    def close(self, title: str, measure: Measure, under: Picture | None = None) -> None:
        """Draw the slider, below its axis in the picture ``under``."""
        case = self.case
        self.sheet.close_panel(under=under)
        with self.sheet.rest:
            take_away(about_problem(title, case.problem), lambda: script_of(case, own_recipe(), measure))
            show_meaning_of(View(case).promise, case.setting, case.problem, case.leading)
