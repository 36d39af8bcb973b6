"""What the Simple page of Audit shows: original and rebuilt records side by side, or errors against the line of the promise."""

from pages.parts.outsourced.rebuild import Rebuilt
from pages.parts.system.trials import TrialView
from pages.parts.values.samples import Sample
from pages.parts.values.text import minus
from pages.parts.values.views import Brief, Cell, Figure, Finding, Row, Table

SLOT = "audit-simple"
SHOWN = 6
"""Records that are shown."""
RELEASED = 3
"""Numbers that are shown of each released row."""
STAMP = "✗ promise refuted"


def side_by_side(rebuilt: Rebuilt, told: Sample) -> Table:
    """Return a few records as they are, as the attacker has read them off, and what of them was handed out."""
    problem, recovered = rebuilt.problem, rebuilt.in_units
    names = [told.label(problem, column) for column in range(problem.d)]
    groups = (("in the table", problem.d), ("read off by the attacker", problem.d), ("from what was handed out", 1))
    head = (
        Row((Cell(told.one, head=True, tall=2), *(Cell(name, head=True, wide=wide) for name, wide in groups))),
        Row(tuple(Cell(name, head=True) for name in (*names, *names, "mixed numbers"))),
    )
    body = []
    for row in rebuilt.shown[:SHOWN]:
        pairs = (*problem.original[row], *recovered[row])
        mixed = ", ".join(f"{value:.1f}" for value in rebuilt.z[row, :RELEASED])
        more = ", …" if rebuilt.z.shape[1] > RELEASED else ""
        numbers = [*(f"{value:,.5g}" for value in pairs), f"{mixed}{more}"]
        body.append(Row((Cell(f"{row + 1:,}", head=True), *(Cell(minus(text)) for text in numbers))))
    return Table(
        head, tuple(body), "compare", f"A few of the {problem.n:,}: in the table, and read off by the attacker"
    )


def of_rebuilt(rebuilt: Rebuilt, told: Sample, brief: Brief) -> Figure:
    """Return the figure of what the attacker made of a projection."""
    note = "None of these was known to the attacker."
    return Figure(SLOT, Finding(brief.answer, "curator", note, STAMP), table=side_by_side(rebuilt, told))


def of_trials(view: TrialView, brief: Brief) -> Figure:
    """Return the figure of the attack's errors against the line that no test gets below, the same as in Expert."""
    testing = view.figures[2]
    stamp = STAMP if view.shown.refuted(view.trial.claim) else ""
    finding = Finding(brief.answer, testing.finding.audience, testing.finding.note, stamp)
    return Figure(SLOT, finding, testing.picture, testing.alt)
