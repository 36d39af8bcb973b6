"""The steps that show what is found round by round: alone, together, and together with privacy."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from pages.parts.federated.plain.picture import over_rounds, top_of
from pages.parts.federated.plain.words import ALONE, ENOUGH, NO_GAIN, PLAIN, PRIVATE, amount
from pages.parts.federated.setup import NOTHING_PROMISED
from pages.parts.system.attack import Views
from pages.parts.tour.lesson import Seen, one_figure
from pages.parts.tour.lessons.federated import questions
from pages.parts.tour.lessons.federated.schools import Schools
from pages.parts.values.views import Finding
from privbo_core.federated import Progress, saving

SAID = {
    "nearer": "{one} {better} than alone",
    "same": "no difference from alone shows",
    "further": "{one} {worse} than alone",
}
"""What became of it, as the end of a sentence."""


def together_or_alone(schools: Schools) -> Views:
    """Draw tuning together without privacy beside each alone."""
    yield from _compared(schools, PLAIN, (ALONE, PLAIN), "Together without privacy")


def does_it_pay(schools: Schools) -> Views:
    """Draw tuning together with privacy beside both."""
    start = "Together with privacy" if schools.setup.settings.z > 0 else "Together without noise"
    yield from _compared(schools, PRIVATE, (PRIVATE, ALONE, PLAIN), start)


def _compared(schools: Schools, name: str, others: Sequence[str], start: str) -> Views:
    setup, runs = schools.setup, schools.runs
    algorithms = {each: setup.algorithms[each] for each in others}
    with closing(setup.simulation.compare(algorithms, setup.N, runs)) as steps:
        for progress in steps:
            schools.pause()
            yield _view(schools, name, start, progress)


def _view(schools: Schools, name: str, start: str, progress: Progress) -> Seen:
    setup, told, runs = schools.setup, schools.told, schools.runs
    drawn = replace(progress, finished={**dict.fromkeys((PRIVATE, ALONE, PLAIN), ()), **progress.finished})
    top = schools.put_axis(top_of(drawn, schools.scale))
    picture = over_rounds(drawn, schools.scale, (told.axis, top), setup.settings.iterations, None)
    title, right = f"{start}: the first simulated runs are under way", ""
    if progress.runs >= min(ENOUGH, runs):
        gain = saving(progress, name, ALONE, setup.early).times(schools.scale)
        right = questions.compared(gain)
        size = f"{amount(abs(gain.mean), gain.standard_error)} {told.unit}"
        said = SAID[right].format(
            one=f"each {told.one}", better=told.better.format(size), worse=told.worse.format(size)
        )
        title = f"{start}, in the first {setup.early} rounds {said}"
    done = f"{progress.runs} of {runs}" if progress.runs < runs else f"{runs}"
    note = f"{done} simulated runs with {setup.N} {told.many}, bands ± 1 standard error."
    if name == PRIVATE and right and _lies_lower(progress):
        note += NO_GAIN
    stamp = NOTHING_PROMISED if name == PRIVATE and setup.settings.z == 0 else ""
    alt = f"How far each {told.one} is from its best, round by round."
    return one_figure(Finding(title, "simulation", note, stamp), picture, alt, right)


def _lies_lower(progress: Progress) -> bool:
    """Whether the picture ends with privacy below without: no runs make that a gain of privacy."""
    pairs = zip(progress.finished[PLAIN], progress.finished[PRIVATE], strict=False)
    return sum(float(plain.simple[-1] - private.simple[-1]) for plain, private in pairs) > 0
