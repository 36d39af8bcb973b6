"""The steps that go through many values of one setting: which r is best, and which ε one would choose."""

from pages.parts.outsourced.figures import Swept, sweep
from pages.parts.system.attack import Views
from pages.parts.tour import figures
from pages.parts.tour.averages import difference, growing, of_runs, traces
from pages.parts.tour.station import DELTA, Station, one_figure
from pages.parts.values.numbers import scientific
from pages.parts.values.text import SIGMA_Y
from pages.parts.values.views import Finding
from privbo_core.bo import Band, band
from privbo_core.outsourced import Setting, omega
from privbo_core.privacy import worst_case_belief

SWEPT_R = (1, 2, 4, 8, 15, 30, 60, 100)
SWEPT_EPSILON = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def which_r(station: Station) -> Views:
    """Draw final regret against r, with more and more runs."""
    setting, simulation = station.setting(), station.simulation
    sigma_y, sigma_min = simulation.problem.sigma_y, simulation.spectrum.sigma_min
    feasible = sum(sigma_min >= omega(setting.epsilon, DELTA, r) for r in range(1, SWEPT_R[-1] + 1))
    where = f"σ_min ≥ ω up to r = {feasible}." if feasible else "σ_min ≥ ω for no r."
    for runs in growing(station.runs):
        plain = band([trace.simple_regret / sigma_y for trace in traces(station, "plain", setting, runs)])
        at = {float(r): Setting(setting.epsilon, DELTA, r, setting.iterations) for r in SWEPT_R}
        done = {r: traces(station, "private", changed, runs) for r, changed in at.items()}
        results = {r: band([trace.simple_regret / sigma_y for trace in found]) for r, found in done.items()}
        best = min(results, key=lambda r: float(results[r].mean[-1]))
        title = f"r = {best:g} leaves least regret, {results[best].mean[-1]:.2f} {SIGMA_Y}"
        for end in sorted({min(done), max(done)} - {best}):
            more = difference(done[end], done[best], sigma_y)
            clear = more.mean[-1] >= 2 * more.standard_error[-1]
            title += f"; r = {end:g} {more.mean[-1]:.2f} more" if clear else f"; r = {end:g} not clearly more"
        swept = Swept(list(done), results, float(plain.mean[-1]), best, float(feasible), feasible_right=False)
        note = f"ε = {setting.epsilon:.3g}, {of_runs(runs, station.runs)} each, ± 1 s.e. {where}"
        picture = sweep(swept, "projection dimension r", SIGMA_Y)
        yield one_figure(Finding(title, "simulation", note), picture, "Final simple regret against r.")


def what_would_you_choose(station: Station) -> Views:
    """Draw what the proved release costs at each ε, and say which ε the acceptable loss asks for."""
    setting, loss = station.setting(), station.controls["loss"]
    for runs in growing(station.runs):
        plain = traces(station, station.simulation.reference("noisy"), setting, runs)
        costs: dict[float, Band] = {}
        for epsilon in SWEPT_EPSILON:
            noisy = traces(station, "noisy", Setting(epsilon, DELTA, 10, setting.iterations), runs)
            costs[epsilon] = difference(noisy, plain, station.simulation.problem.sigma_y)
        title, meaning = choice_words(costs, loss)
        size = f"{of_runs(runs, station.runs)} each, {setting.iterations} evaluations, ± 1 s.e."
        finding = Finding(title, "simulation", f"{meaning} {size}".strip())
        yield one_figure(finding, figures.costs(costs, loss), "Extra regret of the noisy release against ε.")


def choice_words(costs: dict[float, Band], loss: float) -> tuple[str, str]:
    """Return the sentence about the smallest ε from which on no cost exceeds the loss, and what that ε means."""
    chosen = None
    for epsilon in sorted(costs, reverse=True):
        if float(costs[epsilon].mean[-1]) > loss:
            break
        chosen = epsilon
    if chosen is None:
        top = max(costs)
        least = f"{float(costs[top].mean[-1]):.2f}"
        return f"Even at ε = {top:g} the proved release costs more than {loss:.2g} {SIGMA_Y}: {least}", ""
    belief = 100 * worst_case_belief(0.5, chosen)
    sure = f"{belief:.1f} %" if belief < 99.9 else "more than 99.9 %"
    if chosen == min(costs):
        said = f"Even ε = {chosen:g}, the smallest tried, costs at most {loss:.2g} {SIGMA_Y}, and is proved"
    else:
        said = f"To lose at most {loss:.2g} {SIGMA_Y}, the proved release asks for ε = {chosen:g}"
    return said, f"Somebody who was 50 % sure of a record may then become {sure} sure (δ = {scientific(DELTA)})."
