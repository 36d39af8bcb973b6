"""The steps about whoever watches: was somebody in it, and how ε is counted over the rounds."""

from dataclasses import replace

import numpy as np

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
from privbo_core.federated import losses, trade_off

WATCH = next(attack for attack in AUDITED[0].attacks if attack.key == "all")
"""The audit’s attack on all rounds."""
TRIALS = 500
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
        note = f"{setup.N} schools, {s.iterations} rounds, noise z = {s.z:.3g}. You are as easy to notice as clipping allows. Where the bars overlap, nobody can tell."
        alt = f"What an observer sees with you and without you; the best guess is right {right:.0f} times in 100."
        yield one_figure(Finding(title, "share", note), picture, alt, questions.right_guesses(right))


def over_rounds(schools: Schools) -> Views:
    """Draw ε after each round, beside what adding up would give."""
    setup, T = schools.setup, schools.setup.settings.iterations
    count = losses(replace(setup.settings, iterations=max(LONGEST, 4 * T)), setup.N)
    now, later = count[T - 1], count[4 * T - 1]
    rounds = np.arange(1, len(count) + 1)
    picture = Picture()
    top = 1.3 * count[-1]
    picture.line(
        rounds.tolist(),
        (count[0] * rounds).tolist(),
        RANDOM,
        dash="dot",
        name="adding up",
        hovertemplate="added up: %{y:.3g}",
    )
    picture.line(rounds.tolist(), count, PRIVATE, width=3, name="ε", hovertemplate="ε = %{y:.3g} after %{x} rounds")
    picture.add("scatter", x=[T, 4 * T], y=[now, later], mode="markers+text", marker={"size": 12, "color": PRIVATE},
                text=[f"ε = {words.epsilon(each)}" for each in (now, later)], textposition="bottom right", hoverinfo="skip")  # fmt: skip
    steep = min(top, count[0] * len(count)) / count[0]
    picture.label(
        float(steep), min(top, count[0] * float(steep)), "adding up", RANDOM, xanchor="right", xshift=-8, yanchor="top"
    )
    picture.upright(T, NON_PRIVATE, dash="dot", width=1)
    picture.axis("xaxis", "rounds", range=[0, 1.08 * len(count)])
    picture.axis("yaxis", "ε after so many rounds", range=[0, schools.put_axis(top)])
    factor = later / now
    title = f"Four times as many rounds make ε {factor:.1f} times as large: {words.epsilon(now)} after {T}, {words.epsilon(later)} after {4 * T}"
    note = "Not every round draws everybody, and noises partly cancel, so it grows more slowly than by adding up. But it never shrinks."
    alt = f"ε over the rounds: {words.epsilon(now)} after {T}, {words.epsilon(later)} after {4 * T}."
    yield one_figure(Finding(title, "share", note), picture, alt, questions.grown(factor))
