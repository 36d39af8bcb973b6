"""Where a page says whether its table can carry an answer: a quiet line where it can, and a banner where it cannot."""

from collections.abc import Callable

from pages.parts.bring.worth.judged import waited_for
from pages.parts.bring.worth.words import said
from pages.parts.frame.spot import Spot
from pages.parts.show.templates import render
from privbo_core.diagnostics import Worth

Ask = Callable[[], Worth | None]
"""Returns the verdict, None as long as it is not known."""


def warn(ask: Ask | None) -> None:
    """Say here that the table carries no answer, if one can ask for that and it is known that it carries none."""
    known = ask() if ask else None
    spot = Spot()
    if known is None or known.something_to_lose:
        spot.clear()
    else:
        _say(spot, known)


class WorthShown:
    """The place where it is said of any table: what is ``known`` by now, and after `settle` what became known since."""

    def __init__(self, ask: Ask) -> None:
        self._ask, self._spot = ask, Spot()
        self.known = ask()
        if self.known is None:
            self._spot.clear()
        else:
            _say(self._spot, self.known)

    def settle(self) -> None:
        """Wait for what is not known yet, at the end of the page, and say it."""
        if self.known is None and (known := waited_for(self._ask)):
            self.known = known
            _say(self._spot, known)


def _say(spot: Spot, known: Worth) -> None:
    spot.html(render("worth.html", said=said(known), calm=known.something_to_lose))
