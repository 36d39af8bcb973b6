"""A study as it stands in its results file, so that whoever opens that file needs no other."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, convert

from privbo_core import files
from privbo_core.audit import LowerBound, judged
from privbo_core.budget import look, reading
from privbo_core.errors import DataError, probability
from privbo_core.experiments.model import Arm, Experiment, Outcome, Task
from privbo_core.experiments.report import Report, paired, report
from privbo_core.experiments.store import Key, by_experiment, parse
from privbo_core.experiments.studies.build import MOST_ARMS
from privbo_core.records import Finite
from privbo_core.tradeoff.curve import standard_error

T = TypeVar("T")

FEWEST = 10  # An audit of fewer trials says nothing.


@dataclass(frozen=True)
class ArmResult:
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


def results_of(report: Report) -> list[ArmResult]:
    """Return what is known of each setting, in the study's order; those without results are left out."""
    experiment, rows = report.experiment, []
    for arm in experiment.arms:
        known = report.mean(arm.name, experiment.measure)
        if known is None:
            continue
        against = experiment.against.get(arm.name, "")
        apart = paired(report.values, arm.name, against, experiment.measure) if against else None
        extra = () if apart is None else (float(apart.mean()), standard_error(apart))
        rows.append(ArmResult(arm, *known, against, *extra))
    return rows


def shown(report: Report) -> list[tuple[Arm, LowerBound]]:
    """Return what the trials of an audit show about each claim, in the study's order; 95 % sure of each."""
    rows = []
    for arm in report.experiment.arms:
        values = report.values.get(arm.name, {})
        here, there = values.get("here"), values.get("there")
        if here is None or there is None or min(len(here), len(there)) < FEWEST:
            continue
        both, delta = min(len(here), len(there)), float(arm.settings["delta"])
        gaussian = arm.settings["policy"] != "private"
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
    for row in results_of(report):
        extra = ""
        if row.extra is not None and row.extra_error is not None:
            extra = f"   {row.extra:+.4f} ± {row.extra_error:.4f} beside “{row.against}”"
        head.append(f"    {row.arm.name:<36} {row.mean:.4f} ± {row.error:.4f}   ({row.runs} runs){extra}")
    return head


MOST_BYTES = 20_000_000
MOST_RUNS = 1_000_000_000
MOST_SETTINGS = 40
ANOTHER = "Open the file that “python -m privbo_core.experiments study.toml --json FILE” has written."
Short = Annotated[str, Meta(max_length=600, pattern=r"\A[^\x00-\x1f\x7f\ue000-\uf8ff]*\Z")]
"""A text of a study: short, and such as can be printed."""
Few = Annotated[dict[Short, T], Meta(max_length=MOST_SETTINGS)]


@dataclass(frozen=True)
class _Arm:
    name: Short
    task: Task
    settings: Few[Finite | Annotated[int, Meta(ge=-(2**53), le=2**53)] | bool | Short]


@dataclass(frozen=True)
class _Study:
    """A study as it stands in its results file: all but its table."""

    title: Short
    paper: Short
    about: Short
    unit: Short
    measure: Short
    measure_name: Short
    x_name: Short
    x_key: Short
    kind: Literal["curves", "trade-off", "audit"]
    runs: Annotated[int, Meta(ge=1, le=MOST_RUNS)]
    arms: Annotated[tuple[_Arm, ...], Meta(min_length=1, max_length=MOST_ARMS)]
    against: dict[Short, Short]
    curves: tuple[Short, ...]


def described(experiment: Experiment) -> dict[str, Any]:
    said = {part.name: getattr(experiment, part.name) for part in fields(_Study)}
    arms = [{part.name: getattr(arm, part.name) for part in fields(_Arm)} for arm in experiment.arms]
    return {**said, "arms": arms, "against": dict(experiment.against), "curves": list(experiment.curves)}


Made = dict[str, Mapping[str, object]]  # How the results of each study were made, by name.


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
        if "study" not in how:
            continue
        try:
            studies.append(_experiment(key, how["study"]))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            raise DataError(f"What {name} says about its study {key[:40]!r} cannot be used. {ANOTHER}") from None
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
            (shown if study.kind == "audit" else results_of)(report(study, mine.get(study.name, ())))
    except (ValueError, KeyError, TypeError, OverflowError):
        raise DataError(f"The results in {name} do not fit together. {ANOTHER}") from None
    return studies, outcomes, run_with


def _made(how: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return how a study was run, if it is said in a few short words."""
    try:
        known = convert({part: str(value) for part, value in how.items() if part != "study"}, Few[Short])
    except ValueError:
        known = {"": ""}
    if "" in known or any("`" in value for value in known.values()):
        raise DataError(f"What {name} says about how it was made cannot be used. {ANOTHER}")
    return known


def _experiment(key: str, found: object) -> Experiment:
    said = convert(found, _Study)
    arms = tuple(Arm(each.name, each.task, each.settings) for each in said.arms)
    study = Experiment(**{**vars(said), "name": convert(key, Short), "arms": arms})
    if not {*study.against, *study.against.values()} <= {arm.name for arm in arms}:
        raise ValueError("an arm that is not there")
    for arm in arms:
        audit = said.kind == "audit"
        if (arm.name in study.against or audit) and not 1e-9 <= float(arm.settings["epsilon"]) <= 1e9:
            raise ValueError("an epsilon that no study has")
        if audit:
            probability("delta", float(arm.settings["delta"]))
            convert(arm.settings["policy"], Short)
    return study


def _check(outcome: Outcome, name: str) -> None:
    lengths = {len(values) for values in outcome.measures.values()}
    numbers = [*outcome.curve, *outcome.squares, *(each for values in outcome.measures.values() for each in values)]
    apart = len(lengths) != 1 or 0 in lengths or len(outcome.curve) != len(outcome.squares)
    if apart or not 0 <= outcome.first < MOST_RUNS:
        raise DataError(f"The results of {outcome.arm[:60]!r} in {name} do not fit together. {ANOTHER}")
    if not all(abs(each) <= files.LARGEST for each in numbers):  # not a number is not either
        raise DataError(f"The results of {outcome.arm[:60]!r} in {name} hold what is no number. {ANOTHER}")
