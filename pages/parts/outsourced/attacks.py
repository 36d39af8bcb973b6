"""What can be audited of Outsourced, and the attacks that tell two neighbours apart by what is released.

The paper's projection, which is refuted, and the noisy release; the other attack, rebuilding the records, is in
`rebuild`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.parts.export.offer import number
from pages.parts.outsourced.rebuild import REBUILD_NOISY, REBUILD_PROJECTION
from pages.parts.outsourced.targets import NOISY, PROJECTION, Target, noise_explained
from pages.parts.system.system import Aim, Attack, Audited, Simply
from pages.parts.system.trials import SEED, SLOW, TRIALS, Seen, Trial, trial_attack
from pages.parts.views.content import explanation, prose
from pages.parts.views.text import minus, scientific
from privbo_core import audit
from privbo_core.data import Problem
from privbo_core.errors import Array
from privbo_core.outsourced import Simulation, omega
from privbo_core.privacy import gaussian_sigma

RELEASES = replace(TRIALS, min=50, max=2000, value=200, help="Releases made of each dataset.")
NAMES = ("X", "neighbour X′")


def moved(target: Target, simulation: Simulation) -> tuple[Array, int, str]:
    """Return the neighbour that both attacks use: its rows, the row that was moved by 1, the move in original units.

    For the noisy release it moves inwards, so that nothing is clipped.
    """
    rows, problem = target.rows(simulation), simulation.problem
    neighbour, row, move = audit.move_one(rows, np.random.default_rng(SEED))
    if not target.exact:
        move = -np.copysign(move, rows[row])
        neighbour = rows.copy()
        neighbour[row] += move
    return neighbour, row, in_words(problem, move * target.unit(problem))


def in_words(problem: Problem, change: Array) -> str:
    """Return the change of a record, in original units, as text."""
    changes = zip(problem.names, problem.units, change, strict=True)
    return ", ".join(f"{name} by {minus(f'{amount:+.3g}')} {unit}".rstrip() for name, unit, amount in changes)


def neighbour_lines(target: Target) -> list[str]:
    lines = [
        f"rows = {target.rows_code}",
        f"neighbour, row, move = audit.move_one(rows, np.random.default_rng({SEED}))",
    ]
    if not target.exact:
        lines.append("neighbour[row] = rows[row] - np.copysign(move, rows[row])  # inwards, so that nothing is clipped")
    return lines


def too_few(aim: Aim) -> str:
    """Return why the column-space test cannot be run, if it cannot."""
    n, d = aim.problem.n, aim.problem.d
    return "" if n > d + 1 else prose("audit", "too few records", d=d, n=n)


def tell(target: Target, aim: Aim) -> Trial:
    """Return the column-space test on releases of a dataset and of its neighbour."""
    assert aim.simulation is not None
    given, problem = aim.controls.values, aim.problem
    rows, (neighbour, row, words) = target.rows(aim.simulation), moved(target, aim.simulation)

    def title(here: Array, there: Array, least: audit.LeastError) -> str:
        if target.exact and here.max() < there.min():
            under, beside = (scientific(float(f"{10 ** np.median(side):.0e}")) for side in (here, there))
            return f"Told apart every time: {under} under X, {beside} under its neighbour"
        return "The two clouds lie on top of each other" if least.error > 0.45 else "The two clouds overlap"

    seen = Seen(
        NAMES,
        "share of Z outside col(X)",
        title,
        f"How far Z lies outside the column space of X. The neighbour: record {row + 1:,} differs, {words}.",
        "curator",
        powers=True,
        alt="Two histograms of residuals, under X and under its neighbour.",
    )
    return Trial(
        f"{target.key}-tell",
        audit.column_space_attack(lambda data, rng: target.release(problem, data, given, rng), rows),
        (target.made_of(rows), target.made_of(neighbour)),
        given["delta"],
        (("claimed", given["epsilon"]),),
        seen,
        code=[
            *neighbour_lines(target),
            f"datasets = {target.data_code('rows')}, {target.data_code('neighbour')}",
            f"mechanism = audit.column_space_attack(lambda data, rng: {target.release_code('data', given, 'rng')}, "
            "rows)",
        ],
        pace=SLOW,
        certain="No number of trials would make it err: this is algebra, not chance." if target.exact else "",
    )


def sharpest(target: Target, aim: Aim) -> Trial:
    """Return the likelihood-ratio test on the noisy release: the best that an attacker who knows all but one can do."""
    assert aim.simulation is not None
    given, problem = aim.controls.values, aim.problem
    neighbour, row, words = moved(target, aim.simulation)
    records = aim.simulation.placed[row], neighbour[row]

    def mechanism(which: int, trials: int, rng: np.random.Generator) -> Array:
        # Noise is independent from row to row: many rows with the same record are many releases of it.
        many = target.release(problem, np.tile(records[which], (trials, 1)), given, rng)
        return np.asarray((many.Z - records[0]) @ (records[1] - records[0]))

    axis = "position between the two records (0: X, 1: X′)"
    note = f"The released record, measured along the line between the two. Record {row + 1:,} differs, {words}."
    return Trial(
        f"{target.key}-sharpest",
        mechanism,
        (0, 1),
        given["delta"],
        (("claimed", given["epsilon"]),),
        Seen(NAMES, axis, "Only the noise hides which record it was", note, "curator"),
        code=[
            *neighbour_lines(target),
            "records = rows[row], neighbour[row]",
            "def mechanism(which, trials, rng):",
            "    many = np.tile(records[which], (trials, 1))",
            f"    z = {target.release_code('many', given, 'rng')}.Z",
            "    return (z - records[0]) @ (records[1] - records[0])",
            "datasets = 0, 1",
        ],
        gaussian=True,
    )


def move_frame(follows: bool, aim: Aim) -> Trial:
    """Return the test of whether a record has moved; ``follows``: each release in a frame read off itself."""
    problem, epsilon, delta = aim.problem, aim.controls["epsilon"], aim.controls["delta"]
    mechanism, here, there = audit.frame_attack(problem.original, problem.frame, epsilon, delta, follows=follows)
    row = int((here != there).any(axis=1).argmax())

    def title(one: Array, other: Array, least: audit.LeastError) -> str:
        if one.max() < other.min() or other.max() < one.min():
            return "Told apart every time: all rows moved with the one record"
        return "The two clouds lie on top of each other" if least.error > 0.4 else "The two clouds overlap"

    frame = (
        "Each dataset is released in the frame read off itself" if follows else "Both are released in the same frame"
    )
    note = f"{frame}. The neighbour: record {row + 1:,} differs, {in_words(problem, there[row] - here[row])}."
    axis = "the release along the line between the two (units of one hidden change)"
    given = f"{number(epsilon)}, {number(delta)}, follows={follows}"
    return Trial(
        f"noisy-frame-{'follows' if follows else 'public'}",
        mechanism,
        (here, there),
        delta,
        (("claimed", epsilon),),
        Seen(NAMES, axis, title, note, "curator"),
        code=[f"mechanism, *datasets = audit.frame_attack(problem.original, problem.frame, {given})"],
        gaussian=True,
        pace=SLOW,
    )


CHECK = """\
import numpy as np
rng = np.random.default_rng(); X = rng.normal(size=(1000, 3)); V = X.copy(); V[0] += 0.5  # neighbours: one row moved
Z = (X - X.mean(0)) @ rng.normal(size=(3, 10)) / 10**0.5                                  # the release of X
away = lambda C: np.linalg.norm(Z - C @ np.linalg.lstsq(C, Z)[0]) / np.linalg.norm(Z) # how far Z lies outside col(C)
print(away(X - X.mean(0)), away(V - V.mean(0)))                                           # about 1e-15, about 1e-2
"""
"""Five lines that anyone can run; the tests run them too."""


def show_finding() -> None:
    st.markdown(prose("audit", "the finding about the projection"))
    st.code(CHECK, language="python")
    label = "A release that keeps its promise, on Outsourced"
    st.page_link("pages/outsourced.py", label=label, icon=":material/hub:", query_params={"release": "noisy"})


def explain_column_space(aim: Aim) -> tuple[str, str]:
    controls, problem = aim.controls, aim.problem
    threshold = omega(controls["epsilon"], controls["delta"], controls.whole("r"))
    return explanation("audit", "the column space", d=problem.d, n=problem.n, omega=threshold)


def explain_sharpest(aim: Aim) -> tuple[str, str]:
    sigma = gaussian_sigma(aim.controls["epsilon"], aim.controls["delta"], 1.0)
    return noise_explained(prose("audit", "noise that is enough: the sharpest test", mu=1 / sigma), aim)


def explain_following(aim: Aim) -> tuple[str, str]:
    why = prose("audit", "noise that is enough: a frame that follows the data")
    return "why the frame must be public", noise_explained(why, aim)[1]


def attack(target: Target, key: str, name: str, lead: str, run: Callable[[Aim], Trial], **more: Any) -> Attack:  # noqa: ANN401
    """Return an attack by trials on a release; ``more``: what else an `Attack` says of itself."""
    sliders = (*target.sliders, TRIALS if key == "sharpest" else RELEASES)
    return trial_attack(key, name, lead, sliders, run, claim=target.claim, data=True, **more)


def tell_attack(target: Target, lead: str, explain: Callable[[Aim], tuple[str, str]]) -> Attack:
    run = partial(tell, target)
    return attack(target, "tell", "Tell two neighbours apart", lead, run, explain=explain, refused=too_few)


def sharpest_attack(target: Target, explain: Callable[[Aim], tuple[str, str]]) -> Attack:
    said, run = explanation("audit", "The sharpest test there is"), partial(sharpest, target)
    return attack(target, "sharpest", *said, run, explain=explain)


WITH_NOISE = Simply(
    "sharpest",
    "The noisy release",
    "{holder} hands out its table with noise added. The attacker knows all of it but one {one}, and of that one that "
    "it is one of two: which?",
)
AUDITED: tuple[Audited, ...] = (
    Audited(
        PROJECTION.key,
        "Outsourced: the paper’s projection",
        (
            tell_attack(PROJECTION, prose("audit", "Tell two neighbours apart: the projection"), explain_column_space),
            REBUILD_PROJECTION,
        ),
        closing=show_finding,
        simply=Simply(
            "rebuild",
            "The paper’s projection",
            "{holder} hands out its table with its columns mixed. Somebody happens to know a few {many}. "
            "How much does that tell of the others?",
            label="How much may leak: ε (drag it: nothing changes)",
        ),
    ),
    Audited(
        NOISY.key,
        "Outsourced: the noisy release",
        (
            tell_attack(
                NOISY,
                prose("audit", "Tell two neighbours apart: the noisy release"),
                partial(noise_explained, prose("audit", "noise that is enough: two neighbours")),
            ),
            REBUILD_NOISY,
            sharpest_attack(NOISY, explain_sharpest),
            attack(
                NOISY,
                "frame-follows",
                *explanation("audit", "A frame that follows the data"),
                partial(move_frame, True),
                explain=explain_following,
            ),
            attack(
                NOISY,
                "frame-public",
                *explanation("audit", "The same move, the frame known before"),
                partial(move_frame, False),
                explain=partial(noise_explained, prose("audit", "noise that is enough: a frame known before")),
            ),
        ),
        simply=WITH_NOISE,
    ),
)
