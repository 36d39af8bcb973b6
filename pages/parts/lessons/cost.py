"""The steps about what ε costs: the hospital, the team, the schools; and a decision."""

import math
from contextlib import closing
from dataclasses import replace

from pages.parts.federated import lesson_steps as federated
from pages.parts.federated.agents import GRADES, named
from pages.parts.federated.setup import PLAIN, PRIVATE
from pages.parts.federated.view import amount
from pages.parts.live.sliders import Controls
from pages.parts.outsourced.lesson_simple import what_would_you_choose
from pages.parts.outsourced.lesson_steps import SearchSituation
from pages.parts.outsourced.setup import Searching
from pages.parts.outsourced.view import View
from pages.parts.release import lesson_steps as more
from pages.parts.release.view import permute_and_flip
from pages.parts.system import system
from pages.parts.system.lesson import Seen, Situation, clearly, one_figure, right_of
from pages.parts.table.diagnostics import suited
from pages.parts.table.own_table import public_simulation
from pages.parts.views.content import short_epsilon
from pages.parts.views.picture import MET, NON_PRIVATE, UNMET, Picture
from pages.parts.views.picture import PRIVATE as BLUE
from pages.parts.views.views import Finding, Views
from privbo_core.data import TASKS, tuning_task
from privbo_core.federated import losses
from privbo_core.outsourced import Difference

NOISES = (0.6, 1.65, 4.0)  # Multiples of the noise that the schools are tried with: from a large ε to a small one.


def hospital(situation: Situation) -> Views:
    """Draw what a company finds on the hospital’s noisy table at each ε."""
    simulation = public_simulation("hospital")
    values = {"epsilon": situation.controls["epsilon"], "T": system.STEPS, "runs": system.RUNS}
    searching = Searching(suited(simulation.problem), once=True)
    here = SearchSituation(simulation, Controls(values), searching, pause=situation.pause)
    for view in what_would_you_choose(View(here.case("noisy"))):
        situation.pause()
        yield view


def team(situation: Situation) -> Views:
    """Draw what the published setting loses at each ε."""
    return more.what_would_you_choose(replace(situation, about=tuning_task(TASKS[0])))


def schools(situation: Situation) -> Views:
    at = federated.of(Situation(named(GRADES), Controls({"runs": situation.controls["runs"]}), pause=situation.pause))
    lost: dict[float, list[float]] = {}
    setups = [at.at(z=z).setup for z in NOISES]
    epsilons = [losses(setup.settings, setup.N, "pld", "exact")[-1] for setup in setups]
    ends = math.log10(0.7 * min(epsilons)), math.log10(1.4 * max(epsilons))
    for setup, epsilon in zip(setups, epsilons, strict=True):
        algorithms = {PRIVATE: setup.settings, **setup.algorithms((PLAIN,))}
        with closing(setup.simulation.compare(algorithms, setup.N, at.runs)) as steps:
            for progress in steps:
                situation.pause()
                if progress.runs > 1 and progress.runs > len(lost.get(epsilon, ())):
                    pairs = zip(*(progress.finished[name] for name in (PRIVATE, PLAIN)), strict=False)
                    early = slice(setup.early)
                    lost[epsilon] = [
                        float((a.simple[early] - b.simple[early]).mean()) * at.setup.agents.in_words for a, b in pairs
                    ]
                    yield _of_schools(at, lost, ends)


def _of_schools(at: federated.Schools, lost: dict[float, list[float]], ends: tuple[float, float]) -> Seen:
    spoken, early, known = at.setup.agents.wording, at.setup.early, sorted(lost)
    costs = [Difference.of(lost[epsilon]) for epsilon in known]
    picture = Picture(margin={"l": 72, "r": 16, "t": 8, "b": 44})
    picture.level(0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(0.99, 0, "without privacy", NON_PRIVATE, xref="paper", xanchor="right", yshift=-10)
    up, down = [each.high - each.mean for each in costs], [each.mean - each.low for each in costs]
    means, hover = [each.mean for each in costs], "%{y:.3f} at ε = %{x:.2g}"
    error = {"array": up, "arrayminus": down}
    picture.points(known, means, BLUE, 3, error, marker={"size": 10}, hovertemplate=hover)
    ticks = {"type": "log", "range": list(ends), "tickvals": [0.5, 1, 2, 5, 10, 20]}
    picture.axis("xaxis", "ε of the whole run (log scale): more may leak →", **ticks)
    picture.axis("yaxis", f"lost in the first {early} rounds, in {spoken.unit}")
    title, right = "The first simulated runs are under way", ""
    if len(known) == len(NOISES) and min(len(each) for each in lost.values()) == at.runs:
        more_lost = Difference.of([a - b for a, b in zip(lost[known[0]], lost[known[-1]], strict=True)])
        right = clearly(more_lost, "more less same")
        size = f"{amount(abs(more_lost.mean), more_lost.standard_error)} {spoken.unit}"
        small, large = (f"ε = {short_epsilon(known[place])}" for place in (0, -1))
        title = f"{small} costs each {spoken.one} {size} {right} than {large}"
        if right == "same":
            title = f"Between {small} and {large} no difference in cost shows"
    against = f"{at.runs} simulated runs with noise against the same without, {at.setup.N} {spoken.many}"
    note = f"Each point: {against}, 95 % intervals."
    alt = f"What each {spoken.one} loses to noise at several ε."
    return one_figure(Finding(title, "simulation", note), picture, alt, right)


def decision(situation: Situation) -> Views:
    view = permute_and_flip(tuning_task(TASKS[0]), 1.0)
    allowed, accepted = situation.controls["guesses"], situation.controls["loss"] / 100
    losses_at, rights = more.losses_on_the_grid(view), [right_of(epsilon) for epsilon in more.GRID]
    needed = more.least(more.GRID, losses_at, accepted)
    most = math.log(allowed / (100 - allowed))
    right = "both" if needed <= most else "neither"
    colour = MET if right == "both" else UNMET
    top = 100 * max(losses_at)
    picture = Picture()
    picture.box((50, allowed, 0, 100 * accepted), fillcolor=colour.faded(0.15), line={"width": 1.5, "color": colour})
    picture.label(51, 100 * accepted, "both accept this", colour, yshift=10)
    hover = "loses %{y:.2f} points; %{x:.0f} of 100 right"
    picture.line(rights, [100 * each for each in losses_at], BLUE, width=3, hovertemplate=hover)
    picture.axis("xaxis", "right guesses of 100 about a patient", range=[50, 100])
    picture.axis("yaxis", f"points of {view.sample.measure} lost", range=[0, 1.05 * max(top, 100 * accepted)])
    title = f"Any ε from {short_epsilon(needed)} to {short_epsilon(most)} serves both: choose the smallest"
    if right == "neither":
        asks = f"the loss asks for ε = {more.in_words(needed).removeprefix('ε = ')}"
        title = f"No ε serves both: {asks}, the guesses allow ε = {short_epsilon(most)} at most"
    look = "then look whether the curve passes through the corner."
    note = f"So a decision is made: say what each side accepts, in its own unit, {look}"
    alt = "What the team loses against how often an attacker is right, with the corner that both accept."
    yield one_figure(Finding(title, "curator", note), picture, alt, right)
