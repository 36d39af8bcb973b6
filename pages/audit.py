"""Audit: five attacks on the three systems, each with its claim and the lower bound on ε that its trials show."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from pages import ui
from pages.figures import audit as figures
from pages.figures.audit import Records, Seen
from pages.ui import demo
from pages.ui.figure import PRIVATE, SECOND_PRIVATE
from pages.ui.numbers import MINUS, count, in_100, power_of_ten
from pages.ui.text import verbatim
from privbo_core import audit, federated
from privbo_core.audit import NoiseShape, Progress
from privbo_core.data import Problem, tuning_task
from privbo_core.errors import Array, DataError
from privbo_core.federated import Settings, delta_for, total_loss, trade_off
from privbo_core.gp import SquaredExponential
from privbo_core.outsourced import Setting, Simulation, guarantee, omega, spectrum
from privbo_core.privacy import Guarantee, Status, TradeOff, gaussian_epsilon
from privbo_core.release import NoiseFree, Tuning

Kind = Literal["reconstruction", "columns", "noisy", "score", "canary"]
ATTACKS: dict[Kind, str] = {
    "reconstruction": "Projection: reconstruction",
    "columns": "Projection: column space",
    "noisy": "Noisy release: sharpest test",
    "score": "Algorithm 2: real neighbours",
    "canary": "DP-FTS-DE: a canary agent",
}
PRESETS = {"Table 1": (1.1, 10.0), "Table 2": (1.3, 15.0), "Table 3": (1.5, 20.0)}
"""The settings of the outsourcing paper's tables: log ε, and the largest r that it tried and that meets the condition.

All are about the synthetic data with δ = 10⁻⁵.
"""
SHAPES: dict[NoiseShape, str] = {"laplace": "Laplace noise", "gaussian": "Gaussian noise"}
Rows = NDArray[np.int64]
SEED = 4
DELTA = 1e-5
SCORE_DELTA, SCORE_STEPS = 1e-3, 50
SELF_TEST_EPSILON, SELF_TEST_SHARE, SELF_TEST_TRIALS = 1.0, 0.8, 100_000
EXAMPLES = 8
MAX_COLUMNS = 2
"""The number of a record's columns in the table."""
CONFIDENCE = 0.95
MAX_QUICK_SIZE = 1e6
"""The largest N²P of a canary whose rounds are set up before the sliders are drawn."""


def main() -> None:
    """Draw the first look at the attack, then the sliders, and then all trials as they come in."""
    ui.begin("audit")
    left, first_screen, below = ui.columns()
    with left:
        kind: Kind = ui.choose(st.selectbox, "Attack", ATTACKS, key="attack")
        simulation = ui.pick_data() if kind in ("reconstruction", "columns", "noisy") else None
        panel = ui.Panel(f"audit/{kind}", SLIDERS[kind])
        sliders_here, stop_here = st.container(key="sliders"), st.container(key="stop")
        more = more_settings(kind)
        show_presets(kind, panel, more)
    slow = kind == "canary" and panel["N"] ** 2 * panel["P"] > MAX_QUICK_SIZE
    if slow:
        with sliders_here:
            panel.show()
    with first_screen:
        screen = Screen(panel)
        try:
            case = case_of(kind, panel, more, simulation)
        except DataError as problem:
            screen.refuse(kind, problem)
            case = None
    if case is None:
        with sliders_here:
            panel.show()
        return
    results = trials_of(case, panel)
    with first_screen:
        screen.open(case, next(results))
    if not slow:
        with sliders_here:
            panel.show()
    with below:
        show_guarantee(case)
    ui.bar("audit", {"attack": "The attack"}, lambda: script_of(case, panel.whole("trials")))
    stop, last = StopButton(case, panel, stop_here), screen.last
    for last in ui.follow(results):
        stop.show(last)
        screen.draw(last)
    stop.show(last)
    with below:
        show_details(case, last)


def trials_slider(most: int, value: int) -> ui.Slider:
    """Return the slider for the number of trials on each dataset."""
    return ui.Slider(
        "trials", "Trials on each dataset", 50, demo.most(most, usual=value), value, "faster", "a sharper bound",
        group="Trials", log=True, whole=True, presented=True,
    )  # fmt: skip


def epsilon_of_claim(value: float) -> ui.Slider:
    """Return the slider for the claimed ε."""
    about = "What the mechanism claims. The attack finds out what it reveals."
    return ui.epsilon_slider(value, about, left="a stronger claim", right="a weaker claim", group="Claim")


CLAIMED_DELTA = ui.Slider(
    "delta", "Failure probability δ", 1e-9, 0.1, DELTA, "a stronger claim", "a weaker claim", group="Claim", log=True
)
DIMENSION = ui.Slider(
    "r", "Projection dimension r", 1, 100, 10, "smaller ω", "better distances", group="Claim", log=True, whole=True
)
PROJECTION_SLIDERS = (epsilon_of_claim(3.0), CLAIMED_DELTA, DIMENSION, trials_slider(2000, 500))
SLIDERS: dict[Kind, tuple[ui.Slider, ...]] = {
    "reconstruction": PROJECTION_SLIDERS,
    "columns": PROJECTION_SLIDERS,
    "noisy": (epsilon_of_claim(3.0), CLAIMED_DELTA, trials_slider(200_000, 100_000)),
    "score": (
        epsilon_of_claim(1.0),
        ui.Slider("A", "Constant A", 0.01, 100, 1.0, "less noise", "more noise", group="Claim", log=True),
        ui.Slider("tau", "Constant τ", 0.001, 10, 0.1, "more noise", "less noise", group="Claim", log=True),
        ui.Slider("k1", "Prior covariance k₁(V, V′)", 0, 1, 0.99, "more noise", "less noise", group="Claim"),
        trials_slider(200_000, 100_000),
    ),
    "canary": (
        ui.Slider("q", "Selection rate q", 0.01, 1, 0.25, "more private", "more agents", group="Server"),
        ui.Slider(
            "z", "Noise multiplier z", 0.05, 4, 1.0, "more useful", "more private", group="Server", docked=True,
            presented=True,
        ),
        ui.Slider("P", "Sub-regions P", 1, 16, 2, "one vector", "more vectors", group="Server", log=True, whole=True),
        ui.Slider("N", "Agents N", 2, 2000, 200, "larger δ", "smaller δ", group="Server", log=True, whole=True),
        ui.Slider("T", "Rounds T", 1, 100, 40, "more private", "more rounds", group="Server", whole=True),
        trials_slider(100_000, 20_000),
    ),
}  # fmt: skip
MORE_SLIDERS = (
    ui.Slider("a", "Weight a", 0.5, 30, 15, "all count alike", "own agents count most"),
    ui.Slider("hold", "Rounds before the weights fade", 0, 40, 10, "fade at once", "fade later", whole=True),
    ui.Slider("fade", "Rounds in which they fade", 1, 60, 30, "fade fast", "fade slowly", whole=True),
)


def more_settings(kind: Kind) -> ui.Panel | None:
    """Show the settings of the sub-regions' weights, which only the canary has."""
    if kind != "canary":
        return None
    more = ui.Panel("audit/more", MORE_SLIDERS)
    box = ui.more_settings(more)
    with box:
        more.show(drawn=bool(box.open))
    return more


def show_presets(kind: Kind, panel: ui.Panel, more: ui.Panel | None) -> None:
    """Show the paper's settings, one click each, and the way back to the first values."""

    def apply(name: str) -> None:
        log_epsilon, r = PRESETS[name]
        ui.set_choices({"data": "synthetic"})
        panel.set({"epsilon": float(np.exp(log_epsilon)), "delta": DELTA, "r": r})

    def reset() -> None:
        panel.reset()
        if more is not None:
            more.reset()

    presets = PRESETS if kind in ("reconstruction", "columns") else {}
    if presets:
        ui.note("As in the paper")
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name in presets:
            st.button(name, on_click=apply, args=(name,), type="tertiary")
        st.button("Reset", on_click=reset, type="tertiary", icon=":material/restart_alt:")


@dataclass(frozen=True, eq=False)
class Secret:
    """The attacker's question: the record, or the answer, in both datasets, in the columns that are named."""

    note: str
    head: tuple[str, ...]
    texts: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """All records, rebuilt from one release and the ``known`` rows. ``others`` are the rest, in random order."""

    found: audit.Reconstruction
    known: Rows
    others: Rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """One attack at the present settings.

    ``promise`` is the claim with its status, and ``claim`` the ε that the trials are compared with. ``levels`` are the
    values of ε that the bound is drawn beside, the claim first. ``sentence`` says who the attacker is, ``about`` what
    the guarantee means here, and ``link`` is HTML. ``explained`` is the explanation, and ``lines`` go into the script.
    """

    kind: Kind
    attack: audit.Attack
    promise: Guarantee
    claim: float
    levels: dict[str, float]
    seen: Seen
    secret: Secret
    sentence: str
    about: str
    link: str
    explained: str
    lines: str
    simulation: Simulation | None = None
    rebuilt: Rebuilt | None = None

    @property
    def problem(self) -> Problem:
        """The data that the attack is run on."""
        assert self.simulation is not None
        return self.simulation.problem

    @property
    def own(self) -> bool:
        """Whether the data are the visitor's own."""
        return self.simulation is not None and self.problem.identity is None

    @property
    def curve(self) -> TradeOff:
        """The claim as a curve that no test may lie below."""
        return self.promise.curve or TradeOff.of(self.claim, self.promise.delta)


def case_of(kind: Kind, panel: ui.Panel, more: ui.Panel | None, simulation: Simulation | None) -> Case:
    """Return the chosen attack. Raise DataError if the table is too small for it, or its rows lie in one plane."""
    if simulation is not None:
        return noisy_case(panel, simulation) if kind == "noisy" else projection_case(kind, panel, simulation)
    return score_case(panel) if kind == "score" or more is None else canary_case(panel, more)


def projection_guarantee(panel: ui.Panel) -> Guarantee:
    """Return the guarantee that Theorem 1 claims."""
    neighbours = "two tables that differ in one row, by a distance of at most 1 after scaling"
    return guarantee(panel["epsilon"], panel["delta"], neighbours)


def rebuild(problem: Problem, row: int, release: audit.Projection) -> Rebuilt:
    """Return all records, rebuilt from one release and d + 1 known rows, which do not include this one."""
    points, rng = problem.points, np.random.default_rng(SEED)
    known = audit.known_rows(points, row, rng)
    found = audit.reconstruct(release(spectrum(points), np.random.default_rng(SEED)), known, points[known])
    return Rebuilt(found, known, rng.permutation(np.setdiff1d(np.arange(problem.n), known)))


def projection_case(kind: Kind, panel: ui.Panel, simulation: Simulation) -> Case:
    """Return one of the two attacks on the projection."""
    problem, points = simulation.problem, simulation.problem.points
    epsilon, delta, r, known = panel["epsilon"], panel["delta"], panel.whole("r"), problem.d + 1
    release = audit.Projection(epsilon, delta, r, ui.interrupt)
    neighbour, row, _ = audit.move_one(points, np.random.default_rng(SEED))
    lines = f"""{load_lines(problem)}
points = problem.points
neighbour, row, _ = pb.audit.move_one(points, np.random.default_rng({SEED}))
claim, delta, r = {epsilon!r}, {delta!r}, {r}
release = pb.audit.Projection(claim, delta, r)
"""
    rebuilt = None
    if kind == "reconstruction":
        rebuilt = rebuild(problem, row, release)
        attack = audit.attack_by_reconstruction(points, neighbour, row, rebuilt.known, release)
        axis, part = "distance from the true record", "" if rebuilt.found.learned == problem.d else "parts of "
        sentence = (
            f"The attacker has the release and happens to know {known} of the {problem.n:,} records. Linear equations "
            f"give the map, and with it {part}the other records."
        )
        explained = ui.explanation("audit", "reconstruction", d=str(problem.d), known=str(known), r=str(r))
        lines += f"""known = pb.audit.known_rows(points, row, np.random.default_rng({SEED}))
attack = pb.audit.attack_by_reconstruction(points, neighbour, row, known, release)
one = pb.outsourced.curate(points, claim, delta, r, np.random.default_rng({SEED}))
rebuilt = pb.audit.reconstruct(one, known, points[known])
print("numbers learned about each record:", rebuilt.learned)
print("largest error:", np.linalg.norm(rebuilt.points - points, axis=1).max())"""
    else:
        attack = audit.attack_column_space(points, neighbour, release)
        axis = "share of Z outside col(X)"
        sentence = (
            "The attacker has the release and two candidate tables that differ in one record. The release always lies "
            "in the column space of the true one."
        )
        values = {"d": str(problem.d), "n": f"{problem.n:,}", "known": str(known)}
        explained = ui.explanation("audit", "columns", omega=f"{omega(epsilon, delta, r):,.0f}", **values)
        lines += "attack = pb.audit.attack_column_space(points, neighbour, release)"
    about = (
        f"**The paper claims ({write(epsilon)}, {power_of_ten(delta)})-differential privacy in Theorem 1, but the "
        f"claim does not hold.** The release is an exact linear map of the records, so {known} known records are "
        "enough to invert it. ε plays no part in that."
    )
    return Case(
        kind=kind,
        attack=attack,
        promise=projection_guarantee(panel),
        claim=epsilon,
        levels={"claim": epsilon},
        seen=Seen(("true table", "neighbour"), axis, PRIVATE, powers=True, broken=True),
        secret=secret_record(problem, row, original(problem, points[row]), original(problem, neighbour[row])),
        sentence=sentence,
        about=about,
        link=f"{ui.link('The noisy release', 'outsourced?release=noisy')} has a proven guarantee.",
        explained=explained,
        lines=lines,
        simulation=simulation,
        rebuilt=rebuilt,
    )


def noisy_case(panel: ui.Panel, simulation: Simulation) -> Case:
    """Return the most powerful test of the noisy release."""
    problem, placed, frame = simulation.problem, simulation.placed, simulation.problem.frame
    epsilon, delta = panel["epsilon"], panel["delta"]
    moved, row, _ = audit.move_inwards(placed, np.random.default_rng(SEED))
    promise = noisy_guarantee(panel, simulation)
    about = (
        "**The noise is exactly as large as the proof requires, so no attack can reveal more than the claim if the "
        "assumptions hold.** The sharpest test comes close to the claim, so no noise is wasted."
    )
    if promise.status is Status.UNMET:
        about = (
            "**The proof needs column settings that were fixed before anyone saw the data, and these were not.** This "
            "attack takes them as fixed, so it can’t notice what they reveal."
        )
    here, there = (frame.to_original(rows[row : row + 1])[0] for rows in (placed, moved))
    return Case(
        kind="noisy",
        attack=audit.attack_noisy_release(placed[row], moved[row], epsilon=epsilon, delta=delta, bounds=frame.bounds),
        promise=promise,
        claim=epsilon,
        levels={"claim": epsilon},
        seen=Seen(("true record", "other record"), "place between the two records", SECOND_PRIVATE),
        secret=secret_record(problem, row, here, there),
        sentence=(
            "The attacker knows all records but one, and that this one is one of two. No test of the noisy release is "
            "sharper than this one."
        ),
        about=about,
        link=f"{ui.link('See the release on Outsourced', 'outsourced?release=noisy')}.",
        explained=ui.explanation("audit", "noisy", mu=f"{promise.mu:.3g}" if promise.mu is not None else "Δ/σ"),
        lines=f"""{load_lines(problem)}
claim, delta = {epsilon!r}, {delta!r}
rows, bounds = problem.frame.place(problem.original), problem.frame.bounds
moved, row, _ = pb.audit.move_inwards(rows, np.random.default_rng({SEED}))
attack = pb.audit.attack_noisy_release(rows[row], moved[row], epsilon=claim, delta=delta, bounds=bounds)""",
        simulation=simulation,
    )


def noisy_guarantee(panel: ui.Panel, simulation: Simulation) -> Guarantee:
    """Return the guarantee of the noisy release of one protected difference."""
    columns = [verbatim(f"{amount} in {name}") for amount, name in ui.differences(simulation.problem)]
    together = ", or a smaller combination of these" if len(columns) > 1 else ""
    neighbours = f"two tables that differ in one row, by at most {', or '.join(columns)}{together}"
    return simulation.noisy_guarantee(Setting(panel["epsilon"], panel["delta"], 1, 1), neighbours)


@lru_cache(maxsize=1)
def most_telling() -> int:
    """Return the record that moves the score most if it is removed. It is the same for all settings of the page."""
    tuning = Tuning(0.99, 0.0, SCORE_STEPS, SCORE_DELTA, A=1.0, tau=0.1)
    return audit.most_telling_record(tuning_task("svm"), tuning).record


def score_case(panel: ui.Panel) -> Case:
    """Return the attack on the score that Algorithm 2 publishes, with and without one validation record."""
    task, epsilon, A, tau, k1 = tuning_task("svm"), panel["epsilon"], panel["A"], panel["tau"], panel["k1"]
    tuning = Tuning(k1, 0.0, SCORE_STEPS, SCORE_DELTA, A=A, tau=tau)
    (change,) = audit.score_changes(task, tuning, epsilon, records=[most_telling()])
    assert isinstance(change.here, NoiseFree)
    number, moved = change.record + 1, abs(change.here.best - change.there.best)
    values = {"A": f"{A:.3g}", "tau": f"{tau:.3g}", "T": str(SCORE_STEPS), "scale": f"{change.here.value.scale:.3g}"}
    return Case(
        kind="score",
        attack=audit.attack_score(change),
        promise=change.here.guarantee(1),
        claim=epsilon,
        levels={"claim": epsilon, "exact": change.epsilon},
        seen=Seen(("with the record", "without it"), "published score"),
        secret=Secret(f"Was record {number} of {task.records} used?", ("used",), (("yes",), ("no",))),
        sentence=(
            f"The attacker knows all {task.records} validation records and asks whether record {number} was used. "
            f"Without it the search ends elsewhere, and the score moves by {change.epsilon:.2g} noise scales."
        ),
        about=(
            "**The paper claims this ε over draws of the scores from a prior, for constants A and τ that nobody "
            "knows.** Two real validation sets are no such draw. They show what the published score would reveal here."
        ),
        link=f"{ui.link('See DP-BO on Release', 'release')}.",
        explained=ui.explanation("audit", "score", moved=f"{moved:.3g}", epsilon=write(epsilon), **values),
        lines=f"""task = pb.data.tuning_task("svm")
claim = {epsilon!r}
tuning = pb.release.Tuning({k1!r}, 0.0, {SCORE_STEPS}, {SCORE_DELTA!r}, A={A!r}, tau={tau!r})
record = pb.audit.most_telling_record(task, tuning).record
(change,) = pb.audit.score_changes(task, tuning, claim, records=[record])
print("exact epsilon of this pair:", change.epsilon)
attack = pb.audit.attack_score(change)""",
    )


def canary_case(panel: ui.Panel, more: ui.Panel) -> Case:
    """Return the attack of an agent that sends the vector that is easiest to notice, in the server's own code."""
    agents, T = panel.whole("N"), panel.whole("T")
    q, z, P, a, hold, fade = panel["q"], panel["z"], panel.whole("P"), more["a"], more.whole("hold"), more.whole("fade")
    settings = Settings(SquaredExponential(1.0), 1.0, T, q=q, z=z, S=1.0, P=P, a=a, hold=hold, fade=fade)
    # The tightest proven ε, which no attack on a correct server can pass.
    claim, moments = total_loss(settings, agents, "pld", "exact"), total_loss(settings, agents)
    promise = federated.guarantee(settings, agents, "pld", "exact", counted=claim)
    values = {"T": str(T), "N": f"{agents:,}", "q": f"{q:.3g}", "z": f"{z:.3g}", "P": str(P)}
    return Case(
        kind="canary",
        attack=audit.attack_broadcasts(settings, agents, ui.interrupt),
        promise=replace(promise, curve=trade_off(settings, agents)),
        claim=claim,
        levels={"tight account": claim, "moments": moments},
        seen=Seen(("absent", "present"), "log-likelihood ratio"),
        secret=Secret("Did the canary take part?", ("took part",), (("no",), ("yes",))),
        sentence=(
            f"One of {agents:,} agents sends all that clipping allows, in a direction of its own. The attacker sees "
            f"the broadcasts of {count(T, 'round', 'rounds')} and asks whether it took part."
        ),
        about=(
            f"**The server’s noise hides whether an agent took part.** The paper’s account by moments gives "
            f"ε = {write(moments)}, and the tight account gives {write(claim)}. No attack on a correct server can "
            "reveal more than either allows."
        ),
        link=f"{ui.link('See DP-FTS-DE on Federated', 'federated')}.",
        explained=ui.explanation("audit", "canary", delta=power_of_ten(float(f"{delta_for(agents):.2g}")), **values),
        lines=f"""given = dict(q={q!r}, z={z!r}, S=1.0, P={P}, a={a!r}, hold={hold}, fade={fade})
settings = pb.federated.Settings(pb.gp.SquaredExponential(1.0), 1.0, iterations={T}, **given)
claim = pb.federated.total_loss(settings, {agents}, "pld", "exact")
print("by moments:", pb.federated.total_loss(settings, {agents}))
attack = pb.audit.attack_broadcasts(settings, {agents})""",
    )


def script_of(case: Case, total: int) -> str:
    """Return a Python script that runs the attack again."""
    lines = f"""
{case.lines}
*_, progress = pb.audit.run(attack, {total}, seed={SEED})
print("claimed epsilon:", claim)
print("epsilon is at least:", progress.epsilon)
print("right answers in 100:", 100 * (1 - progress.least.error))
"""
    real = """An audit of a mechanism of your own, which is a function of a dataset and a random generator:
rng = np.random.default_rng()
print(pb.audit.epsilon_lower_bound(mechanism, data, neighbour, delta=1e-5, trials=10_000, confidence=0.95, rng=rng))"""
    return ui.write_script("Audit", lines, real, "import numpy as np\n\n")


def title_of(case: Case, progress: Progress) -> str:
    """Return the finding. Each attack has at most three cases."""
    shown, claim = bound_text(progress), write(case.claim)
    if case.rebuilt is not None:
        known, others = len(case.rebuilt.known), f"all {count(len(case.rebuilt.others), 'other', 'others')}"
        learned = case.rebuilt.found.learned
        if learned < case.problem.d:
            return f"{known} known records reveal {learned} of {case.problem.d} numbers about {others}"
        return f"{known} known records reveal {others}, whatever ε is"
    if case.kind == "columns" and progress.flawless:
        return "The attacker tells two projections apart every time, whatever ε is"
    if progress.refutes(case.claim):
        if case.kind == "score":  # a claim over draws from a prior isn't refuted by one pair
            return f"On these real data ε is at least {shown}, and {claim} is claimed"
        return f"ε is at least {shown}, so the claim of {claim} is refuted"
    if progress.last.could_refute(case.claim):
        return f"ε is at least {shown}, within the claim of {claim}"
    return f"{progress.trials:,} trials can’t test a claim of ε = {claim}"


def lead_of(case: Case, progress: Progress) -> str:
    """Return who the attacker is, and how sure the finding is."""
    if case.kind == "score":
        return f"{case.sentence} So ε is exactly {case.levels['exact']:.3g} on this pair."
    if case.simulation is not None and case.kind != "noisy":
        return (
            f"{case.sentence} This rules out every finite ε. The trials are a check: with {100 * CONFIDENCE:.0f}% "
            f"confidence, they alone show ε ≥ {bound_text(progress)}."
        )
    if bound_text(progress) in title_of(case, progress):
        return f"{case.sentence} The bound holds with {100 * CONFIDENCE:.0f}% confidence."
    return f"{case.sentence} With {100 * CONFIDENCE:.0f}% confidence, ε is at least {bound_text(progress)}."


def figure_title(case: Case, progress: Progress) -> tuple[str, str]:
    """Return the title and the note of the figure."""
    if case.rebuilt is not None:
        note = "Rings are original records and crosses are recovered ones. The attacker knew the squares."
        learned = case.rebuilt.found.learned
        if learned < case.problem.d:
            return f"Recovered records are right in {count(learned, 'direction', 'directions')} only", note
        return "Every recovered record lies on its original", note
    note = f"{progress.trials:,} simulated releases of each dataset. The dashed line is the attacker’s threshold."
    if progress.flawless:
        return "The attacker is right every time", note
    if progress.least.error < 0.45:
        return f"The attacker is right {right(progress)} times in 100", note
    return "The attacker does little better than guessing", note


def figure_of(case: Case, progress: Progress, panel: ui.Panel) -> ui.Figure:
    """Return the figure of the trials so far. Its axes hold still while a thumb is held."""
    top = panel.hold("top", figures.top_of(progress, case.levels), private=case.own)
    if case.rebuilt is not None:
        problem, columns = case.problem, [0, min(1, case.problem.d - 1)]
        recovered = original(problem, case.rebuilt.found.points)[:, columns]
        one, two = (ui.axis_name(problem.names[column], problem.units[column]) for column in columns)
        found = Records(problem.original[:, columns], recovered, case.rebuilt.known, case.rebuilt.others, (one, two))
        return figures.records(progress, found, case.levels, top)
    ends = panel.hold("ends", figures.limits(progress, powers=case.seen.powers), private=case.own)
    return figures.trials(progress, case.seen, ends, case.levels, top)


def records_of(case: Case, progress: Progress) -> tuple[str, str]:
    """Return the title and the table of original and recovered records, as HTML."""
    if case.rebuilt is not None:
        return rebuilt_records(case.problem, case.rebuilt)
    least, secret, rows, correct = progress.least, case.secret, [], 0
    for position in range(1, EXAMPLES // 2 + 1):
        for which, outputs in enumerate((progress.here, progress.there)):
            seen = float(outputs[-position])
            answer = int((seen > least.threshold) == (least.side == "above"))
            correct += answer == which
            number = power_of_ten(float(f"{10**seen:.1g}")) if case.seen.powers else signed(seen)
            rows.append((*secret.texts[which], number, *secret.texts[answer], "yes" if answer == which else "no"))
    wide = len(secret.head)
    groups = (("Original", wide), ("Attacker sees", 1), ("Recovered", wide), ("Right", 1))
    title = ui.title(f"{correct} of the newest {len(rows)} answers are right", secret.note)
    return title, ui.grouped_table(groups, (*secret.head, "", *secret.head, ""), rows)


def rebuilt_records(problem: Problem, rebuilt: Rebuilt) -> tuple[str, str]:
    """Return the title and the table of a few original and rebuilt records, as HTML."""
    found, shown = rebuilt.found, min(MAX_COLUMNS, problem.d)
    errors = np.linalg.norm(found.points - problem.points, axis=1)
    recovered, rows = original(problem, found.points), []
    for row in rebuilt.others[:EXAMPLES]:
        cells = [amounts(each[row][:shown]) for each in (problem.original, recovered)]
        rows.append((f"{row + 1:,}", *cells[0], *cells[1], power_of_ten(float(f"{errors[row]:.0e}"))))
    title = "The recovered records agree with the originals"
    if found.learned < problem.d:
        title = f"The recovered records agree in {found.learned} of {problem.d} directions"
    worst = power_of_ten(float(f"{errors[rebuilt.others].max():.0e}"))
    note = f"The largest error is {worst}. The claim is that distances up to 1 are protected.{columns_note(problem)}"
    groups = (("Row", 1), ("Original", shown), ("Recovered", shown), ("Error", 1))
    names = tuple(map(verbatim, problem.names[:shown]))
    return ui.title(title, note, "holder"), ui.grouped_table(groups, ("", *names, *names, ""), rows)


@dataclass(frozen=True, eq=False)
class Known:
    """Trials that are in memory, with the question that they answer."""

    question: tuple[object, ...]
    simulation: Simulation | None
    progress: Progress


def question_of(case: Case, panel: ui.Panel) -> tuple[object, ...]:
    """Return everything that the trials depend on, besides the data."""
    return (case.kind, case.lines, panel.whole("trials"))


def trials_of(case: Case, panel: ui.Panel) -> Generator[Progress, None, None]:
    """Yield the progress of the trials, beginning with the one in memory. A stopped run ends there."""
    question = question_of(case, panel)
    known: Known | None = panel.recall("trials", private=case.own)
    if known is not None and (known.question != question or known.simulation is not case.simulation):
        known = None
    if known is not None:
        yield known.progress
        if known.progress.complete or panel.recall("stopped", private=case.own) == question:
            return
    so_far = known.progress if known else None
    for progress in audit.run(case.attack, panel.whole("trials"), seed=SEED, known=so_far):
        panel.remember("trials", Known(question, case.simulation, progress), private=case.own)
        yield progress


class StopButton:
    """How far the trials have come, and the button that stops them or lets them go on."""

    def __init__(self, case: Case, panel: ui.Panel, place: DeltaGenerator) -> None:
        self.case, self.panel, self.drawn = case, panel, ""
        with place:
            self.bar, self.button = ui.Place(), st.empty()

    def show(self, progress: Progress) -> None:
        """Show the state after these trials."""
        total, question = self.panel.whole("trials"), question_of(self.case, self.panel)
        self.bar.html(ui.progress(progress.trials, total, f"{progress.trials:,} of {total:,} trials are in"))
        stopped = self.panel.recall("stopped", private=self.case.own) == question
        state = "complete" if progress.complete else "stopped" if stopped else "running"
        if state == self.drawn:
            return
        self.drawn = state

        def press() -> None:
            self.panel.remember("stopped", None if stopped else question, private=self.case.own)

        label = "Continue" if state == "stopped" else "Stop"
        self.button.button(label, key=f"stop-{state}", on_click=press, disabled=progress.complete)


class Screen:
    """The first screen: headline, tiles, the figure, and the records."""

    case: Case
    last: Progress

    def __init__(self, panel: ui.Panel) -> None:
        self.panel = panel
        self.headline, self.tiles = ui.Place("headline"), ui.Place("tiles")

    def refuse(self, kind: Kind, problem: DataError) -> None:
        """Show why a table can't be attacked in this way."""
        lead = f"{problem} That is no protection, because this attack only needs a larger table."
        self.headline.html(ui.headline(f"{ATTACKS[kind]} can’t be tried on this table", lead))

    def open(self, case: Case, first: Progress) -> None:
        """Open the cards, and draw the first look."""
        self.case = case
        wide, narrow = st.columns([1.45, 1], gap="small")
        with wide, ui.card("attack", case.explained) as self.title:
            self.chart = ui.Chart("attack")
        with narrow, ui.card("records", ui.explanation("audit", "records")) as self.records_title:
            self.records = ui.Place("records")
        self.draw(first)

    def draw(self, progress: Progress) -> None:
        """Draw what these trials show."""
        case, self.last = self.case, progress
        kind = ui.status_kind(case.promise)
        words = ui.privacy_words(case.promise)
        if progress.refutes(case.claim) and kind != "refuted":
            words = "Not kept on this pair" if kind == "claimed" else "Refuted by these trials"
            kind = "refuted"
        self.headline.html(ui.headline(title_of(case, progress), lead_of(case, progress), kind, words))
        self.tiles.html(ui.tiles(tiles_of(case, progress)))
        text, note = figure_title(case, progress)
        self.title.html(ui.title(text, note))
        shown = f"The trials show that ε is at least {bound_text(progress)}, and {write(case.claim)} is claimed."
        self.chart.draw(figure_of(case, progress, self.panel), f"{text}. {shown}")
        title, table = records_of(case, progress)
        self.records_title.html(title)
        self.records.html(table)


BASES: dict[Kind, str] = {
    "reconstruction": "Theorem 1",
    "columns": "Theorem 1",
    "noisy": "Gaussian noise",
    "score": "Corollary 3",
    "canary": "tight account",
}
"""The basis of each claim."""


def tiles_of(case: Case, progress: Progress) -> list[ui.Tile]:
    """Return the tiles: claim, bound, accuracy of the attacker, and number of trials."""
    delta = power_of_ten(float(f"{case.promise.delta:.2g}"))
    allowed = in_100(1 - case.curve.least_error(0.5))
    strongest = f"{progress.last.strongest:.3g}"
    return [
        ui.Tile("Claimed ε", write(case.claim), f"{BASES[case.kind]}, δ = {delta}"),
        ui.Tile(
            "Shown by the attack", f"ε ≥ {bound_text(progress)}", f"{100 * CONFIDENCE:.0f}% confidence", "simulated"
        ),
        ui.Tile(
            "Attacker is right",
            f"{right(progress)} in 100",
            f"guessing gets 50, the claim allows {allowed}",
        ),
        ui.Tile("Trials on each dataset", f"{progress.trials:,}", f"enough to show ε ≥ {strongest} at most"),
    ]


def bound_text(progress: Progress) -> str:
    """Return the largest lower bound so far."""
    return f"{progress.epsilon:.2f}" if progress.epsilon >= 0.005 else "0"


def write(epsilon: float) -> str:
    """Return an ε with three digits."""
    return power_of_ten(float(f"{epsilon:.3g}"))


def right(progress: Progress) -> str:
    """Return how often the test that errs least is right, in 100. Only a flawless one gets 100."""
    return "100" if progress.least.error == 0 else in_100(1 - progress.least.error)


def signed(value: float) -> str:
    """Return a number with a true minus sign and three digits."""
    return f"{value:.3g}".replace("-", MINUS)


def original(problem: Problem, points: Array) -> Array:
    """Return points of a problem in original units."""
    return np.asarray((points - problem.points[0]) * problem.unit_distance + problem.original[0])


def amounts(record: Array) -> tuple[str, ...]:
    """Return values of a record as people write them. Rounding error isn't shown."""
    rounded = np.round(record, 9) + 0.0
    return tuple((f"{each:,.0f}" if abs(each) >= 10_000 else f"{each:.4g}").replace("-", MINUS) for each in rounded)


def columns_note(problem: Problem) -> str:
    """Return a sentence if not all columns are shown."""
    return f" The first {MAX_COLUMNS} of {problem.d} columns are shown." if problem.d > MAX_COLUMNS else ""


def secret_record(problem: Problem, row: int, here: Array, there: Array) -> Secret:
    """Return the record in which two tables differ, with its values in both."""
    shown = min(MAX_COLUMNS, problem.d)
    note = f"The two tables differ in row {row + 1:,} alone.{columns_note(problem)}"
    return Secret(note, tuple(map(verbatim, problem.names[:shown])), (amounts(here[:shown]), amounts(there[:shown])))


def load_lines(problem: Problem) -> str:
    """Return the lines of a script that load the data."""
    if problem.identity is None:
        return "# Prepare your own table as on the page Data: pb.data.load_table, pb.data.make_problem.\nproblem = ..."
    name = problem.identity.partition("/")
    return f'problem = pb.data.sample("{name[2] if name[0] == "sample" else name[0]}")'


def show_guarantee(case: Case) -> None:
    """Show the claim as a guarantee, with the meaning of this audit."""
    promise = case.promise
    delta = power_of_ten(float(f"{promise.delta:.2g}"))
    level = ui.level_sentence(promise, delta)
    if promise.status is Status.CLAIMED:
        given = f"If ε = {write(case.claim)} and δ = {delta} held here"
        level = f"{given}, the best attacker could be right {in_100(promise.attack_accuracy)} times in 100."
    ui.Place("guarantee").html(ui.guarantee_card(promise, case.about, level, case.link))
    ui.note("An audit can refute a claim, but it can never prove one.")


def show_details(case: Case, progress: Progress) -> None:
    """Show what lies below the first screen. A section is computed only while it is open."""
    sections: dict[str, Callable[[], None]] = {
        "False alarms and misses against the claim": lambda: show_errors(case, progress),
        "The audit tests itself on noise that is 20% too small": show_self_test,
    }
    if case.kind in ("reconstruction", "columns"):
        sections["Check the refutation with NumPy alone"] = show_check
    for name, show in sections.items():
        section = st.expander(name, on_change="rerun", key=f"section/{name}")
        if section.open:
            with section:
                show()


def show_errors(case: Case, progress: Progress) -> None:
    """Show the claim as a curve that no test may lie below, and where this attack lies."""
    curve, last, most = case.curve, progress.last, progress.most
    below = {found: found.misses < float(curve([found.false_alarms])[0]) for found in (last, most)}
    found = most if below[most] and not below[last] else last
    if any(below.values()):
        title = "The attack lies below the curve, where no test can be if the claim holds"
    else:
        title = "The attack does not lie below the curve of the claim"
    note = (
        f"The box shows how far both error rates may be from those observed, with {100 * CONFIDENCE:.0f}% confidence. "
        f"It is from the {found.tested:,} trials on each dataset that didn’t choose the threshold."
    )
    ui.Place("errors-title").html(ui.title(title, note, "simulated"))
    ui.Chart("errors").draw(figures.errors(curve, progress, found, case.seen.broken), f"{title}.")
    st.markdown(ui.explanation("audit", "errors"))


def show_self_test() -> None:
    """Audit noise with a known ε, in the right amount and with too little."""
    shape: NoiseShape = ui.choose(
        st.segmented_control, "Noise", SHAPES, key="noise", required=True, label_visibility="collapsed"
    )
    attacks = {
        "right noise": audit.attack_known_noise(shape, SELF_TEST_EPSILON, DELTA),
        "20% too small": audit.attack_known_noise(shape, SELF_TEST_EPSILON, DELTA, SELF_TEST_SHARE),
    }
    truths = dict(zip(attacks, (SELF_TEST_EPSILON, true_epsilon(shape)), strict=True))
    title, chart = ui.Place("self-title"), ui.Chart("self")
    runs = (audit.run(attack, SELF_TEST_TRIALS, seed=SEED) for attack in attacks.values())
    for found in ui.follow(both for both in zip(*runs, strict=True)):
        exact, small = (each.refutes(SELF_TEST_EPSILON) for each in found)
        trials = f"{found[0].trials:,}"
        if exact:
            text = "These trials refute a true claim, which happens in at most 5 of 100 audits"
        elif small:
            text = "The audit refutes the claim where the noise is 20% too small, and not where it is right"
        else:
            text = f"{trials} trials don’t show yet which noise is too small"
        note = f"{SHAPES[shape]}, ε = {write(SELF_TEST_EPSILON)} claimed, {trials} trials on each dataset."
        title.html(ui.title(text, note, "simulated"))
        tests = [figures.SelfTest(name, progress, truths[name]) for name, progress in zip(attacks, found, strict=True)]
        chart.draw(figures.self_tests(tests, SELF_TEST_EPSILON), f"{text}.")
    st.markdown(ui.explanation("audit", "self-test", truth=f"{truths['20% too small']:.3g}"))


def true_epsilon(shape: NoiseShape) -> float:
    """Return the true ε of the noise that is 20% too small."""
    scale = SELF_TEST_SHARE * audit.known_scale(shape, SELF_TEST_EPSILON, DELTA)
    return gaussian_epsilon(DELTA, scale, 1.0) if shape == "gaussian" else 1.0 / scale


def show_check() -> None:
    """Show what is refuted and what isn't, and how to check it without this app."""
    st.markdown(ui.explanation("audit", "refutation"))


main()
