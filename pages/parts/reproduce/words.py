"""What the Reproduce page says: summary, tables of numbers and of claims, provenance. All from reports."""

import math
from collections.abc import Iterable, Mapping, Sequence

from pages.parts.show.look import tiles
from privbo_core.experiments import Compared, Experiment, Judged, Report, Verdict
from privbo_core.experiments.report import AGREES

VERDICTS: dict[Verdict, tuple[str, str, str]] = {
    "holds": ("✓", "holds", "pb-agree"),
    "not clear": ("?", "not clear", "pb-unclear"),
    "fails": ("✗", "the opposite here", "pb-apart"),
    "no results": ("…", "not run", ""),
}
GROUPS = {
    "Tables 1–3": ("table-1", "table-2", "table-3"),
    "Tables 4–9": tuple(f"table-{number}" for number in range(4, 10)),
    "Fig. 2a–c": ("outsourced-fig-2a", "outsourced-fig-2b", "outsourced-fig-2c"),
}
"""The summary's groups of printed regrets."""
BESIDE = ("non-private", "random search")


def count(reports: Iterable[Report], exact: bool) -> tuple[int, int]:
    """Return how many counted numbers agree, and of how many that have results."""
    compared = [each for report in reports for each in report.counted if (each.number.exact is not None) == exact]
    return sum(bool(each.agrees) for each in compared), len(compared)


def summary(reports: Mapping[str, Report]) -> str:
    """Return the headline numbers over all experiments, as tiles."""
    entries = []
    remarks = ("drawn as the paper’s were", "our loans and homes are other data", "b and c on other data")
    for (name, members), remark in zip(GROUPS.items(), remarks, strict=True):
        entries.append(
            (f"{name}: regrets that agree", _of(*count([reports[member] for member in members], exact=False)), remark)
        )
    own = [report for report in reports.values() if report.experiment.own_data]
    other = [report for report in reports.values() if not report.experiment.own_data]
    remark = f"to the digit; on other data {_of(*count(other, exact=True))}"
    entries.append(("Conditions, privacy losses", _of(*count(own, exact=True)), remark))
    remark = f"on other data {_of(*_holding(other))}"
    entries.append(("Claims in words that hold", _of(*_holding(own)), remark))
    return tiles([(*entry, "simulation") for entry in entries])


def _holding(reports: Iterable[Report]) -> tuple[int, int]:
    """Return how many counted claims hold, and of how many that have results."""
    claims = [judged for report in reports for judged in report.claims]
    return sum(each.verdict == "holds" for each in claims), len(claims)


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else "…"


def disagreements(reports: Mapping[str, Report]) -> str:
    """Return, as Markdown, what does not agree or does not hold: one line for each experiment that has any."""
    found = []
    for report in reports.values():
        apart = [each.number.label for each in report.counted if not each.agrees]
        against = [each.claim.text for each in report.claims if each.verdict == "fails"]
        if apart or against:
            parts = []
            if apart:
                parts.append(f"**{len(apart)} of {len(report.counted)} numbers** apart ({', '.join(apart)})")
            if against:
                parts.append(
                    f"**the opposite of {len(against)} claim{'s' * (len(against) > 1)}** ({'; '.join(against)})"
                )
            found.append(f"- *{report.experiment.title}*: {' and '.join(parts)}.")
    return "\n".join(found) or "Everything that has results agrees."


def headline(report: Report) -> tuple[str, str]:
    """Return the figure's title, which says what came out, and the note below it."""
    experiment = report.experiment
    counted = [each for each in report.counted if each.number.exact is None] or list(report.counted)
    replicates = max((each.replicates for each in report.compared), default=0) or max(
        (len(values) for found in report.values.values() for values in found.values()), default=0
    )
    note = f"{replicates} {experiment.unit}; bars and bands: ± 1 standard error" if replicates else ""
    if counted:
        agree = sum(bool(each.agrees) for each in counted)
        return f"{agree} of {len(counted)} printed numbers agree within two standard errors" if any(
            each.number.exact is None for each in counted
        ) else f"{agree} of {len(counted)} printed numbers come out to the digit", note  # fmt: skip
    claims = report.claims
    if claims:
        hold = sum(each.verdict == "holds" for each in claims)
        return f"{hold} of {len(claims)} claims hold; the paper prints no numbers", note
    return "No results are stored for this one yet: rerun it", note


def numbers(report: Report, again: Report) -> str:
    """Return the HTML table of printed numbers beside ours, shaded by agreement, with what was run again if anything."""
    live = bool(again.values)
    rows, group = [], None
    for each, new in zip(report.compared, again.compared, strict=True):
        if each.number.group != group:
            group = each.number.group
            rows.append(f'<tr class="pb-group"><th colspan="{5 if live else 4}" scope="colgroup">{group}</th></tr>')
        mark, words, shade = agreement(each)
        more = f"<td>{value_text(new.ours, new.error, each.number.exact)}</td>" if live else ""
        rows.append(
            f'<tr class="{shade}"><th scope="row">{each.number.label}</th><td>{each.number.printed:g}</td>'
            f"<td>{value_text(each.ours, each.error, each.number.exact)}</td>{more}<td>{mark} {words}</td></tr>"
        )
    printed = {each.number.arm for each in report.compared}
    others = [name for name in BESIDE if name in report.values and name not in printed]
    if others:
        rows.append(f'<tr class="pb-group"><th colspan="{5 if live else 4}" scope="colgroup">for comparison</th></tr>')
    for name in others:
        more = f"<td>{_mean(again, name, report.experiment.measure)}</td>" if live else ""
        rows.append(
            f'<tr><th scope="row">{name}</th><td>–</td><td>{_mean(report, name, report.experiment.measure)}</td>{more}<td></td></tr>'
        )
    extra = '<th scope="col">run again</th>' if live else ""
    head = f'<tr><th scope="col"></th><th scope="col">paper</th><th scope="col">ours</th>{extra}<th scope="col">standard errors apart</th></tr>'
    return _table(head, rows, "Printed numbers and ours")


def arms(report: Report, again: Report) -> str:
    """Return the HTML table of the arms' own numbers, for an experiment of which the paper prints none."""
    experiment, live = report.experiment, bool(again.values)
    measures = [("", experiment.measure)]
    if experiment.name.startswith("bounds-"):
        measures = [
            ("setting loses", "setting_loss"),
            ("at most", "setting_bound"),
            ("score off by", "score_error"),
            ("at most", "score_bound"),
        ]
    if experiment.kind == "privacy":
        measures = [("first ten iterations", "early"), ("after 60", "last")]
    rows = []
    for arm in experiment.arms:
        if arm.task == "accountant":
            continue
        cells = "".join(f"<td>{_mean(report, arm.name, measure)}</td>" for _, measure in measures)
        if experiment.kind == "privacy":
            cells = f"<td>{_mean(report, f'privacy loss, {arm.name}', 'epsilon', 3)}</td>" + cells
        cells += f"<td>{_mean(again, arm.name, experiment.measure)}</td>" if live else ""
        rows.append(f'<tr><th scope="row">{arm.name}</th>{cells}</tr>')
    titles = [title or "ours" for title, _ in measures]
    titles = (["ε"] if experiment.kind == "privacy" else []) + titles + (["run again"] if live else [])
    head = '<tr><th scope="col"></th>' + "".join(f'<th scope="col">{title}</th>' for title in titles) + "</tr>"
    return _table(head, rows, experiment.measure_name)


def _mean(report: Report, arm: str, measure: str, digits: int = 4) -> str:
    if measure not in report.values.get(arm, {}):
        return "–"
    mean, error, count = report.mean(arm, measure) or (math.nan, math.nan, 0)
    # What theory allows is the same in every replicate, up to rounding.
    return f"{mean:.{digits}g}" if count == 1 or measure.endswith("_bound") else value_text(mean, error, None)


def claims(report: Report) -> str:
    """Return the HTML table of the claims, each with its verdict and the difference that it rests on."""
    rows = []
    for each in report.judged:
        mark, words, shade = VERDICTS[each.verdict]
        rows.append(
            f'<tr class="{shade}"><td>{mark} {words}</td><th scope="row">{each.claim.text}</th><td>{_difference(each)}</td></tr>'
        )
    head = '<tr><th scope="col">here</th><th scope="col">the paper says</th><th scope="col">margin</th></tr>'
    return _table(head, rows, "Claims of the paper")


def _difference(each: Judged) -> str:
    if each.difference is None or each.error is None:
        return ""
    text = value_text(each.difference, each.error, None)
    return text if text.startswith("−") else f"+{text}"


def agreement(each: Compared) -> tuple[str, str, str]:
    """Return a comparison's symbol, its words, and the class that shades its row."""
    if each.agrees is None:
        return "…", "not known yet", ""
    if each.number.exact is not None:
        return ("✓", "the same", "pb-agree") if each.agrees else ("✗", "differs", "pb-apart")
    distance = abs(each.distance or 0.0)
    far = f"{distance:.1f}" if distance < 99.5 else "over 99"
    if each.agrees:
        return "✓", far, "pb-agree" if distance <= AGREES / 2 else "pb-near"
    return "✗", far, "pb-apart"


def value_text(mean: float | None, error: float | None, exact: int | None) -> str:
    """Return a mean ± its standard error with as many decimals as the error deserves."""
    if mean is None:
        return "–"
    if exact is not None:
        return f"{mean:.{exact}f}"
    if error is None or math.isnan(error):
        return f"{mean:.3g}".replace("-", "−")
    if error <= 1e-9 * abs(mean):
        return f"{mean:.4g} every time".replace("-", "−")
    decimals = min(max(2 - math.ceil(math.log10(error)), 0), 6)
    return f"{mean:.{decimals}f} ± {error:.{decimals}f}".replace("-", "−")


def deviations(report: Report) -> list[str]:
    """Return in a sentence each how far the printed numbers that do not agree are off, and what differs without chance."""
    found, off = [], []
    for each in report.counted:
        if each.agrees or each.ours is None:
            continue
        if each.number.exact is not None:
            ours = "none" if each.ours == 0 else f"{each.ours:.{each.number.exact}f}"
            found.append(f"The {each.number.label} is {ours} on our data, {each.number.printed:g} in the paper.")
        else:
            difference = f"{each.ours - each.number.printed:+.2g}".replace("-", "−")
            off.append(f"{each.number.label.removesuffix(': extra regret')} by {difference}")
    if off:
        found.insert(0, f"Ours differ from the printed numbers at {', '.join(off)}.")
    elif any(each.number.exact is None for each in report.counted):
        found.insert(0, "No printed number differs by more than two standard errors.")
    return found


def provenance(experiment: Experiment, made: Sequence[Mapping[str, object]]) -> str:
    """Return, as Markdown, how the stored results were made."""
    if not made:
        return "No results are stored for this one. `make reproduce` computes and stores all of them."
    parts = []
    for each in made:
        versions = ", ".join(
            f"{name} {each[name]}" for name in each if name not in ("command", "runs", "unit", "seeds")
        )
        parts.append(
            f"`{each.get('command')}`, here for *{experiment.name}*: {each.get('runs')} {each.get('unit')}, seeds {each.get('seeds')}; {versions}."
        )
    return "  \n".join(parts)


def same_as_stored(report: Report, again: Report) -> str:
    """Return whether what was run again equals the stored results, replicate by replicate."""
    shared = differing = 0
    for arm, found in again.values.items():
        for measure, values in found.items():
            stored = report.values.get(arm, {}).get(measure)
            if stored is None:
                continue
            n = min(len(values), len(stored))
            shared += n
            differing += int((abs(values[:n] - stored[:n]) > 1e-3 * abs(stored[:n]) + 1e-9).sum())
    if not shared:
        return ""
    if not differing:
        return f"✓ The same as stored, replicate by replicate ({shared} values compared)."
    return f"✗ {differing} of {shared} values differ from the stored ones: other versions of the packages, or another processor."


def _table(head: str, rows: list[str], title: str) -> str:
    return (
        f'<div class="pb-grid pb-compare" tabindex="0" role="region" aria-label="{title}"><table><thead>{head}</thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
