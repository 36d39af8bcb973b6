"""The tables of the Reproduce page: printed numbers beside ours, and claims with their verdicts."""

import math

from pages.parts.reproduce.words import counted_in
from pages.parts.views.text import minus
from pages.parts.views.views import Cell, Row, Table
from privbo_core.experiments import Compared, Judged, Report, Verdict
from privbo_core.experiments.report import AGREES, Standing

VERDICTS: dict[Verdict, tuple[str, str, str]] = {
    "holds": ("✓", "holds", "agree"),
    "not clear": ("?", "not clear", "unclear"),
    "fails": ("✗", "the opposite here", "apart"),
    "no results": ("…", "not run", ""),
}
"""The symbol of a verdict, its words, and the role that shades its row."""
PAPER_VERDICTS = VERDICTS | {"fails": ("✗", "the opposite", "apart")}
"""The same for the paper's own numbers."""
APART = {
    "spreads": "apart, in spreads from function to function",
    "errors": "apart, in standard errors of the difference",
}
"""What the distance between a printed number and ours is counted in, as the column's title."""
BESIDE = ("non-private", "random search")
"""The arms that are shown for comparison."""


def beside(report: Report, again: Report) -> Table:
    """Return printed numbers beside ours, or ours alone where the paper prints none.

    With what was run again, if anything.
    """
    return numbers(report, again) if report.experiment.numbers else arms(report, again)


def numbers(report: Report, again: Report) -> Table:
    """Return the table of printed numbers beside ours, shaded by agreement."""
    live, measure = bool(again.values), report.experiment.measure
    titles = ["", "paper", "ours", *(["run again"] if live else []), APART[counted_in(report.experiment)]]
    rows, group = [], None
    for each, new in zip(report.compared, again.compared, strict=True):
        if each.number.group != group:
            group = each.number.group
            rows.append(_group(group, len(titles)))
        mark, words, role = agreement(each, each.standing(report.experiment))
        if each.number.exact is not None and not each.number.counted:
            role = ""  # what another account says is set beside a printed number, and is not meant to equal it
        more = [value_text(new.ours, new.error, each.number.exact)] if live else []
        ours = value_text(each.ours, each.error, each.number.exact)
        rows.append(
            row_of(each.number.label, f"{each.number.printed:g}", ours, *more, f"{mark} {words}".strip(), role=role)
        )
    printed = {each.number.arm for each in report.compared}
    others = [name for name in BESIDE if name in report.values and name not in printed]
    if others:
        rows.append(_group("for comparison", len(titles)))
    for name in others:
        more = [_mean(again, name, measure)] if live else []
        rows.append(row_of(name, "–", _mean(report, name, measure), *more, ""))
    return Table((head_of(*titles),), tuple(rows), "compare", "Printed numbers and ours")


def arms(report: Report, again: Report) -> Table:
    """Return the table of the arms' own numbers, for an experiment of which the paper prints none."""
    experiment, live = report.experiment, bool(again.values)
    losses = experiment.kind == "privacy"
    measures = [("ours", experiment.measure)]
    if experiment.name.startswith("bounds-"):
        measures = [
            ("setting loses", "setting_loss"),
            ("at most", "setting_bound"),
            ("score off by", "score_error"),
            ("at most", "score_bound"),
        ]
    if losses:
        measures = [("first ten iterations", "early"), ("after 60", "last")]
    rows = []
    for arm in experiment.arms:
        if arm.task == "accountant":
            continue
        cells = [_mean(report, f"privacy loss, {arm.name}", "epsilon", 3)] if losses else []
        cells += [_mean(report, arm.name, measure) for _, measure in measures]
        cells += [_mean(again, arm.name, experiment.measure)] if live else []
        rows.append(row_of(arm.name, *cells))
    titles = ["", *(["ε"] if losses else []), *(title for title, _ in measures), *(["run again"] if live else [])]
    return Table((head_of(*titles),), tuple(rows), "compare", experiment.measure_name)


def claims(report: Report) -> Table:
    """Return the table of the claims, each with its verdict, the difference that it rests on."""
    rows, counts = [], report.experiment.data != "other"
    for each in report.judged:
        mark, words, role = VERDICTS[each.verdict]
        text, margin = Cell(each.claim.text, head=True), Cell(difference_text(each.difference, each.error))
        verdict = f"{mark} {words}" if counts else f"other data: {words}"
        rows.append(Row((Cell(verdict), text, margin, Cell(_paper_side(each.paper))), role if counts else ""))
    heads = head_of("here", "the paper says", "margin", "its own numbers")
    return Table((heads,), tuple(rows), "claims", "Claims of the paper")


def _paper_side(paper: Judged | None) -> str:
    """Return what the paper's printed numbers say of its own claim."""
    if paper is None or paper.difference is None:
        return "–"
    mark, words, _ = PAPER_VERDICTS[paper.verdict]
    error = " (no error)" if paper.error is None else ""
    return f"{mark} {words}: {difference_text(paper.difference, paper.error or math.nan)}{error}"


def agreement(each: Compared, standing: Standing) -> tuple[str, str, str]:
    """Return a comparison's symbol, its words, and the role that shades its row."""
    if standing in ("other data", "made-up data"):
        return "", standing, ""
    if each.agrees is None:
        return "…", "not known yet", ""
    if each.number.exact is not None:
        return ("✓", "the same", "agree") if each.agrees else ("✗", "differs", "apart")
    distance = abs(each.distance or 0.0)
    far = f"{distance:.1f}" if distance < 99.5 else "over 99"
    if each.agrees:
        return "✓", far, "agree" if distance <= AGREES / 2 else "near"
    return "✗", far, "apart"


def head_of(*titles: str) -> Row:
    """Return a row of heads."""
    return Row(tuple(Cell(title, head=True) for title in titles))


def _group(name: str, wide: int) -> Row:
    return Row((Cell(name, head=True, wide=wide),), "group")


def row_of(name: str, *cells: str, role: str = "") -> Row:
    """Return a row under its name."""
    return Row((Cell(name, head=True), *(Cell(text) for text in cells)), role)


def _mean(report: Report, arm: str, measure: str, digits: int = 4) -> str:
    if measure not in report.values.get(arm, {}):
        return "–"
    mean, error, count = report.mean(arm, measure) or (math.nan, math.nan, 0)
    # What theory allows is the same in every replicate, up to rounding.
    return f"{mean:.{digits}g}" if count == 1 or measure.endswith("_bound") else value_text(mean, error, None)


def value_text(mean: float | None, error: float | None, exact: int | None) -> str:
    """Return a mean ± its standard error with as many decimals as the error deserves."""
    if mean is None:
        return "–"
    if exact is not None:
        return f"{mean:.{exact}f}"
    if error is None or math.isnan(error):
        return minus(f"{mean:.3g}")
    if error <= 1e-9 * abs(mean):
        return minus(f"{mean:.4g} every time")
    decimals = min(max(2 - math.ceil(math.log10(error)), 0), 6)
    return minus(f"{mean:.{decimals}f} ± {error:.{decimals}f}")


def difference_text(difference: float | None, error: float | None) -> str:
    """Return a difference ± its standard error, with its sign; nothing where it is not known."""
    if difference is None or error is None:
        return ""
    text = value_text(difference, error, None)
    return text if text.startswith("−") else f"+{text}"
