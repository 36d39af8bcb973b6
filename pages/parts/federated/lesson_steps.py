"""The steps about tuning together: the schools, and what rounds cost and gain."""

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from pages.parts.federated.agents import Agents
from pages.parts.federated.figures import Look
from pages.parts.federated.setup import ALONE, NOTHING_PROMISED, PLAIN, Setup, set_up, sliders
from pages.parts.federated.setup import PRIVATE as WITH_PRIVACY
from pages.parts.federated.view import ENOUGH, NO_GAIN, ahead, amount
from pages.parts.live.sliders import Controls, Slider
from pages.parts.system.lesson import Seen, Situation, clearly, one_figure, third
from pages.parts.system.trial_figures import SEED, clouds
from pages.parts.views.content import short_epsilon
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, RANDOM, UNMET, Picture
from pages.parts.views.text import minus
from pages.parts.views.views import Finding, Views
from privbo_core import audit
from privbo_core.federated import FederatedProblem, Progress, Settings, delta_for, saving, trade_off
from privbo_core.federated import run as run_rounds
from privbo_core.federated.server import Broadcast
from privbo_core.outsourced import Difference
from privbo_core.privacy import epsilon

LONGEST = 100
RUNS = Slider.of("federated.runs", 5, 40, 40, whole=True)
LOOKS = 6  # First rounds that are looked at, each with dice of its own.


@dataclass(frozen=True)
class Schools:
    """Where the lesson stands, and what its sliders ask of the agents."""

    situation: Situation
    setup: Setup

    @property
    def runs(self) -> int:
        return int(self.situation.controls.values.get("runs", RUNS.value))

    def at(self, **changes: float) -> "Schools":
        return of(replace(self.situation, controls=Controls(self.situation.controls.values | changes)))


def panel(agents: Agents, *keys: str) -> list[Slider]:
    known = {slider.key: slider for slider in sliders(agents)} | {"runs": RUNS}
    return [known[key] for key in keys]


def of(situation: Situation) -> Schools:
    """Return where the lesson stands; what a step has no slider for is as it is on the Federated page at first."""
    return Schools(situation, set_up(situation.about, situation.controls))


@lru_cache(maxsize=256)
def first_broadcast(problem: FederatedProblem, settings: Settings, agents: int, look: int) -> Broadcast:
    """Return what the server tells in the first round of a run; the same ``look`` has the same dice."""
    once, dice = replace(settings, iterations=1), np.random.default_rng([1, look])
    found = next(iter(run_rounds(problem.objectives[:agents], problem.points, once, dice))).broadcast
    assert found is not None
    return found


def broadcasts(schools: Schools) -> Iterator[Broadcast]:
    for look in range(LOOKS):
        schools.situation.pause()
        yield _heard(schools.setup, look)


def _heard(setup: Setup, look: int = 0, **changes: Any) -> Broadcast:  # noqa: ANN401 - settings of any kind
    return first_broadcast(setup.simulation.problem(0), replace(setup.settings, **changes), setup.N, look)


def loudness(schools: Schools) -> Difference:
    """Return ln(noise/signal) over several first rounds in which somebody was drawn.

    The noise grows as z does, with the same dice, and the signal stays; so z = 1 stands for any.
    """
    z = schools.setup.settings.z
    pairs = [(z * each.noise, each.signal) for each in broadcasts(schools.at(z=1.0)) if each.signal > 0]
    return Difference.of([math.log(noise / signal) for noise, signal in pairs])


RARE, OFTEN = 0.1, 0.5  # Shares of the lists that are shortened.
FEW, MANY = 55, 75  # Right guesses of 100.
LITTLE, MUCH = 1.25, 3.0
"""ε that grows by less than the first factor hardly grows; by more than the second, nearly as the rounds do."""


def compared(schools: Schools, name: str) -> Views:
    """Draw tuning together, with privacy or without it (``name``), beside each alone."""
    setup, runs = schools.setup, schools.runs
    start, others = "Together without privacy", (ALONE, PLAIN)
    if name == WITH_PRIVACY:
        start = "Together with privacy" if setup.settings.z > 0 else "Together without noise"
    names = others if name in others else (name, *others)
    with closing(setup.simulation.compare(setup.algorithms(names), setup.N, runs)) as steps:
        for progress in steps:
            schools.situation.pause()
            yield _view(schools, name, start, progress)


def _view(schools: Schools, name: str, start: str, progress: Progress) -> Seen:
    setup, runs, wording = schools.setup, schools.runs, schools.setup.agents.wording
    look = Look.plainly(setup)
    picture = look.picture(progress, setup.settings.iterations, schools.situation.put_axis(look.top(progress)))
    title, right = f"{start}: the first simulated runs are under way", ""
    if progress.runs >= min(ENOUGH, runs):
        gain = saving(progress, name, ALONE, setup.early).times(setup.agents.in_words)
        right = clearly(gain, "nearer further same")
        size = f"{amount(abs(gain.mean), gain.standard_error)} {wording.unit}"
        differs = f"each {wording.one} {wording.differs(gain.mean, size)} than alone"
        said = "no difference from alone shows" if right == "same" else differs
        title = f"{start}, in the first {setup.early} rounds {said}"
    done = f"{progress.runs} of {runs}" if progress.runs < runs else f"{runs}"
    note = f"{done} simulated runs with {setup.N} {wording.many}, bands ± 1 standard error."
    if name == WITH_PRIVACY and right and ahead(progress).mean > 0:
        note += NO_GAIN
    stamp = NOTHING_PROMISED if name == WITH_PRIVACY and setup.settings.z == 0 else ""
    alt = f"How far each {wording.one} is from its best, round by round."
    return one_figure(Finding(title, "simulation", note, stamp), picture, alt, right)


THRESHOLDS = (1.0, 2.0, 3.0, 4.0, 5.5, 7.0, 10.0, 20.0, 60.0)
CROWDS = (5, 10, 30, 100)


def what_is_sent(schools: Schools) -> Views:
    setup = schools.setup
    heard, without = _heard(setup), _heard(setup, z=0.0)
    picture = Picture()
    places = list(range(1, setup.settings.features + 1))
    for sent, name, colour in ((without, "without noise", NON_PRIVATE), (heard, "as it is told", PRIVATE)):
        marker, hover = {"color": colour.faded(0.75)}, f"{name}: %{{y:.2f}}"
        picture.add("bar", x=places, y=sent.vectors[0], name=name, marker=marker, hovertemplate=hover)
    corner = {"xref": "paper", "yref": "paper", "yanchor": "top"}
    picture.label(0.01, 1, "as it is told", PRIVATE, **corner)
    picture.label(0.01, 0.93, "without the noise, which nobody sees", NON_PRIVATE, **corner)
    picture.axis("xaxis", "number in the list")
    picture.axis("yaxis", "its value")
    count, wording = len(heard.vectors), setup.agents.wording
    lists = f"{'one list' if count == 1 else f'{count} lists'} of {setup.settings.features} numbers"
    title = f"Everybody hears {lists}: a sum over the {wording.many} that were drawn, and noise"
    note = (
        f"Each number says a little of how good a setting is believed to be. No value of any {wording.one} is in it as "
        f"it is. Here the first round, {setup.N} {wording.many}, each drawn with probability {setup.settings.q:.3g}."
    )
    alt = f"The {setup.settings.features} numbers that the server tells, with noise and without."
    right = "one" if count == 1 else "each" if count >= setup.N else "some"
    yield one_figure(Finding(title, "simulation", note), picture, alt, right)


def clipping(schools: Schools) -> Views:
    setup = schools.setup
    found = {S: _heard(setup, S=S) for S in THRESHOLDS}
    clipped = float(np.mean([each.clipped for each in broadcasts(schools)]))
    deviation = _heard(setup).noise_deviation
    picture = Picture(margin={"l": 56, "r": 60, "t": 64, "b": 44})
    above = {"xref": "paper", "yref": "paper", "yanchor": "bottom"}
    share, hover = [100 * each.clipped for each in found.values()], "%{y:.0f} % shortened at S = %{x:g}"
    picture.line(list(found), share, UNMET, dash="dash", name="shortened", hovertemplate=hover)
    picture.label(0.0, 1, "┄ lists shortened, in % (left)", UNMET, **above, yshift=30)
    noise, hover = [each.noise_deviation for each in found.values()], "noise %{y:.2f} at S = %{x:g}"
    picture.line(list(found), noise, PRIVATE, name="noise", yaxis="y2", hovertemplate=hover)
    picture.label(0.0, 1, "─ noise on each number (right)", PRIVATE, **above, yshift=6)
    picture.upright(setup.settings.S, NON_PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", "S, how long a list may be (log scale)", type="log", tickvals=[1, 2, 5, 10, 20, 50])
    picture.axis("yaxis", range=[0, 104])
    picture.axis("yaxis2", overlaying="y", side="right", showgrid=False, rangemode="tozero", tickformat=".2g", nticks=6)
    shortened = f"At S = {setup.settings.S:.3g}, {100 * clipped:.0f} of 100 lists are shortened"
    title = f"{shortened}, and the noise on each number is {deviation:.2g}"
    note = (
        "The noise has to cover the longest list that may be sent: a larger S spares the schools, and asks for more "
        "noise. ε stays the same."
    )
    alt = "How many lists are shortened and how large the noise is, against S."
    yield one_figure(Finding(title, "simulation", note), picture, alt, third(clipped, RARE, OFTEN, "few some most"))


def crowd(schools: Schools) -> Views:
    setup, here = schools.setup, loudness(schools)
    most = len(setup.simulation.problem(0).agents)
    found = {N: loudness(schools.at(N=N)) for N in (*(each for each in CROWDS if each < most), most)}
    means, low, high = ([math.exp(getattr(each, name)) for each in found.values()] for name in ("mean", "low", "high"))
    picture = Picture()
    picture.level(1.0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(0.01, 0.0, "as loud as what they know", NON_PRIVATE, xref="paper", yshift=9)
    error = {"array": np.subtract(high, means), "arrayminus": np.subtract(means, low)}
    hover = "%{x} schools: %{y:.2g}"
    picture.points(list(found), means, PRIVATE, 3, error, marker={"size": 9}, hovertemplate=hover)
    picture.upright(setup.N, PRIVATE, dash="dot", width=1.5)
    picture.axis("xaxis", "schools (log scale)", type="log", tickvals=list(CROWDS))
    picture.axis("yaxis", "noise, as a multiple of what they know", type="log", tickvals=[0.1, 0.3, 1, 3, 10, 30, 100])
    ratio = math.exp(here.mean)
    said = {
        "noise": "the noise drowns what they know: it is",
        "alike": "noise and knowledge are about alike: the noise is",
        "schools": "what they know stands out: the noise is",
    }[right := clearly(here, "noise schools alike")]
    title = f"With {setup.N} schools {said} {ratio:.2g} times as large"
    note = (
        "What a crowd knows adds up, and the noise that hides any one of them does not have to. That is why privacy "
        "needs a crowd. Several first rounds, 95 % intervals."
    )
    alt = minus(f"Noise over signal against the number of schools; {ratio:.2g} with {setup.N}.")
    yield one_figure(Finding(title, "simulation", note), picture, alt, right)


TRIALS = 500
ROUNDS = (1, 2, 4, 8, 16, 30, 50, 75)  # Where ε is counted, besides the rounds that are set.
NAMES = ("you stayed away", "you took part")


def was_it_you(schools: Schools) -> Views:
    setup, s = schools.setup, schools.setup.settings
    right = 100 * (1 - trade_off(s, setup.N).least_error(0.5))
    for seen in audit.run(audit.attack_broadcasts(s, setup.N), TRIALS, seed=SEED):
        picture = clouds(seen.here, seen.there, NAMES, "", seen.least.threshold)
        picture.axis("xaxis", "what the best observer can make of all rounds: evidence that you took part →")
        title = f"The best guess whether you took part is right {right:.0f} times in 100 (blind guessing: 50)"
        note = (
            f"{setup.N} schools, {s.iterations} rounds, noise z = {s.z:.3g}. You send as much as anybody may, the "
            "easiest case to notice. Where the bars overlap, nobody can tell."
        )
        alt = f"What an observer sees with you and without you; the best guess is right {right:.0f} times in 100."
        yield one_figure(Finding(title, "share", note), picture, alt, third(right, FEW, MANY, "coin better sure"))


def over_rounds(schools: Schools) -> Views:
    setup, T = schools.setup, schools.setup.settings.iterations
    last = max(LONGEST, 4 * T)
    rounds = sorted({*(each for each in ROUNDS if each < last), T, 4 * T, last})
    count = {each: _counted(setup.settings, setup.N, each) for each in rounds}
    first, now, later = count[1], count[T], count[4 * T]
    picture = Picture()
    top = 1.3 * count[last]
    steep = min(top / first, last)
    straight, hover = [first, first * steep], "added up: %{y:.3g}"
    picture.line([1.0, steep], straight, RANDOM, dash="dot", name="adding up", hovertemplate=hover)
    hover = "ε = %{y:.3g} after %{x} rounds"
    picture.line(rounds, list(count.values()), PRIVATE, width=3, name="ε", hovertemplate=hover)
    marker = {"size": 12, "color": PRIVATE}
    picture.add("scatter", x=[T, 4 * T], y=[now, later], mode="markers", marker=marker, hoverinfo="skip")
    for place, each in ((T, now), (4 * T, later)):
        picture.label(place, each, f"ε = {short_epsilon(each)}", PRIVATE, xshift=8, yshift=-12, size=15)
    picture.label(steep, first * steep, "adding up", RANDOM, xshift=8, yanchor="top")
    picture.upright(T, NON_PRIVATE, dash="dot", width=1)
    picture.axis("xaxis", "rounds", range=[0, 1.08 * last])
    picture.axis("yaxis", "ε after so many rounds", range=[0, schools.situation.put_axis(top)])
    factor = later / now
    grows = f"{short_epsilon(now)} after {T}, {short_epsilon(later)} after {4 * T}"
    title = f"Four times as many rounds make ε {factor:.1f} times as large: {grows}"
    note = "What the rounds tell is counted together, which gives less than adding up. But it never shrinks."
    alt = f"ε over the rounds: {grows}."
    yield one_figure(Finding(title, "share", note), picture, alt, third(factor, LITTLE, MUCH, "same double four"))


@lru_cache(maxsize=512)
def _counted(settings: Settings, agents: int, rounds: int) -> float:
    """Return ε after so many rounds, counted exactly, as the Federated page promises it."""
    assert settings.P == 1  # all rounds are alike
    return float(epsilon(settings.q, settings.z, rounds, delta_for(agents), "pld"))
