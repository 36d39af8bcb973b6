"""Attacks on DP-BO's score: Algorithms 1 and 2 on a real neighbour, Algorithm 3 on its worst pair and a real task."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from pages.parts.export.offer import Recipe, number
from pages.parts.live.sliders import Slider
from pages.parts.release.setting_attacks import RECORDS, WORST_LINES, Pairs, name_sides, real_record
from pages.parts.release.words import SECRET
from pages.parts.system.system import Aim, Attack, Audited
from pages.parts.system.trials import EPSILON, TRIALS, Pace, Seen, Trial, attack_script, exact_view, trial_attack
from pages.parts.views.content import explanation, prose
from pages.parts.views.picture import PRIVATE, UNMET, Picture
from pages.parts.views.text import two_digits
from pages.parts.views.views import Finding, Views
from privbo_core import audit
from privbo_core.data import tuning_task, without
from privbo_core.privacy import Guarantee
from privbo_core.release import Lipschitz, Tuning

ONE_PAIR = prose("audit", "one pair")  # What a claim over a prior that is broken on a real pair does not say.
DELTA, STEPS, STEPS_NOISY, STEPS_LEFT_OUT = 1e-3, 50, 15, 20
K1 = Slider.of("release.k1-score_attacks", 0, 1, 0.99, key="k1", step=0.001)
A = Slider.of("release.A-score_attacks", 0.01, 100, 1, key="A", step=0.01, log=True)
TAU = Slider.of("release.tau-score_attacks", 0.001, 10, 0.1, key="tau", step=0.01, log=True)
TUNED = Slider.of("release.trials", 100, 5000, 400, step=0.02, log=True, whole=True)
SLOW: Pace = (25, 1.5)
NAMES = ("V", "V′")
TUNING = Tuning(k1=0.99, sigma=0.0, iterations=STEPS_LEFT_OUT, delta=DELTA)
STRENGTH = Slider.of("release.lambda", 0.05, 5, 0.5, step=0.01, log=True)
LEFT_OUT = Slider.of("release.records", 10, 250, 100, whole=True)


@lru_cache(maxsize=1)
def _matters_most() -> int:
    """Return the record whose removal moves Algorithm 2's score most, whatever ε, k₁, A and τ are. Some seconds."""
    task, tuning = tuning_task("svm"), Tuning(0.99, 0.0, STEPS, DELTA, A=1.0, tau=0.1)
    changes = audit.score_changes(task, tuning, 1.0, records=range(task.records or 0))
    return max(changes, key=lambda change: change.epsilon).record


def noisy(aim: Aim) -> Trial:
    """Return trials of Algorithm 1's score that tune again, with V and without the record that moves the best most."""
    task, epsilon = tuning_task("svm"), aim.controls["epsilon"]
    best = task.scores.max()
    record = max(range(task.records or 0), key=lambda record: float(abs(without(task, record).max() - best)))
    seen = Seen(
        NAMES,
        "published score (prior standard deviations)",
        "The noise on the score hides one record",
        f"Each trial is a search of {STEPS_NOISY} noisy evaluations and one published score. V′ lacks record "
        f"{record + 1}, which moves the best score most.",
        "curator",
    )
    tuning = Tuning(k1=aim.controls["k1"], sigma=0.1, iterations=STEPS_NOISY, delta=DELTA)
    mechanism = audit.tuned_score(task, without(task, record), tuning, epsilon)
    code = [
        *_task_lines(f"k1={number(aim.controls['k1'])}, sigma=0.1, iterations={STEPS_NOISY}, delta={DELTA}"),
        "best = task.scores.max()",
        "record = max(range(task.records), key=lambda row: abs(pb.data.without(task, row).max() - best))",
        f"mechanism = audit.tuned_score(task, pb.data.without(task, record), tuning, {number(epsilon)})",
        "datasets = 0, 1",
    ]
    claims = (("claimed", epsilon),)
    return Trial("score-noisy", mechanism, (0, 1), DELTA, claims, seen, code, pace=SLOW, pair=ONE_PAIR)


def exact(aim: Aim) -> Trial:
    """Return trials that publish Algorithm 2's score with V and without the record that matters most."""
    task, epsilon, record = tuning_task("svm"), aim.controls["epsilon"], _matters_most()
    k1, a, tau = (aim.controls[name] for name in ("k1", "A", "tau"))
    tuning = Tuning(k1, 0.0, STEPS, DELTA, A=a, tau=tau)
    (change,) = audit.score_changes(task, tuning, epsilon, records=[record])
    seen = Seen(
        NAMES,
        "published score (prior standard deviations)",
        f"Without record {record + 1} the search ends elsewhere, and the score moves {change.epsilon:.1f} noise scales",
        f"The last score of {STEPS} exact evaluations of a support vector machine, with Algorithm 2’s noise. Of "
        f"{task.records} records, removing record {record + 1} moves it most.",
        "curator",
    )
    of_search = f"A={number(a)}, tau={number(tau)}"
    code = [
        *_task_lines(f"k1={number(k1)}, sigma=0.0, iterations={STEPS}, delta={DELTA}, {of_search}"),
        f"changes = audit.score_changes(task, tuning, {number(epsilon)}, records=range(task.records))",
        "worst = max(changes, key=lambda change: change.epsilon)",
        'show("record", worst.record + 1)',
        "mechanism = audit.published_score(worst.here, worst.there)",
        "datasets = 0, 1",
    ]
    mechanism, claims = audit.published_score(change.here, change.there), (("claimed", epsilon),)
    return Trial("score-exact", mechanism, (0, 1), DELTA, claims, seen, code, pair=ONE_PAIR)


def _task_lines(tuning: str) -> list[str]:
    return ['task = pb.data.tuning_task("svm")', f"tuning = pb.release.Tuning({tuning})"]


def _ramp(aim: Aim) -> tuple[Lipschitz, Lipschitz]:
    controls = aim.controls
    return audit.ramp_pair(controls["lambda"], controls.whole("m"), controls["epsilon"])


def ramp(aim: Aim) -> Trial:
    """Return the trials that publish Algorithm 3's score on the two validation sets that it tells apart best."""
    m, epsilon, (here, there) = aim.controls.whole("m"), aim.controls["epsilon"], _ramp(aim)
    known = "where its theorem holds" if here.sound else "where its theorem has a counterexample"
    seen = Seen(
        NAMES,
        "published score",
        f"One record moves the score by {two_digits(abs(here.best - there.best))}, {known}",
        f"One training point, one candidate λ, {m} validation records; V′ has the other label on one of them. Noise "
        f"for a move of {two_digits(here.value.sensitivity)}.",
        "share",
    )
    code = [
        f"here, there = audit.ramp_pair({number(aim.controls['lambda'])}, {m}, {number(epsilon)})",
        "mechanism = audit.published_score(here, there)",
        "datasets = 0, 1",
    ]
    return Trial("score-ramp", audit.published_score(here, there), (0, 1), 0.0, (("claimed", epsilon),), seen, code)


def run_left_out(aim: Aim) -> Views:
    """Leave out records of a real task one after the other, and show what the worst costs Algorithm 3, exactly."""
    task, claim = tuning_task("logistic"), aim.controls["epsilon"]
    total = min(aim.controls.whole("records"), task.records or 0)
    pairs = Pairs("lipschitz", total, "records left out", "curator", drawn=False, larger="it covers any data")
    changes: list[audit.ScoreChange] = []
    known = "The density of the published score with V and without that record. A real classifier, λ from 10⁻⁶ to 1."
    why = "The score's noise is the same Laplace with and without the record, so what a pair costs is exact:"
    for change in audit.lipschitz_changes(task, TUNING, claim, records=range(total)):
        changes.append(change)
        worst = max(changes, key=lambda change: change.epsilon)
        costs, most, scale = [each.epsilon for each in changes], worst.epsilon, two_digits(worst.here.value.scale)
        moves = f"moves the score by {two_digits(abs(worst.here.best - worst.there.best))}; the noise has scale {scale}"
        left = Finding(f"Record {worst.record + 1} {moves}", "curator", known)
        drawn = left, densities(worst), "The two densities of the published score."
        bound = Finding(pairs.worst(len(costs), most, claim), "curator", f"{why} the move divided by the scale.")
        tiles = pairs.tiles(costs, claim, refuted=most > claim)
        yield exact_view(f"score-{pairs.key}", tiles, drawn, bound, ("the worst record", most, claim))


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
    name_sides(picture, "without the record")
    return picture


def _claim_left_out(aim: Aim) -> tuple[Guarantee, str]:
    changes = audit.lipschitz_changes(tuning_task("logistic"), TUNING, aim.controls["epsilon"], records=[0])
    return next(changes).here.guarantee(), SECRET


def _explain_noisy(aim: Aim) -> tuple[str, str]:
    k1 = aim.controls["k1"]
    return explanation("audit", "a search in each trial", T=STEPS_NOISY, delta=DELTA, k1=k1, one_pair=ONE_PAIR)


def _explain_exact(aim: Aim) -> tuple[str, str]:
    epsilon, k1, a, tau = (aim.controls[name] for name in ("epsilon", "k1", "A", "tau"))
    return explanation("audit", "a search that ends elsewhere", A=a, tau=tau, T=STEPS, k1=k1, epsilon=epsilon)


def _explain_ramp(aim: Aim) -> tuple[str, str]:
    m, strength, (here, _) = aim.controls.whole("m"), aim.controls["lambda"], _ramp(aim)
    sensitivity, sound = here.value.sensitivity, here.sound
    return explanation(
        "audit", "the pair that is told apart best", m=m, strength=strength, sensitivity=sensitivity, sound=sound
    )


def _explain_left_out(aim: Aim) -> tuple[str, str]:
    records, epsilon = tuning_task("logistic").records, aim.controls["epsilon"]
    return explanation("audit", "a real task and its noise", T=STEPS_LEFT_OUT, records=records, epsilon=epsilon)


def _script_left_out(aim: Aim, own: Recipe | None) -> str:
    given = aim.controls.values
    epsilon = number(given["epsilon"])
    lines = [
        'task = pb.data.tuning_task("logistic")',
        f"tuning = pb.release.Tuning(k1=0.99, sigma=0.0, iterations={STEPS_LEFT_OUT}, delta={DELTA})",
        f"records = range(min({int(given['records'])}, task.records))",
        f"losses = list(audit.lipschitz_changes(task, tuning, {epsilon}, records=records))",
        *WORST_LINES,
        "scale = worst.here.value.scale",
        "ends = sorted((worst.here.best, worst.there.best))",
        "x = np.linspace(ends[0] - 3 * scale, ends[1] + 3 * scale, 301)",
        'show("density_here", *worst.here.value.density(x - worst.here.best))',
        'show("density_there", *worst.there.value.density(x - worst.there.best))',
    ]
    return attack_script(aim, own, lines)


SCORE = Audited(
    "score",
    "Release: DP-BO’s published score",
    (
        trial_attack(
            "noisy",
            "Algorithm 1, a real neighbour",
            prose("audit", "Algorithm 1, a real neighbour"),
            (EPSILON, K1, TUNED),
            noisy,
            claim=lambda aim: real_record(aim, "Algorithm 1, Corollary 2", DELTA),
            explain=_explain_noisy,
        ),
        trial_attack(
            "exact",
            "Algorithm 2, a real neighbour",
            prose("audit", "Algorithm 2, a real neighbour"),
            (EPSILON, K1, A, TAU, TRIALS),
            exact,
            claim=lambda aim: real_record(aim, "Algorithm 2, Corollary 3", DELTA),
            explain=_explain_exact,
        ),
        trial_attack(
            "ramp",
            "Algorithm 3, the worst pair",
            prose("audit", "Algorithm 3, the worst pair"),
            (EPSILON, STRENGTH, replace(RECORDS, value=40), TRIALS),
            ramp,
            claim=lambda aim: (_ramp(aim)[0].guarantee(), SECRET),
            explain=_explain_ramp,
        ),
        Attack(
            "lipschitz",
            "Algorithm 3, a real task",
            prose("audit", "Algorithm 3, a real task"),
            (EPSILON, LEFT_OUT),
            run_left_out,
            _claim_left_out,
            _explain_left_out,
            _script_left_out,
        ),
    ),
    data="a classifier to be tuned, and neighbours of its validation set",
)
