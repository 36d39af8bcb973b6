"""Studies of the private release of a tuned setting: what is lost at each ε."""

from typing import get_args

from privbo_core.data import tuning_task
from privbo_core.data.tuning import TASKS
from privbo_core.errors import DataError
from privbo_core.experiments.model import Arm, Experiment, Value
from privbo_core.experiments.studies.keys import Keys
from privbo_core.tradeoff import Published, released_question

MECHANISMS = ("Algorithm 1", "Algorithm 2", "Algorithm 3", "private selection", "blind draw")
PLAIN = "non-private"


def released_arms(sections: tuple[Keys, Keys, Keys], seed: int, paper: str) -> Experiment:
    """Return the study of what each mechanism's published setting or score loses."""
    problem, search, privacy = sections
    name = problem.choice("tuning", TASKS)
    published = privacy.choice("published", get_args(Published), "setting")
    shared: dict[str, Value] = {
        "data": name,
        "published": published,
        "seed": seed,
        "iterations": search.whole("iterations", 50, low=2, high=400),
        "sigma": search.number("sigma", 0.1),
        "delta": privacy.number("delta", 1e-3, high=0.5),
        "k1": privacy.number("k1", 0.99, high=1.0),
    }
    task = tuning_task(name)
    options = {key: value for key, value in shared.items() if key != "data"}
    question = released_question(task, **options)  # type: ignore[arg-type] # says what is wrong with any of them
    known = {curve.name for curve in question.curves} | {reference.name for reference in question.others}
    arms = [Arm(PLAIN, "release", shared | {"mechanism": PLAIN})]
    against = {}
    mechanisms = privacy.names("mechanisms", MECHANISMS, ["Algorithm 1", "private selection"])
    for each in mechanisms:
        if each not in known:
            raise DataError(f"'mechanisms' in [privacy] names {each!r}, which cannot publish the {published} here.")
    for epsilon in privacy.numbers("epsilon"):
        for each in mechanisms:
            if each == "blind draw":
                continue
            label = f"{each}, ε = {epsilon:g}"
            arms.append(Arm(label, "release", shared | {"mechanism": each, "epsilon": epsilon}))
            against[label] = PLAIN
    if "blind draw" in mechanisms:
        arms.append(Arm("blind draw", "release", shared | {"mechanism": "blind draw"}))
    return Experiment(
        name="study",
        title="study",
        paper=paper,
        about=f"{task.title}: {task.n:,} settings.",
        arms=tuple(arms),
        measure_name=f"what the published {'setting' if published == 'both' else published} loses, in the score",
        x_key="epsilon",
        against=against,
    )
