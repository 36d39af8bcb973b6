"""A study's results from a file: opened in this session, shown like the papers', and forgotten with it."""

import math
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.parts.reproduce import figures
from pages.parts.reproduce.figures import Lines, Mean, curves, epsilons, in_words
from pages.parts.reproduce.tables import difference_text, head_of, row_of, value_text
from pages.parts.reproduce.words import arithmetic_of, versions_of
from pages.parts.shell.session import OWN, own_file, read_once
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, note
from pages.parts.views.picture import NOISY, REFUTED, UNMET, Colour, Picture
from pages.parts.views.text import as_markdown
from pages.parts.views.views import Figure, Finding, Row, Table
from privbo_core.experiments import Arm, Report, report
from privbo_core.experiments.report import AGREES
from privbo_core.experiments.store import by_experiment
from privbo_core.experiments.studies.described import ArmResult, Made, read_results, results_of, shown

OPENED = f"{OWN}reproduce/study"
MOST = 20  # Megabytes of the largest file.
SLOT = "own-study"
LOOKS = (("solid", "circle"), ("dash", "square"), ("dot", "diamond"), ("longdashdot", "triangle-up"))
"""Lines and marks of a study's mechanisms, in order."""
LEVELS = ("dash", "longdashdot", "dot")
NOTHING_FINISHED = "Nothing is finished yet in this file"
PROJECTION = "The projection’s promise is refuted: its ε protects nobody (see Audit)."


def show_opened() -> None:
    with st.expander("Open a study’s results", expanded=OPENED in st.session_state):
        note(prose("reproduce", "a study of one’s own"))
        file = own_file("Results (JSONL)", ["jsonl"], "reproduce/study/file", max_upload_size=MOST)
        if file is None:
            st.session_state.pop(OPENED, None)
            return
        opened, fault = read_once(file, f"{OPENED}/read", lambda file: read(file.getvalue(), file.name))
        if opened or fault:
            st.session_state[OPENED] = opened or fault
        if isinstance(known := st.session_state[OPENED], str):
            st.error(as_markdown(known))
        else:
            _show(file.file_id, *known)


def read(data: bytes, name: str) -> tuple[dict[str, Report], Made]:
    """Return what is in a file by the studies' names, and how it was made. Raises DataError, a sentence."""
    studies, outcomes, made = read_results(data, name)
    mine = by_experiment(outcomes)
    return {study.name: report(study, mine.get(study.name, ())) for study in studies}, made


def _show(file: str, reports: Mapping[str, Report], made: Made) -> None:
    name = next(iter(reports))
    if len(reports) > 1:
        name = st.selectbox("Study", list(reports), key=f"{OPENED}/name/{file}")
    report = reports[name]
    title = finding(report)
    left, right = st.columns([1.15, 1], gap="medium")
    with left:
        chart = Place(SLOT)
    with right:
        table = Place(f"{SLOT}-table", titled=False, picture=False)
    chart.draw(Figure(SLOT, title, picture(report), in_words(report.experiment)))
    table.draw(Figure(f"{SLOT}-table", title, table=table_of(report)))
    st.markdown(run_with(report, made.get(name, {})))


def picture(study: Report) -> Picture:
    drawn = {"audit": audit, "trade-off": trade_off}.get(study.experiment.kind)
    return drawn(study) if drawn else curves(study, report(study.experiment, ()))


def trade_off(report: Report) -> Picture:
    """Draw the mean against ε, a line for each mechanism, and what has no ε as levels."""
    drawn, rows = Lines(tops=[1e-9]), results_of(report)
    marks = [(row.arm, row.epsilon, (row.mean, row.error, row.runs)) for row in rows if row.epsilon is not None]
    add_lines(drawn, marks)
    for row, dash in zip((row for row in rows if row.epsilon is None), LEVELS * 100, strict=False):
        drawn.level(row.mean, colour_of(row.arm), dash, row.arm.name)
    top = 1.12 * max(drawn.tops)
    epsilons(drawn.chart, "ε", [epsilon for _, epsilon, _ in marks] or [1.0])
    drawn.chart.axis("yaxis", report.experiment.measure_name, range=[-0.02 * top, top])
    return drawn.name(top)


def audit(report: Report) -> Picture:
    """Draw the ε that trials show against the ε that is claimed; what lies above the diagonal is refuted."""
    drawn = Lines()
    marks = [(arm, float(arm.settings["epsilon"]), (bound.epsilon, math.nan, 1)) for arm, bound in shown(report)]
    add_lines(drawn, marks)
    top = max([1e-9, *drawn.means])
    claims = sorted({claim for _, claim, _ in marks})
    if claims:
        top = 1.15 * max(top, min(claims[-1], 2 * top + claims[0]))
        claimed = {"name": "claimed", "hovertemplate": "claimed: %{y:.3g}"}
        drawn.chart.line(claims, claims, UNMET, width=1.5, dash="dash", **claimed)
        drawn.chart.label(0.02, top, "above the thin dashed line: refuted", UNMET, xref="paper", yanchor="top")
    epsilons(drawn.chart, "ε claimed", claims or [1.0])
    drawn.chart.axis("yaxis", "ε that the trials show", range=[-0.03 * top, top])
    return drawn.name(top)


def add_lines(drawn: Lines, marks: Sequence[tuple[Arm, float, Mean]]) -> None:
    """Add a line for each mechanism through the marks of its arms: what is found at each ε."""
    lines: dict[str, list[tuple[Arm, float, Mean]]] = {}
    for mark in marks:
        lines.setdefault(mechanism(mark[0]), []).append(mark)
    for (name, known), (dash, symbol) in zip(lines.items(), LOOKS * 50, strict=False):
        drawn.add(sorted((epsilon, mean) for _, epsilon, mean in known), colour_of(known[0][0]), dash, symbol, name)


def mechanism(arm: Arm) -> str:
    return arm.name.rpartition(", ε = ")[0] or arm.name


def colour_of(arm: Arm) -> Colour:
    """Return the colour of a mechanism, as on the pages of the systems."""
    policy = arm.settings.get("policy", arm.settings.get("mechanism"))
    if policy == "private" and arm.task in ("search", "trial"):
        return REFUTED
    return NOISY if policy in ("noisy", "private selection") else figures.colour_of(arm)


def finding(report: Report) -> Finding:
    experiment = report.experiment
    note = [experiment.title, experiment.about]
    if experiment.kind != "audit":
        note.append("bars and bands: ± 1 standard error")
    if any(arm.settings.get("policy") == "private" for arm in experiment.arms):
        note.append(PROJECTION)
    own = any(str(arm.settings.get("data", "")).startswith("table ") for arm in experiment.arms)
    return Finding(_title(report), "inside" if own else "simulation", "\n".join(note))


def _title(report: Report) -> str:
    if report.experiment.kind == "audit":
        bounds = shown(report)
        if not bounds:
            return NOTHING_FINISHED
        refuted = sum(bound.verdict(float(arm.settings["epsilon"])) == "refuted" for arm, bound in bounds)
        trials = max(bound.trials for _, bound in bounds)
        return f"{refuted} of {len(bounds)} claims refuted, by {trials:,} trials on each dataset"
    rows = [row for row in results_of(report) if row.extra is not None]
    if not rows:
        return NOTHING_FINISHED if not report.values else "No private setting is finished yet"
    clear = sum(costs(row) for row in rows)
    return f"{clear} of {len(rows)} private settings clearly cost more than no privacy"


def costs(row: ArmResult) -> bool:
    """Return whether a setting costs more than the one without privacy, by more than two standard errors."""
    return row.extra is not None and row.extra_error is not None and row.extra > AGREES * row.extra_error


def table_of(report: Report) -> Table:
    rows: list[Row] = []
    if report.experiment.kind == "audit":
        for arm, bound in shown(report):
            claim = float(arm.settings["epsilon"])
            verdict = "✗ refuted" if bound.verdict(claim) == "refuted" else "not refuted"
            rows.append(row_of(arm.name, f"{claim:g}", f"{bound.epsilon:.3g}", f"{bound.strongest:.3g}", verdict))
        heads = head_of("", "ε claimed", "ε shown", "at most", "")
        return Table((heads,), tuple(rows), "compare", "What the trials show, 95 % sure of each line")
    rows = [
        row_of(
            row.arm.name,
            value_text(row.mean, row.error, None),
            "0 every time" if row.extra == row.extra_error == 0 else difference_text(row.extra, row.extra_error),
            row.against,
            f"{row.runs:,}",
        )
        for row in results_of(report)
    ]
    heads = head_of("", "mean", "extra", "beside", "runs")
    return Table((heads,), tuple(rows), "compare", report.experiment.measure_name)


def run_with(report: Report, made: Mapping[str, object]) -> str:
    experiment = report.experiment
    known = {name: as_markdown(str(value)) for name, value in made.items()}
    measure = "" if experiment.kind == "audit" else f"**Measured:** {as_markdown(experiment.measure_name)}.  \n"
    command = f"`{made['command']}`, " if "command" in made else ""
    return (
        f"{measure}**Run on:** {as_markdown(experiment.about)} "
        f"{command}{known.get('runs', '?')} {known.get('unit', '')}; {versions_of(made)}. {arithmetic_of(report)}"
    ).rstrip()
