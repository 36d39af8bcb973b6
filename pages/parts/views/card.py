"""The same card for every guarantee."""

import math
from dataclasses import replace

from pages.parts.views.text import Tone, epsilon_text, scientific, struck, toned
from pages.parts.views.views import REFUTED_STAMP, UNMET_STAMP, Audience, Card, Fact
from privbo_core.privacy import Guarantee, Status, Strength, one_in, strength, worst_case_belief

RECORD, REAL = "which record", "that a record is the real one"
"""What an attacker guesses of two, and what somebody may be sure of, where nothing else is said."""
OF_DATA = ("Neighbours", "As it is", "Condition")  # The rows that may tell something of the data.
SAME = 0.005  # A rare release that makes nobody surer by more than this than a usual one is not spoken of.
STRONG = 4  # The level of protection from which on a promise is shown as one that is kept well.


def guarantee_card(
    guarantee: Guarantee,
    secret: str = REAL,
    conditions: str = "Leaves out",
    becomes: float | None = None,
    hides: str = "",
) -> Card:
    """Return a card: who is protected from whom, neighbours, (ε, δ), assumptions, status, worst case.

    ``secret``: what somebody may be sure of ("that …"). ``conditions``: what to call the assumptions. ``becomes``: what
    ε can be in truth where an assumption is not met, where that is known. ``hides``: in plain words, what is hidden of
    whom. A refuted guarantee is crossed out and says where to
    see that; put the link to the Audit page below it.
    """
    if math.isinf(guarantee.epsilon):
        text = f"With these settings nothing is promised about {guarantee.protects}."
        return Card(None, "No guarantee: ε = ∞", (), text)
    refuted = guarantee.status is Status.REFUTED
    exposes = "" if refuted else guarantee.exposes
    others = [text for text in guarantee.in_full if text not in guarantee.unmet]
    others += ["Nobody checked that."] if others else []
    others += map(_sentence, guarantee.assumptions)
    truly = f"ε can become {epsilon_text(becomes)} or more, and they {_allowed(becomes)} sure." if becomes else ""
    found = strength(guarantee, becomes=becomes)
    guess = RECORD if secret == REAL else f"whether {secret.removeprefix('that ')}"
    rows = (
        ("Hides", hides),
        ("Strength", _strength(found, guess, read_off=bool(truly))),
        ("Protects", guarantee.protects),
        ("Against", guarantee.against),
        ("Neighbours", guarantee.neighbours),
        ("Level", f"{_level(guarantee, secret)} {exposes}".strip()),
        ("As it is", truly),
        ("Condition", " ".join(guarantee.unmet)),
        (conditions, " ".join(others)),
        ("Source", guarantee.source),
    )
    said = tuple(row for row in rows if row[1])
    claimed = f"✗ refuted: see Audit. Claimed by {guarantee.source}"
    heading = toned("refuted", claimed) if refuted else guarantee.standing()
    return Card(guarantee.status, f"Guarantee: {heading}", said, of_data=OF_DATA, strong=found.level >= STRONG)


def strength_fact(
    guarantee: Guarantee,
    becomes: float | None = None,
    guess: str = RECORD,
) -> Fact:
    """Arguments as for the card; ``guess``: what an attacker has to guess."""
    found = strength(guarantee, becomes=becomes)
    about = "How strongly"
    if guarantee.status is Status.REFUTED:
        return Fact(about, "Not at all", "The promise is refuted: see Audit.", 0, "refuted")
    if math.isinf(guarantee.epsilon) or guarantee.delta >= 1.0:
        return Fact(about, "Not at all", "With these settings nothing is promised.", 0, "refuted")
    level, wins, allowed = f"ε = {guarantee.epsilon:.3g}", guessing(guess, found), _allowed(guarantee.epsilon)
    fact = Fact(about, found.word.capitalize(), level=found.level, right=found.percent, guess=guess)
    if not found.level:
        fact = replace(fact, text="Not at all", tone="refuted")
    if becomes is not None and guarantee.status is Status.UNMET and becomes > guarantee.epsilon:
        known = strength(guarantee)
        said = f"The frame was read off the data, so {level} can become {epsilon_text(becomes)}. {wins}"
        better = f" Known beforehand, it would be {known.word}." if known.level > found.level else ""
        return replace(fact, remark=f"{said}{better}")
    said = f"{level}, {how_sure(guarantee)}. {wins}"
    if worst_case_belief(0.5, guarantee.epsilon) > found.accuracy + SAME:
        said += f" A rare release tells more: {allowed} sure."
    if found.limited_by_delta:
        fact = replace(fact, rarely=f"all is told of {one_in(guarantee.delta)}, hence {found.word}")
    return replace(fact, remark=f"{said} {guarantee.exposes}".strip())


def guessing(guess: str, found: Strength) -> str:
    return f"Guessing {guess}, the best attacker is right {found.percent} times in 100 (blind guessing: 50)."


def how_sure(guarantee: Guarantee) -> str:
    return "as the paper claims" if guarantee.status is Status.CLAIMED else guarantee.standing()


def audience_of(guarantee: Guarantee) -> tuple[Audience, str]:
    if guarantee.status is Status.REFUTED:
        return "refuted", REFUTED_STAMP
    return ("unmet", UNMET_STAMP) if guarantee.status is Status.UNMET else ("share", "")


def dots(level: int) -> str:
    return "●" * level + "○" * (5 - level)


def _strength(found: Strength, guess: str, *, read_off: bool) -> str:
    """``read_off``: counted is what ε can become."""
    tone: Tone = "met" if found.level >= STRONG else "unmet"
    mark = f"{found.word} {dots(found.level)}"
    mark = mark if found.level == 3 else toned(tone, mark)
    if not found.level:
        return mark
    counted = "With what ε can become, as the frame was read off. " if read_off else ""
    large = " Its δ is large, hence no more." if found.limited_by_delta else ""
    return f"{mark}. {counted}{guessing(guess, found)}{large}"


def _level(guarantee: Guarantee, secret: str) -> str:
    allowed = _allowed(guarantee.epsilon)
    promise = f"ε = {guarantee.epsilon:.3g}, δ = {scientific(guarantee.delta)}."
    someone = f"omeone who was 50 % sure {secret}"
    aside = " (up to δ)" if guarantee.delta else ""
    match guarantee.status:
        case Status.REFUTED:
            return (
                f"{struck(promise)} If it held, s{someone} could become {allowed} sure. It does not hold: "
                "they can become certain."
            )
        case Status.UNMET:
            return f"{promise} If its condition holds, s{someone} could become {allowed} sure{aside}."
        case Status.CLAIMED:
            return f"{promise} If it holds, s{someone} can become {allowed} sure{aside}."
        case Status.PROVED:
            return f"{promise} S{someone} can become {allowed} sure{aside}."


def _allowed(epsilon: float) -> str:
    belief = worst_case_belief(0.5, epsilon)
    return f"at most {_sure(belief)}" if belief < 0.999 else _sure(belief)


def _sure(belief: float) -> str:
    return f"{100 * belief:.1f} %" if belief < 0.999 else "more than 99.9 %"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
