"""Where the Trade-off page shows how far it has got: the figure, and below it the two questions with their answers."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.frame.live import Live
from pages.parts.show.show import Place, show, show_answer
from pages.parts.tradeoff import figures, words
from pages.parts.tradeoff.sliders import Solver
from pages.parts.tradeoff.states import State, Wanted
from pages.parts.values.views import Figure, Finding


class Screen:
    """The figure in its place, and after `ask` the answers, of what is wanted and watched as ``live``."""

    def __init__(self, wanted: Wanted, live: Live, place: Place) -> None:
        self._wanted, self._live, self._place = wanted, live, place
        self._drawn: tuple[object, object, object] | None = None

    def begin(self) -> State:
        """Return what the last run of the page found out, if it was of the same sweep, and draw its marks."""
        live, wanted = self._live, self._wanted
        if live.before("of") != wanted.asked.of:
            return State()
        last: State = live.before("state")
        state = last.again(same_budget=live.before("budget") == wanted.budget)
        if state.sweep.runs:
            self._picture(state)
        return state

    def ask(self, solvers: tuple[Solver, Solver], columns: Sequence[DeltaGenerator], state: State) -> None:
        """Show what an ε costs, and which one is needed, with the sliders; until there are answers, the last ones dimmed."""
        places = []
        for column in columns:
            with column:
                places.append((st.empty(), st.container(), st.empty()))
        self._saver, (self._costs, self._needs) = solvers[1], [text for _, _, text in places]
        self._answers(state)
        for solver, (head, panel, _) in zip(solvers, places, strict=True):
            show(Finding(solver.heading, "simulation"), head)
            with panel:
                solver.show()

    def wait(self, state: State) -> None:
        """Dim what an earlier question has left in the figure's place, while nothing of this one can be drawn."""
        if not self._worth_drawing(state):
            self._place.dim()

    def draw(self, state: State) -> None:
        """Show how far the page has got, and remember it."""
        if self._worth_drawing(state):
            self._picture(state)
        if self._over(state):
            self._live.put_axis(figures.top_of(state.sweep))
        self._answers(state)
        self._live.remember(of=self._wanted.asked.of, budget=self._wanted.budget, state=state)

    def _over(self, state: State) -> bool:
        return state.sweep.complete or self._live.stopped

    def _worth_drawing(self, state: State) -> bool:
        return bool(state.sweep.runs) or self._over(state)

    def _picture(self, state: State) -> None:
        """Draw the marks that there are, and state what they show; not the same ones again."""
        now = state.sweep, state.settled, self._wanted.asked.instead
        if self._drawn == now:
            return
        self._drawn = now
        asked, shown = self._wanted.asked, state.shown
        axes = figures.Axes(
            self._wanted.epsilon, self._wanted.budget, asked.low, asked.high, f"{asked.epsilon_is} (log scale)",
            f"{asked.cost_is} ({asked.units[0].name})", log=asked.log_costs, top=self._live.axis(),
        )  # fmt: skip
        picture = figures.trade_off(asked.question, shown, axes)
        title = words.title(asked, shown, self._live.stopped)
        self._place.draw(Figure("tradeoff", title, picture, f"{asked.cost_is} against ε, for each mechanism."))

    def _answers(self, state: State) -> None:
        """Write both answers as far as they are known."""
        asked, epsilon = self._wanted.asked, self._wanted.epsilon
        costs = words.cost_answer(asked, epsilon, state.extras, state.old_extras)
        needs = words.epsilon_answer(asked, state.answers, state.old_answers)
        show_answer(f"What does ε = {epsilon:.3g} cost?", costs, self._costs)
        show_answer(f"Which ε do I need for {self._saver.slider.label}: {self._saver.value:.3g}?", needs, self._needs)
