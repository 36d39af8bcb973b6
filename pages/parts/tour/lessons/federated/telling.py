"""The steps about what the server tells: one list for all, shortened and with noise, which a crowd drowns."""

import math
from dataclasses import replace

import numpy as np

from pages.parts.system.attack import Views
from pages.parts.tour.lesson import one_figure
from pages.parts.tour.lessons.federated import questions
from pages.parts.tour.lessons.federated.schools import Schools, broadcasts, first_broadcast, loudness
from pages.parts.values.palette import NON_PRIVATE, PRIVATE, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.text import minus
from pages.parts.values.views import Finding

THRESHOLDS = (1.0, 2.0, 3.0, 4.0, 5.5, 7.0, 10.0, 20.0, 60.0)
CROWDS = (5, 10, 30, 100)


def what_is_sent(schools: Schools) -> Views:
    """Draw what the server tells in a first round, with its noise and without."""
    setup = schools.setup
    heard = first_broadcast(setup.simulation.first, setup.settings, setup.N, 0)
    without = first_broadcast(setup.simulation.first, replace(setup.settings, z=0.0), setup.N, 0)
    picture = Picture()
    places = list(range(1, setup.settings.features + 1))
    for values, name, colour in (
        (without.vectors[0], "without noise", NON_PRIVATE),
        (heard.vectors[0], "as it is told", PRIVATE),
    ):
        picture.add(
            "bar",
            x=places,
            y=values,
            name=name,
            marker={"color": colour.faded(0.75)},
            hovertemplate=f"{name}: %{{y:.2f}}",
        )
    picture.label(0.01, 1, "as it is told", PRIVATE, xref="paper", yref="paper", yanchor="top")
    picture.label(
        0.01, 0.93, "without the noise, which nobody sees", NON_PRIVATE, xref="paper", yref="paper", yanchor="top"
    )
    picture.axis("xaxis", "number in the list")
    picture.axis("yaxis", "its value")
    count, wording = len(heard.vectors), schools.agents.wording
    lists = "one list" if count == 1 else f"{count} lists"
    title = f"Everybody hears {lists} of {setup.settings.features} numbers: a sum over the {wording.many} that were drawn, and noise"
    note = (
        f"Each number says a little of how good a setting is believed to be. No value of any {wording.one} is in it as it is. "
        f"Here the first round, {setup.N} {wording.many}, each drawn with probability {setup.settings.q:.3g}."
    )
    alt = f"The {setup.settings.features} numbers that the server tells, with noise and without."
    yield one_figure(Finding(title, "simulation", note), picture, alt, questions.lists(count, setup.N))


def clipping(schools: Schools) -> Views:
    """Draw how many lists are shortened, and how loud the noise is, against the length that is allowed."""
    setup = schools.setup
    found = {S: first_broadcast(setup.simulation.first, replace(setup.settings, S=S), setup.N, 0) for S in THRESHOLDS}
    clipped = float(np.mean([each.clipped for each in broadcasts(schools)]))
    deviation = first_broadcast(setup.simulation.first, setup.settings, setup.N, 0).noise_deviation
    picture = Picture(margin={"l": 56, "r": 60, "t": 64, "b": 44})
    picture.line(list(found), [100 * each.clipped for each in found.values()], UNMET, dash="dash", name="shortened",
                 hovertemplate="%{y:.0f} % shortened at S = %{x:g}")  # fmt: skip
    picture.label(
        0.0, 1, "┄ lists shortened, in % (left)", UNMET, xref="paper", yref="paper", yanchor="bottom", yshift=30
    )
    picture.line(list(found), [each.noise_deviation for each in found.values()], PRIVATE, name="noise", yaxis="y2",
                 hovertemplate="noise %{y:.2f} at S = %{x:g}")  # fmt: skip
    picture.label(
        0.0, 1, "─ noise on each number (right)", PRIVATE, xref="paper", yref="paper", yanchor="bottom", yshift=6
    )
    picture.upright(setup.settings.S, NON_PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", "S, how long a list may be (log scale)", type="log", tickvals=[1, 2, 5, 10, 20, 50])
    picture.axis("yaxis", range=[0, 104])
    picture.axis("yaxis2", overlaying="y", side="right", showgrid=False, rangemode="tozero", tickformat=".2g", nticks=6)
    title = f"At S = {setup.settings.S:.3g}, {100 * clipped:.0f} of 100 lists are shortened, and the noise on each number is {deviation:.2g}"
    note = "The noise has to cover the longest list that may be sent: a larger S spares the schools, and asks for more noise. ε stays the same."
    alt = "How many lists are shortened and how large the noise is, against S."
    yield one_figure(Finding(title, "simulation", note), picture, alt, questions.touched(clipped))


def crowd(schools: Schools) -> Views:
    """Draw how loud the noise is beside what the schools know, against how many they are."""
    setup = schools.setup
    here = loudness(schools)
    most = len(setup.simulation.first.agents)
    found = {N: loudness(schools.at(N=N)) for N in (*(each for each in CROWDS if each < most), most)}
    means, low, high = ([math.exp(getattr(each, name)) for each in found.values()] for name in ("mean", "low", "high"))
    picture = Picture()
    picture.level(1.0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(0.01, 0.0, "as loud as what they know", NON_PRIVATE, xref="paper", yshift=9)
    picture.add(
        "scatter", x=list(found), y=means, mode="lines+markers", line={"color": PRIVATE, "width": 3}, marker={"size": 9},
        error_y={"array": np.subtract(high, means), "arrayminus": np.subtract(means, low), "color": PRIVATE, "thickness": 1.5},
        hovertemplate="%{x} schools: %{y:.2g}",
    )  # fmt: skip
    picture.upright(setup.N, PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", "schools (log scale)", type="log", tickvals=list(CROWDS))
    picture.axis("yaxis", "noise, as a multiple of what they know", type="log", tickvals=[0.1, 0.3, 1, 3, 10, 30, 100])
    ratio = math.exp(here.mean)
    right = questions.louder(here)
    size = f"{ratio:.2g} times as large"
    said = {
        "noise": f"the noise drowns what they know: it is {size}",
        "alike": f"noise and knowledge are about alike: the noise is {size}",
        "schools": f"what they know stands out: the noise is {size}",
    }[right]
    title = f"With {setup.N} schools {said}"
    note = "What a crowd knows adds up, and the noise that hides any one of them does not have to. That is why privacy needs a crowd."
    alt = minus(f"Noise over signal against the number of schools; {ratio:.2g} with {setup.N}.")
    yield one_figure(Finding(title, "simulation", f"{note} Several first rounds, 95 % intervals."), picture, alt, right)
