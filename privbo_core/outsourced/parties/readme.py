"""What the recipient of a release finds in its ZIP, in plain words."""

import textwrap

from privbo_core.about import PROGRAM
from privbo_core.data.frame import FrameColumn
from privbo_core.outsourced.noisy import SEEN
from privbo_core.outsourced.parties.terms import Outcome, Private, ReleaseTerms, answers_guarantee

WIDTH = 88


def recipient_readme(terms: ReleaseTerms, outcome: Outcome, private: Private | None, rows: int, digest: str) -> str:
    """Return the text of README.txt: what the ZIP is, how to search with it, what was promised to whom.

    ``rows``: how many there are; ``digest``: of release.csv.
    """
    best = "largest" if outcome.larger_is_better else "smallest"
    return "\n\n".join(
        [
            _title(f"Release {terms.release} of {rows:,} rows, made {terms.made}"),
            _words(
                "Somebody holds records that must not be given away, and wants to know which of them has the "
                f"{best} {outcome}. This ZIP lets you find it for them without seeing the records: each row of "
                "release.csv is a record's inputs with noise, in an order that only the holder knows. You choose rows "
                "to be tested, the holder tells you what came out, and you choose the next ones."
            ),
            _title("What to do"),
            _words(
                "Keep the ZIP as it is; PrivBO reads it whole, and refuses one that was changed. In a browser: open "
                "the page Workbench, take the seat “I choose what to test”, and give it this ZIP. From a command line, "
                "in the folder that this ZIP is in (here called release.zip), once PrivBO is installed as its README "
                "says:"
            ),
            textwrap.indent(
                "python -m privbo_core.workbench open release.zip search.zip\n"
                "python -m privbo_core.workbench ask search.zip 3 --out questions.csv\n"
                "python -m privbo_core.workbench tell search.zip --answers answers.csv\n"
                "python -m privbo_core.workbench best search.zip",
                "    ",
            ),
            _words(
                "Send questions.csv to the holder, who sends answers.csv back: a row number and an outcome a line. "
                "All that you are told is in search.zip; go on with it on any day, in any browser. Ask and tell "
                "again (with --force where a file is to be written over) until PrivBO says that little is left to "
                "gain; then tell the holder the best row. If a row cannot be tested: skip search.zip ROW."
            ),
            _words(
                "With tools of your own: release.csv has the row numbers and the noisy inputs, release.json all that "
                "is said below. Do not take the noise for exact values: a model that reckons with it finds more. From "
                "Python: Modeler.open, ask, tell and save in privbo_core.outsourced."
            ),
            _title("What is in the rows"),
            "\n".join(_column(column, terms.sigma) for column in terms.frame.columns),
            _words(
                "Values were moved into the range of their column before noise; noise can carry them out of it again. "
                "The noise was drawn once, for each number apart, from a normal distribution."
            ),
            _title("What the answers are"),
            _words(_answers(outcome, private)),
            _title("What was promised to those whose records these are"),
            _words(_promise(terms, outcome, private)),
            f"Made by {PROGRAM}. Files: README.txt, release.json, release.csv ({digest}).\n",
        ]
    )


def _column(column: FrameColumn, sigma: float) -> str:
    unit = f" {column.unit}" if column.unit else ""
    return textwrap.fill(
        f"{column.name}: from {column.low:g} to {column.high:g}{unit}, with noise of standard deviation "
        f"{sigma * column.hide:.4g}{unit}.",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
    )


def _answers(outcome: Outcome, private: Private | None) -> str:
    if private is None:
        return f"Exact: you are told the {outcome} that was measured. It has no noise but that of the measurement."
    unit = f" {outcome.unit}" if outcome.unit else ""
    return (
        f"Private: the {outcome} that was measured is moved into {private.low:g} to {private.high:g}{unit} and gets "
        f"noise of standard deviation {private.sigma:.4g}{unit}. A row that is asked for again has the same answer "
        "again, so there is nothing to be gained by asking twice."
    )


def _promise(terms: ReleaseTerms, outcome: Outcome, private: Private | None) -> str:
    guarantee = terms.guarantee
    told = f"ε = {terms.epsilon:.4g} and δ = {terms.delta:.3g}"
    sentences = [
        f"Think of {guarantee.neighbours}. Nobody who sees this release can tell well of which of the two it was made: "
        f"{told}. {guarantee.exposes}".rstrip(),
        "The smaller ε is, the less can be told."
        if terms.frame.public
        else "This holds if the columns' ranges, and how the table is written, were known before anyone looked at the "
        f"data, which the holder does not say of {', '.join(terms.frame.unsaid)}.",
        *([SEEN] if terms.looked else []),
        "The number of rows is not hidden, nor that a record is missing here because it has a gap: of such a record "
        "nothing else is told.",
        "Outcomes are not hidden either: they are told as they are."
        if private is None
        else f"Outcomes that are {private.hide:g}{f' {outcome.unit}' if outcome.unit else ''} apart or "
        f"less are hidden in the answers, with ε = {private.epsilon:.4g} and δ = {private.delta:.3g}, however many "
        f"rows you ask for. {answers_guarantee(private, outcome).exposes}".rstrip(),
        "Do not try to find out who somebody is: what is not promised above is left to your care.",
    ]
    return " ".join(sentences)


def _title(words: str) -> str:
    return f"{words}\n{'-' * len(words)}"


def _words(words: str) -> str:
    return textwrap.fill(words, WIDTH)
