"""The steps about what leaves the curator: who sees what, what becomes of distances, and what can be told from it."""

import numpy as np

from pages.parts.controls.live_sliders import Controls
from pages.parts.outsourced.attacks import AUDITED
from pages.parts.outsourced.details import distances
from pages.parts.outsourced.maps import flat, principal
from pages.parts.outsourced.setup import Case
from pages.parts.system.attack import Scene, Views
from pages.parts.system.trials import TrialView
from pages.parts.tour.lesson import one_figure
from pages.parts.tour.lessons.outsourced import DELTA, Station
from pages.parts.values.numbers import two_digits, whole_text
from pages.parts.values.palette import RANDOM
from pages.parts.values.picture import Picture
from pages.parts.values.views import REFUTED_STAMP, Finding
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import distance_distortion, omega

TELL = next(attack for attack in AUDITED[0].attacks if attack.key == "tell")
"""The audit's attack that tells projections of two neighbours apart."""
MOST_POINTS = 1500
TRIALS = next(slider for slider in TELL.sliders if slider.key == "trials")


def who_sees_what(station: Station) -> Views:
    """Draw the records with their outcomes beside what the modeler is given."""
    problem, setting = station.simulation.problem, station.setting()
    z = station.simulation.release(setting, 0).Z
    numbers = f"{setting.r} numbers" if setting.r > 1 else "1 number"
    title = f"The curator keeps {problem.n:,} records; the modeler gets {numbers} for each, and outcomes only by asking"
    picture, drawn = two_sides(problem, z)
    part = f" {drawn:,} of {problem.n:,} drawn." if drawn < problem.n else ""
    note = f"Left: records, coloured by outcome. Right: their random projection, in its two widest directions.{part}"
    alt = "Records coloured by outcome, beside their projection without colours."
    right = handed_out(problem.points, problem.objective, z)
    yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, right)


def distances_survive(station: Station) -> Views:
    """Draw what the release does to distances, and say whether the condition holds."""
    simulation, setting = station.simulation, station.setting()
    z = simulation.release(setting, 0).Z
    measured = distance_distortion(simulation.problem.points, z, 20_000, np.random.default_rng(0))
    low, high = (float(np.quantile(measured.ratios, share)) for share in (0.05, 0.95))
    sigma_min, threshold = simulation.spectrum.sigma_min, omega(setting.epsilon, DELTA, setting.r)
    factors = f"nine of ten squared distances × {two_digits(low)} to {two_digits(high)}"
    met = f"σ_min = {whole_text(sigma_min)}"
    if sigma_min >= threshold:
        title = f"{met} ≥ ω = {whole_text(threshold)}: projected as they are, {factors}"
    else:
        title = f"{met} < ω = {whole_text(threshold)}: inflated first, {factors}"
    note = f"{measured.pairs:,} random pairs of records, one projection to r = {setting.r}, ε = {setting.epsilon:.3g}."
    picture = distances(measured, 0.0, 0.0, promise=False)
    alt = f"Histogram of how squared distances change; 90 % between {two_digits(low)} and {two_digits(high)}."
    yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, kept_within(low, high))


def handed_out(points: Array, objective: Array, z: Array) -> str:
    """Return which of these a release holds: it is looked for in its columns."""

    def holds(column: Array) -> bool:
        return any(np.allclose(column, each) for each in z.T)

    if not all(holds(column) for column in points.T):
        return "mixed"
    return "outcome" if holds(objective) else "values"


def kept_within(low: float, high: float) -> str:
    """Return how far nine of ten squared distances move; distances move by the root of that."""
    factor = max(high, 1 / max(low, 1e-12)) ** 0.5
    return "kept" if factor <= 1.1 else "rough" if factor <= 2 else "lost"


def attacked(case: Case, trials: float = TRIALS.value) -> Scene:
    """Return what the audit's attack is run on."""
    values = {"epsilon": case.setting.epsilon, "delta": DELTA, "r": float(case.setting.r), "trials": trials}
    return Scene(Controls(values), case.simulation)


def tell_apart(station: Station) -> Views:
    """Run the audit's test on releases of two neighbours."""
    yield from told_apart(attacked(station.case("private"), station.controls["trials"]))


def told_apart(scene: Scene) -> Views:
    """Yield what the test shows."""
    for view in TELL.run(scene):
        assert isinstance(view, TrialView)
        clouds, bound = view.figures[:2]
        finding = Finding(clouds.finding.title, "curator", f"{bound.finding.title}.", REFUTED_STAMP)
        right = "always" if view.shown.flawless else "often" if view.shown.least.error < 0.45 else "never"
        yield one_figure(finding, clouds.picture, clouds.alt, right)


def two_sides(problem: Problem, z: Array) -> tuple[Picture, int]:
    """Draw records coloured by outcome beside their release without outcomes; return also how many are drawn."""
    keep = np.random.default_rng(0).permutation(problem.n)[:MOST_POINTS]
    picture = Picture()
    (places, names), released = flat(problem), principal(z)
    picture.add(
        "scatter", x=places[keep, 0], y=places[keep, 1], mode="markers", name="curator", hoverinfo="skip",
        marker={"size": 6, "color": problem.objective[keep], "colorscale": "Cividis", "opacity": 0.85},
    )  # fmt: skip
    picture.add(
        "scatter", x=released[keep, 0], y=released[keep, 1], mode="markers", name="modeler", hoverinfo="skip",
        xaxis="x2", yaxis="y2", marker={"size": 6, "color": RANDOM.faded(0.6)},
    )  # fmt: skip
    picture.axis("xaxis", names[0], domain=[0, 0.46])
    picture.axis("yaxis", names[1])
    picture.axis("xaxis2", "first direction of Z", domain=[0.56, 1], anchor="y2")
    picture.axis("yaxis2", "second direction of Z", anchor="x2")
    return picture, len(keep)
