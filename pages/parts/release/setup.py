"""The sliders of a release that Trade-off and the Tour show."""

from pages.parts.live.sliders import Slider, of_delta, of_epsilon

FROM, START, UP_TO = 0.1, 1.0, 1000.0
"""ε from where to where, and where it starts."""


def epsilon_slider() -> Slider:
    """Return the slider for the ε of each publication."""
    counts = "Privacy loss of each release: setting and score cost 2ε."
    return of_epsilon(FROM, UP_TO, START, counts, exponential=True)


def sliders() -> dict[str, Slider]:
    """Return the sliders for the constants of Algorithms 1 and 2, by name."""
    large = "With this probability the guarantee of Algorithms 1 and 2 may fail altogether. Choose δ well below 1/m."
    shown = (
        of_delta(1e-6, 0.5, 1e-3, large),
        Slider.of("release.k1", 0, 1, 0.99, step=0.001),
        Slider.of("release.sigma", 1e-3, 2, 0.1, step=0.01, log=True),
        Slider.of("release.A", 0.01, 100, 1, step=0.01, log=True),
        Slider.of("release.tau", 0.001, 10, 0.1, step=0.01, log=True),
    )
    return {slider.key: slider for slider in shown}
