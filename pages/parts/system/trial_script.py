"""What the scripts of attacks share: an audit by trials, with the same dice and the same histograms as on the page."""

from collections.abc import Sequence

from pages.parts.system.attack import Scene
from pages.parts.system.trial_figures import BINS
from pages.parts.system.trials import FAST, SEED, Pace
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import ENGINE, NUMPY, problem_lines, script

TITLE = "Does the guarantee hold?"
"""The heading of the page, and the title of each script."""


def attack_script(lines: Sequence[str]) -> str:
    """Return the view of an attack as a script."""
    return script(TITLE, [NUMPY, ENGINE, "from privbo_core import audit"], "\n".join(lines))


def attack_script_on_data(scene: Scene, own: Recipe | None, lines: Sequence[str]) -> str:
    """Return the view of an attack on chosen data as a script; ``lines`` may use ``problem``."""
    return attack_script([*problem_lines(scene.problem, own).split("\n"), *lines])


def trial_lines(
    total: float,
    delta: str,
    claims: Sequence[str],
    *,
    gaussian: bool = False,
    powers: bool = False,
    pace: Pace = FAST,
) -> list[str]:
    """Return the lines that run the trials, bound ε look by look, and print the figures; they need ``mechanism`` and ``datasets``.

    ``claims``: the lines that print what is claimed. ``powers``: outputs are exponents of ten.
    """
    first, factor = pace
    return [
        f"sizes = tuple(audit.portions({int(total)}, {min(first, int(total))}, {factor}))",
        f"portions = audit.in_portions(mechanism, datasets, sizes, {SEED})",
        "bounds = []",
        "for look, (here, there) in zip(audit.Look.all(len(sizes)), portions):",
        f"    bounds.append(audit.judged(here, there, {delta}, look{', gaussian=True' if gaussian else ''}))",
        "found, most = bounds[-1], max(bounds, key=lambda bound: bound.epsilon)",
        'show("epsilon_at_least", most.epsilon)',
        *claims,
        'show("strongest", found.strongest)',
        "least = audit.least_error(here, there, look)",
        'show("least_error_percent", 100 * least.error, 100 * least.at_most)',
        'show("threshold", found.threshold)',
        'show("false_alarms", most.observed_alarms, most.false_alarms)',
        'show("misses", most.observed_misses, most.misses)',
        "low, high = np.quantile(np.concatenate([here, there]), [0.001, 0.999])",
        f"room = max(high - low, 1e-9) * 0.04 + {0.3 if powers else 0.0}",
        f"edges = np.linspace(low - room, high + room, {BINS + 1})",
        'for name, values in (("here", here), ("there", there)):',
        "    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)",
        '    show(f"percent_{name}", *(100 * counts / len(values)))',
    ]
