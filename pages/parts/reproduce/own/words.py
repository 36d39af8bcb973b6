"""What is said about a study of one's own: its finding, its table, and what it was run on."""

from collections.abc import Mapping

from pages.parts.reproduce.numbers import difference_text, value_text
from pages.parts.reproduce.words import arithmetic_of
from pages.parts.values.text import as_markdown
from pages.parts.values.views import Cell, Finding, Row, Table
from privbo_core.experiments import Experiment, Report
from privbo_core.experiments.report import AGREES
from privbo_core.experiments.studies.summary import Found, found, shown

HOW = (
    "Describe a study in a small file (docs/studies.md), run it on one machine or on many, and open here what it wrote. "
    "The file stays in your session."
)
NOTHING = "Nothing is finished yet in this file"
REFUTED = "The projection’s promise is refuted: its ε protects nobody (see Audit)."


def finding(report: Report) -> Finding:
    """Return what a study shows, in its title."""
    experiment = report.experiment
    note = [experiment.title, experiment.about]
    if experiment.kind != "audit":
        note.append("bars and bands: ± 1 standard error")
    if any(_refuted(arm.settings) for arm in experiment.arms):
        note.append(REFUTED)
    own = any(str(arm.settings.get("data", "")).startswith("table ") for arm in experiment.arms)
    return Finding(_title(report), "inside" if own else "simulation", "\n".join(note))


def _title(report: Report) -> str:
    if report.experiment.kind == "audit":
        bounds = shown(report)
        if not bounds:
            return NOTHING
        refuted = sum(bound.verdict(float(arm.settings["epsilon"])) == "refuted" for arm, bound in bounds)
        trials = max(bound.trials for _, bound in bounds)
        return f"{refuted} of {len(bounds)} claims refuted, by {trials:,} trials on each dataset"
    rows = [row for row in found(report) if row.extra is not None]
    if not rows:
        return NOTHING if not report.values else "No private setting is finished yet"
    clear = sum(costs(row) for row in rows)
    return f"{clear} of {len(rows)} private settings clearly cost more than no privacy"


def costs(row: Found) -> bool:
    """Return whether a setting costs more than the one without privacy, by more than two standard errors."""
    return row.extra is not None and row.extra_error is not None and row.extra > AGREES * row.extra_error


def in_words(experiment: Experiment) -> str:
    """Return what the figure shows, for those who cannot see it."""
    said = {
        "audit": "The ε that the trials show against the ε that is claimed, for each mechanism.",
        "trade-off": "The mean against ε, for each mechanism, beside the searches without privacy.",
        "curves": "Regret over the iterations, with bands of one standard error.",
    }
    return f"{said[experiment.kind]} The table beside it holds the numbers."


def table_of(report: Report) -> Table:
    """Return the study's numbers."""
    return _audited(report) if report.experiment.kind == "audit" else _compared(report)


def _compared(report: Report) -> Table:
    rows = [
        _row(row.arm.name, value_text(row.mean, row.error, None), "0 every time" if row.extra == row.extra_error == 0 else difference_text(row.extra, row.extra_error),
             row.against, f"{row.runs:,}")
        for row in found(report)
    ]  # fmt: skip
    heads = _heads("", "mean", "extra", "beside", "runs")
    return Table((heads,), tuple(rows), "compare", report.experiment.measure_name)


def _audited(report: Report) -> Table:
    rows = []
    for arm, bound in shown(report):
        claim = float(arm.settings["epsilon"])
        verdict = "✗ refuted" if bound.verdict(claim) == "refuted" else "not refuted"
        rows.append(_row(arm.name, f"{claim:g}", f"{bound.epsilon:.3g}", f"{bound.strongest:.3g}", verdict))
    heads = _heads("", "ε claimed", "ε shown", "at most", "")
    return Table((heads,), tuple(rows), "compare", "What the trials show, 95 % sure of each line")


def run_with(report: Report, made: Mapping[str, object]) -> str:
    """Return, as Markdown, what a study was run on."""
    experiment = report.experiment
    known = {name: as_markdown(str(value)) for name, value in made.items()}
    versions = ", ".join(
        f"{as_markdown(name)} {known[name]}" for name in known if name not in ("command", "runs", "unit", "seeds")
    )
    measure = "" if experiment.kind == "audit" else f"**Measured:** {as_markdown(experiment.measure_name)}.  \n"
    command = f"`{made['command']}`, " if "command" in made else ""
    return (
        f"{measure}**Run on:** {as_markdown(experiment.about)} "
        f"{command}{known.get('runs', '?')} {known.get('unit', '')}; {versions}. {arithmetic_of(report)}"
    ).rstrip()


def _refuted(settings: Mapping[str, object]) -> bool:
    return settings.get("policy") == "private"


def _heads(*titles: str) -> Row:
    return Row(tuple(Cell(title, head=True) for title in titles))


def _row(name: str, *cells: str) -> Row:
    return Row((Cell(name, head=True), *(Cell(text) for text in cells)))
