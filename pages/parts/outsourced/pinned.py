"""A and B on the Outsourced page: A's curve beside B's, and what the difference is, run by run."""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.frame.pin import pinned
from pages.parts.outsourced.neighbours import hidden
from pages.parts.outsourced.regret import COLOURS, Regret, interval
from pages.parts.outsourced.searching import PUBLISHED
from pages.parts.outsourced.shape import noisy_line
from pages.parts.outsourced.sliders import RELEASES, Case, case_of, sliders
from pages.parts.values.numbers import cost_text
from pages.parts.values.picture import Picture
from pages.parts.values.text import SIGMA_Y
from pages.parts.values.views import Finding
from privbo_core.outsourced import Comparison, Difference, Measure, Mechanism, guarantee
from privbo_core.privacy import strength

NAMES = ("release", "epsilon", "delta", "r", "distance", "delta_ucb")
"""The settings that A keeps. Evaluations and runs are always B's, so that run by run both have the same dice."""
MOST_COLUMNS = 3  # that are named where there is room for a line


def paired(b: Comparison, of_b: Mechanism, a: Comparison, of_a: Mechanism, measure: Measure) -> Difference:
    """Return how much more B has than A in the end: the mean over runs that share their dice, with its interval."""
    more = zip(b.curves(of_b, measure)[:, -1], a.curves(of_a, measure)[:, -1], strict=False)
    return Difference.of([float(x - y) for x, y in more])


def pinned_case(case: Case) -> Case | None:
    """Return A's case, on the same data and with B's evaluations and runs; None if nothing is pinned."""
    asked = pinned()
    if asked is None:
        return None
    mechanisms = RELEASES.get(asked.get("release", ""), RELEASES["projection"])[1][:1]
    panel = [slider for slider in sliders(case.simulation, mechanisms) if slider.key in NAMES]
    values = {slider.key: _read(slider, asked) for slider in panel}
    a = case_of(
        case.simulation, mechanisms, Controls({**values, "T": case.setting.iterations, "runs": case.runs}), PUBLISHED
    )
    return replace(a, setting=replace(case.setting, **{name: getattr(a.setting, name) for name in SETTING}))


SETTING = ("epsilon", "delta", "r", "delta_ucb", "protected_distance")


def _read(slider: Slider, asked: dict[str, str]) -> float:
    try:
        return slider.read(asked[slider.key])
    except (KeyError, ValueError):
        return slider.nearest(slider.value)


@dataclass
class Beside:
    """A beside B: nothing changes while there is no A, or as long as nothing of it has been computed."""

    a: Case | None
    measure: Measure
    found: Comparison | None = None

    @classmethod
    def of(cls, case: Case, measure: Measure, give_way: Callable[[], None]) -> "Beside":
        """Return A beside a case; what is in memory of A is there at once."""
        beside = cls(pinned_case(case), measure)
        a = beside.a
        if a and a.simulation.finished(a.leading, a.setting, a.runs) >= a.runs:
            for _ in beside.steps(give_way):
                pass
        return beside

    def steps(self, give_way: Callable[[], None]) -> Generator[Comparison, None, None]:
        """Compute A."""
        a = self.a
        if a:
            for found in a.simulation.compare(a.setting, a.runs, a.mechanisms, give_way):
                self.found = found
                yield found

    @property
    def missing(self) -> bool:
        """Whether A is still to be computed."""
        return self.a is not None and (self.found is None or self.found.runs < self.a.runs)

    def top(self, top: float) -> float:
        """Return where the axis ends: A's curve is in the picture too."""
        if not (self.a and self.found):
            return top
        curve = Regret(self.found, self.a, self.measure).curve(self.a.leading)
        late = float(curve[-1]) if self.measure == "cumulative" else float(curve[min(2, len(curve) - 1)])
        return max(top, late if self.measure == "rank" else 1.05 * late)

    def draw(self, picture: Picture, now: Comparison, case: Case) -> None:
        """Draw A's curve, dashed, and write A and B at both."""
        if not (self.a and self.found):
            return
        for name, comparison, of in (("A", self.found, self.a), ("B", now, case)):
            mechanism = of.leading
            curve, colour = Regret(comparison, of, self.measure).curve(mechanism), COLOURS[mechanism]
            x = [float(t) for t in range(1, len(curve) + 1)]
            if name == "A":
                picture.line(
                    x, curve, colour, dash="7px,3px", width=2, name="A", hovertemplate="A: %{y:.3f} after %{x}"
                )
            middle = len(curve) // 2 if name == "A" else 2 * len(curve) // 3
            picture.label(
                x[middle],
                math.log10(curve[middle]) if self.measure == "rank" else float(curve[middle]),
                name,
                colour,
                yshift=9,
                xanchor="center",
                font={"color": colour, "size": 15},
            )

    def say(self, finding: Finding, now: Comparison, case: Case) -> Finding:
        """Return the finding with how much B costs more than A, and what each protects."""
        if not (self.a and self.found):
            return finding
        found = paired(now, case.leading, self.found, self.a.leading, self.measure)
        if found.runs < 2 or case.instead:
            return finding
        each = f"A, dashed: {protects(self.a)}. B: {protects(case)}."
        note = f"{each} 95 % interval over {found.runs} paired runs. {finding.note}"
        return replace(finding, title=difference(found, self.measure), note=note)


def difference(found: Difference, measure: Measure) -> str:
    """Return how much B costs more than A, as a title."""
    unit = "ranks" if measure == "rank" else SIGMA_Y
    kind = " in all" if measure == "cumulative" else ""
    if not found.clear:
        mean = cost_text(found.mean, found.standard_error, signed=False)
        return f"No clear difference between A and B{kind}: B − A is {mean} {unit} ({interval(found)})"
    more, size = (
        ("more", found)
        if found.mean > 0
        else ("less", Difference(-found.mean, found.standard_error, -found.high, -found.low, found.runs))
    )
    return f"B costs {cost_text(size.mean, size.standard_error, signed=False)} {unit} ({interval(size)}) {more} than A{kind}"


def protects(case: Case) -> str:
    """Return what a case protects, in a few words: the release, ε, how strongly."""
    setting, mechanism = case.setting, case.leading
    name = next(words for words, mechanisms in RELEASES.values() if mechanisms == (mechanism,))
    name = f"{name[0].lower()}{name[1:]}"
    if mechanism == "private":
        promise = guarantee(setting.epsilon, setting.delta, "")
        return f"{name} at ε = {setting.epsilon:.3g}, {promise.status.value}, so nothing is hidden for sure"
    promise = case.simulation.noisy_guarantee(setting, "")
    problem, distance = case.simulation.problem, setting.protected_distance
    word = strength(promise, noisy_line(setting, problem.frame.d), becomes=case.simulation.true_epsilon(setting)).word
    few = problem.frame.d <= MOST_COLUMNS
    what = hidden(problem, distance) if few else f"{distance:.3g} hidden changes of a record"
    return f"{name} at ε = {setting.epsilon:.3g}, {promise.status.value}, strength {word}, hides {what}"
