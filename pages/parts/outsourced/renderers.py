"""The two depths of the Outsourced page: each says what may be set there, and draws the same view."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts.export.offer import about_problem, take_away
from pages.parts.live.desk import Desk, Sheet, plain
from pages.parts.live.sliders import Controls, Slider, read_controls, show_sliders
from pages.parts.live.work import Live
from pages.parts.outsourced import figures, setup
from pages.parts.outsourced.details import show_details
from pages.parts.outsourced.promise import offer_audit, show_cautions, show_meaning_of, show_promises
from pages.parts.outsourced.script import script_of
from pages.parts.outsourced.view import COMING, FIRST_RUNS, View, compute
from pages.parts.shell.address import choose, chosen_before
from pages.parts.shell.depth import carry
from pages.parts.table.diagnostics import WorthShown
from pages.parts.table.own_table import own_recipe, pick_problem
from pages.parts.views.drawing import Place, Slot, note, show
from pages.parts.views.picture import Picture
from pages.parts.views.text import SIGMA_Y, scientific, sub
from pages.parts.views.views import Figure, Finding
from privbo_core.outsourced import Measure, Mechanism

PAGE = "Outsourced optimisation"
SLOT = "found"


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


class Simple:
    """What the release that was chosen costs, in the rank of the best record found: at first the one that is proved."""

    def begin(self) -> tuple[View, Live]:
        release = st.query_params.get("release", "noisy")
        release = release if release in setup.RELEASES else "noisy"
        carry(release=release)
        page = Plain(SLOT, mechanism=setup.RELEASES[release][1][-1])
        self._sheet = page.sheet
        kind = page.case.problem.title, release
        live = Live("outsourced simple", kind, held=page.controls.dragging)
        view = View(page.case)
        page.open(view.question, view)
        self._sheet.say(seen_before(live, view).brief)
        page.close(PAGE, "simple")
        with self._sheet.rest:
            if view.refuted:
                noise, icon = {"release": "noisy"}, ":material/swap_horiz:"
                st.button("With noise instead, which hides", icon=icon, on_click=st.query_params.update, args=(noise,))
            offer_audit(page.case.setting, page.case.leading)
        self._sheet.place.dim()
        page.worth.settle()
        return view, live

    def draw(self, view: View, live: Live) -> None:
        self._sheet.say(view.brief)
        finding = Finding(view.answer, "simulation", view.median, view.stamp)
        self._sheet.place.draw(Figure(SLOT, finding, figures.ranks(view), view.alt))

    def announce(self, view: View) -> None:
        """Say how far the searches are."""

    def end(self, view: View, live: Live) -> None:
        remember(live, view)


def show_model(controls: Controls, panel: list[Slider], case: setup.Case) -> None:
    """Show the sliders of start and model under a fold, and what the model is then; open where something is changed."""
    changed = any(controls[slider.key] != slider.nearest(slider.value) for slider in panel)
    fold = st.expander("Model and start", key="model", expanded=changed, on_change="rerun")
    if not (fold.open or changed):
        return
    if controls.whole("initial") > case.setting.initial:
        controls.errors["initial"] = f"T leaves {case.setting.initial} of {case.problem.n} rows for a start."
    kernel, noise_variance = case.simulation.model(case.setting)
    lengths, variance = f"{kernel.lengthscale:.3g} in the scaled inputs", kernel.variance
    if case.leading == "noisy":
        prior = case.simulation.prior(case.setting)
        lengths, variance = f"{setup.span(prior.lengthscales)} hidden changes", prior.variance
        noise_variance = prior.noise_variance
    with fold:
        show_sliders(setup.MODEL_PANEL, panel, controls)
        signal, noise = f"{SIGMA_Y}² = {scientific(variance)}", f"σ{sub('n')}² = {scientific(noise_variance)}"
        note(f"The modeler’s: ℓ = {lengths}, {signal}, {noise}.")


class Expert:
    """All there is: what projection or noise does to distances, and what that costs the search."""

    def begin(self) -> tuple[View, Live]:
        """Read what is set, draw what follows the thumb, then what is known at once; return what is to be computed."""
        desk = Desk(PAGE)
        with desk.left:
            simulation = pick_problem()
            mechanisms = setup.pick_release()
            simulation = setup.pick_functions(simulation)
            searching = setup.pick_searching(simulation.problem)
            also = setup.pick_also()
        panel = setup.sliders(simulation, mechanisms)
        controls, start = desk.read("outsourced", panel), setup.model_sliders(simulation)
        model = read_controls(setup.MODEL_PANEL, start)
        both = replace(controls, values={**controls.values, **model.values})
        case = setup.case_of(simulation, mechanisms, both, searching, also)
        measure: Measure = chosen_before("measure", list(setup.MEASURES))
        self._lost = Live("outsourced tiles", None)
        with desk.at_once(setup.notched(panel, case)):
            worth = WorthShown(case.simulation, warning=True)
            self._tiles = Slot()
            left, right = st.columns(2, gap="medium")
            first = figures.what_follows_the_thumb(case)
            with left:
                Place(first.slot).draw(first)
            show(View(case, measure=measure).headline(self._lost.before("extra", COMING)[0]), self._tiles)
        with desk.below_panel:
            show_model(model, start, case)
        show_cautions(case, desk.below_panel)
        with right:
            self._place = Place("regret")
            untitled: dict[str, Any] = {"label_visibility": "collapsed", "required": True}
            measure = choose(st.segmented_control, "Measure", setup.MEASURES, key="measure", **untitled)
        view = View(case, measure=measure)
        with desk.below_panel:
            choices = *case.choices, ("Measure", setup.MEASURES[measure])
            take_away(about_problem(PAGE, case.problem, *choices), lambda: script_of(case, own_recipe(), measure))
        with desk.right:
            show_promises(case)
        kind = case.problem.title, simulation.functions, measure, mechanisms, also
        live = Live("outsourced", kind, held=controls.dragging or model.dragging)
        self._place.dim()
        worth.settle()
        return view, live

    def draw(self, view: View, live: Live) -> None:
        before = live.before("curves") if view.runs < view.case.runs else None
        picture = figures.regret(view, before, live.axis() or view.top)
        alt = "What is found over the tests: private, non-private and random search."
        self._place.draw(Figure("regret", view.finding, picture, alt))
        self._lost.remember(extra=view.lost)
        show(view.headline(), self._tiles)

    def announce(self, view: View) -> None:
        """Say how far the searches are."""
        self._place.say(view.finding)

    def end(self, view: View, live: Live) -> None:
        live.remember(curves={mechanism: view.curve(mechanism) for mechanism in view.case.mechanisms})
        live.rest()
        live.put_axis(view.top)
        show_details(view)


def seen_before(live: Live, view: View) -> View:
    """Return the view with what was last found, until its own first searches are in."""
    return replace(view, comparison=live.before("comparison"), earlier=view.case.setting != live.before("setting"))


def remember(live: Live, view: View) -> None:
    live.remember(comparison=view.comparison, setting=view.case.setting)
    live.rest()


def follow_searches(
    live: Live, view: View, draw: Callable[[View], None], announce: Callable[[View], None] = lambda view: None
) -> View:
    """Draw a view as its searches come in, once they show something and more than is in memory; return the last.

    ``announce`` counts in between.
    """
    known = view.finished
    last = live.follow(
        compute(view),
        draw,
        ready=lambda now: now.runs >= max(known, FIRST_RUNS),
        whole=lambda now: now.runs >= now.case.runs,
        announce=lambda now: announce(now) if now.runs > known else None,
    )
    assert last is not None
    return last
