"""The steps that show regret over the evaluations: search against chance, what privacy costs, and a promise that is kept."""

from dataclasses import replace

from pages.parts.outsourced.neighbours import hidden
from pages.parts.outsourced.regret import ENOUGH, Regret, cost_words, leads
from pages.parts.outsourced.sliders import Case
from pages.parts.system.attack import Views
from pages.parts.tour.lesson import Seen, one_figure
from pages.parts.tour.lessons.outsourced.averages import comparisons, of_runs
from pages.parts.tour.lessons.outsourced.questions import ahead, cost_shown, dearer
from pages.parts.tour.lessons.outsourced.station import Station
from pages.parts.values.text import SIGMA_Y
from pages.parts.values.views import REFUTED_STAMP, Finding
from privbo_core.outsourced import Comparison, Difference, Mechanism


def search_beats_chance(station: Station) -> Views:
    """Draw the non-private search against random search."""
    T = station.setting().iterations
    for comparison in comparisons(station, ()):
        plain, chance = (f"{float(comparison.band(policy).mean[-1]):.2f}" for policy in ("plain", "random"))
        lead = comparison.lead("plain")
        if not lead.clear:
            title = f"After {T} evaluations no clear lead: search {plain} {SIGMA_Y} from the best, chance {chance}"
        elif lead.mean > 0:
            title = f"After {T} evaluations the search is {plain} {SIGMA_Y} from the best there is, chance {chance}"
        else:
            title = f"After {T} evaluations chance is ahead: {chance} {SIGMA_Y} from the best, the search still {plain}"
        yield _regret(station, comparison, Finding(title, "simulation", "No privacy yet."), ahead(lead))


def what_it_costs(station: Station) -> Views:
    """Draw private against non-private search."""
    setting = station.setting()
    for comparison in comparisons(station, ("private",)):
        costs = cost_of("private", comparison, station)
        title = f"At ε = {setting.epsilon:.3g} the projection {costs} after {setting.iterations} evaluations"
        finding = Finding(title, "simulation", stamp=REFUTED_STAMP)
        yield _regret(station, comparison, finding, cost_shown(comparison.cost("private")))


def promise_kept(station: Station) -> Views:
    """Draw what the release whose promise is proved costs, beside the refuted one."""
    setting, noise = station.setting(), station.setting().noise(station.simulation.problem.frame)
    moves = hidden(station.simulation.problem, setting.protected_distance)
    note = f"ε = {setting.epsilon:.3g}; noise σ = {noise:.3g} hidden changes in each column hides {moves}."
    for comparison in comparisons(station, ("private", "noisy")):
        noisy, projected = (cost_of(mechanism, comparison, station) for mechanism in ("noisy", "private"))
        title = f"Proved: noise {noisy}. Refuted: the projection {projected}"
        ends = [comparison.curves(policy)[:, -1] for policy in ("noisy", "private")]
        more = Difference.of(ends[0] - ends[1])
        yield _regret(station, comparison, Finding(title, "simulation", note), dearer(more))


def cost_of(mechanism: Mechanism, comparison: Comparison, station: Station) -> str:
    """Return what a release costs, as the end of a sentence; of the first few runs nothing is said."""
    if comparison.runs < min(ENOUGH, station.runs):
        return "is being tried"
    if not leads(comparison, comparison.reference(mechanism), "simple"):
        return "has nothing to cost: without privacy the search is no better than chance"
    return cost_words(comparison.cost(mechanism))


def _regret(station: Station, comparison: Comparison, finding: Finding, right: str) -> Seen:
    now = Regret(comparison, Case(station.simulation, station.setting(), comparison.mechanisms, station.runs), "simple")
    picture = now.picture(top=station.put_axis(now.top))
    note = f"{finding.note} {of_runs(comparison.runs, station.runs)}, bands ± 1 standard error.".strip()
    return one_figure(replace(finding, note=note), picture, "Regret over the evaluations.", right)
