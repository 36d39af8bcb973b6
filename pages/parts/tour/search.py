"""The steps that show regret over the evaluations: search against chance, what privacy costs, and a promise that is kept."""

from pages.parts.outsourced import figures
from pages.parts.outsourced.neighbours import hidden
from pages.parts.system.attack import Views
from pages.parts.tour.averages import comparisons, cost, difference, of_runs
from pages.parts.tour.station import Station, one_figure
from pages.parts.values.text import SIGMA_Y
from pages.parts.values.views import Finding, View
from privbo_core.outsourced import Comparison


def search_beats_chance(station: Station) -> Views:
    """Draw the non-private search against random search."""
    T = station.setting().iterations
    for comparison in comparisons(station, ()):
        plain, chance = (f"{float(comparison.band(policy).mean[-1]):.2f}" for policy in ("plain", "random"))
        lead = difference(comparison.random, comparison.plain, comparison.sigma_y)
        if abs(lead.mean[-1]) < 2 * lead.standard_error[-1]:
            title = f"After {T} evaluations no clear lead: search {plain} {SIGMA_Y} from the best, chance {chance}"
        elif lead.mean[-1] > 0:
            title = f"After {T} evaluations the search is {plain} {SIGMA_Y} from the best there is, chance {chance}"
        else:
            title = f"After {T} evaluations chance is ahead: {chance} {SIGMA_Y} from the best, the search still {plain}"
        yield _regret(station, comparison, title, "No privacy yet.")


def what_it_costs(station: Station) -> Views:
    """Draw private against non-private search."""
    setting = station.setting()
    for comparison in comparisons(station, ("private",)):
        costs = cost(comparison.extra())
        title = f"At ε = {setting.epsilon:.3g} the projection {costs} after {setting.iterations} evaluations"
        yield _regret(station, comparison, title)


def promise_kept(station: Station) -> Views:
    """Draw what the release whose promise is proved costs, beside the refuted one."""
    setting, noise = station.setting(), station.setting().noise(station.simulation.problem.frame)
    moves = hidden(station.simulation.problem, setting.protected_distance)
    note = f"ε = {setting.epsilon:.3g}; noise σ = {noise:.3g} hidden changes in each column hides {moves}."
    for comparison in comparisons(station, ("private", "noisy")):
        noisy, projected = (cost(comparison.extra(mechanism=mechanism)) for mechanism in ("noisy", "private"))
        yield _regret(station, comparison, f"Proved: noise {noisy}. Refuted: the projection {projected}", note)


def _regret(station: Station, comparison: Comparison, title: str, note: str = "") -> View:
    top = station.put_axis(figures.regret_top(comparison, "simple"))
    picture = figures.regret(comparison, None, "simple", top, SIGMA_Y)
    note = f"{note} {of_runs(comparison.runs, station.runs)}, bands ± 1 standard error.".strip()
    return one_figure(Finding(title, "simulation", note), picture, "Regret over the evaluations.")
