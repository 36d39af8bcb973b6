"""The sliders of the tour's steps."""

from dataclasses import replace

from pages.parts.controls.live_sliders import Notch, Slider, human_above
from pages.parts.system import usual
from pages.parts.tour.lessons.outsourced.station import DELTA
from privbo_core.outsourced import Simulation, smallest_epsilon

RUNS = Slider("runs", "runs", 5, 100, usual.RUNS, "faster", "thinner bands", "Runs averaged.", whole=True)
DISTANCE = Slider("distance", "protected distance", 0.1, 25, 1, "less is hidden", "more is hidden",
                  "By how many hidden changes of the frame one record may move and stay hidden.", step=0.02, log=True)  # fmt: skip
LOSS = Slider("loss", "acceptable extra regret (σ_y)", 0.01, 3, 0.1, "demand more", "accept more",
              "How much worse than the non-private search the result may be.", step=0.02, log=True)  # fmt: skip
DIMENSION = Slider("r", "r", 1, 100, usual.R, "fewer dimensions", "truer distances, larger ω",
                   "Dimension of the projection.", whole=True)  # fmt: skip
EPSILON = Slider(
    "epsilon", "ε", *usual.EPSILONS, usual.EPSILON, "more private", "more useful", "Privacy loss.", step=0.01, log=True
)


def marked_epsilon(simulation: Simulation, value: float = EPSILON.value) -> Slider:
    """Return the slider of ε with the place marked where σ_min = ω."""
    turn = Notch(smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10), "σ_min = ω at r = 10")
    return replace(EPSILON, value=value, marks=(turn,))


def enough_epsilon(simulation: Simulation) -> float:
    """Return an ε at which σ_min ≥ ω for r = 10, if there is one on the slider."""
    enough = human_above(1.05 * smallest_epsilon(simulation.spectrum.sigma_min, DELTA, 10))
    return min(max(enough, EPSILON.min), EPSILON.max)


def evaluations(simulation: Simulation) -> Slider:
    """Return the slider of T. It cannot exceed the number of records."""
    most = min(200, simulation.problem.n)
    return Slider("T", "T", 5, most, min(usual.STEPS, most), "fewer evaluations", "more evaluations",
                  "Evaluations after five initial ones.", whole=True)  # fmt: skip
