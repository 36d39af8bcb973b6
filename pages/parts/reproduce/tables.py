"""What σ_min the outsourced paper's tables need, and where that of a dataset stands."""

import math
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts.reproduce.words import counted_in
from pages.parts.table.own_table import pick_problem
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, heading, note, show
from pages.parts.views.picture import MET, NON_PRIVATE, PRIVATE, UNMET, Picture
from pages.parts.views.text import SIGMA_MIN, SIGMA_Y, minus, whole_text
from pages.parts.views.views import Cell, Figure, Finding, Row, Table, Tile, table
from privbo_core.experiments import Compared, Report, Standing, Verdict
from privbo_core.experiments.contents import NEEDS, Trend, trends

TICKS = (50, 100, 200, 500, 1000, 2000)


def show_needs(reports: Mapping[str, Report]) -> None:
    heading("What a dataset needs, and where yours stands")
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        simulation = pick_problem()
        sigma_min = simulation.spectrum.sigma_min
        show(tiles(sigma_min))
    with right:
        Place("reproduce-needs").draw(figure(simulation.problem.title, sigma_min))
        bar = f"the {SIGMA_MIN} at which the condition holds up to the table’s r and fails at the next"
        note(f"Each bar: {bar}. Scaled to norm 25.")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(prose("reproduce", "what a dataset needs"))
    with right:
        st.markdown(prose("reproduce", "what stand-ins show"))
        show(trends_table(trends(reports)))


def trends_table(results: Sequence[Trend]) -> Table:
    rows = []
    for each in results:
        mark, words, _ = VERDICTS[each.judged.verdict]
        margin = f"{difference_text(each.judged.difference, each.judged.error)} {SIGMA_Y}"
        rows.append((f"made-up {each.data}: {each.judged.claim.text}", margin, f"{mark} {words}", f"{each.sets}"))
    return table(("Tables 4–6, 7–9", "regret above the best r’s", "", "data sets"), rows, "grid")


def tiles(sigma_min: float) -> tuple[Tile, ...]:
    """Return a dataset's σ_min, and its ratio to what the middle table of each of the paper's three datasets needs."""
    middle = [need for need in NEEDS if need.table in (2, 5, 8)]
    ratios = [f"{sigma_min / need.least:.2f}" for need in middle]
    names = ", ".join(f"Table {need.table}" for need in middle)
    here = f"{SIGMA_MIN} of the present dataset"
    return (
        Tile(here, whole_text(sigma_min), "of the centred inputs at norm 25", "curator"),
        Tile(f"{SIGMA_MIN}/ω", " · ".join(ratios), f"at the ε, δ and best r of {names}; wanted: 1 to 1.2", "curator"),
    )


def finding(title: str, sigma_min: float) -> Finding:
    """Return which tables' condition falls on this dataset where it fell in the paper."""
    met = [str(need.table) for need in NEEDS if need.met(sigma_min)]
    low = [str(need.table) for need in NEEDS if sigma_min < need.least]
    high = [str(need.table) for need in NEEDS if sigma_min >= need.most]
    verdicts = (("fits", met), ("is too small for", low), ("is too large for", high))
    parts = [f"{words} Table{'s' * (len(tables) > 1)} {', '.join(tables)}" for words, tables in verdicts if tables]
    return Finding(f"{SIGMA_MIN} = {whole_text(sigma_min)} of “{title}” {'; '.join(parts)}", "curator")


def figure(title: str, sigma_min: float) -> Figure:
    chart = Picture(330, margin={"l": 150, "r": 70, "t": 24, "b": 46})
    rows = list(range(len(NEEDS)))
    for row, need in zip(rows, NEEDS, strict=True):
        mark, colour = ("✓", MET) if need.met(sigma_min) else ("✗", UNMET)
        hover = f"Table {need.table}: from {whole_text(need.least)} to {whole_text(need.most)}"
        chart.line([need.least, need.most], [row, row], colour, width=9, hovertemplate=hover)
        chart.label(math.log10(need.most), row, f"{mark} r = {need.edge}", colour, xshift=8)
    chart.upright(sigma_min, PRIVATE, width=2)
    above = {"yref": "paper", "yanchor": "bottom", "xanchor": "center"}
    chart.label(math.log10(sigma_min), 1, f"{SIGMA_MIN} = {whole_text(sigma_min)}", PRIVATE, **above)
    ends = [sigma_min, *(need.least for need in NEEDS), *(need.most for need in NEEDS)]
    room = [math.log10(0.7 * min(ends)), math.log10(1.5 * max(ends))]
    ticks = {"tickvals": TICKS, "ticktext": [whole_text(tick) for tick in TICKS], "linecolor": NON_PRIVATE.faded(0.3)}
    chart.axis("xaxis", f"{SIGMA_MIN} needed, logarithmic", type="log", range=room, **ticks)
    names = [f"Table {need.table}, ε = e^{math.log(need.epsilon):g}" for need in NEEDS]
    chart.axis("yaxis", tickvals=rows, ticktext=names, range=[len(NEEDS) - 0.4, -0.6])
    needed = "For each of nine tables the interval of σ_min that it needs"
    alt = f"{needed}, and {whole_text(sigma_min)}, that of the dataset chosen."
    return Figure("reproduce-needs", finding(title, sigma_min), chart, alt)


VERDICTS: dict[Verdict, tuple[str, str, str]] = {
    "holds": ("✓", "holds", "agree"),
    "inconclusive": ("?", "not clear", "unclear"),
    "fails": ("✗", "the opposite here", "apart"),
    "no results": ("…", "not run", ""),
}
"""The symbol of a verdict, its words, and the role that shades its row."""
APART = {"spreads": "spreads from function to function", "errors": "standard errors of the difference"}
"""What the distance between a printed number and ours is counted in, as the column's title."""
BESIDE = ("non-private", "random search")  # The arms that are shown for comparison.


def beside(report: Report, again: Report) -> Table:
    """Return printed numbers beside ours, or ours alone where the paper prints none; and what was run again, if any."""
    return numbers(report, again) if report.experiment.numbers else arms(report, again)


def numbers(report: Report, again: Report) -> Table:
    sources, measure = [report, *([again] if again.values else [])], report.experiment.measure
    titles = ["", "paper", *("ours", "run again")[: len(sources)], f"apart, in {APART[counted_in(report.experiment)]}"]
    rows, group = [], None
    for each, *new in zip(*(source.compared for source in sources), strict=True):
        number = each.number
        if number.group != group:
            group = number.group
            rows.append(group_of(group, len(titles)))
        mark, words, role = agreement(each, each.standing(report.experiment))
        if number.exact is not None and not number.counted:
            role = ""  # what another account says is set beside a printed number, and is not meant to equal it
        found = [value_text(one.ours, one.error, number.exact) for one in (each, *new)]
        rows.append(row_of(number.label, f"{number.printed:g}", *found, f"{mark} {words}".strip(), role=role))
    printed = {each.number.arm for each in report.compared}
    others = [name for name in BESIDE if name in report.values and name not in printed]
    if others:
        rows.append(group_of("for comparison", len(titles)))
    rows += [row_of(name, "–", *(_mean(source, name, measure) for source in sources), "") for name in others]
    return Table((head_of(*titles),), tuple(rows), "compare", "Printed numbers and ours")


def arms(report: Report, again: Report) -> Table:
    """Return the table of the arms' own numbers, for an experiment of which the paper prints none."""
    experiment = report.experiment
    shown = [("ours", report, experiment.measure)]
    if experiment.name.startswith("bounds-"):
        bounds = ("setting loses", "setting_loss"), ("at most", "setting_bound"), ("score off by", "score_error")
        shown = [(title, report, measure) for title, measure in (*bounds, ("at most", "score_bound"))]
    if losses := experiment.kind == "privacy":
        shown = [("first ten iterations", report, "early"), ("after 60", report, "last")]
    if again.values:
        shown.append(("run again", again, experiment.measure))
    rows = []
    for arm in experiment.arms:
        if arm.task != "accountant":
            loss = [_mean(report, f"privacy loss, {arm.name}", "epsilon", 3)] if losses else []
            rows.append(row_of(arm.name, *loss, *(_mean(source, arm.name, measure) for _, source, measure in shown)))
    titles = ["", *(["ε"] if losses else []), *(title for title, *_ in shown)]
    return Table((head_of(*titles),), tuple(rows), "compare", experiment.measure_name)


def claims(report: Report) -> Table:
    rows, counts = [], report.experiment.data != "other"
    for each in report.judged:
        mark, words, role = VERDICTS[each.verdict]
        text, margin = Cell(each.claim.text, head=True), Cell(difference_text(each.difference, each.error))
        verdict, own = f"{mark} {words}" if counts else f"other data: {words}", "–"
        if (paper := each.paper) and paper.difference is not None:
            mark, words, _ = VERDICTS[paper.verdict]
            error = " (no error)" if paper.error is None else ""
            said = f"{mark} {words.removesuffix(' here')}"
            own = f"{said}: {difference_text(paper.difference, paper.error or math.nan)}{error}"
        rows.append(Row((Cell(verdict), text, margin, Cell(own)), role if counts else ""))
    head = head_of("here", "the paper says", "margin", "its own numbers")
    return Table((head,), tuple(rows), "claims", "Claims of the paper")


def agreement(each: Compared, standing: Standing) -> tuple[str, str, str]:
    """Return a comparison's symbol, its words, and the role that shades its row."""
    if standing in ("other data", "made-up data"):
        return "", standing, ""
    if each.grade is None:
        return "…", "not known yet", ""
    if each.number.exact is not None:
        return ("✓", "the same", "agree") if each.grade == "reproduces" else ("✗", "differs", "apart")
    distance = abs(each.distance or 0.0)
    far = f"{distance:.1f}" if distance < 99.5 else "over 99"
    mark, role = {"reproduces": ("✓", "agree"), "nearly": ("≈", "near"), "does not reproduce": ("✗", "apart")}[
        each.grade
    ]
    return mark, far, role


def head_of(*titles: str) -> Row:
    return Row(tuple(Cell(title, head=True) for title in titles))


def group_of(name: str, wide: int) -> Row:
    return Row((Cell(name, head=True, wide=wide),), "group")


def row_of(name: str, *cells: str, role: str = "") -> Row:
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
