"""Attacks on private selection: its setting exactly, its setting and score together by trials."""

from dataclasses import replace
from functools import partial

from pages.parts.export.offer import Recipe, number
from pages.parts.live.sliders import Slider
from pages.parts.release.setting_attacks import RECORDS, SECRET, SIDES_LINES, probabilities
from pages.parts.release.setup import FROM, UP_TO
from pages.parts.system.system import Attack, Audited, Scene, Simply
from pages.parts.system.trials import (
    EPSILON,
    TRIALS,
    Seen,
    Trial,
    attack_script,
    exact_view,
    trial_attack,
    verdict_tile,
)
from pages.parts.views.content import explanation, prose
from pages.parts.views.text import scientific
from pages.parts.views.views import Finding, Tile, Views
from privbo_core import audit
from privbo_core.privacy import Guarantee
from privbo_core.release import Selection, Way, selection

SPENT = replace(EPSILON, min=FROM, max=UP_TO)
MANY = Slider(
    "n", "n", 2, 2000, 1000, "few candidates", "many", "Candidates to choose among.", step=0.02, log=True, whole=True
)
FEW = replace(MANY, value=10)


def _plans(scene: Scene, way: Way = "permute-and-flip") -> tuple[Selection, Selection]:
    """Return private selection on V and on V′: the pair that it tells apart best."""
    controls = scene.controls
    records, epsilon = controls.whole("m"), controls["epsilon"]
    here, there = audit.adversarial_scores(controls.whole("n"), records)
    return (
        selection(here, records=records, epsilon=epsilon, way=way),
        selection(there, records=records, epsilon=epsilon, way=way),
    )


def run_setting(scene: Scene, way: Way = "permute-and-flip") -> Views:
    """Compare the probabilities of every candidate on the worst pair: exact, no trials."""
    claim = scene.controls["epsilon"]
    loss = audit.selection_loss(*_plans(scene, way))
    refuted = loss.refutes(claim, 0.0)
    title = (
        f"This pair costs {loss.epsilon:.3g}: the claim of {claim:.3g} is refuted"
        if refuted
        else (
            f"The worst pair costs ε = {loss.epsilon:.3g}: the claim of {claim:.3g} is kept, and hardly any of it is "
            "wasted"
        )
        if loss.epsilon > 0.8 * claim
        else f"The worst pair costs ε = {loss.epsilon:.3g}: the claim of {claim:.3g} is kept"
    )
    tiles = (
        verdict_tile(refuted, claim),
        Tile("The worst pair", f"ε = {scientific(loss.epsilon)}", "exact, no confidence needed", "share"),
        Tile("Part of the claim that is used", f"{100 * loss.epsilon / claim:.0f} %", "by this pair", "share"),
        Tile("δ that it needs", scientific(round(loss.delta, 12)), "claimed: 0", "share"),
    )
    note = "The one record that differs hates candidate 1 and likes all others in V, and the other way round in V′."
    pictured = Finding("Candidate 1 becomes likelier, all others less likely", "share", note)
    drawn = (
        pictured,
        probabilities(loss.here, loss.there),
        "The publication probability of each candidate with V and with V′.",
    )
    bound = Finding(title, "share", "The largest ratio of two probabilities, as a logarithm.")
    key = "selection-setting" if way == "permute-and-flip" else "selection-exponential"
    yield exact_view(key, tiles, drawn, bound, ("this pair", loss.epsilon, claim))


def by_draws(scene: Scene, *, score: bool) -> Trial:
    """Return trials that publish the setting of the worst pair for ε or, with the ``score`` beside it, for 2ε."""
    here, there = _plans(scene)
    what = "setting and score" if score else "the setting"
    seen = Seen(
        ("V", "V′"),
        f"log-likelihood ratio of {what}",
        "Setting and score together tell as much as was paid for, and no more"
        if score
        else "The setting tells as much as was paid for, and no more",
        "All that the published setting and its score tell about which of the two it was, as one number. Together "
        "they cost 2ε."
        if score
        else "All that the published setting tells about which of the two it was, as one number.",
        "share",
    )
    released = 2 if score else 1
    claims = (("claimed:\nboth together" if score else "claimed", here.guarantee(released).epsilon),)
    code = [*_plan_lines(scene), f"mechanism = audit.selected(*plans, score={score})", "datasets = 0, 1"]
    claim_code = [f'show("claimed", plans[0].guarantee({released}).epsilon)']
    mechanism, key = audit.selected(here, there, score=score), f"selection-{'both' if score else 'drawn'}"
    return Trial(key, mechanism, (0, 1), 0.0, claims, seen, code, claim_code)


def _claim(scene: Scene, released: int, way: Way = "permute-and-flip") -> tuple[Guarantee, str]:
    return _plans(scene, way)[0].guarantee(released), SECRET


def _explain(scene: Scene, together: bool, way: Way = "permute-and-flip") -> tuple[str, str]:
    controls = scene.controls
    return explanation(
        "audit",
        "a promise that is kept, and used",
        way=way,
        m=controls.whole("m"),
        n=controls.whole("n"),
        epsilon=controls["epsilon"],
        together=together,
        source=_plans(scene, way)[0].guarantee().source.split(";")[0],
    )


def _plan_lines(scene: Scene, way: Way = "permute-and-flip") -> list[str]:
    given = scene.controls.values
    m, n, epsilon = int(given["m"]), int(given["n"]), number(given["epsilon"])
    return [
        f"scores = audit.adversarial_scores({n}, {m})",
        f"plans = [pb.release.selection(each, records={m}, epsilon={epsilon}, way={way!r}) for each in scores]",
    ]


def _script_setting(scene: Scene, own: Recipe | None, way: Way = "permute-and-flip") -> str:
    lines = [
        *_plan_lines(scene, way),
        "worst = audit.selection_loss(*plans)",
        'show("worst_pair", worst.epsilon)',
        *SIDES_LINES,
    ]
    return attack_script(scene, own, lines)


def _exact(key: str, name: str, lead: str, way: Way) -> Attack:
    return Attack(
        key,
        name,
        lead,
        (SPENT, MANY, RECORDS),
        partial(run_setting, way=way),
        claim=lambda scene: _claim(scene, 1, way),
        explain=lambda scene: _explain(scene, together=False, way=way),
        script=lambda scene, own: _script_setting(scene, own, way),
    )


def _drawn(key: str, name: str, lead: str, *, score: bool) -> Attack:
    return trial_attack(
        key,
        name,
        lead,
        (SPENT, FEW, RECORDS, TRIALS),
        partial(by_draws, score=score),
        claim=lambda scene: _claim(scene, 2 if score else 1),
        explain=lambda scene: _explain(scene, together=score),
    )


SELECTION = Audited(
    "selection",
    "Release: private selection",
    (
        _exact(
            "setting",
            "The setting, on the worst pair",
            prose("audit", "The setting, on the worst pair"),
            "permute-and-flip",
        ),
        _drawn("both", "Setting and score together", prose("audit", "Setting and score together"), score=True),
        _drawn("drawn", "The setting alone, drawn again and again", prose("audit", "The setting alone"), score=False),
        _exact(
            "exponential",
            "The setting, by the exponential mechanism",
            prose("audit", "The setting, by the exponential mechanism"),
            "exponential",
        ),
    ),
    data="none: scores that one record moves as far as any can",
    simply=Simply(
        "drawn",
        "Publishing a tuned setting",
        "A team publishes a good setting, drawn at random. The attacker has two tables, made up so that the one record "
        "in which they differ shows most: which was it?",
        ("One record", "of those that the settings were tried on."),
        ("Every reader", "of the setting."),
    ),
)
