"""A frame that follows the data: one record moves by a hidden change, and the whole release moves with it."""

from pages.parts.outsourced.audited.targets import NOISY, noise_explained
from pages.parts.outsourced.audited.tell import NAMES, RELEASES, in_words
from pages.parts.system.attack import Attack, Scene, Views
from pages.parts.system.trial_script import attack_script_on_data, trial_lines
from pages.parts.system.trials import SLOW, Seen, Trial, by_trials
from pages.parts.take_away.recipe import Recipe
from pages.parts.take_away.script import number
from privbo_core import audit
from privbo_core.errors import Array


def move_frame(scene: Scene, follows: bool) -> Views:
    """Release a dataset and one in which one record has moved; ``follows``: each in a frame read off itself."""
    given, problem = scene.controls.values, scene.problem
    epsilon, delta = given["epsilon"], given["delta"]
    mechanism, here, there = audit.frame_attack(problem.original, problem.frame, epsilon, delta, follows=follows)
    row = int((here != there).any(axis=1).argmax())

    def title(one: Array, other: Array, found: audit.LeastError) -> str:
        if one.max() < other.min() or other.max() < one.min():
            return "Told apart every time: all rows moved with the one record"
        if found.error > 0.4:
            return "The two clouds lie on top of each other"
        return "The two clouds overlap"

    frame = (
        "Each dataset is released in the frame read off itself" if follows else "Both are released in the same frame"
    )
    seen = Seen(
        NAMES,
        "the release along the line between the two (units of one hidden change)",
        title,
        f"{frame}. The neighbour: record {row + 1:,} differs, {in_words(problem, there[row] - here[row])}.",
        "curator",
    )
    trial = Trial(
        f"noisy-{_key(follows)}",
        mechanism,
        (here, there),
        delta,
        (("claimed", epsilon),),
        seen,
        gaussian=True,
        pace=SLOW,
    )
    yield from by_trials(trial, scene.controls.whole("trials"))


def _key(follows: bool) -> str:
    return "frame-follows" if follows else "frame-public"


def _script(scene: Scene, own: Recipe | None, follows: bool) -> str:
    given = scene.controls.values
    epsilon, delta = number(given["epsilon"]), number(given["delta"])
    attack = f"audit.frame_attack(problem.original, problem.frame, {epsilon}, {delta}, follows={follows})"
    lines = [
        f"mechanism, *datasets = {attack}",
        *trial_lines(given["trials"], delta, [f'show("claimed", {epsilon})'], gaussian=True, pace=SLOW),
    ]
    return attack_script_on_data(scene, own, lines)


def _explain(scene: Scene, follows: bool) -> tuple[str, str]:
    if not follows:
        return noise_explained(
            scene,
            "The same record moves by the same change. In a frame that was known before, every other row stays where it is, and this one "
            "moves by one hidden change at most; if it lies at the edge, it is clipped and does not move at all.",
        )
    _, text = noise_explained(
        scene,
        "If low, high and the change to hide are read off the data, they are part of the mechanism. Moving the record on which they hang moves "
        "*every* row of Z a little: together far more than the Δ = 1 that σ was calibrated for. The noise is independent from row to row, so the best "
        "test adds up all the small moves, $\\mu = \\lVert B'(X') - B(X)\\rVert_F/\\sigma$. That is why the proof asks where the frame was known from.",
    )
    return "why the frame must be public", text


def _attack(follows: bool, name: str, lead: str) -> Attack:
    return Attack(
        _key(follows),
        name,
        lead,
        (*NOISY.sliders, RELEASES),
        run=lambda scene: move_frame(scene, follows),
        claim=NOISY.claim,
        explain=lambda scene: _explain(scene, follows),
        script=lambda scene, own: _script(scene, own, follows),
        data=True,
    )


FRAME_FOLLOWS = _attack(
    True,
    "A frame that follows the data",
    "Suppose the lowest and the highest value of each column are looked up in the data before the noise is added. The record that matters "
    "most moves by the change that was to be hidden, and the frame follows it. Can that be seen?",
)
FRAME_PUBLIC = _attack(
    False,
    "The same move, the frame known before",
    "The same record moves by the same change. This time the frame was known before anyone looked at the data, and stays.",
)
