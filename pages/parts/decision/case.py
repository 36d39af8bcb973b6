"""A decision in the making, of any system: what is weighed, how strongly an ε protects, what is said and signed."""

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Protocol

from pages.parts.decision.question import Signed, Who
from pages.parts.decision.sheet import Sheet, Signature
from pages.parts.live.sliders import Controls, Slider
from privbo_core.decision import LEAST, Recommendation, Weighing, proposed_limit, recommend
from privbo_core.diagnostics import Diagnosis
from privbo_core.privacy import Guarantee, Strength

Weighings = Generator[Weighing, None, None]


@dataclass(frozen=True)
class Drawn:
    """What goes into a page of the holder: the searches so far, what they recommend, and which ε is decided.

    ``worth``: whether the data can carry an answer, None as long as that is not known. ``proposed``: nobody set the
    limit. ``least``: the level of protection that is asked for. ``public`` and ``in_public``: costs and recommendation
    by what everybody may know; ``looked``: ε is not the one that these recommend, so it was chosen after looking.
    """

    weighing: Weighing
    worth: Diagnosis | None
    found: Recommendation | None
    proposed: bool
    epsilon: float | None
    least: int = LEAST
    public: Weighing | None = None
    in_public: Recommendation | None = None
    looked: bool = True

    @property
    def recommended(self) -> float | None:
        """The ε that is recommended from what is public alone, None if none is."""
        return self.in_public.chosen.epsilon if self.in_public and self.in_public.chosen else None

    @property
    def counts(self) -> bool:
        """Whether a cost means anything on these data, as far as that is known."""
        return self.worth is None or self.worth.something_to_lose


class Weighed(Protocol):
    """What is weighed: candidates of ε, the unit of what they cost, how strongly each protects."""

    @property
    def candidates(self) -> tuple[float, ...]:
        """The candidates of ε."""

    @property
    def unit(self) -> str:
        """The unit of a cost, as it follows a number."""

    @property
    def guess(self) -> str:
        """What an attacker guesses, after "guesses"."""

    @property
    def gains(self) -> str:
        """What a limit that nobody set is, as a share of what is gained."""

    @property
    def remedies(self) -> str:
        """What to do where no ε is found."""

    def protects(self, epsilon: float) -> Strength:
        """Return how strongly an ε protects as things stand."""

    def strength(self, epsilon: float, *, for_all: bool) -> Strength:
        """Return the same; ``for_all``: if the promise holds."""


@dataclass(frozen=True)
class Panel:
    """A panel of sliders: its name, the sliders, and what they say."""

    key: str
    sliders: tuple[Slider, ...]
    controls: Controls


@dataclass(frozen=True, eq=False)
class Case:
    """What the page needs of a system to weigh, say and sign.

    ``of`` tells one computation from another; ``weighed``: candidates, their unit, how strongly each protects;
    ``promise``: what everybody is promised at an ε.
    ``weigh`` yields what the candidates cost, ``weigh_in_public`` the same from what everybody may know, where there is
    such a thing (``simulated_in_public``: it is the same), and ``in_public`` what that recommends at a limit that
    somebody set and a least protection. ``worth`` as for `Drawn`. ``sentences``: the decision in three. ``inside`` and
    ``for_all``: its page, for the holder and for everybody. ``decide`` returns what is signed, and raises DataError, a
    sentence, for what cannot be. ``confirm`` asks what has to be accepted first: whether that was done, and what is
    still unsure. ``made``: columns that no order can have.
    """

    name: str
    of: tuple[Hashable, ...]
    subject: str
    own: bool
    weighed: Weighed
    promise: Callable[[float], Guarantee]
    weigh: Callable[[], Weighings]
    weigh_in_public: Callable[[], Weighings] | None
    in_public: Callable[[Weighing, float | None, int], Recommendation | None]
    worth: Callable[[], Diagnosis | None] | None
    sentences: Callable[[Drawn], tuple[str, ...]]
    inside: Callable[[Drawn, Signature], Sheet]
    for_all: Callable[[Signed, Signature], Sheet]
    decide: Callable[[float, Who, bool], Signed]
    confirm: Callable[[], tuple[bool, str]] = lambda: (False, "")
    simulated_in_public: bool = False
    asks_unit: bool = False
    made: tuple[str, ...] = ()


def found_in(case: Case, drawn: Drawn, limit: float | None) -> Recommendation | None:
    """Return what the costs on the data recommend, at this limit or the proposed one; None until that is known."""
    most = limit or proposed_limit(drawn.weighing)
    judged = drawn.worth is not None or case.worth is None
    if not (most and judged and drawn.counts and drawn.weighing.complete):
        return None
    return recommend(drawn.weighing.known, most, case.weighed.protects, drawn.least)
