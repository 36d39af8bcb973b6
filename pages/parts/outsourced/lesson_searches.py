"""The steps about what a search finds: against chance, what privacy costs, the best r, which ε one would choose."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from pages.parts.outsourced.figures import regret
from pages.parts.outsourced.lesson_steps import DELTA, SearchSituation, difference, growing, of_runs, searched, traces
from pages.parts.outsourced.promise import hidden
from pages.parts.outsourced.question import ALONG_R, Swept, sweep
from pages.parts.outsourced.setup import cost_words, leads, one_sigma
from pages.parts.outsourced.view import ENOUGH
from pages.parts.outsourced.view import View as Searched
from pages.parts.system import system
from pages.parts.system.lesson import Seen, clearly, one_figure
from pages.parts.views.picture import MET, NOISY, NON_PRIVATE, ONE_TWO_FIVE, Picture
from pages.parts.views.text import SIGMA_Y, epsilon_text, scientific
from pages.parts.views.views import REFUTED_STAMP, Finding, View, Views
from privbo_core.bo import Band, band
from privbo_core.outsourced import Comparison, Difference, Mechanism, omega
from privbo_core.privacy import worst_case_belief
from privbo_core.tradeoff import Answer, Mark, Sweep, outsourced_question, settle
from privbo_core.tradeoff import sweep as sweep_epsilon


def search_beats_chance(here: SearchSituation) -> Views:
    T = here.setting().iterations
    for now in searched(here.case()):
        comparison = now.searches
        plain, chance = (f"{float(comparison.band(policy).mean[-1]):.2f}" for policy in ("plain", "random"))
        right = clearly(comparison.lead("plain"), "search chance neither")
        title = {
            "neither": f"no clear lead: search {plain} {SIGMA_Y} from the best, chance {chance}",
            "search": f"the search is {plain} {SIGMA_Y} from the best there is, chance {chance}",
            "chance": f"chance is ahead: {chance} {SIGMA_Y} from the best, the search still {plain}",
        }[right]
        finding = Finding(f"After {T} evaluations {title}", "simulation", "No privacy yet.")
        yield _regret(here, now, finding, right)


def what_it_costs(here: SearchSituation) -> Views:
    setting = here.setting()
    for now in searched(here.case("private")):
        comparison = now.searches
        costs = cost_of("private", comparison, here)
        title = f"At ε = {setting.epsilon:.3g} the projection {costs} after {setting.iterations} evaluations"
        finding = Finding(title, "simulation", stamp=REFUTED_STAMP)
        yield _regret(here, now, finding, clearly(comparison.cost("private"), "worse better same"))


def promise_kept(here: SearchSituation) -> Views:
    """Draw what the release whose promise is proved costs, beside the refuted one."""
    setting, noise = here.setting(), here.setting().noise(here.simulation.problem.frame)
    moves = hidden(here.simulation.problem, setting.protected_distance)
    note = f"ε = {setting.epsilon:.3g}; noise σ = {noise:.3g} hidden changes in each column hides {moves}."
    for now in searched(here.case("private", "noisy")):
        comparison = now.searches
        noisy, projected = (cost_of(mechanism, comparison, here) for mechanism in ("noisy", "private"))
        title = f"Proved: noise {noisy}. Refuted: the projection {projected}"
        ends = [comparison.curves(policy)[:, -1] for policy in ("noisy", "private")]
        more = Difference.of(ends[0] - ends[1])
        yield _regret(here, now, Finding(title, "simulation", note), clearly(more, "noise projection same"))


def cost_of(mechanism: Mechanism, comparison: Comparison, here: SearchSituation) -> str:
    """Return what a release costs, as the end of a sentence; of the first few runs nothing is said."""
    if comparison.runs < min(ENOUGH, here.runs):
        return "is being tried"
    if not leads(comparison, comparison.reference(mechanism), "simple"):
        return "has nothing to cost: without privacy the search is no better than chance"
    return cost_words(comparison.cost(mechanism))


def _regret(here: SearchSituation, now: Searched, finding: Finding, right: str) -> Seen:
    picture = regret(now, top=here.put_axis(now.top))
    note = f"{finding.note} {of_runs(now.runs, here.runs)}, bands ± 1 standard error.".strip()
    return one_figure(replace(finding, note=note), picture, "Regret over the evaluations.", right)


FEW, MANY = 2, 30  # Up to so few numbers a record, and from so many on.
SMALL, LARGE = 3.0, 30.0  # The ε between which the third question of its kind puts its middle answer.
SWEPT_R = (1, 2, 4, 8, 15, 30, 60, 100)


def which_r(here: SearchSituation) -> Views:
    setting, simulation = here.setting(), here.simulation
    unit, sigma_y, sigma_min = one_sigma(simulation.problem), simulation.problem.sigma_y, simulation.spectrum.sigma_min
    feasible = sum(sigma_min >= omega(setting.epsilon, DELTA, r) for r in range(1, SWEPT_R[-1] + 1))
    where = f"σ_min ≥ ω up to r = {feasible}." if feasible else "σ_min ≥ ω for no r."
    for runs in growing(here.runs):
        plain = band([trace.simple_regret / sigma_y for trace in traces(here, "plain", setting, runs)])
        at = {float(r): replace(setting, r=r) for r in SWEPT_R}
        done = {r: traces(here, "private", changed, runs) for r, changed in at.items()}
        results = {r: band([trace.simple_regret / sigma_y for trace in found]) for r, found in done.items()}

        def final(r: float, results: dict[float, Band] = results) -> float:
            return float(results[r].mean[-1])

        best = min(results, key=final)
        title = f"r = {best:g} leaves least regret, {results[best].mean[-1]:.2f} {SIGMA_Y}"
        for end in sorted({min(done), max(done)} - {best}):
            more = difference(done[end], done[best], sigma_y)
            clear = more.mean[-1] >= 2 * more.standard_error[-1]
            title += f"; r = {end:g} leaves {more.mean[-1]:.2f} more" if clear else f"; r = {end:g} not clearly more"
        swept = Swept(ALONG_R, list(done), results, float(plain.mean[-1]), best, float(feasible), False, unit)
        note = f"ε = {setting.epsilon:.3g}, {of_runs(runs, here.runs)} each, ± 1 s.e. {where}"
        firsts = {
            group_of(r): min((each for each in results if group_of(each) == group_of(r)), key=final) for r in results
        }
        rivals = [difference(done[r], done[best], sigma_y) for r in firsts.values() if r != best]
        alone = all(more.mean[-1] >= 2 * more.standard_error[-1] for more in rivals)
        right = group_of(best) if alone else "several"
        finding = Finding(title, "simulation", note, REFUTED_STAMP)
        yield one_figure(finding, sweep(swept), "Final simple regret against r.", right)


def what_would_you_choose(here: SearchSituation) -> Views:
    setting, loss, runs = here.setting(), here.controls["loss"], here.runs
    question = outsourced_question(here.simulation, setting, mechanisms=("noisy",))
    (curve,) = question.curves
    reference = question.reference(curve).name
    size = f"{runs} runs each, {setting.iterations} evaluations, ± 1 s.e."

    def view(title: str, note: str, marks: tuple[Mark, ...], right: str = "") -> View:
        finding = Finding(title, "simulation", f"{note} {size}".strip())
        picture = costs(marks, loss, one_sigma(here.simulation.problem))
        return one_figure(finding, picture, "Extra regret of the noisy release against ε.", right)

    low, high = system.EPSILONS
    swept = Sweep()
    with closing(sweep_epsilon(question, low=low, high=high, runs=runs)) as steps:
        for swept in steps:
            here.pause()
            marks = swept.extra(curve.name, reference)
            if len(marks) > 1 and min(mark.runs for mark in marks) > 1:
                yield view("The first runs are on their way", "", marks)
    plain = swept.references[reference]
    with closing(settle(curve, swept.marks[curve.name], plain, loss)) as answers:
        for answer, known in answers:
            here.pause()
            yield view(*choice_words(answer, loss), tuple(mark.above(plain) for mark in known), size_of(answer))


def group_of(r: float) -> str:
    return "few" if r <= FEW else "many" if r >= MANY else "some"


def size_of(answer: Answer) -> str:
    """Return how large the ε is that an answer names; a loss that is never kept to asks for more than there is."""
    if answer.reach == "never":
        return "large"
    return "small" if answer.epsilon < SMALL else "middle" if answer.epsilon <= LARGE else "large"


def choice_words(answer: Answer, loss: float) -> tuple[str, str]:
    """Return the sentence about the smallest ε that keeps to the loss, with its interval, and what that ε means."""
    if answer.reach == "never":
        even = f"Even at ε = {epsilon_text(answer.swept[1])}"
        return f"{even} the proved release costs more than {loss:.2g} {SIGMA_Y}: {answer.cost:.2f}", ""
    belief = 100 * worst_case_belief(0.5, answer.epsilon)
    sure = f"{belief:.1f} %" if belief < 99.9 else "more than 99.9 %"
    epsilon, most = f"ε = {epsilon_text(answer.epsilon)}", f"at most {loss:.2g} {SIGMA_Y}"
    said = f"Even {epsilon}, the smallest tried, costs {most}, and is proved"
    if answer.reach != "always":
        between = f"{epsilon_text(answer.low)} to {epsilon_text(answer.high)}"
        said = f"To lose {most}, the proved release asks for {epsilon} ({between})"
    return said, f"Somebody who was 50 % sure of a record may then become {sure} sure (δ = {scientific(DELTA)})."


def costs(marks: Sequence[Mark], loss: float, unit: str) -> Picture:
    """Draw extra regret against ε, with the acceptable loss and the region below it."""
    picture = Picture()
    done, means = [mark.epsilon for mark in marks], [mark.mean for mark in marks]
    errors = [mark.standard_error for mark in marks]
    left, right = np.log10(done[0]) - 0.05, np.log10(done[-1]) + 0.05
    picture.area([10**left, 10**right, 10**right, 10**left], [loss, loss, -10, -10], MET.faded(0.12))
    picture.level(loss, MET)
    picture.label(right, loss, "acceptable", MET, xanchor="right", yshift=9)
    picture.level(0, NON_PRIVATE, dash="dot", width=1.5)
    picture.label(right, 0, "non-private", NON_PRIVATE, xanchor="right", yshift=-9)
    said = {"name": "noisy release", "hovertemplate": "%{y:.3f} at ε = %{x:g}"}
    picture.points(done, means, NOISY, 2.5, {"array": errors}, marker={"size": 9}, **said)
    top = 1.15 * max([loss, 0.1, *(mean + error for mean, error in zip(means, errors, strict=True))])
    picture.axis("xaxis", "ε (log scale): more useful →", type="log", range=[left, right], tickvals=ONE_TWO_FIVE)
    picture.axis("yaxis", f"extra regret ({unit})", range=[-0.12 * top, top])
    return picture
