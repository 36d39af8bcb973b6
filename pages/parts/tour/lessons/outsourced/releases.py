"""The steps about what leaves the curator: who sees what, what becomes of distances, and what can be told from it."""

import numpy as np

from pages.parts.controls.live_sliders import Controls
from pages.parts.outsourced import figures as outsourced_figures
from pages.parts.outsourced.audited.attacks import AUDITED
from pages.parts.system.attack import Scene, Views
from pages.parts.system.trials import TrialView
from pages.parts.tour.lesson import one_figure
from pages.parts.tour.lessons.outsourced import figures
from pages.parts.tour.lessons.outsourced.questions import handed_out, kept_within
from pages.parts.tour.lessons.outsourced.questions import told_apart as told
from pages.parts.tour.lessons.outsourced.station import DELTA, Station
from pages.parts.values.numbers import two_digits, whole_text
from pages.parts.values.views import REFUTED_STAMP, Finding
from privbo_core.outsourced import distance_distortion, omega

TELL = next(attack for attack in AUDITED[0].attacks if attack.key == "tell")
"""The audit's attack that tells projections of two neighbours apart."""
TRIALS = next(slider for slider in TELL.sliders if slider.key == "trials")


def who_sees_what(station: Station) -> Views:
    """Draw the records with their outcomes beside what the modeler is given."""
    problem, setting = station.simulation.problem, station.setting()
    z = station.simulation.release(setting, 0).Z
    numbers = f"{setting.r} numbers" if setting.r > 1 else "1 number"
    title = f"The curator keeps {problem.n:,} records; the modeler gets {numbers} for each, and outcomes only by asking"
    picture, drawn = figures.two_sides(problem, z)
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
    picture = outsourced_figures.distances(measured, 0.0, 0.0, promise=False)
    alt = f"Histogram of how squared distances change; 90 % between {two_digits(low)} and {two_digits(high)}."
    yield one_figure(Finding(title, "curator", note, REFUTED_STAMP), picture, alt, kept_within(low, high))


def audited(station: Station) -> Scene:
    """Return what the audit's attack is run on."""
    setting, trials = station.setting(), station.controls["trials"]
    values = {"epsilon": setting.epsilon, "delta": DELTA, "r": float(setting.r), "trials": trials}
    return Scene(Controls(values), station.simulation)


def told_apart(station: Station) -> Views:
    """Run the audit's test on releases of two neighbours."""
    for view in TELL.run(audited(station)):
        assert isinstance(view, TrialView)
        clouds, bound = view.figures[:2]
        finding = Finding(clouds.finding.title, "curator", f"{bound.finding.title}.", REFUTED_STAMP)
        right = told(view.shown.least.error, view.shown.flawless)
        yield one_figure(finding, clouds.picture, clouds.alt, right)
