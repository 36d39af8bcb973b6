"""The attacks of the Audit page: each is a generator of views, so that it runs before one's eyes and can be stopped."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from pages.parts.audit import figures
from pages.parts.controls.live_sliders import Controls, Slider
from pages.parts.outsourced.figures import flat, label
from pages.parts.show.look import Audience, Palette, finding, scientific, tiles
from pages.parts.values.picture import Picture
from privbo_core import audit
from privbo_core.data import Problem, tuning_task
from privbo_core.errors import Array
from privbo_core.federated import settings as federated_settings
from privbo_core.outsourced import Simulation, Spectrum, curate, noisy_release, spectrum
from privbo_core.outsourced.simulation import BOUNDS
from privbo_core.privacy import epsilon as privacy_loss
from privbo_core.privacy import gaussian_sigma
from privbo_core.release import Tuning

CONFIDENCE = 0.95
SEED = 4
SHOWN_RECORDS = 8


@dataclass(frozen=True)
class Panel:
    """One half of a view: a title that states what is shown, and a picture or a table."""

    title: str
    alt: str
    picture: Picture | None = None
    table: str = ""


@dataclass(frozen=True)
class View:
    """What an attack has shown so far: headline numbers and two panels."""

    tiles: str
    left: Panel
    right: Panel


@dataclass(frozen=True)
class Scene:
    """Where an attack takes place: the settings, the data if it needs any, and the theme."""

    controls: Controls
    simulation: Simulation | None
    colours: Palette

    @property
    def problem(self) -> Problem:
        """The problem whose inputs are attacked."""
        assert self.simulation is not None
        return self.simulation.problem


@dataclass(frozen=True)
class Attack:
    """An attack that a person can choose, with its sliders."""

    name: str
    sliders: tuple[Slider, ...]
    run: Callable[[Scene], Iterator[View]]
    data: bool = False


def verdict_tile(refuted: bool, claim: str) -> tuple[str, str, str, Audience]:
    """Return the first tile: the claim and what became of it."""
    if refuted:
        return ("The claim", f'<span class="pb-refuted">✗ <s>{claim}</s></span>', "refuted", "share")
    return ("The claim", claim, "not refuted (which proves nothing)", "share")


def bound_view(
    scene: Scene, found: audit.LowerBound, claims: list[tuple[str, float]], left: Panel, audience: Audience,
    certain: str = "",
) -> View:  # fmt: skip
    """Return the view of an audit by trials; the first of ``claims`` is the one that is judged.

    ``certain`` is what to say where the claim is beyond what so few trials can refute, but the test never errs.
    """
    claim = claims[0][1]
    refuted = found.verdict(claim) == "refuted"
    flawless = found.observed_alarms == 0 and found.observed_misses == 0
    note = f"{found.trials:,} trials on each dataset, {found.tested:,} of them counted, 95 % confidence."
    if refuted:
        title = f"ε is at least {found.epsilon:.2f}: the claim of {claim:.3g} is refuted"
    elif certain and flawless:
        title, note = (
            f"Never wrong, so ε is at least {found.epsilon:.2f}, and rising with every trial",
            f"{note} {certain}",
        )
    elif not found.could_refute(claim):
        title = f"So few trials cannot show more than {found.strongest:.2f}; the claim is {claim:.3g}"
    else:
        title = f"ε is at least {found.epsilon:.2f}: the claim of {claim:.3g} is not refuted"
    errs = 50 * (found.observed_alarms + found.observed_misses)
    head = tiles(
        [
            verdict_tile(refuted, f"ε = {claim:.3g}"),
            ("This audit shows", f"ε ≥ {found.epsilon:.2f}", "at 95 % confidence", audience),
            ("The attacker errs", f"{errs:.1f} %" if errs else "never", "of the time; a coin errs 50 %", audience),
            ("Most these trials could show", f"ε ≥ {found.strongest:.2f}", "with a test that never errs", "share"),
        ]
    )
    right = Panel(
        finding(title, audience, note),
        f"Bars: the audit shows ε of at least {found.epsilon:.2f}; claimed is {claim:.3g}.",
        figures.bars(claims, found.epsilon, found.strongest, scene.colours),
    )
    return View(head, left, right)


def judged(lower_bound: Callable[..., audit.LowerBound], here: Array, there: Array, delta: float) -> audit.LowerBound:
    """Return what trials that have been made show about ε."""
    return lower_bound(audit.recorded(here, there), 0, 1, delta, len(here), CONFIDENCE, np.random.default_rng(SEED))


def moved(problem: Problem) -> tuple[Array, int, str]:
    """Return the neighbour: one row moved by 1 in the normalised frame; the row; and the move in original units."""
    neighbour, row, move = audit.move_one(problem.points, np.random.default_rng(SEED))
    changes = zip(problem.names, problem.units, move * problem.unit_distance, strict=True)
    words = ", ".join(f"{escape(name)} by {change:+.3g} {unit}".rstrip() for name, unit, change in changes)
    return neighbour, row, words.replace("-", "−")


def tell_apart(scene: Scene, release: Callable[[Any, np.random.Generator], Any], datasets: tuple[Any, Any], claim: float,
               delta: float, noisy: bool) -> Iterator[View]:  # fmt: skip
    """Run the column-space test on releases of a dataset and of its neighbour."""
    problem, total = scene.problem, scene.controls.whole("trials")
    _, row, words = moved(problem)
    attack = audit.column_space_attack(release, problem.points)
    for here, there in audit.in_portions(attack, datasets, audit.portions(total, 10, 1.5), SEED):
        found = judged(audit.epsilon_lower_bound, here, there, delta)
        apart = here.max() < there.min()
        typical = [f"10<sup>{round(float(np.median(side)))}</sup>".replace("-", "−") for side in (here, there)]
        title = (
            f"Told apart every time: {typical[0]} under X, {typical[1]} under its neighbour"
            if apart and not noisy
            else "The two clouds lie on top of each other"
            if found.observed_alarms + found.observed_misses > 0.9
            else "The two clouds overlap"
        )
        note = f"How far Z lies outside the column space of X. The neighbour: record {row + 1:,} differs, {words}."
        left = Panel(
            finding(title, "curator", note),
            "Two histograms of residuals, under X and under its neighbour.",
            figures.clouds(
                here,
                there,
                ("X", "neighbour X′"),
                "share of Z outside col(X)",
                found.threshold,
                scene.colours,
                powers=True,
            ),
        )
        certain = "" if noisy else "No number of trials would make it err: this is algebra, not chance."
        yield bound_view(scene, found, [("claimed", claim)], left, "curator", certain)


def tell_projections_apart(scene: Scene) -> Iterator[View]:
    """Run the column-space test against Algorithm 1."""
    controls, simulation = scene.controls, scene.simulation
    assert simulation is not None
    epsilon, delta, r = controls["epsilon"], controls["delta"], controls.whole("r")
    datasets: tuple[Spectrum, Spectrum] = simulation.spectrum, spectrum(moved(simulation.problem)[0])
    return tell_apart(
        scene, lambda data, rng: curate(data, epsilon, delta, r, rng), datasets, epsilon, delta, noisy=False
    )


def tell_noisy_apart(scene: Scene) -> Iterator[View]:
    """Run the column-space test against the noisy release."""
    epsilon, delta, points = scene.controls["epsilon"], scene.controls["delta"], scene.problem.points
    return tell_apart(
        scene,
        lambda data, rng: noisy_release(data, epsilon, delta, bounds=BOUNDS, rng=rng),
        (points, moved(scene.problem)[0]),
        epsilon,
        delta,
        noisy=True,
    )


def sharpest(scene: Scene) -> Iterator[View]:
    """Run the likelihood-ratio test against the noisy release: the best that an attacker who knows all but one can do."""
    epsilon, delta, total = scene.controls["epsilon"], scene.controls["delta"], scene.controls.whole("trials")
    problem = scene.problem
    neighbour, row, words = moved(problem)
    records, step = (problem.points[row], neighbour[row]), neighbour[row] - problem.points[row]

    def mechanism(which: int, trials: int, rng: np.random.Generator) -> Array:
        # Noise is independent from row to row: many rows with the same record are many releases of it.
        many = noisy_release(np.tile(records[which], (trials, 1)), epsilon, delta, bounds=BOUNDS, rng=rng)
        return np.asarray((many.Z - records[0]) @ step)

    note = f"The released record, measured along the line between the two. Record {row + 1:,} differs, {words}."
    title = "Only the noise hides which record it was"
    yield from by_trials(
        scene, mechanism, (0, 1), delta, [("claimed", epsilon)], total, ("X", "neighbour X′"),
        "position between the two records (0: X, 1: X′)", title, note, "curator", gaussian=True,
    )  # fmt: skip


def by_trials(
    scene: Scene, mechanism: audit.Mechanism, datasets: tuple[Any, Any], delta: float, claims: list[tuple[str, float]],
    total: int, names: tuple[str, str], axis: str, title: str, note: str, audience: Audience, gaussian: bool,
) -> Iterator[View]:  # fmt: skip
    """Run an audit of a mechanism whose trials are cheap."""
    lower_bound = audit.gaussian_lower_bound if gaussian else audit.epsilon_lower_bound
    for here, there in audit.in_portions(mechanism, datasets, audit.portions(total, min(1000, total)), SEED):
        found = judged(lower_bound, here, there, delta)
        left = Panel(
            finding(title, audience, note),
            f"Two overlapping histograms: {names[0]} and {names[1]}.",
            figures.clouds(here, there, names, axis, found.threshold, scene.colours),
        )
        yield bound_view(scene, found, claims, left, audience)


def rebuild(scene: Scene, z: Array, claim: float, noisy: bool) -> Iterator[View]:
    """Rebuild all records from a release and d + 1 known ones."""
    problem = scene.problem
    known = audit.spread_rows(problem.points, np.random.default_rng(SEED))

    @dataclass(frozen=True)
    class Handed:
        Z: Array

    found = audit.reconstruct(Handed(z), known, problem.points[known])
    errors = np.linalg.norm(found.points - problem.points, axis=1)
    others = np.setdiff1d(np.arange(problem.n), known)
    worst, typical = float(errors[others].max()), float(np.median(errors[others]))
    offset = problem.original[0] - problem.points[0] * problem.unit_distance
    recovered = found.points * problem.unit_distance + offset
    shown = np.random.default_rng(SEED + 1).choice(others, SHOWN_RECORDS, replace=False)
    whole = found.learned == problem.d
    if whole and worst < 1e-3:
        title = f"{len(known)} known records of {problem.n:,} reveal all the others: largest error {scientific(worst)}"
        result = f"The attacker has {problem.n - len(known):,} records that nobody gave away"
    elif not whole:
        title = f"With r = {z.shape[1]}, {found.learned} of {problem.d} numbers about each record are revealed, the rest is not"
        result = "Each rebuilt record is right in some directions and wrong in the others"
    else:
        itself = float(np.median(np.linalg.norm(z - problem.points, axis=1)[others]))
        title = f"Knowing {len(known)} records does not help: rebuilt ones miss by {typical:.2g}, the release itself by {itself:.2g}"
        result = "What is rebuilt scatters around the originals; moves of 1 stay hidden"
    refuted = not noisy and whole
    head = tiles(
        [
            verdict_tile(refuted, f"ε = {claim:.3g}"),
            ("Known to the attacker", f"{len(known)} records", f"of {problem.n:,}: that is d + 1", "curator"),
            (
                "Learned about each other one",
                f"{found.learned if not noisy else 0} of {problem.d}",
                "numbers, exactly",
                "curator",
            ),
            ("Typical error", scientific(typical), "the data reach to 25", "curator"),
        ]
    )
    note = "Original, released and rebuilt, in original units. The attacker chose none of these records."
    left = Panel(finding(title, "curator", note), "", table=records_table(problem, z, recovered, shown))
    everything, axes = flat(problem)
    spots = problem.original if problem.d == 2 else everything
    flat_recovered = in_plane(problem, found.points)
    sample = np.append(shown, np.random.default_rng(SEED + 2).choice(others, min(60, len(others)), replace=False))
    right = Panel(
        finding(result, "curator", "○ original   × rebuilt   ■ known to the attacker"),
        "Original records as rings, rebuilt ones as crosses.",
        figures.rebuilt(spots[sample], flat_recovered[sample], spots[known], axes, scene.colours),
    )
    yield View(head, left, right)


def in_plane(problem: Problem, points: Array) -> Array:
    """Return rebuilt points in the coordinates in which `flat` draws the originals."""
    if problem.d == 2:
        return np.asarray(
            points * problem.unit_distance + problem.original[0] - problem.points[0] * problem.unit_distance
        )
    if problem.d == 1:
        return np.column_stack([points[:, 0] * problem.unit_distance[0], problem.objective])
    centre = problem.points.mean(axis=0)
    _, vectors = np.linalg.eigh((problem.points - centre).T @ (problem.points - centre))
    return np.asarray((points - centre) @ vectors[:, :-3:-1])


def records_table(problem: Problem, z: Array, recovered: Array, rows: Array) -> str:
    """Return the HTML of a table: a few records as they are, as released, as rebuilt, and how far off that is."""
    d, released = problem.d, min(3, z.shape[1])
    dots = ["…"] if z.shape[1] > released else []
    groups = [("original", d), ("released", released + len(dots)), ("rebuilt", d), ("error", 1)]
    head = "".join(f'<th colspan="{width}" scope="colgroup">{name}</th>' for name, width in groups)
    names = [escape(label(problem, j)) for j in range(d)]
    released_names = [f"z{'₁₂₃'[j]}" for j in range(released)] + dots
    second = "".join(f'<th scope="col">{name}</th>' for name in [*names, *released_names, *names, "largest"])
    body = []
    for row in rows:
        error = float(np.abs(recovered[row] - problem.original[row]).max())
        cells = [f"{value:,.6g}" for value in problem.original[row]]
        cells += [f"{value:.1f}" for value in z[row, :released]] + dots
        cells += [f"{value:,.6g}" for value in recovered[row]] + [scientific(error)]
        body.append(
            f'<tr><th scope="row">{row + 1:,}</th>'
            + "".join(f"<td>{cell}</td>" for cell in cells).replace("-", "−")
            + "</tr>"
        )
    return (
        '<div class="pb-grid"><table><thead><tr><th rowspan="2" scope="col">record</th>'
        f"{head}</tr><tr>{second}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def rebuild_projection(scene: Scene) -> Iterator[View]:
    """Rebuild the records from Algorithm 1's release."""
    controls, simulation = scene.controls, scene.simulation
    assert simulation is not None
    rng = np.random.default_rng([SEED, 9])
    release = curate(simulation.spectrum, controls["epsilon"], controls["delta"], controls.whole("r"), rng)
    return rebuild(scene, release.Z, controls["epsilon"], noisy=False)


def rebuild_noisy(scene: Scene) -> Iterator[View]:
    """Rebuild the records from the noisy release."""
    controls = scene.controls
    release = noisy_release(
        scene.problem.points,
        controls["epsilon"],
        controls["delta"],
        bounds=BOUNDS,
        rng=np.random.default_rng([SEED, 9]),
    )
    return rebuild(scene, release.Z, controls["epsilon"], noisy=True)


def choice(scene: Scene, losses: Iterator[tuple[str, audit.ChoiceLoss]], total: int, what: str,
           audience: Audience) -> Iterator[View]:  # fmt: skip
    """Collect exact losses of DP-BO's published setting, and show the worst."""
    claim, delta = scene.controls["epsilon"], scene.controls["delta"]
    found: list[float] = []
    worst: tuple[str, audit.ChoiceLoss] | None = None
    broken = 0
    for name, loss in losses:
        found.append(loss.epsilon)
        broken += loss.refutes(claim, delta)
        if worst is None or loss.epsilon > worst[1].epsilon:
            worst = (name, loss)
        shown, largest = worst, worst[1].epsilon
        refuted = broken / len(found) > delta and broken > 3
        times = f"{claim / largest:,.0f} times" if largest else "infinitely"
        title = (
            f"{broken} of {len(found)} {what} break the promise"
            if refuted
            else f"The worst of {len(found)} {what} costs {scientific(largest)} of the promised ε = {claim:.3g}"
        )
        head = tiles(
            [
                verdict_tile(refuted, f"ε = {claim:.3g}"),
                ("Worst pair so far", f"ε = {scientific(largest)}", "exact, no confidence needed", audience),
                (
                    "Half of the pairs cost less than",
                    scientific(float(np.median(found))),
                    f"{len(found)} of {total} {what}",
                    audience,
                ),
                ("Noise larger than these pairs need", times, "one could publish far more sharply", audience),
            ]
        )
        left = Panel(
            finding(f"Hardly any change, even in the worst case: {shown[0]}" if largest < 0.1 else f"The worst pair: {shown[0]}", audience,
                    "How likely each candidate is to be published, with and without the change. Both are known exactly."),
            "The publication probability of each candidate with V and with its neighbour.",
            figures.probabilities(shown[1].here, shown[1].there, scene.colours),
        )  # fmt: skip
        right = Panel(
            finding(title, audience, "A pair's cost is the largest ratio of the two probabilities, as a logarithm."),
            f"Bars: the worst pair costs {largest:.3g}; claimed is {claim:.3g}.",
            figures.bars([("claimed", claim)], largest, None, scene.colours),
        )
        yield View(head, left, right)


def tuning(scene: Scene) -> Tuning:
    """Return Algorithm 1's parameters."""
    controls = scene.controls
    return Tuning(k1=controls["k1"], sigma=0.1, iterations=controls.whole("T"), delta=controls["delta"])


def choice_prior(scene: Scene) -> Iterator[View]:
    """Audit λ̃ on pairs drawn from the prior that the theorem assumes."""
    task, pairs = tuning_task("logistic"), scene.controls.whole("pairs")
    losses = audit.prior_losses(
        task.points, kernel=task.kernel, k1=scene.controls["k1"], tuning=tuning(scene), epsilon=scene.controls["epsilon"],
        pairs=pairs, rng=np.random.default_rng(SEED),
    )  # fmt: skip
    named = ((f"pair {k + 1}", loss) for k, loss in enumerate(losses))
    return choice(scene, named, pairs, "pairs drawn from the prior", "simulation")


def choice_task(scene: Scene) -> Iterator[View]:
    """Audit λ̃ on a real tuning task, leaving out one validation record at a time."""
    task = tuning_task("logistic")
    records = range(min(scene.controls.whole("pairs"), task.records or 0))
    losses = audit.task_losses(task, records, tuning(scene), scene.controls["epsilon"], np.random.default_rng(SEED))
    named = ((f"without record {record + 1}", loss) for record, loss in losses)
    return choice(scene, named, len(records), "records left out", "curator")


def canary(scene: Scene) -> Iterator[View]:
    """Audit DP-FTS-DE's broadcast with an agent that is as easy to notice as clipping allows."""
    controls = scene.controls
    q, z, steps, agents = controls["q"], controls["z"], controls.whole("T"), controls.whole("N")
    delta = federated_settings.delta_for(agents)
    claims = [
        ("claimed:<br>moments", privacy_loss(q, z, steps, delta, "moments")),
        ("claimed:<br>loss distributions", privacy_loss(q, z, steps, delta, "pld")),
    ]
    rounds = "one round" if steps == 1 else f"{steps} rounds"
    note = (
        f"Everything that {rounds} tell about the canary, as one number: the logarithm of the likelihood ratio. "
        f"δ = {agents}<sup>−1.1</sup> = {scientific(delta)}."
    )
    return by_trials(
        scene, audit.canary(q, z, steps), (False, True), delta, claims, controls.whole("trials"),
        ("canary absent", "canary present"), "log-likelihood ratio", "Noise and sampling blur the canary’s presence", note,
        "share", gaussian=False,
    )  # fmt: skip


def textbook(scene: Scene, gaussian: bool) -> Iterator[View]:
    """Audit a mechanism whose ε is known, or one with too little noise: does the audit have teeth?"""
    controls = scene.controls
    epsilon, share = controls["epsilon"], controls["noise"]
    delta = 1e-5 if gaussian else 0.0
    scale = gaussian_sigma(epsilon, delta, 1.0) if gaussian else 1.0 / epsilon

    def mechanism(value: float, trials: int, rng: np.random.Generator) -> Array:
        noise = rng.standard_normal(trials) if gaussian else rng.laplace(size=trials)
        return value + share * scale * noise

    title = (
        "With the noise that ε asks for"
        if math.isclose(share, 1)
        else f"With {100 * abs(1 - share):.0f} % too {'little' if share < 1 else 'much'} noise"
    )
    name = f"Gaussian noise, δ = {scientific(delta)}" if gaussian else "Laplace noise"
    note = (
        f"{name}, added to 0 and to 1. The dashed line is the attacker’s threshold, chosen on trials that do not count."
    )
    return by_trials(
        scene, mechanism, (0.0, 1.0), delta, [("claimed", epsilon)], controls.whole("trials"), ("value 0", "value 1"),
        "released number", title, note, "share", gaussian=gaussian,
    )  # fmt: skip


EPSILON = Slider("epsilon", "ε", math.exp(-1), math.exp(5), math.exp(1.1), "more private", "more useful",
                 "What the mechanism claims.", step=0.01, log=True, exponential=True)  # fmt: skip
DELTA = Slider("delta", "δ", 1e-12, 0.1, 1e-5, "more private", "more useful",
               "The probability with which the promise may fail altogether.", step=0.01, log=True)  # fmt: skip
R = Slider(
    "r", "r", 1, 50, 10, "fewer dimensions", "truer distances", "Dimension of the released projection.", whole=True
)
FEW = Slider(
    "trials",
    "trials",
    50,
    2000,
    200,
    "faster",
    "shows more",
    "Releases made of each dataset.",
    step=0.02,
    log=True,
    whole=True,
)
MANY = Slider("trials", "trials", 1000, 200_000, 100_000, "faster", "shows more", "Trials on each of the two datasets.",
              step=0.02, log=True, whole=True)  # fmt: skip
SMALL_EPSILON = Slider(
    "epsilon", "ε", 0.2, 8, 1, "more private", "more useful", "What the mechanism claims.", step=0.01, log=True
)
SMALL_DELTA = Slider("delta", "δ", 0.001, 0.3, 0.05, "more private", "more useful",
                     "The share of draws from the prior for which the promise may fail.", step=0.01, log=True)  # fmt: skip
NOISE = Slider(
    "noise",
    "noise",
    0.5,
    1.2,
    1,
    "too little",
    "more than asked",
    "Noise added, as a multiple of what ε asks for.",
    step=0.01,
)
K1 = Slider(
    "k1",
    "k₁",
    0,
    1,
    0.9,
    "neighbours unlike",
    "neighbours alike",
    "Correlation of f_V and f_V′ that the method assumes.",
    step=0.01,
)
PAIRS = Slider("pairs", "pairs", 10, 250, 100, "faster", "more pairs", "Pairs of neighbours compared.", whole=True)
STEPS = Slider("T", "T", 5, 60, 20, "fewer evaluations", "more evaluations", "Evaluations of the search.", whole=True)
FEDERATED = (
    Slider("q", "q", 0.05, 1, 0.25, "fewer agents a round", "more", "Probability that an agent is selected.", step=0.01),
    Slider("z", "z", 0.5, 4, 1, "more useful", "more private", "Noise, as a multiple of the largest contribution.", step=0.01),
    Slider("N", "N", 20, 2000, 200, "few agents", "many", "Number of agents; δ = N^−1.1.", step=0.02, log=True, whole=True),
)  # fmt: skip
ROUNDS = Slider(
    "T", "T", 2, 100, 40, "fewer rounds", "more rounds", "Rounds in which the canary takes part.", whole=True
)


def one_round(scene: Scene) -> Iterator[View]:
    """Audit a single broadcast."""
    return canary(Scene(Controls({**scene.controls.values, "T": 1.0}), None, scene.colours))


MECHANISMS: dict[str, tuple[str, dict[str, Attack]]] = {
    "projection": (
        "Outsourced: the paper’s projection",
        {
            "tell": Attack("Tell two neighbours apart", (EPSILON, DELTA, R, FEW), tell_projections_apart, data=True),
            "rebuild": Attack("Rebuild the records", (EPSILON, DELTA, R), rebuild_projection, data=True),
        },
    ),
    "noisy": (
        "Outsourced: the noisy release",
        {
            "tell": Attack("Tell two neighbours apart", (EPSILON, DELTA, FEW), tell_noisy_apart, data=True),
            "rebuild": Attack("Rebuild the records", (EPSILON, DELTA), rebuild_noisy, data=True),
            "sharpest": Attack("The sharpest test there is", (EPSILON, DELTA, MANY), sharpest, data=True),
        },
    ),
    "choice": (
        "Release: DP-BO’s published setting",
        {
            "prior": Attack("Pairs from the prior", (SMALL_EPSILON, SMALL_DELTA, K1, STEPS, PAIRS), choice_prior),
            "task": Attack("A real tuning task", (SMALL_EPSILON, SMALL_DELTA, K1, STEPS, PAIRS), choice_task),
        },
    ),
    "canary": (
        "Federated: DP-FTS-DE’s broadcasts",
        {
            "all": Attack("A canary in all rounds", (*FEDERATED, ROUNDS, MANY), canary),
            "one": Attack("A canary in one round", (*FEDERATED, MANY), one_round),
        },
    ),
    "textbook": (
        "Textbook noise: has this audit teeth?",
        {
            "laplace": Attack(
                "Laplace noise", (SMALL_EPSILON, NOISE, MANY), lambda scene: textbook(scene, gaussian=False)
            ),
            "gaussian": Attack(
                "Gaussian noise", (SMALL_EPSILON, NOISE, MANY), lambda scene: textbook(scene, gaussian=True)
            ),
        },
    ),
}
"""What can be audited, and how: name, and attacks by key."""
