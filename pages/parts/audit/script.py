"""The Audit page's views as scripts, one for each attack."""

from pages.parts.audit.attacks import CONFIDENCE, SEED, SHOWN_RECORDS, Scene
from pages.parts.audit.figures import BINS
from pages.parts.bring.problems import Recipe
from pages.parts.take_away.script import ENGINE, NUMPY, number, problem_lines, script

IMPORTS = [NUMPY, ENGINE, "from privbo_core import audit"]
NEIGHBOUR = f"neighbour, row, move = audit.move_one(problem.points, np.random.default_rng({SEED}))"


def audit(which: str, scene: Scene, own: Recipe | None) -> str:
    """Return the view of the attack ``which`` ("mechanism/attack") at the present settings."""
    mechanism, attack = which.split("/")
    given = scene.controls.values
    source = problem_lines(scene.problem, own).split("\n") if scene.simulation else []
    if attack == "tell":
        lines = source + _tell(mechanism, given)
    elif attack == "rebuild":
        lines = source + _rebuild(mechanism, given)
    elif mechanism == "choice":
        lines = _choice(attack, given)
    else:
        lines = source + _by_trials(which, given)
    return script("Does the guarantee hold?", IMPORTS, "\n".join(lines))


def _release(mechanism: str, given: dict[str, float], data: str, rng: str) -> str:
    epsilon, delta = number(given["epsilon"]), number(given["delta"])
    if mechanism == "projection":
        return f"pb.outsourced.curate({data}, {epsilon}, {delta}, {int(given['r'])}, {rng})"
    return f"pb.outsourced.noisy_release({data}, {epsilon}, {delta}, bounds=(-25, 25), rng={rng})"


def _judge(method: str, sizes: str, delta: str, claims: list[str]) -> list[str]:
    """Return the lines that run the trials, bound ε, and print both figures; they need ``mechanism`` and ``datasets``."""
    return [
        f"*_, (here, there) = audit.in_portions(mechanism, datasets, {sizes}, {SEED})",
        "trials, rng = audit.recorded(here, there), np.random.default_rng(0)",
        f"found = audit.{method}(trials, 0, 1, {delta}, len(here), {CONFIDENCE}, rng)",
        'show("epsilon_at_least", found.epsilon)',
        *claims,
        'show("strongest", found.strongest)',
        'show("errs_percent", 50 * (found.observed_alarms + found.observed_misses))',
        'show("threshold", found.threshold)',
    ]


def _histograms(powers: bool) -> list[str]:
    return [
        "low, high = np.quantile(np.concatenate([here, there]), [0.001, 0.999])",
        f"room = max(high - low, 1e-9) * 0.04 + {0.3 if powers else 0.0}",
        f"edges = np.linspace(low - room, high + room, {BINS + 1})",
        'for name, values in (("here", here), ("there", there)):',
        "    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)",
        '    show(f"percent_{name}", *(100 * counts / len(values)))',
    ]


def _tell(mechanism: str, given: dict[str, float]) -> list[str]:
    datasets = "problem.points, neighbour"
    if mechanism == "projection":
        datasets = "pb.outsourced.spectrum(problem.points), pb.outsourced.spectrum(neighbour)"
    return [
        NEIGHBOUR,
        f"datasets = {datasets}",
        f"mechanism = audit.column_space_attack(lambda data, rng: {_release(mechanism, given, 'data', 'rng')}, problem.points)",
        *_judge(
            "epsilon_lower_bound",
            f"audit.portions({int(given['trials'])}, 10, 1.5)",
            number(given["delta"]),
            [f'show("claimed", {number(given["epsilon"])})'],
        ),
        *_histograms(powers=True),
    ]


def _rebuild(mechanism: str, given: dict[str, float]) -> list[str]:
    data = "pb.outsourced.spectrum(problem.points)" if mechanism == "projection" else "problem.points"
    return [
        f"release = {_release(mechanism, given, data, f'np.random.default_rng([{SEED}, 9])')}",
        f"known = audit.spread_rows(problem.points, np.random.default_rng({SEED}))",
        "found = audit.reconstruct(release, known, problem.points[known])",
        "errors = np.linalg.norm(found.points - problem.points, axis=1)",
        "others = np.setdiff1d(np.arange(problem.n), known)",
        'show("known", len(known))',
        'show("typical_error", np.median(errors[others]))',
        'show("largest_error", errors[others].max())',
        "rebuilt = (found.points - problem.points[0]) * problem.unit_distance + problem.original[0]",
        f"for row in np.random.default_rng({SEED + 1}).choice(others, {SHOWN_RECORDS}, replace=False):",
        '    show(f"record_{row + 1}", *problem.original[row], *release.Z[row], *rebuilt[row])',
    ]


def _choice(attack: str, given: dict[str, float]) -> list[str]:
    epsilon, pairs = number(given["epsilon"]), int(given["pairs"])
    tuning = f"k1={number(given['k1'])}, sigma=0.1, iterations={int(given['T'])}, delta={number(given['delta'])}"
    lines = [
        'task = pb.data.tuning_task("logistic")',
        f"tuning = pb.release.Tuning({tuning})",
        f"rng = np.random.default_rng({SEED})",
    ]
    if attack == "prior":
        lines += [
            f"options = dict(kernel=task.kernel, k1=tuning.k1, tuning=tuning, epsilon={epsilon}, pairs={pairs}, rng=rng)",
            "losses = list(audit.prior_losses(task.points, **options))",
        ]
    else:
        lines += [
            f"records = range(min({pairs}, task.records))",
            f"losses = [loss for _, loss in audit.task_losses(task, records, tuning, {epsilon}, rng)]",
        ]
    return [
        *lines,
        "worst = max(losses, key=lambda loss: loss.epsilon)",
        'show("worst_pair", worst.epsilon)',
        'show("half_cost_less_than", np.median([loss.epsilon for loss in losses]))',
        f'show("broken", sum(loss.refutes({epsilon}, {number(given["delta"])}) for loss in losses))',
        "order = np.argsort(-worst.here)",
        'show("percent_here", *(100 * worst.here[order]))',
        'show("percent_there", *(100 * worst.there[order]))',
    ]


def _by_trials(which: str, given: dict[str, float]) -> list[str]:
    epsilon, delta, total = number(given.get("epsilon", 1.0)), number(given.get("delta", 1e-5)), int(given["trials"])
    claims, method, datasets = [f'show("claimed", {epsilon})'], "gaussian_lower_bound", "0, 1"
    if which == "noisy/sharpest":
        release = _release("noisy", given, "many", "rng")
        lines = [
            NEIGHBOUR,
            "records = problem.points[row], neighbour[row]",
            "def mechanism(which, trials, rng):",
            "    many = np.tile(records[which], (trials, 1))",
            f"    return ({release}.Z - records[0]) @ (records[1] - records[0])",
        ]
    elif which.startswith("canary"):
        steps = int(given["T"]) if which == "canary/all" else 1
        q, z, agents = number(given["q"]), number(given["z"]), int(given["N"])
        lines = [f"delta = pb.federated.delta_for({agents})", f"mechanism = audit.canary({q}, {z}, {steps})"]
        claims = [
            f'show("claimed_{name}", pb.privacy.epsilon({q}, {z}, {steps}, delta, "{name}"))'
            for name in ("moments", "pld")
        ]
        delta, method, datasets = "delta", "epsilon_lower_bound", "False, True"
    elif which == "textbook/gaussian":
        lines = [
            f"scale = pb.privacy.gaussian_sigma({epsilon}, {delta}, 1.0)",
            "def mechanism(value, trials, rng):",
            f"    return value + {number(given['noise'])} * scale * rng.standard_normal(trials)",
        ]
        datasets = "0.0, 1.0"
    else:
        lines = [
            "def mechanism(value, trials, rng):",
            f"    return value + {number(given['noise'])} * (1.0 / {epsilon}) * rng.laplace(size=trials)",
        ]
        delta, method, datasets = "0.0", "epsilon_lower_bound", "0.0, 1.0"
    sizes = f"audit.portions({total}, {min(1000, total)})"
    return [*lines, f"datasets = {datasets}", *_judge(method, sizes, delta, claims), *_histograms(powers=False)]
