"""Attacks on Algorithm 3's published score: the pair that it tells apart best, and a real task."""

import numpy as np

from pages.parts.controls.live_sliders import Slider
from pages.parts.system.attack import Attack, Scene, Views
from pages.parts.system.trial_figures import bars
from pages.parts.system.trials import EPSILON, TRIALS, Seen, Trial, attack_script, slots, trial_attack, verdict_tile
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import number
from pages.parts.values.numbers import scientific, two_digits
from pages.parts.values.palette import PRIVATE, UNMET
from pages.parts.values.picture import Picture
from pages.parts.values.views import Figure, Finding, Tile, View
from privbo_core import audit
from privbo_core.data import tuning_task
from privbo_core.privacy import Guarantee
from privbo_core.release import Lipschitz, Tuning

SECRET = "that a record is the real one"
DELTA, STEPS = 1e-3, 20
TUNING = Tuning(k1=0.99, sigma=0.0, iterations=STEPS, delta=DELTA)
STRENGTH = Slider("lambda", "λ", 0.05, 5, 0.5, "weakly regularised", "strongly regularised",
                  "The one candidate λ. Theorem 7 holds up to ½; from 1 on it does not.", step=0.01, log=True)  # fmt: skip
RECORDS = Slider("m", "m", 2, 1000, 40, "few records", "many", "Validation records.", step=0.02, log=True, whole=True)
LEFT_OUT = Slider(
    "records", "records", 10, 250, 100, "faster", "more records", "Records left out, one after the other.", whole=True
)


def _ramp(scene: Scene) -> tuple[Lipschitz, Lipschitz]:
    controls = scene.controls
    return audit.ramp_pair(controls["lambda"], controls.whole("m"), controls["epsilon"])


def ramp(scene: Scene) -> Trial:
    """Return the trials that publish Algorithm 3's score on the two validation sets that it tells apart best."""
    controls = scene.controls
    here, there = _ramp(scene)
    known = "where its theorem holds" if here.sound else "where its theorem has a counterexample"
    seen = Seen(
        ("V", "V′"),
        "published score",
        f"One record moves the score by {two_digits(abs(here.best - there.best))}, {known}",
        f"One training point, one candidate λ, {controls.whole('m')} validation records; V′ has the other label on one of them. "
        f"Noise for a move of {two_digits(here.value.sensitivity)}.",
        "share",
    )
    values = ", ".join((number(controls["lambda"]), str(controls.whole("m")), number(controls["epsilon"])))
    return Trial(
        "score-ramp",
        audit.published_score(here, there),
        (0, 1),
        0.0,
        (("claimed", controls["epsilon"]),),
        seen,
        code=[
            f"here, there = audit.ramp_pair({values})",
            "mechanism = audit.published_score(here, there)",
            "datasets = 0, 1",
        ],
    )


def run_left_out(scene: Scene) -> Views:
    """Leave out records of a real task one after the other, and show what the worst costs Algorithm 3, exactly."""
    task, claim = tuning_task("logistic"), scene.controls["epsilon"]
    total = min(scene.controls.whole("records"), task.records or 0)
    left, right = slots("score-lipschitz")
    found: list[audit.ScoreChange] = []
    for change in audit.lipschitz_changes(task, TUNING, claim, records=range(total)):
        found.append(change)
        worst = max(found, key=lambda each: each.epsilon)
        moves = abs(worst.here.best - worst.there.best)
        title = f"The worst of {len(found)} records left out costs {scientific(worst.epsilon)} of the promised ε = {claim:.3g}"
        note = "The score's noise is the same Laplace with and without the record, so what a pair costs is exact: the move divided by the scale."
        alt = f"Bars: the worst record costs {worst.epsilon:.3g}; claimed is {claim:.3g}."
        picture = bars((("claimed", claim),), worst.epsilon, None)
        outputs = Finding(
            f"Record {worst.record + 1} moves the score by {two_digits(moves)}; the noise has scale {two_digits(worst.here.value.scale)}",
            "curator",
            "The density of the published score with V and without that record. A real classifier, λ from 10⁻⁶ to 1.",
        )
        yield View(
            (verdict_tile(worst.epsilon > claim, claim), *_tiles(found, worst, claim, total)),
            (
                Figure(left, outputs, densities(worst), "The two densities of the published score."),
                Figure(right, Finding(title, "curator", note), picture, alt),
            ),
        )


def _tiles(found: list[audit.ScoreChange], worst: audit.ScoreChange, claim: float, total: int) -> tuple[Tile, ...]:
    half = float(np.median([change.epsilon for change in found]))
    times = f"{scientific(claim / worst.epsilon)} times" if worst.epsilon else "infinitely"
    return (
        Tile("Worst record so far", f"ε = {scientific(worst.epsilon)}", "exact, no confidence needed", "curator"),
        Tile(
            "Half of the records cost less than",
            scientific(half),
            f"{len(found)} of {total} records left out",
            "curator",
        ),
        Tile("Noise larger than these need", times, "it covers any data", "curator"),
    )


def densities(change: audit.ScoreChange) -> Picture:
    """Draw the density of the published score with V and with V′, three noise scales around both."""
    picture, scale = Picture(height=320), change.here.value.scale
    centres = change.here.best, change.there.best
    x = np.linspace(min(centres) - 3 * scale, max(centres) + 3 * scale, 301)
    for plan, name, colour, dash in ((change.there, "V′", UNMET, "solid"), (change.here, "V", PRIVATE, "dash")):
        curve = plan.value.density(x - plan.best)
        picture.line(x, curve, colour, dash=dash, width=2, name=f"with {name}", hovertemplate=f"{name}: %{{x:.3g}}")
    picture.axis("xaxis", "published score", range=[x[0], x[-1]])
    picture.axis("yaxis", "probability density", rangemode="tozero", showticklabels=False)
    picture.label(1, 1, "– – with V", PRIVATE, xref="paper", xanchor="right", yref="paper", yanchor="top")
    picture.label(1, 1, "— without the record", UNMET, xref="paper", xanchor="right", yref="paper", yanchor="top", yshift=-18)  # fmt: skip
    return picture


def _claim_left_out(scene: Scene) -> tuple[Guarantee, str]:
    changes = audit.lipschitz_changes(tuning_task("logistic"), TUNING, scene.controls["epsilon"], records=[0])
    return next(changes).here.guarantee(), SECRET


def _explain_ramp(scene: Scene) -> tuple[str, str]:
    given = scene.controls.values
    here, _ = _ramp(scene)
    said = (
        "Here the noise covers exactly what one record can do, so the audit comes close to ε and does not pass it."
        if here.sound
        else "Here one record moves the score by twice what Theorem 7 prints, L/(mλ): the argument yields 2L/(mλ). So the audit passes ε, up to 2ε."
    )
    return "the pair that is told apart best", (
        f"""One training point x = 1, y = 1 with hinge loss gives $w = \\min\\{{1, 1/\\lambda\\}}$. The validation loss is a ramp, $\\min\\{{1, \\max\\{{0, (1-yw)/2\\}}\\}}$, so L = ½ and g* = 1.
All {int(given["m"])} records of V are like the training point; V′ has the other label on one, which moves the score by w/m. λ = {given["lambda"]:.3g}: noise for a move of {two_digits(here.value.sensitivity)}. {said}

This promise is made for every dataset, so a pair that one makes up counts. *Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm 3, Theorem 7.*"""
    )


def _explain_left_out(scene: Scene) -> tuple[str, str]:
    task = tuning_task("logistic")
    return "a real task and its noise", (
        f"""Algorithm 3 adds noise for the move of a record *and* for the distance between any two candidates, $(\\lambda_{{\\max}}-\\lambda_{{\\min}})L/(\\lambda_{{\\max}}\\lambda_{{\\min}})$, which is enormous
for this task’s λ from 10⁻⁶ to 1. After a search of {STEPS} exact evaluations on V and on V without a record, the best scores differ a little; what that costs is exactly their distance divided by the noise’s
scale. Of {task.records} records none comes near ε = {scene.controls["epsilon"]:.3g}. The pair that does is the other attack.

*Kusner, Gardner, Garnett, Weinberger (ICML 2015), Algorithm 3, Theorem 7.*"""
    )


def _script_left_out(scene: Scene, own: Recipe | None) -> str:
    given = scene.controls.values
    epsilon = number(given["epsilon"])
    lines = [
        'task = pb.data.tuning_task("logistic")',
        f"tuning = pb.release.Tuning(k1=0.99, sigma=0.0, iterations={STEPS}, delta={DELTA})",
        f"records = range(min({int(given['records'])}, task.records))",
        f"changes = list(audit.lipschitz_changes(task, tuning, {epsilon}, records=records))",
        "worst = max(changes, key=lambda change: change.epsilon)",
        'show("worst_pair", worst.epsilon)',
        'show("half_cost_less_than", np.median([change.epsilon for change in changes]))',
        "scale = worst.here.value.scale",
        "ends = sorted((worst.here.best, worst.there.best))",
        "x = np.linspace(ends[0] - 3 * scale, ends[1] + 3 * scale, 301)",
        'show("density_here", *worst.here.value.density(x - worst.here.best))',
        'show("density_there", *worst.there.value.density(x - worst.there.best))',
    ]
    return attack_script(scene, own, lines)


RAMP = trial_attack(
    "ramp",
    "Algorithm 3, the worst pair",
    "Algorithm 3 promises its ε for every dataset, so an attacker may choose the two that its score tells apart best.",
    (EPSILON, STRENGTH, RECORDS, TRIALS),
    ramp,
    claim=lambda scene: (_ramp(scene)[0].guarantee(), SECRET),
    explain=_explain_ramp,
)
LEAVING_OUT = Attack(
    "lipschitz",
    "Algorithm 3, a real task",
    "A real classifier, one record left out at a time: how much does that change the published score, beside the noise that Algorithm 3 adds?",
    (EPSILON, LEFT_OUT),
    run_left_out,
    claim=_claim_left_out,
    explain=_explain_left_out,
    script=_script_left_out,
)
