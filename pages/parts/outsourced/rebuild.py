"""Rebuilding all records from a release and d + 1 known ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pages.parts.export.offer import Recipe
from pages.parts.outsourced.maps import flat, label
from pages.parts.outsourced.targets import NOISY, PROJECTION, Target, noise_explained
from pages.parts.system.system import Aim, Attack
from pages.parts.system.trials import SEED, attack_script, slot, verdict_tile
from pages.parts.views.content import explanation, prose
from pages.parts.views.picture import NON_PRIVATE, PRIVATE, REFUTED, Picture
from pages.parts.views.text import minus, scientific
from pages.parts.views.views import Cell, Figure, Finding, Row, Table, Tile, View, Views
from privbo_core import audit
from privbo_core.data import Problem
from privbo_core.errors import Array

SHOWN_RECORDS = 8
ELSEWHERE = "refuted by the other attack, “Tell two neighbours apart”"
"""What stands at the claim where this attack alone does not refute it."""


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """What the attacker made of a release ``z``.

    ``rows`` and ``points``, what they rebuilt of it, are n×d, in the target's units.

    ``known``: the rows that the attacker knew; ``others``: the rest; ``shown``: a few of those. ``learned``: how many
    numbers about each record are determined.
    """

    target: Target
    problem: Problem
    rows: Array
    z: Array
    points: Array
    learned: int
    known: NDArray[np.int64]
    others: NDArray[np.int64]
    shown: NDArray[np.int64]

    @property
    def errors(self) -> Array:
        """How far off each of the others is."""
        distances: Array = np.linalg.norm(self.points - self.rows, axis=1)[self.others]
        return distances

    @property
    def whole(self) -> bool:
        """Whether the others are determined in all directions."""
        return self.learned == self.problem.d

    @property
    def in_units(self) -> Array:
        return self.target.to_original(self.problem, self.points)


def too_few(aim: Aim) -> str:
    n, d = aim.problem.n, aim.problem.d
    return "" if n > d + 1 else prose("audit", "too few records to rebuild", d=d, n=n)


def rebuild(target: Target, aim: Aim) -> Views:
    assert aim.simulation is not None
    problem, given = aim.problem, aim.controls.values
    rows = target.rows(aim.simulation)
    release = target.release(problem, target.made_of(rows), given, np.random.default_rng([SEED, 9]))
    known = audit.spread_rows(rows, np.random.default_rng(SEED))
    rebuilt_rows = audit.reconstruct(release, known, rows[known])
    others = np.setdiff1d(np.arange(problem.n), known)
    shown = np.random.default_rng(SEED + 1).choice(others, min(SHOWN_RECORDS, len(others)), replace=False)
    points, learned = rebuilt_rows.points, rebuilt_rows.learned
    rebuilt = Rebuilt(target, problem, rows, release.Z, points, learned, known, others, shown)
    typical, worst = float(np.median(rebuilt.errors)), float(rebuilt.errors.max())
    if rebuilt.whole and worst < 1e-3:
        title = f"{len(known)} known records of {problem.n:,} reveal all the others: largest error {scientific(worst)}"
        result = f"The attacker has {len(others):,} records that nobody gave away"
    elif not rebuilt.whole:
        revealed = f"{learned} of {problem.d} numbers about each record are revealed"
        title = f"With r = {release.Z.shape[1]}, {revealed}, the rest is not"
        result = "Each rebuilt record is right in some directions and wrong in the others"
    else:
        itself = float(np.median(np.linalg.norm(release.Z - rows, axis=1)[others]))
        missed = f"rebuilt ones miss by {typical:.2g}, the release itself by {itself:.2g}"
        title = f"Knowing {len(known)} records does not help: {missed}"
        result = "What is rebuilt scatters around the originals; moves of 1 stay hidden"
    key = f"{target.key}-rebuild"
    note = "Original, released and rebuilt, in original units. The attacker chose none of these records."
    table = Figure(slot(key, "left"), Finding(title, "curator", note), table=records_table(rebuilt))
    finding = Finding(result, "curator", "○ original   × rebuilt   ■ known to the attacker")
    alt = "Original records as rings, rebuilt ones as crosses."
    picture = Figure(slot(key, "right"), finding, rebuilt_picture(rebuilt), alt)
    reach, refuted = float(np.linalg.norm(rows, axis=1).max()), target.exact and rebuilt.whole
    fails = ELSEWHERE if target.exact and not rebuilt.whole else ""
    tiles = (
        verdict_tile(refuted, given["epsilon"], fails=fails),
        Tile("Known to the attacker", f"{len(known)} records", f"of {problem.n:,}: that is d + 1", "curator"),
        Tile(
            "Learned about each other one",
            f"{learned if target.exact else 0} of {problem.d}",
            "numbers, exactly",
            "curator",
        ),
        Tile("Typical error", scientific(typical), f"the data reach to {reach:.3g}", "curator"),
    )
    yield RebuiltView(tiles, (table, picture), rebuilt=rebuilt)


@dataclass(frozen=True, eq=False, kw_only=True)
class RebuiltView(View):
    """A view of the attack, with what the attacker made of the release."""

    rebuilt: Rebuilt


def records_table(rebuilt: Rebuilt) -> Table:
    problem, recovered = rebuilt.problem, rebuilt.in_units
    released = min(3, rebuilt.z.shape[1])
    dots = ["…"] if rebuilt.z.shape[1] > released else []
    names = [label(problem, column) for column in range(problem.d)]
    groups = (("original", problem.d), ("released", released + len(dots)), ("rebuilt", problem.d), ("error", 1))
    columns = [*names, *(f"z{'₁₂₃'[j]}" for j in range(released)), *dots, *names, "largest"]
    head = (
        Row((Cell("record", head=True, tall=2), *(Cell(name, head=True, wide=width) for name, width in groups))),
        Row(tuple(Cell(name, head=True) for name in columns)),
    )
    body = []
    for row in rebuilt.shown:
        error = float(np.abs(recovered[row] - problem.original[row]).max())
        cells = [
            *(f"{value:,.6g}" for value in problem.original[row]),
            *(f"{value:.1f}" for value in rebuilt.z[row, :released]),
            *dots,
            *(f"{value:,.6g}" for value in recovered[row]),
            scientific(error),
        ]
        body.append(Row((Cell(f"{row + 1:,}", head=True), *(Cell(minus(text)) for text in cells))))
    return Table(head, tuple(body), "grid")


def rebuilt_picture(rebuilt: Rebuilt) -> Picture:
    """Draw original records as rings and rebuilt ones as crosses, in the plane; those that were known as squares."""
    everything, axes = flat(rebuilt.problem)
    dice, others = np.random.default_rng(SEED + 2), rebuilt.others
    sample = np.append(rebuilt.shown, dice.choice(others, min(60, len(others)), replace=False))
    original, known = everything[sample], everything[rebuilt.known]
    span = np.ptp(np.vstack([original, known]), axis=0)
    low, high = original.min(axis=0) - 0.3 * span, original.max(axis=0) + 0.3 * span
    found = np.clip(flat(rebuilt.problem, rebuilt.in_units)[0][sample], low, high)
    picture = Picture(height=320)
    for points, symbol, colour, size, name in (
        (original, "circle-open", NON_PRIVATE, 11, "original record"),
        (found, "x-thin", REFUTED, 8, "rebuilt record"),
        (known, "square", PRIVATE, 11, "known to the attacker"),
    ):
        marker = {"symbol": symbol, "size": size, "color": colour, "line": {"color": colour, "width": 2}}
        picture.marks(points[:, 0], points[:, 1], name, f"{name}: %{{x:.5g}}, %{{y:.5g}}", **marker)
    picture.axis("xaxis", axes[0], range=[float(low[0]), float(high[0])])
    picture.axis("yaxis", axes[1], range=[float(low[1]), float(high[1])])
    return picture


def rebuild_script(target: Target, aim: Aim, own: Recipe | None) -> str:
    rng, data = f"np.random.default_rng([{SEED}, 9])", target.data_code("rows")
    lines = [
        f"rows = {target.rows_code}",
        f"release = {target.release_code(data, aim.controls.values, rng)}",
        f"known = audit.spread_rows(rows, np.random.default_rng({SEED}))",
        "found = audit.reconstruct(release, known, rows[known])",
        "errors = np.linalg.norm(found.points - rows, axis=1)",
        "others = np.setdiff1d(np.arange(problem.n), known)",
        'show("known", len(known))',
        'show("typical_error", np.median(errors[others]))',
        'show("largest_error", errors[others].max())',
        f"rebuilt = {target.original_code}",
        f"for row in np.random.default_rng({SEED + 1}).choice(others, min({SHOWN_RECORDS}, len(others)), "
        "replace=False):",
        '    show(f"record_{row + 1}", *problem.original[row], *release.Z[row], *rebuilt[row])',
    ]
    return attack_script(aim, own, lines)


def _rebuild(target: Target, lead: str, explain: Callable[[Aim], tuple[str, str]]) -> Attack:
    run, script = partial(rebuild, target), partial(rebuild_script, target)
    name, ratio = "Rebuild the records", (1.35, 1)  # a table of records needs more room than a picture
    return Attack("rebuild", name, lead, target.sliders, run, target.claim, explain, script, True, ratio, too_few)


REBUILD_PROJECTION = _rebuild(
    PROJECTION,
    prose("audit", "Rebuild the records: the projection"),
    lambda aim: explanation("audit", "solving for the map", d=aim.problem.d, r=aim.controls.whole("r")),
)
REBUILD_NOISY = _rebuild(
    NOISY,
    prose("audit", "Rebuild the records: the noisy release"),
    partial(noise_explained, prose("audit", "noise that is enough: rebuilding")),
)
