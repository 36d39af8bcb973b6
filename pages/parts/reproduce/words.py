"""What the Reproduce page says: summary, deviations, provenance. All from reports."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pages.parts.views.text import as_markdown, minus
from pages.parts.views.views import Finding, Tile
from privbo_core.experiments import Experiment, Report

QUESTION = "Do the published numbers come out?"
Unit = Literal["spreads", "errors"]
TWICE: dict[Unit, str] = {"spreads": "twice the spread over functions", "errors": "two standard errors"}
"""Up to what a number agrees, by the unit of the distance."""
GRID = "if the grid’s half-width is 4, which was chosen so that Table 1 comes out"
"""What stands beside every agreement of the synthetic functions."""


def counted_in(experiment: Experiment) -> Unit:
    """Return what a distance is counted in: where a printed number is about one function, the spread over functions."""
    return "spreads" if experiment.per_print == 1 else "errors"


def bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def count(reports: Iterable[Report], exact: bool) -> tuple[int, int]:
    compared = [each for report in reports for each in report.counted if (each.number.exact is not None) == exact]
    return sum(each.grade == "reproduces" for each in compared), len(compared)


def summary(reports: Mapping[str, Report]) -> tuple[Tile, ...]:
    own, other = ([each for each in reports.values() if each.experiment.data == data] for data in ("own", "other"))
    trend = [report for name, report in reports.items() if name.endswith("made-up")]  # but for the controls
    # printed regrets that are about data drawn as the paper's were
    drawn = {"Tables 1–3": ("table-1", "table-2", "table-3"), "Fig. 2a": ("outsourced-fig-2a",)}
    agree = {name: count([reports[member] for member in members], exact=False) for name, members in drawn.items()}
    exact = _of(*count(reports.values(), exact=True))
    aside = f"{_rest(own)}; on other data {_of(*_holding(other))}, not counted"
    found = (
        *((f"{name}: regrets that agree", _of(*numbers), GRID) for name, numbers in agree.items()),
        ("Tables 4–9, Fig. 2b–c", "other data", "our loans and homes: not counted, for or against"),
        ("Their trends on made-up data", _of(*_holding(trend)), f"hold; {_rest(trend)}; controls not counted"),
        ("Conditions, privacy losses", exact, "to the digit, where they can be"),
        ("Claims in words that hold", _of(*_holding(own)), aside),
    )
    return tuple(Tile(*each, "simulation") for each in found)


def _rest(reports: Iterable[Report]) -> str:
    """Return how many counted claims are not clear, and of how many the opposite came out."""
    claims = [judged.verdict for report in reports for judged in report.claims]
    return f"{claims.count('inconclusive')} not clear, {claims.count('fails')} the opposite"


def _holding(reports: Iterable[Report]) -> tuple[int, int]:
    """Return how many counted claims hold, and of how many that have results."""
    claims = [judged for report in reports for judged in report.claims]
    return sum(each.verdict == "holds" for each in claims), len(claims)


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else "…"


def disagreements(reports: Mapping[str, Report]) -> str:
    """Return, as Markdown, what does not agree or hold, or is not clear: a line for each experiment that has any."""
    lines = []
    for report in reports.values():
        if report.experiment.data == "other":
            continue
        apart = [each.number.label for each in report.counted if each.grade != "reproduces"]
        against, unclear = (
            [each.claim.text for each in report.claims if each.verdict == verdict]
            for verdict in ("fails", "inconclusive")
        )
        parts = {
            f"**{len(apart)} of {len(report.counted)} numbers** apart ({', '.join(apart)})": apart,
            f"**the opposite of {len(against)} claim{'s' * (len(against) > 1)}** ({'; '.join(against)})": against,
            f"{len(unclear)} not clear ({'; '.join(unclear)})": unclear,
        }
        if said := ", ".join(part for part, any_of in parts.items() if any_of):
            lines.append(f"- *{report.experiment.title}*: {said}.")
    return "\n".join(lines) or "Everything that has results agrees."


def headline(report: Report) -> Finding:
    experiment = report.experiment
    counted = [each for each in report.counted if each.number.exact is None] or list(report.counted)
    replicates = max((len(values) for arm in report.values.values() for values in arm.values()), default=0)
    title = "No results are stored for this one yet: rerun it"
    if experiment.data != "own" and report.claims:
        hold, of = _holding([report])
        where = "On other data than the paper’s" if experiment.data == "other" else "On made-up data"
        title = f"{where}: {hold} of {of} claims hold, {_rest([report])}"
    elif counted:
        agree = sum(each.grade == "reproduces" for each in counted)
        random = any(each.number.exact is None for each in counted)
        how = f"agree within {TWICE[counted_in(experiment)]}" if random else "come out to the digit"
        title = f"{agree} of {len(counted)} printed numbers {how}"
    elif report.claims:
        hold, of = _holding([report])
        title = f"{hold} of {of} claims hold; the paper prints no numbers"
    note = f"{replicates} {experiment.unit}; bars and bands: ± 1 standard error" if replicates else ""
    return Finding(title, "simulation", "\n".join(each for each in (note, experiment.chosen) if each))


def differences(report: Report) -> list[str]:
    """Return in a sentence each how far the printed numbers that do not agree are off."""
    sentences, off = [], []
    if report.experiment.data == "other":
        sentences.append("It is other data than the paper’s: no number counts as agreement or disagreement.")
    if report.experiment.data == "made up":
        tested = "they test whether the paper’s trend shows, not whether its numbers come out."
        sentences.append(f"The data are made up: {tested}")
    for each in report.counted:
        if each.grade == "reproduces" or each.ours is None:
            continue
        if each.number.exact is not None:
            ours = "none" if each.ours == 0 else f"{each.ours:.{each.number.exact}f}"
            sentences.append(f"The {each.number.label} is {ours} here, {each.number.printed:g} in the paper.")
        else:
            difference = minus(f"{each.ours - each.number.printed:+.2g}")
            off.append(f"{each.number.label.removesuffix(': extra regret')} by {difference}")
    if off:
        sentences.insert(0, f"Ours differ from the printed numbers at {', '.join(off)}.")
    elif any(each.number.exact is None for each in report.counted):
        sentences.insert(0, f"No printed number differs by more than {TWICE[counted_in(report.experiment)]}.")
    return sentences


def provenance(report: Report, made: Sequence[Mapping[str, object]]) -> str:
    if not made:
        return "No results are stored for this one. `make reproduce` computes and stores all of them."
    parts = []
    for each in made:
        known = {name: as_markdown(str(value)) for name, value in each.items()}
        what = f"here for *{report.experiment.name}*: {known.get('runs')} {known.get('unit')}"
        parts.append(f"`{each.get('command')}`, {what}, seeds {known.get('seeds')}; {versions_of(each)}.")
    return "  \n".join(parts)


def versions_of(made: Mapping[str, object]) -> str:
    names = [name for name in made if name not in ("command", "runs", "unit", "seeds")]
    return ", ".join(as_markdown(f"{name} {made[name]}") for name in names)


def same_as_stored(report: Report, again: Report) -> str:
    """Return whether what was run again equals the stored results, replicate by replicate."""
    shared = differing = 0
    every = ((arm, measure, values) for arm, known in again.values.items() for measure, values in known.items())
    for arm, measure, values in every:
        if (stored := report.values.get(arm, {}).get(measure)) is not None:
            n = min(len(values), len(stored))
            shared += n
            differing += int((abs(values[:n] - stored[:n]) > 1e-3 * abs(stored[:n]) + 1e-9).sum())
    if not shared:
        return ""
    why = "other versions of the packages, or another processor"
    if differing:
        return f"✗ {differing} of {shared} values differ from the stored ones: {why}."
    return f"✓ The same as stored to three digits, replicate by replicate ({shared} values compared)."
