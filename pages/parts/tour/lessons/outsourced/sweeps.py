"""The steps that go through many values of one setting: which r is best, and which ε one would choose."""

from contextlib import closing
from dataclasses import replace

from pages.parts.outsourced.figures import Swept, sweep
from pages.parts.system import usual
from pages.parts.system.attack import Views
from pages.parts.tour.lesson import one_figure
from pages.parts.tour.lessons.outsourced import figures
from pages.parts.tour.lessons.outsourced.averages import difference, growing, of_runs, traces
from pages.parts.tour.lessons.outsourced.questions import group_of, size_of
from pages.parts.tour.lessons.outsourced.station import DELTA, Station
from pages.parts.values.numbers import epsilon_text, scientific
from pages.parts.values.text import SIGMA_Y
from pages.parts.values.views import REFUTED_STAMP, Finding, View
from privbo_core.bo import Band, band
from privbo_core.outsourced import omega
from privbo_core.privacy import worst_case_belief
from privbo_core.tradeoff import Answer, Mark, Sweep, outsourced_question, settle
from privbo_core.tradeoff import sweep as sweep_epsilon

SWEPT_R = (1, 2, 4, 8, 15, 30, 60, 100)


def which_r(station: Station) -> Views:
    """Draw final regret against r, with more and more runs."""
    setting, simulation = station.setting(), station.simulation
    sigma_y, sigma_min = simulation.problem.sigma_y, simulation.spectrum.sigma_min
    feasible = sum(sigma_min >= omega(setting.epsilon, DELTA, r) for r in range(1, SWEPT_R[-1] + 1))
    where = f"σ_min ≥ ω up to r = {feasible}." if feasible else "σ_min ≥ ω for no r."
    for runs in growing(station.runs):
        plain = band([trace.simple_regret / sigma_y for trace in traces(station, "plain", setting, runs)])
        at = {float(r): replace(setting, r=r) for r in SWEPT_R}
        done = {r: traces(station, "private", changed, runs) for r, changed in at.items()}
        results = {r: band([trace.simple_regret / sigma_y for trace in found]) for r, found in done.items()}

        def final(r: float, results: dict[float, Band] = results) -> float:
            return float(results[r].mean[-1])

        best = min(results, key=final)
        title = f"r = {best:g} leaves least regret, {results[best].mean[-1]:.2f} {SIGMA_Y}"
        for end in sorted({min(done), max(done)} - {best}):
            more = difference(done[end], done[best], sigma_y)
            clear = more.mean[-1] >= 2 * more.standard_error[-1]
            title += f"; r = {end:g} leaves {more.mean[-1]:.2f} more" if clear else f"; r = {end:g} not clearly more"
        swept = Swept(list(done), results, float(plain.mean[-1]), best, float(feasible), feasible_right=False)
        note = f"ε = {setting.epsilon:.3g}, {of_runs(runs, station.runs)} each, ± 1 s.e. {where}"
        firsts = {
            group_of(r): min((each for each in results if group_of(each) == group_of(r)), key=final) for r in results
        }
        rivals = [difference(done[r], done[best], sigma_y) for r in firsts.values() if r != best]
        alone = all(more.mean[-1] >= 2 * more.standard_error[-1] for more in rivals)
        right = group_of(best) if alone else "several"
        picture = sweep(swept, "projection dimension r", SIGMA_Y)
        yield one_figure(
            Finding(title, "simulation", note, REFUTED_STAMP), picture, "Final simple regret against r.", right
        )


def what_would_you_choose(station: Station) -> Views:
    """Draw what the proved release costs at each ε, and say which ε the acceptable loss asks for, as Trade-off does."""
    setting, loss, runs = station.setting(), station.controls["loss"], station.runs
    question = outsourced_question(station.simulation, setting, mechanisms=("noisy",))
    (curve,) = question.curves
    reference = question.reference(curve).name
    size = f"{runs} runs each, {setting.iterations} evaluations, ± 1 s.e."

    def view(title: str, note: str, marks: tuple[Mark, ...], right: str = "") -> View:
        finding = Finding(title, "simulation", f"{note} {size}".strip())
        return one_figure(finding, figures.costs(marks, loss), "Extra regret of the noisy release against ε.", right)

    low, high = usual.EPSILONS
    swept = Sweep()
    with closing(sweep_epsilon(question, low=low, high=high, runs=runs)) as steps:
        for swept in steps:
            station.pause()
            marks = swept.extra(curve.name, reference)
            if len(marks) > 1 and min(mark.runs for mark in marks) > 1:
                yield view("The first runs are on their way", "", marks)
    plain = swept.references[reference]
    with closing(settle(curve, swept.marks[curve.name], plain, loss)) as answers:
        for answer, known in answers:
            station.pause()
            yield view(*choice_words(answer, loss), tuple(mark.above(plain) for mark in known), size_of(answer))


def choice_words(answer: Answer, loss: float) -> tuple[str, str]:
    """Return the sentence about the smallest ε that keeps to the loss, with its interval, and what that ε means."""
    if answer.reach == "never":
        return (
            f"Even at ε = {epsilon_text(answer.swept[1])} the proved release costs more than {loss:.2g} {SIGMA_Y}: {answer.cost:.2f}",
            "",
        )
    belief = 100 * worst_case_belief(0.5, answer.epsilon)
    sure = f"{belief:.1f} %" if belief < 99.9 else "more than 99.9 %"
    if answer.reach == "always":
        said = f"Even ε = {epsilon_text(answer.epsilon)}, the smallest tried, costs at most {loss:.2g} {SIGMA_Y}, and is proved"
    else:
        between = f"{epsilon_text(answer.low)} to {epsilon_text(answer.high)}"
        said = f"To lose at most {loss:.2g} {SIGMA_Y}, the proved release asks for ε = {epsilon_text(answer.epsilon)} ({between})"
    return said, f"Somebody who was 50 % sure of a record may then become {sure} sure (δ = {scientific(DELTA)})."
