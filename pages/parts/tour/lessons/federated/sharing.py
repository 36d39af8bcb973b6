"""The steps that show what is found round by round: alone, together, and together with privacy."""

from collections.abc import Sequence
from contextlib import closing

from pages.parts.federated.figures import Look
from pages.parts.federated.setup import ALONE, NOTHING_PROMISED, PLAIN, PRIVATE
from pages.parts.federated.view import ENOUGH, NO_GAIN, amount
from pages.parts.system.attack import Views
from pages.parts.tour.lesson import Seen, one_figure
from pages.parts.tour.lessons.federated import questions
from pages.parts.tour.lessons.federated.schools import Schools
from pages.parts.values.views import Finding
from privbo_core.federated import Progress, saving


def together_or_alone(schools: Schools) -> Views:
    """Draw tuning together without privacy beside each alone."""
    yield from _compared(schools, PLAIN, (ALONE, PLAIN), "Together without privacy")


def does_it_pay(schools: Schools) -> Views:
    """Draw tuning together with privacy beside both."""
    start = "Together with privacy" if schools.setup.settings.z > 0 else "Together without noise"
    yield from _compared(schools, PRIVATE, (PRIVATE, ALONE, PLAIN), start)


def _compared(schools: Schools, name: str, others: Sequence[str], start: str) -> Views:
    setup, runs = schools.setup, schools.runs
    with closing(setup.simulation.compare(setup.algorithms(tuple(others)), setup.N, runs)) as steps:
        for progress in steps:
            schools.pause()
            yield _view(schools, name, start, progress)


def _view(schools: Schools, name: str, start: str, progress: Progress) -> Seen:
    setup, wording, runs = schools.setup, schools.agents.wording, schools.runs
    look = Look.plainly(setup)
    picture = look.picture(progress, setup.settings.iterations, schools.put_axis(look.top(progress)))
    title, right = f"{start}: the first simulated runs are under way", ""
    if progress.runs >= min(ENOUGH, runs):
        gain = saving(progress, name, ALONE, setup.early).times(schools.scale)
        right = questions.compared(gain)
        size = f"{amount(abs(gain.mean), gain.standard_error)} {wording.unit}"
        differs = f"each {wording.one} {wording.differs(gain.mean, size)} than alone"
        said = "no difference from alone shows" if right == "same" else differs
        title = f"{start}, in the first {setup.early} rounds {said}"
    done = f"{progress.runs} of {runs}" if progress.runs < runs else f"{runs}"
    note = f"{done} simulated runs with {setup.N} {wording.many}, bands ± 1 standard error."
    if name == PRIVATE and right and _lies_lower(progress):
        note += NO_GAIN
    stamp = NOTHING_PROMISED if name == PRIVATE and setup.settings.z == 0 else ""
    alt = f"How far each {wording.one} is from its best, round by round."
    return one_figure(Finding(title, "simulation", note, stamp), picture, alt, right)


def _lies_lower(progress: Progress) -> bool:
    """Whether the picture ends with privacy below without: no runs make that a gain of privacy."""
    pairs = zip(progress.finished[PLAIN], progress.finished[PRIVATE], strict=False)
    return sum(float(plain.simple[-1] - private.simple[-1]) for plain, private in pairs) > 0
