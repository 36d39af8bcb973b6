"""A and B on the Outsourced page: A's curve beside B's, and what the difference is, run by run."""

import math
from dataclasses import dataclass, replace

from pages.parts.live.sliders import Controls, Slider
from pages.parts.live.work import Steps
from pages.parts.outsourced.figures import STYLES
from pages.parts.outsourced.promise import hidden, noisy_promise, noisy_strength
from pages.parts.outsourced.setup import MODEL, PUBLISHED, RELEASES, Case, case_of, interval, model_sliders, sliders
from pages.parts.outsourced.view import View, compute
from pages.parts.shell.address import pinned
from pages.parts.views.picture import Picture
from pages.parts.views.text import SIGMA_Y, cost_text
from pages.parts.views.views import Finding
from privbo_core.outsourced import Comparison, Difference, Measure, Mechanism, guarantee

PINNED = ("release", "epsilon", "delta", "r", "distance", "delta_ucb", "initial", *MODEL)
"""The settings that A keeps. Evaluations and runs are always B's, so that run by run both have the same dice."""
MOST_COLUMNS = 3  # that are named where there is room for a line


def paired(b: Comparison, of_b: Mechanism, a: Comparison, of_a: Mechanism, measure: Measure) -> Difference:
    """Return how much more B has than A in the end: the mean over runs that share their dice, with its interval."""
    more = zip(b.curves(of_b, measure)[:, -1], a.curves(of_a, measure)[:, -1], strict=False)
    return Difference.of([float(x - y) for x, y in more])


def pinned_view(b: View) -> View | None:
    """Return A beside B, on the same data and with B's evaluations and runs; None if nothing is pinned."""
    settings, case = pinned(), b.case
    if settings is None:
        return None
    mechanisms = RELEASES.get(settings.get("release", ""), RELEASES["projection"])[1][:1]
    values = {
        slider.key: _read(slider, settings)
        for slider in (*sliders(case.simulation, mechanisms), *model_sliders(case.simulation))
    }
    a = case_of(case.simulation, mechanisms, Controls(values), PUBLISHED).setting
    kept = ("epsilon", "delta", "r", "delta_ucb", "protected_distance", "initial", *MODEL)
    setting = replace(case.setting, **{name: getattr(a, name) for name in kept})
    return View(Case(case.simulation, setting, mechanisms, case.runs), measure=b.measure)


def _read(slider: Slider, settings: dict[str, str]) -> float:
    try:
        return slider.read(settings[slider.key])
    except (KeyError, ValueError):
        return slider.nearest(slider.value)


@dataclass
class Beside:
    """A beside B: nothing changes while there is no A, or as long as nothing of it has been computed."""

    a: View | None

    @classmethod
    def of(cls, b: View) -> "Beside":
        """Return A beside B; what is in memory of A is there at once."""
        beside = cls(pinned_view(b))
        if beside.a and beside.a.finished >= beside.a.case.runs:
            for _ in beside.steps():
                pass
        return beside

    def steps(self) -> Steps[View]:
        if self.a:
            for now in compute(self.a):
                self.a = now
                yield now

    @property
    def missing(self) -> bool:
        return self.a is not None and self.a.runs < self.a.case.runs

    def top(self, top: float) -> float:
        """Return where the axis ends: A's curve is in the picture too."""
        if not (self.a and self.a.runs):
            return top
        late = self.a.late(self.a.case.leading)
        return max(top, late if self.a.measure == "rank" else 1.05 * late)

    def draw(self, picture: Picture, b: View) -> None:
        if not (self.a and self.a.runs):
            return
        for name, view in (("A", self.a), ("B", b)):
            mechanism = view.case.leading
            curve, colour = view.curve(mechanism), STYLES[mechanism][1]
            x = [float(t) for t in range(1, len(curve) + 1)]
            middle = 2 * len(curve) // 3
            if name == "A":
                hover, middle = "A: %{y:.3f} after %{x}", len(curve) // 2
                picture.line(x, curve, colour, dash="7px,3px", width=2, name="A", hovertemplate=hover)
            y = math.log10(curve[middle]) if view.measure == "rank" else float(curve[middle])
            picture.label(x[middle], y, name, colour, size=15, yshift=9, xanchor="center")

    def finding(self, b: View) -> Finding:
        finding, a = b.finding, self.a
        if not (a and a.runs) or b.case.instead:
            return finding
        more = paired(b.searches, b.case.leading, a.searches, a.case.leading, a.measure)
        if more.runs < 2:
            return finding
        each = f"A, dashed: {protects(a.case)}. B: {protects(b.case)}."
        note = f"{each} 95 % interval over {more.runs} paired runs. {finding.note}"
        return replace(finding, title=difference(more, a.measure), note=note)


def difference(more: Difference, measure: Measure) -> str:
    unit = "ranks" if measure == "rank" else SIGMA_Y
    kind = " in all" if measure == "cumulative" else ""
    less = more.clear and more.mean < 0
    size = Difference(-more.mean, more.standard_error, -more.high, -more.low, more.runs) if less else more
    amount = f"{cost_text(size.mean, size.standard_error, signed=False)} {unit} ({interval(size)})"
    if not more.clear:
        return f"No clear difference between A and B{kind}: B − A is {amount}"
    return f"B costs {amount} {'less' if less else 'more'} than A{kind}"


def protects(case: Case) -> str:
    setting, mechanism = case.setting, case.leading
    name = next(words for words, mechanisms in RELEASES.values() if mechanisms == (mechanism,))
    name = f"{name[0].lower()}{name[1:]}"
    if mechanism == "private":
        promise = guarantee(setting.epsilon, setting.delta, "")
        return f"{name} at ε = {setting.epsilon:.3g}, {promise.status.value}, so nothing is hidden for sure"
    problem, distance = case.problem, setting.protected_distance
    few = problem.frame.d <= MOST_COLUMNS
    what = hidden(problem, distance) if few else f"{distance:.3g} hidden changes of a record"
    status, strong = noisy_promise(case.simulation, setting).status.value, noisy_strength(case.simulation, setting)
    return f"{name} at ε = {setting.epsilon:.3g}, {status}, strength {strong.word}, hides {what}"
