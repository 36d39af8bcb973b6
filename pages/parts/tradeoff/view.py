"""What Trade-off shows of a question, as one value, and how it is computed."""

from contextlib import closing
from dataclasses import dataclass, replace

from pages.parts.live.work import Steps
from pages.parts.system.question import Inquiry
from pages.parts.tradeoff import figures, words
from pages.parts.tradeoff.states import State, Wanted, states
from pages.parts.views.views import Answer, Figure


@dataclass(frozen=True, eq=False)
class View:
    """How far the page has got with what is wanted; ``stopped``: somebody has stopped it."""

    wanted: Wanted
    state: State
    stopped: bool

    @property
    def inquiry(self) -> Inquiry:
        """The question, with all that the page says about it."""
        return self.wanted.inquiry

    @property
    def over(self) -> bool:
        """Whether nothing more will be swept."""
        return self.state.sweep.complete or self.stopped

    @property
    def worth_drawing(self) -> bool:
        """Whether there is a first mark, or never will be."""
        return bool(self.state.sweep.runs) or self.over

    @property
    def seen(self) -> tuple[object, ...]:
        """What the figure is drawn of: the same picture again where that is the same."""
        return self.state.sweep, self.state.settled, self.inquiry.instead

    @property
    def top(self) -> float:
        """Where the top of the axis is best."""
        return figures.top_of(self.state.sweep)

    def figure(self, top: float | None) -> Figure:
        """Return the marks that there are, and what they show; ``top``: of the axis, where it is held."""
        asked, shown = self.inquiry, self.state.shown
        axes = figures.Axes(
            self.wanted.epsilon,
            self.wanted.budget,
            asked.low,
            asked.high,
            f"{asked.epsilon_is} (log scale)",
            f"{asked.cost_is} ({asked.units[0].name})",
            log=asked.log_costs,
            top=top,
            strokes=asked.strokes,
        )
        picture = figures.trade_off(asked.question, shown, axes)
        alt = f"{asked.cost_is} against ε, for each mechanism."
        return Figure("tradeoff", words.title(asked, shown, self.stopped), picture, alt, main=True)

    @property
    def cost(self) -> Answer:
        """What the ε costs, as far as that is known."""
        return words.cost_answer(self.inquiry, self.wanted.epsilon, self.state.extras, self.state.old_extras)

    @property
    def needed(self) -> Answer:
        """Which ε the budget needs, as far as that is known."""
        return words.epsilon_answer(self.inquiry, self.state.answers, self.state.old_answers)


def compute(view: View, *, held: bool) -> Steps[View]:
    """Yield views, better and better ones; while a thumb is ``held``, of no more than the outline."""
    with closing(states(view.wanted, view.state, stopped=view.stopped, held=held)) as steps:
        for state in steps:
            yield replace(view, state=state)
