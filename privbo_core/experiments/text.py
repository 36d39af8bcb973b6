"""Format a report as lines of text for a terminal."""

import math
from collections.abc import Mapping

from privbo_core.experiments.model import Experiment
from privbo_core.experiments.report import Compared, Grade, Judged, Report, Verdict

GRADES: Mapping[Grade, str] = {
    "reproduces": "✓ reproduces",
    "nearly": "≈ nearly reproduces",
    "does not reproduce": "✗ does not reproduce",
}
VERDICTS: Mapping[Verdict, str] = {
    "holds": "✓ holds",
    "inconclusive": "? inconclusive",
    "fails": "✗ fails",
    "no results": "… no results",
    "not judged": "… not judged",
}


def lines(report: Report) -> list[str]:
    """Return a heading, the printed numbers beside ours, and the claims with their verdicts."""
    experiment = report.experiment
    text = [experiment.title, f"  {experiment.stands_in}"]
    if experiment.chosen:
        text.append(f"  {experiment.chosen}")
    group = None
    for compared in report.compared:
        if compared.number.group != group:
            group = compared.number.group
            text.append(f"  {group}:")
        text.append(f"    {compared.number.label:<36} {_numbers(compared, experiment)}")
    if not report.compared:
        means = {arm.name: report.mean(arm.name, experiment.measure) for arm in experiment.arms}
        text += [f"    {arm:<36} {_mean(mean[0], mean[1])}" for arm, mean in means.items() if mean]
    if report.judged:
        text += ["  Claims of the paper:", *(_claim(judged) for judged in report.judged)]
    return text


def _numbers(compared: Compared, experiment: Experiment) -> str:
    printed = f"paper {compared.number.printed:<6g}"
    if compared.ours is None:
        return f"{printed} ours not computed"
    standing, exact = compared.standing(experiment), compared.number.exact
    if standing in ("other data", "made-up data"):
        return f"{printed} ours {_mean(compared.ours, compared.error)}   ({standing})"
    if compared.grade is None:
        return f"{printed} ours {compared.ours:.4g} (one replicate)"
    if exact is not None or compared.distance is None:
        return f"{printed} ours {compared.ours:.{exact or 0}f}   {GRADES[compared.grade]}"
    unit = "standard deviations over functions" if experiment.per_print == 1 else "standard errors"
    apart = f"{GRADES[compared.grade]}, {abs(compared.distance):.1f} {unit} apart"
    return f"{printed} ours {_mean(compared.ours, compared.error)}   {apart}"


def _mean(mean: float, error: float | None) -> str:
    return f"{mean:.4f}" if error is None or math.isnan(error) else f"{mean:.4f} ± {error:.4f}"


def _claim(judged: Judged) -> str:
    text = f"    {VERDICTS[judged.verdict]:<14} {judged.claim.text}"
    if judged.difference is not None and judged.error is not None:
        text += f"  ({judged.difference:+.4f} ± {judged.error:.4f})"
    paper = judged.paper
    if paper is not None and paper.difference is not None:
        error = "no error" if paper.error is None else f"± {paper.error:.4f}"
        text += f"  [paper: {paper.verdict}, {paper.difference:+.4f}, {error}]"
    return text
