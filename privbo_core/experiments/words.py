"""Reports as lines of text, for the command line."""

import math

from privbo_core.experiments.model import Experiment
from privbo_core.experiments.report import Compared, Judged, Report

MARKS = {"holds": "✓ holds", "not clear": "? not clear", "fails": "✗ fails", "no results": "… not run"}


def lines(report: Report) -> list[str]:
    """Return what came out: numbers side by side, then claims."""
    experiment = report.experiment
    found = [experiment.title, f"  {experiment.stands_in}"]
    if experiment.chosen:
        found.append(f"  {experiment.chosen}")
    group = None
    for each in report.compared:
        if each.number.group != group:
            group = each.number.group
            found.append(f"  {group}:")
        found.append(f"    {each.number.label:<36} {_numbers(each, experiment)}")
    if not report.compared:
        for arm in experiment.arms:
            known = report.mean(arm.name, experiment.measure)
            if known:
                found.append(f"    {arm.name:<36} {_plus_minus(known[0], known[1])}")
    if report.judged:
        found.append("  what the paper says:")
        found += [
            f"    {MARKS[each.verdict]:<12} {each.claim.text}{_detail(each)}{_paper(each)}" for each in report.judged
        ]
    return found


def _numbers(each: Compared, experiment: Experiment) -> str:
    printed = f"paper {each.number.printed:<6g}"
    if each.ours is None:
        return f"{printed} ours not run"
    standing = each.standing(experiment)
    if standing in ("other data", "made-up data"):
        return f"{printed} ours {_plus_minus(each.ours, math.nan if each.error is None else each.error)}   ({standing})"
    if each.number.exact is not None:
        return f"{printed} ours {each.ours:.{each.number.exact}f}   {'✓ the same' if each.agrees else '✗ differs'}"
    if each.distance is None or each.error is None:
        return f"{printed} ours {each.ours:.4g} (one replicate)"
    mark = "✓" if each.agrees else "✗"
    unit = "spreads over functions" if experiment.per_print == 1 else "standard errors"
    return f"{printed} ours {_plus_minus(each.ours, each.error)}   {mark} {abs(each.distance):.1f} {unit} apart"


def _plus_minus(mean: float, error: float) -> str:
    return f"{mean:.4f}" if math.isnan(error) else f"{mean:.4f} ± {error:.4f}"


def _paper(each: Judged) -> str:
    if each.paper is None or each.paper.difference is None:
        return ""
    error = "no error" if each.paper.error is None else f"± {each.paper.error:.4f}"
    return f"  [paper: {each.paper.verdict}, {each.paper.difference:+.4f}, {error}]"


def _detail(each: Judged) -> str:
    if each.difference is None or each.error is None:
        return ""
    return f"  ({each.difference:+.4f} ± {each.error:.4f})"
