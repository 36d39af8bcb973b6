"""What the holder's seat says: what is hidden, what one record has cost, what a further release would cost."""

import math
from datetime import datetime

from pages.parts.views.card import YOU, strength_fact
from pages.parts.views.text import epsilon_text, first_hidden, minus, scientific, strong
from pages.parts.views.views import Brief, Fact, Table, Tile, table
from pages.parts.workbench.holder.table import Held
from privbo_core.data import Frame
from privbo_core.data.frame import WRITTEN, frame_as_json
from privbo_core.decision.order import together
from privbo_core.files import listed
from privbo_core.outsourced import Setting, noisy_guarantee
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties.ledger import Cost, Ledger, Released
from privbo_core.privacy import Guarantee

QUESTION = "Hand out a table, keep its people hidden"
STEPS = ("Release", "Send the ZIP, keep the ledger", "Take in what they ask", "Answer, and send")
LOST = "The ledger is in this session alone: reload, and it is gone. Download it after every change."
UNSAVED = "The ledger has changed since you downloaded it. Reload the page, and what is new in it is gone."
SAVED = "You have downloaded the ledger as it is now."
BEGUN = (
    "A release was begun and broken off. Nobody can know what of it was seen, so the ledger counts it. "
    "To hand one out, release again."
)
ELSEWHERE = "This table was released elsewhere, as your ledger says. The ZIP itself is not in a ledger."
NAMED = 3
MANY = 3  # So many outcomes beyond the better end of the range are worth a word.


def hidden(held: Held) -> str:
    return ", or ".join(first_hidden(held.hides))


def guarantee(held: Held, setting: Setting) -> Guarantee:
    neighbours = f"Two tables that differ in one record by {hidden(held)}; by several at once, less of each."
    true = held.simulation.true_epsilon(setting) if held.simulation else None
    return noisy_guarantee(setting.epsilon, setting.noisy_delta, neighbours, held.frame, true, looked=held.looked)


def another(out: Released, setting: Setting, frame: Frame) -> str:
    now = setting.epsilon, setting.noisy_delta, frame_as_json(frame)
    if now == (out.epsilon, out.delta, frame_as_json(out.frame)):
        return ""
    return (
        "What is shown of hiding, strength and simulated cost follows the settings on the left, which are another "
        f"release’s: release {out.release} went out at ε = {epsilon_text(out.epsilon)}, δ = {scientific(out.delta)}, "
        f"in {', '.join(out.frame.names)}."
    )


def brief(held: Held, setting: Setting, cost: Fact, ledger: Ledger, asked: int, private: Private | None) -> Brief:
    """``asked``: so many rows wait; ``private``: how they are answered."""
    told, first = held.sample, hidden(held)
    becomes = held.simulation.true_epsilon(setting) if held.simulation else None
    both = together(guarantee(held, setting), held.frame, setting.shape, private, becomes)
    remark = f"of each {told.one}. Not who is in it, nor larger differences."
    facts = (
        Fact("What is hidden", f"{first[0].upper()}{first[1:]}", remark),
        strength_fact(*both, word=YOU if held.own and held.frame.public else ""),
        cost,
        spent(ledger, told.one),
    )
    if not ledger.releases:
        answer = f"Release the noisy table, and let {told.chooser} choose which {told.many} to {told.verb}."
    elif asked:
        rows = f"{asked} {told.many if asked > 1 else told.one}"
        answer = f"{told.chooser.capitalize()} asks for {rows}: answer, and send the answers."
    elif not ledger.answers:
        answer = f"The release is made. Send {told.chooser} the ZIP, and wait for the rows they ask for."
    else:
        count = len(ledger.current)
        tests = told.tests if count > 1 else told.tests.removesuffix("s")
        answer = f"{count} {tests} answered so far. Send the answers, and wait for the next rows."
    keep = (f"{strong('Keep the ledger:')} {LOST.partition(': ')[2]}",) if ledger.releases else ()
    return Brief(answer, facts, keep, "holder")


def spent(ledger: Ledger, one: str) -> Fact:
    about = f"Spent on one {one} so far"
    if not ledger.releases:
        return Fact(about, "Nothing")
    cost = ledger.cost()
    doubt = f" {ledger.rests}".rstrip()
    if not ledger.answers:
        return Fact(about, f"ε = {epsilon_text(cost.inputs)}", f"the inputs; no outcome was answered yet.{doubt}")
    outcome = f"ε = {epsilon_text(cost.outcome)} of the outcome; both together ε = {epsilon_text(cost.both)}"
    if math.isinf(cost.outcome):
        outcome = "outcomes in full, for the answers are exact"
    return Fact(about, f"ε = {epsilon_text(cost.inputs)} of the inputs", f"{outcome}.{doubt}")


def tiles(ledger: Ledger) -> tuple[Tile, ...]:
    now, count = ledger.cost(), len(ledger.releases)
    if not count:
        return (Tile("Spent on one record so far: ε", "0", "nothing released", "holder"),)
    releases = "one release" if count == 1 else f"{count} releases, counted together"
    answers = len(ledger.answers)
    kind = "exact" if ledger.private is None else "private"
    answered = f"{answers} {kind} answer{'s' if answers != 1 else ''}" if answers else "nothing answered yet"
    return (
        Tile("Inputs have cost: ε", epsilon_text(now.inputs), releases, "holder"),
        Tile("An outcome has cost: ε", epsilon_text(now.outcome) if answers else "0", answered, "holder"),
        Tile("Both together: ε", epsilon_text(now.both), f"one record, at δ = {scientific(now.delta)}", "holder"),
    )


def leaves(held: Held) -> str:
    columns = listed(held.frame.names, held.frame.d)
    gone = f"Leaves: {columns} of each {held.sample.one}, with noise, in new order."
    return f"{gone} Stays: the table, the outcomes, the order."


def counted_twice(held: Held) -> str:
    """Return why the searches are simulated on fewer rows than a release has; nothing if they are as many."""
    without = held.rows - held.simulation.problem.n if held.simulation else 0
    if without <= 0:
        return ""
    lacking = f"{without:,} of which {'has' if without == 1 else 'have'} no {held.outcome.name}"
    used = f"what it will cost is simulated on the other {held.rows - without:,}."
    return f"{held.rows:,} rows go out, {lacking} that a simulated search can use: {used}"


def further(ledger: Ledger, after: Cost) -> str:
    one, together = ("A second", "both") if len(ledger.releases) == 1 else ("Another", "all")
    more = f"{one} release with other noise tells more: {together} together cost ε = {epsilon_text(after.inputs)}."
    return f"This table has left already, at ε = {epsilon_text(ledger.cost().inputs)}. {more}"


def missed(ledger: Ledger, *, short: bool) -> str:
    """Return how many records the last release left out, and of how many only the outcome tells the rows apart."""
    count, alike = ledger.left_out(ledger.releases[-1]), ledger.people.doubles(ledger.releases[-1].order)
    left_out = f"Left out, for gaps: {count:,} record{'s' if count > 1 else ''}." if count else ""
    if not alike or ledger.outcome is None or (short and ledger.private is None):
        return left_out
    alone = ", and one of those alike is answered" if ledger.private else ""
    one = f"Only {ledger.outcome.name} tells {alike:,} rows apart: each is found as all that it may be{alone}."
    return f"{left_out} {one}".strip()


def beyond(ledger: Ledger, count: int) -> str:
    private, outcome = ledger.private, ledger.outcome
    if private is None or outcome is None or count < MANY:
        return ""
    end = minus(f"{private.high if outcome.larger_is_better else private.low:,.6g}")
    said = f"{count} of them count as {end}: nobody can tell the best of these apart."
    if private.hide > private.high - private.low:  # noise follows the range then
        return f"{said} In this ledger the range stays."
    return f"{said} A wider range would have cost nothing, for noise follows what is hidden; in this ledger it stays."


def releases_table(ledger: Ledger) -> Table:
    rows = []
    for each in ledger.releases:
        made, state = datetime.fromisoformat(each.made), "handed out" if each.finished else "begun, counted"
        level, sent = (epsilon_text(each.epsilon), scientific(each.delta)), f"{each.rows:,} of {ledger.rows:,}"
        rows.append((str(each.release), made.strftime("%d %b %Y, %H:%M %Z"), *level, sent, state))
    return table(("release", "when", "ε", "δ", "rows", ""), rows)


def framed(held: Held) -> str:
    if held.frame.public:
        return f"The frame was known before anyone looked at the data{f', {YOU}' if held.own else ''}"
    what = ["the frame of " + ", ".join(held.frame.read_off[:NAMED])] if held.frame.read_off else []
    what += [WRITTEN] if held.frame.guessed else []
    return f"Read off your data: {' and '.join(what)}. Say what was known beforehand"


def complete(held: Held) -> str:
    return (
        f"{held.rows:,} of {len(held.cells):,} records have a number in each of these columns, as the frame has them "
        "written. The others are left out, one by one; that they have a gap is not hidden."
    )


def frame_table(frame: Frame) -> Table:
    rows = [
        (each.name, each.unit, minus(f"{each.low:,.6g} to {each.high:,.6g}"), f"± {each.hide:,.6g}", each.known_from)
        for each in frame.columns
    ]
    return table(("column", "unit", "range", "hidden", "known from"), rows)
