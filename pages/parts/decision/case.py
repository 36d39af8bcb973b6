"""A decision in the making, of any system: what is weighed, how strongly an ε protects, what is said and signed.

Its page is a value: for whoever holds the data, or for everybody, with nothing computed from them.
"""

import math
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, replace

from pages.parts.decision.question import Limit, Signed, Who
from pages.parts.live.sliders import Controls, Slider
from pages.parts.views.views import Audience
from privbo_core.decision import LEAST, Recommendation, Weighing, recommend
from privbo_core.diagnostics import Diagnosis
from privbo_core.privacy import Guarantee, Strength

Weighings = Generator[Weighing, None, None]
ON_A_SHEET, LINE, REASON, HEADINGS, INK = 54, 118, 52, 19, 3.1
"""So many lines fit on a sheet of A4 at the usual size; letters in a line of text and of a reason.

Lines of headings, and of the room in which one person signs.
"""


@dataclass(frozen=True)
class Signature:
    people: tuple[tuple[str, str], ...] = ()
    day: str = ""
    notes: str = ""
    subject: str = ""
    digest: str = ""
    state: str = "Draft, not signed"


@dataclass(frozen=True)
class Sheet:
    """The page from top to bottom, in text.

    ``condition``: how far the promise holds, if what, and that nobody checked it; then at length.
    ``costs``: the head and the rows of the table of candidates; the row decided.
    """

    audience: Audience
    mark: str
    subject: str
    protected: str
    frame: tuple[tuple[str, ...], ...]
    condition: tuple[str, ...]
    head: tuple[str, ...]
    costs: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    decided: str
    not_protected: tuple[str, ...]
    signature: Signature
    title: str
    columns: tuple[str, ...]
    frame_note: str = ""
    chosen: int | None = None
    verdict: str = ""
    reasons: tuple[str, ...] = ()
    warning: str = ""

    @property
    def smaller(self) -> float:
        """By how much letters are smaller in print than usual, 1 for not at all, so that all stands on one sheet of A4.

        Smaller letters make lines lower, and fewer: by the square. The room to sign gets lower alone.
        """
        lines, room = self._lines, INK * len(self.signature.people) if self.signature.digest else 0.0
        return min(1.0, (math.sqrt(room**2 + 4 * lines * ON_A_SHEET) - room) / (2 * lines))

    @property
    def _lines(self) -> float:
        """About how many lines there are at the usual size, without the room to sign."""
        texts = (
            self.warning,
            self.protected,
            self.frame_note,
            " ".join(self.condition),
            *self.notes,
            self.verdict,
            " ".join(self.reasons),
            self.decided,
            *self.not_protected,
        )
        prose = sum(math.ceil(len(text) / LINE) for text in texts)
        reasons = sum(max(1, math.ceil(len(row[-1]) / REASON)) for row in self.frame)
        signed = sum(math.ceil(len(text) / LINE) for text in self.signature.notes.split("\n"))
        count = len(self.signature.people)
        people = 1 if self.signature.digest else 3 * math.ceil((count + 1) / 3)
        return HEADINGS + prose + reasons + len(self.costs) + signed + people


@dataclass(frozen=True, eq=False)
class Weighed:
    """What is weighed: candidates of ε, the unit of a cost, how strongly an ε protects as things stand.

    ``promised``: the same if the promise holds. ``guess``: what an attacker guesses, after "guesses". ``gains``: what a
    limit that nobody set is, as a share of what is gained. ``remedies``: what to do where no ε is found. ``of``: of
    what it is protection. ``spent``: an ε as it is spoken of, with what is spent besides.
    ``but_for``: what δ takes from it.
    """

    candidates: tuple[float, ...]
    unit: str
    guess: str
    gains: str
    remedies: str
    of: str
    protects: Callable[[float], Strength]
    promised: Callable[[float], Strength]
    spent: Callable[[float], str] = "{:g}".format
    but_for: str = ""


@dataclass(frozen=True, eq=False)
class Rule:
    """What a recommendation follows: costs, how they are spoken of, ``where`` they arise, what they recommend.

    ``gone``: what there is to say where nothing can be found by them. ``proposed``: nobody set the limit. ``public``:
    everybody may know these costs. ``mark``: what stands behind a limit of such costs. ``alone``: over what other
    way to search an ε must gain besides. ``limit``: the one that somebody set.
    """

    weighed: Weighed
    weighing: Weighing
    where: str
    recommendation: Recommendation | None = None
    gone: str = ""
    proposed: bool = False
    public: bool = False
    mark: str = ""
    alone: str = ""
    limit: float | None = None


@dataclass(frozen=True)
class Drawn:
    """What goes into a page of the holder: the searches so far, the rule and what it recommends, which ε is decided.

    ``worth``: whether the data can carry an answer, None as long as that is not known. ``least``: the level of
    protection that is asked for. ``looked``: ε was chosen after looking at what it costs on the data. ``refused``: why
    nothing can be recommended at all. ``signed``: by whom and when exactly this was.
    """

    weighing: Weighing
    worth: Diagnosis | None
    rule: Rule
    epsilon: float | None
    least: int = LEAST
    looked: bool = True
    refused: str = ""
    signed: str = ""

    @property
    def recommendation(self) -> Recommendation | None:
        return self.rule.recommendation

    @property
    def recommended(self) -> float | None:
        return self.recommendation.chosen.epsilon if self.recommendation and self.recommendation.chosen else None

    @property
    def most(self) -> float | None:
        """The limit, if it is one of costs on the data."""
        return self.recommendation.limit if self.recommendation and self.rule.weighing is self.weighing else None

    @property
    def counts(self) -> bool:
        """Whether a cost means anything on these data, as far as that is known."""
        return self.worth is None or self.worth.something_to_lose


@dataclass(frozen=True)
class Panel:
    key: str
    sliders: tuple[Slider, ...]
    controls: Controls


@dataclass(frozen=True, eq=False)
class Case:
    """What the page needs of a system to weigh, say and sign.

    ``of`` tells one computation from another; ``weighed``: candidates, their unit, how strongly each protects;
    ``promise``: what everybody is promised at an ε.
    ``weigh`` yields what the candidates cost, ``weigh_in_public`` the same from what everybody may know, where there is
    such a thing (``open``: it is the same), and ``in_public`` the rule by that at a least protection and a limit, None
    for the default; ``mark`` stands behind such a limit. ``worth`` as for `Drawn`; ``refuses``: why nothing can be
    recommended. ``sentences``: the decision in three. ``inside`` and ``for_all``: its page, for the holder and for
    everybody. ``decide`` returns what is signed, and raises DataError, a sentence, for what cannot be. ``confirm`` asks
    what has to be accepted first: whether that was done, and what is still unsure. ``made``: columns that no order can
    have.
    """

    name: str
    of: tuple[Hashable, ...]
    subject: str
    own: bool
    weighed: Weighed
    promise: Callable[[float], Guarantee]
    weigh: Callable[[], Weighings]
    weigh_in_public: Callable[[], Weighings] | None
    in_public: Callable[[Weighing, int, float | None], Rule]
    worth: Callable[[], Diagnosis | None] | None
    sentences: Callable[[Drawn], tuple[str, ...]]
    inside: Callable[[Drawn, Signature], Sheet]
    for_all: Callable[[Signed, Signature], Sheet]
    decide: Callable[[float, Who, bool], Signed]
    where: str
    confirm: Callable[[], tuple[bool, str]] = lambda: (False, "")
    refuses: Callable[[Diagnosis | None], str] = lambda worth: ""
    open: bool = False
    alone: str = ""
    asks_unit: bool = False
    made: tuple[str, ...] = ()
    mark: str = ""


def drawn_of(case: Case, weighing: Weighing, public: Weighing, said: Limit, least: int, chosen: float | None) -> Drawn:
    """Return what is drawn: a limit that is ``said`` of costs on the data decides, else what is public recommends.

    ``chosen``: the ε that somebody chose, None for the one that is recommended.
    """
    worth = case.worth() if case.worth else None
    refused = case.refuses(worth)
    limit = said.value
    if (limit is None or said.public) and (case.open or case.weigh_in_public):
        rule = case.in_public(weighing if case.open else public, least, limit)
    else:
        rule = Rule(case.weighed, weighing, case.where, public=case.open, alone=case.alone, limit=limit)
        chance = weighing.gain.mean if weighing.gain and weighing.plain_rank else math.inf  # of searches in a table
        if limit is None:
            rule = replace(rule, gone="say what it may cost, or choose an ε")
        elif weighing.complete and limit >= chance:
            more = f"a search without privacy finds {max(chance, 0.0):.2g} {case.weighed.unit} more than chance"
            rule = replace(rule, gone=f"a limit of {limit:g} allows blind choice: {more}")
        elif weighing.complete:
            rule = replace(rule, recommendation=recommend(weighing.known, limit, case.weighed.protects, least))
    if refused or (case.worth and worth is None):
        rule = replace(rule, recommendation=None)
    # Whoever sets a limit of any kind, or another least protection, has seen here what an ε costs on the data.
    looked = not case.open and (chosen is not None or not rule.public or not rule.proposed or least != LEAST)
    now = Drawn(weighing, worth, rule, chosen, least, looked, refused)
    return now if chosen is not None else replace(now, epsilon=now.recommended)
