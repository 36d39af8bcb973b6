"""What a study has found: each setting's mean, what it costs beyond the search without privacy, what trials show."""

import math
from dataclasses import dataclass

from privbo_core.audit import LowerBound, judged
from privbo_core.experiments.model import Arm
from privbo_core.experiments.report import Report

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
