"""The steps about whoever watches: was somebody in it, and how ε is counted over the rounds."""

from functools import lru_cache

from pages.parts.controls.live_sliders import Controls
from pages.parts.federated.attacks import AUDITED
from pages.parts.system.attack import Scene, Views
from pages.parts.tour import words
from pages.parts.tour.lesson import one_figure
from pages.parts.tour.lessons.federated import questions
from pages.parts.tour.lessons.federated.schools import LONGEST, Schools
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, RANDOM
from pages.parts.values.picture import Picture
from pages.parts.values.views import Finding
from privbo_core.federated import Settings, delta_for, trade_off
from privbo_core.privacy import epsilon

WATCH = next(attack for attack in AUDITED[0].attacks if attack.key == "all")
"""The audit’s attack on all rounds."""
TRIALS = 500
ROUNDS = (1, 2, 4, 8, 16, 30, 50, 75)
"""Where ε is counted, besides the rounds that are set."""
NAMES = {"canary absent": "you stayed away", "canary present": "you took part"}


def was_it_you(schools: Schools) -> Views:
    """Run the audit’s attack: what the best observer sees with and without one school."""
    setup = schools.setup
    right = 100 * (1 - trade_off(setup.settings, setup.N).least_error(0.5))
    s = setup.settings
    values = {
        "q": s.q,
        "z": s.z,
        "P": s.P,
        "a": s.a,
        "N": setup.N,
        "T": s.iterations,
        "hold": s.hold,
        "fade": s.fade,
        "trials": TRIALS,
    }
    for view in WATCH.run(Scene(Controls({name: float(value) for name, value in values.items()}))):
        picture = view.figures[0].picture
        assert picture is not None
        for each in picture.layout["annotations"]:
            each["text"] = NAMES.get(each["text"], each["text"])
        picture.axis("xaxis", "what the best observer can make of all rounds: evidence that you took part →")
        title = f"The best guess whether you took part is right {right:.0f} times in 100; a coin, 50"
        note = f"{setup.N} schools, {s.iterations} rounds, noise z = {s.z:.3g}. You send as much as anybody may, the easiest case to notice. Where the bars overlap, nobody can tell."
        alt = f"What an observer sees with you and without you; the best guess is right {right:.0f} times in 100."
        yield one_figure(Finding(title, "share", note), picture, alt, questions.right_guesses(right))


def over_rounds(schools: Schools) -> Views:
    """Draw ε after each round, beside what adding up would give."""
    setup, T = schools.setup, schools.setup.settings.iterations
    last = max(LONGEST, 4 * T)
    rounds = sorted({*(each for each in ROUNDS if each < last), T, 4 * T, last})
    count = {each: _counted(setup.settings, setup.N, each) for each in rounds}
    first, now, later = count[1], count[T], count[4 * T]
    picture = Picture()
    top = 1.3 * count[last]
    steep = min(top / first, last)
    picture.line([1.0, steep], [first, first * steep], RANDOM, dash="dot", name="adding up", hovertemplate="added up: %{y:.3g}")  # fmt: skip
    picture.line(rounds, list(count.values()), PRIVATE, width=3, name="ε", hovertemplate="ε = %{y:.3g} after %{x} rounds")  # fmt: skip
    picture.add("scatter", x=[T, 4 * T], y=[now, later], mode="markers", marker={"size": 12, "color": PRIVATE}, hoverinfo="skip")  # fmt: skip
    for place, each in ((T, now), (4 * T, later)):
        picture.label(place, each, f"ε = {words.epsilon(each)}", PRIVATE, xshift=8, yshift=-12, font={"color": PRIVATE, "size": 15})  # fmt: skip
    picture.label(steep, first * steep, "adding up", RANDOM, xshift=8, yanchor="top")
    picture.upright(T, NON_PRIVATE, dash="dot", width=1)
    picture.axis("xaxis", "rounds", range=[0, 1.08 * last])
    picture.axis("yaxis", "ε after so many rounds", range=[0, schools.put_axis(top)])
    factor = later / now
    title = f"Four times as many rounds make ε {factor:.1f} times as large: {words.epsilon(now)} after {T}, {words.epsilon(later)} after {4 * T}"
    note = "What the rounds tell is counted together, which gives less than adding up. But it never shrinks."
    alt = f"ε over the rounds: {words.epsilon(now)} after {T}, {words.epsilon(later)} after {4 * T}."
    yield one_figure(Finding(title, "share", note), picture, alt, questions.grown(factor))


@lru_cache(maxsize=512)
def _counted(settings: Settings, agents: int, rounds: int) -> float:
    """Return ε after so many rounds, counted exactly, as the Federated page promises it: with P = 1 all rounds are alike."""
    assert settings.P == 1
    return float(epsilon(settings.q, settings.z, rounds, delta_for(agents), "pld"))
