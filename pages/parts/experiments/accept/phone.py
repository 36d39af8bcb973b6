"""What “What would you accept?” shows on a pupil's phone: two sliders, and in the end what was decided."""

from pages.parts.experiments.accept import words
from pages.parts.thumbs.screen import Screen
from privbo_core.classroom.accept import COSTS, EPSILONS, QUESTION, Accept


def screen(accept: Accept, pupil: int) -> Screen:
    """Return what is asked of a pupil now."""
    wish = accept.wish(pupil)
    if not accept.closed:
        sliders = [
            _slider("epsilon", words.EPSILON_LABEL, [words.epsilon_stop(each) for each in EPSILONS]),
            _slider("cost", words.COST_LABEL, [words.cost_stop(each) for each in COSTS]),
        ]
        answer = {"epsilon": wish[0], "cost": wish[1]} if wish else None
        text = words.CHANGE if wish else words.PHONE_TEXT
        return Screen(QUESTION, "scales", "What would you accept?", text, {"sliders": sliders}, answer)
    own = f"You would accept {words.wish_text(wish)}" if wish else "You did not answer."
    decision = accept.decision
    if decision is None:
        return Screen("closed", "tell", "The answers are closed.", "Look at the screen in front.", {"lines": [own]})
    lines = [own]
    if wish:
        lines.append("It suits you." if decision.offer.suits(wish) else "It goes further than you would.")
    return Screen(
        "decided", "tell", words.decided(decision), "", {"big": f"ε = {decision.offer.epsilon:g}", "lines": lines}
    )


def _slider(name: str, label: str, stops: list[str]) -> dict[str, object]:
    return {"name": name, "label": label, "stops": stops, "unmoved": words.UNMOVED}
