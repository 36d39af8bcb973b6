"""What the Simple page of Reproduce says, all of it counted from reports."""

from pages.parts.reproduce.plain.tally import Tally, together
from pages.parts.reproduce.words import GRID
from pages.parts.values.text import strong
from pages.parts.values.views import Brief, Fact, Finding

QUESTION = "Do the published numbers come out?"
STORY = (
    "The papers print tables, figures and sentences about how well private search works. Here they are computed anew."
)
NOT_PRIVACY = "that the searches work as printed does not mean that every promise holds. One is refuted: see Audit."
MOST_NAMED = 3
ALT = "A bar for each table and figure: how many of its numbers and statements come out, nearly do, are not clear, come out otherwise, or are on other data."


def brief(found: tuple[Tally, ...]) -> Brief:
    """Return the page in five seconds."""
    counts = together(found)
    checked = counts.total() - counts["other data"]
    able = sum(each.counts.total() > each.counts["other data"] for each in found)
    if not counts.total():
        return Brief("Nothing has been computed yet.", ())
    answer = (
        f"Of {checked} numbers and statements that can be checked, {counts['agrees']} come out, {counts['near']} nearly, "
        f"{counts['not clear']} are not clear, {counts['apart']} come out otherwise; {counts['other data']} more are on other data."
    )
    apart = sorted((each for each in found if each.counts["apart"]), key=lambda each: -each.counts["apart"])
    named = "; ".join(each.name for each in apart[:MOST_NAMED]) + (" and others" if len(apart) > MOST_NAMED else "")
    facts = (
        Fact("What was checked", f"{checked} in {able} tables and figures", "each printed number, and each sentence that compares."),
        Fact("How", "Computed anew", "A number comes out within one standard error, nearly within two. A statement holds if its difference is clear."),
        Fact("What does not come out", f"{counts['apart']} of {checked}", f"in {named}." if apart else "Nothing.", tone="unmet" if apart else ""),
        Fact("What cannot be told", f"{counts['other data']} on other data", "Our data there are not the paper’s, so they count neither for nor against."),
    )  # fmt: skip
    promise = (
        f"{strong('With one reservation:')} Tables 1–3 and Fig. 2a agree {GRID}.",
        f"{strong('Not about privacy:')} {NOT_PRIVACY}",
    )
    return Brief(answer, facts, promise)


def finding(found: tuple[Tally, ...]) -> Finding:
    """Return the picture's title."""
    return Finding(brief(found).answer, "simulation", "One bar for each table and figure.")
