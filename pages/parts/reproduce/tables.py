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
from privbo_core.experiments import Compared, Judged, Report, Verdict
from privbo_core.experiments.papers.contents import NEEDS, Trend, trends
from privbo_core.experiments.report import AGREES, Standing

TICKS = (50, 100, 200, 500, 1000, 2000)


def show_needs(reports: Mapping[str, Report]) -> None:
    """Let a person pick a dataset, and show its σ_min beside what each table needs."""
    heading("What a dataset needs, and where yours stands")
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        simulation = pick_problem()
        sigma_min = simulation.spectrum.sigma_min
        show(tiles(sigma_min))
    with right:
        Place("reproduce-needs").draw(figure(simulation.problem.title, sigma_min))
        note(
            f"Each bar: the {SIGMA_MIN} at which the condition holds up to the table’s r and fails at the next. Scaled "
            "to norm 25."
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(prose("reproduce", "what a dataset needs"))
    with right:
        st.markdown(prose("reproduce", "what stand-ins show"))
        show(trends_table(trends(reports)))


def trends_table(results: Sequence[Trend]) -> Table:
    """Return the pooled trends on made-up data, each with its verdict."""
    rows = []
    for each in results:
        mark, words, _ = VERDICTS[each.judged.verdict]
        margin = difference_text(each.judged.difference, each.judged.error)
        rows.append(
            (f"made-up {each.data}: {each.judged.claim.text}", f"{margin} {SIGMA_Y}", f"{mark} {words}", f"{each.sets}")
        )
    return table(("Tables 4–6, 7–9", "regret above the best r’s", "", "data sets"), rows, "grid")


def tiles(sigma_min: float) -> tuple[Tile, ...]:
    """Return a dataset's σ_min, and its ratio to what the middle table of each of the paper's three datasets needs."""
    middle = [need for need in NEEDS if need.table in (2, 5, 8)]
    ratios = [f"{sigma_min / need.least:.2f}" for need in middle]
    names = ", ".join(f"Table {need.table}" for need in middle)
    return (
        Tile(
            f"{SIGMA_MIN} of the present dataset", whole_text(sigma_min), "of the centred inputs at norm 25", "curator"
        ),
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
    """Draw the interval of σ_min that each table needs, and a dataset's own."""
    chart = Picture(330, margin={"l": 150, "r": 70, "t": 24, "b": 46})
    rows = list(range(len(NEEDS)))
    for row, need in zip(rows, NEEDS, strict=True):
        fits = need.met(sigma_min)
        colour = MET if fits else UNMET
        chart.line(
            [need.least, need.most],
            [row, row],
            colour,
            width=9,
            hovertemplate=f"Table {need.table}: from {whole_text(need.least)} to {whole_text(need.most)}",
        )
        chart.label(math.log10(need.most), row, f"{'✓' if fits else '✗'} r = {need.edge}", colour, xshift=8)
    chart.upright(sigma_min, PRIVATE, width=2)
    chart.label(
        math.log10(sigma_min),
        1,
        f"{SIGMA_MIN} = {whole_text(sigma_min)}",
        PRIVATE,
        yref="paper",
        yanchor="bottom",
        xanchor="center",
    )
    ends = [sigma_min, *(need.least for need in NEEDS), *(need.most for need in NEEDS)]
    chart.axis(
        "xaxis",
        f"{SIGMA_MIN} needed, logarithmic",
        type="log",
        tickvals=TICKS,
        ticktext=[whole_text(tick) for tick in TICKS],
        range=[math.log10(0.7 * min(ends)), math.log10(1.5 * max(ends))],
        linecolor=NON_PRIVATE.faded(0.3),
    )
    chart.axis(
        "yaxis",
        tickvals=rows,
        ticktext=[f"Table {need.table}, ε = e^{math.log(need.epsilon):g}" for need in NEEDS],
        range=[len(NEEDS) - 0.4, -0.6],
    )
    alt = (
        f"For each of nine tables the interval of σ_min that it needs, and {whole_text(sigma_min)}, that of the "
        "dataset chosen."
    )
    return Figure("reproduce-needs", finding(title, sigma_min), chart, alt)


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
    return Row(tuple(Cell(title, head=True) for title in titles))


def _group(name: str, wide: int) -> Row:
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
