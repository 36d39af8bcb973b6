"""A study as it stands in its results file, so that whoever opens that file needs no other."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from privbo_core import files
from privbo_core.audit import LowerBound, judged
from privbo_core.budget import look, reading
from privbo_core.errors import DataError, probability
from privbo_core.experiments.model import Arm, Experiment, Kind, Outcome, Task, Value
from privbo_core.experiments.report import Report, report
from privbo_core.experiments.store import Key, by_experiment, parse

FEWEST = 10
"""An audit of fewer trials says nothing."""


@dataclass(frozen=True)
class Found:
    """One setting's mean ± standard error, and its extra over the setting without privacy, run by run; None if none."""

    arm: Arm
    mean: float
    error: float
    runs: int
    against: str = ""
    extra: float | None = None
    extra_error: float | None = None

    @property
    def epsilon(self) -> float | None:
        """The ε of a private setting; None where there is none."""
        return float(self.arm.settings["epsilon"]) if self.against else None


def found(report: Report) -> list[Found]:
    """Return what is known of each setting, in the study's order; those without results are left out."""
    experiment, rows = report.experiment, []
    for arm in experiment.arms:
        known = report.mean(arm.name, experiment.measure)
        if known is None:
            continue
        against = experiment.against.get(arm.name, "")
        own, other = (report.values.get(name, {}).get(experiment.measure) for name in (arm.name, against))
        if own is None or other is None:
            rows.append(Found(arm, *known, against=against))
            continue
        shared = min(len(own), len(other))
        apart = own[:shared] - other[:shared]
        error = float(apart.std(ddof=1) / math.sqrt(shared)) if shared > 1 else math.nan
        rows.append(Found(arm, *known, against=against, extra=float(apart.mean()), extra_error=error))
    return rows


def shown(report: Report) -> list[tuple[Arm, LowerBound]]:
    """Return what the trials of an audit show about each claim, in the study's order; 95 % sure of each."""
    rows = []
    for arm in report.experiment.arms:
        values = report.values.get(arm.name, {})
        here, there = values.get("here"), values.get("there")
        if here is None or there is None or min(len(here), len(there)) < FEWEST:
            continue
        gaussian = arm.settings["policy"] != "private"
        both = min(len(here), len(there))
        delta = float(arm.settings["delta"])
        rows.append((arm, judged(here[:both], there[:both], delta, gaussian=gaussian)))
    return rows


def lines(report: Report) -> list[str]:
    """Return what came out as lines of text."""
    experiment = report.experiment
    head = [experiment.title, f"  {experiment.about}"]
    if experiment.kind == "audit":
        head.append("  the ε that the trials show, of the ε that is claimed (95 % sure of each):")
        return head + [
            f"    {arm.name:<36} {bound.epsilon:.3g} of {float(arm.settings['epsilon']):g}   "
            f"{bound.verdict(float(arm.settings['epsilon']))}, {bound.trials} trials on each dataset"
            for arm, bound in shown(report)
        ]
    head.append(f"  {experiment.measure_name}:")
    for row in found(report):
        extra = ""
        if row.extra is not None and row.extra_error is not None:
            extra = f"   {row.extra:+.4f} ± {row.extra_error:.4f} beside “{row.against}”"
        head.append(f"    {row.arm.name:<36} {row.mean:.4f} ± {row.error:.4f}   ({row.runs} runs){extra}")
    return head


MOST_BYTES = 20_000_000
UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ue000-\uf8ff]")
"""What no text of a study holds."""
MOST_RUNS = 1_000_000_000
MOST_ARMS, MOST_TEXT, MOST_SETTINGS = 200, 600, 40
KINDS: dict[str, Kind] = {"curves": "curves", "trade-off": "trade-off", "audit": "audit"}
TASKS: dict[str, Task] = {each: each for each in get_args(Task)}
TEXTS = ("title", "paper", "about", "unit", "measure", "measure_name", "x_name", "x_key")
ANOTHER = "Open the file that “python -m privbo_core.experiments study.toml --json FILE” has written."


def described(experiment: Experiment) -> dict[str, Any]:
    """Return a study as plain values: all but its table."""
    return {
        **{name: getattr(experiment, name) for name in TEXTS},
        "kind": experiment.kind,
        "runs": experiment.runs,
        "arms": [{"name": arm.name, "task": arm.task, "settings": dict(arm.settings)} for arm in experiment.arms],
        "against": dict(experiment.against),
        "curves": list(experiment.curves),
    }


Made = dict[str, Mapping[str, object]]
"""How the results of each study were made, by name."""


def read_results(data: bytes, name: str) -> tuple[list[Experiment], dict[Key, Outcome], Made]:
    """Return the studies in a results file, its outcomes, and what each study was run with.

    Raises DataError, one sentence, for anything that no study has written.
    """
    if len(data) > MOST_BYTES:
        raise DataError(f"{name} is larger than {MOST_BYTES / 1e6:.0f} MB, which no study's results are. {ANOTHER}")
    try:
        text = data[: data.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{name} is not a text in UTF-8. {ANOTHER}") from None
    with reading(name, len(data)):
        outcomes, made = parse(text, name, lambda line: files.parse_json(line, "A line", ANOTHER))
    studies: list[Experiment] = []
    run_with: Made = {}
    for key, known in made.items():
        how = known[-1]
        if "study" in how:
            studies.append(_study(key, how["study"], name))
            run_with[key] = _made(how, name)
    if not studies:
        raise DataError(f"{name} holds no study. {ANOTHER}")
    for outcome in outcomes.values():
        look()
        _check(outcome, name)
    mine = by_experiment(outcomes)
    try:
        for study in studies:
            look()
            (shown if study.kind == "audit" else found)(report(study, mine.get(study.name, ())))
    except (ValueError, KeyError, TypeError, OverflowError):
        raise DataError(f"The results in {name} do not fit together. {ANOTHER}") from None
    return studies, outcomes, run_with


def _made(how: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return how a study was run, if it is said in a few short words."""
    try:
        known = {_text(part): _text(str(value)) for part, value in how.items() if part != "study"}
    except ValueError:
        known = {"": ""}
    if len(known) > MOST_SETTINGS or "" in known or any("`" in value for value in known.values()):
        raise DataError(f"What {name} says about how it was made cannot be used. {ANOTHER}")
    return known


def _study(key: str, fields: object, name: str) -> Experiment:
    try:
        return _experiment(key, fields)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise DataError(f"What {name} says about its study {key[:40]!r} cannot be used. {ANOTHER}") from None


def _experiment(key: str, fields: Any) -> Experiment:  # noqa: ANN401 - whatever somebody's file holds
    kind: Kind = KINDS[fields["kind"]]
    arms = tuple(_arm(each) for each in fields["arms"])
    if not 0 < len(arms) <= MOST_ARMS:
        raise ValueError("too many arms")
    against = {_text(arm): _text(reference) for arm, reference in fields["against"].items()}
    study = Experiment(
        name=_text(key),
        arms=arms,
        kind=kind,
        runs=files.whole_number("runs", fields["runs"], 1, MOST_RUNS),
        against=against,
        curves=tuple(_text(each) for each in fields["curves"]),
        **{each: _text(fields[each]) for each in TEXTS},  # type: ignore[arg-type]
    )
    names = {arm.name for arm in arms}
    if not {*against, *against.values()} <= names:
        raise ValueError("an arm that is not there")
    for arm in arms:
        if (arm.name in against or kind == "audit") and not 1e-9 <= float(arm.settings["epsilon"]) <= 1e9:
            raise ValueError("an epsilon that no study has")
        if kind == "audit":
            probability("delta", float(arm.settings["delta"]))
            _text(arm.settings["policy"])
    return study


def _arm(fields: Any) -> Arm:  # noqa: ANN401 - as above
    task = TASKS[fields["task"]]
    settings: dict[str, Value] = {_text(name): value for name, value in fields["settings"].items()}
    if len(settings) > MOST_SETTINGS or not all(_plain(value) for value in settings.values()):
        raise ValueError("settings that no study has")
    return Arm(_text(fields["name"]), task, settings)


def _plain(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MOST_TEXT
    return isinstance(value, bool | int | float) and abs(value) <= files.LARGEST  # not a number is not either


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_TEXT or UNPRINTABLE.search(value):
        raise ValueError("a short text is needed")
    return value


def _check(outcome: Outcome, name: str) -> None:
    lengths = {len(values) for values in outcome.measures.values()}
    numbers = [*outcome.curve, *outcome.squares, *(each for values in outcome.measures.values() for each in values)]
    apart = len(lengths) != 1 or 0 in lengths or len(outcome.curve) != len(outcome.squares)
    if apart or not 0 <= outcome.first < MOST_RUNS:
        raise DataError(f"The results of {outcome.arm[:60]!r} in {name} do not fit together. {ANOTHER}")
    if not all(abs(each) <= files.LARGEST for each in numbers):  # not a number is not either
        raise DataError(f"The results of {outcome.arm[:60]!r} in {name} hold what is no number. {ANOTHER}")
