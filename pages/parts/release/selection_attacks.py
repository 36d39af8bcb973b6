"""Attacks on private selection: its setting exactly, its setting and score together by trials."""

from dataclasses import replace
from functools import partial

from pages.parts.export.offer import number
from pages.parts.live.sliders import Slider
from pages.parts.release.setting_attacks import RECORDS, SIDES_LINES, probabilities
from pages.parts.release.setup import FROM, UP_TO
from pages.parts.release.words import SECRET
from pages.parts.system.system import Aim, Attack, Audited, Simply
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
from pages.parts.views.views import Audience, Finding, Tile, Views
from privbo_core import audit
from privbo_core.release import Selection, Way, selection

FLIP: Way = "permute-and-flip"
SPENT = replace(EPSILON, min=FROM, max=UP_TO)
MANY = Slider.of("release.n", 2, 2000, 1000, step=0.02, log=True, whole=True)
FEW = replace(MANY, value=10)


def _plans(aim: Aim, way: Way = FLIP) -> tuple[Selection, Selection]:
    """Return private selection on V and on V′: the pair that it tells apart best."""
    records, epsilon = aim.controls.whole("m"), aim.controls["epsilon"]
    scores = audit.adversarial_scores(aim.controls.whole("n"), records)
    here, there = (selection(each, records=records, epsilon=epsilon, way=way) for each in scores)
    return here, there


def run_setting(aim: Aim, way: Way) -> Views:
    """Compare the probabilities of every candidate on the worst pair: exact, no trials."""
    claim = aim.controls["epsilon"]
    loss = audit.selection_loss(*_plans(aim, way))
    refuted = loss.refutes(claim, 0.0)
    title = f"The worst pair costs ε = {loss.epsilon:.3g}: the claim of {claim:.3g} is kept"
    if refuted:
        title = f"This pair costs {loss.epsilon:.3g}: the claim of {claim:.3g} is refuted"
    elif loss.epsilon > 0.8 * claim:
        title = f"{title}, and hardly any of it is wasted"
    seen: Audience = "refuted" if refuted else "share"
    tiles = (
        verdict_tile(refuted, claim),
        Tile("The worst pair", f"ε = {scientific(loss.epsilon)}", "exact, no confidence needed", seen),
        Tile("Part of the claim that is used", f"{100 * loss.epsilon / claim:.0f} %", "by this pair", seen),
        Tile("δ that it needs", scientific(round(loss.delta, 12)), "claimed: 0", seen),
    )
    note = "The one record that differs hates candidate 1 and likes all others in V, and the other way round in V′."
    pictured = Finding("Candidate 1 becomes likelier, all others less likely", seen, note)
    alt = "The publication probability of each candidate with V and with V′."
    drawn = pictured, probabilities(loss.here, loss.there), alt
    bound = Finding(title, seen, "The largest ratio of two probabilities, as a logarithm.")
    key = "selection-setting" if way == FLIP else "selection-exponential"
    yield exact_view(key, tiles, drawn, bound, ("this pair", loss.epsilon, claim))


def by_draws(aim: Aim, *, score: bool) -> Trial:
    """Return trials that publish the setting of the worst pair for ε or, with the ``score`` beside it, for 2ε."""
    here, there = _plans(aim)
    key, named, claimed, released = "drawn", "the setting", "claimed", 1
    title = "The setting tells as much as was paid for, and no more"
    note = "All that the published setting tells about which of the two it was, as one number."
    if score:
        key, named, claimed, released = "both", "setting and score", "claimed:\nboth together", 2
        title = "Setting and score together tell as much as was paid for, and no more"
        told = "All that the published setting and its score tell about which of the two it was, as one number."
        note = f"{told} Together they cost 2ε."
    seen = Seen(("V", "V′"), f"log-likelihood ratio of {named}", title, note, "share")
    claims = ((claimed, here.guarantee(released).epsilon),)
    code = [*_plan_lines(aim), f"mechanism = audit.selected(*plans, score={score})", "datasets = 0, 1"]
    claim_code = [f'show("claimed", plans[0].guarantee({released}).epsilon)']
    mechanism = audit.selected(here, there, score=score)
    return Trial(f"selection-{key}", mechanism, (0, 1), 0.0, claims, seen, code, claim_code)


def _explain(aim: Aim, together: bool, way: Way = FLIP) -> tuple[str, str]:
    m, n, epsilon = aim.controls.whole("m"), aim.controls.whole("n"), aim.controls["epsilon"]
    source = _plans(aim, way)[0].guarantee().source.split(";")[0]
    return explanation(
        "audit",
        "a promise that is kept, and used",
        way=way,
        m=m,
        n=n,
        epsilon=epsilon,
        together=together,
        source=source,
    )


def _plan_lines(aim: Aim, way: Way = FLIP) -> list[str]:
    m, n, epsilon = aim.controls.whole("m"), aim.controls.whole("n"), number(aim.controls["epsilon"])
    return [
        f"scores = audit.adversarial_scores({n}, {m})",
        f"plans = [pb.release.selection(each, records={m}, epsilon={epsilon}, way={way!r}) for each in scores]",
    ]


def _exact(key: str, name: str, about: str, way: Way) -> Attack:
    worst = ["worst = audit.selection_loss(*plans)", 'show("worst_pair", worst.epsilon)']
    return Attack(
        key,
        name,
        about,
        (SPENT, MANY, RECORDS),
        partial(run_setting, way=way),
        claim=lambda aim: (_plans(aim, way)[0].guarantee(1), SECRET),
        explain=lambda aim: _explain(aim, together=False, way=way),
        script=lambda aim, own: attack_script(aim, own, [*_plan_lines(aim, way), *worst, *SIDES_LINES]),
    )


def _drawn(key: str, name: str, about: str, *, score: bool) -> Attack:
    return trial_attack(
        key,
        name,
        about,
        (SPENT, FEW, RECORDS, TRIALS),
        partial(by_draws, score=score),
        claim=lambda aim: (_plans(aim)[0].guarantee(2 if score else 1), SECRET),
        explain=lambda aim: _explain(aim, together=score),
    )


SELECTION = Audited(
    "selection",
    "Release: private selection",
    (
        _exact("setting", "The setting, on the worst pair", prose("audit", "The setting, on the worst pair"), FLIP),
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
