"""Telling two neighbours apart by what is released: the column-space test, and the sharpest test against noise."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.outsourced.audited.targets import LAPLACE, NOISY, PROJECTION, Target, noise_explained
from pages.parts.outsourced.shape import noisy_line, too_many
from pages.parts.system.attack import Attack, Scene, Views
from pages.parts.system.trial_script import attack_script_on_data, trial_lines
from pages.parts.system.trials import SEED, SLOW, TRIALS, Seen, Trial, by_trials
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import number
from pages.parts.values.text import minus, sup
from privbo_core import audit
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Simulation, omega
from privbo_core.privacy import Noise, gaussian_sigma

RELEASES = Slider("trials", "trials", 50, 2000, 200, "faster", "shows more", "Releases made of each dataset.",
                  step=0.02, log=True, whole=True)  # fmt: skip
NAMES = ("X", "neighbour X′")


@dataclass(frozen=True, eq=False)
class Moved:
    """A neighbour: its rows, the row that was moved by 1, and the move in original units."""

    rows: Array
    row: int
    words: str


def moved(target: Target, simulation: Simulation) -> Moved:
    """Return the neighbour that both attacks use: for the noisy release it moves inwards, so that nothing is clipped."""
    rows, problem = target.rows(simulation), simulation.problem
    neighbour, row, move = audit.move_one(rows, np.random.default_rng(SEED))
    if not target.exact:
        move = -np.copysign(move, rows[row])
        neighbour = rows.copy()
        neighbour[row] += move
    return Moved(neighbour, row, in_words(problem, move * target.unit(problem)))


def in_words(problem: Problem, change: Array) -> str:
    """Return the change of a record, in original units, as text."""
    changes = zip(problem.names, problem.units, change, strict=True)
    return ", ".join(f"{name} by {minus(f'{amount:+.3g}')} {unit}".rstrip() for name, unit, amount in changes)


def neighbour_lines(target: Target) -> list[str]:
    """Return the lines of a script that make the neighbour."""
    lines = [
        f"rows = {target.rows_code}",
        f"neighbour, row, move = audit.move_one(rows, np.random.default_rng({SEED}))",
    ]
    if not target.exact:
        lines.append("neighbour[row] = rows[row] - np.copysign(move, rows[row])  # inwards, so that nothing is clipped")
    return lines


def too_few(scene: Scene) -> str:
    """Return why the column-space test cannot be run, if it cannot."""
    n, d = scene.problem.n, scene.problem.d
    if n > d + 1:
        return ""
    return (
        f"This test needs more than d + 1 = {d + 1} records, and there are {n}. With so few, a release lies in the column space of "
        "any such dataset, its neighbour’s too, so it tells nothing. That is no protection: choose a larger table to see why."
    )


def tell(target: Target, scene: Scene) -> Views:
    """Run the column-space test on releases of a dataset and of its neighbour."""
    assert scene.simulation is not None
    given, problem = scene.controls.values, scene.problem
    neighbour, rows = moved(target, scene.simulation), target.rows(scene.simulation)

    def title(here: Array, there: Array, found: audit.LeastError) -> str:
        if target.exact and here.max() < there.min():
            under, beside = (f"10{sup(minus(str(round(float(np.median(side))))))}" for side in (here, there))
            return f"Told apart every time: {under} under X, {beside} under its neighbour"
        if found.error > 0.45:
            return "The two clouds lie on top of each other"
        return "The two clouds overlap"

    seen = Seen(
        NAMES,
        "share of Z outside col(X)",
        title,
        f"How far Z lies outside the column space of X. The neighbour: record {neighbour.row + 1:,} differs, {neighbour.words}.",
        "curator",
        powers=True,
        alt="Two histograms of residuals, under X and under its neighbour.",
    )
    trial = Trial(
        f"{target.key}-tell",
        audit.column_space_attack(lambda data, rng: target.release(problem, data, given, rng), rows),
        (target.made_of(scene.simulation), target.moved(neighbour.rows)),
        given["delta"],
        (("claimed", given["epsilon"]),),
        seen,
        pace=SLOW,
        certain="No number of trials would make it err: this is algebra, not chance." if target.exact else "",
    )
    yield from by_trials(trial, scene.controls.whole("trials"))


def tell_script(target: Target, scene: Scene, own: Recipe | None) -> str:
    """Return the column-space test as a script."""
    given = scene.controls.values
    release = target.release_code("data", given, "rng")
    claims = [f'show("claimed", {number(given["epsilon"])})']
    lines = [
        *neighbour_lines(target),
        f"datasets = {target.data_code('rows')}, {target.data_code('neighbour')}",
        f"mechanism = audit.column_space_attack(lambda data, rng: {release}, rows)",
        *trial_lines(given["trials"], number(given["delta"]), claims, powers=True, pace=SLOW),
    ]
    return attack_script_on_data(scene, own, lines)


def explain_column_space(scene: Scene) -> tuple[str, str]:
    """Return why the test never errs against the projection."""
    controls, problem = scene.controls, scene.problem
    threshold = omega(controls["epsilon"], controls["delta"], controls.whole("r"))
    return "the column space", (
        f"""The release is $Z = r^{{-1/2}}\\tilde X M$: every column of Z is a combination of the {problem.d} columns of the centred X.
So is every column of $\\tilde X = U\\sqrt{{\\Sigma^2+\\omega^2 I}}\\,V^\\top$ with today’s ω = {threshold:,.0f}, because U spans the same space: inflating
does not leave it. Moving one row gives $X' = X + (e_i - \\tfrac1n\\mathbf 1)v^\\top$. Its column space contains $Xm$ only if
$v^\\top m = 0$, which happens with probability 0 for a Gaussian m. So the test “does Z lie in col(X)?” answers yes under X and no under X′, always. An (ε, δ) promise
would need $1 \\le e^{{\\varepsilon}}\\cdot 0 + \\delta$: impossible for every ε and every δ < 1.

It needs n > d + 1 rows (here {problem.n:,} and {problem.d + 1}) in general position."""
    )


TELL_PROJECTIONS = Attack(
    "tell",
    "Tell two neighbours apart",
    "Somebody wonders whether a certain record is the real one. They have the release and two candidate datasets "
    "that differ in that record alone. If the promise held, they could hardly do better than guess.",
    (*PROJECTION.sliders, RELEASES),
    run=lambda scene: tell(PROJECTION, scene),
    claim=PROJECTION.claim,
    explain=explain_column_space,
    refused=too_few,
    script=lambda scene, own: tell_script(PROJECTION, scene, own),
    data=True,
)
TELL_NOISY = Attack(
    "tell",
    "Tell two neighbours apart",
    "The same test, against a release with noise in it. Now the noise decides, not the record.",
    (*NOISY.sliders, RELEASES),
    run=lambda scene: tell(NOISY, scene),
    claim=NOISY.claim,
    explain=lambda scene: noise_explained(
        scene, "Z fills all directions, so the column space of X is nothing special to it."
    ),
    refused=too_few,
    script=lambda scene, own: tell_script(NOISY, scene, own),
    data=True,
)


ALONG: dict[Noise, str] = {
    "gaussian": "measured along the line between the two",
    "laplace": "measured by how far it lies from either",
}
"""What the best test looks at."""


def sharpest(target: Target, scene: Scene) -> Views:
    """Run the likelihood-ratio test against the noisy release: the best that an attacker who knows all but one can do."""
    assert scene.simulation is not None
    given, problem = scene.controls.values, scene.problem
    neighbour, rows = moved(target, scene.simulation), scene.simulation.placed
    records = rows[neighbour.row], neighbour.rows[neighbour.row]
    setting = target.setting(given)
    gaussian = setting.shape == "gaussian"

    def mechanism(which: int, trials: int, rng: np.random.Generator) -> Array:
        # Noise is independent from row to row: many rows with the same record are many releases of it.
        many = target.release(problem, np.tile(records[which], (trials, 1)), given, rng)
        if gaussian:
            return np.asarray((many.Z - records[0]) @ (records[1] - records[0]))
        return np.asarray(np.linalg.norm(many.Z - records[0], axis=1) - np.linalg.norm(many.Z - records[1], axis=1))

    seen = Seen(
        NAMES,
        "position between the two records (0: X, 1: X′)" if gaussian else "by how much it is nearer to X′ than to X",
        lambda here, there, found: "Only the noise hides which record it was",
        f"The released record, {ALONG[setting.shape]}. Record {neighbour.row + 1:,} differs, {neighbour.words}.",
        "curator",
    )
    claims = (("claimed", given["epsilon"]),)
    counted = None if gaussian else noisy_line(setting, problem.frame.d)
    key = f"{target.key}-sharpest"
    trial = Trial(key, mechanism, (0, 1), setting.noisy_delta, claims, seen, gaussian=gaussian, counted=counted)
    yield from by_trials(trial, scene.controls.whole("trials"))


def sharpest_script(target: Target, scene: Scene, own: Recipe | None) -> str:
    """Return the sharpest test as a script."""
    given, gaussian = scene.controls.values, target.shape == "gaussian"
    delta = number(target.setting(given).noisy_delta)
    near, far = (f"np.linalg.norm(z - records[{which}], axis=1)" for which in (1, 0))
    claims = [f'show("claimed", {number(given["epsilon"])})']
    lines = [
        *neighbour_lines(target),
        "records = rows[row], neighbour[row]",
        "def mechanism(which, trials, rng):",
        "    many = np.tile(records[which], (trials, 1))",
        f"    z = {target.release_code('many', given, 'rng')}.Z",
        f"    return {'(z - records[0]) @ (records[1] - records[0])' if gaussian else f'{far} - {near}'}",
        "datasets = 0, 1",
        *trial_lines(given["trials"], delta, claims, gaussian=gaussian),
    ]
    return attack_script_on_data(scene, own, lines)


def explain_sharpest(target: Target, scene: Scene) -> tuple[str, str]:
    """Return why no test is sharper."""
    if target.shape == "laplace":
        return "noise that is enough", (
            f"""$Z = B(X) + $ noise on each record with a density that falls as $e^{{-\\varepsilon\\lVert x\\rVert_2}}$, in units of one hidden change: σ =
{target.setting(scene.controls.values).noise(scene.problem.frame):.4g} in each column. *Hardt, Talwar (STOC 2010).*

How much likelier a release z is from X′ than from X is $e^{{\\varepsilon(\\lVert z-x\\rVert_2-\\lVert z-x'\\rVert_2)}}$, so the best test looks at this
difference alone. By the triangle inequality it is at most 1, which is the promise. Mostly it is less: the curve, counted from how it is distributed,
lies above what ε alone says."""
        )
    sigma = gaussian_sigma(scene.controls["epsilon"], scene.controls["delta"], 1.0)
    return noise_explained(
        scene,
        "Along the line between the two records the release is $N(0,\\sigma^2)$ or $N(1,\\sigma^2)$; everything else is independent of which. The audit bounds "
        f"$\\mu = \\Delta/\\sigma = {1 / sigma:.3g}$ from below by $\\Phi^{{-1}}(1-\\mathrm{{FPR}}^+) - \\Phi^{{-1}}(\\mathrm{{FNR}}^+)$ and turns that into ε at δ. "
        "*Dong, Roth, Su (2022).*",
    )


def _sharpest(target: Target) -> Attack:
    return Attack(
        "sharpest",
        "The sharpest test there is",
        "Suppose the attacker knows every record but one, and of that one only two possibilities are left. No test "
        "can be sharper than this. It comes close to the claim, and must not pass it.",
        (*target.sliders, TRIALS),
        run=partial(sharpest, target),
        claim=target.claim,
        explain=partial(explain_sharpest, target),
        script=partial(sharpest_script, target),
        data=True,
        refused=lambda scene: too_many(target.shape, scene.problem.frame.d),
    )


SHARPEST, SHARPEST_LAPLACE = _sharpest(NOISY), _sharpest(LAPLACE)
